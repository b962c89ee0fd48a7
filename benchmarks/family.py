"""All methods for alternatives: Mushroom, and time against objects and features."""

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import clusterwise
from benchmarks.alternatives import hundredth, seconds
from benchmarks.maximus import make_data
from benchmarks.report import Report, count
from clusterwise.datasets import Planted, load_dataset

METHODS = ("cib", "condens", "maximus", "metaclusterer", "mincentropy", "orthogonal", "auto")
# Target seconds on the Mushroom data, and those of Table 10 of the MAXIMUS paper.
TARGETS = {"cib": 60, "condens": 10, "metaclusterer": 120}
PUBLISHED = {"cib": 14406.95, "condens": 11.94, "maximus": 269.94, "metaclusterer": 257.45}


def run(report: Report) -> None:
    objects = (1_000, 4_000) if report.quick else (10_000, 100_000)
    features = (200, 400) if report.quick else (2_000, 20_000)
    _growth(report, "10 features", "objects", objects, make_data)
    _growth(report, "100 objects", "features", features, _make_wide)
    _mushroom(report)


def _find(X: Any, given: Any, method: str) -> tuple[Any, float]:
    start = perf_counter()
    found = clusterwise.cluster_again(
        X, given, method, quality="dunn_centroids", random_state=0, progress=False
    )
    return found[0], perf_counter() - start


def _make_wide(features: int) -> Planted:
    """Return a hundred objects with two clusterings, each in a twentieth of the features."""
    random = np.random.default_rng(0)
    labels = np.column_stack([random.permutation(np.arange(100) % 3) for _ in range(2)])
    X = random.normal(size=(100, features))
    for each in labels.T:
        told = random.random(features) < 0.05
        X += (random.normal(size=(3, features)) * told)[each]
    return Planted(X, labels, ("c1", "c2"), tuple(f"x{i}" for i in range(features)))


def _growth(
    report: Report, fixed: str, what: str, sizes: tuple[int, int], make: Callable[[int], Planted]
) -> None:
    table = report.table(
        f"Clustering again, {fixed}, 3 clusters, two threads",
        {"method": str, f"s, fewer {what}": seconds, f"s, more {what}": seconds,
         "grows with them to the": hundredth, "other found": hundredth},
        [f"{sizes[0]:,} and {sizes[1]:,} {what}, two planted clusterings, one of them given, "
         "one run each, scores included: the adjusted Rand index of the result with the other one, "
         f"for more {what}."],
    )  # fmt: skip
    for method in METHODS:
        took = []
        _find(make_data(300).X, make_data(300).labels[:, 0], method)
        for size in sizes:
            report.step(f"{method}, {size:,} {what}")
            data = make(size)
            found, spent = _find(data.X, data.labels[:, 0], method)
            took.append(spent)
        other = clusterwise.adjusted_rand_score(data.labels[:, 1], found.labels)
        exponent = float(np.log(took[1] / took[0]) / np.log(sizes[1] / sizes[0]))
        table.add(method, *took, exponent, other)


def _mushroom(report: Report) -> None:
    folder = os.environ.get("CLUSTERWISE_DATA")
    if folder is None or not (Path(folder) / "mushroom.csv.gz").exists():
        return
    table = report.table(
        "Clustering the Mushroom data again",
        {"method": str, "objects": count, "s": seconds, "published s": str, "DQ": hundredth},
        ["One run each, two threads, scores included; DQ by centroids. The published times are of "
         "a machine of 2009; that of MetaClusterer is for two alternatives."],
    )  # fmt: skip
    data = load_dataset("mushroom", folder)
    X, labels = (data.X[:1000], data.labels[:1000]) if report.quick else (data.X, data.labels)
    for method in METHODS:
        report.step(f"{method}, mushroom")
        found, took = _find(X, labels, method)
        table.add(method, len(X), took, str(PUBLISHED.get(method, "")), found.dq)
        if method in TARGETS:
            report.require_at_most(f"s, Mushroom by {method}", TARGETS[method], took, seconds)
