"""The command-line options of studies that draw data sets."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path


def parse_study_options(
    program: str, description: str | None, arguments: Sequence[str] | None, *, seeds: int
) -> argparse.Namespace:
    """Return the options; ``seeds`` is the default number of data sets per setting."""
    parser = argparse.ArgumentParser(program, description=description)
    parser.add_argument(
        "--seeds", type=int, default=seeds, help=f"data sets per setting (default: {seeds})"
    )
    parser.add_argument("--quick", action="store_true", help="run a few small settings only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1 or (options.jobs is not None and options.jobs < 1):
        parser.error("--seeds and --jobs: use at least 1.")
    return options
