"""Kept, split, merged, dissolved, appeared, moved, noise: by counting objects one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise import Contingency, compare
from clusterwise.comparing.events import find_changes
from clusterwise.comparing.matches import match_clusters
from reference import changes as reference

LABELS = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), min_size=1, max_size=60)


def kinds(events):
    return {
        ("b" if event.kind in ("merged", "appeared") else "a", event.cluster): (
            event.kind,
            frozenset(part.cluster for part in event.parts),
        )
        for event in events
    }


@given(LABELS, st.sampled_from(["cluster", "singletons"]))
def test_events_are_those_of_the_definitions(rows, noise):
    a, b = zip(*rows, strict=True)
    table = Contingency.from_labels(a, b, noise=noise)
    matching = match_clusters(table, "overlap")
    pairs = [
        (table.row_names[i], table.column_names[j])
        for i, j in zip(matching.rows, matching.columns, strict=True)
    ]
    found = find_changes(table, matching)
    assert kinds(found.events) == reference.events(a, b, pairs)


@given(LABELS, st.sampled_from(["auto", "overlap"]))
def test_every_object_is_counted_once(rows, match):
    """In a matched pair, in a part of a split or merged cluster, in a move, or as noise."""
    a, b = zip(*rows, strict=True)
    table = Contingency.from_labels(a, b)
    matching = match_clusters(table, match)
    found = find_changes(table, matching)
    counts = reference.crosstab(a, b)
    matched = {
        (table.row_names[i], table.column_names[j])
        for i, j in zip(matching.rows, matching.columns, strict=True)
    }
    explained = matched | {
        (event.cluster, part.cluster) if event.kind == "split" else (part.cluster, event.cluster)
        for event in found.events
        if event.kind in ("split", "merged")
        for part in event.parts
    }
    noise = {cell for cell in counts if -1 in cell}
    moves = {(move.source, move.target): move.objects for move in found.moves}
    assert moves == {
        cell: n for cell, n in counts.items() if cell not in explained and cell not in noise
    }
    assert [move.objects for move in found.moves] == sorted(moves.values(), reverse=True)
    assert not matched & noise


@given(LABELS)
def test_parts_are_cells_of_the_table(rows):
    a, b = zip(*rows, strict=True)
    counts, in_a, in_b = reference.crosstab(a, b), Counter(a), Counter(b)
    for event in compare(a, b, measures=["rand_score"]).events:
        for part in event.parts:
            if event.kind in ("merged", "appeared"):
                assert part.objects == counts[part.cluster, event.cluster]
                whole = in_a[part.cluster] if event.kind == "merged" else in_b[event.cluster]
            else:
                assert part.objects == counts[event.cluster, part.cluster]
                whole = in_a[event.cluster]
            assert part.share == part.objects / whole
        assert (
            event.objects == (in_b if event.kind in ("merged", "appeared") else in_a)[event.cluster]
        )


@given(LABELS)
def test_noise_flows_are_those_of_the_objects(rows):
    a, b = zip(*rows, strict=True)
    counts = reference.crosstab(a, b)
    for noise in ("cluster", "singletons"):
        found = compare(a, b, measures=["rand_score"], noise=noise).noise
        assert (found.before, found.after) == (a.count(-1), b.count(-1))
        assert found.both == counts[-1, -1]
        assert {part.cluster: part.objects for part in found.sources} == {
            x: n for (x, y), n in counts.items() if y == -1 and x != -1
        }
        assert {part.cluster: part.objects for part in found.targets} == {
            y: n for (x, y), n in counts.items() if x == -1 and y != -1
        }


def event_of(kind, a, b):
    return [event for event in compare(a, b, measures=["rand_score"]).events if event.kind == kind]


@pytest.mark.parametrize(("stay", "kept"), [(50, True), (49, False)])
def test_kept_from_a_jaccard_index_of_a_third(stay, kept):
    """Clusters of 100 that share half of their objects have a Jaccard index of 1/3."""
    moved = 100 - stay
    a = [0] * 100 + [1] * 300
    b = [5] * stay + [6] * moved + [5] * moved + [6] * (300 - moved)
    assert (5 in [event.parts[0].cluster for event in event_of("kept", a, b)]) == kept


@pytest.mark.parametrize(("left", "found"), [(50, 50), (10, 10), (1, 1), (0, 0)])
def test_clusters_that_lose_objects_to_noise_are_kept(left, found):
    a = [0] * 60 + [1] * 60
    b = [0] * left + [-1] * (60 - left) + [1] * 60
    for kind in ("split", "merged", "appeared"):
        assert not event_of(kind, a, b)
        assert not event_of(kind, b, a) or not left
    kept = [event.parts for event in event_of("kept", a, b) if event.cluster == 0]
    assert [part.objects for parts in kept for part in parts] == [found] * (left > 0)
    assert [event.cluster for event in event_of("dissolved", a, b)] == [0] * (not left)


@pytest.mark.parametrize(("shared", "kept"), [(30, True), (29, False)])
def test_clusters_that_share_less_than_half_of_the_smaller_are_not_kept(shared, kept):
    """However many of the others are noise on either side."""
    a = [0] * 60 + [-1] * 40 + [1] * 50
    b = [0] * shared + [-1] * (60 - shared) + [0] * (60 - shared) + [-1] * (shared - 20) + [1] * 50
    assert (0 in [event.cluster for event in event_of("kept", a, b)]) == kept


@pytest.mark.parametrize(("piece", "split"), [(5, True), (4, False)])
def test_a_split_has_parts_of_at_least_a_twentieth(piece, split):
    a = [0] * 100 + [1] * 50
    b = [0] * (100 - piece) + [2] * piece + [1] * 50
    assert bool(event_of("split", a, b)) == split
    assert bool(event_of("merged", b, a)) == split


@pytest.mark.parametrize(("inside", "split"), [(80, True), (79, False)])
def test_a_split_explains_four_fifths(inside, split):
    half = inside // 2
    a = [0] * 100 + [1] * 200
    b = [2] * half + [3] * (inside - half) + [1] * (100 - inside) + [1] * 200
    assert bool(event_of("split", a, b)) == split


@pytest.mark.parametrize(("others", "split"), [(20, True), (21, False)])
def test_parts_of_a_split_consist_of_it_for_two_thirds(others, split):
    a = [0] * 100 + [1] * 500
    b = [2] * 60 + [3] * 40 + [3] * others + [1] * (500 - others)
    assert bool(event_of("split", a, b)) == split


def test_weights_are_counts():
    rng = np.random.default_rng(0)
    a, b = rng.integers(-1, 4, 40), rng.integers(-1, 3, 40)
    weights = rng.integers(1, 4, 40)
    weighted = compare(a, b, sample_weight=weights, measures=["rand_score"])
    repeated = compare(a.repeat(weights), b.repeat(weights), measures=["rand_score"])
    assert weighted.changes == repeated.changes
    assert weighted.summary() == repeated.summary()
