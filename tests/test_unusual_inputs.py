"""Data in unusual forms are read, or refused in one sentence; nothing of other libraries shows."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import clusterwise as cw

A, B = [0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1, 0, 0]
X = np.array([[0, 1], [0, 2], [1, 1], [1, 2], [5, 5], [5, 6], [9, 1], [9, 2]], float)
HUGE = 10**400
LAZY = pl.LazyFrame({"x": X[:, 0], "y": X[:, 1]})
DATED = pd.DataFrame({"x": X[:, 0], "day": pd.date_range("2024-01-01", periods=8)})
TIMED = pd.DataFrame({"x": X[:, 0], "time": pd.to_timedelta(range(8), "D")})
# The same objects.
SAME_FEATURES = {
    "longdouble": X.astype(np.longdouble),
    "float16": X.astype(np.float16),
    "object": X.astype(object),
    "big-endian": X.astype(">f8"),
    "big-endian integers": X.astype(">i4"),
    "matrix": X.view(np.matrix),
    "Int128": pl.DataFrame(X, ["x", "y"]).cast(pl.Int128),
    "Decimal": pl.DataFrame(X, ["x", "y"]).cast(pl.Decimal(10, 2)),
}
# Not features.
REFUSED_FEATURES = {
    "complex": X.astype(complex),
    "huge": [[HUGE, 1], *[[1, 2]] * 7],
    "dates": X.astype("M8[s]"),
    "ragged": [[1, 2], [1], *[[1, 2]] * 6],
    "no columns": [[]] * 8,
    "lazy": LAZY,
    "two columns of one name": pd.DataFrame(X, columns=["x", "x"]),
    "lists": pl.DataFrame({"x": [[1]] * 8}),
    "records": np.zeros(8, [("a", "f4"), ("b", "f4")]),
    "void": np.zeros((8, 2), "V4"),
    "three dimensions": np.zeros((8, 2, 2)),
    "nothing": None,
    "a string": "abc",
}
OF_FEATURES = {
    "adco_score": lambda X: cw.adco_score(A, B, X),
    "Binning": lambda X: cw.Binning("frequency").fit(X).bins(X).codes[0].tolist(),
    "quality_score": lambda X: cw.quality_score(X, A),
    "ClusteringStream": lambda X: len(cw.ClusteringStream(4).feed(X, A)),
    "cluster_again": lambda X: cw.cluster_again(X, A, "coala")[0].labels.tolist(),
    "make_ensemble": lambda X: cw.make_ensemble(X, 1, random_state=0).labels[:, 0].tolist(),
    "dq_score": lambda X: cw.dq_score(X, A, B),
}
# Labels of the same clusters.
SAME_LABELS = {
    "huge": [HUGE if a else -HUGE for a in A],
    "longdouble": np.array(A, np.longdouble),
    "float16": np.array(A, np.float16),
    "object": np.array(A, object),
    "big-endian": np.array(A, ">i4"),
    "Int128": pl.Series(A, dtype=pl.Int128),
    "Decimal": pl.Series(list(map(Decimal, A))),
    "dates": np.array(A, "M8[s]"),
    "generator": (a for a in A),
}
OF_LABELS = {
    "adjusted_rand_score": lambda labels: cw.adjusted_rand_score(labels, B),
    "combine": lambda labels: cw.combine([labels, A, B], "voting").labels.tolist(),
    "quality_score": lambda labels: cw.quality_score(X, labels),
    "cluster_again": lambda labels: cw.cluster_again(X, labels, "coala")[0].labels.tolist(),
}
NOT_FITTED = r"^this binning is not fitted; call fit"


def refusal(call, value):
    """Return why a value is refused; None if it is not."""
    with pytest.raises(cw.InputError) as caught:
        call(value)
    return str(caught.value)


@pytest.mark.parametrize("form", SAME_FEATURES)
@pytest.mark.parametrize("name", OF_FEATURES)
def test_features_of_all_types_are_the_same(name, form):
    call, given = OF_FEATURES[name], SAME_FEATURES[form]
    if name == "cluster_again" and form in ("matrix", "Int128"):
        assert refusal(call, given).startswith("X cannot be ")
        return
    expected = call(X)
    assert call(given) == pytest.approx(expected)


@pytest.mark.parametrize("form", REFUSED_FEATURES)
@pytest.mark.parametrize("name", OF_FEATURES)
def test_other_features_are_refused(name, form):
    call, given = OF_FEATURES[name], REFUSED_FEATURES[form]
    if name == "Binning" and form == "lazy":
        assert cw.Binning().fit(given).names == ["x", "y"]
        return
    message = refusal(call, given)
    assert "X" in message or "the frame" in message
    assert "\n" not in message


@pytest.mark.parametrize("form", [form for form in SAME_LABELS if form != "generator"])
@pytest.mark.parametrize("name", OF_LABELS)
def test_labels_of_all_types_are_the_same(name, form):
    assert OF_LABELS[name](SAME_LABELS[form]) == OF_LABELS[name](A)


def test_labels_may_come_from_a_generator():
    assert cw.rand_score(SAME_LABELS["generator"], A) == 1


@pytest.mark.parametrize(
    "weights",
    [[HUGE] * 8, [[1], [1, 2], *[[1]] * 6], pl.Series([1] * 8, dtype=pl.Int128), LAZY, 1j, {}],
)
def test_other_weights_are_refused(weights):
    with pytest.raises(cw.InputError, match=r"^sample_weight must be a 1D array of numbers"):
        cw.rand_score(A, B, sample_weight=weights)


@pytest.mark.parametrize(
    "call",
    [
        lambda: cw.DensityProfile.from_data(X, A, binning=cw.Binning()),
        lambda: cw.DensityProfile.empty(cw.Binning()),
        lambda: cw.DensityProfile.from_chunks([(X, A)], cw.Binning()),
        lambda: cw.adco_score(A, B, X, binning=cw.Binning()),
        lambda: cw.compare(A, B, X, binning=cw.Binning()),
        lambda: cw.Binning().bins(X),
    ],
)
def test_bins_must_be_fitted(call):
    with pytest.raises(cw.InputError, match=NOT_FITTED):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cw.compare(A, B, names=("a",)), r"^names=\('a',\); use a pair \(each a string\)"),
        (lambda: cw.compare_all({"p": A, "q": B}, measure=None), "^measure=None; use a string"),
        (lambda: cw.compare(A, B, measures=[None]), r"^measures=\[None\]; use a list \(each a str"),
        (lambda: cw.Contingency.from_table([[HUGE, 1], [1, 2]]), "^table must hold finite numbers"),
        (lambda: cw.Contingency.from_table(pl.DataFrame({"x": [[1]]})), "^table must hold"),
        (lambda: cw.Contingency.from_table(LAZY), "^table is a lazy frame; collect it first"),
        (
            lambda: cw.mallows_distance(A, B, weights=([HUGE, 1], [1, 1])),
            "^the weights of a must be finite numbers",
        ),
        (lambda: cw.mallows_distance(A, B, weights=("a", "b")), "^the weights of a must be finite"),
        (
            lambda: cw.css_distance(A, B, representatives=([[1], [1, 2]], [[1], [2]])),
            "^the representatives of a must be finite numbers",
        ),
        (lambda: cw.Binning.from_edges({"u": [[0, 1], [2]]}), "^the edges of 'u' are not a list"),
        (lambda: cw.Binning.from_edges({"u": [0, HUGE]}), "^the edges of 'u' are not a list"),
        (
            lambda: cw.Contingency.from_chunks([(A, B), 3]),
            r"^chunk 1 is an int; pass tuples of the form \(a, b\) or \(a, b, sample_weight\)\.$",
        ),
        (lambda: cw.Contingency.from_chunks([(A,)]), "^chunk 0 has 1 parts; pass tuples of the"),
        (lambda: cw.Contingency.from_chunks([(A, B, A, B)]), "^chunk 0 has 4 parts; pass tuples"),
        (lambda: cw.SoftOverlap.from_chunks([A]), "^chunk 0 has 8 parts; pass tuples of the form"),
        (
            lambda: cw.SoftOverlap.from_chunks([None]),
            "^chunk 0 is a NoneType; pass tuples",
        ),
        (
            lambda: cw.DensityProfile.from_chunks([X], cw.Binning().fit(X)),
            r"^chunk 0 has 8 parts; pass tuples of the form \(X, labels\) or \(X, labels, sample_w",
        ),
        (lambda: cw.consensus_matrix(LAZY), "lazy frame"),
        (lambda: cw.cluster_again(X, LAZY, "coala"), "^given is a LazyFrame, not labels"),
        (lambda: cw.NaiveAlternative().fit(LAZY, A), "^X is a lazy frame"),
        (lambda: cw.CEM().fit(LAZY), "^X is a lazy frame"),
        (lambda: cw.NaiveAlternative().fit(TIMED, A), "^X has columns that are not numbers; conve"),
        (lambda: cw.CEM().fit(DATED), "^X has columns that are not numbers; convert them, or leav"),
        (lambda: cw.COALA().fit(TIMED, A), "^X has columns that are not numbers; convert them, or"),
        (lambda: cw.NaiveAlternative().fit([[HUGE], [1]], [0, 1]), "^X cannot be read as numbers"),
    ],
)
def test_what_other_libraries_refuse(call, message):
    with pytest.raises(cw.InputError, match=message):
        call()


def test_given_clusterings_are_not_sparse():
    given = sparse.csr_array(np.column_stack([A, B]))
    for call in (cw.cluster_again, cw.tradeoff_curve, lambda X, y: cw.dq_score(X, y, B)):
        with pytest.raises(cw.InputError, match=r"^given is a sparse matrix, not labels; pass a d"):
            call(X, given)
    with pytest.raises(cw.InputError, match=r"^y is a sparse matrix, not labels; pass a dense"):
        cw.CIB().fit(X, given)


@pytest.mark.parametrize("y", [np.zeros((8, 0)), pd.DataFrame(index=range(8))])
def test_given_clusterings_need_a_column(y):
    for estimator in (cw.COALA(), cw.MAXIMUS(), cw.CIB()):
        with pytest.raises(cw.InputError, match=r"^y has no columns; pass at least one clustering"):
            estimator.fit(X, y)
    for call in (cw.cluster_again, cw.tradeoff_curve):
        with pytest.raises(cw.InputError, match=r"^given has no columns; pass at least one clust"):
            call(X, y)
    with pytest.raises(cw.InputError, match=r"^given has no columns; pass at least one clustering"):
        cw.dq_score(X, y, B)


@pytest.mark.skipif(np.finfo(np.longdouble).max <= 1e308, reason="no wider floats here")
@pytest.mark.parametrize(
    "call",
    [
        lambda X: cw.rand_score(cw.Contingency.from_table(X)),
        lambda X: cw.rand_score(X, X),
        lambda X: cw.quality_score(X, [0, 0, 1, 1]),
        lambda X: cw.rand_score([0, 0, 1, 1], [0, 1, 0, 1], sample_weight=X[:, 0]),
    ],
    ids=["table", "memberships", "features", "weights"],
)
def test_wide_floats_beyond_the_range_of_doubles_are_refused(call):
    """Without a warning of NumPy before."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(cw.InputError):
            call(np.full((4, 2), np.longdouble("1e400")))


@pytest.mark.parametrize("labels", [[None], [None, None, np.nan], ["a", None, "b"]])
def test_objects_of_pandas_without_a_label_are_counted(labels):
    column = pd.Series(labels, dtype=object)
    lacking = int(column.isna().sum())
    with pytest.raises(cw.InputError, match=rf"\({lacking} of {len(labels)} are missing\)"):
        cw.rand_score([0] * len(labels), column)
