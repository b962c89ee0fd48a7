"""Expected mutual information against high precision, and who is closer: scikit-learn or we."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from sklearn.metrics.cluster import expected_mutual_information as sklearn_expected

import clusterwise as cw
from helpers.strategies import max_examples
from reference import measures as naive

# Few clusters among very many objects: every kind of pair of sizes (both halves, large with
# tiny, tiny with tiny) at a cost that mpmath can bear.
LARGE = {
    "halves of 10^6": ([500_000, 500_000], [500_000, 500_000]),
    "uneven, 10^6": ([999_000, 900, 100], [400_000, 599_999, 1]),
    "equal tenths of 10^6": ([100_000] * 10, [250_000] * 4),
    "halves of 10^9": ([500_000_000, 500_000_000], [500_000_000, 500_000_000]),
    "tiny in 10^9": ([10**9 - 5_000, 3_000, 2_000], [10**9 - 10**6, 10**6]),
    "a thousandth of 10^9": ([10**9 - 10**6, 10**6], [10**9 - 10**6, 999_999, 1]),
}


def table_with_sizes(sizes_a, sizes_b):
    """Some table with these sums: fill it from the corner, whatever the order."""
    left_a, left_b = list(sizes_a), list(sizes_b)
    table = np.zeros((len(left_a), len(left_b)), np.int64)
    row = column = 0
    while row < len(left_a) and column < len(left_b):
        count = min(left_a[row], left_b[column])
        table[row, column] = count
        left_a[row] -= count
        left_b[column] -= count
        if not left_a[row]:
            row += 1
        if not left_b[column]:
            column += 1
    return table


def expected(table):
    return cw.Contingency.from_table(table).expected_information


def relative_error(found, exact):
    return abs(float((found - exact) / exact))


@given(
    sizes_a=st.lists(st.integers(1, 40), min_size=2, max_size=8),
    sizes_b=st.lists(st.integers(1, 40), min_size=1, max_size=8),
)
def test_small_sizes_against_exact_probabilities(sizes_a, sizes_b):
    rest = sum(sizes_a) - sum(sizes_b)
    (sizes_b if rest > 0 else sizes_a).append(abs(rest) or 1)
    if rest == 0:
        sizes_b.append(1)
    exact = naive.expected_information(sizes_a, sizes_b)
    assert expected(table_with_sizes(sizes_a, sizes_b)) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.slow
@max_examples(10)
@example(n=2410, clusters=(2, 2), seed=0)
@given(
    n=st.integers(500, 3_000),
    clusters=st.tuples(st.integers(2, 6), st.integers(2, 6)),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_sizes_against_exact_probabilities(n, clusters, seed):
    random = np.random.default_rng(seed)
    sizes = []
    for count in clusters:
        cuts = np.sort(random.choice(np.arange(1, n), count - 1, replace=False))
        sizes.append(np.diff([0, *cuts.tolist(), n]).tolist())
    table = table_with_sizes(*sizes)
    exact = naive.expected_information(*sizes)
    assert relative_error(expected(table), exact) < 1e-14


@pytest.mark.slow
@pytest.mark.parametrize("sizes", LARGE.values(), ids=LARGE.keys())
def test_many_objects_against_high_precision(sizes):
    exact = naive.expected_information_of_many(*sizes)
    assert relative_error(expected(table_with_sizes(*sizes)), exact) < 1e-13


def test_both_high_precision_references_agree():
    sizes = [300, 150, 50], [100, 100, 299, 1]
    exact = naive.expected_information(*sizes)
    assert relative_error(naive.expected_information_of_many(*sizes), exact) < 1e-25


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in LARGE if "10^6" in kind])
def test_closer_than_scikit_learn_with_many_objects(kind):
    """Differences of lgamma lose digits at large n; ratios from the mode do not."""
    table = table_with_sizes(*LARGE[kind])
    exact = naive.expected_information_of_many(*LARGE[kind])
    ours = relative_error(expected(table), exact)
    theirs = relative_error(sklearn_expected(table, table.sum()), exact)
    assert ours < theirs


@pytest.mark.parametrize("table", [[[7]], [[3, 4]], [[3], [4]]])
def test_one_cluster_tells_nothing(table):
    assert expected(table) == 0


def test_adjusted_score_is_built_from_it():
    a, b = [0] * 6 + [1] * 6 + [2] * 5, [0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 2, 0, 2, 2, 2, 1, 1]
    chance = float(naive.expected_information([6, 6, 5], [6, 7, 4]))
    shared, mean = naive.mutual_information(a, b), (naive.entropy(a) + naive.entropy(b)) / 2
    found = cw.adjusted_mutual_info_score(a, b)
    assert found == pytest.approx((shared - chance) / (mean - chance), rel=1e-12)


def test_fractional_weights_have_no_chance_to_correct():
    with pytest.raises(cw.InputError, match="sample_weight must be integers"):
        cw.adjusted_mutual_info_score([0, 0, 1], [0, 1, 1], sample_weight=[1.5, 1.0, 2.0])
