"""Real data sets: only a check, nothing is chosen by them."""

from collections.abc import Iterator

from clusterwise.inputs.encoding import Array
from experiments.common.maximus_datasets import read_case
from experiments.consensus.choice.settings import KINDS

SETS = (
    "australian", "breast-cancer", "bupa", "car", "colic", "diabetes", "eucalyptus", "german",
    "glass", "heart-statlog", "hepatitis", "ionosphere", "iris", "kr-vs-kp", "new-thyroid",
    "postoperative", "sonar", "spect", "tic-tac-toe", "vehicle", "vote", "wine",
)  # fmt: skip


def read_sets(folder: str) -> Iterator[tuple[str, Array, Array]]:
    """Yield name, points and classes of each data set."""
    for name in SETS:
        case = read_case(name, folder)
        yield name, case.points, case.given


def make_real(points: Array, true: Array, kind: str, seed: int) -> Array:
    """Return members of a kind."""
    return KINDS[kind](points, int(true.max()) + 1, seed)
