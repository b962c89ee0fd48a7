"""Corrections of p-values, and the significance of all pairs."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.comparing.corrections import correct_p_values
from clusterwise.comparing.significance_sentences import say_significant_pairs

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)
RANDOM = np.random.default_rng(0)
LABELS = RANDOM.integers(0, 3, 80)
RUNS = {
    "one": LABELS,
    "two": np.where(RANDOM.random(80) < 0.6, LABELS, RANDOM.integers(0, 3, 80)),
    "three": RANDOM.integers(0, 4, 80),
    "four": RANDOM.integers(0, 2, 80),
}


def holm_rejects(p_values, level):
    """Reject the smallest while it is below level / number left."""
    rejected, left = set(), sorted(range(len(p_values)), key=lambda i: p_values[i])
    while left and p_values[left[0]] <= level / len(left):
        rejected.add(left.pop(0))
    return rejected


def benjamini_hochberg_rejects(p_values, level):
    """Reject all up to the last that is below level * rank / number."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    below = [k for k, i in enumerate(order, 1) if p_values[i] <= level * k / len(order)]
    return set(order[: max(below, default=0)])


@pytest.mark.parametrize(
    ("correction", "rejects"),
    [("holm", holm_rejects), ("benjamini-hochberg", benjamini_hochberg_rejects)],
)
@given(p_values=P_VALUES, level=st.sampled_from([0.01, 0.05, 0.3]))
def test_adjusted_p_values_reject_what_the_procedures_reject(correction, rejects, p_values, level):
    adjusted = correct_p_values(np.array(p_values), correction)
    # Rounding must not decide.
    sure = {i for i, p in enumerate(adjusted) if p <= level * (1 - 1e-9)}
    perhaps = {i for i, p in enumerate(adjusted) if p <= level * (1 + 1e-9)}
    assert sure <= rejects(p_values, level * (1 + 1e-12)) <= perhaps
    assert (adjusted >= np.array(p_values) * (1 - 1e-12)).all()
    assert adjusted.max() <= 1


def test_unknown_p_values_are_not_counted():
    p_values = np.array([0.01, np.nan, 0.02])
    assert correct_p_values(p_values, "holm") == pytest.approx([0.02, np.nan, 0.02], nan_ok=True)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_all_pairs(make):
    options = {"clusterings": list(RUNS)} if make is pl.LazyFrame else {}
    frame = {"frame": make(RUNS)} if make is pl.LazyFrame else {"clusterings": make(RUNS)}
    found = cw.compare_all(**options, **frame, significance=True)
    names = list(RUNS)
    for i, a in enumerate(names):
        assert np.isnan(found.p_values[i, i])
        for j, b in enumerate(names[:i]):
            pair = cw.compare(RUNS[a], RUNS[b], significance=True, measures=[found.measure])
            expected = pair.significance[found.measure].p_value
            assert found.p_values[i, j] == found.p_values[j, i] == pytest.approx(expected)
    upper = np.triu_indices(4, 1)
    expected = correct_p_values(found.p_values[upper], "holm")
    np.testing.assert_array_equal(found.adjusted_p_values[upper], expected)
    np.testing.assert_array_equal(found.adjusted_p_values, found.adjusted_p_values.T)


def test_asymmetric_measures_are_tested_in_both_directions():
    found = cw.compare_all(RUNS, measure="purity_score", significance=True)
    for (i, a), (j, b) in ((x, y) for x in enumerate(RUNS) for y in enumerate(RUNS) if x != y):
        pair = cw.compare(RUNS[a], RUNS[b], significance=True, measures=["purity_score"])
        assert found.p_values[i, j] == pair.significance["purity_score"].p_value
    assert "12 comparisons" in found.summary()


def test_the_correction_is_a_parameter():
    holm = cw.compare_all(RUNS, significance=True)
    other = cw.compare_all(RUNS, significance=True, correction="benjamini-hochberg")
    np.testing.assert_array_equal(holm.p_values, other.p_values)
    off = ~np.eye(4, dtype=bool)
    assert (other.adjusted_p_values[off] <= holm.adjusted_p_values[off]).all()
    assert "by Benjamini and Hochberg" in other.summary()
    assert "adjusted by Benjamini and Hochberg" in str(other)


def test_result():
    found = cw.compare_all(RUNS, significance=True)
    assert "1 of 6 comparisons agrees more than random clusterings at the 5% level" in (
        found.summary()
    )
    assert "(p-values corrected for 6 comparisons by Holm)" in found.summary()
    matrix, p_values = found.text_tables()
    assert matrix.rows == cw.compare_all(RUNS).text_table().rows
    assert p_values.rows[0][:3] == ["one", "–", "< 0.0001"]
    plain = found.to_dict()
    assert plain["p_values"][0][0] is None
    assert plain["adjusted_p_values"][0][1] == found.adjusted_p_values[0, 1]
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_without_significance():
    found = cw.compare_all(RUNS)
    assert found.p_values is found.adjusted_p_values is None
    assert list(found.to_dict()) == ["measure", "names", "values"]
    assert len(found.text_tables()) == 1
    assert "random" not in found.summary()


def test_sentences():
    assert say_significant_pairs(0, 3, "holm") == [
        "No pair agrees more than random clusterings at the 5% level (p-values corrected for 3 "
        "comparisons by Holm)."
    ]
    (said,) = say_significant_pairs(2, 3, "benjamini-hochberg")
    assert said.startswith("2 of 3 comparisons agree more than random clusterings at the 5% level")
    two = cw.compare_all([RUNS["one"], RUNS["two"]], significance=True).summary()
    assert "1 of 1 comparison agrees" in two


def test_refusals():
    with pytest.raises(cw.InputError, match="adco_score takes features"):
        cw.compare_all(RUNS, np.zeros((80, 1)), measure="adco_score", significance=True)
    soft = [np.full((80, 2), 0.5), RUNS["one"]]
    with pytest.raises(cw.InputError, match="significance needs one label per object"):
        cw.compare_all(soft, measure="irm_score", significance=True)
