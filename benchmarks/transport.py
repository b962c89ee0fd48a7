"""Transport measures and their parts, soft overlaps and SciPy, plans and solvers."""

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clusterwise
from benchmarks.density_profile import make_data
from benchmarks.measuring import OURS, Entry, Function, disagreement, make_labels, race, ratio
from benchmarks.report import Format, Report, count, decimal, error, milliseconds, times
from clusterwise.kernels.overlap import add_rows

Array = NDArray[Any]

# Targets are stated for these sizes.
TARGETS_AT, CLUSTERS, SOFT, PLANNED = 1_000_000, 100, 10, 500
TWO_THREADS = f"{OURS}, 2 threads"
CSS = "css_distance"
PEERS = LINPROG, EMD, ASSIGNMENT = "linprog", "emd", "linear_sum_assignment"
FEATURES, TOPICS, TOPICS_EACH = 10, 200, 5
MIB = 1 << 20
KINDS, SPARSE = ("float64", "float32", "Fortran order", "labels and float64"), "sparse"
NOTHING = np.empty(0)


def run(report: Report) -> None:
    n = 100_000 if report.quick else TARGETS_AT
    _labels(report, n)
    _overlaps(report, n)
    _plans(report, n)


def alone(function: Callable[[], float]) -> Entry:
    """A function with its arguments bound."""
    return Entry(lambda _a, _b: function(), NOTHING, NOTHING)


def one_thread(function: Any, **options: Any) -> Callable[..., float]:
    def single(*given: Any) -> float:
        with clusterwise.threads(1):
            return function(*given, **options)

    return single


def _labels(report: Report, n: int) -> None:
    table = report.table(
        f"Transport measures of labels and their parts, {n:,} objects, int64 labels, one thread",
        {
            **dict.fromkeys(("measure", "labels"), str),
            **dict.fromkeys(("K", "J"), count),
            **dict.fromkeys(("ours ms", "table ms", "rest ms"), milliseconds),
            "to both": times,
        },
        [
            "Table: Contingency.from_labels(a, b). Rest: the measure of that table. The ratio is "
            "our time divided by the sum of the two.",
            f"{CSS} has {FEATURES} features; its rest is the loop that adds every object to its "
            f"cluster's sums, in a and in b. Ours also validates values and sums squared "
            f"deviations.",
        ],
    )
    X, _ = make_data(n, FEATURES, CLUSTERS)
    measures: dict[str, Callable[..., float]] = {
        "mallows_distance": one_thread(clusterwise.mallows_distance),
        "irm_score": one_thread(clusterwise.irm_score),
        "irm_score, optimal": one_thread(clusterwise.irm_score, matching="optimal"),
        CSS: partial(_css, X),
    }
    for kind, agreement in (("two thirds agree", 2 / 3), ("unrelated", 0.0)):
        a, same = make_labels(n, CLUSTERS, agreement=agreement)
        for b in (same, same % (CLUSTERS - 10)):
            ready = clusterwise.Contingency.from_labels(a, b)
            for name, function in measures.items():
                report.step(f"{name}, {kind}, J = {ready.shape[1]}")
                rest = Entry(partial(_sums, X), a, b)
                entries = {
                    OURS: Entry(function, a, b),
                    "table": Entry(one_thread(_count), a, b),
                    f"{OURS}, rest": rest if name == CSS else alone(partial(function, ready)),
                }
                found = race(entries, report.pace)
                whole, *parts = (timed.milliseconds for timed in found.values())
                table.add(name, kind, *ready.shape, whole, *parts, whole / sum(parts))
                if n == TARGETS_AT and name != CSS:
                    what = f"{name} against table and solve, J = {ready.shape[1]}, {kind}"
                    report.require_at_most(what, 1.5, whole / sum(parts))


def _count(a: Array, b: Array) -> float:
    return float(clusterwise.Contingency.from_labels(a, b).n)


def _css(X: Array, a: Array, b: Array) -> float:
    with clusterwise.threads(1):
        return clusterwise.css_distance(a, b, X[: len(a)])


def _sums(X: Array, a: Array, b: Array) -> float:
    sums = np.zeros((2, CLUSTERS, X.shape[1]))
    for labels, side in zip((a, b), sums, strict=True):
        add_rows(labels, np.uint64(0), X[: len(labels)], NOTHING, side)
    return float(sums.sum())


