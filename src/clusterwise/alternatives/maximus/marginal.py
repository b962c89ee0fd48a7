"""Alternatives by way of a target profile, the marginal of what is wanted: steps 1 to 3."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.maximus.linear import Solution
from clusterwise.alternatives.maximus.profile_program import Places, ProfileProgram, place_regions
from clusterwise.alternatives.maximus.published import solve_published
from clusterwise.alternatives.maximus.regions import Regions
from clusterwise.alternatives.maximus.rounding import Assignment, profile_gap, share_out, vote
from clusterwise.alternatives.maximus.similarity import similarity
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.maximus_rounding import add_points

# How often the centroids of the voted labels go back to the program, from each start.
_TURNS = 6
# Rounds of sharing out in each of these turns; the program moves the centroids more.
_FEW_ROUNDS = 3
_ROUNDS = 30


class Marginal(NamedTuple):
    """Labels, the profile that they were to have, and the share of objects that miss it."""

    labels: Array
    solution: Solution
    profile_gap: float


def find_by_profile(
    points: Array,
    owners: Array,
    regions: Regions,
    given_codes: Array,
    given_sizes: Sequence[int],
    clusters: int,
    *,
    program: Literal["published", "profile"],
    tolerance: float,
    smallest: float,
    assignment: Assignment,
    gap: float,
    time_limit: float,
    starts: int,
    random: np.random.RandomState,
    progress: bool | None = None,
) -> Marginal:
    """Choose a profile, share out the objects of its regions, and let the features vote.

    Centroids of the second step are those that the profile implies (the mean of the regions that
    a cluster gets, weighted by how many of their objects it gets), one set for all regions. So
    cluster l means the same in the profile and in every region, which the vote relies on.

    The program "profile" wants centroids. It starts from some of the objects (k-means++) and
    goes on from the centroids of the voted labels, since a profile alone does not tie the
    features of an object together.

    Parameters
    ----------
    points : ndarray of shape (n, D)
        The objects as numbers, float64.
    owners : ndarray of shape (D,)
        The feature that each column of the points belongs to.
    regions : Regions
        Where the objects lie, by the same features.
    given_codes : ndarray of shape (m, n)
        The known clusterings.
    given_sizes : sequence of int
        How many clusters each of them has.
    clusters : int
        How many clusters to find.
    program : {"published", "profile"}
        The least similar profile, or one of least spread that is about as different.
    tolerance, smallest : float
        For "profile": how much more similar than the least a profile may be, as a share of it, and
        the least number of objects in a cluster of the profile.
    assignment : {"exact", "greedy"}
        How objects are shared out in a region.
    gap : float
        How far from the best a whole profile may be, as a share of it.
    time_limit : float
        Seconds for choosing profiles; no turn begins later.
    starts : int
        How often "profile" starts anew.
    random : RandomState
        The source of chance: starts and ties.
    progress : bool, optional
        Whether to show how far the search is; on terminals only by default.

    Returns
    -------
    Marginal
        For "profile" the labels with the least spread of all turns whose own similarity is within
        the tolerance, or else the least similar ones. Those with a cluster below ``smallest``
        come last: the profile has none, but votes may empty one.
    """
    known = [
        regions.tally(codes, size) for codes, size in zip(given_codes, given_sizes, strict=True)
    ]
    places = place_regions(points, regions, owners)
    steps = _Steps(points, regions, places, assignment, random)
    if program == "published":
        sizes = regions.sizes
        solution = solve_published(known, sizes, clusters, gap=gap, time_limit=time_limit)
        return steps.label(solution, _ROUNDS)
    search = ProfileProgram(
        known, regions, places, clusters, tolerance=tolerance, smallest=smallest, gap=gap
    )

    def rank(found: Marginal) -> tuple[int, float, float]:
        labels = found.labels
        too_small = int((np.bincount(labels, minlength=clusters) < smallest).sum())
        similar = similarity(known, regions.tally(labels, clusters))
        return too_small, max(similar, search.ceiling), steps.spread(labels, clusters)

    end = perf_counter() + time_limit
    turns = (
        turn
        for _ in track(range(starts), starts, "choosing profiles", progress)
        for turn in steps.take_turns(search, clusters, end)
    )
    best = min(turns, key=rank, default=None)
    if best is None:
        raise InputError(f"{search.asked} was not found in {time_limit:g} s; allow more time.")
    if perf_counter() < end:
        return best
    return best._replace(solution=best.solution._replace(status="time limit"))


class _Steps(NamedTuple):
    """What sharing out and voting need."""

    points: Array
    regions: Regions
    places: Places
    assignment: Assignment
    random: np.random.RandomState

    def label(self, solution: Solution, rounds: int) -> Marginal:
        """Labels for a profile."""
        profile = solution.profile
        centroids = self.places.centroids(profile)
        votes = share_out(
            self.points,
            self.regions,
            profile,
            centroids,
            assignment=self.assignment,
            rounds=rounds,
        )
        labels = vote(votes, self.random.random_sample(len(votes)))
        return Marginal(labels, solution, profile_gap(self.regions, profile, labels))

    def take_turns(self, search: ProfileProgram, clusters: int, end: float) -> Iterator[Marginal]:
        """Profiles and labels by turns, until labels stay as they are or the time is over."""
        from sklearn.cluster import kmeans_plusplus

        centroids, _ = kmeans_plusplus(self.points, clusters, random_state=self.random)
        before = None
        for _ in range(_TURNS):
            left = end - perf_counter()
            solution = search.find(centroids, left) if left > 0 else None
            if solution is None:
                return
            found = self.label(solution, _FEW_ROUNDS)
            yield found
            if before is not None and np.array_equal(found.labels, before):
                return
            before = found.labels
            sizes = np.bincount(before, minlength=clusters)[:, None]
            centroids = np.where(sizes > 0, self.means(before, clusters), centroids)

    def means(self, labels: Array, clusters: int) -> Array:
        """Centroids of labels; zero for empty clusters."""
        sums = np.zeros((clusters, self.points.shape[1]))
        add_points(labels[:, None], self.points, sums)
        return sums / np.maximum(1, np.bincount(labels, minlength=clusters))[:, None]

    def spread(self, labels: Array, clusters: int) -> float:
        """Sum of squared distances from the centroids."""
        return float(((self.points - self.means(labels, clusters)[labels]) ** 2).sum())
