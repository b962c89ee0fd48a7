"""Greedy search for the highest φ: moves of objects, then of whole clusters."""

import numpy as np

from clusterwise._utils.threads import run_parts
from clusterwise.consensus.phi.state import Problem, State, loosest


def climb(problem: Problem, state: State, max_iter: int) -> State:
    """Move objects one by one to where φ gains most, until none moves."""
    for _ in range(max_iter):
        moved = problem.sweep(state)
        # Afresh, so that rounding errors of many small steps do not add up.
        problem.refreshed(state)
        if not moved:
            break
    return state


def shake(problem: Problem, state: State, max_iter: int, random: np.random.RandomState) -> State:
    """Split a cluster, merge the two that gain φ most, and climb, as long as that gains.

    Leaves optima where two clusters are one, and one is two, which no single object leaves.
    """
    tried = 0
    while tried < state.count and state.count > 1:
        better = None
        for k in loosest(state)[tried:]:
            tried += 1
            cut = problem.split(state, int(k), random)
            if cut is None:
                continue
            other = climb(problem, problem.resized(cut, state.count, random), max_iter)
            if other.value > state.value + problem.least:
                better = other
                break
        if better is None:
            break
        state, tried = better, 0
    return state


def climb_all(
    problem: Problem, starts: list[State], max_iter: int, random: np.random.RandomState
) -> list[State]:
    """Climb and shake from every start, best first; the same whatever the number of threads."""
    seeds = random.randint(2**31 - 1, size=len(starts))
    found: list[State] = list(starts)

    def one(i: int) -> None:
        own = np.random.RandomState(seeds[i])
        found[i] = shake(problem, climb(problem, starts[i], max_iter), max_iter, own)

    run_parts(one, len(starts))
    return sorted(found, key=lambda state: -state.value)


def search_local(
    problem: Problem, starts: list[State], max_iter: int, random: np.random.RandomState
) -> State:
    """The best that the starts lead to."""
    return climb_all(problem, starts, max_iter, random)[0]
