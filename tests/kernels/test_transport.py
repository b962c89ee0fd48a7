"""The transport solver, against linear programming; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from clusterwise.kernels.transport import solve_transport
from reference import transport as naive


@given(
    cost=st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=4),
    data=st.data(),
)
def test_cheapest_paths(cost, data):
    amounts = st.integers(0, 6)
    supply = data.draw(st.lists(amounts, min_size=len(cost), max_size=len(cost)))
    demand = data.draw(st.lists(amounts, min_size=4, max_size=4))
    gap = sum(supply) - sum(demand)
    (demand if gap > 0 else supply)[0] += abs(gap)
    assume(sum(supply))
    sent = np.zeros((len(cost), 4))
    solve_transport(np.array(cost, float), np.array(supply, float), np.array(demand, float), sent)
    assert sent.min() >= 0
    assert sent.sum(axis=1).tolist() == supply
    assert sent.sum(axis=0).tolist() == demand
    wanted = naive.cheapest(supply, demand, cost)
    assert (sent * np.array(cost)).sum() == pytest.approx(wanted, abs=1e-7)
