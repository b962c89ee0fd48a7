"""The kinds of columns, and their conversion to clusterings."""

import numpy as np
import pytest

from clusterwise import rand_score
from clusterwise.cli.tables.columns import Column, key_text, label_of, text_column, typed_column
from clusterwise.cli.tables.selection import as_hard_clustering


def column_of(texts):
    distinct = list(dict.fromkeys(texts))
    return text_column("a", np.array([distinct.index(text) for text in texts]), distinct)


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "2", "1"], "labels"),
        (["x", "y", "x"], "labels"),
        (["1", "2", "3"], "ids"),
        (["x", "y", "z"], "ids"),
        (["1.5", "2", "1.5"], "features"),
        (["1,5", "2,25", "1,5"], "features"),
        (["1e-3", "2", "1e-3"], "features"),
        (["1.5", "2.5", "3.5"], "features"),
        (["1.5", "", "1.5"], "features"),
        (["007", "7", "7"], "labels"),
        (["1.5", "v2", "1.5"], "labels"),
        (["", "NA", ""], "empty"),
        (["x", "y", ""], "labels"),
    ],
)
def test_kinds_of_text_columns(texts, kind):
    assert column_of(texts).kind == kind


def test_kinds_of_typed_columns():
    codes = np.array([0, 1, 0])
    assert typed_column("a", codes, [0.5, 1.0]).kind == "features"
    assert typed_column("a", codes, [1.0, 2.0]).kind == "labels"
    assert typed_column("a", codes, [True, False]).kind == "labels"
    assert typed_column("a", codes, ["x", 0.5]).kind == "labels"
    assert typed_column("a", codes, [None, float("nan")]).kind == "empty"


def test_spellings_of_one_value_get_one_code():
    assert column_of(["1", "1.0", " 1", "2"]).codes.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("value", "key"), [(7, "7"), (7.0, "7"), ("7", "7"), (" 7.0 ", "7"), ("007", "007"), ("x", "x")]
)
def test_equal_keys_are_equal_strings(value, key):
    assert key_text(value) == key


@pytest.mark.parametrize(("text", "label"), [("-1", -1), ("noise", "noise"), ("00", "00")])
def test_labels_on_the_command_line_follow_the_rule_of_text_files(text, label):
    assert label_of(text) == label


def test_clusters_are_sorted_by_name_and_numbers_by_value():
    assert as_hard_clustering(column_of(["10", "9", "-2"]), -1).codes.names.tolist() == [-2, 9, 10]
    assert as_hard_clustering(column_of(["b", "c", "a"]), -1).codes.names.tolist() == [
        "a",
        "b",
        "c",
    ]


def test_a_clustering_has_the_labels_of_its_column():
    clustering = as_hard_clustering(column_of(["10", "9", "10", "-2"]), -1)
    assert clustering.codes.names[clustering.codes.positions()].tolist() == [10, 9, 10, -2]
    assert rand_score(clustering, [10, 9, 10, -2]) == 1


def test_a_string_equal_to_the_noise_label_is_the_noise_label():
    names = as_hard_clustering(column_of(["a", "-1", "b"]), -1).codes.names.tolist()
    assert sorted(map(repr, names)) == ["'a'", "'b'", "-1"]


def test_labels_of_several_types_can_be_sorted():
    column = Column("a", np.array([0, 1, 2]), ["x", 1, True])
    clustering = as_hard_clustering(column, -1)
    assert clustering.codes.names[clustering.codes.positions()].tolist() == ["x", 1, True]
