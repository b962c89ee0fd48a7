"""``compare(significance=True)``: columns, sentences, and what it refuses."""

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterwise as cw
from clusterwise.comparing.significance import Significance
from clusterwise.comparing.significance_sentences import say_p_value, say_significant_agreement

RANDOM = np.random.default_rng(0)
N = 240
A = RANDOM.integers(0, 3, N)
B = np.where(RANDOM.random(N) < 0.6, A, RANDOM.integers(0, 3, N))
UNRELATED = RANDOM.permutation(B)
X = RANDOM.normal(size=(N, 2)) + 2 * A[:, None]
COLUMNS = ["expected", "p_value", "p_error", "low", "high"]


def significant(a, b, X=None, **options):
    return cw.compare(a, b, X, significance=True, n_permutations=100, **options)


def test_frames_have_columns_beside_the_value():
    result = significant(A, B)
    frame = result.to_frame("pandas")
    assert list(frame)[:7] == ["measure", "value", *COLUMNS]
    assert frame[COLUMNS].notna().all(axis=None)
    assert (frame["low"] <= frame["high"]).all()
    assert frame["p_value"].between(0, 1).all()
    row = frame.set_index("measure").loc["adjusted_rand_score"]
    assert tuple(row[COLUMNS]) == result.significance["adjusted_rand_score"]
    assert list(cw.compare(A, B).to_frame("pandas")) == ["measure", "value", "family", "range"]


def test_it_is_off_by_default():
    result = cw.compare(A, B)
    assert result.significance is None
    assert "p-value" not in str(result)
    assert "significance" not in result.to_dict()
    assert "interval" not in result.summary()


def test_the_table_shows_what_the_frame_has():
    table = significant(A, B).text_table()
    assert table.header == [
        "measure", "value", "by chance", "p-value", "95% interval", "range", "meaning",
    ]  # fmt: skip
    rand = significant(A, B).significance["rand_score"]
    assert table.rows[0][2:5] == [
        f"{rand.expected:.4f}", "< 0.0001", f"{rand.low:.4f} … {rand.high:.4f}"
    ]  # fmt: skip


def test_sampled_p_values_show_their_error():
    rows = significant(A, UNRELATED).text_table().rows
    shown = {row[0]: row[3] for row in rows}
    assert re.fullmatch(r"0\.\d{4}", shown["rand_score"])
    assert re.fullmatch(r"0\.\d{4} ± 0\.\d{4}", shown["irm_score"])


def test_dictionaries_hold_no_nan():
    plain = significant(A, A * 0).to_dict()
    assert plain["significance"]["rand_score"]["low"] is None
    assert plain["significance"]["rand_score"]["p_value"] == 1
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_some_measures():
    result = significant(A, B, measures=["purity_score"])
    assert list(result.values) == ["purity_score"]
    assert set(result.significance) == {"purity_score", "adjusted_rand_score"}
    assert len(result.to_frame("pandas")) == 1
    everything = significant(A, B).significance
    agreement = result.significance["adjusted_rand_score"]
    assert agreement == everything["adjusted_rand_score"]


@pytest.mark.parametrize("make", [pl.LazyFrame, pl.DataFrame, pd.DataFrame])
def test_columns_of_frames(make):
    frame = make({"a": A, "b": B, "x": X[:, 0]})
    names = ["adjusted_rand_score", "adjusted_mutual_info_score"]
    ours = significant("a", "b", frame=frame, measures=names).significance
    assert ours == significant(A, B, measures=names).significance
    ready = significant(cw.Contingency.from_labels(A, B), None, measures=names)
    assert ours == ready.significance


def test_whole_weights_are_objects():
    table = cw.Contingency.from_labels(A, B)
    rows, columns, counts = table.nonzero
    for weights in (counts, counts.astype(float)):
        weighted = significant(rows, columns, sample_weight=weights, measures=["rand_score"])
        assert weighted.significance == significant(A, B, measures=["rand_score"]).significance


def test_noise_options():
    a = np.where(np.arange(N) < 20, -1, A)
    dropped = significant(a, B, noise="drop").significance["rand_score"]
    assert dropped == significant(A[20:], B[20:]).significance["rand_score"]
    single = significant(a, B, noise="singletons").significance["rand_score"]
    assert single != significant(a, B).significance["rand_score"]


def test_refusals():
    with pytest.raises(cw.InputError, match="significance needs one label per object"):
        significant(np.eye(3)[A] * 0.9 + 0.1 / 3, B)
    with pytest.raises(cw.InputError, match="sample_weight must be integers"):
        significant(A, B, sample_weight=np.full(N, 1.5))
    with pytest.raises(cw.InputError, match="n_permutations=50"):
        cw.compare(A, B, significance=True, n_permutations=50)


