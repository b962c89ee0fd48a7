"""Compare all methods for alternative clusterings, on planted data and on real data sets.

Usage: ``python -m experiments.alternatives [--help]``.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from joblib import Parallel, delayed

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.datasets.loading import FOLDER_VARIABLE
from experiments.alternatives.memory import measure_apart
from experiments.alternatives.methods import list_methods, suits
from experiments.alternatives.recovery import CONTEST, Row, run_case, run_setting
from experiments.alternatives.settings import list_settings
from experiments.alternatives.tables import Study, list_sections
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, Case, read_case
from experiments.common.sections import show_sections

_QUICK_SETS = ("hepatitis", "postoperative")
_OBJECTS = 5_000


def study_all(
    cases: Sequence[Case], *, seeds: int = 10, contests: int = 10, quick: bool = False
) -> Study:
    """Run all methods on all data, with progress bars on terminals."""
    methods = list_methods()
    if not quick:  # compile first, so that compilation is not timed
        for setting in list_settings(quick=True):
            run_setting(setting, methods, 1)
    settings = list_settings(quick=quick)
    rows = [
        run_setting(setting, methods, seeds)
        for setting in track(settings, len(settings), "planted data")
    ]
    crossed = _contest(contests, quick=quick, crossed=True)
    independent = _contest(contests, quick=quick, crossed=False)
    # Peers ignore the given clustering, and here no hidden clustering is known.
    ours = list_methods(peers=False)
    real = {
        case.name: run_case(case, ours) for case in track(cases, len(cases), "the papers' sets")
    }
    numeric = [] if quick else [name for name in methods if suits(name, categorical=False)]
    used = {name: measure_apart(name, _OBJECTS) for name in track(numeric, len(numeric), "memory")}
    known = {name: size for name, size in used.items() if size is not None}
    return Study(seeds, contests, list(methods), rows, crossed, independent, real, known, _OBJECTS)


def _contest(seeds: int, *, quick: bool, crossed: bool) -> list[Row]:
    """Run the portfolio and the references on more data sets, in parallel."""
    methods = {name: method for name, method in list_methods().items() if name in CONTEST}
    settings = list_settings(quick=quick, crossed=crossed)
    parallel = Parallel(n_jobs=-1, return_as="generator")
    rows = parallel(delayed(run_setting)(setting, methods, seeds) for setting in settings)
    what = "crossed clusterings" if crossed else "independent clusterings"
    return list(track(rows, len(settings), what))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
    try:
        cases = _read(options.data, _QUICK_SETS if options.quick else tuple(MAXIMUS_DATASETS))
        study = study_all(
            cases, seeds=options.seeds, contests=options.contests, quick=options.quick
        )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    sections = list(list_sections(study))
    show_sections(sections, options.markdown)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.alternatives", description=__doc__)
    parser.add_argument(
        "--data",
        help=f"folder of the data sets (default: {FOLDER_VARIABLE}; without it, planted data only)",
    )
    parser.add_argument("--seeds", type=int, default=10, help="data sets per setting (default: 10)")
    parser.add_argument(
        "--contests",
        type=int,
        default=10,
        help="data sets per setting for auto and the references (default: 10)",
    )
    parser.add_argument("--quick", action="store_true", help="run few and small data sets only")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    for name in ("seeds", "contests"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} {getattr(options, name)}: use at least 1.")
    return options


def _read(folder: str | None, names: Sequence[str]) -> list[Case]:
    if not folder and not os.environ.get(FOLDER_VARIABLE):
        return []
    return [read_case(name, folder) for name in names]


if __name__ == "__main__":
    sys.exit(main())
