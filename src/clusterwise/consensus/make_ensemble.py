"""Generate ensembles of different clusterings of the same objects."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from scipy import sparse
from sklearn.cluster import kmeans_plusplus
from sklearn.utils.random import sample_without_replacement

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.parameter_constraints import Values, one_of
from clusterwise._utils.random import as_random_state
from clusterwise._utils.results import Described, RemembersData
from clusterwise._utils.tables import TableRepr, TextTable, format_number, format_percent
from clusterwise._utils.threads import run_all
from clusterwise.consensus.base import expand
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Ensemble
from clusterwise.inputs.points import read_points
from clusterwise.kernels.kmeans import assign_to_nearest
from clusterwise.models.kmeans import centre, draw_weights_and_starts, run_weighted_kmeans

Strategy = Literal["plain", "subsample", "subspace", "zipf"]
STRATEGIES: tuple[Strategy, ...] = ("plain", "subsample", "subspace", "zipf")
# The default range of the number of clusters.
_MIN_CLUSTERS, _MAX_CLUSTERS = 2, 20
# The largest sample in which k-means++ chooses the initial centroids.
_MAX_SEEDED = 10_000


class Member(NamedTuple):
    """How one clustering of an ensemble was generated.

    ``object_fraction`` is the fraction of the objects that k-means used, ``features`` are the
    indices of the features that it used, and ``exponent`` is the exponent of Zipf's law by which
    they were weighted (0: all equal).
    """

    strategy: Strategy
    n_clusters: int
    object_fraction: float
    features: tuple[int, ...]
    exponent: float


class MadeEnsemble(RemembersData, Described, TableRepr):
    """The result of :func:`make_ensemble`: clusterings, and how each was generated.

    Attributes
    ----------
    ensemble : Ensemble
        The clusterings as codes, m × n, with -1 for missing labels. Consensus estimators and
        :func:`~clusterwise.combine` take it as it is.
    members : tuple of Member
        How each clustering was generated.
    data : array-like, frame or None
        The features of the objects, as they were passed; they are not pickled.
    """

    def __init__(self, ensemble: Ensemble, members: Sequence[Member], data: Any = None) -> None:
        self.ensemble = ensemble
        self.members = tuple(members)
        self.data = data

    @property
    def labels(self) -> Array:
        """Labels, n × m: integers, or floats with NaN if some are missing."""
        codes = self.ensemble.codes.T
        missing = codes == MISSING
        return np.where(missing, np.float32(np.nan), codes) if missing.any() else codes

    def _sentences(self) -> list[str]:
        """Describe the ensemble."""
        fewest, most = _range([one.n_clusters for one in self.members])
        clusters = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        used = {one.strategy for one in self.members}
        return [
            f"{self.ensemble.m:,} k-means clusterings of {self.ensemble.n:,} objects with "
            f"{clusters} clusters ({', '.join(one for one in STRATEGIES if one in used)})."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON; the labels are in ``labels``."""
        members = [{**one._asdict(), "features": list(one.features)} for one in self.members]
        return {"n_objects": self.ensemble.n, "n_clusterings": self.ensemble.m, "members": members}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per clustering."""
        columns = dict(zip(Member._fields, map(list, zip(*self.members, strict=True)), strict=True))
        columns["features"] = [len(one) for one in columns["features"]]
        return to_frame(columns, library)

    def text_table(self) -> TextTable:
        """Return a table with a row per strategy."""
        rows = []
        for strategy in dict.fromkeys(one.strategy for one in self.members):
            some = [one for one in self.members if one.strategy == strategy]
            rows.append(
                [
                    strategy,
                    str(len(some)),
                    _range_text([one.n_clusters for one in some], format_number),
                    _range_text([one.object_fraction for one in some], format_percent),
                    _range_text([len(one.features) for one in some], format_number),
                    _range_text([one.exponent for one in some], format_number),
                ]
            )
        header = ["strategy", "clusterings", "clusters", "objects", "features", "exponent"]
        n, m = self.ensemble.n, self.ensemble.m
        return TextTable(header, rows, f"{m} clusterings of {n} objects")


class _Settings(NamedTuple):
    """The settings that all members share."""

    points: Array
    owners: Array
    range: tuple[int, int]
    object_fraction: float
    feature_fraction: float
    exponents: tuple[float, ...]
    plus_plus: bool
    nearest: bool


@check_arguments(strategies=Values(one_of(*STRATEGIES), least=1))
def make_ensemble(
    X: Any,
    n_clusterings: int = 50,
    *,
    n_clusters: int | tuple[int, int] | None = None,
    strategies: Sequence[Strategy] = STRATEGIES,
    object_fraction: float = 0.7,
    feature_fraction: float = 0.7,
    exponents: Sequence[float] = (0.5, 1.0, 1.5),
    init: Literal["k-means++", "random"] = "k-means++",
    unsampled: Literal["nearest", "missing"] = "nearest",
    scale: bool = False,
    random_state: Any = None,
    progress: bool | None = None,
) -> MadeEnsemble:
    """Generate different clusterings of the same objects by k-means.

    Every clustering is one run of k-means. The runs take the strategies in turn:

    - ``"plain"``: all objects and all features.
    - ``"subsample"``: a random sample of the objects; the others get the label of the nearest
      centroid, or none.
    - ``"subspace"``: a random subset of the features.
    - ``"zipf"``: all features with the weights 1, 2^-α, 3^-α, … (Zipf's law) in random order.

    The number of clusters of each run is drawn uniformly from a range. The time is linear in the
    number of objects, and the runs are distributed over threads.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        Numeric or categorical features, or both. A missing number is replaced by the mean of its
        feature; missing is a category of its own.
    n_clusterings : int, default=50
        The number of clusterings.
    n_clusters : int or (int, int), optional
        The number of clusters, or its smallest and largest value. By default from 2 to the square
        root of n, at most 20.
    strategies : sequence of str, default=("plain", "subsample", "subspace", "zipf")
        The strategies, in turn; one that is listed twice gets two turns.
    object_fraction : float, default=0.7
        The fraction of the objects in a subsample, above 0 and at most 1. A subsample has at
        least one object per cluster.
    feature_fraction : float, default=0.7
        The fraction of the features in a subspace, above 0 and at most 1; at least one feature.
    exponents : sequence of float, default=(0.5, 1.0, 1.5)
        Values of α in Zipf's law; one is drawn for each clustering.
    init : {"k-means++", "random"}, default="k-means++"
        How the initial centroids are chosen: by k-means++ in a sample of 10,000 objects, or
        uniformly. Uniform ones make the clusterings more different, but then poor starts cannot
        be distinguished from an unstable number of clusters.
    unsampled : {"nearest", "missing"}, default="nearest"
        The label of objects that are not in a subsample: the nearest centroid, or missing.
    scale : bool, default=False
        Scale numeric features to standard deviation 1. By default nothing is scaled, so that the
        unit of a feature acts as a weight. Categorical features are one-hot encoded in any case,
        and their columns are kept or left out together.
    random_state : int, RandomState, Generator or None
        The seed. Results do not depend on the number of threads.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    MadeEnsemble
        ``labels``, n × m; ``members``, how each was generated; ``ensemble``, the labels as codes.

    Raises
    ------
    InputError
        If there are fewer than two objects or a parameter is invalid.

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
    >>> made.members[1].strategy, made.members[1].object_fraction
    ('subsample', 0.7)
    """
    read = read_points(X)
    n = len(read.points)
    if n < 2:
        raise InputError(f"X has {n} objects; pass at least two.")
    # Half the memory; the random parts change far more labels than rounding does.
    points = centre(read, scale).astype(np.float32)
    settings = _Settings(
        points,
        read.owners,
        _read_range(n_clusters, n),
        object_fraction,
        feature_fraction,
        tuple(map(float, exponents)),
        init == "k-means++",
        unsampled == "nearest",
    )
    # One seed per member: results do not depend on the order in which threads run.
    seeds = as_random_state(random_state).randint(np.iinfo(np.int32).max, size=n_clusterings)
    codes = np.empty((n_clusterings, n), np.min_scalar_type(-settings.range[1]))
    members: list[Any] = [None] * n_clusterings

    def make(i: int) -> None:
        random = np.random.RandomState(seeds[i])
        labels, members[i] = _make_member(settings, strategies[i % len(strategies)], random)
        codes[i] = labels

    run_all(make, n_clusterings, "clustering", progress)
    sizes = tuple(member.n_clusters for member in members)
    names, values = tuple(map(str, range(n_clusterings))), tuple(map(np.arange, sizes))
    return MadeEnsemble(Ensemble(codes, sizes, names, values), members, X)


def _make_member(
    settings: _Settings, strategy: Strategy, random: np.random.RandomState
) -> tuple[Array, Member]:
    points, owners = settings.points, settings.owners
    n, features = len(points), int(owners.max()) + 1
    count = int(random.randint(settings.range[0], settings.range[1] + 1))
    objects, chosen, exponent = None, np.arange(features), 0.0
    if strategy == "subsample":
        size = min(n, max(count, round(settings.object_fraction * n)))
        objects = np.sort(sample_without_replacement(n, size, random_state=random))
        points = points[objects]
    elif strategy == "subspace":
        size = max(1, round(settings.feature_fraction * features))
        chosen = np.sort(random.permutation(features)[:size])
        kept = np.isin(owners, chosen)
        points, owners = points[:, kept], np.searchsorted(chosen, owners[kept])
    elif strategy == "zipf":
        exponent = float(random.choice(settings.exponents))
    weights, starts = draw_weights_and_starts(points, owners, exponent, count, random)
    if settings.plus_plus:
        starts = _plus_plus(points, weights, count, random)
    labels = run_weighted_kmeans(points, weights, starts)
    # Clusters may stay empty if there are duplicate objects.
    used = np.bincount(labels) > 0
    found = int(used.sum())
    labels = (np.cumsum(used) - 1)[labels]
    fraction = 1.0
    if objects is not None:
        fraction = objects.size / n
        labels = _label_all(settings.points, objects, labels, nearest=settings.nearest)
    labels = expand(np.arange(found), labels)
    return labels, Member(strategy, found, fraction, tuple(chosen.tolist()), exponent)


def _plus_plus(points: Array, weights: Array, count: int, random: np.random.RandomState) -> Array:
    """Return the objects that k-means++ chooses, in weighted columns."""
    size = min(len(points), max(count, _MAX_SEEDED))
    some = sample_without_replacement(len(points), size, random_state=random)
    _, indices = kmeans_plusplus(points[some] * weights, count, random_state=random)
    return some[indices]


def _label_all(points: Array, objects: Array, labels: Array, *, nearest: bool) -> Array:
    """Return labels of all objects, given those of a sample."""
    all_codes = np.full(len(points), MISSING)
    if nearest:
        indicators = sparse.csr_array(
            (np.ones(labels.size), labels, np.arange(labels.size + 1)), dtype=np.float64
        )
        centres = (indicators.T @ points[objects]) / np.bincount(labels)[:, None]
        offsets = (centres**2).sum(axis=1).astype(np.float32)
        sums, counts = np.zeros_like(centres), np.zeros(len(centres), np.int64)
        assign_to_nearest(points, centres.astype(np.float32), offsets, all_codes, sums, counts)
    all_codes[objects] = labels
    return all_codes


def _read_range(n_clusters: int | tuple[int, int] | None, n: int) -> tuple[int, int]:
    if n_clusters is None:
        return _MIN_CLUSTERS, max(_MIN_CLUSTERS, min(_MAX_CLUSTERS, int(np.sqrt(n))))
    one_number = isinstance(n_clusters, int | np.integer)
    low, high = cast("tuple[int, int]", (n_clusters, n_clusters) if one_number else n_clusters)
    if not low <= high <= n:
        raise InputError(
            f"n_clusters={n_clusters!r} for {n} objects; use an integer from 1 to {n}, or a pair "
            "(smallest, largest)."
        )
    return int(low), int(high)


def _range(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _range_text(values: Sequence[float], show: Callable[[float], str]) -> str:
    low, high = _range(values)
    return show(low) if low == high else f"{show(low)} to {show(high)}"
