"""Numeric data with several independent true clusterings."""

from collections.abc import Sequence
from math import prod
from typing import Literal, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.datasets.toy import Seed
from clusterwise.inputs.encoding import Array


class Planted(NamedTuple):
    """Objects and their true clusterings.

    Attributes
    ----------
    X : ndarray of shape (n, R)
        The features.
    labels : ndarray of shape (n, m)
        A column per clustering, with clusters 0, 1, ….
    names : tuple of str
        The names of the clusterings, ``"c1"``, ``"c2"``, ….
    feature_names : tuple of str
        ``"c1_2"`` is the second feature of the clustering ``"c1"``, ``"extra_1"`` belongs to no
        clustering, and ``"x1"`` is a feature after a rotation, which belongs to all of them.
    """

    X: Array
    labels: Array
    names: tuple[str, ...]
    feature_names: tuple[str, ...]


@check_arguments
def make_alternatives(
    n: int = 400,
    clusterings: Sequence[int] = (2, 2),
    *,
    features: int | Sequence[int] = 2,
    separation: float = 10.0,
    noise: float = 1.0,
    extra_features: int = 0,
    balance: float = 1.0,
    crossed: bool = True,
    rotated: bool = False,
    random_state: Seed = None,
) -> Planted:
    """Generate numeric data with several independent clusterings, all equally well separated.

    Each clustering has its own features, which do not depend on the other clusterings. By default
    every combination of clusters has the same number of objects (up to one, if ``n`` is not
    divisible); see ``balance`` and ``crossed``. The centres of the clusters form a square grid with
    a random rotation, and objects are normally distributed around them.

    Parameters
    ----------
    n : int, default=400
        The number of objects, at least the number of combinations of clusters.
    clusterings : sequence of int, default=(2, 2)
        The number of clusters of each clustering.
    features : int or sequence of int, default=2
        The number of features of each clustering.
    separation : float, default=10.0
        The distance between neighbouring centres of a clustering.
    noise : float, default=1.0
        The standard deviation of each feature around the centre.
    extra_features : int, default=0
        The number of features that belong to no clustering, normal with the standard deviation
        ``noise``; they come last.
    balance : float, default=1.0
        The ratio of the sizes of the last and the first cluster of each clustering. Sizes decrease
        geometrically. Clusterings remain independent up to rounding, and every combination of
        clusters has at least one object.
    crossed : bool, default=True
        Whether combinations of clusters have their expected sizes, as in a factorial design. If
        False, the clusters of each object are drawn independently, so that sizes vary and a small
        cluster may be empty.
    rotated : bool, default=False
        Whether to apply a random rotation to all features. It preserves distances, but every
        feature then depends on all clusterings.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Planted
        Objects in random order.

    Raises
    ------
    InputError
        If a number is out of range, or there are fewer objects than combinations.

    Examples
    --------
    Clusterings with two and three clusters, which have six combinations:

    >>> import numpy as np
    >>> from clusterwise.datasets import make_alternatives
    >>> data = make_alternatives(60, (2, 3), random_state=0)
    >>> data.X.shape, data.feature_names
    ((60, 4), ('c1_1', 'c1_2', 'c2_1', 'c2_2'))
    >>> np.unique(data.labels, axis=0, return_counts=True)[1].tolist()
    [10, 10, 10, 10, 10, 10]

    Unbalanced clusters and rotated features:

    >>> data = make_alternatives(60, (2, 3), balance=0.25, rotated=True, random_state=0)
    >>> data.feature_names, [np.bincount(labels).tolist() for labels in data.labels.T]
    (('x1', 'x2', 'x3', 'x4'), [[46, 14], [33, 17, 10]])
    """
    counts = [int(count) for count in clusterings]
    widths = count_features(features, counts)
    check_sizes(n, counts)
    random = as_generator(random_state)
    labels = draw_labels(n, counts, balance, random, crossed=crossed)
    centres = [
        grid_centres(count, width, separation, random)[labels[:, i]]
        for i, (count, width) in enumerate(zip(counts, widths, strict=True))
    ]
    X = np.column_stack([*centres, np.zeros((n, extra_features))])
    X += random.normal(0.0, noise, X.shape)
    names = name_clusterings(counts)
    columns = name_features(names, widths, extra_features)
    if rotated:
        X = X @ _random_rotation(X.shape[1], random)
        columns = tuple(f"x{i}" for i in range(1, X.shape[1] + 1))
    return Planted(X, labels, names, columns)


class _Set(NamedTuple):
    n: int
    clusters: int
    features: int


