"""Figs. 8 and 9: time against the numbers of objects and of clusters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from time import perf_counter

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import variation_of_information
from clusterwise.measures.pairs import rand_score
from clusterwise.measures.transport import css_distance, mallows_distance
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from experiments.mallows.published import (
    HARD_CLUSTERS,
    HARD_OBJECTS,
    SOFT_CLUSTERS,
    SOFT_OBJECTS,
)

_SOFT_OBJECTS = (SOFT_OBJECTS[0], 1_000, 4_000, SOFT_OBJECTS[1])
_SOFT_CLUSTERS = (SOFT_CLUSTERS[0], 5, 10, 15, 20, SOFT_CLUSTERS[1])
_HARD_OBJECTS = (HARD_OBJECTS[0], 1_000, 3_000, HARD_OBJECTS[1])
_HARD_CLUSTERS = (HARD_CLUSTERS[0], 5, 10, HARD_CLUSTERS[1])
# The fixed size while the other one grows; the paper states only 5,000.
_CLUSTERS, _SOFT_FIXED, _HARD_FIXED = 5, 5_000, 3_000
_REPEATS, _MORE_REPEATS = 5, 25
_ROWS = 500
# Times vary: "more" is 1.5 times as much, "stable" is within this factor, and time grows no faster
# than the number of objects up to this exponent.
_MORE, _STABLE, _LINEAR = 1.5, 3.0, 1.2
_BY_PAIRS, _BY_TABLE = "Rand, pair by pair", "Rand, from the table"
Times = Mapping[str, Sequence[float]]
Task = Callable[[], object]


def run_figure8(setup: Setup) -> Outcome:
    """Time VI and CC of soft clusterings."""
    by_objects = _measure(setup, _soft, [(n, _CLUSTERS) for n in _SOFT_OBJECTS])
    by_clusters = _measure(setup, _soft, [(_SOFT_FIXED, k) for k in _SOFT_CLUSTERS])
    return Outcome(
        [
            _table(f"{_CLUSTERS} clusters", "objects", _SOFT_OBJECTS, by_objects),
            _table(f"{_SOFT_FIXED} objects", "clusters", _SOFT_CLUSTERS, by_clusters),
        ],
        judge_figure8(by_objects, by_clusters),
        ("The paper shows curves without values.",),
    )


def judge_figure8(by_objects: Times, by_clusters: Times) -> list[Claim]:
    """Check the claims on Fig. 8."""
    exponents = [
        log(times[-1] / times[0]) / log(_SOFT_OBJECTS[-1] / _SOFT_OBJECTS[0])
        for times in by_objects.values()
    ]
    growth = {name: times[-1] / times[0] for name, times in by_clusters.items()}
    more = growth["CC"] > _MORE * growth["VI"]
    return [
        Claim(
            "The time of VI and CC grows no faster than the number of objects.",
            sum(exponent < _LINEAR for exponent in exponents),
            len(exponents),
        ),
        Claim(
            "CC is more sensitive to the number of clusters than VI.",
            int(more),
            why=""
            if more
            else "Both come from one pass over the memberships; solving for the transport plan "
            "takes little time in comparison.",
        ),
    ]


def run_figure9(setup: Setup) -> Outcome:
    """Time CSS and two implementations of Rand for hard clusterings."""
    by_objects = _measure(setup, _hard, [(n, _CLUSTERS) for n in _HARD_OBJECTS])
    by_clusters = _measure(setup, _hard, [(_HARD_FIXED, k) for k in _HARD_CLUSTERS])
    return Outcome(
        [
            _table(f"{_CLUSTERS} clusters", "objects", _HARD_OBJECTS, by_objects),
            _table(f"{_HARD_FIXED} objects", "clusters", _HARD_CLUSTERS, by_clusters),
        ],
        judge_figure9(by_objects, by_clusters),
        (
            "The paper shows curves without values. A Rand index that is slower than CSS for many "
            "objects must have been computed pair by pair, so this is timed, too.",
        ),
    )


def judge_figure9(by_objects: Times, by_clusters: Times) -> list[Claim]:
    """Check the claims on Fig. 9 for both implementations of Rand."""
    rands = (_BY_PAIRS, _BY_TABLE)
    faster, still = (
        [name for name in rands if times[name][-1] > _MORE * times["CSS"][-1]]
        for times in (by_objects, by_clusters)
    )
    stable = [name for name in rands if max(by_clusters[name]) < _STABLE * min(by_clusters[name])]
    why = "Rand is slower if computed pair by pair, and faster from a contingency table."
    return [
        Claim(
            "CSS is much faster than Rand with many objects (per implementation of Rand).",
            len(faster),
            2,
            why if faster == [_BY_PAIRS] else "",
        ),
        Claim("The time of Rand hardly depends on the number of clusters.", len(stable), 2),
        Claim(
            "CSS is faster than Rand with many clusters, too (per implementation of Rand).",
            len(still),
            2,
            why if still == [_BY_PAIRS] else "",
        ),
    ]


def count_agreeing(a: Array, b: Array) -> float:
    """Return the Rand index, pair by pair."""
    agreeing = 0
    for start in range(0, a.size, _ROWS):
        rows = slice(start, start + _ROWS)
        agreeing += int(((a[rows, None] == a) == (b[rows, None] == b)).sum())
    return (agreeing - a.size) / (a.size * (a.size - 1))


def _soft(n: int, clusters: int) -> dict[str, Task]:
    random = np.random.default_rng(n + clusters)
    first, second = (random.dirichlet(np.ones(clusters), n) for _ in range(2))
    return {
        "VI": lambda: variation_of_information(first, second),
        "CC": lambda: mallows_distance(first, second),
    }


def _hard(n: int, clusters: int) -> dict[str, Task]:
    random = np.random.default_rng(n + clusters)
    first, second = (random.integers(clusters, size=n) for _ in range(2))
    points = random.normal(size=(n, 2))
    return {
        "CSS": lambda: css_distance(first, second, points),
        _BY_PAIRS: lambda: count_agreeing(first, second),
        _BY_TABLE: lambda: rand_score(first, second),
    }


def _measure(
    setup: Setup, make: Callable[[int, int], dict[str, Task]], sizes: Sequence[tuple[int, int]]
) -> dict[str, list[float]]:
    """Return the minimum milliseconds of several runs, after a warm-up."""
    repeats = _MORE_REPEATS if setup.full else _REPEATS
    found: dict[str, list[float]] = {}
    for n, clusters in track(sizes, len(sizes), "times", setup.progress):
        for name, task in make(n, clusters).items():
            task()
            found.setdefault(name, []).append(min(_timed(task) for _ in range(repeats)))
    return found


def _timed(task: Task) -> float:
    began = perf_counter()
    task()
    return 1e3 * (perf_counter() - began)


def _table(title: str, what: str, sizes: Iterable[int], times: Times) -> Table:
    lines = [
        Line((str(size), name), value)
        for i, size in enumerate(sizes)
        for name, value in ((name, some[i]) for name, some in times.items())
    ]
    return Table(f"Milliseconds, {title}", (what, "measure"), lines)


FIGURE8 = Experiment(
    "mallows-fig8", "Time of soft comparison against n and K", "Fig. 8, sec. 5.3", run_figure8
)
FIGURE9 = Experiment(
    "mallows-fig9", "Time of hard comparison against n and K", "Fig. 9, sec. 5.3", run_figure9
)
