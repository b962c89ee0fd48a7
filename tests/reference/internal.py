"""Distances and qualities of one clustering straight from their definitions, with plain loops."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import inf, log2, sqrt
from typing import Any

Rows = Sequence[Sequence[Any]]
Distance = Callable[[Any, Any], float]


def euclid(x: Sequence[float], y: Sequence[float]) -> float:
    return sqrt(sum((s - t) ** 2 for s, t in zip(x, y, strict=True)))


def cityblock(x: Sequence[float], y: Sequence[float]) -> float:
    return sum(abs(s - t) for s, t in zip(x, y, strict=True))


def gower(X: Rows, i: int, j: int) -> float:
    """Texts are names, None is missing, all else is numbers."""
    if i == j:
        return 0.0
    parts = []
    for r, (x, y) in enumerate(zip(X[i], X[j], strict=True)):
        if x is None or y is None:
            continue
        if isinstance(x, str):
            parts.append(float(x != y))
        else:
            values = [row[r] for row in X if row[r] is not None]
            span = max(values) - min(values)
            parts.append(abs(x - y) / span if span else 0.0)
    return sum(parts) / len(parts) if parts else 1.0


def clusters(labels: Sequence[Any]) -> list[list[int]]:
    return [[i for i, label in enumerate(labels) if label == name] for name in set(labels)]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def centroid(X: Rows, members: Sequence[int]) -> list[float]:
    return [mean([X[i][r] for i in members]) for r in range(len(X[0]))]


def between(X: Rows, S: Sequence[int], T: Sequence[int], kind: str, d: Distance) -> float:
    pairs = [d(X[i], X[j]) for i in S for j in T]
    if kind == "single":
        return min(pairs)
    if kind == "complete":
        return max(pairs)
    if kind == "average":
        return mean(pairs)
    if kind == "hausdorff":
        from_s = [min(d(X[i], X[j]) for j in T) for i in S]
        from_t = [min(d(X[i], X[j]) for i in S) for j in T]
        return max(from_s + from_t)
    s, t = centroid(X, S), centroid(X, T)
    if kind == "centroid":
        return d(s, t)
    assert kind == "average-to-centroids"
    return mean([d(X[i], t) for i in S] + [d(X[j], s) for j in T])


def within(X: Rows, S: Sequence[int], kind: str, d: Distance) -> float:
    pairs = [d(X[i], X[j]) for i, j in combinations(S, 2)]
    if not pairs:
        return 0.0
    if kind == "diameter":
        return max(pairs)
    if kind == "average":
        return mean(pairs)
    assert kind == "centroid"
    return 2 * mean([d(X[i], centroid(X, S)) for i in S])


def dunn(
    X: Rows,
    labels: Sequence[Any],
    of_two: str = "single",
    of_one: str = "diameter",
    d: Distance = euclid,
) -> float:
    groups = clusters(labels)
    if len(groups) == 1:
        return 0.0
    gap = min(between(X, S, T, of_two, d) for S, T in combinations(groups, 2))
    width = max(within(X, S, of_one, d) for S in groups)
    if width == 0:
        return inf if gap else 0.0
    return gap / width


def entropy(values: Sequence[Any]) -> float:
    shares = [count / len(values) for count in Counter(values).values()]
    return -sum(share * log2(share) for share in shares)


def entropy_quality(X: Rows, labels: Sequence[Any], missing: str = "category") -> float:
    n, expected, largest = len(X), 0.0, 0.0
    for r in range(len(X[0])):
        there = [i for i in range(n) if missing == "category" or X[i][r] is not None]
        largest += len(there) / n * entropy([X[i][r] for i in there])
        for members in clusters(labels):
            here = [X[i][r] for i in members if i in there]
            expected += len(here) / n * entropy(here)
    return (largest - expected) / largest if largest else 1.0
