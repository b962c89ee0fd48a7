"""The page of a trade-off curve."""

import numpy as np
import pytest

import clusterwise as cw
from helpers.page_contents import code, page_of, parameters, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def test_numbers_at_the_top_of_a_curve():
    corner = np.arange(24) % 4
    X = np.column_stack([corner // 2 * 9.0, corner % 2 * 9.0])
    X += np.random.default_rng(0).normal(size=X.shape)
    curve = cw.tradeoff_curve(X, corner // 2, [0.1 + 0.2, 1.0], progress=False)
    page = page_of(curve)
    at = int(np.flatnonzero(curve.omegas == curve.suggested)[0])
    assert tiles(page) == {
        "thresholds": "2",
        "suggested threshold": f"{curve.suggested:g}",
        "DQ of the suggested threshold, 0 to 1": f"{curve.dq[at]:.2f}",
        "thresholds on the Pareto front": str(curve.pareto.size),
        "objects": "24",
    }
    assert parameters(page)["omegas"] == "[0.3, 1.0]"
    assert "tradeoff_curve(X, given, omegas=[0.3, 1.0], quality=" in code(page)
