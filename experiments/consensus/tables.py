"""The study of consensus methods as tables and sentences, all computed."""

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

_TITLE = """# Consensus methods on real and planted data

Written by `python -m experiments.consensus --markdown docs/results/consensus.md`. Values are
adjusted Rand indices with the classes, means over {seeds}. All methods get the number of classes,
except in the column "K chosen", where `combine` chooses it. Numeric features are standardised,
categorical ones one-hot encoded. `auto` is the default of `combine`: lwea if the members have many
small clusters that mostly lie within large ones, and else refined-evidence (see
consensus_choice.md). Classes need not be clusters of the points: where the best member is near 0,
no consensus can do well."""
_PEER = """\
pyckmeans generates its own 50 members, by k-means on resampled objects and features. Its consensus
is in all tables; in the last one our methods use its members."""
_NO_PEER = "pyckmeans is not installed: it is missing here."
_KINDS = {
    MIXED: """## Mixed ensembles

50 members of `make_ensemble` with its defaults: four strategies, from 2 to √n clusters (at most
20). Members with the wrong number of clusters are far from the classes.""",
    PLAIN: """## Plain k-means

20 members by k-means with the number of classes, with one random start each.""",
    THEIRS: """## The members of pyckmeans

The members that pyckmeans generates, combined by pyckmeans and by our methods.""",
}
_VERDICT = """## Verdicts

On how many rows a method is at least as good as the mean member and as pyckmeans (means over
seeds), and its means over the rows above. The references are short implementations of the published
methods, with full pairwise matrices and METIS defaults; "equal weights" is MCLA with the same
weight for all clusters."""
_LOST = f"""## Where the mean member is better

A consensus is as good as what the members agree on. For each data set where the default is below
the mean member, as means over seeds: the median member; the typical member, which has the highest
mean NMI with all others; the mean of the members with as many clusters as classes, the number that
the default gets; the proportion of members within {NEAR} of the default; and the rank correlation,
over members, of the mean NMI with all others and the ARI with the classes. Where it is not above 0,
what the members agree on is not what resembles the classes."""
# Means that differ by less are equal.
_SAME = 1e-9


def list_sections(rows: Sequence[Row], seeds: int) -> Iterator[str | TextTable]:
    """Return the texts and tables of the page, in order."""
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
    """Return a row for each data set; the references are left out."""
    methods = [name for name in rows[0].scores if name not in PEERS or name == PYCKMEANS]
    lines = [
        [row.name, str(row.n), str(row.clusters), *(f"{row.mean(one):.3f}" for one in methods)]
        for row in rows
    ]
    means = [f"{_mean(rows, method):.3f}" for method in methods]
    return TextTable(["set", "n", "K", *methods], [*lines, ["mean", "", "", *means]])


def show_counts(rows: Sequence[Row]) -> TextTable:
    """Return a row for each method: on how many rows it is at least as good as others."""
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
    """Return statistics of the members, a row for each data set where the default is below."""
    lines = []
    for row in rows:
        members, default = row.members, row.scores[DEFAULT]
        right = [one.scores[one.right_count].mean() for one in members if one.right_count.any()]
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
                f"{np.mean(right):.3f}" if right else "",
                f"{np.mean(near):.0%}",
                f"{correlate(row):+.2f}",
            ]
        )
    header = ["set", "members", DEFAULT, MEAN, "median member", "typical member", "with K clusters"]
    return TextTable([*header, f"within {NEAR}", "correlation"], lines)


def correlate(row: Row) -> float:
    """Return the rank correlation of agreement and score over members, averaged over seeds."""
    return float(np.mean([_correlation(one.agreement, one.scores) for one in row.members]))


def _correlation(one: Array, other: Array) -> float:
    """Return Spearman's rank correlation; 0 if one of the arrays is constant."""
    ranks = rankdata(one), rankdata(other)
    if min(np.ptp(rank) for rank in ranks) == 0:
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def explain_lost(rows: Sequence[Row]) -> str:
    """Summarise why the default is below the mean member on these rows."""
    typical = [row for row in rows if np.mean([m.typical for m in row.members]) < row.mean(MEAN)]
    against = [row for row in rows if correlate(row) <= 0]
    best = [row for row in rows if row.mean(row.best) >= row.mean(MEAN) - _SAME]
    return (
        f"Of {format_count(len(rows), 'such row')}, the typical member is below the mean member on "
        f"{len(typical)}, and on {len(against)} members that agree more with the others resemble "
        f"the classes less. Our best method, chosen after the fact, reaches the mean member on "
        f"{len(best)}."
    )


def beaten(rows: Sequence[Row], method: str, other: str) -> list[Row]:
    """Return the rows on which the other method is better."""
    return [row for row in rows if row.mean(method) < row.mean(other) - _SAME]


def list_verdicts(rows: Sequence[Row]) -> list[str]:
    """Compare the default and our best method with the members and the best peer."""
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
    """Return one sentence on the default and one on our best method."""
    lost = beaten(rows, DEFAULT, other)
    best = [row for row in rows if row.mean(row.best) < row.mean(other) - _SAME]
    gained = _mean(rows, DEFAULT) - _mean(rows, other)
    return (
        f"{kind} members: the default is at least as good as {_the(other)} on "
        f"{len(rows) - len(lost)} of {len(rows)} sets{_except(lost, DEFAULT, other)}, by "
        f"{gained:+.3f} on average. The best of our methods, chosen after the fact, is so on "
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
