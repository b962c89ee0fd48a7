"""Experiments run, and what came of them on paper."""

from collections.abc import Iterator, Sequence
from os import PathLike
from time import perf_counter
from typing import Any, NamedTuple

from clusterwise._utils.tables import TextTable
from experiments.catalogue import PAPERS
from experiments.experiment import Experiment, Outcome, Setup

_VERDICTS = ["claim", "verdict", "why"]
_INTRODUCTION = """\
# The papers' claims, and what became of them

Written by `clusterwise papers verdicts --output docs/papers.md` (`make papers`). Every verdict is
computed from a run of ours; `clusterwise papers run NAME` prints the numbers behind it, beside the
published ones. Seeds and sizes are those of the quick form unless it says otherwise."""


class Ran(NamedTuple):
    """An experiment that was run."""

    experiment: Experiment
    setup: Setup
    outcome: Outcome
    seconds: float


def run_experiment(
    experiment: Experiment,
    folder: str | PathLike[str] | None = None,
    seeds: int | None = None,
    *,
    full: bool = False,
    fetch: bool = False,
) -> Ran:
    """Run one experiment; the same seeds give the same tables, but for times."""
    usual = experiment.full_seeds if full else None
    setup = Setup(seeds or usual or experiment.seeds, folder, full, fetch)
    began = perf_counter()
    outcome = experiment.run(setup)
    return Ran(experiment, setup, outcome, perf_counter() - began)


def text(done: Sequence[Ran]) -> str:
    """Everything as plain text."""
    parts = (part.text() if isinstance(part, TextTable) else part for part in _parts(done))
    return "\n\n".join(parts)


def markdown(done: Sequence[Ran]) -> str:
    """Everything as Markdown."""
    parts = (
        part.markdown() if isinstance(part, TextTable) else part for part in _parts(done, "## ")
    )
    return "\n\n".join(parts)


def group(done: Sequence[Ran]) -> Any:
    """Everything for a terminal."""
    from rich.console import Group
    from rich.text import Text

    return Group(*(part if isinstance(part, TextTable) else Text(part) for part in _parts(done)))


def page(done: Sequence[Ran]) -> str:
    """The verdicts on all claims, paper by paper."""
    parts = [_INTRODUCTION, _count(done)]
    for number, (_, title) in PAPERS.items():
        some = [ran for ran in done if ran.experiment.paper == number]
        if not some:
            continue
        parts.append(f"## {number}: {title}")
        for ran in some:
            one = ran.experiment
            parts.append(f"### {one.title} ({one.where})")
            parts.append(f"`clusterwise papers run {one.name}`, {_described(ran)}.")
            parts.append(_claims(ran.outcome).markdown())
            parts += ran.outcome.remarks
    return "\n\n".join(parts)


def _parts(done: Sequence[Ran], heading: str = "") -> Iterator[TextTable | str]:
    for ran in done:
        one = ran.experiment
        yield f"{heading}{one.name}: {one.title} ({one.where}), {_described(ran)}"
        for table in ran.outcome.tables:
            yield table.text_table()
        if ran.outcome.claims:
            yield _claims(ran.outcome)
        yield from ran.outcome.remarks


def _described(ran: Ran) -> str:
    seeds = "1 seed" if ran.setup.seeds == 1 else f"{ran.setup.seeds} seeds"
    return f"{seeds}, everything" if ran.setup.full else f"{seeds}, quick"


def _claims(outcome: Outcome) -> TextTable:
    rows = [[claim.sentence, claim.verdict, claim.why] for claim in outcome.claims]
    return TextTable(_VERDICTS, rows, "", frozenset(range(3)))


def _count(done: Sequence[Ran]) -> str:
    claims = [claim for ran in done for claim in ran.outcome.claims]
    whole = sum(claim.holds == claim.of for claim in claims)
    none = sum(claim.holds == 0 < claim.of for claim in claims)
    return (
        f"Of {len(claims)} claims {whole} hold, {len(claims) - whole - none} hold in part and "
        f"{none} do not."
    )
