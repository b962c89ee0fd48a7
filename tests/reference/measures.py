"""Every quantity straight from its definition, with plain loops: slow, and easy to check."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, log, sqrt
from typing import Any, NamedTuple

import mpmath

Labels = Sequence[Any]

MEANS = {
    "min": min,
    "max": max,
    "arithmetic": lambda first, second: (first + second) / 2,
    "geometric": lambda first, second: (first * second) ** 0.5,
}


class Pairs(NamedTuple):
    """Unordered pairs of objects."""

    both: int
    only_a: int
    only_b: int
    neither: int


def contingency(a: Labels, b: Labels, weights: Sequence[Any] | None = None) -> dict[Any, Any]:
    """Objects (or their weight) in each pair of clusters that share some."""
    table: dict[Any, Any] = {}
    for i, pair in enumerate(zip(a, b, strict=True)):
        table[pair] = table.get(pair, 0) + (1 if weights is None else weights[i])
    return {pair: count for pair, count in table.items() if count}


def pair_counts(a: Labels, b: Labels) -> Pairs:
    """Look at every two objects."""
    both = only_a = only_b = neither = 0
    for i, j in combinations(range(len(a)), 2):
        together_a, together_b = a[i] == a[j], b[i] == b[j]
        both += together_a and together_b
        only_a += together_a and not together_b
        only_b += together_b and not together_a
        neither += not together_a and not together_b
    return Pairs(both, only_a, only_b, neither)


def rand(a: Labels, b: Labels) -> float:
    pairs = pair_counts(a, b)
    return (pairs.both + pairs.neither) / sum(pairs) if sum(pairs) else 1.0


def adjusted_rand(a: Labels, b: Labels) -> float:
    """(index - expected index) / (largest index - expected index), in exact fractions."""
    pairs = pair_counts(a, b)
    in_a, in_b, total = pairs.both + pairs.only_a, pairs.both + pairs.only_b, sum(pairs)
    if pairs.only_a == pairs.only_b == 0:
        return 1.0
    expected = Fraction(in_a * in_b, total)
    return float((pairs.both - expected) / (Fraction(in_a + in_b, 2) - expected))


def jaccard(a: Labels, b: Labels) -> float:
    both, only_a, only_b, _ = pair_counts(a, b)
    return both / (both + only_a + only_b) if both + only_a + only_b else 1.0


def fowlkes_mallows(a: Labels, b: Labels) -> float:
    both, only_a, only_b, _ = pair_counts(a, b)
    return both / sqrt((both + only_a) * (both + only_b)) if both else 0.0


def wallace(a: Labels, b: Labels) -> float:
    both, only_a, _, _ = pair_counts(a, b)
    return both / (both + only_a) if both + only_a else 1.0


def mirkin(a: Labels, b: Labels) -> float:
    _, only_a, only_b, _ = pair_counts(a, b)
    return 2.0 * (only_a + only_b)


def entropy(labels: Labels) -> float:
    n = len(labels)
    return -sum(size / n * log(size / n) for size in Counter(labels).values())


def mutual_information(a: Labels, b: Labels) -> float:
    n, sizes_a, sizes_b = len(a), Counter(a), Counter(b)
    return sum(
        count / n * log(count * n / (sizes_a[k] * sizes_b[j]))
        for (k, j), count in contingency(a, b).items()
    )


def conditional_entropy(a: Labels, given: Labels) -> float:
    """The entropy of a inside each cluster of the other, averaged."""
    total = 0.0
    for cluster, size in Counter(given).items():
        inside = [label for label, other in zip(a, given, strict=True) if other == cluster]
        total += size / len(a) * entropy(inside)
    return total


def variation_of_information(a: Labels, b: Labels) -> float:
    return conditional_entropy(a, b) + conditional_entropy(b, a) if len(a) else 0.0


def homogeneity(a: Labels, b: Labels) -> float:
    whole = entropy(a)
    return 1 - conditional_entropy(a, b) / whole if whole > 0 else 1.0


def completeness(a: Labels, b: Labels) -> float:
    return homogeneity(b, a)


def v_measure(a: Labels, b: Labels) -> float:
    first, second = homogeneity(a, b), completeness(a, b)
    return 2 * first * second / (first + second) if first + second > 1e-12 else 0.0


def best_overlap(table: Sequence[Sequence[Any]]) -> Any:
    """The largest sum of cells, one at most per row and column: try every matching."""
    wide = table if len(table) <= len(table[0]) else list(zip(*table, strict=True))
    return max(
        sum(row[column] for row, column in zip(wide, chosen, strict=True))
        for chosen in permutations(range(len(wide[0])), len(wide))
    )


def as_table(a: Labels, b: Labels) -> list[list[int]]:
    counts = contingency(a, b)
    return [[counts.get((k, j), 0) for j in sorted(set(b))] for k in sorted(set(a))]


def accuracy(a: Labels, b: Labels) -> float:
    return best_overlap(as_table(a, b)) / len(a) if len(a) else 1.0


def van_dongen(a: Labels, b: Labels) -> float:
    table = as_table(a, b)
    rows = sum(max(row) for row in table)
    columns = sum(max(column) for column in zip(*table, strict=True))
    return float(2 * len(a) - rows - columns)


def purity(a: Labels, b: Labels) -> float:
    if not len(a):
        return 1.0
    return sum(max(column) for column in zip(*as_table(a, b), strict=True)) / len(a)


def matching_f(a: Labels, b: Labels) -> float:
    """Each class of a takes the cluster with the best F; classes count by size."""
    sizes_a, sizes_b, counts = Counter(a), Counter(b), contingency(a, b)
    total = 0.0
    for k, size in sizes_a.items():
        found = []
        for j in sizes_b:
            shared = counts.get((k, j), 0)
            precision, recall = shared / sizes_b[j], shared / size
            found.append(2 * precision * recall / (precision + recall) if shared else 0.0)
        total += size / len(a) * max(found)
    return total if len(a) else 1.0


def expected_information(sizes_a: Sequence[int], sizes_b: Sequence[int]) -> Any:
    """Mean mutual information over all clusterings with these sizes: exact probabilities."""
    n = sum(sizes_a)
    with mpmath.workdps(50):
        total = mpmath.mpf(0)
        for (a, times_a), (b, times_b) in (
            (first, second)
            for first in Counter(sizes_a).items()
            for second in Counter(sizes_b).items()
        ):
            for x in range(max(1, a + b - n), min(a, b) + 1):
                chance = mpmath.mpf(comb(a, x) * comb(n - a, b - x)) / comb(n, b)
                total += times_a * times_b * chance * x * mpmath.log(mpmath.mpf(x * n) / (a * b))
        return total / n


def expected_information_of_many(
    sizes_a: Sequence[int], sizes_b: Sequence[int], deviations: int = 14
) -> Any:
    """The same for n too large for binomials: 40 digits, within 14 standard deviations.

    What lies beyond 14 standard deviations weighs less than exp(-90).
    """
    n = sum(sizes_a)
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for (a, times_a), (b, times_b) in (
            (first, second)
            for first in Counter(sizes_a).items()
            for second in Counter(sizes_b).items()
        ):
            total += times_a * times_b * _mean_of_x_log_x(a, b, n, deviations)
        return total / n


def _mean_of_x_log_x(a: int, b: int, n: int, deviations: int) -> Any:
    """E[X log(X n / (a b))] for the hypergeometric overlap X."""
    spread = sqrt(a * b / n * (n - a) / n * (n - b) / max(1, n - 1))
    reach = int(deviations * spread) + 200
    low = max(0, a + b - n, a * b // n - reach)
    high = min(a, b, a * b // n + reach)
    chance, chances, values = mpmath.mpf(1), mpmath.mpf(0), mpmath.mpf(0)
    log_mean = mpmath.log(mpmath.mpf(a * b) / n)
    for x in range(low, high + 1):
        chances += chance
        if x:
            values += chance * x * (mpmath.log(x) - log_mean)
        chance *= mpmath.mpf((a - x) * (b - x)) / ((x + 1) * (n - a - b + x + 1))
    return values / chances


def even_position(value: float, low: float, high: float, n_bins: int) -> int:
    """The bin of a value among n_bins of equal width; the end bins take what is outside."""
    if value <= low or low == high:
        return 0
    if value >= high:
        return n_bins - 1
    return min(int((value - low) * (n_bins / (high - low))), n_bins - 1)


def position(value: float, edges: Sequence[float]) -> int:
    """The bin i with edges[i] <= value < edges[i + 1]; the last is closed."""
    found = 0
    for i, edge in enumerate(edges[1:-1], 1):
        if edge <= value:
            found = i
    return found


def frequency_sizes(values: Sequence[float], n_bins: int) -> list[int]:
    """How many values each bin of equal counts gets: every cut at the nearest gap, or the lower."""
    n = len(values)
    gaps = [sum(other <= value for other in values) for value in sorted(set(values))][:-1]
    cuts = {
        min(gaps, key=lambda gap: (abs(Fraction(share * n, n_bins) - gap), gap))
        for share in range(1, n_bins)
        if gaps
    }
    ends = [0, *sorted(cuts), n]
    return [ends[i] - ends[i - 1] for i in range(1, len(ends))]


def class_entropy(labels: Labels) -> float:
    """Entropy of the labels in bits."""
    n = len(labels)
    return -sum(count / n * log(count / n) / log(2) for count in Counter(labels).values())


def mdl_cuts(values: Sequence[float], labels: Labels) -> list[float]:
    """Fayyad and Irani's cuts: the best one, if the MDL rule accepts it, then both sides."""
    n, k = len(values), len(set(labels))
    best: tuple[float, float] | None = None
    distinct = sorted(set(values))
    for i in range(1, len(distinct)):
        low, high = distinct[i - 1], distinct[i]
        sides: tuple[list[Any], list[Any]] = ([], [])
        for value, label in zip(values, labels, strict=True):
            sides[value >= high].append(label)
        rest = sum(len(side) / n * class_entropy(side) for side in sides)
        gain = class_entropy(labels) - rest
        if best is None or gain > best[0] + 1e-10:
            best = gain, (low + high) / 2
    if best is None:
        return []
    gain, cut = best
    left = [i for i in range(n) if values[i] < cut]
    right = [i for i in range(n) if values[i] >= cut]
    parts = [[labels[i] for i in side] for side in (left, right)]
    delta = log(3**k - 2) / log(2) - k * class_entropy(labels)
    delta += sum(len(set(part)) * class_entropy(part) for part in parts)
    if gain <= (log(n - 1) / log(2) + delta) / n:
        return []
    below, above = (
        mdl_cuts([values[i] for i in side], part)
        for side, part in zip((left, right), parts, strict=True)
    )
    return [*below, cut, *above]
