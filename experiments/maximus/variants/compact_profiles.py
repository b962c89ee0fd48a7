"""Labels from profiles of least inertia: profiles and labels in turn."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import kmeans_plusplus

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.maximus.published_program import Solution
from clusterwise.alternatives.maximus.region_profiles import Regions, profile_similarity
from clusterwise.alternatives.maximus.rounding import find_region_means, round_profile
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.maximus_rounding import add_points, assign_regions
from experiments.maximus.variants.sized_program import CompactProfiles

# How often the centroids of the voted labels go back to the program, from each start.
_TURNS = 6
# Iterations of the assignment in each of these turns.
_MAX_ITER = 3


class RoundedProfile(NamedTuple):
    """Labels, their target profile, and the fraction of objects that miss it."""

    labels: Array
    solution: Solution
    profile_gap: float


class Objects(NamedTuple):
    """Points, the feature of each column, their regions, and how regions are assigned."""

    points: Array
    owners: Array
    regions: Regions
    assign: Callable[..., Any] = assign_regions


def find_compact_profile(
    objects: Objects,
    given: Sequence[Array],
    clusters: int,
    *,
    tolerance: float,
    smallest: float,
    gap: float,
    time_limit: float,
    n_init: int,
    random: np.random.RandomState,
    progress: bool | None = None,
) -> RoundedProfile:
    """Return the labels of least inertia of all turns that are within the tolerance.

    The program needs centroids. It starts from some of the objects (k-means++) and goes on from the
    centroids of the voted labels, since a profile alone does not tie the features of an object
    together. If no labels are within the tolerance, the least similar ones are returned. Those with
    a cluster below ``smallest`` come last: the profile has none, but votes may empty one.

    Parameters
    ----------
    objects : Objects
        The objects.
    given : sequence of ndarray
        The profiles of the given clusterings.
    clusters : int
        The number of clusters.
    tolerance, smallest : float
        How much more similar than the least a profile may be, relative to it, and the least number
        of objects in a cluster of the profile.
    gap : float
        The relative gap of the integer program.
    time_limit : float
        Seconds for choosing profiles; no turn begins later.
    n_init : int
        The number of starts.
    random : RandomState
        The seed of starts and ties.
    progress : bool, optional
        Show a progress bar.
    """
    points, owners, regions, _ = objects
    means = find_region_means(points, regions, owners)
    search = CompactProfiles(
        given, regions, means, clusters, tolerance=tolerance, smallest=smallest, gap=gap
    )

    def rank(found: RoundedProfile) -> tuple[int, float, float]:
        labels = found.labels
        too_small = int((np.bincount(labels, minlength=clusters) < smallest).sum())
        similarity = profile_similarity(given, regions.profile(labels, clusters))
        within = ((points - _means(points, labels, clusters)[labels]) ** 2).sum()
        return too_small, max(similarity, search.ceiling), float(within)

    end = perf_counter() + time_limit
    turns = (
        turn
        for _ in track(range(n_init), n_init, "choosing profiles", progress)
        for turn in take_turns(objects, search, clusters, end, random)
    )
    best = min(turns, key=rank, default=None)
    if best is None:
        raise InputError(
            f"{search.description} was not found in {time_limit:g} s; allow more time."
        )
    if perf_counter() < end:
        return best
    return best._replace(solution=best.solution._replace(status="time limit"))


def take_turns(
    objects: Objects,
    search: CompactProfiles,
    clusters: int,
    end: float,
    random: np.random.RandomState,
) -> Iterator[RoundedProfile]:
    """Yield profiles with their labels, until labels converge or the time is over."""
    points, _, regions, assign = objects
    centroids, _ = kmeans_plusplus(points, clusters, random_state=random)
    before = None
    for _ in range(_TURNS):
        left = end - perf_counter()
        solution = search.find(centroids, left) if left > 0 else None
        if solution is None:
            return
        labels, gap = round_profile(
            points, regions, search.means, solution.profile, random,
            max_iter=_MAX_ITER, assign=assign,
        )  # fmt: skip
        yield RoundedProfile(labels, solution, gap)
        if before is not None and np.array_equal(labels, before):
            return
        before = labels
        sizes = np.bincount(labels, minlength=clusters)[:, None]
        centroids = np.where(sizes > 0, _means(points, labels, clusters), centroids)


def _means(points: Array, labels: Array, clusters: int) -> Array:
    """Return the centroids of labels; zero for empty clusters."""
    sums = np.zeros((clusters, points.shape[1]))
    add_points(labels[:, None], points, sums)
    return sums / np.maximum(1, np.bincount(labels, minlength=clusters))[:, None]
