"""Data with several true clusterings, independent of each other."""

from collections.abc import Sequence
from math import prod
from typing import Literal, NamedTuple

import numpy as np

from clusterwise._utils.arguments import suggest_keywords
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.datasets.toy import Seed
from clusterwise.inputs.encoding import Array


class Planted(NamedTuple):
    """Objects and their true clusterings.

    ``X`` has a row per object. ``labels`` has a column per clustering, clusters being 0, 1, …;
    ``names`` are those of its columns. ``feature_names`` belong to the columns of ``X``:
    ``"c1_2"`` is the second feature of the clustering ``"c1"``, ``"extra_1"`` one of none, and
    ``"x1"`` one in which all are mixed.
    """

    X: Array
    labels: Array
    names: tuple[str, ...]
    feature_names: tuple[str, ...]


@suggest_keywords
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
    """Objects that can be grouped in several ways, each as good as the others.

    Each clustering lives in features of its own, so it says nothing about the others.
    Every combination of clusters occurs, and equally often (but for one object, if ``n`` cannot
    be divided), unless ``balance`` or ``crossed`` says otherwise. Centres stand on a square grid,
    turned by chance, and objects scatter around them normally.

    Parameters
    ----------
    n : int, default=400
        The objects; at least as many as there are combinations of clusters.
    clusterings : sequence of int, default=(2, 2)
        The number of clusters of each clustering.
    features : int or sequence of int, default=2
        The features of each clustering.
    separation : float, default=10.0
        The distance between neighbouring centres of a clustering.
    noise : float, default=1.0
        The standard deviation of each feature around the centre.
    extra_features : int, default=0
        Features with the same scatter that belong to no clustering; they come last.
    balance : float, default=1.0
        The size of the last cluster of each clustering, as a share of the first one's; from one
        to the next, sizes fall by the same factor. Clusterings stay independent, but for
        rounding, and but for one object that every combination has at least.
    crossed : bool, default=True
        Whether combinations occur as often as the sizes of clusters ask for, as in a planned
        experiment. If not, every object draws its clusters, so that clusterings are independent
        and sizes right but for chance, which may leave a small cluster empty.
    rotated : bool, default=False
        Whether to turn all features together by chance. Distances stay what they are, but
        no feature belongs to one clustering any more.
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
    Two clusters in one way and three in another, which makes six combinations:

    >>> import numpy as np
    >>> from clusterwise.datasets import make_alternatives
    >>> data = make_alternatives(60, (2, 3), random_state=0)
    >>> data.X.shape, data.feature_names
    ((60, 4), ('c1_1', 'c1_2', 'c2_1', 'c2_2'))
    >>> np.unique(data.labels, axis=0, return_counts=True)[1].tolist()
    [10, 10, 10, 10, 10, 10]

    Unbalanced, and with all features mixed:

    >>> data = make_alternatives(60, (2, 3), balance=0.25, rotated=True, random_state=0)
    >>> data.feature_names, [np.bincount(labels).tolist() for labels in data.labels.T]
    (('x1', 'x2', 'x3', 'x4'), [[46, 14], [33, 17, 10]])
    """
    counts = [int(count) for count in clusterings]
    widths = spread_widths(features, counts)
    check_plan(n, counts, balance, extra_features)
    check_numbers(separation=separation, noise=noise)
    random = as_generator(random_state)
    labels = plant(n, counts, balance, random, crossed=crossed)
    places = [
        place(labels[:, i], count, width, separation, random)
        for i, (count, width) in enumerate(zip(counts, widths, strict=True))
    ]
    X = np.column_stack([*places, np.zeros((n, extra_features))])
    X += random.normal(0.0, noise, X.shape)
    names = name_clusterings(counts)
    columns = name_features(names, widths, extra_features)
    if rotated:
        X = X @ _turn(X.shape[1], random)
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
# At 10 one stray object between two combinations of clusters sometimes leads the merging astray.
_COALA_SEPARATION = 15.0