_COALA_SETS = {
    "A": _Set(200, 2, 1),
    "B": _Set(270, 3, 2),
    "C": _Set(200, 2, 3),
    "D": _Set(320, 4, 3),
}
# At 10 a single object between two combinations of clusters sometimes misleads the merging.
_COALA_SEPARATION = 15.0


@check_arguments
def make_coala_set(name: Literal["A", "B", "C", "D"], random_state: Seed = None) -> Planted:
    """Generate data sets like the synthetic sets A to D on which COALA was evaluated.

    The paper states that each has two clusterings, and that the sets differ in the numbers of
    dimensions and of clusters, but neither sizes nor positions. The parameters of
    :func:`make_alternatives` are chosen as follows. A has 200 objects, 2 clusters in each
    clustering and 2 dimensions; B 270, 3 and 4; C 200, 2 and 6; D 320, 4 and 6. Half of the
    dimensions belong to each clustering, and neighbouring centres are 15 standard deviations apart.

    Parameters
    ----------
    name : {"A", "B", "C", "D"}
        The name of the data set.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Planted
        Objects with two true clusterings.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62, section 5.1.
       https://doi.org/10.1109/ICDM.2006.37

    Examples
    --------
    The second one, with two clusterings of three clusters:

    >>> from clusterwise.datasets import make_coala_set
    >>> data = make_coala_set("B", random_state=0)
    >>> data.X.shape, data.labels.max(axis=0).tolist()
    ((270, 4), [2, 2])
    """
    n, clusters, features = _COALA_SETS[name]
    return make_alternatives(
        n,
        (clusters, clusters),
        features=features,
        separation=_COALA_SEPARATION,
        random_state=random_state,
    )


def draw_labels(
    n: int, counts: Sequence[int], balance: float, random: np.random.Generator, *, crossed: bool
) -> Array:
    """Return independent labels of n objects in random order, a column per clustering."""
    combinations = prod(counts)
    proportions = [cluster_proportions(count, balance) for count in counts]
    if not crossed:
        return np.column_stack([random.choice(len(p), n, p=p) for p in proportions])
    if balance == 1:
        cells = np.arange(n) % combinations
    else:
        joint = np.ones(1)
        for p in proportions:
            joint = np.outer(joint, p).ravel()
        ends = np.rint(np.cumsum(joint) * (n - combinations)).astype(np.int64)
        cells = np.repeat(np.arange(combinations), 1 + np.diff(ends, prepend=0))
    return np.column_stack(np.unravel_index(cells[random.permutation(n)], counts))


def cluster_proportions(count: int, balance: float) -> Array:
    """Return the proportion of objects in each cluster, largest first."""
    sizes = balance ** (np.arange(count) / max(1, count - 1))
    return np.asarray(sizes / sizes.sum())


def grid_centres(count: int, width: int, separation: float, random: np.random.Generator) -> Array:
    """Return the centres of clusters, on a square grid with a random rotation."""
    side = 1
    while side**width < count:
        side += 1
    grid, rest = np.zeros((count, width), np.int64), np.arange(count)
    for feature in reversed(range(width)):
        rest, grid[:, feature] = np.divmod(rest, side)
    return np.asarray(separation * (grid - grid.mean(axis=0)) @ _random_rotation(width, random))


def _random_rotation(width: int, random: np.random.Generator) -> Array:
    rotation, _ = np.linalg.qr(random.normal(size=(width, width)))
    return rotation


def name_clusterings(counts: Sequence[int]) -> tuple[str, ...]:
    """Return the names c1, c2, … of clusterings."""
    return tuple(f"c{i}" for i in range(1, len(counts) + 1))


def name_features(names: Sequence[str], widths: Sequence[int], extra: int) -> tuple[str, ...]:
    """Return the names of the features of each clustering and of the extra features."""
    parts = zip((*names, "extra"), (*widths, extra), strict=True)
    return tuple(f"{part}_{i + 1}" for part, width in parts for i in range(width))


def count_features(features: int | Sequence[int], counts: Sequence[int]) -> list[int]:
    """Return the number of features of each clustering."""
    widths = [features] * len(counts) if isinstance(features, int | np.integer) else list(features)
    if counts and (len(widths) != len(counts) or min(widths) < 1):
        raise InputError(
            f"features={tuple(widths)} for {len(counts)} clusterings; pass one number for all, or "
            "one for each, at least 1."
        )
    return widths


def check_sizes(n: int, counts: Sequence[int]) -> None:
    """Raise an error if a number of objects, clusters or features is out of range."""
    if not counts or min(counts) < 1:
        raise InputError(f"clusterings={tuple(counts)}; pass a number of clusters for each.")
    if n < prod(counts):
        raise InputError(
            f"n={n} objects for {prod(counts)} combinations of clusters; pass at least as many."
        )
