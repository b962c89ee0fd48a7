"""How well each feature separates the clusters of a clustering."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.export import to_frame
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Kind, read_features, refuse_infinite
from clusterwise.measures._cluster_slices import read_codes
from clusterwise.summaries.contingency.contingency import Contingency


class SeparatingFeature(NamedTuple):
    """A feature, its score, its kind, and the number of objects in which it is not missing."""

    feature: str
    score: float
    kind: Kind
    objects: int


class SeparatingFeatures(TableRepr, list[SeparatingFeature]):
    """The result of :func:`separating_features`: a list, best first, which prints as a table."""

    def to_dict(self) -> dict[str, float]:
        """Return the score of each feature, best first."""
        return {one.feature: one.score for one in self}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per feature."""
        fields = SeparatingFeature._fields
        return to_frame({name: [getattr(one, name) for one in self] for name in fields}, library)

    def text_table(self) -> TextTable:
        """Return a row per feature as text."""
        rows = [[one.feature, f"{one.score:.4f}", one.kind, str(one.objects)] for one in self]
        return TextTable(["feature", "score", "kind", "objects"], rows, left=frozenset({0, 2}))


class _Association(NamedTuple):
    """The association of a feature and clusters, its largest value, and its expected value."""

    value: float
    largest: float
    expected: float

    def adjusted(self) -> float:
        span = self.largest - self.expected
        if span <= 0:
            return 0.0
        return float(min(1.0, max(0.0, (self.value - self.expected) / span)))


_NO_ASSOCIATION = _Association(0.0, 0.0, 0.0)


@check_arguments
def separating_features(
    X: Any, labels: Any, *, noise: Noise = "cluster", noise_label: Any = -1
) -> SeparatingFeatures:
    r"""Score how well each single feature separates the clusters.

    For numeric features it is :math:`\eta^2`, the proportion of the sum of squares between
    clusters; for categorical features Cramér's :math:`V^2 = \chi^2 / (n (\min(J, K) - 1))`, with
    J categories and K clusters. Both are (means of) squared canonical correlations, so they are
    on the same scale, and equal for a feature of two values. Both are adjusted for chance, as in
    the adjusted Rand index:

    .. math:: \frac{s - E(s)}{1 - E(s)}, \qquad E(\eta^2) = \frac{K - 1}{n - 1},
        \quad E(V^2) = \frac{\max(J, K) - 1}{n - 1},

    so that many values alone do not raise the score. Negative values count as 0.

    From 0, no better than chance, to 1, perfect association. Constant features, a single
    cluster, and singleton clusters score 0.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        Numeric or categorical features. Missing values are left out feature by feature.
    labels : array-like of shape (n,)
        The cluster of each object.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Treat objects labelled ``noise_label`` as one cluster, as singleton clusters, or drop
        them.
    noise_label : default=-1
        The label of noise.

    Returns
    -------
    SeparatingFeatures
        Features with their scores, best first; ties are in the order of ``X``.

    Notes
    -----
    Numeric features are scored by the means of the clusters: if one cluster surrounds another,
    their means are nearly equal. Interactions of several features are not found either.

    References
    ----------
    .. [1] H. Cramér. Mathematical Methods of Statistics. Princeton (1946), section 21.9.
    .. [2] T. L. Kelley. An unbiased correlation ratio measure. Proceedings of the National Academy
       of Sciences 21 (1935) 554-559. https://doi.org/10.1073/pnas.21.9.554

    Examples
    --------
    The clusters depend on the size and are independent of the colour:

    >>> from clusterwise import separating_features
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
        values = column.numbers().astype(np.float64) if numeric else column.categories().codes
        if numeric:
            refuse_infinite(column.name, values)
        values = values if kept is None else values[kept]
        present = ~np.isnan(values) if numeric else values >= 0
        objects = int(np.count_nonzero(present))
        own = clusters
        if objects < values.size:
            values, own = values[present], clusters[present]
        associate = _numeric_association if numeric else _categorical_association
        association = associate(values, own)
        found.append(SeparatingFeature(column.name, association.adjusted(), column.kind, objects))
    return SeparatingFeatures(sorted(found, key=lambda one: -one.score))


def _numeric_association(values: Array, clusters: Array) -> _Association:
    """Return the correlation ratio η²."""
    values = values / (np.abs(values).max(initial=0.0) or 1.0)  # so that no square overflows
    if not values.size or np.ptp(values) == 0.0:
        return _NO_ASSOCIATION
    values -= values.mean()
    sizes = np.bincount(clusters)
    used = sizes > 0
    sums = np.bincount(clusters, values)[used]
    between = float((sums**2 / sizes[used]).sum())
    expected = (np.count_nonzero(used) - 1) / (values.size - 1)
    return _Association(between / float(values @ values), 1.0, expected)


def _categorical_association(categories: Array, clusters: Array) -> _Association:
    """Return χ²/n, which is V² times its largest value."""
    if not categories.size:
        return _NO_ASSOCIATION
    table = Contingency.from_labels(categories, clusters)
    cells, n = table.cells, float(table.n)
    rows, columns, counts = cells.nonzero
    sizes = cells.row_sums[rows].astype(np.float64) * cells.column_sums[columns]
    association = float((counts.astype(np.float64) ** 2 / sizes).sum()) - 1.0
    j, k = (np.count_nonzero(sums) for sums in (cells.row_sums, cells.column_sums))
    if min(j, k) < 2:
        return _NO_ASSOCIATION
    return _Association(association, min(j, k) - 1.0, (j - 1) * (k - 1) / (n - 1))
