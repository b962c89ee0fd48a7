"""The search for alternatives among the objects of a sample: methods, choice, repeated searches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from clusterwise._utils.progress import track
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.minimum_size import guard_size, least_size
from clusterwise.alternatives.portfolio.choice import ChoiceOptions, ChoiceResult, Chosen, choose
from clusterwise.alternatives.portfolio.members import Attempt, Deadline, list_members, run_members
from clusterwise.alternatives.portfolio.n_clusters import screen_counts
from clusterwise.alternatives.portfolio.repeated_searches import (
    RepeatedSearch,
    repeat_searches,
)
from clusterwise.alternatives.portfolio.same_clusters import is_same
from clusterwise.alternatives.portfolio.sampling import Extension
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.model import (
    MixedData,
    MixedObjects,
    find_components,
    project,
)
from clusterwise.alternatives.scoring import Scorer
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.encoding import Array

QUALITY = "canonical"
DISSIMILARITY = "adjusted_mutual_info_score"
# An alternative is clear if its DQ by the default measures is at least this.
_CLEAR = 0.89
# Numbers of clusters that are tried if no other has evidence, beside that of the given clustering.
_FALLBACK_COUNTS = (3, 5)
# Searches are repeated on at most this many objects.
_MOST_REPEATED = 1_000
# Labels are not refined with more given clusters than this: the time grows with their third power.
_MOST_GIVEN_CLUSTERS = 1_000


@dataclass(frozen=True)
class SearchSettings:
    """What the caller asked for."""

    n_alternatives: int | None
    n_clusters: int | None
    min_cluster_size: float | None
    guard: bool
    refine: bool

    def least(self, n: int, clusters: int) -> int:
        """Return the smallest size of a cluster."""
        if self.guard:
            return guard_size(n, clusters)
        return least_size(self.min_cluster_size, 1, n)

    def min_size(self, n: int, clusters: int) -> float | None:
        """Return the smallest size of a cluster as methods take it."""
        return guard_size(n, clusters) if self.guard else self.min_cluster_size


class SampleSearch:
    """The search for alternatives among the objects of a sample."""

    def __init__(
        self,
        problem: AlternativeProblem,
        data: MixedData,
        settings: SearchSettings,
        deadline: Deadline,
    ) -> None:
        assert problem.given is not None
        self.problem, self.data, self.given = problem, data, problem.given
        self.settings, self.deadline = settings, deadline
        self.members = list_members(problem.n, problem.points.shape[1])
        few = sum(self.given.sizes) <= _MOST_GIVEN_CLUSTERS
        self.options = ChoiceOptions(
            adapt=settings.n_clusters is None,
            refine=settings.refine and few,
            least=partial(settings.least, problem.n),
            deadline=deadline,
            limit=settings.n_alternatives,
        )

    @cached_property
    def model(self) -> EvidenceModel:
        """The evidence in addition to the given clusterings."""
        return EvidenceModel(self.data, self.given)

    def run(self, seed: int, *, progress: bool | None = False) -> ChoiceResult:
        """Run all methods, and choose among what they find.

        If the number of clusters is chosen, it is the one with the largest ICL for k-means. If
        there is no evidence, others are tried.
        """
        attempts, counts = self._screen(self.given, seed)
        scorer = Scorer(self.problem, self.given.codes, QUALITY, DISSIMILARITY, as_points=True)

        def is_clear(one: Attempt) -> bool:
            sound = not describe_sizes(one.labels).degenerate
            return sound and scorer.score(one.labels).dq >= _CLEAR

        def run(count: int) -> list[Attempt]:
            if attempts and self.deadline.passed:
                return []
            parameters = self._parameters(count, seed)
            return run_members(
                self.problem, parameters, self.deadline,
                members=self.members, is_clear=is_clear, progress=progress,
            )  # fmt: skip

        for count in counts:
            attempts += run(count)
        convincing = (self.model.evidence(one.labels) > 0 for one in attempts)
        if self.options.adapt and not any(convincing):
            for count in sorted({*_FALLBACK_COUNTS, self.given.sizes[0]} - {1, *counts}):
                attempts += run(count) if count <= self.problem.n else []
        search = partial(self._search_further, seed=seed)
        return choose(attempts, self.data, self.given, self.options, search, self.model)

    def _search_further(self, given: Given, counts: Sequence[int], seed: int) -> list[Attempt]:
        """Return what is found beside given clusterings.

        All methods search for these numbers of clusters, or the fast ones for a number that is
        chosen by the evidence.
        """
        problem = self.problem.with_given(given)
        if counts:
            attempts: list[Attempt] = []
            members = list(self.members)
        else:
            attempts, counts = self._screen(given, seed)
            members = [one for one in self.members if one.fast]
        for count in counts[:2]:
            if attempts and self.deadline.passed:
                break
            parameters = self._parameters(count, seed)
            attempts += run_members(problem, parameters, self.deadline, members=members)
        return attempts

    def repeat(
        self,
        chosen: Sequence[Chosen],
        random: np.random.RandomState,
        progress: bool | None,
    ) -> list[RepeatedSearch]:
        """Search again on some of the objects, for the same numbers of clusters.

        The fast methods are run, and those that found the alternatives.
        """
        if not chosen:
            return []
        counts = list(dict.fromkeys(int(one.labels.max()) + 1 for one in chosen))
        successful = [one.attempt.member for one in chosen]
        members = [
            one for one in self.members if one.fast or any(one is other for other in successful)
        ]

        def search(rows: Array, seed: int) -> list[Chosen]:
            part = self.problem.take(rows)
            attempts: list[Attempt] = []
            least = partial(self._least_of_part, rows.size)
            for count in counts:
                parameters = self._parameters(count, seed)
                if parameters["min_cluster_size"] is not None:
                    parameters["min_cluster_size"] = least(count)
                attempts += run_members(part, parameters, self.deadline, members=members)
            assert part.given is not None
            # Of several alternatives that are as good, fewer may have been asked for.
            limit = len(chosen) if self.options.limit is None else None
            options = self.options._replace(adapt=False, limit=limit, least=least, keep_rest=False)
            result = choose(attempts, self.data.take(rows), part.given, options)
            every = [*result.convincing, *result.unconvincing]
            return every[: max(len(chosen), len(result.convincing))]

        return repeat_searches(
            search,
            self.problem.n,
            random,
            most_objects=_MOST_REPEATED,
            deadline=self.deadline,
            progress=progress,
        )

    def choose_again(
        self, chosen: ChoiceResult, repeated: Sequence[RepeatedSearch]
    ) -> ChoiceResult:
        """Choose once more, if a repeated search found something with more evidence.

        So the answer depends less on the seed.
        """
        if not chosen.convincing or self.deadline.passed:
            return chosen
        most = chosen.convincing[0].evidence
        better = []
        for rows, found in repeated:
            extension = Extension(self.data, self.given, rows, None)
            for one in found:
                labels = extension.extend(one.labels)
                known = any(is_same(labels, other.labels) for other in chosen.convincing)
                if not known and self.model.evidence(labels) > most:
                    better.append(one.attempt._replace(labels=labels))
        if not better:
            return chosen
        attempts = [one.attempt for one in (*chosen.convincing, *chosen.unconvincing)]
        search = partial(self._search_further, seed=0)
        return choose([*attempts, *better], self.data, self.given, self.options, search, self.model)

    def _least_of_part(self, size: int, clusters: int) -> int:
        """Return the smallest size of a cluster among some of the objects.

        Half of what it is in proportion, since by chance a cluster may have fewer.
        """
        n = self.problem.n
        return max(1, self.settings.least(n, clusters) * size // (2 * n))

    def permute(
        self, count: int, random: np.random.RandomState, progress: bool | None
    ) -> list[float]:
        """Return the largest evidence that the same search finds in each permuted data set.

        The values of each feature are permuted within the given clusters, each on its own. A search
        that the deadline cuts short does not count.
        """
        found: list[float] = []
        for _ in track(range(count), count, "searching permuted data", progress):
            problem = _permute(self.problem, random)
            assert problem.given is not None
            data = MixedObjects(problem.features, problem.objects).take()
            data = project(data, find_components(data, problem.given))
            search = SampleSearch(problem, data, self.settings, self.deadline)
            best = search.run(random.randint(1 << 30))
            if self.deadline.passed:
                warn_user(
                    f"there was time for {len(found)} of {count} permuted data sets; pass a larger "
                    "budget.",
                )
                break
            every = (*best.convincing, *best.unconvincing)
            found.append(max((one.evidence for one in every), default=-np.inf))
        return found

    def _screen(self, given: Given, seed: int) -> tuple[list[Attempt], list[int]]:
        """Return the numbers of clusters to search, best first, and what was found on the way."""
        if self.settings.n_clusters is not None:
            return [], [self.settings.n_clusters]
        model = self.model if given is self.given else EvidenceModel(self.data, given)
        found = screen_counts(self.problem, model, self.options.least, seed, self.deadline)
        return found.attempts, found.counts[:1]

    def _parameters(self, count: int, seed: int) -> dict[str, Any]:
        return {
            "n_clusters": count,
            "n_alternatives": self.settings.n_alternatives or 1,
            "min_cluster_size": self.settings.min_size(self.problem.n, count),
            "random_state": seed,
        }


def _permute(problem: AlternativeProblem, random: np.random.RandomState) -> AlternativeProblem:
    """Return the problem with the values of each feature permuted within the given clusters."""
    assert problem.given is not None
    cells = problem.given.joint
    members = [np.flatnonzero(cells == cell) for cell in range(int(cells.max()) + 1)]
    columns = []
    for column in problem.features.columns:
        order = np.arange(problem.n)
        for rows in members:
            order[rows] = rows[random.permutation(rows.size)]
        columns.append(replace(column, data=column.data[order]))
    features = replace(problem.features, matrix=None, _columns=columns)
    return AlternativeProblem(features, problem.n, problem.given, features)
