"""Density profiles and ADCO straight from the paper's definitions, with plain loops."""

from itertools import permutations
from math import sqrt


def profile(X, labels, n_bins):
    """Counts by (cluster, feature, bin), equal widths, missing values in bin n_bins."""
    counts = {}
    for r in range(len(X[0])):
        present = [row[r] for row in X if row[r] == row[r]]
        low, high = min(present, default=0.0), max(present, default=0.0)
        for row, label in zip(X, labels, strict=True):
            value = row[r]
            if value != value:
                place = n_bins
            elif high == low:
                place = 0
            else:
                place = min(int((value - low) * (n_bins / (high - low))), n_bins - 1)
            counts[label, r, place] = counts.get((label, r, place), 0) + 1
    return counts


def vectors(counts):
    """One sparse vector per cluster."""
    found = {}
    for (label, r, place), count in counts.items():
        found.setdefault(label, {})[r, place] = count
    return list(found.values())


def dot(first, second):
    return sum(count * second.get(key, 0) for key, count in first.items())


def similarity(a, b):
    """The best of all matchings, tried one by one."""
    if len(a) > len(b):
        a, b = b, a
    return max(
        sum(dot(first, second) for first, second in zip(a, order, strict=True))
        for order in permutations(b, len(a))
    )


def adco(a, b):
    return similarity(a, b) / max(similarity(a, a), similarity(b, b))


def cosine(a, b):
    return similarity(a, b) / sqrt(similarity(a, a) * similarity(b, b))
