"""The adjusted Rand index and every peer that has it."""

from collections.abc import Callable
from typing import Any

import numpy as np

import clusterwise
from benchmarks.measuring import (
    OURS,
    Entry,
    Function,
    disagreement,
    entries_for,
    load,
    make_labels,
    peer_cells,
    race,
    ratio,
    through_lists,
)
from benchmarks.report import Format, Report, count, milliseconds, power, times

CLUSTERS = (10, 100, 1000, 10_000)
# igraph takes lists: at 10^7 objects mostly their conversion would be measured.
LARGEST_FOR_LISTS = 1_000_000
# genieclust allocates the dense K x K table.
MOST_CLUSTERS_GENIECLUST = 1000
# scikit-learn converts categories to objects, which takes a minute at 10^7.
LARGEST_FOR_CATEGORIES = 100_000
TWO_THREADS_FROM = 10_000_000
TWO_THREADS = f"{OURS}, 2 threads"
INT64 = f"{OURS}, int64"

# (objects, clusters, threads): the target ratio for each peer.
TARGETS = {
    (1_000_000, 100, 1): {"scikit-learn": 150, "genieclust": 3},
    (10_000_000, 10, 2): {"scikit-learn": 300, "genieclust": 5},
    (10_000_000, 100, 2): {"scikit-learn": 300, "genieclust": 5},
    (10_000_000, 1000, 2): {"scikit-learn": 300, "genieclust": 5},
    (10_000_000, 10_000, 1): {"scikit-learn": 30},
    (10_000_000, 10_000, 2): {"scikit-learn": 30},
}


def run(report: Report) -> None:
    sizes = (100_000, 1_000_000) if report.quick else (100_000, 1_000_000, 10_000_000)
    _integers(report, sizes)
    _kinds(report, sizes)
    _small(report)


def ours(threads: int) -> Function:
    """Return our public function, with all checks, on this number of threads."""

    def function(a: Any, b: Any) -> float:
        with clusterwise.threads(threads):
            return clusterwise.adjusted_rand_score(a, b)

    return function


def _peers() -> dict[str, Function | None]:
    return {
        "scikit-learn": load("sklearn.metrics", "adjusted_rand_score"),
        "genieclust": load("genieclust.compare_partitions", "adjusted_rand_score"),
        "igraph": through_lists(load("igraph", "compare_communities"), method="adjusted_rand"),
    }


def _peer_columns(peers: dict[str, Function | None]) -> dict[str, Format]:
    columns: dict[str, Format] = {}
    for name in peers:
        columns |= {f"{name} ms": milliseconds, f"{name} ratio": times}
    return columns


def _integers(report: Report, sizes: tuple[int, ...]) -> None:
    peers = _peers()
    table = report.table(
        "adjusted_rand_score, int64 labels",
        {"n": power, "K": count, "threads": count, "ours ms": milliseconds, **_peer_columns(peers)},
        [
            "Ratio: the peer's time divided by ours. Peers have no setting for threads and run "
            "with their defaults.",
            "igraph takes lists; its time includes the conversion (up to 10^6 objects only). "
            "genieclust allocates K x K cells, so it is left out at K = 10,000.",
        ],
    )
    for n in sizes:
        for k in CLUSTERS:
            report.step(f"{n:,} objects, {k:,} clusters")
            contestants = dict(peers)
            if n > LARGEST_FOR_LISTS:
                del contestants["igraph"]
            if k > MOST_CLUSTERS_GENIECLUST:
                del contestants["genieclust"]
            own = {OURS: ours(1)}
            if n >= TWO_THREADS_FROM:
                own[TWO_THREADS] = ours(2)
            result = race(entries_for(own, contestants, *make_labels(n, k)), report.pace)
            for threads, name in enumerate(own, start=1):
                cells = peer_cells(result, peers, name)
                best = result[name].milliseconds
                table.add(n, k, threads, best, *cells, difference=disagreement(result))
                for peer, target in TARGETS.get((n, k, threads), {}).items():
                    what = f"adjusted_rand_score against {peer}, n = {n:,}, K = {k:,}, " + (
                        "1 thread" if threads == 1 else "2 threads"
                    )
                    report.require_at_least(what, target, ratio(result, peer, name))


