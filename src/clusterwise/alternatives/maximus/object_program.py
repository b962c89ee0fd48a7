"""The object-level program: k-means under balance constraints.

The within-cluster inertia is minimised subject to :class:`~.constraints.BalanceConstraints`.
Lagrange multipliers and centroids are updated in turn from several starts. The soft assignment is
then rounded, and single objects are moved where rounding has violated a bound.
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
from sklearn.cluster import kmeans_plusplus

from clusterwise._utils.progress import track
from clusterwise.alternatives.maximus.constraints import BalanceConstraints
from clusterwise.alternatives.maximus.multipliers import (
    Groups,
    SoftAssignment,
    squared_distances,
)
from clusterwise.inputs.encoding import Array, relabel_by_value
from clusterwise.models.kmeans import run_weighted_kmeans

# The temperature of memberships, as a fraction of the mean range of an object's costs.
_TEMPERATURE = 0.01
# L-BFGS iterations and relative change of the inertia at convergence; the second of each is for
# approximate runs.
_STEPS, _APPROXIMATE_STEPS = 25, 8
_CONVERGED, _APPROXIMATELY_CONVERGED = 1e-4, 2e-3
# Starts compete on a sample if there are more objects.
_SAMPLE = 20_000
# Repair examines at most this many objects in all, but makes at least some moves.
_MOST_EXAMINED = 40_000_000
_FEWEST_MOVES = 20
# Random moves of two objects that are tried when no single move helps.
_RANDOM_MOVES = 4_000


class ObjectProgram(NamedTuple):
    """Points, their groups, and the constraints on clusters.

    ``constrain`` makes the constraints for the groups of all objects or of a sample. ``joint`` has
    a code for each combination of given clusters.
    """

    points: Array
    groups: Groups
    constrain: Callable[[Groups], BalanceConstraints]
    joint: Array
    clusters: int
    random: np.random.RandomState

    def with_points(self, points: Array) -> "ObjectProgram":
        """Return the program for the same objects with other coordinates."""
        return self._replace(points=points)

    def sample(self, size: int) -> "ObjectProgram":
        """Return the program for a random sample of at most ``size`` objects."""
        n = len(self.points)
        if n <= size:
            return self
        some = np.sort(self.random.choice(n, size, replace=False))
        joint = relabel_by_value(self.joint[some])
        return self._replace(points=self.points[some], groups=self.groups.take(some), joint=joint)


class Run(NamedTuple):
    """The result of one start.

    ``inertia`` is the within-cluster sum of squares as a fraction of the total. ``ratio`` is the
    largest deviation divided by its bound, at most 1 if it is feasible. ``n_iter`` counts
    updates of the centroids, ``evaluations`` those of the dual.
    """

    labels: Array
    centroids: Array
    inertia: float
    ratio: float
    n_iter: int
    evaluations: int

    @property
    def violation(self) -> float:
        """The ratio, but 1 if the run is feasible."""
        return max(1.0, self.ratio)


def solve_object_program(
    program: ObjectProgram,
    n_starts: int,
    max_iter: int,
    time_limit: float = np.inf,
    progress: bool | None = None,
) -> list[Run]:
    """Return the runs from all starts, the best one last.

    The best run satisfies the constraints with the least inertia, or violates them least if none
    satisfies them. With many objects, starts compete on a sample. No start but the first begins
    after the time limit.
    """
    end = perf_counter() + time_limit
    sampled = program.sample(_SAMPLE)
    runs: list[Run] = []
    starts = draw_initial_centroids(sampled, n_starts)
    for start in track(starts, n_starts, "finding clusters", progress):
        if runs and perf_counter() > end:
            break
        runs.append(optimise_from(sampled, start, max_iter))
    runs.sort(key=lambda run: (run.violation, run.inertia), reverse=True)
    if len(sampled.points) < len(program.points):
        runs.append(optimise_from(program, runs[-1].centroids, max_iter))
    return runs


def optimise_from(
    program: ObjectProgram, centroids: Array, max_iter: int, *, approximate: bool = False
) -> Run:
    """Update multipliers and centroids in turn until the inertia converges.

    An approximate run takes fewer steps and does not repair violated bounds.
    """
    points, constraints = program.points, program.constrain(program.groups)
    noise = program.random.gumbel(size=(len(points), program.clusters))
    steps, converged = (
        (_APPROXIMATE_STEPS, _APPROXIMATELY_CONVERGED) if approximate else (_STEPS, _CONVERGED)
    )
    before, n_iter = np.inf, 0
    while True:
        costs, mean_range = squared_distances(points, centroids)
        assignment = constraints.solve(costs, _TEMPERATURE * mean_range + 1e-12, steps)
        centroids, inertia = assignment.centroids(points)
        n_iter += 1
        if n_iter >= max_iter or abs(before - inertia) <= converged * inertia:
            break
        before = inertia
        constraints.update_sizes(assignment.expected_crosstab()[1])
    labels = assignment.round(noise)
    if approximate:
        ratio = constraints.violation(program.groups.crosstab(labels, program.clusters)).ratio
    else:
        labels, ratio = _repair(labels, assignment, constraints, program.random)
    centroids = find_centroids(points, labels, program.clusters)
    inertia = _relative_inertia(points, labels, centroids)
    return Run(labels, centroids, inertia, ratio, n_iter, constraints.evaluations)


def _repair(
    labels: Array,
    assignment: SoftAssignment,
    constraints: BalanceConstraints,
    random: np.random.RandomState,
) -> tuple[Array, float]:
    """Move objects until no constraint is violated.

    Single objects first, those with the least cost per improvement; then, if no such move improves
    any more, random moves of two objects at a time.
    """
    groups, clusters = assignment.groups, assignment.costs.shape[1]
    table = groups.crosstab(labels, clusters)
    state = constraints.violation(table)
    if state.ratio <= 1.0:
        return labels, state.ratio
    patterns = groups.patterns
    tabu = np.zeros((int(patterns.max()) + 1, clusters, clusters), np.bool_)
    for _ in range(max(_FEWEST_MOVES, _MOST_EXAMINED // labels.size)):
        moved, there = assignment.find_move(
            state.gradient, labels, table[0] > constraints.size_bounds.low, patterns, tabu
        )
        if moved < 0:
            break
        here = labels[moved]
        after = groups.crosstab_after(table, [(moved, here, there)])
        changed = constraints.violation(after)
        if changed.potential < state.potential:
            table, state, labels[moved] = after, changed, there
            tabu[:] = False
        else:
            tabu[patterns[moved], here, there] = True
        if state.ratio <= 1.0:
            break
    for _ in range(_RANDOM_MOVES):
        if state.ratio <= 1.0:
            break
        i, j = random.randint(labels.size, size=2).tolist()
        # Half of them swap their clusters, the others move to any.
        to_i, to_j = random.randint(clusters, size=2) if random.randint(2) else labels[[j, i]]
        if i == j or (labels[i] == to_i and labels[j] == to_j):
            continue
        after = groups.crosstab_after(table, [(i, labels[i], to_i), (j, labels[j], to_j)])
        changed = constraints.violation(after)
        if changed.potential < state.potential:
            table, state, labels[i], labels[j] = after, changed, to_i, to_j
    return labels, state.ratio


def find_centroids(points: Array, labels: Array, clusters: int) -> Array:
    """Return the means of clusters; zero for empty ones."""
    sizes = np.maximum(np.bincount(labels, minlength=clusters), 1)
    sums = [np.bincount(labels, column, clusters) for column in points.T]
    return np.column_stack(sums) / sizes[:, None]


def _relative_inertia(points: Array, labels: Array, centroids: Array) -> float:
    """Return the within-cluster fraction of the total sum of squares."""
    within = float(((points - centroids[labels]) ** 2).sum())
    total = float(((points - points.mean(axis=0)) ** 2).sum())
    return within / total if total > 0 else 0.0


def draw_initial_centroids(program: ObjectProgram, count: int) -> Iterator[Array]:
    """Yield centroids of k-means on the residuals and of k-means++ on the points, in turn."""
    rest = residuals(program)
    for i in range(count):
        seed = program.random.randint(1 << 30)
        if i % 2:
            yield kmeans_plusplus(program.points, program.clusters, random_state=seed)[0]
        else:
            labels = run_kmeans(rest, program.clusters, seed)
            yield find_centroids(program.points, labels, program.clusters)


def run_kmeans(points: Array, clusters: int, seed: int) -> Array:
    """Return the labels of k-means from one k-means++ start."""
    _, starts = kmeans_plusplus(points, clusters, random_state=seed)
    return run_weighted_kmeans(points.astype(np.float32), np.ones(points.shape[1]), starts)


def residuals(program: ObjectProgram) -> Array:
    """Return the points minus the mean of their combination of given clusters."""
    count = int(program.joint.max()) + 1
    means = find_centroids(program.points, program.joint, count)
    return program.points - means[program.joint]
