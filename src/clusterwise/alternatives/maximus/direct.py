"""The program on objects: k-means whose clusters say little about what is given.

The spread within clusters is minimised while a :class:`~.holding.Holding` keeps down what they
tell. Prices and centroids take turns from several starts; in the end every object gets one
cluster, and single objects move where rounding has broken a bound.
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
from sklearn.cluster import kmeans_plusplus

from clusterwise._utils.progress import track
from clusterwise.alternatives.maximus.holding import Holding
from clusterwise.alternatives.maximus.multipliers import (
    Links,
    Priced,
    measure,
    retabulate,
    tabulate,
)
from clusterwise.inputs.encoding import Array
from clusterwise.models.kmeans import run_weighted_kmeans

# Softness of memberships, as a share of how far an object's distances range.
_HEAT = 0.01
_STEPS, _ROUGH_STEPS = 25, 8
_SETTLED, _ROUGHLY = 1e-4, 2e-3
# Starts compete on a sample if there are more objects.
_SAMPLE = 20_000
# Objects that are looked at while rounding is mended, at most.
_LOOKS = 40_000_000
_MOVES = 20
# Moves of two objects by chance that are tried where single ones have come to an end.
_TRIES = 4_000

Hold = Callable[[Links], Holding]


class Problem(NamedTuple):
    """Objects as points, what they are part of, and what is to be held down.

    ``joint`` numbers the combinations of given clusters that objects are in.
    """

    points: Array
    links: Links
    hold: Hold
    joint: Array
    clusters: int
    random: np.random.RandomState

    def at(self, points: Array) -> "Problem":
        """The same objects at other places."""
        return self._replace(points=points)

    def sample(self, most: int) -> "Problem":
        """So many of the objects at most, by chance."""
        n = len(self.points)
        if n <= most:
            return self
        some = np.sort(self.random.choice(n, most, replace=False))
        joint = np.unique(self.joint[some], return_inverse=True)[1]
        return self._replace(points=self.points[some], links=self.links.take(some), joint=joint)


class Run(NamedTuple):
    """A start that was followed to its end.

    ``spread`` is the share of all variance that is left within clusters. ``excess`` is 1 or less
    if everything that is held down is within its bounds. ``rounds`` are those of centroids,
    ``evaluations`` those of prices.
    """

    labels: Array
    centroids: Array
    spread: float
    excess: float
    rounds: int
    evaluations: int

    @property
    def beyond(self) -> float:
        """How far it is beyond its bounds, 1 if it is within them."""
        return max(1.0, self.excess)


def find_directly(
    problem: Problem,
    n_starts: int,
    max_iter: int,
    time_limit: float = np.inf,
    progress: bool | None = None,
) -> list[Run]:
    """Clusters of least spread among those within bounds come last in this list of runs.

    If no run ends within bounds, it is the one that exceeds them least. Of many objects a sample
    decides which start is followed to the end. No start but the first is made beyond the limit.
    """
    end = perf_counter() + time_limit
    few = problem.sample(_SAMPLE)
    runs: list[Run] = []
    for start in track(draw_starts(few, n_starts), n_starts, "finding clusters", progress):
        if runs and perf_counter() > end:
            break
        runs.append(follow(few, start, max_iter))
    runs.sort(key=lambda run: (run.beyond, run.spread), reverse=True)
    if len(few.points) < len(problem.points):
        runs.append(follow(problem, runs[-1].centroids, max_iter))
    return runs


def follow(problem: Problem, centroids: Array, max_iter: int, *, rough: bool = False) -> Run:
    """Prices and centroids in turn, until the spread does not change any more.

    A rough answer takes fewer steps, and may be a little beyond its bounds.
    """
    points, holding = problem.points, problem.hold(problem.links)
    noise = problem.random.gumbel(size=(len(points), problem.clusters))
    steps, settled = (_ROUGH_STEPS, _ROUGHLY) if rough else (_STEPS, _SETTLED)
    before, rounds = np.inf, 0
    while True:
        costs, wide = measure(points, centroids)
        priced = holding.solve(costs, _HEAT * wide + 1e-12, steps)
        centroids, spread = priced.centroids(points)
        rounds += 1
        if rounds >= max_iter or abs(before - spread) <= settled * spread:
            break
        before = spread
        holding.follow(priced.press()[1])
    labels = priced.settle(noise)
    if rough:
        excess = holding.excess(tabulate(problem.links, labels, problem.clusters)).worst
    else:
        labels, excess = _mend(labels, priced, holding, problem.random)
    centroids, spread = spread_within(points, labels, problem.clusters)
    return Run(labels, centroids, spread, excess, rounds, holding.evaluations)


def _mend(
    labels: Array, priced: Priced, holding: Holding, random: np.random.RandomState
) -> tuple[Array, float]:
    """Move single objects, those that cost least for what they gain, until all is within bounds.

    Where no such move gains any more, two by chance at a time may.
    """
    links, clusters = priced.links, priced.costs.shape[1]
    table = tabulate(links, labels, clusters)
    excess = holding.excess(table)
    if excess.worst <= 1.0:
        return labels, excess.worst
    kinds = links.kinds
    barred = np.zeros((int(kinds.max()) + 1, clusters, clusters), np.bool_)
    for _ in range(max(_MOVES, _LOOKS // labels.size)):
        moved, to = priced.find_move(
            excess.slope, labels, table[0] > holding.room.low, kinds, barred
        )
        if moved < 0:
            break
        here = labels[moved]
        after = retabulate(links, table, [(moved, here, to)])
        now = holding.excess(after)
        if now.potential < excess.potential:
            table, excess, labels[moved] = after, now, to
            barred[:] = False
        else:
            barred[kinds[moved], here, to] = True
        if excess.worst <= 1.0:
            break
    for _ in range(_TRIES):
        if excess.worst <= 1.0:
            break
        i, j = random.randint(labels.size, size=2).tolist()
        # Half of them change places, the others go anywhere.
        to_i, to_j = random.randint(clusters, size=2) if random.randint(2) else labels[[j, i]]
        if i == j or (labels[i] == to_i and labels[j] == to_j):
            continue
        after = retabulate(links, table, [(i, labels[i], to_i), (j, labels[j], to_j)])
        now = holding.excess(after)
        if now.potential < excess.potential:
            table, excess, labels[i], labels[j] = after, now, to_i, to_j
    return labels, excess.worst


def spread_within(points: Array, labels: Array, clusters: int) -> tuple[Array, float]:
    """Centroids, and the share of the variance that is left around them."""
    sizes = np.maximum(np.bincount(labels, minlength=clusters), 1)
    sums = [np.bincount(labels, column, clusters) for column in points.T]
    centroids = np.column_stack(sums) / sizes[:, None]
    left = float(((points - centroids[labels]) ** 2).sum())
    whole = float(((points - points.mean(axis=0)) ** 2).sum())
    return centroids, left / whole if whole > 0 else 0.0


def draw_starts(problem: Problem, count: int) -> Iterator[Array]:
    """Centroids to start from: in turn away from what is given, and by chance."""
    rest = residuals(problem)
    for i in range(count):
        seed = problem.random.randint(1 << 30)
        if i % 2:
            yield kmeans_plusplus(problem.points, problem.clusters, random_state=seed)[0]
        else:
            labels = run_kmeans(rest, problem.clusters, seed)
            yield spread_within(problem.points, labels, problem.clusters)[0]


def run_kmeans(points: Array, clusters: int, seed: int) -> Array:
    """K-means from one start, spread out by chance."""
    _, starts = kmeans_plusplus(points, clusters, random_state=seed)
    return run_weighted_kmeans(points.astype(np.float32), np.ones(points.shape[1]), starts)


def residuals(problem: Problem) -> Array:
    """Points without what is given: the mean of its given clusters is taken from each object."""
    centres, _ = spread_within(problem.points, problem.joint, int(problem.joint.max()) + 1)
    return problem.points - centres[problem.joint]
