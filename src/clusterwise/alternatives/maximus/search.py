"""One alternative after the other by any of the programs, and how each was found."""

from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.base import Candidate, join_small, least_size, relabel_by_appearance
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.direct import Problem, find_directly
from clusterwise.alternatives.maximus.holding import Room, choose_holding
from clusterwise.alternatives.maximus.local_search import polish
from clusterwise.alternatives.maximus.marginal import find_by_profile
from clusterwise.alternatives.maximus.regions import Regions
from clusterwise.alternatives.maximus.similarity import lower_bound, similarity
from clusterwise.alternatives.maximus.subspaces import find_components, find_in_subspaces
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import Points

if TYPE_CHECKING:
    from clusterwise.alternatives.maximus.maximus import MAXIMUS

_ROUNDING = 1e-9


class Outcome(NamedTuple):
    """How an alternative was found, and how much it is like what is given.

    ``similarity`` is the sum over given clusterings of the largest matching of profiles, and
    ``lower_bound`` the least that any clustering with as many clusters can have.

    ``status`` is "optimal" or "time limit" for programs on profiles, with the solver's relative
    ``gap``, and the share of objects by which the labels miss the profile that was asked for
    (``profile_gap``). For ``program="direct"`` it is "within bounds" or "beyond bounds":
    ``excess`` is the largest deviation, of that which is allowed. ``rounds`` and ``evaluations``
    count how often centroids moved and prices were tried, from all starts, and ``weights`` are
    those of the features (or components), None if subspaces were not looked into.
    """

    similarity: int
    lower_bound: float
    status: str
    seconds: float
    gap: float | None = None
    profile_gap: float | None = None
    excess: float | None = None
    rounds: int = 1
    evaluations: int | None = None
    weights: Array | None = None


class Search:
    """Everything that does not change from one alternative to the next."""

    def __init__(
        self,
        how: "MAXIMUS",
        objects: Points,
        regions: Regions,
        count: int,
        random: np.random.RandomState,
    ) -> None:
        self.how, self.regions, self.count, self.random = how, regions, count, random
        # In one unit for all features, whatever theirs is.
        points = objects.points / (np.abs(objects.points).max() or 1.0)
        points = points - points.mean(axis=0)
        self.points = np.ascontiguousarray(points / (np.sqrt((points**2).mean()) or 1.0))
        self.owners = objects.owners
        self.n = len(self.points)
        self.room = self._read_room()

    def find(self, given: Given) -> Candidate:
        """One more alternative to what is given."""
        began = perf_counter()
        profiles = [
            self.regions.tally(codes, size)
            for codes, size in zip(given.codes, given.sizes, strict=True)
        ]
        chosen = self._find_directly if self.how.program == "direct" else self._find_by_profile
        labels, details = chosen(given, profiles)
        labels = relabel_by_appearance(labels)
        outcome = Outcome(
            similarity(profiles, self.regions.tally(labels, self.count)),
            lower_bound(profiles, self.regions.sizes, self.count),
            seconds=perf_counter() - began,
            **details,
        )
        beyond = outcome.status == "beyond bounds"
        return Candidate(labels, outcome, "cannot be kept within bounds" if beyond else None)

    def _find_directly(self, given: Given, profiles: list[Array]) -> tuple[Array, dict[str, Any]]:
        how, began = self.how, perf_counter()
        links, hold = choose_holding(
            how.balance, given.codes, given.sizes, self.regions, profiles, self.room, how.tolerance
        )
        problem = Problem(self.points, links, hold, given.joint.ravel(), self.count, self.random)
        whole = problem
        runs = find_directly(problem, how.n_init, how.max_iter, how.time_limit, how.progress)
        best, weights = runs[-1], None
        if how.n_alternatives > 1 if how.subspaces is None else how.subspaces:
            owners = self.owners
            if how.subspaces == "components":
                problem = problem.at(find_components(problem))
                owners = np.arange(problem.points.shape[1])
            found = find_in_subspaces(problem, owners, best, how.max_iter, how.progress)
            runs += [one.run for one in found if one.run is not best]
            best, weights = found[-1].run, found[-1].weights
        if how.polish:
            end = began + how.time_limit
            labels, excess = polish(whole, best.labels, end - perf_counter())
            best = best._replace(labels=labels, excess=excess)
        return best.labels, {
            "status": "within bounds" if best.excess <= 1.0 else "beyond bounds",
            "excess": best.excess,
            "rounds": sum(run.rounds for run in runs),
            "evaluations": sum(run.evaluations for run in runs),
            "weights": weights,
        }

    def _find_by_profile(
        self,
        given: Given,
        profiles: list[Array],  # noqa: ARG002
    ) -> tuple[Array, dict[str, Any]]:
        how = self.how
        found = find_by_profile(
            self.points, self.owners, self.regions, given.codes, given.sizes, self.count,
            program="published" if how.program == "published" else "profile",
            tolerance=how.tolerance, smallest=float(self.room.low[0]),
            assignment=how.assignment, gap=max(how.mip_gap, 1.0 / self.n),
            time_limit=how.time_limit, starts=how.n_init, random=self.random, progress=how.progress,
        )  # fmt: skip
        labels = join_small(self.points, found.labels, float(self.room.low[0]))
        return labels, {
            "status": found.solution.status,
            "gap": found.solution.gap,
            "profile_gap": found.profile_gap,
        }

    def _read_room(self) -> Room:
        n, count = self.n, self.count
        least = least_size(self.how.min_cluster_size, count, n)
        low, high = np.full(count, float(least)), np.full(count, float(n))
        if self.how.shares is not None:
            shares = np.asarray(self.how.shares, np.float64)
            if shares.shape != (count,) or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-6:
                raise InputError(
                    f"shares={self.how.shares!r}: pass {count} positive numbers that add up to 1."
                )
            slack = self.how.tolerance * shares * n
            low = np.maximum(low, np.floor(shares * n - slack + _ROUNDING))
            high = np.ceil(shares * n + slack - _ROUNDING)
            if (low > high).any() or low.sum() > n:
                raise InputError(
                    f"shares={self.how.shares!r} leave less than min_cluster_size="
                    f"{self.how.min_cluster_size!r} for a cluster; change one of them."
                )
        return Room(low, high)
