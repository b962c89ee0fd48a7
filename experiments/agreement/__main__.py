"""Show which words a summary uses when a given proportion of the objects changes clusters.

Usage: ``python -m experiments.agreement [--help]``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clusterwise import adjusted_rand_score, cluster_accuracy_score
from clusterwise._utils.tables import TextTable, format_share
from clusterwise.comparing.verdict import AGREEMENT, UNRELATED, agreement_words
from experiments.common.sections import show_sections

CLUSTERS = (2, 3, 5, 10, 30)
MOVED = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
# Sizes of unbalanced clusters fall by this factor from one to the next.
FALL = 0.6
# Clusters of a few objects are lost among thousands of others.
_SMALLEST = 0.01
_INTRODUCTION = """# Words for agreement

Written by `python -m experiments.agreement --markdown docs/results/agreement.md`. A summary
describes the adjusted Rand index (ARI) of two clusterings in words:

{words}

What do they mean? Of {objects:,} objects in K clusters, a given proportion is moved, each object to
one of the other clusters at random. A cell has the ARI, and the proportion of the objects that are
in matching clusters afterwards (mean of {seeds} random draws). The clusters are of equal size, or
each has {fall:.0%} of the size of the one before (at least {smallest:.0%} of the objects).
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
    sections = list_sections(options.objects, options.seeds)
    show_sections(sections, options.markdown, width=160)
    return 0


def list_sections(objects: int, seeds: int) -> list[str | TextTable]:
    """Return the introduction, a table for equal sizes, and one for unequal sizes."""
    limits = [f"- from {least:g}: {words}" for least, words in AGREEMENT]
    introduction = _INTRODUCTION.format(
        words="\n".join([*limits, f"- below: {UNRELATED}"]),
        objects=objects, seeds=seeds, fall=FALL, smallest=_SMALLEST,
    )  # fmt: skip
    return [
        introduction.rstrip(),
        _table("Clusters of equal size", objects, seeds, balanced=True),
        _table("Clusters of unequal size", objects, seeds, balanced=False),
    ]


def _table(title: str, objects: int, seeds: int, *, balanced: bool) -> TextTable:
    rows = []
    for moved in MOVED:
        row = [format_share(moved)]
        for clusters in CLUSTERS:
            drawn = [
                draw(objects, clusters, moved, seed, balanced=balanced) for seed in range(seeds)
            ]
            ari = float(np.mean([adjusted_rand_score(*pair) for pair in drawn]))
            matching = float(np.mean([cluster_accuracy_score(*pair) for pair in drawn]))
            words = agreement_words(round(ari, 2))
            row.append(f"{round(ari, 2) + 0.0:.2f}, {format_share(matching)}: {words}")
        rows.append(row)
    header = ["moved", *(f"K = {clusters}" for clusters in CLUSTERS)]
    return TextTable(header, rows, title, frozenset(range(len(header))))


def draw(
    objects: int, clusters: int, moved: float, seed: int, *, balanced: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return labels, and the same labels after some objects were moved to other clusters."""
    rng = np.random.default_rng(seed)
    weights = np.ones(clusters) if balanced else np.maximum(FALL ** np.arange(clusters), _SMALLEST)
    sizes = np.maximum(1, np.round(weights / weights.sum() * objects)).astype(np.int64)
    labels = np.repeat(np.arange(clusters), sizes)
    others = labels.copy()
    chosen = rng.choice(labels.size, round(moved * labels.size), replace=False)
    others[chosen] = (labels[chosen] + rng.integers(1, clusters, chosen.size)) % clusters
    return labels, others


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.agreement", description=__doc__)
    parser.add_argument("--objects", type=int, default=3000, help="number (default: 3000)")
    parser.add_argument("--seeds", type=int, default=20, help="random draws (default: 20)")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.objects < max(CLUSTERS) or options.seeds < 1:
        parser.error(f"use at least {max(CLUSTERS)} objects and one seed.")
    return options


if __name__ == "__main__":
    sys.exit(main())
