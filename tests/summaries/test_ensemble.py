"""Tables of a clustering and an ensemble: sums, weights, changes in place, and errors."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.ensemble.packed import pack_ensemble
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
