"""Chance levels and jackknife variances straight from their definitions, by listing everything."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, NamedTuple

Labels = Sequence[Any]


class Level(NamedTuple):
    """Moments and the probability of a value that is at least as large."""

    mean: float
    deviation: float
    skewness: float
    p_value: float


def by_permutation(a: Labels, b: Labels, value: Callable[[Labels, Labels], float]) -> Level:
    """Permute the labels of b in every way."""
    counts = Counter(tuple(b[i] for i in order) for order in permutations(range(len(b))))
    total = sum(counts.values())
    found = [(value(a, labels), times / total) for labels, times in counts.items()]
    mean = sum(one * weight for one, weight in found)
    variance = sum((one - mean) ** 2 * weight for one, weight in found)
    third = sum((one - mean) ** 3 * weight for one, weight in found)
    least = value(a, b) - 1e-9 * max(1, *(abs(one) for one, _ in found))
    p_value = sum(weight for one, weight in found if one >= least)
    return Level(mean, variance**0.5, third / variance**1.5 if variance > 1e-9 else 0.0, p_value)


def without_each(a: Labels, b: Labels, value: Callable[[Labels, Labels], float]) -> list[float]:
    """Leave out each object in turn."""
    n = len(a)
    return [
        value([a[j] for j in range(n) if j != i], [b[j] for j in range(n) if j != i])
        for i in range(n)
    ]


def jackknife_variance(values: Sequence[float]) -> float:
    """The variance of the jackknife from the values without each object."""
    n = len(values)
    mean = sum(values) / n
    return (n - 1) / n * sum((one - mean) ** 2 for one in values)
