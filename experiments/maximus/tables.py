"""The study of MAXIMUS as tables and sentences; every number in them is computed."""

from collections.abc import Iterator, Sequence

from clusterwise._utils.tables import TextTable
from experiments.common.published_maximus import DQ_BY_BINNING, SECONDS
from experiments.maximus.balance import (
    HIDDEN,
    Recovery,
    describe_recovered,
    show_recovered,
)
from experiments.maximus.findings import list_findings
from experiments.maximus.pareto import Point, best, count_unbeaten, dominates, most_different
from experiments.maximus.results import STAGES, SetResult
from experiments.maximus.scores import QUALITIES, Answer
from experiments.maximus.sweep import BINNINGS, PROGRAMS

_TITLE = """# MAXIMUS on the data sets of its paper

Written by `python -m experiments.maximus --markdown docs/results/maximus.md`. The given clustering
is that of the classes, and the alternative has as many clusters. Numeric features are standardised,
and categorical ones become columns of 0 and 1; all methods see the same points. Every method has
the least cluster size of `cluster_again`. Dissimilarity is 1 minus the Jaccard index of pairs with
the classes. GDI is the least mean distance between clusters divided by the largest mean distance
within one: the paper does not say which of the generalised Dunn indices it takes, so its DQ and
ours are not on one scale. DQ is the harmonic mean of dissimilarity and GDI.

`objects` and `published` are the programs of `clusterwise.MAXIMUS`. The program `profile`, the
greedy assignment, the balance constraints `matching` and `profile`, prescribed cluster sizes and
the local search are variants in `experiments/maximus/variants`. The library keeps `objects` with
balanced memberships: it finds hidden clusterings best on average (below), and is faster than
`profile` on every set at about the same DQ."""
_METHODS = """## The programs, compared with COALA

COALA has omega 0.6, MAXIMUS its defaults. `objects` assigns objects, `published` solves the paper's
integer program for a profile, and `profile` takes the profile of least inertia among those about as
dissimilar. Smallest is the smallest cluster, as a proportion of all objects. The paper's seconds
(Table 10) are those of its own COALA and its own MAXIMUS, in 2010."""
_ASSIGNMENT = """## Exact or greedy assignment

Objects of a bin are assigned to fit the profile at the least cost, or the nearest first, as in the
paper. The gap is the proportion of objects by which the labels miss the target profile."""
_BINNED = """## Binning of numeric features

DQ by equal widths, equal frequencies and MDL, beside Table 11. Where all features are categorical,
no binning is needed, and there is one value."""
_CLAIM = """## More different at equal quality, or better at equal difference?

An answer wins against another if it is no worse in both scores and better in one. The default
answer of `objects` is one against one. All its answers, along tolerance, sizes, balance and
subspaces, are the best of many against one, and are chosen by comparison with the other's scores:
they show what can be reached, not what the default finds. The list of settings, too, was made on
these sets. Answers with local search maximise GDI itself, within the same bounds: by this score
they have an advantage that no other method here has, by the other two scores they have none. The
choice by DQ does not use the other's scores. For each reference: the most different answer that is
at least as good, and the best one that is at least as different (dissimilarity / quality)."""
_COUNTER = """## The other way round: all of COALA's thresholds

COALA for omega 0, 0.1, … 1 against the answers of `objects`. The first number of each method is
that of its answers; unbeaten are those on its Pareto front that the other method does not dominate
either."""


_BALANCE = f"""## The balance constraint

{HIDDEN} clusters are hidden in planted data, beside the given ones: the normalised mutual
information of the hidden clustering with the alternative, by `balance`, as mean and range over
seeds. A matching counts no more given clusters than new ones, and a profile describes objects by
their bins only: with many given clusters, balanced memberships are the strongest constraint. Where
given labels are noisy, or partly those of the hidden clusters, it is too strict, and the other two
are more robust."""


def list_sections(
    studied: Sequence[SetResult], recovered: Sequence[Recovery]
) -> Iterator[str | TextTable]:
    """Texts and tables, in order."""
    yield _TITLE
    yield _METHODS
    yield _show_methods(studied)
    yield _ASSIGNMENT
    yield _show_assignment(studied)
    yield _BINNED
    yield _show_binned(studied)
    yield _CLAIM
    yield _count_wins(studied)
    for quality, name in QUALITIES.items():
        yield f"### By {name}"
        yield _show_claim(studied, quality)
    yield _COUNTER
    yield _show_counter(studied)
    yield _BALANCE
    yield show_recovered(recovered)
    yield describe_recovered(recovered)
    yield "## Conclusions"
    yield "\n".join(f"- {lesson}" for lesson in list_findings(studied))


