"""An ensemble of clusterings that differ, made from the objects themselves."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.cluster import kmeans_plusplus
from sklearn.utils.random import sample_without_replacement

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_all
from clusterwise.consensus.base import expand
from clusterwise.consensus.made import MadeEnsemble, Member, Way
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Ensemble
from clusterwise.inputs.points import read_points
from clusterwise.kernels.kmeans import assign
from clusterwise.models.kmeans import centre, draw, run_weighted_kmeans

WAYS: tuple[Way, ...] = ("plain", "subsample", "subspace", "zipf")
_FEWEST, _MOST = 2, 20
# Objects among which k-means++ looks for starts, at most.
_SEEDED = 10_000


class _Settings(NamedTuple):
    """What all members share."""

    points: Array
    owners: Array
    range: tuple[int, int]
    share_objects: float
    share_features: float
    exponents: tuple[float, ...]
    apart: bool
    nearest: bool


def make_ensemble(
    X: Any,
    m: int = 50,
    *,
    n_clusters: int | tuple[int, int] | None = None,
    ways: Sequence[Way] = WAYS,
    share_objects: float = 0.7,
    share_features: float = 0.7,
    exponents: Sequence[float] = (0.5, 1.0, 1.5),
    starts: Literal["k-means++", "random"] = "k-means++",
    unsampled: Literal["nearest", "missing"] = "nearest",
    scale: bool = True,
    random_state: Any = None,
    progress: bool | None = None,
) -> MadeEnsemble:
    """Many different clusterings of the same objects, by k-means from one start each.

    Clusterings take turns in how they are made:

    - ``"plain"``: k-means on everything.
    - ``"subsample"``: k-means on a sample of the objects; others get the label of the nearest
      centroid, or none.
    - ``"subspace"``: k-means on some of the features.
    - ``"zipf"``: k-means on features that weigh 1, 2^-α, 3^-α, … (Zipf's law) in an order of
      chance.

    The number of clusters of each is drawn evenly from a range. The time grows with the number of
    objects, and clusterings are made in several threads.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        The objects: numbers, names or both. A missing number is the mean of its feature, a
        missing name a value of its own.
    m : int, default=50
        How many clusterings to make.
    n_clusters : int or (int, int), optional
        The number of clusters, or the least and the largest one. By default from 2 to the root of
        n, and not more than 20.
    ways : sequence of str, default=("plain", "subsample", "subspace", "zipf")
        The ways, in turn; one that is named twice gets two turns.
    share_objects : float, default=0.7
        The share of objects in a sample, from above 0 to 1; a sample has one for each cluster
        at least.
    share_features : float, default=0.7
        The share of features in a subspace, from above 0 to 1, rounded; at least one.
    exponents : sequence of float, default=(0.5, 1.0, 1.5)
        The α of Zipf's law; one is drawn for each clustering.
    starts : {"k-means++", "random"}, default="k-means++"
        Objects that clusters start from: far from each other (found in a sample of 10,000), or
        any. Random ones make more different clusterings, in which an unstable number
        of clusters cannot be told from a bad start.
    unsampled : {"nearest", "missing"}, default="nearest"
        What label objects get that were not in a sample.
    scale : bool, default=True
        Give every feature of numbers standard deviation 1 first. Names are columns of 0 and 1
        in any case, and those of a feature stay together.
    random_state : int, RandomState, Generator or None
        For all that is drawn. Results do not depend on the number of threads.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    MadeEnsemble
        ``labels``, n × m; ``members``, how each was made; ``ensemble``, the same in small integers.

    Raises
    ------
    InputError
        If there are fewer than two objects, or a parameter makes no sense.

    References
    ----------
    .. [1] A. L. N. Fred, A. K. Jain. Combining multiple clusterings using evidence accumulation.
       IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005) 835-850.
       https://doi.org/10.1109/TPAMI.2005.113
    .. [2] R. Caruana, M. Elhawary, N. Nguyen, C. Smith. Meta clustering. ICDM (2006) 107-118.
       https://doi.org/10.1109/ICDM.2006.103

    Examples
    --------
    >>> from clusterwise import make_ensemble
    >>> from clusterwise.datasets import make_ds1
    >>> made = make_ensemble(make_ds1(0).X, 10, n_clusters=(2, 6), random_state=0)
    >>> made.labels.shape
    (1200, 10)
    >>> made.members[1].way, made.members[1].objects
    ('subsample', 0.7)
    """
    read = read_points(X)
    n = len(read.points)
    if n < 2:
        raise InputError(f"X holds {n} objects; pass at least two.")
    _check(m, ways, share_objects, share_features, exponents)
    _check_choice("starts", starts, ("k-means++", "random"))
    _check_choice("unsampled", unsampled, ("nearest", "missing"))
    # Half the memory; chance moves far more objects than rounding.
    points = centre(read, scale).astype(np.float32)
    shared = _Settings(
        points,
        read.owners,
        _read_range(n_clusters, n),
        share_objects,
        share_features,
        tuple(map(float, exponents)),
        starts == "k-means++",
        unsampled == "nearest",
    )
    # A source of chance for each, so that threads have no part in it.
    seeds = as_random_state(random_state).randint(np.iinfo(np.int32).max, size=m)
    codes = np.empty((m, n), np.min_scalar_type(-shared.range[1]))
    members: list[Any] = [None] * m

    def make(i: int) -> None:
        random = np.random.RandomState(seeds[i])
        labels, members[i] = _make_member(shared, ways[i % len(ways)], random)
        codes[i] = labels

    run_all(make, m, "clustering", progress)
    sizes = tuple(member.n_clusters for member in members)
    names, values = tuple(map(str, range(m))), tuple(map(np.arange, sizes))
    return MadeEnsemble(Ensemble(codes, sizes, names, values), members)


def _make_member(
    shared: _Settings, way: Way, random: np.random.RandomState
) -> tuple[Array, Member]:
    points, owners = shared.points, shared.owners
    n, features = len(points), int(owners.max()) + 1
    count = int(random.randint(shared.range[0], shared.range[1] + 1))
    objects, chosen, exponent = None, np.arange(features), 0.0
    if way == "subsample":
        size = min(n, max(count, round(shared.share_objects * n)))
        objects = np.sort(sample_without_replacement(n, size, random_state=random))
        points = points[objects]
    elif way == "subspace":
        size = max(1, round(shared.share_features * features))
        chosen = np.sort(random.permutation(features)[:size])
        kept = np.isin(owners, chosen)
        points, owners = points[:, kept], np.searchsorted(chosen, owners[kept])
    elif way == "zipf":
        exponent = float(random.choice(shared.exponents))
    space, weights, starts = draw(points, owners, exponent, count, random)
    if shared.apart:
        starts = _start_apart(space, weights, count, random)
    labels = run_weighted_kmeans(space, weights, starts)
    # Where objects are the same, clusters may stay empty.
    used = np.bincount(labels) > 0
    found = int(used.sum())
    labels = (np.cumsum(used) - 1)[labels]
    share = 1.0
    if objects is not None:
        share = objects.size / n
        labels = _label_others(shared.points, objects, labels, shared.nearest)
    labels = expand(np.arange(found), labels)
    return labels, Member(way, found, share, tuple(chosen.tolist()), exponent)


def _start_apart(points: Array, weights: Array, count: int, random: np.random.RandomState) -> Array:
    """Objects that are far from each other in weighted columns."""
    size = min(len(points), max(count, _SEEDED))
    some = sample_without_replacement(len(points), size, random_state=random)
    _, places = kmeans_plusplus(points[some] * weights, count, random_state=random)
    return some[places]


def _label_others(points: Array, objects: Array, labels: Array, nearest: bool) -> Array:
    """Labels of all objects, from those of a sample."""
    everyone = np.full(len(points), MISSING)
    if nearest:
        indicators = sparse.csr_array(
            (np.ones(labels.size), labels, np.arange(labels.size + 1)), dtype=np.float64
        )
        centres = (indicators.T @ points[objects]) / np.bincount(labels)[:, None]
        offsets = (centres**2).sum(axis=1).astype(np.float32)
        sums, counts = np.zeros_like(centres), np.zeros(len(centres), np.int64)
        assign(points, centres.astype(np.float32), offsets, everyone, sums, counts)
    everyone[objects] = labels
    return everyone


def _read_range(n_clusters: int | tuple[int, int] | None, n: int) -> tuple[int, int]:
    if n_clusters is None:
        return _FEWEST, max(_FEWEST, min(_MOST, int(np.sqrt(n))))
    both = n_clusters if isinstance(n_clusters, tuple | list) else (n_clusters, n_clusters)
    whole = len(both) == 2 and all(isinstance(one, int | np.integer) for one in both)
    if not whole or not 1 <= both[0] <= both[1] <= n:
        raise InputError(
            f"n_clusters={n_clusters!r} for {n} objects; use a whole number from 1 to {n}, or two "
            "of them, the smaller one first."
        )
    return int(both[0]), int(both[1])


def _check(
    m: int,
    ways: Sequence[str],
    share_objects: float,
    share_features: float,
    exponents: Sequence[float],
) -> None:
    if not isinstance(m, int | np.integer) or m < 1:
        raise InputError(f"m={m!r}; ask for at least one clustering, in a whole number.")
    if isinstance(ways, str) or not ways or not set(ways) <= set(WAYS):
        raise InputError(f"ways={ways!r}; name one or more of {', '.join(WAYS)}, in a list.")
    for name, share in (("share_objects", share_objects), ("share_features", share_features)):
        if not 0 < share <= 1:
            raise InputError(f"{name}={share!r}; use a share above 0 and up to 1.")
    if not len(exponents) or not all(0 <= one < np.inf for one in exponents):
        raise InputError(f"exponents={exponents!r}; pass one or more, none of them negative.")


def _check_choice(name: str, value: str, choices: tuple[str, str]) -> None:
    if value not in choices:
        raise InputError(f"{name}={value!r} is unknown; use {choices[0]!r} or {choices[1]!r}.")
