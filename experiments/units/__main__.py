"""Compare ways to scale features before the search for alternatives, on data in mixed units.

Usage: ``python -m experiments.units [--help]``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from joblib import Parallel, delayed

from clusterwise._utils.progress import track
from experiments.common.sections import show_sections
from experiments.units.recovery import Recovery, numeric_settings, recover
from experiments.units.tables import list_sections


def study(*, seeds: int = 10, quick: bool = False) -> list[Recovery]:
    """Run all settings, with a progress bar on terminals."""
    tasks = [(setting, seed) for setting in numeric_settings(quick=quick) for seed in range(seeds)]
    parallel = Parallel(n_jobs=1 if quick else -1, return_as="generator")
    runs = parallel(delayed(recover)(setting, seed) for setting, seed in tasks)
    return [one for run in track(runs, len(tasks), "planted data") for one in run]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser("python -m experiments.units", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="data sets per setting (default: 10)")
    parser.add_argument("--quick", action="store_true", help="run small data sets only")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: use at least 1.")
    found = study(seeds=options.seeds, quick=options.quick)
    sections = list(list_sections(found, options.seeds))
    show_sections(sections, options.markdown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
