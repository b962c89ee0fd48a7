"""Study the choice of ``combine("auto")`` on generated data, and check it on real data.

Usage: ``python -m experiments.consensus.choice [--help]``.
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
from experiments.consensus.choice.answers import study_answers
from experiments.consensus.choice.real import SETS, make_real, read_sets
from experiments.consensus.choice.scores import Outcome, score_ensemble
from experiments.consensus.choice.settings import HELD_OUT, KINDS, TUNING, Setting, list_settings
from experiments.consensus.choice.tables import REAL, list_sections

# The kinds of ensembles of real data sets.
_REAL_KINDS = ("K clusters", "2 to √n", "√n to 2√n", "mixed")
_REPEATS = 100


def study_settings(settings: Sequence[Setting], seeds: int) -> dict[str, list[Outcome]]:
    """Run all methods and rules on generated data."""
    return {
        one.name: [score_ensemble(*one.draw(seed), seed) for seed in range(seeds)]
        for one in track(settings, len(settings), "combining")
    }


def study_real(folder: str, seeds: int) -> dict[str, list[Outcome]]:
    """Run all methods and rules on real data sets."""
    found = {}
    for name, points, true in track(read_sets(folder), len(SETS), "real data sets"):
        for kind in _REAL_KINDS:
            found[f"{name}; {kind}"] = [
                score_ensemble(make_real(points, true, kind, seed), true, seed)
                for seed in range(seeds)
            ]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parse(arguments)
    folder = options.data or os.environ.get(FOLDER_VARIABLE)
    step = len(KINDS) * 3 if options.quick else 1
    try:
        halves = {
            half: study_settings(list_settings(half)[::step], options.seeds)
            for half in (TUNING, HELD_OUT)
        }
        if folder and not options.quick:
            halves[REAL] = study_real(folder, options.seeds)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    answers = study_answers(2 if options.quick else _REPEATS)
    sections = list(list_sections(halves, answers, options.seeds))
    show_sections(sections, options.markdown, width=240)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments.consensus.choice", description=__doc__)
    parser.add_argument(
        "--data", help="folder of the data sets (default: CLUSTERWISE_DATA; without it, none)"
    )
    parser.add_argument("--seeds", type=int, default=4, help="number of seeds (default: 4)")
    parser.add_argument("--quick", action="store_true", help="run a few settings only")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    options = parser.parse_args(arguments)
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: use at least 1.")
    return options


if __name__ == "__main__":
    sys.exit(main())
