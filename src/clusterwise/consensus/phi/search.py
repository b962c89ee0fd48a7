"""Searches for the clustering with the highest φ: local search, annealing and genetic search."""

import numpy as np

from clusterwise._utils.threads import run_parts
from clusterwise.consensus.phi.state import PhiProblem, PhiState, loosest

# First and last temperature of annealing, in units of the change that a mean object can make.
_FIRST_TEMPERATURE, _LAST_TEMPERATURE = 0.5, 0.005
# The genetic search: population size at least, and mutations per child.
_MIN_POPULATION = 4
_MUTATION_RATE = 0.3
# The largest number of cells in the product of two parents; the local search assigns the rest.
_MAX_CELLS = 200


def climb(problem: PhiProblem, state: PhiState, max_iter: int) -> PhiState:
    """Move objects one by one to the cluster with the largest gain of φ, until none moves."""
    for _ in range(max_iter):
        moved = problem.sweep(state)
        # Recompute the sums, so that rounding errors do not accumulate.
        problem.recompute(state)
        if not moved:
            break
    return state


def split_and_merge(
    problem: PhiProblem, state: PhiState, max_iter: int, random: np.random.RandomState
) -> PhiState:
    """Split a cluster, merge the two with the largest gain, and climb, while φ increases.

    Leaves local optima in which two clusters are merged and another one is split: no move of a
    single object improves them.
    """
    tried = 0
    while tried < state.count and state.count > 1:
        better = None
        for k in loosest(state)[tried:]:
            tried += 1
            cut = problem.split(state, int(k), random)
            if cut is None:
                continue
            other = climb(problem, problem.resize(cut, state.count, random), max_iter)
            if other.value > state.value + problem.tolerance:
                better = other
                break
        if better is None:
            break
        state, tried = better, 0
    return state


def climb_all(
    problem: PhiProblem, starts: list[PhiState], max_iter: int, random: np.random.RandomState
) -> list[PhiState]:
    """Return the local optimum of every start, best first; independent of the threads."""
    seeds = random.randint(2**31 - 1, size=len(starts))
    found: list[PhiState] = list(starts)

    def one(i: int) -> None:
        own = np.random.RandomState(seeds[i])
        found[i] = split_and_merge(problem, climb(problem, starts[i], max_iter), max_iter, own)

    run_parts(one, len(starts))
    return sorted(found, key=lambda state: -state.value)


def climb_by_criterion(problem: PhiProblem, state: PhiState, max_iter: int) -> PhiState:
    """Continue from a local optimum by the objective itself, if objects moved by another one."""
    if not problem.by_objects or state.count == 1:
        return climb(problem, state, max_iter)
    for _ in range(max_iter):
        moved = problem.sweep_normalised(state)
        problem.recompute(state)
        if not moved:
            break
    return state


def find_optima(
    problem: PhiProblem, starts: list[PhiState], max_iter: int, random: np.random.RandomState
) -> list[PhiState]:
    """Return the optimum of every start by the objective itself, best first."""
    found = climb_all(problem, starts, max_iter, random)
    if not problem.by_objects:
        return found

    def one(i: int) -> None:
        before = found[i]
        after = problem.state(before.labels.copy(), before.count)
        after.n_iter = before.n_iter
        after = climb_by_criterion(problem, after, max_iter)
        found[i] = max(before, after, key=problem.score)

    run_parts(one, len(found))
    return sorted(found, key=lambda state: -problem.score(state))


def search_local(
    problem: PhiProblem, starts: list[PhiState], max_iter: int, random: np.random.RandomState
) -> PhiState:
    """Return the best local optimum of the starts."""
    return find_optima(problem, starts, max_iter, random)[0]


def search_annealing(
    problem: PhiProblem, starts: list[PhiState], max_iter: int, random: np.random.RandomState
) -> PhiState:
    """Anneal the best local optimum of the starts, and return the better of both."""
    best = find_optima(problem, starts, max_iter, random)[0]
    if best.count == 1:
        return best
    state = problem.state(best.labels.copy(), best.count)
    for temperature in np.geomspace(_FIRST_TEMPERATURE, _LAST_TEMPERATURE, max_iter):
        problem.anneal(state, float(temperature), random)
    return max(best, climb_by_criterion(problem, state, max_iter), key=problem.criterion)


def search_genetic(
    problem: PhiProblem, starts: list[PhiState], max_iter: int, random: np.random.RandomState
) -> PhiState:
    """Cross the local optima of the starts; a child replaces the worst of the population.

    ``max_iter`` children are made.
    """
    count = starts[0].count
    while len(starts) < _MIN_POPULATION:
        starts = [*starts, problem.seed_clusters(count, random)]
    population = find_optima(problem, starts, max_iter, random)
    if count == 1:
        return population[0]
    values = [problem.criterion(one) for one in population]
    for _ in range(max_iter):
        # Binary tournaments: the population is sorted, so the smaller index is the better one.
        mother, father = np.sort(random.randint(len(population), size=(2, 2)), axis=1)[:, 0]
        child = cross(problem, population[mother], population[father], random)
        if random.random_sample() < _MUTATION_RATE:
            cut = problem.split(child, int(random.randint(child.count)), random)
            child = child if cut is None else problem.resize(cut, count, random)
        child = climb_by_criterion(problem, climb(problem, child, max_iter), max_iter)
        value = problem.criterion(child)
        known = any(abs(value - other) <= problem.tolerance for other in values)
        if not known and value > values[-1]:
            at = sum(other >= value for other in values)
            population = [*population[:at], child, *population[at:-1]]
            values = [*values[:at], value, *values[at:-1]]
    return population[0]


def cross(
    problem: PhiProblem, mother: PhiState, father: PhiState, random: np.random.RandomState
) -> PhiState:
    """Merge the cells of the product of two clusterings where φ gains most."""
    cells = mother.labels * father.count + father.labels
    weights = np.bincount(cells, problem.weights)
    # Objects of the smallest cells join the largest cell of their cluster in the mother.
    kept = np.argsort(-weights, kind="stable")[:_MAX_CELLS]
    kept = kept[weights[kept] > 0]
    ranks = np.full(weights.size, -1)
    ranks[kept] = np.arange(kept.size)
    labels = ranks[cells]
    for i in np.unique(mother.labels[labels < 0]):
        cells_of_i = kept[kept // father.count == i]
        largest = ranks[cells_of_i[0]] if cells_of_i.size else 0
        labels[(labels < 0) & (mother.labels == i)] = largest
    state = problem.state(labels, kept.size)
    return problem.resize(state, mother.count, random)
