"""What a clustering is about: the score of each feature, against its definition."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from clusterwise.measures.separating_features import separating_features

NUMBERS = [1.0, 1.5, 2.5, 7.0, 7.5, 8.0, 0.5, 4.0]
COLOURS = ["red", "red", "blue", "blue", "green", "green", "green", "red"]
LABELS = [0, 0, 0, 1, 1, 1, 2, 2]


def correlation_ratio(values, labels):
    """Between by total sum of squares."""
    mean = sum(values) / len(values)
    between = 0.0
    for label in set(labels):
        members = [value for value, own in zip(values, labels, strict=True) if own == label]
        between += len(members) * (sum(members) / len(members) - mean) ** 2
    return between / sum((value - mean) ** 2 for value in values)


def cramers_v_squared(names, labels):
    n, pairs = len(names), Counter(zip(names, labels, strict=True))
    of_names, of_labels = Counter(names), Counter(labels)
    chi = sum(
        (pairs[name, label] - a * b / n) ** 2 / (a * b / n)
        for name, a in of_names.items()
        for label, b in of_labels.items()
    )
    return chi / (n * (min(len(of_names), len(of_labels)) - 1))


def beyond_chance(score, expected):
    return max(0.0, (score - expected) / (1 - expected))


def score_of(column, labels, **options):
    (found,) = separating_features([[value] for value in column], labels, **options)
    return found.score


def test_numbers_are_judged_by_the_correlation_ratio():
    expected = beyond_chance(correlation_ratio(NUMBERS, LABELS), 2 / 7)
    assert score_of(NUMBERS, LABELS) == pytest.approx(expected, rel=1e-12)


def test_names_are_judged_by_cramers_v():
    labels = [0, 0, 0, 1, 1, 1, 1, 0]
    expected = beyond_chance(cramers_v_squared(COLOURS, labels), 2 / 7)
    assert expected > 0.1
    assert score_of(COLOURS, labels) == pytest.approx(expected, rel=1e-12)


labellings = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-4, 4)), min_size=2, max_size=20
).map(lambda rows: [list(column) for column in zip(*rows, strict=True)])


@given(labellings)
def test_scores_are_between_0_and_1_for_all_names(columns):
    labels, codes, numbers = columns
    names = [f"n{code}" for code in codes]
    rows = [list(row) for row in zip(names, numbers, strict=True)]
    found = separating_features(rows, labels)
    assert all(0 <= one.score <= 1 for one in found)
    renamed = [
        [f"z{3 - code}", 7 - 2 * number] for code, number in zip(codes, numbers, strict=True)
    ]
    again = separating_features(renamed, [9 - label for label in labels])
    assert again.to_dict() == pytest.approx(found.to_dict(), abs=1e-9)


@given(labellings)
def test_two_values_score_the_same_as_numbers_and_as_names(columns):
    labels, codes, _ = columns
    numbers = [code % 2 for code in codes]
    names = ["odd" if number else "even" for number in numbers]
    assert score_of(numbers, labels) == pytest.approx(score_of(names, labels), abs=1e-9)


@pytest.mark.parametrize("column", [[1.0, 2.0, 4.0, 8.0, 16.0], ["u", "u", "v", "v", "w"]])
def test_chance_is_what_all_orders_give_on_average(column):
    """Against all permutations, so without the cut at 0."""
    labels = [0, 0, 0, 1, 1]
    plain = correlation_ratio if isinstance(column[0], float) else cramers_v_squared
    expected = np.mean([plain(column, order) for order in permutations(labels)])
    raw = plain(column, labels)
    assert expected < raw < 1
    assert score_of(column, labels) == pytest.approx(beyond_chance(raw, expected), rel=1e-12)


def test_ids_separate_nothing():
    assert score_of(["a", "b", "c", "d"], [0, 0, 1, 1]) == 0.0


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        ([3.5] * 4, [0, 0, 1, 1]),
        ([0.0] * 4, [0, 0, 1, 1]),
        (["x"] * 4, [0, 0, 1, 1]),
        ([1.0, 2.0, 3.0, 4.0], [0, 0, 0, 0]),
        (["a", "a", "b", "b"], [0, 0, 0, 0]),
        ([1.0, 2.0, 3.0, 4.0], [0, 1, 2, 3]),
        (["a", "a", "b", "b"], [0, 1, 2, 3]),
        ([None, None], [0, 1]),
        ([None, "a", None, None], [0, 1, 1, 0]),
        ([1.0], [0]),
    ],
)
def test_where_there_is_nothing_to_separate_the_score_is_0(column, labels):
    assert score_of(column, labels) == 0.0


@pytest.mark.parametrize("column", [[1.0, 1.0, 5.0, 5.0, 9.0, 9.0], ["a", "a", "b", "b", "c", "c"]])
def test_a_value_for_each_cluster_scores_1(column):
    assert score_of(column, [0, 0, 1, 1, 2, 2]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e155, 1.7e308])
def test_extreme_numbers(scale):
    """Squares of these, and differences of the last, are beyond what floats hold."""
    column = [scale * value for value in (-1.0, -0.75, 0.75, 1.0)]
    expected = score_of([-4, -3, 3, 4], [0, 0, 1, 1])
    digits = 1e-3 if scale < np.finfo(float).tiny else 1e-12  # numbers so small have few digits
    assert score_of(column, [0, 0, 1, 1]) == pytest.approx(expected, rel=digits)


def test_gaps_are_left_out_feature_by_feature():
    rows = [[1.0, "a"], [None, "a"], [2.0, None], [8.0, "b"], [9.0, "b"]]
    found = {one.feature: one for one in separating_features(rows, [0, 0, 0, 1, 1])}
    assert found["x0"].objects == found["x1"].objects == 4
    assert found["x0"].score == score_of([1.0, 2.0, 8.0, 9.0], [0, 0, 1, 1])
    assert found["x1"].score == score_of(["a", "a", "b", "b"], [0, 0, 1, 1]) == 1.0


def test_noise_is_a_cluster_or_left_out():
    labels = [0, 0, 0, 1, 1, 1, -1, -1]
    assert score_of(NUMBERS, labels) == score_of(NUMBERS, LABELS)
    dropped = score_of(NUMBERS, labels, noise="drop")
    assert dropped == score_of(NUMBERS[:6], LABELS[:6])


def test_frames_give_names_and_the_best_comes_first():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"colour": COLOURS, "size": NUMBERS, "again": NUMBERS})
    found = separating_features(frame, LABELS)
    assert [one.feature for one in found] == ["size", "again", "colour"]
    assert [one.kind for one in found] == ["numeric", "numeric", "nominal"]
    assert repr(found).splitlines()[0].split() == ["feature", "score", "kind", "objects"]
    assert found.to_frame("pandas")["feature"].tolist() == ["size", "again", "colour"]


def test_planted_clusterings_are_about_their_own_features():
    data = make_alternatives(200, (2, 3), extra_features=1, random_state=0)
    for i, name in enumerate(data.names):
        found = separating_features(data.X, data.labels[:, i])
        named = [data.feature_names[int(one.feature[1:])] for one in found]
        assert {feature.split("_")[0] for feature in named[:2]} == {name}
        assert max(one.score for one in found[2:]) < 0.05


def test_what_cannot_be_used():
    with pytest.raises(cw.InputError, match="column 'x0' of X is inf at position 1"):
        score_of([1.0, np.inf], [0, 1])
    with pytest.raises(cw.InputError, match="labels has 3 labels, but X has 2 objects"):
        separating_features([[1.0], [2.0]], [0, 1, 1])
