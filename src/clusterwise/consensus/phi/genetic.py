"""A genetic search for the highest φ, whose crossover works on clusters, not on labels."""

import numpy as np

from clusterwise.consensus.phi.search import climb, climb_all
from clusterwise.consensus.phi.state import Problem, State

_FEWEST = 4
_MUTATION = 0.3
# Cells of two parents; the smallest of more are left to the climb.
_CELLS = 200


def search_genetic(
    problem: Problem, starts: list[State], max_iter: int, random: np.random.RandomState
) -> State:
    """Breed the clusterings that the starts lead to; a child takes the place of the worst.

    ``max_iter`` children are bred.
    """
    count = starts[0].count
    while len(starts) < _FEWEST:
        starts = [*starts, problem.seeded(count, random)]
    living = climb_all(problem, starts, max_iter, random)
    if count == 1:
        return living[0]
    for _ in range(max_iter):
        # Of two pairs drawn by chance the better ones, living being sorted.
        mother, father = np.sort(random.randint(len(living), size=(2, 2)), axis=1)[:, 0]
        child = cross(problem, living[mother], living[father], random)
        if random.random_sample() < _MUTATION:
            cut = problem.split(child, int(random.randint(child.count)), random)
            child = child if cut is None else problem.resized(cut, count, random)
        child = climb(problem, child, max_iter)
        known = any(abs(child.value - other.value) <= problem.least for other in living)
        if not known and child.value > living[-1].value:
            living[-1] = child
            living.sort(key=lambda state: -state.value)
    return living[0]


def cross(problem: Problem, mother: State, father: State, random: np.random.RandomState) -> State:
    """What both parents have together stays together; such groups merge to where φ gains most."""
    cells = mother.labels * father.count + father.labels
    weights = np.bincount(cells, problem.weights)
    # Objects of the smallest cells stay with their mother's largest cell.
    kept = np.argsort(-weights, kind="stable")[:_CELLS]
    kept = kept[weights[kept] > 0]
    ranks = np.full(weights.size, -1)
    ranks[kept] = np.arange(kept.size)
    labels = ranks[cells]
    for i in np.unique(mother.labels[labels < 0]):
        ours = kept[kept // father.count == i]
        home = ranks[ours[0]] if ours.size else 0
        labels[(labels < 0) & (mother.labels == i)] = home
    state = problem.state(labels, kept.size)
    return problem.resized(state, mother.count, random)
