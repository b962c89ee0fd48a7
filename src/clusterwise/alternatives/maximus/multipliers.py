"""Objects that share themselves out among clusters, by distances and prices."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar, cast

import numpy as np

from clusterwise._utils.threads import run_parts
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_multipliers as coupling

Part = TypeVar("Part")
# An object, and the clusters that it leaves and joins.
Move = tuple[int, int, int]

# Sums are added up by blocks of so many objects, whatever the number of threads.
_BLOCK = 1 << 15


class Links(NamedTuple):
    """What objects are part of: rows of a table of prices, clusters being its columns.

    Object i is part of the rows ``codes[i]``, and by ``weights[i]`` of the last rows. Row 0 is
    that of all objects, and says how large clusters are.
    """

    codes: Array
    weights: Array
    rows: int

    @property
    def kinds(self) -> Array:
        """A number for each object, the same for those that are part of the same."""
        if self.weights.shape[1]:
            return np.arange(len(self.codes))
        return np.unique(self.codes, axis=0, return_inverse=True)[1].ravel()

    def take(self, some: Array) -> "Links":
        """The links of some objects."""
        return Links(self.codes[some], self.weights[some], self.rows)

    @property
    def totals(self) -> Array:
        """What all objects together have of each row."""
        totals = np.bincount(self.codes.ravel(), minlength=self.rows).astype(np.float64)
        if self.weights.shape[1]:
            totals[-self.weights.shape[1] :] = self.weights.sum(axis=0)
        return totals

    @property
    def largest(self) -> Array:
        """The most that one object has of each row."""
        largest = np.ones(self.rows)
        if self.weights.shape[1]:
            largest[-self.weights.shape[1] :] = self.weights.max(axis=0)
        return largest


def link_clusters(given: Array, sizes: tuple[int, ...]) -> Links:
    """Every object is part of its cluster in each given clustering (codes, m × n)."""
    first = 1 + np.concatenate([[0], np.cumsum(sizes)])
    n = given.shape[1]
    codes = np.zeros((n, 1 + len(sizes)), np.int32)
    codes[:, 1:] = given.T + first[:-1]
    return Links(codes, np.empty((n, 0)), int(first[-1]))


def link_weights(weights: Array) -> Links:
    """Every object is part of every row, by its weight."""
    n, rows = weights.shape
    return Links(np.zeros((n, 1), np.int32), weights, 1 + rows)


def measure(points: Array, centroids: Array) -> tuple[Array, float]:
    """Squared distances, n × K, and how far they range for an object on average."""
    n = len(points)
    costs = np.empty((n, len(centroids)))
    wide = _by_blocks(n, lambda begin, end: coupling.measure(points, centroids, begin, end, costs))
    return costs, sum(wide) / n


class Priced(NamedTuple):
    """Costs of objects in clusters, n × K, with prices on what they are part of."""

    costs: Array
    links: Links
    prices: Array
    heat: float

    def press(self) -> tuple[float, Array]:
        """The mean of soft minima, and the table of what each cluster holds of each row."""

        def work(begin: int, end: int) -> tuple[float, Array]:
            table = np.zeros(self.prices.shape)
            value = coupling.press(
                self.costs, self.links.codes, self.links.weights, self.prices, self.heat, begin,
                end, table,
            )  # fmt: skip
            return value, table

        done = _by_blocks(len(self.costs), work)
        tables = [table for _, table in done]
        return sum(value for value, _ in done) / len(self.costs), sum(tables[1:], tables[0])

    def centroids(self, points: Array) -> tuple[Array, float]:
        """The mean of the objects of each cluster, by their shares, and what they cost before."""

        def work(begin: int, end: int) -> tuple[Array, Array, float]:
            sums, sizes = np.zeros((count, points.shape[1])), np.zeros(count)
            spread = coupling.gather(
                points, self.costs, self.links.codes, self.links.weights, self.prices, self.heat,
                begin, end, sums, sizes,
            )  # fmt: skip
            return sums, sizes, spread

        count = self.costs.shape[1]
        done = _by_blocks(len(self.costs), work)
        sums, sizes, spread = (sum(parts[1:], parts[0]) for parts in zip(*done, strict=True))
        return sums / np.maximum(sizes, 1e-9)[:, None], float(spread) / len(points)

    def settle(self, noise: Array) -> Array:
        """One cluster for each object; noise decides where several cost about the same."""
        labels = np.empty(len(self.costs), np.int64)
        shaken = noise * self.heat

        def work(begin: int, end: int) -> None:
            coupling.settle(
                self.costs, self.links.codes, self.links.weights, self.prices, shaken, begin, end,
                labels,
            )  # fmt: skip

        _by_blocks(len(self.costs), work)
        return labels

    def find_move(
        self, slope: Array, labels: Array, full: Array, kinds: Array, barred: Array
    ) -> tuple[int, int]:
        """See the kernel."""
        return coupling.find_move(
            self.costs, self.links.codes, self.links.weights, self.prices, slope, labels, full,
            kinds, barred,
        )  # fmt: skip


def tabulate(links: Links, labels: Array, clusters: int) -> Array:
    """The table of a clustering: what each cluster holds of each row."""
    shape = links.rows, clusters
    cells = links.codes * clusters + labels[:, None]
    table = np.bincount(cells.ravel(), minlength=links.rows * clusters).reshape(shape)
    table = table.astype(np.float64)
    if links.weights.shape[1]:
        first = links.rows - links.weights.shape[1]
        for k in range(clusters):
            table[first:, k] = links.weights[labels == k].sum(axis=0)
    return table


def retabulate(links: Links, table: Array, moves: Sequence[Move]) -> Array:
    """The table after some objects went from one cluster to another."""
    after = table.copy()
    first = links.rows - links.weights.shape[1]
    for i, here, there in moves:
        for sign, k in ((-1.0, here), (1.0, there)):
            after[links.codes[i], k] += sign
            after[first:, k] += sign * links.weights[i]
    return after


def _by_blocks(n: int, work: Callable[[int, int], Part]) -> list[Part]:
    """What the work makes of each block, in order."""
    blocks = -(-n // _BLOCK)
    done: list[Part | None] = [None] * blocks

    def task(block: int) -> None:
        done[block] = work(n * block // blocks, n * (block + 1) // blocks)

    run_parts(task, blocks)
    return cast("list[Part]", done)
