"""Count false alarms on noise, and planted alternatives that are found.

Usage: ``python -m experiments.evidence [--help]``.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from clusterwise._utils.progress import track
from experiments.alternatives.settings import list_settings
from experiments.common.sections import show_sections
from experiments.common.study_options import parse_study_options
from experiments.evidence.noise import GIVEN, SHAPES
from experiments.evidence.simulation import run_noise, run_planted
from experiments.evidence.tables import list_sections


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    program = "python -m experiments.evidence"
    options = parse_study_options(program, __doc__, arguments, seeds=10)
    shapes = range(2, 4) if options.quick else range(len(SHAPES))
    givens = list(GIVEN)[:1] if options.quick else list(GIVEN)
    settings = list_settings(quick=options.quick)
    settings = settings[:2] if options.quick else settings
    with ProcessPoolExecutor(options.jobs) as pool:
        noise = [
            pool.submit(run_noise, shape, given, seed)
            for shape in shapes
            for given in givens
            for seed in range(options.seeds)
        ]
        planted = [
            pool.submit(run_planted, setting, seed)
            for setting in settings
            for seed in range(options.seeds)
        ]
        found = _collect(noise, "noise")
        recovered = _collect(planted, "planted data")
    command = f"python -m experiments.evidence --seeds {options.seeds}"
    sections = list(list_sections(found, recovered, command))
    show_sections(sections, options.markdown, width=160)
    return 0


def _collect(running: Sequence["Future[Any]"], what: str) -> list[Any]:
    return [one.result() for one in track(running, len(running), what)]


if __name__ == "__main__":
    sys.exit(main())
