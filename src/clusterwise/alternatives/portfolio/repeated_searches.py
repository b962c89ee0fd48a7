"""Whether an alternative is found again from other seeds, on other objects."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.portfolio.choice import Chosen
from clusterwise.alternatives.portfolio.members import Deadline
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score

# Searches are repeated this many times, each on this proportion of the objects.
REPEATS = 5
_PROPORTION = 0.9
# An alternative is found again from this adjusted Rand index on.
_FOUND = 0.75


class Stability(NamedTuple):
    """The number of searches that found an alternative again, of all, and the mean ARI."""

    found: int
    repeats: int
    mean: float


class RepeatedSearch(NamedTuple):
    """The objects of one search, and what it found among them, best first."""

    rows: Array
    found: Sequence[Chosen]


def repeat_searches(
    search: Callable[[Array, int], Sequence[Chosen]],
    n: int,
    random: np.random.RandomState,
    *,
    most_objects: int,
    deadline: Deadline,
    progress: bool | None = False,
) -> list[RepeatedSearch]:
    """Repeat the search on random objects.

    ``search`` takes the indices of objects and a seed. None begins once the deadline has passed,
    and one that it cuts short does not count.
    """
    size = min(max(2, int(_PROPORTION * n)), most_objects)
    repeated: list[RepeatedSearch] = []
    most = 0 if deadline.passed else REPEATS
    for _ in track(range(most), most, "searching again", progress):
        rows = np.sort(random.choice(n, size, replace=False))
        try:
            found = search(rows, random.randint(1 << 30))
        except InputError:  # these objects alone cannot be clustered
            found = []
        if deadline.passed:
            break
        repeated.append(RepeatedSearch(rows, found))
    return repeated


def measure_stability(
    chosen: Sequence[Chosen], repeated: Sequence[RepeatedSearch]
) -> list[Stability | None]:
    """Compare each alternative with what was found again; None if no search was repeated."""
    return [_measure(one.labels, repeated) if repeated else None for one in chosen]


def _measure(labels: Array, repeated: Sequence[RepeatedSearch]) -> Stability:
    values = [
        max((float(adjusted_rand_score(labels[rows], one.labels)) for one in found), default=0.0)
        for rows, found in repeated
    ]
    return Stability(sum(value >= _FOUND for value in values), len(values), float(np.mean(values)))
