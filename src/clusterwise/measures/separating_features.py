"""What a clustering is about: how well each feature separates its clusters."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import suggest_keywords
from clusterwise._utils.export import to_frame
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Kind, read_features, refuse_infinite
from clusterwise.measures._cluster_slices import read_codes
from clusterwise.summaries.contingency.contingency import Contingency


class SeparatingFeature(NamedTuple):
    """A feature, how well it separates the clusters, and how many objects have it."""

    feature: str
    score: float
    kind: Kind
    objects: int


class SeparatingFeatures(TableRepr, list[SeparatingFeature]):
    """The result of :func:`separating_features`: a list, best first, that prints as a table."""

    def to_dict(self) -> dict[str, float]:
        """The score of each feature, best first."""
        return {one.feature: one.score for one in self}

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row per feature."""
        fields = SeparatingFeature._fields
        return to_frame({name: [getattr(one, name) for one in self] for name in fields}, library)

    def text_table(self) -> TextTable:
        """A row per feature."""
        rows = [[one.feature, f"{one.score:.4f}", one.kind, str(one.objects)] for one in self]
        return TextTable(["feature", "score", "kind", "objects"], rows, left=frozenset({0, 2}))


class _Association(NamedTuple):
    """How much a feature and clusters have in common, the most they can have, and chance."""

    value: float
    most: float
    by_chance: float

    def beyond_chance(self) -> float:
        room = self.most - self.by_chance
        if room <= 0:
            return 0.0
        return float(min(1.0, max(0.0, (self.value - self.by_chance) / room)))


_NOTHING = _Association(0.0, 0.0, 0.0)


@suggest_keywords
def separating_features(
    X: Any, labels: Any, *, noise: Noise = "cluster", noise_label: Any = -1
) -> SeparatingFeatures:
    r"""How well each feature, looked at alone, separates the clusters.

    For numbers it is :math:`\eta^2`, the share of the sum of squares that is between clusters;
    for names Cramér's :math:`V^2 = \chi^2 / (n (\min(J, K) - 1))`, with J names and K clusters.
    Both are squared canonical correlations (their mean, where there are several), so they share
    a scale, and for a feature of two values they are the same number. From both what chance
    gives is taken away, as in the adjusted Rand index:

    .. math:: \frac{s - E(s)}{1 - E(s)}, \qquad E(\eta^2) = \frac{K - 1}{n - 1},
        \quad E(V^2) = \frac{\max(J, K) - 1}{n - 1},

    so that a feature is not good only for its many values. Less than chance counts as 0.

    From 0, which is no better than chance, to 1: each cluster has a number of its own, or clusters
    and names tell each other apart as far as their numbers allow. Constant features, one
    cluster, and single objects as clusters score 0.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        The objects: numbers, names, or both. Each feature is judged by the objects that have it.
    labels : array-like of shape (n,)
        The cluster of each object.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Objects labelled ``noise_label`` are one cluster, a cluster each, or left out.
    noise_label : default=-1
        The label that means noise.

    Returns
    -------
    SeparatingFeatures
        Attributes with their scores, the best first, and equal ones in the order of ``X``.

    Notes
    -----
    Numbers are judged by the means of the clusters: clusters of which one surrounds the other
    have nearly equal means. What only several features show together is not found either.

    References
    ----------
    .. [1] H. Cramér. Mathematical Methods of Statistics. Princeton (1946), section 21.9.
    .. [2] T. L. Kelley. An unbiased correlation ratio measure. Proceedings of the National Academy
       of Sciences 21 (1935) 554-559. https://doi.org/10.1073/pnas.21.9.554

    Examples
    --------
    The clusters are about the size; the colour says nothing about them:

    >>> from clusterwise.measures.separating_features import separating_features
    >>> X = [["red", 1.0], ["blue", 1.5], ["red", 2.0], ["blue", 7.0], ["red", 7.5], ["blue", 8.0]]
    >>> found = separating_features(X, ["small", "small", "small", "large", "large", "large"])
    >>> found
    feature   score  kind     objects
    x1         0.9773  numeric        6
    x0         0.0000  nominal        6
    >>> found[0].feature
    'x1'
    """
    features = read_features(X)
    clusters, kept = read_codes(labels, features.n, noise, noise_label)
    found = []
    for column in features.columns:
        numeric = column.kind == "numeric"
        values = column.numbers().astype(np.float64) if numeric else column.named().codes
        if numeric:
            refuse_infinite(column.name, values)
        values = values if kept is None else values[kept]
        there = ~np.isnan(values) if numeric else values >= 0
        common = (_between_means if numeric else _between_names)(values[there], clusters[there])
        objects = int(np.count_nonzero(there))
        found.append(SeparatingFeature(column.name, common.beyond_chance(), column.kind, objects))
    return SeparatingFeatures(sorted(found, key=lambda one: -one.score))


def _between_means(values: Array, clusters: Array) -> _Association:
    """The correlation ratio η²."""
    values = values / (np.abs(values).max(initial=0.0) or 1.0)  # so that no square overflows
    if not values.size or np.ptp(values) == 0.0:
        return _NOTHING
    values -= values.mean()
    sizes = np.bincount(clusters)
    used = sizes > 0
    sums = np.bincount(clusters, values)[used]
    between = float((sums**2 / sizes[used]).sum())
    chance = (np.count_nonzero(used) - 1) / (values.size - 1)
    return _Association(between / float(values @ values), 1.0, chance)


def _between_names(names: Array, clusters: Array) -> _Association:
    """χ²/n, which is V² times its largest value."""
    if not names.size:
        return _NOTHING
    table = Contingency.from_labels(names, clusters)
    cells, n = table.cells, float(table.n)
    rows, columns, counts = cells.nonzero
    sizes = cells.row_sums[rows].astype(np.float64) * cells.column_sums[columns]
    shared = float((counts.astype(np.float64) ** 2 / sizes).sum()) - 1.0
    j, k = (np.count_nonzero(sums) for sums in (cells.row_sums, cells.column_sums))
    if min(j, k) < 2:
        return _NOTHING
    return _Association(shared, min(j, k) - 1.0, (j - 1) * (k - 1) / (n - 1))
