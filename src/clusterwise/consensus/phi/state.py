"""The state of a search for the highest φ: distinct objects, and a clustering of them."""

from dataclasses import dataclass

import numpy as np

from clusterwise._utils.threads import run_interruptibly
from clusterwise.consensus.phi.objective import normalised
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble
from clusterwise.kernels import phi as kernels, phi_normalised as kernels_normalised
from clusterwise.summaries.ensemble.packed import count_shared


@dataclass
class PhiState:
    """A clustering with the sums from which φ and its changes are computed (see the kernels)."""

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
    def sums(self) -> kernels.PhiSums:
        """The arrays that kernels update."""
        return kernels.PhiSums(
            self.table, self.sizes, self.inner, self.outer, self.reach, self.totals
        )


class PhiProblem:
    """The distinct objects of an ensemble with their multiplicities, and the factors of φ."""

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
        """The number of distinct objects."""
        return len(self.rows)

    @property
    def data(self) -> kernels.PhiData:
        """The arrays that kernels read."""
        return kernels.PhiData(self.rows, self.starts, self.factors, self.weights)

    @property
    def weighting(self) -> kernels.PhiWeights:
        """The weights of pairs within and between clusters."""
        return kernels.PhiWeights(self.k1, self.k2)

    @property
    def tolerance(self) -> float:
        """Smaller gains are rounding errors."""
        if self.by_objects:
            return 1e-14 * (self.k1 - self.k2)
        return 1e-11 * float(self.factors.sum()) * (self.k1 - self.k2)

    def take(self, objects: Array) -> "PhiProblem":
        """Return the problem for some of the objects."""
        few = self.ensemble._replace(codes=np.ascontiguousarray(self.ensemble.codes[:, objects]))
        return PhiProblem(
            few,
            self.counts[objects],
            self.factors,
            k1=self.k1,
            k2=self.k2,
            by_objects=self.by_objects,
        )

    def state(self, labels: Array, count: int) -> PhiState:
        """Return the state of labels; no cluster may be empty."""
        table = np.empty((self.by_column.size, count))
        sizes = np.empty(count)
        kernels.count_clusters(self.data, labels, table, sizes)
        return self.recompute(PhiState(labels, table, sizes, *self._sums(count)))

    def member(self, j: int) -> PhiState | None:
        """Return the state of a clustering of the ensemble; None if it lacks labels."""
        labels, count = self.ensemble.codes[j], self.ensemble.sizes[j]
        if (labels < 0).any():
            return None
        shared = count_shared(labels, count, self.ensemble, self.counts)
        table = np.ascontiguousarray(shared.counts.T) * self.by_column[:, None]
        sizes = shared.sizes.astype(np.float64)
        return self.recompute(PhiState(labels.astype(np.int64), table, sizes, *self._sums(count)))

    def recompute(self, state: PhiState) -> PhiState:
        """Recompute the sums and the objective from the table."""
        sizes, inner, totals = state.sizes, state.inner, state.totals
        kernels.sum_pairs(state.sums, self.by_column)
        if self.by_objects:
            inside = inner.sum()
            total = inside + state.outer.sum() / 2
            totals[:] = inside, sizes @ sizes, sizes.sum(), total, self.factors.sum()
            value = kernels.objective_by_objects(
                (inner / sizes).sum(), inside, totals[1], totals, self.k1, self.k2
            )
        else:
            value = self.phi(state)
        state.value = float(value)
        return state

    def phi(self, state: PhiState) -> float:
        """Return φ as published."""
        return float(kernels.objective(state.sizes, state.inner, state.reach, self.k1, self.k2))

    def score(self, state: PhiState) -> float:
        """Return the normalised φ, which is comparable across numbers of clusters."""
        pairs = state.outer / np.outer(state.sizes, state.sizes)
        return normalised(
            state.sizes, state.inner, pairs, float(self.factors.sum()), self.k1, self.k2
        )

    def criterion(self, state: PhiState) -> float:
        """Return the objective by which results are compared: normalised φ, or as published."""
        return self.score(state) if self.by_objects else state.value

    def sweep(self, state: PhiState) -> int:
        """Move every object to its best cluster, one by one; return the number of moves."""
        order = np.arange(self.n)
        moved = run_interruptibly(
            float(self.rows.size) * state.count, kernels.sweep_objects,
            order, self.data, state.labels, state.sums, self.weighting, self.tolerance,
        )  # fmt: skip
        state.n_iter += 1
        return int(moved)

    def sweep_normalised(self, state: PhiState) -> int:
        """Move every object to the cluster with the highest normalised φ, one by one."""
        least = self.tolerance * float(self.weights.sum() * self.factors.sum())
        moved = run_interruptibly(
            float(self.rows.size + self.n * state.count) * state.count,
            kernels_normalised.sweep_normalised,
            self.data, state.labels, state.sums, self.weighting, least,
        )  # fmt: skip
        state.n_iter += 1
        return int(moved)

    def anneal(self, state: PhiState, temperature: float, random: np.random.RandomState) -> None:
        """Try as many random moves as there are objects; losses are accepted by chance.

        ``temperature`` is in units of the change that a mean object can make.
        """
        objects = random.randint(self.n, size=self.n)
        targets = random.randint(state.count, size=self.n)
        uniform = random.random_sample(self.n)
        temperature *= (self.k1 - self.k2) * float(self.factors.sum()) / self.n
        kernel = kernels.anneal_objects
        if self.by_objects:
            temperature *= float(self.weights.sum())
            kernel = kernels_normalised.anneal_normalised
        else:
            temperature *= state.count
        run_interruptibly(
            float(self.rows.size + self.n * state.count) * state.count, kernel,
            objects, targets, uniform, temperature, self.data, state.labels, state.sums,
            self.weighting,
        )  # fmt: skip
        self.recompute(state)

    def merge_path(self, state: PhiState, count: int) -> list[Array]:
        """Merge the two clusters with the largest gain of φ until ``count`` are left.

        Returns the cluster that each one is in, for each number of clusters on the way.
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

    def merge_clusters(self, state: PhiState, of: Array) -> PhiState:
        """Return the clusters merged as ``of`` says, computed from the table."""
        kept, ranks = np.unique(of, return_inverse=True)
        table = np.zeros((len(state.table), kept.size))
        sizes = np.zeros(kept.size)
        for k, rank in enumerate(ranks):
            table[:, rank] += state.table[:, k]
            sizes[rank] += state.sizes[k]
        return self.recompute(PhiState(ranks[state.labels], table, sizes, *self._sums(kept.size)))

    def split(
        self, state: PhiState, cluster: int, random: np.random.RandomState
    ) -> PhiState | None:
        """Split a cluster around two dissimilar objects; None if it has only one."""
        inside = np.flatnonzero(state.labels == cluster)
        if inside.size < 2:
            return None
        near, far = np.empty(self.n), np.empty(self.n)
        one = int(random.choice(inside))
        kernels.co_associations_with(self.rows, self.factors, one, near)
        near[one] = np.inf
        other = inside[np.argmin(near[inside])]
        kernels.co_associations_with(self.rows, self.factors, other, far)
        labels = state.labels.copy()
        labels[inside[far[inside] > near[inside]]] = state.count
        labels[other] = state.count
        return self.state(labels, state.count + 1)

    def seed_clusters(self, count: int, random: np.random.RandomState) -> PhiState:
        """Return clusters around seeds that are drawn by their distances, as in k-means++."""
        nearest, agreements = np.full(self.n, -1.0), np.empty(self.n)
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
            kernels.co_associations_with(self.rows, self.factors, one, agreements)
            closer = agreements > nearest
            labels[closer] = k
            nearest[closer] = agreements[closer]
        labels[chosen] = np.arange(count)
        return self.state(labels, count)

    def resize(self, state: PhiState, count: int, random: np.random.RandomState) -> PhiState:
        """Return the clustering with ``count`` clusters: some merged, or the loosest ones split."""
        if state.count > count:
            return self.merge_clusters(state, self.merge_path(state, count)[-1])
        while state.count < count:
            state = self._split_any(state, random)
        return state

    def _sums(self, count: int) -> tuple[Array, Array, Array, Array]:
        totals = np.empty(5 if self.by_objects else 0)
        return np.empty(count), np.empty((count, count)), np.empty(count), totals

    def _split_any(self, state: PhiState, random: np.random.RandomState) -> PhiState:
        for k in loosest(state):
            cut = self.split(state, k, random)
            if cut is not None:
                return cut
        raise AssertionError("there are more clusters than distinct objects")


def loosest(state: PhiState) -> Array:
    """Return the clusters by their mean co-association, lowest first."""
    pairs = np.maximum(state.sizes * (state.sizes - 1) / 2, 1)
    means = np.where(state.sizes > 1, state.inner / pairs, np.inf)
    return np.argsort(means, kind="stable")
