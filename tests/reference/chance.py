"""Chance levels and jackknife variances straight from their definitions, by listing everything."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
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


def partitions(n: int) -> list[list[int]]:
    """All clusterings of n objects, labels in the order of their first objects."""
    found = [[0]] if n else [[]]
    for _ in range(n - 1):
        found = [[*labels, new] for labels in found for new in range(max(labels) + 2)]
    return found


def expected_of(
    first: Sequence[Labels], second: Sequence[Labels], value: Callable[[Labels, Labels], float]
) -> float:
    """Mean over all pairs of two lists of clusterings."""
    return sum(value(a, b) for a in first for b in second) / (len(first) * len(second))


def modified_adjusted_rand(a: Labels, b: Labels) -> float:
    """MARI: pairs within clusters of both, against pairs of a and of b without a common object."""
    objects = range(len(a))
    pairs = list(combinations(objects, 2))
    in_a, in_b = ([one for one in pairs if side[one[0]] == side[one[1]]] for side in (a, b))
    apart = sum(not {*one} & {*other} for one in pairs for other in pairs)
    expected = sum(not {*one} & {*other} for one in in_a for other in in_b) / apart
    both = len(set(in_a) & set(in_b)) / len(pairs)
    return (both - expected) / ((len(in_a) + len(in_b)) / 2 / len(pairs) - expected)


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
