"""Measure the coverage of confidence intervals and the sizes of tests of two clusterings.

Usage: ``python -m experiments.significance [--help]``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from clusterwise._utils.tables import TextTable
from experiments.common.sections import show_sections
from experiments.significance.simulation import (
    FALL,
    Population,
    all_measures,
    coverage,
    grid,
    null_sizes,
)

CLUSTERS, OBJECTS = (2, 5, 10, 20), (100, 1000, 10_000)
AGREEMENTS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.95)
FEW_CLUSTERS, FEW_AGREEMENTS = (2, 5, 20), (0.0, 0.3, 0.7, 0.95)
LEVELS = (0.05, 0.001)
AGREEMENT = "adjusted_rand_score"
# Measures whose p-values are estimated from random tables.
SAMPLED = (
    "mutual_info_score", "cluster_accuracy_score", "matching_f_score", "irm_score",
    "mallows_distance",
)  # fmt: skip
SAMPLED_SETTINGS = ((5, 1000), (10, 1000))
QUICK = {"clusters": (2, 5), "objects": (100,), "agreements": (0.0, 0.7)}
_INTRODUCTION = """# Intervals and p-values

Written by `python -m experiments.significance --markdown docs/results/significance.md` (seed
{seed}; {options}). It measures what `compare(a, b, significance=True)` promises: that a 95 %
interval contains the value of the measure in the population in about 95 % of samples, and that a
p-value is below 5 % in 5 % of pairs of unrelated clusterings.

A population consists of two clusterings into K clusters, each with {fall:.0%} of the size of the
one before. A proportion of the objects, the agreement, has the same label in both; the labels of
the others are independent. n objects are drawn, at least five for each cluster."""
_COVERAGE = """## Coverage of the adjusted Rand index

The percentage of {repeats:,} samples in which the interval contains the value in the population.
The standard error is {error:.1f} percentage points at 95 %. Without agreement the value is at a
point where single objects have no influence, so the interval has the width of chance, which is on
the safe side."""
_MEASURES = """## Coverage of all measures

The same for every measure, in {repeats} samples of each population: the range over the agreements
{agreements}. Measures that take the largest overlap, and those of information, are biased
upwards if overlaps are small: in the population they are lower. Intervals of information are
corrected for the bias to first order. Where K² is not far below n, both may still miss the value in
the population; measures of pairs have no such bias. The IRM-index jumps where overlaps change their
order, so that its intervals are too narrow if clusters are many."""
_SIZES = """## Sizes of tests

The percentage of {repeats:,} random pairs with fixed cluster sizes (as above, the same in both) in
which the p-value of the adjusted Rand index is at most the level; and the largest distance of the
distribution of p-values from the uniform one. Few objects allow few values only: a test at
5 % then rejects less often, and p-values cannot be uniform."""
_SAMPLED = """## Sizes of tests by random tables

The same for measures whose p-values are estimated from 500 random tables, in {repeats:,} pairs. The
standard error is {error:.2f} percentage points at 5 %, and {small:.2f} at 0.1 %."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
    show_sections(list_sections(options), options.markdown, width=160)
    return 0