def test_measures_of_features_are_permuted_and_resampled():
    result = significant(A, B, X)
    for name in ("adco_score", "css_distance", "profile_cosine_score"):
        found, value = result.significance[name], result.values[name]
        assert found.low < value < found.high
        assert found.p_value < 0.01
        closer = found.expected > value if name == "css_distance" else found.expected < value
        assert closer, name
    score, distance = (result.significance[f"adco_{end}"] for end in ("score", "distance"))
    assert (1 - distance.expected, 1 - distance.high) == pytest.approx((score.expected, score.low))
    assert significant(A, UNRELATED, X).significance["adco_score"].p_value > 0.01
    again = significant(A, B, X).significance
    assert again == result.significance


def test_measures_of_features_without_the_objects():
    """Weighted objects cannot be permuted, and lazy frames not be resampled."""
    lazy = pl.LazyFrame({"a": A, "b": B, "x": X[:, 0]})
    result = significant("a", "b", frame=lazy, features=["x"])
    assert np.isnan(result.significance["adco_score"].p_value)
    assert result.significance["rand_score"].p_value < 0.01
    weighted = significant(A, B, X, sample_weight=np.full(N, 2))
    assert np.isnan(weighted.significance["css_distance"].low)
    assert "–" in {row[3] for row in weighted.text_table().rows}


def test_dropped_objects_are_not_permuted():
    a = np.where(np.arange(N) < 20, -1, A)
    names = ["adco_score"]
    binning = cw.Binning().fit(X)
    dropped = significant(a, B, X, noise="drop", measures=names, binning=binning)
    rest = significant(A[20:], B[20:], X[20:], measures=names, binning=binning)
    assert dropped.significance["adco_score"] == pytest.approx(rest.significance["adco_score"])


# Sentences


def say(words="agree weakly", p=0.001, low=0.12, high=0.34, value="0.23"):
    found = Significance(0.0, p, 0.0, low, high)
    index = f"adjusted Rand index {value}"
    return " ".join(say_significant_agreement(("a", "b"), index, words, found))


def test_agreement_beyond_chance():
    assert say() == (
        "a and b agree weakly (adjusted Rand index 0.23, 95% interval 0.12–0.34; 0 is chance, 1 is "
        "identical). That is more than random clusterings with the same cluster sizes (p = 0.001). "
        "Clusterings that were made from the same data nearly always agree more than by chance, so "
        "this does not say that their clusters are real; assess tells whether they are stable."
    )


def test_little_agreement_beyond_chance_is_not_called_chance():
    said = say("agree no more than chance", p=1e-6, low=0.001, high=0.02, value="0.01")
    assert said.startswith(
        "a and b have almost nothing in common (adjusted Rand index 0.01, 95% interval 0.00–0.02; "
    )
    assert "(p < 0.0001)" in said


def test_unrelated_clusterings():
    assert say("agree no more than chance", p=0.61, low=-0.03, high=0.02, value="0.00") == (
        "a and b are unrelated (adjusted Rand index 0.00, 95% interval -0.03 to 0.02; p = 0.61). "
        "Random clusterings with the same cluster sizes agree at least as much with probability "
        "0.61."
    )


def test_too_few_objects_to_say_unrelated():
    said = say(p=0.3, low=-0.1, high=0.5)
    assert "unrelated" not in said
    assert said.endswith(
        "That may be chance: random clusterings with the same cluster sizes agree at least as much "
        "with probability 0.30."
    )


def test_without_an_interval():
    assert "interval" not in say(low=float("nan"), high=float("nan"))


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.61, "p = 0.61"), (0.1, "p = 0.10"), (0.0432, "p = 0.043"), (0.00123, "p = 0.0012"),
     (0.00001, "p < 0.0001"), (0.0, "p < 0.0001"), (1.0, "p = 1.00")],
)  # fmt: skip
def test_p_values(p, said):
    assert say_p_value(p) == said


def test_summaries_say_the_numbers_of_the_table():
    result = significant(A, B)
    found = result.significance["adjusted_rand_score"]
    interval = f"95% interval {found.low:.2f}–{found.high:.2f}"
    assert f"{result.values['adjusted_rand_score']:.2f}, {interval}; 0 is chance" in (
        result.summary()
    )
    unrelated = significant(A, UNRELATED)
    p = unrelated.significance["adjusted_rand_score"].p_value
    value = unrelated.values["adjusted_rand_score"]
    assert f"are unrelated (adjusted Rand index {value:.2f}, 95%" in unrelated.summary()
    assert f"p = {p:.2f}" in unrelated.summary()
    assert significant(A, A).summary() == "a and b are the same clustering."
    assert "single cluster" in significant(A, A * 0).summary()
