"""The published integer program: the profile that is least similar to the given ones.

A profile x is K × V: how many objects of each region cluster l takes. The similarity to a given
clustering is the value of the largest matching in the table of dot products. Its dual has K·K' rows
in place of K!: u_k + v_l is at least the dot product of given cluster k and new cluster l, and the
least sum of all u and v is the value of the largest matching. They are not negative, so that
clusters may stay unmatched if K and K' differ.

Eq. 11 requires one particular matching to be the largest: for K' ≤ K that only numbers the new
clusters, but for K' > K it also fixes which given clusters are matched, so it is left out here.
Eq. 12 has one matching for all given clusterings, which depends on how their clusters are numbered;
here each has a matching of its own, and their values are added up.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.region_profiles import (
    even_split,
    profile_similarity,
    similarity_bound,
)
from clusterwise.inputs.encoding import Array

Status = Literal["optimal", "time limit", "infeasible"]

# Exit codes of scipy.optimize.milp.
_OPTIMAL, _TIME_LIMIT, _INFEASIBLE = 0, 1, 2


class Solution(NamedTuple):
    """A profile, its similarity to the given ones, and the state of the solver.

    ``value`` is the similarity of the profile, ``lower_bound`` that of the best profile with as
    many clusters, integer or not, ``proved`` the best bound of the solver, and ``gap`` the
    difference to it, relative to the value. The status is "optimal" or "time limit".
    """

    profile: Array
    value: int
    lower_bound: float
    proved: float
    gap: float
    status: Status


class SolverResult(NamedTuple):
    """The variables (None if there are none), the objective, its bound, and the status."""

    x: Array | None
    objective: float
    bound: float
    status: Status


class ProfileProgram:
    """Variables x (K × V), then u and v of each given clustering, then ``n_extra`` others.

    Rows are divided by the largest given count, so that coefficients lie between 0 and 1.
    """

    def __init__(
        self, given: Sequence[Array], sizes: Array, clusters: int, *, n_extra: int = 0
    ) -> None:
        self.clusters = clusters
        self.scale = float(max(int(np.max(one)) for one in given))
        self.cells = clusters * sizes.size
        self.duals = sum(len(one) + clusters for one in given)
        self.width = self.cells + self.duals + n_extra
        totals = sparse.kron(np.ones((1, clusters)), sparse.eye_array(sizes.size))
        self.sums = [self._rows(totals, sizes, sizes)]
        self.matchings = []
        at = 0
        for one in given:
            self.matchings.append(self._bound_matching(np.asarray(one) / self.scale, at))
            at += len(one) + clusters

    def _rows(self, matrix: Any, low: Any, high: Any) -> LinearConstraint:
        """Return constraints from their first columns; the others are zero."""
        matrix = sparse.csr_array(matrix)
        matrix.resize((matrix.shape[0], self.width))
        return LinearConstraint(matrix, low, high)

    def _bound_matching(self, given: Array, at: int) -> LinearConstraint:
        """``u_k + v_l`` is at least the dot product of given cluster k and new cluster l."""
        old, new = len(given), self.clusters
        products = sparse.kron(sparse.eye_array(new), sparse.csr_array(given))
        u = sparse.kron(np.ones((new, 1)), sparse.eye_array(old))
        v = sparse.kron(sparse.eye_array(new), np.ones((old, 1)))
        skipped = sparse.csr_array((old * new, at))
        return self._rows(sparse.hstack([products, skipped, -u, -v]), -np.inf, 0.0)

    @property
    def dual_sum(self) -> Array:
        """The coefficients of the sum of all u and v."""
        picked = np.zeros(self.width)
        picked[self.cells : self.cells + self.duals] = 1.0
        return picked

    @property
    def integral(self) -> Array:
        """Which variables are integers: those of the profile."""
        return (np.arange(self.width) < self.cells).astype(np.float64)

    def round_profile(self, x: Array) -> Array:
        """Return the profile as the integers that the solver found up to its tolerance."""
        return np.rint(x[: self.cells].reshape(self.clusters, -1)).astype(np.int64)


def run_solver(
    cost: Array,
    constraints: Sequence[LinearConstraint],
    bounds: Bounds,
    integral: Array | None = None,
    **options: float,
) -> SolverResult:
    """Solve a mixed-integer program by HiGHS, which checks its time limit only now and then."""
    result = milp(
        cost, integrality=integral, bounds=bounds, constraints=constraints, options=options
    )
    if result.status in (_OPTIMAL, _TIME_LIMIT):
        bound = result.get("mip_dual_bound")
        return SolverResult(
            result.x,
            np.inf if result.fun is None else float(result.fun),
            -np.inf if bound is None else float(bound),
            "optimal" if result.status == _OPTIMAL else "time limit",
        )
    # No program here is unbounded, so that it must be infeasible.
    if result.status == _INFEASIBLE or "infeasible" in result.message.lower():
        return SolverResult(None, np.inf, np.inf, "infeasible")
    raise InputError(
        f"HiGHS could not solve the program of the profile ({result.message}); "
        "use program='objects'."
    )


def solve_published(
    given: Sequence[Array], sizes: Array, clusters: int, *, gap: float, time_limit: float
) -> Solution:
    """Solve the integer program of Eqs. 9-13, by the dual of the matching.

    The even split attains the least similarity up to rounding, and so do many other profiles.
    The solver returns a vertex among them, where most regions belong to one cluster as a whole.
    If it finds nothing better within the time limit, the even split is returned. Use a gap of 0 for
    small data only: closing the gap entirely is a number partitioning problem.
    """
    begin = perf_counter()
    program = ProfileProgram(given, sizes, clusters)
    left = time_limit - (perf_counter() - begin)
    result = run_solver(
        program.dual_sum, [*program.sums, *program.matchings],
        Bounds(np.zeros(program.width), np.full(program.width, np.inf)), program.integral,
        time_limit=max(0.0, left), mip_rel_gap=gap,
    )  # fmt: skip
    profile = even_split(sizes, clusters)
    if result.x is not None:
        found = program.round_profile(result.x)
        if profile_similarity(given, found) <= profile_similarity(given, profile):
            profile = found
    proved = result.bound * program.scale
    return describe_solution(given, profile, proved, result.status)


def describe_solution(
    given: Sequence[Array], profile: Array, proved: float, status: Status
) -> Solution:
    """Return a profile as a solution; ``proved`` is the solver's bound on the similarity."""
    value = profile_similarity(given, profile)
    least = similarity_bound(given, profile.sum(axis=0), len(profile))
    proved = max(proved, least)
    gap = max(0.0, (value - proved) / value) if value else 0.0
    return Solution(profile, value, least, proved, gap, status)
