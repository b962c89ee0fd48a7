"""Search wide and correlated data for the clustering that is not given.

Usage: ``python -m experiments.wide [--help]``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from joblib import Parallel, delayed

from clusterwise._utils.progress import track
from experiments.common.sections import show_sections
from experiments.wide.data import SETTINGS
from experiments.wide.recovery import run_setting
from experiments.wide.tables import list_sections


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser("python -m experiments.wide", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="data sets per setting (default: 5)")
    parser.add_argument("--quick", action="store_true", help="run one setting of few features")
    parser.add_argument("--jobs", type=int, default=-1, help="number of processes")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: use at least 1.")
    indices = [7] if options.quick else range(len(SETTINGS))
    tasks = [(index, seed) for index in indices for seed in range(options.seeds)]
    parallel = Parallel(n_jobs=1 if options.quick else options.jobs, return_as="generator")
    runs = parallel(delayed(run_setting)(index, seed) for index, seed in tasks)
    outcomes = list(track(runs, len(tasks), "wide data"))
    command = f"python -m experiments.wide --seeds {options.seeds}"
    show_sections(list(list_sections(outcomes, command)), options.markdown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
