"""The study of consensus as tables and sentences; every number in them is computed."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.stats import rankdata

from clusterwise._utils.tables import TextTable, format_count
from clusterwise.inputs.encoding import Array
from experiments.consensus.peers import PEERS, PYCKMEANS
from experiments.consensus.scores import (
    BEST,
    DEFAULT,
    MEAN,
    MIXED,
    NEAR,
    PLAIN,
    THEIRS,
    Row,
)

_TITLE = """# One clustering from many: how good is it?

Written by `python -m experiments.consensus --markdown docs/results/consensus.md`. Numbers are
adjusted Rand indices with the classes, means over {seeds}. Every method is told the number of
classes, but in the column "no K told", where `combine` chooses it. Numbers are standardised,
names are columns of 0 and 1. `auto` is the default of `combine`: of refined-evidence, phi and
median the result that shares most with the members, the classes unseen. Classes need not be what
clusters of the points are: where the best member is near 0, nothing can be won."""
_PEER = """pyckmeans makes its own 50 members, by k-means on resampled objects and features; its
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
and its means over the rows above. By the book are plain references of a few lines, with tables of
all pairs and METIS as it comes; "clusters alike" is MCLA with the same weight for all clusters."""
_LOST = f"""## Where the mean member is better

A consensus is what members agree on, so that it is worth what they agree on. For each set where the
default is below the mean member, in means over seeds: the median member; the typical one, that
has the highest mean NMI with all others; the mean of those that have as many clusters as there
are classes, which is the number that the default is told; how many members are within {NEAR} of the
default; and the rank correlation, over members, of the mean NMI with all others and the ARI with
the classes. Where that is not above 0, what agrees is not what is like the classes."""
# Rounding.
_SAME = 1e-9


def list_sections(rows: Sequence[Row], seeds: int) -> Iterator[str | TextTable]:
    """Everything, in order."""
    yield _TITLE.format(seeds=format_count(seeds, "seed"))
    yield _PEER if PYCKMEANS in rows[0].scores else _NO_PEER
    for kind, text in _KINDS.items():
        chosen = [row for row in rows if row.kind == kind]
        if chosen:
            yield text
            yield show_rows(chosen)
    yield _VERDICT
    yield show_counts(rows)
    yield "\n".join(f"- {line}" for line in list_verdicts(rows))
    lost = beaten(rows, DEFAULT, MEAN)
    if lost:
        yield _LOST
        yield show_lost(lost)
        yield explain_lost(lost)


def show_rows(rows: Sequence[Row]) -> TextTable:
    """A row for each set; of peers only pyckmeans, which all know."""
    methods = [name for name in rows[0].scores if name not in PEERS or name == PYCKMEANS]
    lines = [
        [row.name, str(row.n), str(row.clusters), *(f"{row.mean(one):.3f}" for one in methods)]
        for row in rows
    ]
    means = [f"{_mean(rows, method):.3f}" for method in methods]
    return TextTable(["set", "n", "K", *methods], [*lines, ["mean", "", "", *means]])


def show_counts(rows: Sequence[Row]) -> TextTable:
    """A row for each method: where it is as good as others."""
    against = [one for one in (MEAN, PYCKMEANS) if one in rows[0].scores]
    kinds = {kind: chosen for kind in _KINDS if (chosen := _of(rows, kind))}
    lines = []
    for method in rows[0].scores:
        if method not in (MEAN, BEST):
            counts = [
                "" if method == other else f"{len(rows) - len(beaten(rows, method, other))}"
                for other in against
            ]
            means = [f"{_mean(chosen, method):.3f}" for chosen in (*kinds.values(), rows)]
            lines.append([method, *counts, *means])
    return TextTable(["method", *(f"at least {other}" for other in against), *kinds, "mean"], lines)


def show_lost(rows: Sequence[Row]) -> TextTable:
    """What members are like, a row for each set where the default is below their mean."""
    lines = []
    for row in rows:
        members, default = row.members, row.scores[DEFAULT]
        told = [one.scores[one.told].mean() for one in members if one.told.any()]
        near = [one.near(score) for one, score in zip(members, default, strict=True)]
        shown = [
            row.mean(DEFAULT),
            row.mean(MEAN),
            np.mean([np.median(one.scores) for one in members]),
            np.mean([one.typical for one in members]),
        ]
        lines.append(
            [
                row.name,
                row.kind,
                *(f"{value:.3f}" for value in shown),
                f"{np.mean(told):.3f}" if told else "",
                f"{np.mean(near):.0%}",
                f"{correlate(row):+.2f}",
            ]
        )
    header = ["set", "members", DEFAULT, MEAN, "median member", "typical member", "with K clusters"]
    return TextTable([*header, f"within {NEAR}", "correlation"], lines)


def correlate(row: Row) -> float:
    """Whether members that agree with others are like the classes: a mean over the seeds."""
    return float(np.mean([_correlation(one.agreement, one.scores) for one in row.members]))


def _correlation(one: Array, other: Array) -> float:
    """Spearman's; 0 if one of them says nothing."""
    ranks = rankdata(one), rankdata(other)
    if min(np.ptp(rank) for rank in ranks) == 0:
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def explain_lost(rows: Sequence[Row]) -> str:
    """On how many of them no more could be expected, and why."""
    typical = [row for row in rows if np.mean([m.typical for m in row.members]) < row.mean(MEAN)]
    against = [row for row in rows if correlate(row) <= 0]
    best = [row for row in rows if row.mean(row.best) >= row.mean(MEAN) - _SAME]
    return (
        f"Of {format_count(len(rows), 'such row')}, the typical member is below the mean one on "
        f"{len(typical)}, and on {len(against)} members are the less like the classes the more "
        f"they agree with others. Another method of ours, chosen after the fact, reaches the "
        f"mean member on {len(best)}."
    )


def beaten(rows: Sequence[Row], method: str, other: str) -> list[Row]:
    """Where the other one is better."""
    return [row for row in rows if row.mean(method) < row.mean(other) - _SAME]


def list_verdicts(rows: Sequence[Row]) -> list[str]:
    """What the default and the best of ours are worth against members and the best peer."""
    lines = []
    for kind in _KINDS:
        chosen = _of(rows, kind)
        if chosen:
            lines.append(_compare(chosen, kind, MEAN))
            peers = [name for name in PEERS if name in chosen[0].scores]
            if peers:
                best = max(peers, key=lambda name: _mean(chosen, name))
                lines.append(_compare(chosen, kind, best))
    return lines


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
    return f"the {other}" if other == MEAN else f"the best peer, {other},"


def _except(lost: Sequence[Row], method: str, other: str) -> str:
    if not lost:
        return ""
    shown = (f"{row.name} {row.mean(method) - row.mean(other):+.3f}" for row in lost)
    return f" (not: {', '.join(shown)})"


def _names(rows: Sequence[Row]) -> str:
    return f" (not: {', '.join(row.name for row in rows)})" if rows else ""


def _of(rows: Sequence[Row], kind: str) -> list[Row]:
    return [row for row in rows if row.kind == kind]


def _mean(rows: Sequence[Row], method: str) -> float:
    return float(np.mean([row.mean(method) for row in rows]))
