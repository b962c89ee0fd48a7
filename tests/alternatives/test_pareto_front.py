"""Pareto fronts, against two loops over all pairs."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from clusterwise.alternatives.results import pareto_front

# Few values, so that ties are common.
VALUES = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, np.inf])


@st.composite
def tables(draw):
    width = draw(st.integers(1, 3))
    row = st.lists(VALUES, min_size=width, max_size=width)
    return np.array(draw(st.lists(row, min_size=1, max_size=12)))


def beats(one, other):
    pairs = list(zip(one, other, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def naive_front(values):
    rows = values.tolist()
    return [i for i, row in enumerate(rows) if not any(beats(other, row) for other in rows)]


@given(tables())
@example(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0], [2.0, 1.0]]))
@example(np.array([[np.inf, 0.0], [np.inf, 1.0]]))
def test_the_front_is_what_no_other_beats(values):
    assert pareto_front(values).tolist() == naive_front(values)


@given(tables())
def test_somebody_is_on_the_front_and_everybody_else_is_beaten_by_one_of_it(values):
    front = pareto_front(values)
    assert front.size
    for i in np.setdiff1d(np.arange(len(values)), front):
        assert any(beats(values[j], values[i]) for j in front)


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    moved = pareto_front(values[order])
    assert sorted(order[i] for i in moved) == pareto_front(values).tolist()


def test_one_column_leaves_the_largest():
    assert pareto_front(np.array([[3.0], [5.0], [5.0], [4.0]])).tolist() == [1, 2]


@pytest.mark.parametrize("columns", [1, 2])
def test_no_rows_have_no_front(columns):
    assert pareto_front(np.empty((0, columns))).tolist() == []
