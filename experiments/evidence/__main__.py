"""Count false alarms on noise, and planted alternatives that are found.

Usage: ``python -m experiments.evidence [--help]``.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

from clusterwise._utils.progress import track
from experiments.alternatives.settings import list_settings
from experiments.common.sections import show_sections
from experiments.evidence.noise import GIVEN, SHAPES
from experiments.evidence.simulation import run_noise, run_planted
from experiments.evidence.tables import list_sections


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
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


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.evidence", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="data sets per setting (default: 10)")
    parser.add_argument("--quick", action="store_true", help="run a few small settings only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1 or (options.jobs is not None and options.jobs < 1):
        parser.error("--seeds and --jobs: use at least 1.")
    return options


if __name__ == "__main__":
    sys.exit(main())
