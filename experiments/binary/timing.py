"""Time one case with each implementation."""

from collections.abc import Callable, Iterable, Mapping
from math import isclose
from time import process_time
from typing import NamedTuple, TypeVar

from clusterwise.consensus.phi.objective import inter_cluster_similarity, intra_cluster_similarity
from clusterwise.summaries.ensemble.packed import pack_ensemble
from experiments.binary.implementations import (
    Draw,
    count_cells,
    count_votes,
    count_words,
    draw,
    inter_by_bits,
    inter_from_votes,
    intra_by_bits,
    intra_from_votes,
    pack_candidate,
)
from experiments.binary.published import CLUSTERS

# Objects and clusterings.
Case = tuple[int, int]
PAIRS, BITS, OURS = "conventional", "binary, as printed", "binary, ours"
MATRIX, PACKING, ICS, ECS = "matrix", "packing", "ICS", "ECS"
# Every step is repeated for at least this number of seconds.
LEAST = 0.1
_Made = TypeVar("_Made")


class Timings(NamedTuple):
    """Milliseconds by implementation and step, memory read, and whether all values agree.

    Memory read does not depend on the computer: cells of the matrix, or words of 64 bits.
    """

    steps: Mapping[tuple[str, str], float]
    read: Mapping[str, int]
    agree: bool = True

    def judging(self, way: str) -> float:
        """Return the time of ICS and ECS of a candidate."""
        return self.steps[way, ICS] + self.steps[way, ECS]

    @property
    def matrix(self) -> float:
        """The time of the matrix, computed once for all candidates."""
        return self.steps[PAIRS, MATRIX]

    @property
    def packing(self) -> float:
        """The time of packing bits, done once for all candidates."""
        return self.steps[OURS, PACKING]


def time_case(case: Case, seeds: Iterable[int], *, whole: bool = True) -> Timings:
    """Return the minimum milliseconds over seeds; with ``whole`` of all implementations."""
    clock = _Clock()
    agree = True
    for seed in seeds:
        drawn = draw(*case, CLUSTERS, seed)
        _time_bits(clock, drawn, printed=whole)
        if whole:
            _time_pairs(clock, drawn)
        agree &= clock.values_agree()
    return Timings(clock.steps, clock.read, agree)


class _Clock:
    def __init__(self) -> None:
        self.steps: dict[tuple[str, str], float] = {}
        self.values: dict[tuple[str, str], float] = {}
        self.read: dict[str, int] = {}

    def make(self, way: str, step: str, task: Callable[[], _Made]) -> _Made:
        """Run a task, and keep its minimum time.

        Processor time is measured, which other programs on the computer affect less.
        """
        made: list[_Made] = []
        calls, spent = 0, 0.0
        began = process_time()
        while spent < LEAST:
            made.clear()  # so that there is one matrix in memory at a time
            made.append(task())
            calls, spent = calls + 1, process_time() - began
        took = 1e3 * spent / calls
        self.steps[way, step] = min(took, self.steps.get((way, step), took))
        return made[0]

    def judge(self, way: str, step: str, task: Callable[[], float]) -> None:
        """Run a task, and keep its time and value."""
        self.values[way, step] = self.make(way, step, task)

    def values_agree(self) -> bool:
        return all(isclose(one, self.values[OURS, step]) for (_, step), one in self.values.items())


def _time_bits(clock: _Clock, drawn: Draw, *, printed: bool) -> None:
    ensemble, labels = drawn
    packed = clock.make(OURS, PACKING, lambda: pack_ensemble(ensemble))
    clock.judge(OURS, ICS, lambda: intra_cluster_similarity(labels, packed))
    clock.judge(OURS, ECS, lambda: inter_cluster_similarity(labels, packed))
    if printed:
        words = packed.words
        clock.read[BITS] = count_words(words, pack_candidate(labels))
        clock.judge(BITS, ICS, lambda: intra_by_bits(words, pack_candidate(labels)))
        clock.judge(BITS, ECS, lambda: inter_by_bits(words, pack_candidate(labels)))


def _time_pairs(clock: _Clock, drawn: Draw) -> None:
    ensemble, labels = drawn
    clock.read[PAIRS] = count_cells(labels)
    votes = clock.make(PAIRS, MATRIX, lambda: count_votes(ensemble))
    clock.judge(PAIRS, ICS, lambda: intra_from_votes(votes, labels))
    clock.judge(PAIRS, ECS, lambda: inter_from_votes(votes, labels))