def make_pair(kind: str, n: int, k: int) -> tuple[Any, Any]:
    """Return two clusterings of one of the accepted types."""
    random = np.random.default_rng(40)
    if kind == SPARSE:
        return _topics(random, n, k), _topics(random, n, k)
    a, b = (random.dirichlet(np.ones(k), n) for _ in range(2))
    if kind == "float32":
        return a.astype(np.float32), b.astype(np.float32)
    if kind == "Fortran order":
        return np.asfortranarray(a), np.asfortranarray(b)
    return (a.argmax(axis=1), b) if kind == "labels and float64" else (a, b)


def _topics(random: np.random.Generator, n: int, k: int) -> Any:
    """Return a few different clusters for each object."""
    from scipy.sparse import csr_array

    columns = random.integers(0, k // TOPICS_EACH, (n, TOPICS_EACH)) * TOPICS_EACH
    columns += np.arange(TOPICS_EACH)
    columns.sort(axis=1)
    shares = random.dirichlet(np.ones(TOPICS_EACH), n)
    starts = np.arange(0, shares.size + 1, TOPICS_EACH)
    return csr_array((shares.ravel(), columns.ravel(), starts), shape=(n, k))


def spread_out(one: Any) -> Array:
    """Return an array of memberships for SciPy's distances."""
    if one.ndim == 1:
        return np.eye(one.max() + 1)[one]
    return one if isinstance(one, np.ndarray) else one.toarray()


def _overlap(threads: int, a: Any, b: Any) -> float:
    """Return our table; its value is the mean square of its cells, to detect wrong cells."""
    with clusterwise.threads(threads):
        made = clusterwise.SoftOverlap.from_memberships(a, b)
        return _size(made.differences, made.n)


def _city_block(a: Array, b: Array) -> float:
    from scipy.spatial.distance import cdist

    return _size(cdist(a.T, b.T, "cityblock"), len(a))


def _size(table: Array, n: float) -> float:
    return float(np.square(table / n).mean())


def _overlaps(report: Report, n: int) -> None:
    columns: dict[str, Format] = {
        "memberships": str,
        **dict.fromkeys(("n", "K = J"), count),
        **dict.fromkeys(("1 thread ms", "2 threads ms", "cdist ms"), milliseconds),
        **dict.fromkeys(("1 to 2 threads", "cdist to 1", "cdist to 2"), times),
        "MiB": decimal,
    }
    table = report.table(
        "SoftOverlap.from_memberships(P, Q) and SciPy's distances",
        columns,
        [
            'cdist: scipy.spatial.distance.cdist(P.T, Q.T, "cityblock"), one thread; labels '
            "and sparse matrices were converted to arrays beforehand.",
            "Ours also sums products and cluster weights, and checks that rows are memberships.",
            f"sparse: {TOPICS_EACH} of {TOPICS} clusters for each object.",
            "MiB: peak memory that ours allocates through Python and NumPy, with two threads.",
        ],
    )
    cases = [("float64", n, 3), ("float64", n, 30), *((kind, n, SOFT) for kind in KINDS)]
    for kind, objects, k in (*cases, (SPARSE, n // 10, TOPICS)):
        report.step(f"overlap, {kind}, {k} clusters")
        a, b = make_pair(kind, objects, k)
        found = race(
            {
                OURS: Entry(partial(_overlap, 1), a, b),
                TWO_THREADS: Entry(partial(_overlap, 2), a, b),
                "cdist": Entry(_city_block, spread_out(a), spread_out(b)),
            },
            report.pace,
        )
        peak = _peak(partial(_overlap, 2), a, b)
        one, two, peer = (timed.milliseconds for timed in found.values())
        shares = (one / two, peer / one, peer / two)
        table.add(kind, objects, k, one, two, peer, *shares, peak, difference=disagreement(found))
        if n == TARGETS_AT:
            what = f"MiB that a soft overlap takes, {kind}, K = J = {k}"
            report.require_at_most(what, 64, peak, decimal)
        if (kind, objects, k) == ("float64", TARGETS_AT, SOFT):
            report.require_at_least("soft overlap against cdist, 1 thread", 8, peer / one)
            report.require_at_least("soft overlap, 2 threads against 1", 1.7, one / two)


def _peak(function: Function, a: Any, b: Any) -> float:
    """Return the peak memory of a call in MiB, including its result."""
    tracemalloc.start()
    try:
        function(a, b)
        return tracemalloc.get_traced_memory()[1] / MIB
    finally:
        tracemalloc.stop()


def _plans(report: Report, n: int) -> None:
    columns: dict[str, Format] = {"K = J": count, **dict.fromkeys(("clusterings", "weights"), str)}
    columns["ours ms"] = milliseconds
    for peer in PEERS:
        columns |= {f"{peer} ms": milliseconds, f"{peer} ratio": times}
    table = report.table(
        "mallows_distance(table), one thread",
        {**columns, "difference": error},
        [
            "Peers get the cost matrix. linprog: SciPy's, with HiGHS and sparse constraints; "
            "emd: POT's emd2; linear_sum_assignment: SciPy's, where weights are equal.",
            "Difference: the largest relative difference from our value.",
            "The contingency table of hard clusterings and the overlap of soft ones are computed "
            "before.",
        ],
    )
    for k in (20, 100) if report.quick else (20, 100, PLANNED):
        largest = 0.0
        for kind, ready in _tables(n, k).items():
            for weights in ("size", "uniform"):
                report.step(f"plan, {k} clusters, {kind}, weights by {weights}")
                costs = clusterwise.transport_plan(ready, weights=weights).cost.astype(np.float64)
                found = race(_solvers(ready, weights, costs), report.pace)
                cells: list[Any] = [found[OURS].milliseconds]
                for peer in PEERS:
                    share = ratio(found, peer)
                    cells += ["-", ""] if share is None else [found[peer].milliseconds, share]
                apart = disagreement(found) / found[OURS].value
                largest = max(largest, apart)
                table.add(k, kind, weights, *cells, apart)
                if k == PLANNED and weights == "size":
                    what = f"plan against linprog, K = J = {k}, {kind}"
                    report.require_at_least(what, 40, ratio(found, LINPROG))
        report.require_at_most(f"difference of plans' values, K = J = {k}", 1e-9, largest, error)


def _tables(n: int, k: int) -> dict[str, Any]:
    """Return clusters of very different sizes, as labels and as memberships."""
    random = np.random.default_rng(42)
    a, b = (k * random.random((2, n)) ** 2).astype(np.int64)
    related = np.where(random.random(n) < 0.3, a, b)
    # Enough objects that no two clusters have the same size.
    soft = (random.dirichlet(random.random(k) / 10 + 0.01, 10 * k) for _ in range(2))
    return {
        "labels, a third agrees": clusterwise.Contingency.from_labels(a, related),
        "labels, unrelated": clusterwise.Contingency.from_labels(a, b),
        "memberships": clusterwise.SoftOverlap.from_memberships(*soft),
    }


def _solvers(ready: Any, weights: str, costs: Array) -> dict[str, Entry]:
    from ot import emd2
    from scipy.optimize import linear_sum_assignment, linprog
    from scipy.sparse import eye_array, kron, vstack

    supply, demand = (
        sums / sums.sum() if weights == "size" else np.full(sums.size, 1 / sums.size)
        for sums in (ready.row_sums, ready.column_sums)
    )
    height, width = costs.shape
    sides = (
        kron(eye_array(height), np.ones((1, width))),
        kron(np.ones((1, height)), eye_array(width)),
    )
    sums, targets = vstack(sides).tocsr(), np.concatenate([supply, demand])

    def program() -> float:
        return float(linprog(costs.ravel(), A_eq=sums, b_eq=targets, method="highs").fun)

    def assigned() -> float:
        return float(costs[linear_sum_assignment(costs)].mean())

    ours = one_thread(clusterwise.mallows_distance, weights=weights)
    entries = {
        OURS: alone(lambda: ours(ready)),
        LINPROG: alone(program),
        EMD: alone(lambda: float(emd2(supply, demand, costs, numItermax=10**9))),
    }
    if weights == "uniform":
        entries[ASSIGNMENT] = alone(assigned)
    return entries
