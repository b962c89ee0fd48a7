"""Data with several true clusterings, independent of each other."""

from collections.abc import Sequence
from math import prod
from typing import Literal, NamedTuple

import numpy as np

from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.generators import Seed


class Planted(NamedTuple):
    """Objects and their true clusterings.

    ``X`` has a row per object. ``labels`` has a column per clustering, clusters being 0, 1, …;
    ``names`` are those of its columns. ``feature_names`` belong to the columns of ``X``:
    ``"c1_2"`` is the second feature of the clustering ``"c1"``, ``"extra_1"`` one of none.
    """

    X: Array
    labels: Array
    names: tuple[str, ...]
    feature_names: tuple[str, ...]


def make_alternatives(
    n: int = 400,
    clusterings: Sequence[int] = (2, 2),
    *,
    features: int | Sequence[int] = 2,
    separation: float = 10.0,
    noise: float = 1.0,
    extra_features: int = 0,
    random_state: Seed = None,
) -> Planted:
    """Objects that can be grouped in several ways, each as good as the others.

    Each clustering lives in features of its own, so it says nothing about the others.
    Every combination of clusters occurs, and equally often (but for one object, if ``n`` cannot
    be divided). Centres stand on a square grid, turned by chance, and objects scatter around
    them normally.

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
    random_state : int or Generator, optional
        The source of chance.

    Returns
    -------
    Planted
        Objects in an order of chance.

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
    """
    counts = [int(count) for count in clusterings]
    widths = [features] * len(counts) if isinstance(features, int | np.integer) else list(features)
    _check(n, counts, widths, separation, noise, extra_features)
    random = np.random.default_rng(random_state)
    cells = random.permutation(n) % prod(counts)
    labels = np.column_stack(np.unravel_index(cells, counts))
    places = [
        _centres(count, width, separation, random)[labels[:, i]]
        for i, (count, width) in enumerate(zip(counts, widths, strict=True))
    ]
    X = np.column_stack([*places, np.zeros((n, extra_features))])
    X += random.normal(0.0, noise, X.shape)
    names = tuple(f"c{i}" for i in range(1, len(counts) + 1))
    parts = zip((*names, "extra"), (*widths, extra_features), strict=True)
    columns = tuple(f"{part}_{i + 1}" for part, width in parts for i in range(width))
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
    random_state : int or Generator, optional
        The source of chance.

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


def _check(
    n: int,
    counts: Sequence[int],
    widths: Sequence[int],
    separation: float,
    noise: float,
    extra_features: int,
) -> None:
    if not counts or min(counts) < 1:
        raise InputError(f"clusterings={tuple(counts)}; pass a number of clusters for each.")
    if len(widths) != len(counts) or min(widths) < 1:
        raise InputError(
            f"features={tuple(widths)} for {len(counts)} clusterings; pass one number for all, or "
            "one for each, at least 1."
        )
    if n < prod(counts):
        raise InputError(
            f"n={n} objects for {prod(counts)} combinations of clusters; pass at least as many."
        )
    for what, value in (
        ("separation", separation),
        ("noise", noise),
        ("extra_features", extra_features),
    ):
        if not 0 <= value < np.inf:
            raise InputError(f"{what}={value}; pass a number that is not negative.")


def _centres(count: int, width: int, separation: float, random: np.random.Generator) -> Array:
    """So many points of a square grid, turned so that every feature tells them apart."""
    side = 1
    while side**width < count:
        side += 1
    grid = np.column_stack(np.unravel_index(np.arange(count), (side,) * width))
    turn, _ = np.linalg.qr(random.normal(size=(width, width)))
    return separation * (grid - grid.mean(axis=0)) @ turn
