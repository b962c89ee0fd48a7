"""The greedy assignment of the paper by definition."""

import numpy as np
from experiments.maximus.variants.greedy import assign_greedily, assign_regions_greedily
from hypothesis import given, strategies as st

from helpers.strategies import max_examples

seeds = st.integers(0, 2**32 - 1)


def assign_naively(costs, capacities):
    """Algorithm 2: the smallest number of the matrix, again and again."""
    matrix, left, labels = costs.copy(), capacities.copy(), np.full(len(costs), -1)
    while (labels < 0).any():
        i, k = np.unravel_index(matrix.argmin(), matrix.shape)
        if left[k] > 0:
            labels[i] = k
            left[k] -= 1
            matrix[i] = np.inf
        else:
            matrix[i, k] = np.inf
    return labels


@max_examples(60)
@given(seeds, st.booleans())
def test_the_greedy_assignment_is_algorithm_2(seed, whole):
    random = np.random.default_rng(seed)
    shape = int(random.integers(1, 25)), int(random.integers(1, 6))
    costs = random.integers(0, 4, shape).astype(float) if whole else random.random(shape)
    capacities = random.multinomial(shape[0], random.dirichlet(np.ones(shape[1])))
    labels = np.empty(len(costs), np.int32)
    assign_greedily(costs, capacities, labels)
    np.testing.assert_array_equal(labels, assign_naively(costs, capacities))


@max_examples(20)
@given(seeds)
def test_capacities_hold_in_every_region(seed):
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 9, 4)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    points, centroids = random.normal(size=(sizes.sum(), 2)), random.normal(size=(3, 2))
    order = random.permutation(sizes.sum()).astype(np.int32)
    capacities = np.array([random.multinomial(size, [0.5, 0.3, 0.2]) for size in sizes])
    labels, inertias = np.full(order.size, -1, np.int32), np.zeros(4)
    for first, last in ((0, 2), (2, 4)):
        assign_regions_greedily(
            points, order, starts, first, last, capacities, centroids, np.zeros((4, 3)), labels,
            inertias,
        )  # fmt: skip
    of = np.repeat(np.arange(4), sizes)
    counts = np.bincount(of * 3 + labels, minlength=12).reshape(4, 3)
    np.testing.assert_array_equal(counts, capacities)
    squared = ((points[order] - centroids[labels]) ** 2).sum(axis=1)
    np.testing.assert_allclose(inertias, np.bincount(of, squared, minlength=4))
