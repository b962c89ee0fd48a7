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


@pytest.mark.parametrize("scale", [True, False])
def test_the_code_says_whether_features_are_scaled(scale):
    curve = cw.tradeoff_curve(np.eye(4), [0, 0, 1, 1], [0.6], scale=scale, progress=False)
    page = page_of(curve)
    assert f", scale={scale})" in code(page)
    assert parameters(page)["scale"] == str(scale)


def test_the_code_leaves_scaling_out_where_units_do_not_matter():
    curve = cw.tradeoff_curve(1 - np.eye(4), [0, 0, 1, 1], [0.6], metric="precomputed")
    assert "scale" not in code(page_of(curve))
