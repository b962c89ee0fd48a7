"""Alternatives straight from the papers' text, with plain loops: slow, and easy to check."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

import mpmath
import numpy as np

Cluster = frozenset[int]


class Merge(NamedTuple):
    """Two clusters that merged, and the candidates: how far apart they were.

    ``dissimilar`` says which candidate it was; ``permitted`` is None if there was no such pair.
    """

    one: Cluster
    other: Cluster
    distance: float
    dissimilar: bool
    nearest: float
    permitted: float | None


def coala(
    distances: Sequence[Sequence[int]], given: Sequence[Sequence[Any]], omega: float
) -> list[Merge]:
    """Average linkage of objects with whole distances, under cannot-link constraints."""

    def apart(one: Cluster, other: Cluster) -> Fraction:
        between = sum(distances[i][j] for i in one for j in other)
        return Fraction(between, len(one) * len(other))

    return _merge_all(len(distances), apart, float, given, omega)


def coalacat(
    rows: Sequence[Sequence[Any]],
    given: Sequence[Sequence[Any]],
    omega: float,
    missing: str = "category",
) -> list[Merge]:
    """Entropy linkage under the same constraints; None is a missing value.

    n·H is the logarithm of a rational number, product of n^n / product of c^c over the counts c, so
    costs are compared without any rounding.
    """

    def description(cluster: Cluster) -> Fraction:
        ratio = Fraction(1)
        for feature in range(len(rows[0])):
            values = [rows[i][feature] for i in cluster]
            if missing == "ignore":
                values = [value for value in values if value is not None]
            counts = Counter(values).values()
            ratio *= Fraction(len(values) ** len(values), prod(count**count for count in counts))
        return ratio

    def apart(one: Cluster, other: Cluster) -> Fraction:
        return description(one | other) / (description(one) * description(other))

    return _merge_all(len(rows), apart, bits, given, omega)


def bits(ratio: Fraction) -> float:
    """The logarithm of a rational number."""
    with mpmath.workprec(200):
        return float(mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator, 2))


def may_merge(one: Cluster, other: Cluster, given: Sequence[Sequence[Any]]) -> bool:
    """Whether no two of their objects share a given cluster."""
    return not any(labels[i] == labels[j] for labels in given for i in one for j in other)


def as_sets(merges: Any) -> list[tuple[Cluster, ...]]:
    """The two clusters of each step of a history, the one with the first object first."""
    clusters = [frozenset([i]) for i in range(len(merges) + 1)]
    steps = []
    for x, y in merges.pairs:
        steps.append(sorted((clusters[x], clusters[y]), key=min))
        clusters.append(clusters[x] | clusters[y])
    return [tuple(step) for step in steps]


def _merge_all(
    n: int,
    apart: Callable[[Cluster, Cluster], Fraction],
    as_float: Callable[[Fraction], float],
    given: Sequence[Sequence[Any]],
    omega: float,
) -> list[Merge]:
    """Take the nearest pair that may merge if the nearest of all is at least omega times as far.

    Of equally near pairs the one whose first objects are smallest comes first.
    """
    clusters = [frozenset([i]) for i in range(n)]
    merges = []
    while len(clusters) > 1:
        clusters.sort(key=min)
        pairs = list(combinations(clusters, 2))
        far = {pair: apart(*pair) for pair in pairs}
        # min takes the first of equals, and pairs come in the order of their first objects.
        near = min(pairs, key=far.__getitem__)
        feasible = [pair for pair in pairs if may_merge(*pair, given)]
        permitted = min(feasible, key=far.__getitem__) if feasible else None
        distance = as_float(far[near])
        other = as_float(far[permitted]) if permitted else None
        dissimilar = other is not None and distance >= omega * other
        one, two = permitted if dissimilar else near
        merges.append(
            Merge(one, two, other if dissimilar else distance, dissimilar, distance, other)
        )
        clusters = [cluster for cluster in clusters if cluster not in (one, two)] + [one | two]
    return merges


def quadratic_information(labels: Any, ensemble: Any) -> float:
    """The sum of U(C, L) over all clusterings L, by its definition."""
    total = 0.0
    for one in ensemble:
        for k in set(labels):
            here = one[labels == k]
            proportions = [np.mean(here == value) for value in set(one)]
            total += np.mean(labels == k) * sum(p**2 for p in proportions)
        total -= sum(np.mean(one == value) ** 2 for value in set(one))
    return float(total)