def _kinds(report: Report, sizes: tuple[int, ...]) -> None:
    peers = _peers()
    table = report.table(
        "adjusted_rand_score, types of labels, K = 100, one thread",
        {
            "labels": str,
            "n": power,
            "ours ms": milliseconds,
            "ours / ours int64": times,
            **_peer_columns(peers),
        },
        ["genieclust and igraph take integers only. scikit-learn reads categories as objects."],
    )
    for n in sizes:
        integers = make_labels(n, 100)
        for kind in ("int32", "uint8", "NumPy text", "list of text", "pandas", "Polars"):
            report.step(f"{n:,} objects, {kind} labels")
            convert = _converter(kind)
            if convert is None or (kind == "list of text" and n > LARGEST_FOR_LISTS):
                continue
            labels = [convert(codes) for codes in integers]
            contestants = dict(peers)
            if kind not in ("int32", "uint8"):
                del contestants["genieclust"], contestants["igraph"]
            elif n > LARGEST_FOR_LISTS:
                del contestants["igraph"]
            categories = kind in ("pandas", "Polars")
            if categories and n > LARGEST_FOR_CATEGORIES:
                del contestants["scikit-learn"]
            result = race(entries_for({OURS: ours(1)}, contestants, *labels), report.pace)
            # Separately, so that no peer evicts the caches of one and not of the other.
            own = race(
                {OURS: Entry(ours(1), *labels), INT64: Entry(ours(1), *integers)}, report.pace
            )
            name = f"{kind} categorical" if categories else kind
            to_int64 = own[OURS].milliseconds / own[INT64].milliseconds
            table.add(
                name,
                n,
                result[OURS].milliseconds,
                to_int64,
                *peer_cells(result, peers),
                difference=disagreement(result),
            )
            if categories and n > LARGEST_FOR_CATEGORIES:
                what = f"{name} against int64 labels, n = {n:,} (equally fast: within a quarter)"
                report.require_at_most(what, 1.25, to_int64)
            elif "text" in kind:
                what = f"{name} labels against scikit-learn, n = {n:,}"
                report.require_at_least(what, 1, ratio(result, "scikit-learn"))


def _converter(kind: str) -> Callable[[Any], Any] | None:
    """Convert integers to another type of labels; None if its library is missing."""
    names = np.array([f"cluster {i}" for i in range(100)])
    if kind in ("int32", "uint8"):
        return lambda codes: codes.astype(kind)
    if kind == "NumPy text":
        return lambda codes: names[codes]
    if kind == "list of text":
        return lambda codes: names[codes].tolist()
    library = kind.lower()
    series, categorical = load(library, "Series"), load(library, "Categorical")
    if series is None:
        return None
    if kind == "pandas":
        return lambda codes: series(categorical.from_codes(codes, names))
    categories = series(names.tolist(), dtype=categorical)
    return categories.gather


def _small(report: Report) -> None:
    """Measure few objects, where the overhead of a call matters; clusim only here."""
    peers = {**_peers(), "clusim": _clusim()}
    table = report.table(
        "adjusted_rand_score, few objects",
        {"n": power, "K": count, "ours ms": milliseconds, **_peer_columns(peers)},
        ["igraph and clusim take lists; their time includes the conversion."],
    )
    for n in (1000, 10_000):
        for k in (10, 100):
            report.step(f"{n:,} objects, {k} clusters")
            result = race(entries_for({OURS: ours(1)}, peers, *make_labels(n, k)), report.pace)
            cells = peer_cells(result, peers)
            table.add(n, k, result[OURS].milliseconds, *cells, difference=disagreement(result))


def _clusim() -> Function | None:
    clustering = load("clusim.clustering", "Clustering")
    adjusted_rand = load("clusim.sim", "adjrand_index")
    if clustering is None or adjusted_rand is None:
        return None

    def function(a: list[int], b: list[int]) -> float:
        both = (clustering().from_membership_list(labels) for labels in (a, b))
        return float(adjusted_rand(*both))

    return through_lists(function)
