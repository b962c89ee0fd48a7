"""The sparse program that all profiles come from, how it is solved, and what can go wrong.

A profile x is K × V: how many objects of each region cluster l is to take. The similarity
to a known clustering is the best matching in a table of dot products. The dual of the matching
needs K·K' rows in place of K! of them: u_k + v_l is at least the dot product of known cluster k and
wanted cluster l, and the least sum of all u and v is the best matching. They are not
negative, so that clusters may stay alone where K and K' differ.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.similarity import lower_bound, similarity
from clusterwise.inputs.encoding import Array

Status = Literal["optimal", "time limit", "infeasible"]

# What milp answers.
_OPTIMAL, _TIME_LIMIT, _INFEASIBLE = 0, 1, 2
# What a number of the solver may be away from a whole one and still be it.
_SLACK = 1e-7


class Solution(NamedTuple):
    """A profile, how similar it is to what is known, and how the solver did.

    ``value`` is counted from the profile, ``lower_bound`` the least that any profile of so many
    clusters can reach, whole numbers or not, ``proved`` the best bound that is proved, and ``gap``
    what lies between it and the value, as a share of the value. ``seconds`` are those of finding
    this profile, and the status is "optimal" or "time limit".
    """

    profile: Array
    value: int
    lower_bound: float
    proved: float
    gap: float
    status: Status
    seconds: float


class Answer(NamedTuple):
    """The solver's numbers, None if it has none; what they cost, the bound, and how it ended."""

    x: Array | None
    cost: float
    bound: float
    status: Status


class Program:
    """Variables x (K × V), then u and v of each known clustering, then cluster sizes.

    Rows are divided by the largest known count, so that coefficients lie between 0 and 1.
    """

    def __init__(self, known: Sequence[Array], sizes: Array, clusters: int) -> None:
        self.clusters = clusters
        self.scale = float(max(int(np.max(one)) for one in known))
        self.cells = clusters * sizes.size
        self.duals = sum(len(one) + clusters for one in known)
        self.width = self.cells + self.duals + clusters
        self.low, self.high = np.zeros(self.width), np.full(self.width, np.inf)
        whole = sparse.kron(np.ones((1, clusters)), sparse.eye_array(sizes.size))
        self.sums = [self._rows(whole, sizes, sizes)]
        self.couplings = []
        at = 0
        for one in known:
            self.couplings.append(self._couple(np.asarray(one) / self.scale, at))
            at += len(one) + clusters

    def _rows(self, matrix: Any, low: Any, high: Any) -> LinearConstraint:
        """Rows from their first columns; the others are zero."""
        matrix = sparse.csr_array(matrix)
        matrix.resize((matrix.shape[0], self.width))
        return LinearConstraint(matrix, low, high)

    def _couple(self, known: Array, at: int) -> LinearConstraint:
        """``u_k + v_l`` is at least the dot product of known cluster k and wanted cluster l."""
        given, wanted = len(known), self.clusters
        products = sparse.kron(sparse.eye_array(wanted), sparse.csr_array(known))
        u = sparse.kron(np.ones((wanted, 1)), sparse.eye_array(given))
        v = sparse.kron(sparse.eye_array(wanted), np.ones((given, 1)))
        skipped = sparse.csr_array((given * wanted, at))
        return self._rows(sparse.hstack([products, skipped, -u, -v]), -np.inf, 0.0)

    @property
    def dual_sum(self) -> Array:
        """Picks the sum of all u and v, in the program's unit."""
        picked = np.zeros(self.width)
        picked[self.cells : self.cells + self.duals] = 1.0
        return picked

    def keep_sizes(self, features: Array, smallest: int) -> None:
        """Clusters have the same size in every feature, and not less than the smallest."""
        regions = np.arange(features.size)
        member = sparse.csr_array((np.ones(features.size), (features, regions)))
        counts = sparse.kron(sparse.eye_array(self.clusters), member)
        skipped = sparse.csr_array((counts.shape[0], self.duals))
        size = sparse.kron(sparse.eye_array(self.clusters), np.ones((member.shape[0], 1)))
        self.sums.append(self._rows(sparse.hstack([counts, skipped, -size]), 0.0, 0.0))
        self.low[-self.clusters :] = smallest

    def solve(
        self,
        cost: Array,
        *,
        time_limit: float,
        gap: float | None = None,
        ceiling: float = np.inf,
        sizes: Array | None = None,
    ) -> Answer:
        """Run HiGHS, which looks at the clock now and then only.

        A ``gap`` asks for whole numbers in x, a ``ceiling`` limits the similarity, and ``sizes``
        are those that clusters must have.
        """
        low, high = self.low.copy(), self.high.copy()
        if sizes is not None:
            low[-self.clusters :] = high[-self.clusters :] = sizes
        rows = [*self.sums, *self.couplings]
        if ceiling < np.inf:
            rows.append(self._rows(self.dual_sum[None, :], -np.inf, ceiling / self.scale))
        options = {"time_limit": max(0.0, time_limit)}
        integral = np.zeros(self.width)
        if gap is not None:
            integral[: self.cells] = 1
            options["mip_rel_gap"] = gap
        result = milp(
            cost,
            integrality=integral,
            bounds=Bounds(low, high),
            constraints=rows,
            options=options,
        )
        return _read(result)

    def round(self, x: Array) -> Array:
        """A whole profile with the same sums, each number up or down, as near as can be.

        The rows of the sums alone are those of a network, so that every vertex is whole.
        """
        floor = np.floor(x + _SLACK)
        part = np.maximum(x - floor, 0.0)
        high = floor + (part > _SLACK)
        floor[self.cells : self.cells + self.duals] = 0.0
        high[self.cells : self.cells + self.duals] = 0.0
        cost = np.zeros(self.width)
        cost[: self.cells] = 1.0 - 2.0 * part[: self.cells]
        answer = _read(milp(cost, bounds=Bounds(floor, high), constraints=self.sums))
        assert answer.x is not None
        return self.whole(answer.x)

    def profile(self, x: Array) -> Array:
        """The K × V numbers of the profile."""
        return x[: self.cells].reshape(self.clusters, -1)

    def whole(self, x: Array) -> Array:
        """The same as the integers that they are meant to be."""
        return np.rint(self.profile(x)).astype(np.int64)


def describe(
    known: Sequence[Array], profile: Array, proved: float, status: Status, seconds: float
) -> Solution:
    """A profile as a solution; ``proved`` is what the solver knows of the least similarity."""
    value = similarity(known, profile)
    least = lower_bound(known, profile.sum(axis=0), len(profile))
    proved = max(proved, least)
    gap = max(0.0, (value - proved) / value) if value else 0.0
    return Solution(profile, value, least, proved, gap, status, seconds)


def _read(result: Any) -> Answer:
    """What the solver says. No program here is unbounded: then it has no solution at all."""
    if result.status in (_OPTIMAL, _TIME_LIMIT):
        bound = result.get("mip_dual_bound")
        return Answer(
            result.x,
            np.inf if result.fun is None else float(result.fun),
            -np.inf if bound is None else float(bound),
            "optimal" if result.status == _OPTIMAL else "time limit",
        )
    if result.status == _INFEASIBLE or "infeasible" in result.message.lower():
        return Answer(None, np.inf, np.inf, "infeasible")
    raise InputError(
        f"HiGHS could not solve the program of the profile ({result.message}); "
        "use program='direct'."
    )
