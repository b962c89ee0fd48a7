"""Matching by name or by overlap, with no noise in it."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise import Contingency, InputError, SoftOverlap, compare
from clusterwise.comparing.matches import is_number, match_clusters
from clusterwise.measures.matching import cluster_accuracy_score


def pairs(a, b, match="auto", **options):
    table = Contingency.from_labels(a, b)
    found = match_clusters(table, match, **options)
    names = table.row_names[found.rows].tolist(), table.column_names[found.columns].tolist()
    return found.by, dict(zip(*names, strict=True))


OLD = ["gold"] * 5 + ["silver"] * 5 + ["basic"] * 5
NEW = ["silver"] * 4 + ["gold"] + ["silver"] + ["gold"] * 4 + ["basic"] * 5


def test_names_that_are_the_same_match():
    assert pairs(OLD, NEW) == ("name", {"gold": "gold", "silver": "silver", "basic": "basic"})
    assert pairs(OLD, NEW, "overlap") == (
        "overlap",
        {"gold": "silver", "silver": "gold", "basic": "basic"},
    )


@pytest.mark.parametrize("names", [[0, 1, 2], ["0", "1", "2"], [0.5, 1.5, 2.5]])
def test_numbers_are_no_names(names):
    as_number = dict(zip(["gold", "silver", "basic"], names, strict=True))
    a, b = ([as_number[label] for label in labels] for labels in (OLD, NEW))
    assert pairs(a, b)[0] == "overlap"
    assert pairs(a, b, "name") == ("name", {name: name for name in names})


def test_booleans_are_names():
    assert pairs([True, True, False], [False, True, False])[0] == "name"
    assert not is_number(True)
    assert not is_number(np.True_)


@pytest.mark.parametrize(("common", "by"), [(4, "name"), (3, "overlap")])
def test_two_thirds_of_the_names_are_in_both(common, by):
    a = list("abcdef")
    b = [*"abcdef"[:common], *"uvwxyz"[common:]]
    assert pairs(a, b)[0] == by


def test_other_names_match_by_overlap():
    new = ["platinum" if label == "basic" else label for label in NEW]
    assert pairs(OLD, new)[1] == {"gold": "gold", "silver": "silver", "basic": "platinum"}


def test_names_without_a_common_object_do_not_match():
    assert pairs(["x", "y", "z"], ["y", "x", "z"])[1] == {"z": "z"}


def test_by_name_needs_a_common_name():
    with pytest.raises(InputError, match="no name of a cluster in common; use match='overlap'"):
        compare(["x", "y"], ["p", "q"], match="name").summary()


@pytest.mark.parametrize(("label", "label_of_noise"), [(-1, -1), ("noise", "noise")])
def test_noise_is_never_matched(label, label_of_noise):
    a, b = ["x"] * 3 + [label] * 5, ["p", "p", label] + [label] * 5
    assert pairs(a, b, noise_label=label_of_noise)[1] == {"x": "p"}


LABELS = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), min_size=1, max_size=40)


@given(LABELS)
def test_by_overlap_it_is_the_best_matching_of_the_objects_that_are_not_noise(rows):
    a, b = zip(*rows, strict=True)
    found = match_clusters(Contingency.from_labels(a, b), "overlap")
    kept = [row for row in rows if -1 not in row]
    best = cluster_accuracy_score(*zip(*kept, strict=True)) * len(kept) if kept else 0
    assert found.overlap == pytest.approx(best, abs=1e-9)


@given(LABELS)
def test_sparse_and_dense_tables_match_alike(rows):
    a, b = zip(*rows, strict=True)
    more = range(1000, 6000)  # clusters of one object, the same in both
    sparse = Contingency.from_labels([*a, *more], [*b, *more])
    assert sparse.is_sparse
    dense = match_clusters(Contingency.from_labels(a, b), "overlap")
    assert match_clusters(sparse, "overlap").overlap == dense.overlap + len(more)


def test_soft_clusterings_match_by_their_memberships():
    memberships = np.array([[0.9, 0.1], [0.2, 0.8], [0.0, 1.0]])
    found = match_clusters(SoftOverlap.from_memberships(memberships, memberships[:, ::-1]))
    assert found.rows.tolist() == [0, 1]
    assert found.columns.tolist() == [1, 0]


def test_all_views_use_the_matching_of_the_comparison():
    X = np.arange(15.0)[:, None]
    for match, partner in (("auto", "gold"), ("overlap", "silver")):
        comparison = compare(OLD, NEW, X, match=match)
        matched = {one.a: one.b for one in comparison.matches}
        assert matched["gold"] == partner
        density = comparison.density
        names = density.a.names[density.rows], density.b.names[density.columns]
        assert dict(zip(*(part.tolist() for part in names), strict=True)) == matched
        for kind in ("flow", "contingency", "scatter", "profiles"):
            display = comparison.plot(kind)
            if kind != "profiles":
                first, second = display.colours[:2]
                colour = dict(zip(second.names, second.paints, strict=True))
                assert first.paints[first.names.index("gold")] == colour[partner], kind
