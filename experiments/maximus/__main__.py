"""Compare MAXIMUS with COALA and the published values on the thirteen data sets of its paper.

Usage: ``python -m experiments.maximus [--help]``.
"""

import argparse
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from threadpoolctl import threadpool_limits

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.tables import TextTable
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, Case, read_case
from experiments.maximus.balance import SETTINGS, recover
from experiments.maximus.results import DEFAULT_SEARCHED, SetResult
from experiments.maximus.scores import Answer, Found, distinct, score_answers
from experiments.maximus.sweep import (
    BINNINGS,
    PROGRAMS,
    Settings,
    list_settings,
    run_coala,
    run_curve,
    run_maximus,
)
from experiments.maximus.tables import list_sections

Key = TypeVar("Key", bound=Hashable)


def study(case: Case, *, seeds: int = 2, quick: bool = False) -> SetResult:
    """Run everything on one data set.

    BLAS uses one thread, which is fastest for small tables.
    """
    with threadpool_limits(1):
        return _study(case, seeds, quick)


def _study(case: Case, seeds: int, quick: bool) -> SetResult:
    coala, least_size = run_coala(case)

    def run(group: str, **parameters: Any) -> Found:
        return run_maximus(case, least_size, Settings(group, parameters), 0)

    profiles = ("published", "profile")
    methods = {"COALA": coala, **{name: run(name, program=name) for name in profiles}}
    methods["objects"] = run("default")
    greedy = {name: run(name, program=name, assignment="greedy") for name in profiles}
    cuts = BINNINGS if case.numbers else BINNINGS[:1]
    binned = {
        (name, cut): methods[name]
        if cut == "width" and name in methods
        else run(name, **parameters, binning=cut)
        for name, parameters in PROGRAMS.items()
        for cut in cuts
    }
    swept = [
        run_maximus(case, least_size, settings, seed)
        for settings in list_settings(case, least_size, quick=quick)
        for seed in range(1 if settings.once else seeds)
    ]
    swept.insert(0, run(DEFAULT_SEARCHED, local_search=True))
    sweep = distinct([methods["objects"], *(one for one in swept if one.feasible)])
    curve = distinct(run_curve(case, least_size))
    everything = [*methods.values(), *greedy.values(), *binned.values(), *sweep, *curve]
    scored = iter(score_answers(case.points, case.given, everything))

    def take(found: Mapping[Key, Found]) -> dict[Key, Answer]:
        return {key: next(scored) for key in found}

    return SetResult(
        case.name, case.n, case.clusters, take(methods), take(greedy), take(binned),
        [next(scored) for _ in sweep], list(scored),
    )  # fmt: skip


def study_all(cases: Sequence[Case], *, seeds: int = 2, quick: bool = False) -> list[SetResult]:
    """Run everything on all data sets, with a progress bar on terminals."""
    if not quick:  # a first run compiles all kernels
        study(min(cases, key=lambda case: case.n), seeds=1, quick=True)
    return [
        study(case, seeds=seeds, quick=quick)
        for case in track(cases, len(cases), "finding alternatives")
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    options = _parse(arguments)
    names = options.sets.split(",") if options.sets else list(MAXIMUS_DATASETS)
    try:
        cases = list(_read(names, options.data))
        studied = study_all(cases, seeds=options.seeds, quick=options.quick)
        recovered = recover(1, tuple(SETTINGS)[3:4]) if options.quick else recover()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    sections = list(list_sections(studied, recovered))
    if options.markdown:
        _write(options.markdown, sections)
    console = Console(width=None if sys.stdout.isatty() else 160)
    for section in sections:
        console.print(section, markup=False, highlight=False)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.maximus", description=__doc__)
    parser.add_argument("--data", help="folder of the data sets (default: CLUSTERWISE_DATA)")
    parser.add_argument(
        "--seeds", type=int, default=2, help="number of seeds per setting (default: 2)"
    )
    parser.add_argument("--sets", help="names of data sets, separated by commas (default: all)")
    parser.add_argument("--quick", action="store_true", help="run few settings only")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: use at least 1.")
    return options


def _read(names: Sequence[str], folder: str | None) -> Iterator[Case]:
    for name in names:
        if name not in MAXIMUS_DATASETS:
            raise InputError(f"{name!r} is not one of the sets; use {', '.join(MAXIMUS_DATASETS)}.")
        yield read_case(name, folder)


def _write(file: Path, sections: Sequence[str | TextTable]) -> None:
    parts = [
        section.markdown() if isinstance(section, TextTable) else section for section in sections
    ]
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
