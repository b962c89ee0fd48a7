"""Compare all consensus methods on planted blobs and on the papers' data sets.

Usage: ``python -m experiments.consensus [--help]``.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.datasets.loading import FOLDER_VARIABLE
from experiments.common.sections import show_sections
from experiments.consensus.scores import (
    PLANTED,
    SETS,
    Objects,
    Row,
    plant,
    read_set,
    run_objects,
)
from experiments.consensus.tables import list_sections


def study_all(objects: Sequence[Objects], seeds: int = 3) -> list[Row]:
    """Run all methods on all data sets, with a progress bar on terminals."""
    return [
        row for one in track(objects, len(objects), "combining") for row in run_objects(one, seeds)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
    folder = options.data or os.environ.get(FOLDER_VARIABLE)
    try:
        objects = [plant(name) for name in (PLANTED[:1] if options.quick else PLANTED)]
        if folder and not options.quick:
            objects += [read_set(name, folder) for name in SETS]
        rows = study_all(objects, options.seeds)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    sections = list(list_sections(rows, options.seeds))
    show_sections(sections, options.markdown, width=160)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.consensus", description=__doc__)
    parser.add_argument(
        "--data", help="folder of the data sets (default: CLUSTERWISE_DATA; without it, blobs only)"
    )
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds (default: 3)")
    parser.add_argument("--quick", action="store_true", help="run one set of blobs only")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: use at least 1.")
    return options


if __name__ == "__main__":
    sys.exit(main())
