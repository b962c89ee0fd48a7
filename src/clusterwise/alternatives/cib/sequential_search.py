"""The sequential search of the information bottleneck: objects move one by one."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.threads import run_interruptibly
from clusterwise.alternatives.cib.relations import Relation
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.kernels import cib as kernels
from clusterwise.kernels.assignment import solve_assignment


class Run(NamedTuple):
    """Labels from one start, and the objective after each sweep."""

    labels: Array
    trace: list[float]


class Information(NamedTuple):
    """I(C;Y|Z) and I(C;Y), in nats."""

    conditional: float
    total: float


class SequentialSearch:
    """Moves of single objects, and the tables of counts that their gains are computed from.

    ``groups`` are the given clusters Z, ``count`` is the number of clusters, ``gamma`` the weight
    of I(C;Y). Clusters keep at least ``least`` objects.
    """

    def __init__(
        self, relation: Relation, groups: Array, count: int, gamma: float, least: int
    ) -> None:
        self.relation, self.count, self.least = relation, count, least
        self.gamma = float(gamma)
        self.groups = read_only(groups.astype(np.int64))
        self.n_groups = int(groups.max()) + 1
        self.pairs, self.begins, self.value_of = relation.pairs_within(groups)
        m = np.arange(1, relation.n + 1)
        # The difference of x log x between m and m + 1.
        self.steps = read_only(np.concatenate([[0.0], m * np.log1p(1 / m) + np.log(m + 1)]))

    def run(self, random: Any, max_iter: int, tol: float) -> Run:
        """Search from random clusters until a sweep gains less than ``tol``."""
        n = self.relation.n
        labels = random.permutation(n) % self.count
        trace = [self.objective(labels)]
        if self.gamma > 0:
            # First cluster inside each group, then coordinate the groups: with both at once the
            # search first finds the groups themselves.
            self._sweep(random.permutation(n), labels, 0.0)
            labels = self._permute(labels)
            trace = [self.objective(labels)]
        for _ in range(max_iter):
            self._sweep(random.permutation(n), labels, self.gamma)
            if self.gamma > 0:
                labels = self._permute(labels)
            trace.append(self.objective(labels))
            if trace[-1] - trace[-2] < tol:
                break
        return Run(labels, trace)

    def objective(self, labels: Array) -> float:
        """Count again, so that rounding errors do not add up, and return the objective."""
        relation, kind = self.relation, self.relation.weights.dtype
        self.cells = np.zeros((self.value_of.size, self.count), kind)
        self.totals = np.zeros((relation.n_values, self.count), kind)
        self.sizes = np.zeros((self.n_groups, self.count), np.int64)
        self.all_sizes = np.zeros(self.count, np.int64)
        kernels.count_objects(self._entries(), labels, self._counts())
        value = self._information(self.cells, self.sizes)
        if self.gamma > 0:
            value += self.gamma * self._information(self.totals, self.all_sizes[None])
        return value

    def information(self, labels: Array) -> Information:
        """Return the information of a clustering given the groups, and without them."""
        self.objective(labels)
        conditional = self._information(self.cells, self.sizes)
        return Information(conditional, self._information(self.totals, self.all_sizes[None]))

    def _information(self, counts: Array, sizes: Array) -> float:
        """Return the information between clusters and values within groups, a row of sizes each."""
        values, objects = (
            kernels.sum_xlogx(table) - kernels.sum_xlogx(table.sum(axis=1, keepdims=True))
            for table in (counts, sizes)
        )
        mass = self.relation.mass
        return float((values - mass * objects) / (mass * self.relation.n))

    def _entries(self) -> kernels.Entries:
        relation = self.relation
        return kernels.Entries(
            relation.starts, relation.values, self.pairs, relation.weights, self.groups
        )

    def _counts(self) -> kernels.Counts:
        return kernels.Counts(self.cells, self.totals, self.sizes, self.all_sizes)

    def _sweep(self, order: Array, labels: Array, gamma: float) -> None:
        sweep = kernels.sweep_counts if self.relation.counted else kernels.sweep_weights
        entries = self._entries()
        run_interruptibly(
            float(entries.values.size) * self.count, sweep, order, entries, gamma, self.least,
            self.steps, labels, self._counts(), np.empty(self.count),
        )  # fmt: skip

    def _permute(self, labels: Array) -> Array:
        """Permute the labels inside one group after another where that increases I(C;Y)."""
        names = np.tile(np.arange(self.count), (self.n_groups, 1))
        gains = np.empty((self.count, self.count))
        for group in range(self.n_groups):
            first, last = self.begins[group], self.begins[group + 1]
            kernels.exchange_gains(
                first, last, self.value_of, self.relation.mass, self.cells, self.totals,
                self.sizes[group], self.all_sizes, gains,
            )  # fmt: skip
            new, old = np.arange(self.count), solve_assignment(gains)
            changed = self.sizes[group, old] - self.sizes[group]
            better = gains[new, old].sum() > np.trace(gains) + kernels.SLACK * self.relation.n
            if better and (self.all_sizes + changed).min() >= self.least:
                part = self.cells[first:last]
                self.totals[self.value_of[first:last]] += part[:, old] - part
                self.cells[first:last] = part[:, old]
                self.sizes[group] += changed
                self.all_sizes += changed
                names[group, old] = new
        return names[self.groups, labels]
