"""Accuracy of adjusted mutual information: errors against 50-digit arithmetic."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clusterwise
from benchmarks.adjusted_mutual_info import ami_peers
from benchmarks.measuring import NOT_INSTALLED, OURS, load
from benchmarks.report import Report, count, error, power

DIGITS = 50
# Hypergeometric probabilities below this fraction of the largest are ignored.
NEGLIGIBLE = 1e-45
SHAPES = ((1000, 8), (100_000, 10), (1_000_000, 5))
TARGETS = 1e-9


def run(report: Report) -> None:
    columns = ("clusterwise", "scikit-learn", "genieclust")
    table = report.table(
        "Adjusted mutual information, errors against a 50-digit reference",
        {"quantity": str, "n": power, "K": count, **dict.fromkeys(columns, error)},
        [
            "Relative error of the expected mutual information, absolute error of the adjusted.",
            "genieclust does not expose its expected mutual information. Clusters have very "
            "different sizes.",
        ],
    )
    mp = load("mpmath", "mp")
    if mp is None:
        table.notes.append("The reference needs mpmath, which is not installed.")
        return
    for n, k in SHAPES[:2] if report.quick else SHAPES:
        report.step(f"{n:,} objects, {k} clusters")
        a, b = _skewed_labels(n, k)
        expected, adjusted = _reference(mp, a, b)
        table.add(
            "expected mutual information",
            n,
            k,
            _error(_our_expected(a, b), expected, relative_to=expected),
            _error(_scikit_learn_expected(a, b), expected, relative_to=expected),
            "-",
        )
        functions = {OURS: clusterwise.adjusted_mutual_info_score, **ami_peers()}
        errors = [
            NOT_INSTALLED if function is None else _error(function(a, b), adjusted)
            for function in functions.values()
        ]
        table.add("adjusted_mutual_info_score", n, k, *errors)
        what = f"error of adjusted_mutual_info_score, n = {n:,}, K = {k}"
        report.require_at_most(what, TARGETS, float(errors[0]), error)


def _skewed_labels(n: int, k: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return clusterings that agree on a tenth of the objects, with large and small clusters."""
    random = np.random.default_rng(30)
    a, b = (k * random.random((2, n)) ** 3).astype(np.int64)
    return a, np.where(random.random(n) < 0.1, a, b)


def _error(value: float | str, exact: Any, relative_to: Any = 1) -> float | str:
    return value if isinstance(value, str) else float(abs((value - exact) / relative_to))


def _our_expected(a: NDArray[Any], b: NDArray[Any]) -> float:
    return clusterwise.Contingency.from_labels(a, b).expected_information


def _scikit_learn_expected(a: NDArray[Any], b: NDArray[Any]) -> float | str:
    contingency_matrix = load("sklearn.metrics.cluster", "contingency_matrix")
    expected = load("sklearn.metrics.cluster", "expected_mutual_information")
    if expected is None:
        return NOT_INSTALLED
    return float(expected(contingency_matrix(a, b, sparse=True).astype(np.float64), a.size))


def _reference(mp: Any, a: NDArray[Any], b: NDArray[Any]) -> tuple[Any, Any]:
    """Return expected and adjusted mutual information by their definitions."""
    with mp.workdps(DIGITS):
        n = a.size
        sizes_a, sizes_b = (Counter(labels.tolist()) for labels in (a, b))
        cells = Counter(zip(a.tolist(), b.tolist(), strict=True))
        mutual = mp.fsum(
            mp.mpf(size) / n * mp.log(mp.mpf(n) * size / (sizes_a[i] * sizes_b[j]))
            for (i, j), size in cells.items()
        )
        entropies = mp.fsum(
            mp.mpf(size) / n * mp.log(mp.mpf(n) / size)
            for sizes in (sizes_a, sizes_b)
            for size in sizes.values()
        )
        expected = mp.fsum(
            _expected_pair(mp, x, y, n) for x in sizes_a.values() for y in sizes_b.values()
        )
        return expected, (mutual - expected) / (entropies / 2 - expected)


def _expected_pair(mp: Any, a: int, b: int, n: int) -> Any:
    """Return the term of two clusters of sizes a and b, starting at the mode of the overlap."""
    low, high = max(0, a + b - n), min(a, b)
    mode = min(max((a + 1) * (b + 1) // (n + 2), low), high)
    total = information = mp.mpf(0)
    for step in (1, -1):
        x, weight = mode, mp.mpf(1)
        while low <= x <= high and weight > NEGLIGIBLE:
            if step == 1 or x != mode:
                total += weight
                if x:
                    information += weight * x * mp.log(mp.mpf(n) * x / (a * b))
            if step == 1:
                weight = weight * ((a - x) * (b - x)) / ((x + 1) * (n - a - b + x + 1))
            else:
                weight = weight * (x * (n - a - b + x)) / ((a - x + 1) * (b - x + 1))
            x += step
    return information / total / n
