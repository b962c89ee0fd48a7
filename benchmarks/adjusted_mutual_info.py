"""Adjusted mutual information, dominated by its expected value."""

from typing import Any

import clusterwise
from benchmarks.measuring import (
    OURS,
    Function,
    disagreement,
    entries_for,
    load,
    make_labels,
    peer_cells,
    race,
    ratio,
)
from benchmarks.report import Report, count, milliseconds, power, times

OBJECTS = 1_000_000
TARGETS = {100: 200}


def run(report: Report) -> None:
    peers = ami_peers()
    columns = {"n": power, "K": count, "ours ms": milliseconds}
    for name in peers:
        columns |= {f"{name} ms": milliseconds, f"{name} ratio": times}
    table = report.table(
        "adjusted_mutual_info_score, int64 labels, one thread",
        columns,
        ["Two thirds of the objects keep their cluster."],
    )
    for k in (10, 100) if report.quick else (10, 100, 1000):
        report.step(f"{OBJECTS:,} objects, {k:,} clusters")
        contestants = dict(peers)
        if report.quick and k > 10:
            del contestants["genieclust"]
        labels = make_labels(OBJECTS, k, agreement=2 / 3)
        entries = entries_for({OURS: ours}, contestants, *labels)
        result = race(entries, report.pace)
        cells = peer_cells(result, peers)
        table.add(OBJECTS, k, result[OURS].milliseconds, *cells, difference=disagreement(result))
        if k in TARGETS:
            what = f"adjusted_mutual_info_score against scikit-learn, n = {OBJECTS:,}, K = {k}"
            report.require_at_least(what, TARGETS[k], ratio(result, "scikit-learn"))


def ours(a: Any, b: Any) -> float:
    with clusterwise.threads(1):
        return clusterwise.adjusted_mutual_info_score(a, b)


def ami_peers() -> dict[str, Function | None]:
    """Return the peers for this size: igraph does not have it, clusim is for few objects."""
    return {
        "scikit-learn": load("sklearn.metrics", "adjusted_mutual_info_score"),
        "genieclust": load("genieclust.compare_partitions", "adjusted_mi_score"),
    }
