"""Simulate how often the test for drift raises an alarm, without drift and with it.

Usage: ``python -m experiments.drift [--help]``.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from clusterwise._utils.progress import track
from experiments.common.sections import show_sections
from experiments.drift.settings import drift_settings, null_settings, other_settings
from experiments.drift.simulation import Setting, simulate
from experiments.drift.tables import list_sections


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
    null = null_settings(quick=options.quick)
    others = other_settings(quick=options.quick)
    drifting = drift_settings(quick=options.quick)
    settings: list[Setting] = [*null, *others.values(), *drifting]
    with ProcessPoolExecutor(options.jobs) as pool:
        running = pool.map(partial(simulate, n=options.streams), settings)
        rates = list(track(running, len(settings), "simulating"))
    first, second = len(null), len(null) + len(others)
    named = dict(zip(others, rates[first:second], strict=True))
    sections = list(list_sections(rates[:first], named, rates[second:]))
    show_sections(sections, options.markdown, width=160)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.drift", description=__doc__)
    parser.add_argument("--streams", type=int, default=1000, help="streams per setting")
    parser.add_argument("--quick", action="store_true", help="run a few settings only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.streams < 1 or (options.jobs is not None and options.jobs < 1):
        parser.error("--streams and --jobs: use at least 1.")
    return options


if __name__ == "__main__":
    sys.exit(main())
