"""The partition depends neither on names of labels nor on the order of objects and clusterings."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import clusterwise as cw
from clusterwise.consensus import canonical_order
from clusterwise.consensus.canonical_order import order_canonically
from clusterwise.consensus.combine import combine
from clusterwise.consensus.methods import METHODS
from clusterwise.inputs.encoding import relabel_by_appearance
from clusterwise.inputs.ensembles import read_ensemble
from reference.consensus import columns, ensembles, planted, refined_colours

SEEDS = st.integers(0, 2**32 - 1)


def is_told_apart(labels):
    """Whether counting tells all distinct objects apart, so that no two can be exchanged."""
    rows = [tuple(row) for row in labels]
    colours = refined_colours(rows)
    return len(set(colours)) == len(set(rows))


def rename(labels, rng):
    """The labels under other numbers."""
    return np.column_stack([rng.permutation(20)[column] for column in labels.T])


@st.composite
def noisy(draw):
    """Ensembles with so much noise that all methods meet ties, but no two objects are alike."""
    m, k = draw(st.integers(4, 7)), draw(st.integers(2, 4))
    noise, seed = draw(st.sampled_from([0.5, 0.8, 1.0])), draw(SEEDS)
    labels, _ = planted(draw(st.integers(20, 40)), m, k, noise=noise, seed=seed)
    assume(is_told_apart(labels))
    return labels


@pytest.mark.parametrize("method", METHODS)
@given(noisy(), st.sampled_from([None, 2]), st.booleans(), SEEDS)
def test_names_and_orders_do_not_matter(method, labels, n_clusters, weighted, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, labels.shape[1]) / 2 if weighted else np.ones(labels.shape[1])
    expected = combine(labels, method, n_clusters, weights=weights, random_state=0).labels
    objects, members = rng.permutation(len(labels)), rng.permutation(labels.shape[1])
    other = rename(labels, rng)[objects][:, members]
    found = combine(other, method, n_clusters, weights=weights[members], random_state=0).labels
    np.testing.assert_array_equal(found, relabel_by_appearance(expected[objects]))


@pytest.mark.parametrize("method", ["cspa", "evidence", "hgpa", "lwea"])
@given(SEEDS)
def test_nor_do_they_in_samples(method, seed):
    rng = np.random.default_rng(seed)
    labels, _ = planted(60, 6, 3, noise=0.8, seed=seed)
    assume(is_told_apart(labels))
    expected = combine(labels, method, 3, random_state=0, max_objects=20).labels
    objects = rng.permutation(60)
    other = rename(labels, rng)[objects]
    found = combine(other, method, 3, random_state=0, max_objects=20).labels
    np.testing.assert_array_equal(found, relabel_by_appearance(expected[objects]))


@pytest.mark.parametrize("method", METHODS)
@given(ensembles(objects=6), SEEDS)
def test_names_never_matter_even_if_objects_can_be_exchanged(method, ensemble, seed):
    rng = np.random.default_rng(seed)
    names = [rng.permutation(list("abc")) for _ in ensemble[0]]
    renamed = [
        [None if label is None else str(names[j][label]) for j, label in enumerate(row)]
        for row in ensemble
    ]
    expected = combine(read_ensemble(columns(ensemble)), method, random_state=0).labels
    found = combine(read_ensemble(columns(renamed)), method, random_state=0).labels
    np.testing.assert_array_equal(found, expected)


@given(ensembles(), SEEDS, st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=4, max_size=4))
def test_the_order_is_canonical_even_if_objects_can_be_exchanged(ensemble, seed, weights):
    rng = np.random.default_rng(seed)
    objects, members = rng.permutation(len(ensemble)), rng.permutation(len(ensemble[0]))
    weights = np.array(weights[: members.size])
    other = [[ensemble[x][j] for j in members] for x in objects]
    one = order_canonically(read_ensemble(columns(ensemble)).collapse(), weights)
    two = order_canonically(read_ensemble(columns(other)).collapse(), weights[members])
    np.testing.assert_array_equal(one.collapsed.ensemble.codes, two.collapsed.ensemble.codes)
    np.testing.assert_array_equal(one.collapsed.weights, two.collapsed.weights)
    np.testing.assert_array_equal(one.weights, two.weights)
    assert one.collapsed.ensemble.sizes == two.collapsed.ensemble.sizes


@given(ensembles(), SEEDS)
def test_the_way_back(ensemble, seed):
    read = read_ensemble(columns(ensemble))
    collapsed = read.collapse()
    weights = np.random.default_rng(seed).random(read.m) + 1
    order = order_canonically(collapsed, weights)
    ordered, sizes, of = order.collapsed
    np.testing.assert_array_equal(order.restore_members(order.weights), weights)
    np.testing.assert_array_equal(collapsed.weights[order.rows], sizes)
    np.testing.assert_array_equal(order.rows[of], collapsed.of)
    assert [read.names[i] for i in order.members] == list(ordered.names)
    starts = np.cumsum([0, *read.sizes])
    new_starts = np.cumsum([0, *ordered.sizes])
    for i, member in enumerate(order.members):
        for code, new in zip(read.codes[member], ordered.codes[i][of], strict=True):
            assert (code < 0) == (new < 0)
            if code >= 0:
                assert order.clusters[starts[member] + code] == new_starts[i] + new


@given(ensembles(objects=7), st.lists(st.integers(1, 3), min_size=4, max_size=4))
def test_colours_tell_apart_what_counting_tells_apart(ensemble, weights):
    collapsed = read_ensemble(columns(ensemble)).collapse()
    weights = weights[: collapsed.ensemble.m]
    colours = canonical_order._Colours(collapsed, np.array(weights, float))
    colours.refine()
    found = relabel_by_appearance(colours.rows[collapsed.of])
    expected = np.array(refined_colours(ensemble, weights))
    np.testing.assert_array_equal(found, relabel_by_appearance(expected))


def test_positions_decide_between_objects_that_can_be_exchanged():
    # A square: opposite corners can be exchanged, and each of two cuts is as good as the other.
    square = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    for method in ("median", "evidence", "phi"):
        labels = combine(square, method, 2, random_state=0).labels
        moved = combine(np.roll(square, 1, axis=0), method, 2, random_state=0).labels
        assert sorted(np.bincount(labels)) == sorted(np.bincount(moved))
        scores = [cw.consensus_objective(labels, square)]
        scores.append(cw.consensus_objective(np.roll(moved, -1), square))
        assert scores[0] == pytest.approx(scores[1])


def test_equal_lonely_objects_need_one_refinement(monkeypatch):
    # Twenty objects that are alone in every clustering, and forty that are told apart.
    labels, _ = planted(40, 6, 3, noise=0.8)
    alone = 10 + np.tile(np.arange(20)[:, None], 6)
    collapsed = read_ensemble(np.vstack([labels, alone])).collapse()
    rounds = []
    refine = canonical_order.refine_colours

    def count(*arrays):
        rounds.append(1)
        refine(*arrays)

    monkeypatch.setattr(canonical_order, "refine_colours", count)
    order_canonically(collapsed, np.ones(6))
    assert len(rounds) < 20


def test_positions_break_the_ties_of_large_ensembles(monkeypatch):
    monkeypatch.setattr(canonical_order, "_MAX_LABELS", 0)
    labels = np.tile(np.arange(5)[:, None], 3)
    order = order_canonically(read_ensemble(labels).collapse(), np.ones(3))
    assert order.rows.tolist() == [0, 1, 2, 3, 4]


def test_ties_of_weights_and_colours_stay_in_order():
    """Also of so many that an unstable sort would exchange some."""
    rng = np.random.default_rng(0)
    weights, colours = rng.integers(1, 3, 500) * 1.0, rng.integers(0, 4, 500).astype(np.uint64)
    found = canonical_order._order(weights, colours)
    np.testing.assert_array_equal(found, np.lexsort([np.arange(500), colours, -weights]))
