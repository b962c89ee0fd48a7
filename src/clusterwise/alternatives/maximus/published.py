"""The program as published: the profile that is least similar to those known.

Eq. 11 makes one matching the largest: for K' ≤ K that only names the wanted clusters, but for
K' > K it also fixes which known ones are matched, so no matching is singled out here.
Eq. 12 has one matching for all known clusterings, which would depend on how their clusters happen
to be numbered, so each has a matching of its own here and their values are added up.
"""

from collections.abc import Sequence
from time import perf_counter

from clusterwise.alternatives.maximus.linear import Program, Solution, describe
from clusterwise.alternatives.maximus.similarity import even_split, similarity
from clusterwise.inputs.encoding import Array


def solve_published(
    known: Sequence[Array], sizes: Array, clusters: int, *, gap: float, time_limit: float
) -> Solution:
    """The integer program of Eqs. 9-13, by the dual of the matching.

    The even split comes within rounding of the least similarity, and many other profiles do too.
    The solver returns a vertex among them, where most regions go to one cluster as a whole.
    If its time is over before it has anything better, the answer is the even split.
    A gap of 0 is not for large data: the last objects are a partition problem.
    """
    begin = perf_counter()
    program = Program(known, sizes, clusters)
    left = time_limit - (perf_counter() - begin)
    answer = program.solve(program.dual_sum, gap=gap, time_limit=left)
    profile = even_split(sizes, clusters)
    if answer.x is not None:
        found = program.whole(answer.x)
        if similarity(known, found) <= similarity(known, profile):
            profile = found
    proved = answer.bound * program.scale
    return describe(known, profile, proved, answer.status, perf_counter() - begin)
