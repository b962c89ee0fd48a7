"""Populations of two clusterings with a known agreement, and clusterings that are unrelated."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise import Contingency, compare
from clusterwise.measures.catalogue import OF_LABELS, find_measure

# Of clusters of unequal size, each has this proportion of the size of the one before.
FALL = 0.8
# The population has so many objects.
_POPULATION = 10**9
# Measures that grow with the number of objects, and with which power.
_GROWTH = {"mirkin_distance": 2, "van_dongen_distance": 1, "mallows_distance": 1}
# Clusterings with fewer objects for each cluster are left out.
_FEWEST = 5


class Population(NamedTuple):
    """Two clusterings into ``clusters`` clusters, of which the labels of ``agreement`` are equal.

    The labels of the others are independent; ``objects`` are drawn.
    """

    clusters: int
    objects: int
    agreement: float

    @property
    def shares(self) -> NDArray[np.float64]:
        """The proportions of the clusters."""
        sizes = FALL ** np.arange(self.clusters)
        return sizes / sizes.sum()

    @property
    def joint(self) -> NDArray[np.float64]:
        """The proportions of the cells of the contingency table."""
        independent = np.outer(self.shares, self.shares)
        return self.agreement * np.diag(self.shares) + (1 - self.agreement) * independent

    def truth(self, names: Sequence[str]) -> dict[str, float]:
        """Return the values of measures in the population, on the scale of the objects drawn."""
        counts = np.rint(self.joint * _POPULATION).astype(np.int64)
        table = Contingency.from_table(counts)
        scale = self.objects / float(counts.sum())
        return {
            name: find_measure(name).function(table) * scale ** _GROWTH.get(name, 0)
            for name in names
        }

    def draw(self, random: np.random.Generator) -> Contingency:
        """Draw the objects."""
        counts = random.multinomial(self.objects, self.joint.ravel())
        return Contingency.from_table(counts.reshape(self.clusters, self.clusters))


class Sizes(NamedTuple):
    """The share of unrelated pairs with a p-value below each level, and the distance to uniform."""

    below: dict[float, float]
    distance: float


def grid(
    clusters: Sequence[int], objects: Sequence[int], agreements: Sequence[float]
) -> list[Population]:
    """Return the populations with these parameters that have enough objects in each cluster."""
    return [
        Population(*parameters)
        for parameters in product(clusters, objects, agreements)
        if parameters[1] >= _FEWEST * parameters[0]
    ]


def coverage(
    population: Population, names: Sequence[str], repeats: int, seed: int, n_permutations: int = 100
) -> dict[str, float]:
    """Return how often the intervals of measures contain the value in the population."""
    random = np.random.default_rng(seed)
    truth = population.truth(names)
    covered = dict.fromkeys(names, 0)
    for _ in range(repeats):
        table = population.draw(random)
        found = compare(
            table, measures=names, significance=True, n_permutations=n_permutations,
            random_state=random,
        ).significance  # fmt: skip
        assert found is not None
        for name in names:
            covered[name] += found[name].low <= truth[name] <= found[name].high
    return {name: count / repeats for name, count in covered.items()}


def null_sizes(
    clusters: int,
    objects: int,
    names: Sequence[str],
    levels: Sequence[float],
    repeats: int,
    seed: int,
) -> dict[str, Sizes]:
    """Return the sizes of tests of measures, of pairs with fixed and unequal cluster sizes."""
    random = np.random.default_rng(seed)
    shares = Population(clusters, objects, 0.0).shares
    sizes = np.maximum(1, np.rint(shares * objects)).astype(np.int64)
    sizes[0] += objects - sizes.sum()
    a = np.repeat(np.arange(clusters), sizes)
    p_values: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(repeats):
        counts = np.bincount(a * clusters + random.permutation(a), minlength=clusters**2)
        table = Contingency.from_table(counts.reshape(clusters, clusters))
        found = compare(table, measures=names, significance=True, random_state=random).significance
        assert found is not None
        for name in names:
            p_values[name].append(found[name].p_value)
    return {name: _describe(np.array(values), levels) for name, values in p_values.items()}


def _describe(p_values: NDArray[np.float64], levels: Sequence[float]) -> Sizes:
    ordered = np.sort(p_values)
    n = ordered.size
    distance = max(
        float((ordered - np.arange(n) / n).max()), float((np.arange(1, n + 1) / n - ordered).max())
    )
    return Sizes({level: float((p_values <= level).mean()) for level in levels}, distance)


def all_measures() -> list[str]:
    """Return the names of the measures of labels."""
    return list(OF_LABELS)
