"""The results of all methods on one data set, and comparisons of them."""

from typing import NamedTuple

from experiments.common.maximus_datasets import MAXIMUS_DATASETS
from experiments.maximus.pareto import Point, dominates
from experiments.maximus.scores import QUALITIES, Answer

# Sets of answers of the object-level program that are compared with the other methods.
STAGES = (
    "the default answer",
    "the default answer, with local search",
    "the answer with the best DQ",
    "any tolerance",
    "any answer without local search",
    "any answer",
)
# Groups of settings.
DEFAULT_SEARCHED, SEARCHED = "default, local search", "local search"


class SetResult(NamedTuple):
    """The answers on one data set.

    ``methods`` and ``greedy`` are by method, ``binned`` by program and binning. ``sweep`` has all
    distinct answers of the object-level program, the default one first, and ``curve`` those of
    COALA for thresholds from 0 to 1.
    """

    name: str
    n: int
    clusters: int
    methods: dict[str, Answer]
    greedy: dict[str, Answer]
    binned: dict[tuple[str, str], Answer]
    sweep: list[Answer]
    curve: list[Answer]

    @property
    def title(self) -> str:
        """Its name in the paper."""
        return MAXIMUS_DATASETS[self.name]

    def answers(self, stage: str) -> list[Answer]:
        """Return the answers of the object-level program in one of the stages."""
        if stage == STAGES[0]:
            return self.sweep[:1]
        if stage == STAGES[1]:
            searched = [one for one in self.sweep if one.found.group == DEFAULT_SEARCHED]
            return searched or self.sweep[:1]
        if stage == STAGES[2]:
            return [max(self.sweep, key=lambda answer: answer.dq)]
        if stage == STAGES[3]:
            return [one for one in self.sweep if one.found.group in ("default", "tolerance")]
        if stage == STAGES[4]:
            return [one for one in self.sweep if not one.found.group.endswith(SEARCHED)]
        return self.sweep

    def points(self, stage: str, quality: str) -> list[Point]:
        """The scores of these answers by one of the qualities."""
        return [answer.point(quality) for answer in self.answers(stage)]

    def wins(self, stage: str, quality: str, against: str) -> bool:
        """Whether one of these answers dominates that of a method."""
        reference = self.methods[against].point(quality)
        return any(dominates(point, reference) for point in self.points(stage, quality))

    def loses(self, stage: str, quality: str, against: str) -> bool:
        """Whether the answer of a method dominates all of these answers."""
        reference = self.methods[against].point(quality)
        return all(dominates(reference, point) for point in self.points(stage, quality))

    def wins_by_all(self, stage: str, against: str) -> bool:
        """Whether one answer dominates that of a method by all qualities at once."""
        reference = self.methods[against]
        return any(
            all(dominates(one.point(quality), reference.point(quality)) for quality in QUALITIES)
            for one in self.answers(stage)
        )