def _show_methods(studied: Sequence[SetResult]) -> TextTable:
    header = [
        "set", "n", "K", "method", "dissimilarity", "GDI", "DQ", "smallest", "seconds",
        "paper's seconds",
    ]  # fmt: skip
    rows = []
    for one in studied:
        paper = SECONDS.get(one.name)
        printed = {"COALA": paper.coala, "published": paper.maximus} if paper else {}
        for i, (method, answer) in enumerate(one.methods.items()):
            about = [one.title, str(one.n), str(one.clusters)] if i == 0 else ["", "", ""]
            rows.append(
                [
                    *about,
                    method,
                    _three(answer.dissimilarity),
                    _three(answer.gdi),
                    _three(answer.dq),
                    _smallest(answer),
                    f"{answer.found.seconds:.2f}",
                    f"{printed[method]:g}" if method in printed else "",
                ]
            )
    return TextTable(header, rows, left=frozenset({0, 3}))


def _show_assignment(studied: Sequence[SetResult]) -> TextTable:
    header = [
        "set", "program", "DQ exact", "DQ greedy", "seconds exact", "seconds greedy", "gap exact",
        "gap greedy",
    ]  # fmt: skip
    rows = []
    for one in studied:
        for program, greedy in one.greedy.items():
            both = (one.methods[program], greedy)
            rows.append(
                [
                    one.title,
                    program,
                    *(_three(answer.dq) for answer in both),
                    *(f"{answer.found.seconds:.2f}" for answer in both),
                    *(_three(answer.found.profile_gap or 0.0) for answer in both),
                ]
            )
    return TextTable(header, rows, left=frozenset({0, 1}))


def _show_binned(studied: Sequence[SetResult]) -> TextTable:
    header = ["set", "program", *BINNINGS, *(f"paper's {binning}" for binning in BINNINGS)]
    rows = []
    for one in studied:
        for program in PROGRAMS:
            ours = [one.binned.get((program, binning)) for binning in BINNINGS]
            paper = DQ_BY_BINNING.get(one.name) if program == "published" else None
            printed = [f"{getattr(paper, binning):.2f}" if paper else "" for binning in BINNINGS]
            cells = [_three(answer.dq) if answer else "" for answer in ours]
            rows.append([one.title, program, *cells, *printed])
    return TextTable(header, rows, left=frozenset({0, 1}))


def _count_wins(studied: Sequence[SetResult]) -> TextTable:
    header = ["won against", "by", *QUALITIES.values(), "all three at once"]
    rows = []
    for against in (("COALA",), ("published",), ("COALA", "published")):
        for stage in STAGES:
            counts = [
                sum(all(one.wins(stage, quality, other) for other in against) for one in studied)
                for quality in QUALITIES
            ]
            at_once = sum(
                all(one.wins_by_all(stage, other) for other in against) for one in studied
            )
            name = "each of them" if len(against) > 1 else against[0]
            rows.append([name, stage, *(f"{c} of {len(studied)}" for c in (*counts, at_once))])
    return TextTable(header, rows, left=frozenset({0, 1}))


def _show_claim(studied: Sequence[SetResult], quality: str) -> TextTable:
    header = [
        "set", "against", "its answer", "default", "most different as good",
        "best as different", "won by", "answers",
    ]  # fmt: skip
    rows = []
    for one in studied:
        for against in ("COALA", "published"):
            other = one.methods[against].point(quality)
            points = one.points(STAGES[-1], quality)
            won = [stage for stage in STAGES if one.wins(stage, quality, against)]
            rows.append(
                [
                    one.title,
                    against,
                    _pair(other),
                    _pair(points[0]),
                    _pair(most_different(points, other.quality)),
                    _pair(best(points, other.dissimilarity)),
                    won[0] if won else "none",
                    str(len(points)),
                ]
            )
    return TextTable(header, rows, left=frozenset({0, 1, 6}))


def _show_counter(studied: Sequence[SetResult]) -> TextTable:
    header = [
        "set", "quality", "COALA's answers", "unbeaten", "answers of objects", "unbeaten ",
        "beats the default",
    ]  # fmt: skip
    rows = []
    for one in studied:
        for quality, name in QUALITIES.items():
            ours = one.points(STAGES[-1], quality)
            theirs = [answer.point(quality) for answer in one.curve]
            beaten = sum(dominates(point, ours[0]) for point in theirs)
            rows.append(
                [
                    one.title,
                    name,
                    str(len(theirs)),
                    str(count_unbeaten(theirs, ours)),
                    str(len(ours)),
                    str(count_unbeaten(ours, theirs)),
                    str(beaten),
                ]
            )
    return TextTable(header, rows, left=frozenset({0, 1}))


def _smallest(answer: Answer) -> str:
    alone = answer.smallest == 1.0
    return "one cluster" if alone else f"{answer.smallest:.3f}{' !' * answer.degenerate}"


def _three(value: float) -> str:
    return f"{value:.3f}"


def _pair(point: Point | None) -> str:
    return f"{point.dissimilarity:.3f} / {point.quality:.3f}" if point else "none"
