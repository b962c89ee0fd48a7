"""Simulated annealing for the highest φ: moves that lose are made while it is hot."""

import numpy as np

from clusterwise.consensus.phi.search import climb, climb_all
from clusterwise.consensus.phi.state import Problem, State
from clusterwise.kernels import phi as kernels

# In units of what the average object can change: how hot it begins, and how cold it ends.
_HOT, _COLD = 0.5, 0.005


def search_annealing(
    problem: Problem, starts: list[State], max_iter: int, random: np.random.RandomState
) -> State:
    """Climb from all starts, anneal from the best one; the better of both."""
    best = climb_all(problem, starts, max_iter, random)[0]
    count = best.count
    if count == 1:
        return best
    state = problem.state(best.labels.copy(), count)
    unit = (problem.k1 - problem.k2) / problem.n
    if not problem.by_objects:
        unit *= float(problem.factors.sum()) * count
    for heat in unit * np.geomspace(_HOT, _COLD, max_iter):
        objects = random.randint(problem.n, size=problem.n)
        targets = random.randint(count, size=problem.n)
        chances = random.random_sample(problem.n)
        kernels.anneal(
            objects, targets, chances, heat, *problem.data, state.labels, *state.sums,
            problem.k1, problem.k2,
        )  # fmt: skip
        problem.refreshed(state)
    state = climb(problem, state, max_iter)
    return state if state.value > best.value else best
