"""All methods that cluster again: the Mushroom data, and how time grows with objects."""

import os
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import clusterwise
from benchmarks.alternatives import hundredth, seconds
from benchmarks.maximus import make_data
from benchmarks.report import Report, count
from clusterwise.datasets import load_dataset

METHODS = ("cib", "condens", "maximus", "metaclusterer", "mincentropy", "orthogonal", "auto")
# Seconds that are asked for on the Mushroom data, and those that paper 000 prints in Table 10.
ASKED = {"cib": 60, "condens": 10, "metaclusterer": 120}
PUBLISHED = {"cib": 14406.95, "condens": 11.94, "maximus": 269.94, "metaclusterer": 257.45}


def run(report: Report) -> None:
    _growth(report, (1_000, 4_000) if report.quick else (10_000, 100_000))
    _mushroom(report)


def _find(X: Any, given: Any, method: str) -> tuple[Any, float]:
    start = perf_counter()
    found = clusterwise.cluster_again(
        X, given, method, quality="dunn_centroids", random_state=0, progress=False
    )
    return found[0], perf_counter() - start


def _growth(report: Report, sizes: tuple[int, int]) -> None:
    table = report.table(
        "Clustering again, 10 features, 3 clusters, two threads",
        {"method": str, "s, fewer objects": seconds, "s, more objects": seconds,
         "grows with n to the": hundredth, "other found": hundredth},
        [f"{sizes[0]:,} and {sizes[1]:,} objects with two planted clusterings, one of them given, "
         "one run each, scores included: the adjusted Rand index of what is found with the "
         "other one, for more objects."],
    )  # fmt: skip
    for method in METHODS:
        took = []
        _find(make_data(300).X, make_data(300).labels[:, 0], method)
        for n in sizes:
            report.step(f"{method}, {n:,} objects")
            data = make_data(n)
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
        if method in ASKED:
            report.ask_at_most(f"s, Mushroom by {method}", ASKED[method], took, seconds)
