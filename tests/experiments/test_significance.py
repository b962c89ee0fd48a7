"""The study of intervals and p-values: its populations, counts and page."""

import numpy as np
import pytest
from experiments.significance.__main__ import main
from experiments.significance.simulation import Population, coverage, grid, null_sizes

import clusterwise as cw


def test_populations():
    one = Population(4, 500, 0.6)
    assert one.joint.sum() == pytest.approx(1)
    np.testing.assert_allclose(one.joint.sum(axis=0), one.shares)
    np.testing.assert_allclose(one.joint.sum(axis=1), one.shares)
    table = one.draw(np.random.default_rng(0))
    assert table.n == 500
    truth = one.truth(["adjusted_rand_score", "mirkin_distance", "van_dongen_distance"])
    large = Population(4, 10**6, 0.6).draw(np.random.default_rng(0))
    assert truth["adjusted_rand_score"] == pytest.approx(cw.adjusted_rand_score(large), abs=0.01)
    assert truth["mirkin_distance"] == pytest.approx(
        cw.mirkin_distance(large, normalized=True) * 500**2, rel=0.01
    )
    assert truth["van_dongen_distance"] == pytest.approx(
        cw.van_dongen_distance(large) / 10**6 * 500, rel=0.01
    )


def test_unrelated_populations_have_no_agreement():
    assert Population(3, 100, 0.0).truth(["adjusted_rand_score"])["adjusted_rand_score"] == (
        pytest.approx(0, abs=1e-8)
    )


def test_grid():
    found = grid([2, 30], [100, 1000], [0.0, 0.5])
    assert Population(30, 100, 0.0) not in found
    assert len(found) == 6


def test_coverage_and_sizes():
    found = coverage(Population(3, 200, 0.5), ["rand_score", "purity_score"], 40, 0)
    assert all(0.8 <= share <= 1 for share in found.values())
    sizes = null_sizes(3, 60, ["adjusted_rand_score"], [0.05, 1.0], 60, 0)["adjusted_rand_score"]
    assert sizes.below[1.0] == 1
    assert sizes.below[0.05] < 0.2
    assert 0 < sizes.distance < 0.3


def test_the_page(tmp_path, capsys):
    path = tmp_path / "page.md"
    assert main(["--quick", "--repeats", "8", "--pairs", "16", "--markdown", str(path)]) == 0
    page = path.read_text()
    assert page.startswith("# Intervals and p-values")
    for title in ("adjusted Rand index", "all measures", "Sizes of tests", "by random tables"):
        assert title in page
    assert "| mallows_distance" in page
    assert "Coverage of all measures" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--repeats", "1"])
