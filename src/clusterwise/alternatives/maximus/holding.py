"""What is held down while clusters are made: how much they may say about what is given.

Each kind turns multipliers, a vector of numbers from 0 on, into prices, and says what it takes
for the multipliers to be right (the dual of the program, which is smooth at a low heat).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from scipy.optimize import Bounds, linear_sum_assignment, minimize

from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.maximus.multipliers import (
    Links,
    Priced,
    link_clusters,
    link_weights,
)
from clusterwise.alternatives.maximus.regions import Regions
from clusterwise.inputs.encoding import Array

Balance = Literal["membership", "matching", "profile"]

# Prices are made for a little less than what is allowed, since they are never quite right.
_MARGIN = 0.97
# How sharply an excess draws attention to itself where several are mended at once.
_SHARP = 8
# An excess by so little is none.
_ROUNDING = 1e-9


class Room(NamedTuple):
    """The least and the largest number of objects of each cluster."""

    low: Array
    high: Array


class Excess(NamedTuple):
    """How far a clustering exceeds what is allowed, 1 being just within it.

    ``potential`` is a smooth number that grows with it, ``slope`` says by how much each unit of
    each row in each cluster adds to that.
    """

    worst: float
    potential: float
    slope: Array


class Holding(ABC):
    """Multipliers for the sizes of clusters, and for what a subclass holds down."""

    def __init__(self, links: Links, room: Room) -> None:
        self.links, self.room = links, room
        self.n, self.clusters = len(links.codes), room.low.size
        self.totals = np.maximum(links.totals, 1e-300)
        self.sizes = np.concatenate([-room.low, room.high]) / self.n
        self.evaluations = 0
        self.x = np.zeros(self._count() + 2 * self.clusters)
        self.limits = Bounds(np.zeros(self.x.size), np.full(self.x.size, np.inf))

    def solve(self, costs: Array, heat: float, steps: int) -> Priced:
        """Costs with the best prices, from the last ones on."""

        def dual(x: Array) -> tuple[float, Array]:
            self.evaluations += 1
            value, table = Priced(costs, self.links, self._prices(x), heat).press()
            charge, slope = self._charge(x, heat)
            return charge - value, slope - self._pull(table / self.n)

        with one_library_thread_if_small(self.x.size):
            found = minimize(
                dual, self.x, jac=True, method="L-BFGS-B", bounds=self.limits,
                options={"maxiter": steps, "ftol": 1e-9},
            )  # fmt: skip
        self.x = found.x
        return Priced(costs, self.links, self._prices(self.x), heat)

    def follow(self, table: Array) -> None:  # noqa: B027
        """Note how large clusters are now, where it matters."""

    def excess(self, table: Array) -> Excess:
        """How far the table of a clustering is from what is allowed."""
        held = self._excess(table)
        sizes = np.maximum(table[0], 1e-9)
        low, high = self.room.low / sizes, sizes / np.maximum(self.room.high, 1e-9)
        held.slope[0] += (_steep(high) * high - _steep(low) * low) / sizes
        worst = max(held.worst, float(low.max()), float(high.max()))
        return Excess(
            1.0 if 1.0 < worst <= 1.0 + _ROUNDING else worst,
            held.potential + _soft_sum(low) + _soft_sum(high),
            held.slope,
        )

    def _prices(self, x: Array) -> Array:
        low, high = x[-2 * self.clusters :].reshape(2, -1)
        prices = np.zeros((self.links.rows, self.clusters))
        prices[0] = high - low
        self._add_prices(x[: -2 * self.clusters], prices)
        return prices

    def _pull(self, table: Array) -> Array:
        return np.concatenate([self._pull_held(table), -table[0], table[0]])

    def _charge(self, x: Array, heat: float) -> tuple[float, Array]:
        charge, slope = self._charge_held(x[: -2 * self.clusters], heat)
        charge += float(self.sizes @ x[-2 * self.clusters :])
        return charge, np.concatenate([slope, self.sizes])

    @abstractmethod
    def _count(self) -> int:
        """How many multipliers it has, but for those of sizes."""

    @abstractmethod
    def _add_prices(self, x: Array, prices: Array) -> None: ...

    @abstractmethod
    def _pull_held(self, table: Array) -> Array:
        """What the table does to each multiplier: the adjoint of the prices."""

    @abstractmethod
    def _charge_held(self, x: Array, heat: float) -> tuple[float, Array]:
        """What the bounds cost, and its slope."""

    @abstractmethod
    def _excess(self, table: Array) -> Excess: ...


class Evenness(Holding):
    """Each cluster has about the same share of every row as it has of all objects.

    The share of row k in cluster l differs from the cluster's size s_l, as a share of all
    objects, by no more than ``tolerance`` times s_l, or by one object where that is more.
    """

    def __init__(self, links: Links, room: Room, tolerance: float) -> None:
        super().__init__(links, room)
        self.tolerance = tolerance
        totals = self.totals[1:, None]
        self.rate = self.n / totals
        self.grain = links.largest[1:, None] / totals
        # Of the numbers that the multipliers are about, so that all are of one scale.
        self.scale = np.sqrt(self.rate)
        self._expect(np.full(self.clusters, 1.0 / self.clusters))

    def follow(self, table: Array) -> None:
        self._expect(table[0] / self.n)

    def _expect(self, shares: Array) -> None:
        """Bounds for clusters that have these shares of all objects."""
        bound = (_MARGIN * self._bound(shares) / self.scale).ravel()
        self.bounds = np.concatenate([bound, bound])

    def _count(self) -> int:
        return 2 * (self.links.rows - 1) * self.clusters

    def _add_prices(self, x: Array, prices: Array) -> None:
        up, down = x.reshape(2, -1, self.clusters)
        each = (up - down) / self.scale
        prices[1:] += each * self.rate
        prices[0] -= each.sum(axis=0)

    def _pull_held(self, table: Array) -> Array:
        beyond = ((table[1:] * self.rate - table[0]) / self.scale).ravel()
        return np.concatenate([beyond, -beyond])

    def _charge_held(self, x: Array, heat: float) -> tuple[float, Array]:  # noqa: ARG002
        return float(self.bounds @ x), self.bounds

    def _bound(self, shares: Array) -> Array:
        return np.maximum(self.tolerance * shares, self.grain)

    def _excess(self, table: Array) -> Excess:
        shares = table[0] / self.n
        beyond = (table[1:] / self.totals[1:, None] - shares) / self._bound(shares)
        beyond[self.totals[1:] < 1e-100] = 0.0
        slope = np.zeros(table.shape)
        each = np.sign(beyond) * _steep(np.abs(beyond)) / self._bound(shares)
        slope[1:] = each / self.totals[1:, None]
        size = np.abs(beyond)
        wider = self.tolerance * shares > self.grain
        widening = np.where(wider, size * _steep(size), 0.0) / np.maximum(shares, 1e-300)
        slope[0] = -(each + widening).sum(axis=0) / self.n
        return Excess(float(size.max(initial=0.0)), _soft_sum(size), slope)


class Matching(Holding):
    """The largest matching with each given clustering is at most a multiple of its lower bound.

    ``blocks`` are the numbers of rows of the given clusterings. In the dual each has non-negative
    multipliers that cost the largest sum of a row or column of theirs, softened at the heat: the
    shares of this soft maximum are the u and v of the matching's own dual.
    """

    def __init__(self, links: Links, room: Room, tolerance: float, blocks: Sequence[int]) -> None:
        super().__init__(links, room)
        ends = 1 + np.cumsum(blocks)
        self.blocks = [slice(end - size, end) for end, size in zip(ends, blocks, strict=True)]
        # In units of each lower bound; one object more or less in each cluster is allowed.
        self.unit = np.empty((links.rows - 1, 1))
        self.allowed = []
        for block in self.blocks:
            few = min(self.clusters, block.stop - block.start)
            least = np.sort(self.totals[block])[::-1][:few].sum() / self.clusters
            self.unit[block.start - 1 : block.stop - 1] = least
            self.allowed.append(max(tolerance, few * links.largest[block].max() / least))

    def _count(self) -> int:
        return (self.links.rows - 1) * self.clusters

    def _add_prices(self, x: Array, prices: Array) -> None:
        prices[1:] += x.reshape(-1, self.clusters) * self.n / self.unit

    def _pull_held(self, table: Array) -> Array:
        return (table[1:] * self.n / self.unit).ravel()

    def _charge_held(self, x: Array, heat: float) -> tuple[float, Array]:
        each = x.reshape(-1, self.clusters)
        slope = np.empty(each.shape)
        charge = 0.0
        for block, allowed in zip(self.blocks, self.allowed, strict=True):
            rows = slice(block.start - 1, block.stop - 1)
            sums = np.concatenate([each[rows].sum(axis=1), each[rows].sum(axis=0)]) / heat
            largest = sums.max()
            parts = np.exp(sums - largest)
            whole = parts.sum()
            bound = 1.0 + _MARGIN * allowed
            charge += bound * heat * (largest + np.log(whole))
            u, v = np.split(bound * parts / whole, [block.stop - block.start])
            slope[rows] = u[:, None] + v
        return charge, slope.ravel()

    def _excess(self, table: Array) -> Excess:
        worst, slope = 0.0, np.zeros(table.shape)
        for block, allowed in zip(self.blocks, self.allowed, strict=True):
            part = table[block] / self.unit[block.start - 1]
            rows, columns = linear_sum_assignment(part, maximize=True)
            reached = float(part[rows, columns].sum()) / (1.0 + allowed)
            if reached > worst:
                worst, slope[1:] = reached, 0.0
                slope[block.start + rows, columns] = 1.0 / self.unit[block.start - 1]
        return Excess(worst, worst, slope)


def choose_holding(
    balance: Balance,
    given: Array,
    sizes: tuple[int, ...],
    regions: Regions,
    profiles: Sequence[Array],
    room: Room,
    tolerance: float,
) -> tuple[Links, Callable[[Links], Holding]]:
    """What objects are part of, and what holds it down, for all objects or some of them.

    ``given`` are the codes (m × n) and ``profiles`` the profiles of the given clusterings.
    """
    if balance == "membership":
        links = link_clusters(given, sizes)
    else:
        links = link_weights(np.hstack([regions.weigh(profile) for profile in profiles]))
    n = given.shape[1]

    def hold(some: Links) -> Holding:
        part = len(some.codes) / n
        smaller = Room(room.low * part, room.high * part)
        if balance == "matching":
            return Matching(some, smaller, tolerance, sizes)
        return Evenness(some, smaller, tolerance)

    return links, hold


def _soft_sum(excess: Array) -> float:
    """A sum that the largest ones decide."""
    return float((excess**_SHARP).sum()) / _SHARP


def _steep(excess: Array) -> Array:
    """The slope of that sum."""
    return excess ** (_SHARP - 1)
