"""Run experiments, and print their outcomes as text, Markdown or a page of verdicts."""

from collections.abc import Iterator, Sequence
from os import PathLike
from time import perf_counter
from typing import Any, NamedTuple

from clusterwise._utils.tables import TextTable, format_count
from experiments.catalogue import PAPERS
from experiments.common.experiment import Experiment, Outcome, Setup

_VERDICTS = ["claim", "verdict", "why"]
_INTRODUCTION = """\
# Verdicts on the papers' claims

Written by `python -m experiments verdicts --output docs/results/papers.md` (`make papers`). Every
verdict is computed from our own run; `python -m experiments run NAME` prints the values behind it
next to the published ones. Numbers of seeds and sizes are those of the quick form unless stated
otherwise."""


class Run(NamedTuple):
    """One run of an experiment."""

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
) -> Run:
    """Run one experiment; the same number of seeds gives the same tables, except for times."""
    usual = experiment.full_seeds if full else None
    setup = Setup(seeds or usual or experiment.seeds, folder, full, fetch)
    began = perf_counter()
    outcome = experiment.run(setup)
    return Run(experiment, setup, outcome, perf_counter() - began)


def as_text(runs: Sequence[Run]) -> str:
    """Return the outcomes as plain text."""
    parts = (part.text() if isinstance(part, TextTable) else part for part in _parts(runs))
    return "\n\n".join(parts)


def as_markdown(runs: Sequence[Run]) -> str:
    """Return the outcomes as Markdown."""
    parts = (
        part.markdown() if isinstance(part, TextTable) else part for part in _parts(runs, "## ")
    )
    return "\n\n".join(parts)


def as_rich(runs: Sequence[Run]) -> Any:
    """Return the outcomes as a rich renderable for a terminal."""
    from rich.console import Group
    from rich.text import Text

    return Group(*(part if isinstance(part, TextTable) else Text(part) for part in _parts(runs)))


def as_page(runs: Sequence[Run]) -> str:
    """Return the verdicts on all claims, paper by paper, as a Markdown page."""
    parts = [_INTRODUCTION, _count(runs)]
    for paper, title in PAPERS.items():
        chosen = [run for run in runs if run.experiment.paper == paper]
        if not chosen:
            continue
        parts.append(f"## {paper}: {title}")
        for run in chosen:
            one = run.experiment
            parts.append(f"### {one.title} ({one.where})")
            parts.append(f"`python -m experiments run {one.name}`, {_describe(run)}.")
            parts.append(_claims(run.outcome).markdown())
            parts += run.outcome.remarks
    return "\n\n".join(parts)


def _parts(runs: Sequence[Run], heading: str = "") -> Iterator[TextTable | str]:
    for run in runs:
        one = run.experiment
        yield f"{heading}{one.name}: {one.title} ({one.where}), {_describe(run)}"
        for table in run.outcome.tables:
            yield table.text_table()
        if run.outcome.claims:
            yield _claims(run.outcome)
        yield from run.outcome.remarks


def _describe(run: Run) -> str:
    form = "full" if run.setup.full else "quick"
    return f"{format_count(run.setup.seeds, 'seed')}, {form}"


def _claims(outcome: Outcome) -> TextTable:
    rows = [[claim.sentence, claim.verdict, claim.why] for claim in outcome.claims]
    return TextTable(_VERDICTS, rows, "", frozenset(range(3)))


def _count(runs: Sequence[Run]) -> str:
    claims = [claim for run in runs for claim in run.outcome.claims]
    whole = sum(claim.holds == claim.of for claim in claims)
    none = sum(claim.holds == 0 < claim.of for claim in claims)
    return (
        f"Of {len(claims)} claims, {whole} hold, {len(claims) - whole - none} hold in part and "
        f"{none} do not hold."
    )
