"""Tables of a clustering and an ensemble: sums, weights, changes in place, and errors."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise.kernels.ensemble import FEW
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.ensemble.packed import count_raw, pack_ensemble
from reference.consensus import labelled_ensembles


@given(labelled_ensembles(), st.integers(0, 12))
def test_tables_add_up(problem, cut):
    labels, ensemble = problem
    cut = min(cut, len(labels) - 1)
    whole = EnsembleTable.from_labels(labels, ensemble)
    if not cut or np.isnan(ensemble[cut:]).all(axis=0).any():
        return
    first = EnsembleTable.from_labels(labels[:cut], ensemble[:cut])
    both = first + EnsembleTable.from_labels(labels[cut:], ensemble[cut:])
    assert both.row_names.tolist() == whole.row_names.tolist()
    names = [one.tolist() for one in both.column_names]
    assert names == [one.tolist() for one in whole.column_names]
    assert np.array_equal(both.counts, whole.counts)
    assert np.array_equal(both.sizes, whole.sizes)


@given(labelled_ensembles())
def test_alike_objects_weigh_as_one(problem):
    labels, ensemble = problem
    rows = np.column_stack([labels, ensemble])
    different, counts = np.unique(rows, axis=0, return_counts=True, equal_nan=True)
    few = EnsembleTable.from_labels(
        different[:, 0].astype(int), different[:, 1:], sample_weight=counts
    )
    assert np.array_equal(few.counts, EnsembleTable.from_labels(labels, ensemble).counts)


@given(labelled_ensembles(), st.integers(0, 1000))
def test_changed_tables_equal_counted_ones(problem, seed):
    labels, ensemble = problem
    random = np.random.default_rng(seed)
    packed = pack_ensemble(ensemble).ensemble
    starts = np.cumsum([0, *packed.sizes[:-1]])
    table = EnsembleTable.from_labels(labels, ensemble)
    names = table.row_names.tolist()
    now = np.array([names.index(label) for label in labels])
    for _ in range(10):
        i = int(random.integers(now.size))
        columns = (starts + packed.codes[:, i])[packed.codes[:, i] >= 0]
        target = int(random.integers(table.shape[0]))
        if (now == now[i]).sum() > 1:
            table.move(int(now[i]), target, columns)
            now[i] = target
    if table.shape[0] > 1:
        table.merge(0, 1)
        now = np.where(now > 0, now - 1, 0)
    fresh = EnsembleTable.from_labels(now, ensemble)
    assert np.array_equal(table.counts, fresh.counts)
    out = now == 0
    out[np.argmax(out)] = False
    if out.any():
        part = EnsembleTable.from_labels(out.astype(int), ensemble).counts[1]
        table.split(0, part, size=out.sum(), name="new")
        now[out] = table.shape[0] - 1
        fresh = EnsembleTable.from_labels(now, ensemble)
    assert np.array_equal(table.counts, fresh.counts)
    assert np.array_equal(table.sizes, fresh.sizes)


def test_errors():
    with pytest.raises(InputError, match="sample_weight has shape"):
        EnsembleTable.from_labels([0, 1], np.zeros((2, 2), int), sample_weight=[1])
    table = EnsembleTable.from_labels([0, 1], np.zeros((2, 2), int))
    with pytest.raises(InputError, match="the tables have 2 and 1 clusterings"):
        table + EnsembleTable.from_labels([0, 1], np.zeros((2, 1), int))


def small() -> EnsembleTable:
    return EnsembleTable.from_labels(list("xxyz"), np.array([[0, 0], [0, 1], [1, 1], [1, 0]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.merge(0, 0), "^cluster 0 cannot be merged with itself; pass two clusters"),
        (lambda t: t.merge(0, 99), "^there is no cluster 99 in a table of 3; pass an index from 0"),
        (lambda t: t.merge(-1, 0), "^there is no cluster -1 in a table of 3; pass an index from 0"),
        (lambda t: t.merge(0, 1.0), r"^second=1\.0; use an integer"),
        (lambda t: t.merge(True, 0), "^first=True; use an integer"),
        (lambda t: t.move(3, 0, [0, 2]), "^there is no cluster 3 in a table of 3; pass an index"),
        (lambda t: t.move(0, -1, [0, 2]), "^there is no cluster -1 in a table of 3; pass an index"),
        (lambda t: t.move(0, 1, [0, 4]), "^columns must be a list of integers from 0 to 3, one"),
        (lambda t: t.move(0, 1, [-1]), "^columns must be a list of integers from 0 to 3, one"),
        (lambda t: t.move(0, 1, [0.5]), "^columns must be a list of integers from 0 to 3, one"),
        (lambda t: t.move(0, 1, [0, 1]), "^columns has two clusters of one clustering, but"),
        (lambda t: t.move(0, 1, [1, 3]), "^cluster 0 does not have these objects; pass some of"),
        (lambda t: t.move(0, 1, [0, 2], weight=3), "^cluster 0 does not have these objects"),
        (lambda t: t.move(0, 1, [0, 2], weight=-1), "^cluster 0 does not have these objects"),
        (lambda t: t.move(0, 1, [0, 2], weight=0.5), "without weights; pass whole numbers"),
        (lambda t: t.move(0, 1, [0, 2], weight=np.nan), "number must be finite numbers"),
        (lambda t: t.split(7, [1, 0, 1, 0], size=1, name="w"), "^there is no cluster 7 in a table"),
        (lambda t: t.split(0, [1, 0], size=1, name="w"), r"have shape \(2,\) and their number 1;"),
        (lambda t: t.split(0, [1, 0, 1, 0], size=9, name="w"), "does not have these objects"),
        (lambda t: t.split(0, [1, 0, 1, 0], size=1, name="y"), "^name='y' is not a new name; pass"),
        (lambda t: t.split(0, [1, 0, 1, 0], size=1, name=None), "^name=None is not a new name"),
    ],
)
def test_changes_that_are_impossible_change_nothing(change, message):
    table, before = small(), small()
    with pytest.raises(InputError, match=message):
        change(table)
    assert np.array_equal(table.counts, before.counts)
    assert np.array_equal(table.sizes, before.sizes)
    assert table.row_names.tolist() == before.row_names.tolist()


def test_weighted_tables_move_weights():
    labels, ensemble, weights = ["x", "x", "y"], np.array([[0], [1], [1]]), [0.1, 0.2, 0.3]
    table = EnsembleTable.from_labels(labels, ensemble, sample_weight=weights)
    table.move(0, 1, [1], weight=0.2)
    table.merge(1, 0)
    np.testing.assert_allclose(table.counts, [[0.1, 0.5]])
    np.testing.assert_allclose(table.sizes, [0.6])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1, 1], "^sample_weight is -1 at position 1; weights cannot be negative"),
        ([1, np.nan, 1, 1], "^sample_weight is nan at position 1; fill it in"),
        (np.ma.array([1, 1, 1, 1], mask=[0, 0, 1, 0]), "^sample_weight is missing at position 2"),
    ],
)
def test_weights_are_checked(weights, message):
    with pytest.raises(InputError, match=message):
        EnsembleTable.from_labels(list("xxyz"), np.zeros((4, 2), int), sample_weight=weights)


@pytest.mark.parametrize(("widest", "raw"), [(FEW - 1, True), (FEW, False)])
def test_labels_of_a_small_range_are_counted_as_they_are(widest, raw):
    labels = np.array([[0, 5], [widest, 6], [0, 5], [widest, 5]])
    found = count_raw(np.array([0, 0, 1, 1]), 2, labels)
    assert (found is not None) == raw
    if found is not None:
        counts, owners, values = found
        assert owners.tolist() == [0, 0, 1, 1]
        assert values.tolist() == [0, widest, 5, 6]
        assert counts.tolist() == [[1, 1, 1, 1], [1, 1, 2, 0]]


@pytest.mark.parametrize(("later", "raw"), [(3, True), (4, False), (5, False)])
def test_labels_beyond_the_range_of_the_first_rows_are_not_counted_as_they_are(later, raw):
    labels = np.array([[0], [3]] * 500 + [[later]])
    assert (count_raw(np.zeros(1001, np.int64), 1, labels) is not None) == raw
    counts = EnsembleTable.from_labels(np.zeros(1001, int), labels).counts
    assert sorted(counts.ravel().tolist()) == ([500, 501] if raw else [1, 500, 500])
