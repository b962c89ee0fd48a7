"""What a search for the highest φ works on: the different objects, and clusters of them."""

from dataclasses import dataclass

import numpy as np

from clusterwise.consensus.phi.objective import normalised
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble
from clusterwise.kernels import phi as kernels
from clusterwise.summaries.ensemble.packed import count_shared


@dataclass
class State:
    """A clustering with the sums that φ and its changes are computed from (see the kernels)."""

    labels: Array
    table: Array
    sizes: Array
    inner: Array
    outer: Array
    reach: Array
    totals: Array
    value: float = 0.0
    n_iter: int = 0

    @property
    def count(self) -> int:
        """The number of clusters."""
        return int(self.sizes.size)

    @property
    def sums(self) -> tuple[Array, Array, Array, Array, Array, Array]:
        """What kernels change."""
        return self.table, self.sizes, self.inner, self.outer, self.reach, self.totals


class Problem:
    """The different objects of an ensemble with their weights, and the factors of φ."""

    def __init__(
        self,
        ensemble: Ensemble,
        counts: Array,
        factors: Array,
        *,
        k1: float,
        k2: float,
        by_objects: bool,
    ) -> None:
        self.ensemble = ensemble
        self.counts = counts
        self.factors = factors
        self.k1, self.k2, self.by_objects = k1, k2, by_objects
        self.rows = np.ascontiguousarray(ensemble.codes.T)
        self.weights = counts.astype(np.float64)
        self.starts = np.cumsum([0, *ensemble.sizes[:-1]])
        self.by_column = np.repeat(factors, ensemble.sizes)

    @property
    def n(self) -> int:
        """The number of different objects."""
        return len(self.rows)

    @property
    def data(self) -> tuple[Array, Array, Array, Array]:
        """What kernels read."""
        return self.rows, self.starts, self.factors, self.weights

    @property
    def least(self) -> float:
        """A gain below this is rounding."""
        if self.by_objects:
            return 1e-14 * (self.k1 - self.k2)
        return 1e-11 * float(self.factors.sum()) * (self.k1 - self.k2)

    def take(self, objects: Array) -> "Problem":
        """The same with some of the objects."""
        few = self.ensemble._replace(codes=np.ascontiguousarray(self.ensemble.codes[:, objects]))
        return Problem(
            few,
            self.counts[objects],
            self.factors,
            k1=self.k1,
            k2=self.k2,
            by_objects=self.by_objects,
        )

    def state(self, labels: Array, count: int) -> State:
        """Labels with all that belongs to them; none of the clusters may be empty."""
        table = np.empty((self.by_column.size, count))
        sizes = np.empty(count)
        kernels.tally(*self.data, labels, table, sizes)
        return self.refreshed(State(labels, table, sizes, *self._sums(count)))

    def member(self, j: int) -> State | None:
        """A clustering of the ensemble, if it knows all objects."""
        labels, count = self.ensemble.codes[j], self.ensemble.sizes[j]
        if (labels < 0).any():
            return None
        shared = count_shared(labels, count, self.ensemble, self.counts)
        table = np.ascontiguousarray(shared.counts.T) * self.by_column[:, None]
        sizes = shared.sizes.astype(np.float64)
        return self.refreshed(State(labels.astype(np.int64), table, sizes, *self._sums(count)))

    def refreshed(self, state: State) -> State:
        """Pairs and the objective afresh from the table."""
        sizes, inner, totals = state.sizes, state.inner, state.totals
        kernels.relate(state.table, self.by_column, sizes, inner, state.outer, state.reach)
        if self.by_objects:
            inside = inner.sum()
            together = inside + state.outer.sum() / 2
            totals[:] = inside, sizes @ sizes, sizes.sum(), together, self.factors.sum()
            value = kernels.by_objects(
                (inner / sizes).sum(), inside, totals[1], totals, self.k1, self.k2
            )
        else:
            value = self.phi(state)
        state.value = float(value)
        return state

    def phi(self, state: State) -> float:
        """φ as published."""
        return float(kernels.objective(state.sizes, state.inner, state.reach, self.k1, self.k2))

    def score(self, state: State) -> float:
        """φ normalised for the number of clusters and their sizes."""
        pairs = state.outer / np.outer(state.sizes, state.sizes)
        return normalised(
            state.sizes, state.inner, pairs, float(self.factors.sum()), self.k1, self.k2
        )

    def sweep(self, state: State) -> int:
        """Move every object to its best cluster, one after the other; how many moved."""
        order = np.arange(self.n)
        moved: int = kernels.sweep(
            order, *self.data, state.labels, *state.sums, self.k1, self.k2, self.least
        )
        state.n_iter += 1
        return moved

    def merged(self, state: State, count: int) -> list[Array]:
        """Merge the two clusters that gain φ most until so many are left.

        Returns, for each number on the way down, which cluster each one is in now.
        """
        sizes, inner, outer = state.sizes.copy(), state.inner.copy(), state.outer.copy()
        totals = state.totals.copy()
        alive = np.ones(state.count, np.bool_)
        of = np.arange(state.count)
        path = []
        for _ in range(state.count - count):
            first, second = kernels.merge_best(sizes, inner, outer, totals, self.k1, self.k2, alive)
            of[of == second] = first
            path.append(of.copy())
        return path

    def joined(self, state: State, of: Array) -> State:
        """The clusters put together as ``of`` says, from the table alone."""
        kept, ranks = np.unique(of, return_inverse=True)
        table = np.zeros((len(state.table), kept.size))
        sizes = np.zeros(kept.size)
        for k, rank in enumerate(ranks):
            table[:, rank] += state.table[:, k]
            sizes[rank] += state.sizes[k]
        return self.refreshed(State(ranks[state.labels], table, sizes, *self._sums(kept.size)))

    def split(self, state: State, cluster: int, random: np.random.RandomState) -> State | None:
        """Cut a cluster in two around two objects that are seldom together; None if it has none."""
        inside = np.flatnonzero(state.labels == cluster)
        if inside.size < 2:
            return None
        near, far = np.empty(self.n), np.empty(self.n)
        one = int(random.choice(inside))
        kernels.agree(self.rows, self.factors, one, near)
        near[one] = np.inf
        other = inside[np.argmin(near[inside])]
        kernels.agree(self.rows, self.factors, other, far)
        labels = state.labels.copy()
        labels[inside[far[inside] > near[inside]]] = state.count
        labels[other] = state.count
        return self.state(labels, state.count + 1)

    def seeded(self, count: int, random: np.random.RandomState) -> State:
        """Clusters around objects that are seldom together, far ones the likelier."""
        nearest, shares = np.full(self.n, -1.0), np.empty(self.n)
        labels = np.zeros(self.n, np.int64)
        total = float(self.factors.sum())
        chosen: list[int] = []
        for k in range(count):
            far = self.weights * np.maximum(total - np.maximum(nearest, 0), 0)
            far[chosen] = 0
            if not far.any():
                far = np.ones(self.n)
                far[chosen] = 0
            one = int(random.choice(self.n, p=far / far.sum()))
            chosen.append(one)
            kernels.agree(self.rows, self.factors, one, shares)
            closer = shares > nearest
            labels[closer] = k
            nearest[closer] = shares[closer]
        labels[chosen] = np.arange(count)
        return self.state(labels, count)

    def resized(self, state: State, count: int, random: np.random.RandomState) -> State:
        """The clustering with so many clusters: the best merged, or the loosest split."""
        if state.count > count:
            return self.joined(state, self.merged(state, count)[-1])
        while state.count < count:
            state = self._split_any(state, random)
        return state

    def _sums(self, count: int) -> tuple[Array, Array, Array, Array]:
        totals = np.empty(5 if self.by_objects else 0)
        return np.empty(count), np.empty((count, count)), np.empty(count), totals

    def _split_any(self, state: State, random: np.random.RandomState) -> State:
        for k in loosest(state):
            cut = self.split(state, k, random)
            if cut is not None:
                return cut
        raise AssertionError("fewer clusters than different objects")


def loosest(state: State) -> Array:
    """The clusters, those first whose pairs of objects are together least often."""
    pairs = np.maximum(state.sizes * (state.sizes - 1) / 2, 1)
    shares = np.where(state.sizes > 1, state.inner / pairs, np.inf)
    return np.argsort(shares, kind="stable")