def list_sections(options: argparse.Namespace) -> list[str | TextTable]:
    """Return the introduction, and a text and a table for each question."""
    repeats, seed = options.repeats, options.seed
    n_few, n_sampled = max(2, repeats // 8), max(2, options.pairs // 8)
    counts = (
        f"{repeats:,} samples for the adjusted Rand index and {n_few} for all measures, "
        f"{options.pairs:,} unrelated pairs and {n_sampled:,} where random tables are drawn"
    )
    clusters, objects, agreements = CLUSTERS, OBJECTS, AGREEMENTS
    few_clusters, few_agreements, settings = FEW_CLUSTERS, FEW_AGREEMENTS, SAMPLED_SETTINGS
    if options.quick:
        clusters = few_clusters = QUICK["clusters"]
        objects = QUICK["objects"]
        agreements = few_agreements = QUICK["agreements"]
        settings = ((3, 60),)
    errors = {"error": 100 * (0.05 * 0.95 / n_sampled) ** 0.5,
              "small": 100 * (0.001 * 0.999 / n_sampled) ** 0.5}  # fmt: skip
    return [
        _INTRODUCTION.format(seed=seed, options=counts, fall=FALL),
        _COVERAGE.format(repeats=repeats, error=100 * (0.05 * 0.95 / repeats) ** 0.5),
        _agreement_table(clusters, objects, agreements, repeats, seed),
        _MEASURES.format(repeats=n_few, agreements=", ".join(f"{one:g}" for one in few_agreements)),
        _measure_table(few_clusters, objects, few_agreements, n_few, seed),
        _SIZES.format(repeats=options.pairs),
        _size_table(few_clusters, objects, options.pairs, seed),
        _SAMPLED.format(repeats=n_sampled, **errors),
        _sampled_table(settings, n_sampled, seed),
    ]


def _agreement_table(
    clusters: Sequence[int],
    objects: Sequence[int],
    agreements: Sequence[float],
    repeats: int,
    seed: int,
) -> TextTable:
    rows = []
    for k in clusters:
        for n in objects:
            some = grid([k], [n], agreements)
            if some:
                found = [coverage(one, [AGREEMENT], repeats, seed)[AGREEMENT] for one in some]
                rows.append([str(k), f"{n:,}", *(f"{100 * one:.1f}" for one in found)])
    return TextTable(["K", "n", *(f"agreement {one:g}" for one in agreements)], rows)


def _measure_table(
    clusters: Sequence[int],
    objects: Sequence[int],
    agreements: Sequence[float],
    repeats: int,
    seed: int,
) -> TextTable:
    names = all_measures()
    settings = [(k, n) for k in clusters for n in objects if grid([k], [n], [0.0])]
    columns = []
    for k, n in settings:
        found = [coverage(Population(k, n, one), names, repeats, seed) for one in agreements]
        columns.append({name: [100 * one[name] for one in found] for name in names})
    rows = [
        [name, *(f"{min(column[name]):.0f}–{max(column[name]):.0f}" for column in columns)]
        for name in names
    ]
    header = ["measure", *(f"K = {k}, n = {n:,}" for k, n in settings)]
    return TextTable(header, rows, left=frozenset({0}))


def _size_table(
    clusters: Sequence[int], objects: Sequence[int], pairs: int, seed: int
) -> TextTable:
    rows = []
    for k in clusters:
        for n in objects:
            if grid([k], [n], [0.0]):
                found = null_sizes(k, n, [AGREEMENT], LEVELS, pairs, seed)[AGREEMENT]
                sizes = [f"{100 * found.below[level]:.2f}" for level in LEVELS]
                rows.append([str(k), f"{n:,}", *sizes, f"{found.distance:.3f}"])
    return TextTable(["K", "n", "% at 5 %", "% at 0.1 %", "distance from uniform"], rows)


def _sampled_table(settings: Sequence[tuple[int, int]], pairs: int, seed: int) -> TextTable:
    rows = []
    for k, n in settings:
        found = null_sizes(k, n, SAMPLED, LEVELS, pairs, seed)
        for name, sizes in found.items():
            shown = [f"{100 * sizes.below[level]:.2f}" for level in LEVELS]
            rows.append([name, str(k), f"{n:,}", *shown, f"{sizes.distance:.3f}"])
    header = ["measure", "K", "n", "% at 5 %", "% at 0.1 %", "distance from uniform"]
    return TextTable(header, rows, left=frozenset({0}))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.significance", description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000, help="samples (default: 1000)")
    parser.add_argument(
        "--pairs", type=int, default=12_000, help="unrelated pairs (default: 12000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--quick", action="store_true", help="a few small populations only")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if min(options.repeats, options.pairs) < 2:
        parser.error("use at least two samples and two pairs.")
    return options


if __name__ == "__main__":
    sys.exit(main())
