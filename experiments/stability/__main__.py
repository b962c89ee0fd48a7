"""Count noise that is called stable, and planted clusters that are.

Usage: ``python -m experiments.stability [--help]``.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from clusterwise._utils.progress import track
from experiments.common.sections import show_sections
from experiments.common.study_options import parse_study_options
from experiments.evidence.noise import SHAPES
from experiments.stability.simulation import SETTINGS, NoiseOutcome, run_noise, run_planted
from experiments.stability.tables import list_sections


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    program = "python -m experiments.stability"
    options = parse_study_options(program, __doc__, arguments, seeds=5)
    shapes = range(2, 3) if options.quick else range(len(SHAPES))
    settings = SETTINGS[:1] if options.quick else SETTINGS
    with ProcessPoolExecutor(options.jobs) as pool:
        noise = [
            pool.submit(_run_noise, shape, seed)
            for shape in shapes
            for seed in range(options.seeds)
        ]
        planted = [
            pool.submit(run_planted, setting, seed)
            for setting in settings
            for seed in range(options.seeds)
        ]
        found = [one for done in track(noise, len(noise), "noise") for one in done.result()]
        recovered = [one.result() for one in track(planted, len(planted), "planted data")]
    command = f"python -m experiments.stability --seeds {options.seeds}"
    show_sections(list(list_sections(found, recovered, command)), options.markdown, width=160)
    return 0


def _run_noise(shape: int, seed: int) -> list[NoiseOutcome]:
    # Functions of shapes cannot be sent to another process, their positions can.
    return run_noise(SHAPES[shape], seed)


if __name__ == "__main__":
    sys.exit(main())
