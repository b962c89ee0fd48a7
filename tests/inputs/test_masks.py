"""Masked arrays: masked labels and features are missing, other masked values are refused."""

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.datasets import relabel
from clusterwise.inputs.distances import read_distances

MASK = [[0, 0], [1, 0], [0, 0], [0, 0]]
SOFT = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75], [0.5, 0.5]])
LABELS = [0, 0, 1, 1]
X = np.array([[0.0, 1.0], [9.0, 1.0], [2.0, 5.0], [3.0, 6.0]])
RUNS = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])


def masked(values, mask=MASK):
    return np.ma.array(values, mask=mask)


REFUSED = {
    "a is": lambda: cw.rand_score(masked(SOFT), LABELS),
    "b is": lambda: cw.rand_score(LABELS, masked(SOFT)),
    "a  is": lambda: cw.rand_score(masked(SOFT), LABELS, missing="drop"),
    "a   is": lambda: cw.rand_score(list(masked(SOFT)), LABELS),
    "a    is": lambda: cw.Contingency.from_labels(masked(np.eye(4)[:, :2]), LABELS),
    "a     is": lambda: cw.SoftOverlap.from_memberships(masked(SOFT), LABELS),
    "labels is": lambda: cw.DensityProfile.from_data(X, masked(SOFT)),
    "table is": lambda: cw.Contingency.from_table(masked(RUNS)),
    "contingency: table is": lambda: cw.mutual_info_score(None, None, contingency=masked(RUNS)),
    "the list of edges of 'x' is": lambda: cw.Binning.from_edges(
        {"x": np.ma.array([0.0, 1.0, 2.0], mask=[0, 1, 0])}
    ),
    "weights is": lambda: cw.combine(RUNS, "voting", weights=np.ma.array([1, 2], mask=[0, 1])),
    "labels  is": lambda: relabel(np.ma.array(LABELS, mask=[1, 0, 0, 0]), 0, 1),
}


@pytest.mark.parametrize("where", REFUSED)
def test_masked_values_are_refused(where):
    message = " ".join(where.split())
    with pytest.raises(
        cw.InputError,
        match=f"^{message} a masked array with masked values; fill them in or drop them first",
    ):
        REFUSED[where]()


def test_arrays_without_masked_values_are_arrays():
    whole = [[0, 0]] * 4
    assert cw.rand_score(masked(SOFT, whole), LABELS) == cw.rand_score(SOFT, LABELS)
    table = cw.Contingency.from_table(masked(RUNS, whole))
    assert table == cw.Contingency.from_table(RUNS)
    profile = cw.DensityProfile.from_data(masked(X, whole), LABELS)
    assert profile == cw.DensityProfile.from_data(X, LABELS)


@pytest.mark.parametrize("rows", [masked(X), list(masked(X)), [list(row) for row in masked(X)]])
def test_masked_features_are_missing(rows):
    holes = np.where(MASK, np.nan, X)
    profile = cw.DensityProfile.from_data(rows, LABELS, n_bins=2)
    assert profile == cw.DensityProfile.from_data(holes, LABELS, n_bins=2)
    binning = cw.Binning(n_bins=2).fit(X)
    assert cw.DensityProfile.from_data(
        rows, LABELS, binning=binning
    ) == cw.DensityProfile.from_data(holes, LABELS, binning=binning)
    gower = [read_distances(one, "gower").between(slice(0, 4)) for one in (rows, holes)]
    assert np.array_equal(*gower)
    with pytest.raises(cw.InputError, match="column 'x0' of X is missing at position 1, but"):
        read_distances(rows)


def test_masked_labels_of_an_ensemble_are_missing():
    holes = np.where(MASK, np.nan, RUNS)
    found = cw.EnsembleTable.from_labels(LABELS, masked(RUNS))
    expected = cw.EnsembleTable.from_labels(LABELS, holes)
    assert found.counts.tolist() == expected.counts.tolist() == [[1, 0, 1, 1], [0, 2, 1, 1]]
    columns = cw.EnsembleTable.from_labels(LABELS, list(masked(RUNS).T))
    assert columns.counts.tolist() == expected.counts.tolist()
    labels = cw.combine(masked(RUNS), "voting", random_state=0).labels
    assert labels.tolist() == cw.combine(holes, "voting", random_state=0).labels.tolist()


def test_masked_labels_of_given_clusterings_are_missing():
    message = "^column 0 of given has no label at position 1"
    with pytest.raises(cw.InputError, match=message):
        cw.cluster_again(X, masked(RUNS))
    with pytest.raises(cw.InputError, match="has no label at position 1"):
        cw.dq_score(X, masked(RUNS), LABELS)
    with pytest.raises(cw.InputError, match="given is a masked array with masked values"):
        cw.cluster_again(X, list(masked(RUNS)))


HOLED = np.random.default_rng(0).normal(size=(24, 3)) + np.repeat([0.0, 5.0], 12)[:, None]
HOLES = np.random.default_rng(1).random(HOLED.shape) < 0.2
HALVES = np.arange(24) % 2
# Those that fit features with missing values, and those that refuse them.
WITH_MISSING = (
    cw.CIB(random_state=0),
    cw.CondEns(random_state=0),
    cw.MAXIMUS(random_state=0, progress=False),
    cw.MetaClusterer(random_state=0),
    cw.MinCEntropy(random_state=0),
    cw.OrthogonalAlternative(random_state=0),
    cw.COALACat(),
)
WITHOUT_MISSING = (
    cw.COALA(),
    cw.COALA(metric="cityblock"),
    cw.NaiveAlternative(random_state=0),
    cw.CEM(2, random_state=0),
    cw.CIB(relation="rows"),
)


def of_class(model):
    return type(model).__name__


@pytest.mark.parametrize("as_rows", [False, True])
@pytest.mark.parametrize("model", WITH_MISSING, ids=of_class)
def test_estimators_take_masked_features_as_missing(model, as_rows):
    # What is under the mask would change the answer.
    hidden = masked(np.where(HOLES, 1e3 * HALVES[:, None], HOLED), HOLES)
    found = model.fit(list(hidden) if as_rows else hidden, HALVES).labels_
    expected = model.fit(np.where(HOLES, np.nan, HOLED), HALVES).labels_
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("model", WITHOUT_MISSING, ids=of_class)
def test_estimators_that_need_all_values_refuse_masked_ones(model):
    with pytest.raises(ValueError, match="contains NaN"):
        model.fit(masked(HOLED, HOLES), HALVES)
    model.fit(masked(np.abs(HOLED), np.zeros_like(HOLES)), HALVES)


def test_masked_objects_cannot_be_predicted():
    model = cw.COALA(2, prototypes=5).fit(HOLED, HALVES)
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict(masked(HOLED, HOLES))
