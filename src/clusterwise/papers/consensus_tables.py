"""The study of consensus as tables and sentences; every number in them is computed."""

from collections.abc import Iterator, Sequence

import numpy as np

from clusterwise.grids import Grid, counted
from clusterwise.papers.consensus_rows import BEST, DEFAULT, MEAN, MIXED, PEER, PLAIN, THEIRS, Row

_TITLE = """# One clustering from many: how good is it?

Written by `python -m clusterwise.papers.consensus --markdown docs/consensus.md`. Numbers are
adjusted Rand indices with the classes, means over {seeds}. Every method is told the number of
classes, but in the column "no K told", where `combine` chooses it. Numbers are standardised,
names are columns of 0 and 1. `evidence` is the default of `combine`. Classes need not be what
clusters of the points are: where the best member is near 0, nothing can be won."""
_PEER = """pyckmeans makes its own 50 members, by k-means on resampled objects and attributes; its
consensus is beside ours in all tables, and in the last one ours have its members."""
_NO_PEER = "pyckmeans is not installed: it is missing here."
_KINDS = {
    MIXED: """## Mixed ensembles

50 members of `make_ensemble` with its defaults: four ways, from 2 to the root of n clusters (20 at
most). Members with the wrong number of clusters are far from the classes.""",
    PLAIN: """## Plain k-means

20 members by k-means with the number of classes, from one random start each.""",
    THEIRS: """## The members of pyckmeans

What pyckmeans made, and what it and we make of it.""",
}
_VERDICT = """## Verdicts

How often a method is at least as good as the mean member, and as pyckmeans, on means over seeds;
and its mean over all rows above."""
# Rounding.
_SAME = 1e-9


def list_sections(rows: Sequence[Row], seeds: int) -> Iterator[str | Grid]:
    """Everything, in order."""
    yield _TITLE.format(seeds=counted(seeds, "seed"))
    yield _PEER if PEER in rows[0].scores else _NO_PEER
    for kind, text in _KINDS.items():
        chosen = [row for row in rows if row.kind == kind]
        if chosen:
            yield text
            yield show_rows(chosen)
    yield _VERDICT
    yield show_counts(rows)
    yield "\n".join(f"- {line}" for line in list_verdicts(rows))


def show_rows(rows: Sequence[Row]) -> Grid:
    """A row for each set."""
    methods = list(rows[0].scores)
    lines = [
        [row.name, str(row.n), str(row.clusters), *(f"{row.mean(one):.3f}" for one in methods)]
        for row in rows
    ]
    means = [f"{_mean(rows, method):.3f}" for method in methods]
    return Grid(["set", "n", "K", *methods], [*lines, ["mean", "", "", *means]])


def show_counts(rows: Sequence[Row]) -> Grid:
    """A row for each method: where it is as good as others."""
    against = [one for one in (MEAN, PEER) if one in rows[0].scores]
    lines = []
    for method in rows[0].scores:
        if method not in (MEAN, BEST):
            counts = [
                "" if method == other else f"{len(rows) - len(beaten(rows, method, other))}"
                for other in against
            ]
            lines.append([method, *counts, f"{_mean(rows, method):.3f}"])
    return Grid(["method", *(f"at least {other}" for other in against), "mean"], lines)


def beaten(rows: Sequence[Row], method: str, other: str) -> list[Row]:
    """Where the other one is better."""
    return [row for row in rows if row.mean(method) < row.mean(other) - _SAME]


def list_verdicts(rows: Sequence[Row]) -> list[str]:
    """What the default and the best of ours are worth against members and the peer."""
    kinds = {kind: [row for row in rows if row.kind == kind] for kind in _KINDS}
    return [
        _compare(chosen, kind, other)
        for kind, chosen in kinds.items()
        for other in (MEAN, PEER)
        if chosen and other in chosen[0].scores
    ]


def _compare(rows: Sequence[Row], kind: str, other: str) -> str:
    """One sentence on the default, one on the best of ours."""
    lost = beaten(rows, DEFAULT, other)
    best = [row for row in rows if row.mean(row.best) < row.mean(other) - _SAME]
    gained = _mean(rows, DEFAULT) - _mean(rows, other)
    return (
        f"{kind} members: the default is at least as good as {_the(other)} on "
        f"{len(rows) - len(lost)} of {len(rows)} sets{_except(lost, DEFAULT, other)}, by "
        f"{gained:+.3f} on average. The best of ours, chosen after the fact, is on "
        f"{len(rows) - len(best)}{_names(best)}."
    )


def _the(other: str) -> str:
    return f"the {other}" if other == MEAN else other


def _except(lost: Sequence[Row], method: str, other: str) -> str:
    if not lost:
        return ""
    shown = (f"{row.name} {row.mean(method) - row.mean(other):+.3f}" for row in lost)
    return f" (not: {', '.join(shown)})"


def _names(rows: Sequence[Row]) -> str:
    return f" (not: {', '.join(row.name for row in rows)})" if rows else ""


def _mean(rows: Sequence[Row], method: str) -> float:
    return float(np.mean([row.mean(method) for row in rows]))