@suggest_keywords
def make_coala_set(name: Literal["A", "B", "C", "D"], random_state: Seed = None) -> Planted:
    """Data in the manner of the synthetic sets A to D on which COALA was tried.

    The paper says that each holds two clusterings, and that they differ in dimensions and in the
    number of clusters; it prints no sizes and no positions. Chosen are, for
    :func:`make_alternatives`: A 200 objects, 2 clusters in each clustering, 2 dimensions; B 270, 3
    and 4; C 200, 2 and 6; D 320, 4 and 6. Half of the dimensions belong to each clustering, and
    neighbouring centres are 15 standard deviations apart.

    Parameters
    ----------
    name : {"A", "B", "C", "D"}
        The set.
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
    >>> from clusterwise.datasets import make_coala_set
    >>> data = make_coala_set("B", random_state=0)
    >>> data.X.shape, data.labels.max(axis=0).tolist()
    ((270, 4), [2, 2])
    """
    if name not in _COALA_SETS:
        raise InputError(f"there is no set {name!r}; use one of {', '.join(_COALA_SETS)}.")
    n, clusters, features = _COALA_SETS[name]
    return make_alternatives(
        n,
        (clusters, clusters),
        features=features,
        separation=_COALA_SEPARATION,
        random_state=random_state,
    )


def plant(
    n: int, counts: Sequence[int], balance: float, random: np.random.Generator, *, crossed: bool
) -> Array:
    """Return independent labels of n objects in random order, a column per clustering."""
    combinations = prod(counts)
    shares = [share_out(count, balance) for count in counts]
    if not crossed:
        return np.column_stack([random.choice(len(share), n, p=share) for share in shares])
    if balance == 1:
        cells = np.arange(n) % combinations
    else:
        joint = np.ones(1)
        for share in shares:
            joint = np.outer(joint, share).ravel()
        ends = np.rint(np.cumsum(joint) * (n - combinations)).astype(np.int64)
        cells = np.repeat(np.arange(combinations), 1 + np.diff(ends, prepend=0))
    return np.column_stack(np.unravel_index(cells[random.permutation(n)], counts))


def share_out(count: int, balance: float) -> Array:
    """The share of each cluster, the largest first."""
    sizes = balance ** (np.arange(count) / max(1, count - 1))
    return np.asarray(sizes / sizes.sum())


def place(
    labels: Array, count: int, width: int, separation: float, random: np.random.Generator
) -> Array:
    """The centre of each object's cluster, on a square grid that every feature tells apart."""
    side = 1
    while side**width < count:
        side += 1
    grid, rest = np.zeros((count, width), np.int64), np.arange(count)
    for feature in reversed(range(width)):
        rest, grid[:, feature] = np.divmod(rest, side)
    centres = separation * (grid - grid.mean(axis=0)) @ _turn(width, random)
    return np.asarray(centres[labels])


def _turn(width: int, random: np.random.Generator) -> Array:
    turn, _ = np.linalg.qr(random.normal(size=(width, width)))
    return turn


def name_clusterings(counts: Sequence[int]) -> tuple[str, ...]:
    """The names c1, c2, … of clusterings."""
    return tuple(f"c{i}" for i in range(1, len(counts) + 1))


def name_features(names: Sequence[str], widths: Sequence[int], extra: int) -> tuple[str, ...]:
    """Names of the features of each clustering, and of those that belong to none."""
    parts = zip((*names, "extra"), (*widths, extra), strict=True)
    return tuple(f"{part}_{i + 1}" for part, width in parts for i in range(width))


def spread_widths(features: int | Sequence[int], counts: Sequence[int]) -> list[int]:
    """The number of features of each clustering."""
    widths = [features] * len(counts) if isinstance(features, int | np.integer) else list(features)
    if counts and (len(widths) != len(counts) or min(widths) < 1):
        raise InputError(
            f"features={tuple(widths)} for {len(counts)} clusterings; pass one number for all, or "
            "one for each, at least 1."
        )
    return widths


def check_plan(n: int, counts: Sequence[int], balance: float, extra_features: int) -> None:
    """Refuse numbers of objects, clusters and features that no data can have."""
    if not counts or min(counts) < 1:
        raise InputError(f"clusterings={tuple(counts)}; pass a number of clusters for each.")
    if n < prod(counts):
        raise InputError(
            f"n={n} objects for {prod(counts)} combinations of clusters; pass at least as many."
        )
    if not 0 < balance <= 1:
        raise InputError(f"balance={balance}; pass a number above 0, and at most 1.")
    check_numbers(extra_features=extra_features)


def check_numbers(**numbers: float) -> None:
    """Refuse numbers that are negative, or not finite."""
    for what, value in numbers.items():
        if not 0 <= value < np.inf:
            raise InputError(f"{what}={value}; pass a number that is not negative.")
