"""SoftOverlap: every form of input gives the same sums, and sums add up."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

import clusterwise as cw
from clusterwise import SoftOverlap
from helpers.soft_strategies import filled, one_hot, several, shares
from helpers.strategies import max_examples
from reference import transport as naive

RNG = np.random.default_rng(4)
P = RNG.integers(0, 4, (30, 3)) + np.eye(3, dtype=int)[RNG.integers(0, 3, 30)]
P = P / P.sum(axis=1, keepdims=True)
Q = RNG.dirichlet([1, 1, 1, 1], 30)
LABELS = RNG.integers(0, 3, 30)
X = RNG.normal(size=(30, 2))

FORMS = {
    "float64": np.array,
    "float32": lambda matrix: matrix.astype(np.float32),
    "column by column": np.asfortranarray,
    "every second row": lambda matrix: np.repeat(matrix, 2, axis=0)[::2],
    "lists": np.ndarray.tolist,
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "coo": sparse.coo_matrix,
    "pandas": pd.DataFrame,
    "polars": lambda matrix: pl.DataFrame(matrix, [str(k) for k in range(matrix.shape[1])]),
}


def sums(overlap):
    found = [overlap.products, overlap.differences, overlap.row_sums, overlap.column_sums]
    found.append(np.array(overlap.self_pairs))
    if overlap.centroid_sums is not None:
        found += [
            overlap.centroid_sums.sums_a,
            overlap.centroid_sums.sums_b,
            overlap.centroid_sums.mean,
        ]
        centroids = overlap.centroid_sums
        # Rounding errors of differences are relative to squares.
        found += [np.array([centroids.weight, centroids.deviation**2])]
    return found


def assert_same(found, wanted, tolerance=1e-12):
    for one, other in zip(sums(found), sums(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
    assert [str(name) for name in found.row_names] == [str(name) for name in wanted.row_names]
    assert [str(name) for name in found.column_names] == [str(name) for name in wanted.column_names]
    assert found.n == pytest.approx(wanted.n)


def assert_is(overlap, a, b, weights, exponent=1.0):
    n = len(a)
    w = [1] * n if weights is None else weights
    wanted = [naive.products(a, b, w), naive.differences(a, b, w, exponent)]
    wanted += [naive.masses(a, w), naive.masses(b, w), naive.own_pairs(a, b, w)]
    for one, other in zip(sums(overlap)[:5], wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    assert overlap.n == sum(w)


@pytest.mark.parametrize("first", FORMS)
@pytest.mark.parametrize("second", FORMS)
@pytest.mark.parametrize("p", [1, 1.5])
def test_every_form_of_two_soft_clusterings(first, second, p):
    found = SoftOverlap.from_memberships(FORMS[first](P), FORMS[second](Q), X, p=p)
    tolerance = 1e-6 if "float32" in (first, second) else 1e-12
    assert_same(found, SoftOverlap.from_memberships(P, Q, X, p=p), tolerance)
    assert_is(SoftOverlap.from_memberships(P, Q, p=p), P, Q, None, p)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("p", [1, 1.5])
def test_labels_beside_every_form(form, p):
    soft = FORMS[form](Q.astype(np.float32)) if form == "float32" else FORMS[form](Q)
    shares = Q.astype(np.float32).astype(float) if form == "float32" else Q
    hard = one_hot(LABELS)
    assert_is(SoftOverlap.from_memberships(LABELS, soft, p=p), hard, shares, None, p)
    assert_is(SoftOverlap.from_memberships(soft, LABELS, p=p), shares, hard, None, p)
    assert_same(
        SoftOverlap.from_memberships(soft, LABELS, X, p=p),
        SoftOverlap.from_memberships(Q, LABELS, X, p=p),
        1e-6,
    )


@given(cases=several(2), data=st.data())
def test_weights(cases, data):
    n = len(cases[0].matrix)
    kinds = [st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.25, 3.0])]
    weights = data.draw(st.lists(data.draw(st.sampled_from(kinds)), min_size=n, max_size=n))
    exponent = data.draw(st.sampled_from([1, 2]))
    found = SoftOverlap.from_memberships(
        *(case.given for case in cases), p=exponent, sample_weight=weights
    )
    wanted = [filled(np.array(case.matrix), weights) for case in cases]
    if any(weights):
        assert_is(found, *wanted, weights, exponent)
    else:
        assert found.shape == (0, 0)
        assert found.n == 0


@given(data=st.data())
def test_centres_and_spread(data):
    a, b = data.draw(several(2))
    n = len(a.matrix)
    points = np.array(data.draw(st.lists(st.integers(-4, 4), min_size=2 * n, max_size=2 * n)))
    points = points.reshape(n, 2)
    weights = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    overlap = SoftOverlap.from_memberships(a.given, b.given, points, sample_weight=weights)
    centres = overlap.centroid_sums
    for found, sizes, case in (
        (centres.sums_a, overlap.row_sums, a),
        (centres.sums_b, overlap.column_sums, b),
    ):
        wanted = naive.centroids(case.matrix, points, weights)
        np.testing.assert_allclose(found / sizes[:, None], wanted, atol=1e-12)
    assert centres.weight == sum(weights)
    assert centres.deviation == pytest.approx(np.sqrt(naive.spread(points, weights)), abs=1e-10)


@pytest.mark.parametrize("kind", [float, bool, np.int8, np.uint8])
@pytest.mark.parametrize("p", [1, 2])
def test_one_hot_matrices_are_labels(kind, p):
    matrix = np.eye(4)[LABELS].astype(kind)  # cluster 3 is empty
    other = np.random.default_rng(1).integers(0, 2, 30)
    wanted = SoftOverlap.from_memberships(LABELS, other, X, p=p)
    for hot in (matrix, sparse.csr_array(matrix), pd.DataFrame(matrix)):
        for found in (
            SoftOverlap.from_memberships(hot, other, X, p=p),
            SoftOverlap.from_memberships(hot, np.eye(2)[other], X, p=p),
        ):
            for one, theirs in zip(sums(found), sums(wanted), strict=True):
                assert one.tolist() == theirs.tolist()
            assert found.explicit_differences is None
    soft = SoftOverlap.from_memberships(LABELS, Q)
    for one, theirs in zip(sums(SoftOverlap.from_memberships(matrix, Q)), sums(soft), strict=True):
        assert one.tolist() == theirs.tolist()


def test_empty_clusters_are_left_out():
    wide = np.insert(P, [0, 2], 0.0, axis=1)
    for matrix in (wide, sparse.csr_array(wide), pd.DataFrame(wide)):
        found = SoftOverlap.from_memberships(matrix, Q)
        assert [str(name) for name in found.row_names] == ["1", "2", "4"]
        assert_is(found, P, Q, None)


@pytest.mark.parametrize("soft", [P, sparse.csr_array(P)], ids=["dense", "sparse"])
def test_noise_of_labels_beside_memberships(soft):
    labels = LABELS - 1
    noise = labels == -1
    dropped = SoftOverlap.from_memberships(labels, soft, X, noise="drop")
    assert_same(dropped, SoftOverlap.from_memberships(labels[~noise], soft[~noise], X[~noise]))
    turned = SoftOverlap.from_memberships(soft, labels, X, noise="drop")
    assert_same(turned, SoftOverlap.from_memberships(soft[~noise], labels[~noise], X[~noise]))
    alone = SoftOverlap.from_memberships(labels, soft, noise="singletons")
    assert alone.shape == (2 + noise.sum(), 3)
    one_each = labels.copy()
    one_each[noise] = 10 + np.arange(noise.sum())
    wanted = SoftOverlap.from_memberships(one_each, soft)
    np.testing.assert_allclose(alone.products, wanted.products)


def test_clusters_of_memberships_are_never_noise():
    kept = LABELS != 0
    found = SoftOverlap.from_memberships(LABELS, P, X, noise="drop", noise_label=0)
    assert_same(found, SoftOverlap.from_memberships(LABELS[kept], P[kept], X[kept]))
    both = SoftOverlap.from_memberships(P, Q, noise="drop", noise_label=0)
    assert_same(both, SoftOverlap.from_memberships(P, Q))
    weighted = SoftOverlap.from_memberships(
        LABELS, P, noise="drop", noise_label=0, sample_weight=np.arange(30)
    )
    wanted = SoftOverlap.from_memberships(LABELS[kept], P[kept], sample_weight=np.arange(30)[kept])
    assert_same(weighted, wanted)


@pytest.mark.parametrize("kind", ["frames", "frame and series", "series and frame"])
def test_alignment_by_index(kind):
    order = np.random.default_rng(2).permutation(30)
    index = pd.Index([f"object {i}" for i in range(30)])
    a = pd.Series(LABELS, index) if kind == "series and frame" else pd.DataFrame(P, index)
    b = pd.Series(LABELS, index) if kind == "frame and series" else pd.DataFrame(Q, index)
    turned = b.iloc[order[:20]]
    with pytest.raises(cw.InputError, match=r"different|inconsistent"):
        SoftOverlap.from_memberships(a, turned)
    common = np.sort(order[:20])
    found = SoftOverlap.from_memberships(a, turned, X, align="index")
    assert_same(found, SoftOverlap.from_memberships(a.iloc[common], b.iloc[common], X[common]))
    assert (found.matched.common, found.matched.in_a, found.matched.in_b) == (20, 30, 20)
    weights = pd.Series(np.arange(30.0), index)[::-1]
    weighted = SoftOverlap.from_memberships(a, turned, align="index", sample_weight=weights)
    wanted = SoftOverlap.from_memberships(
        a.iloc[common], b.iloc[common], sample_weight=weights[::-1].iloc[common]
    )
    assert_same(weighted, wanted)


@pytest.mark.parametrize("p", [1, 1.5])
@pytest.mark.parametrize("soft", [True, False])
@given(data=st.data())
@max_examples(40)
def test_chunks_add_up_and_leave(soft, p, data):
    cut = data.draw(st.integers(1, 29))
    a, b = (P, Q) if soft else (P, LABELS)
    whole = SoftOverlap.from_memberships(a, b, X, p=p)
    first = SoftOverlap.from_memberships(a[:cut], b[:cut], X[:cut], p=p)
    rest = SoftOverlap.from_memberships(a[cut:], b[cut:], X[cut:], p=p)
    assert_same(first + rest, whole)
    assert_same(rest + first, whole)
    assert_same(whole - first, rest, 1e-10)
    assert_same(
        SoftOverlap.from_chunks([(a[:cut], b[:cut], X[:cut]), (a[cut:], b[cut:], X[cut:])], p=p),
        whole,
    )


def test_chunks_with_different_clusters_and_of_different_kinds():
    first = pd.DataFrame(P[:10], columns=["u", "v", "w"])
    second = pd.DataFrame(P[10:20, :2] + P[10:20, 2:] / 2, columns=["x", "v"])
    labels = np.array(["u", "x"])[LABELS[20:] % 2]
    chunks = [(first, Q[:10]), (second, LABELS[10:20]), (labels, LABELS[20:])]
    wide = pd.concat(
        [first, second, pd.get_dummies(pd.Series(labels)).astype(float)], ignore_index=True
    ).fillna(0.0)
    wide = wide[sorted(wide.columns)]
    others = np.vstack([Q[:10], np.eye(4)[LABELS[10:]]])
    for p in (1, 2):
        found = SoftOverlap.from_chunks(chunks, p=p)
        assert_same(found, SoftOverlap.from_memberships(wide, others, p=p))
    taken = SoftOverlap.from_chunks(chunks) - SoftOverlap.from_memberships(*chunks[0])
    assert taken.row_names.tolist() == ["u", "v", "x"]
    assert taken.n == 20


def test_chunks_with_weights_and_without_any():
    found = SoftOverlap.from_chunks(
        (P[at : at + 7], Q[at : at + 7], X[at : at + 7], np.arange(30)[at : at + 7])
        for at in range(0, 30, 7)
    )
    assert_same(found, SoftOverlap.from_memberships(P, Q, X, sample_weight=np.arange(30)))
    nothing = SoftOverlap.from_chunks([])
    assert (nothing.n, nothing.shape) == (0, (0, 0))
    assert_same(nothing + SoftOverlap.from_memberships(P, Q), SoftOverlap.from_memberships(P, Q))


def test_overlaps_that_do_not_add_up():
    plain, placed = SoftOverlap.from_memberships(P, Q), SoftOverlap.from_memberships(P, Q, X)
    with pytest.raises(cw.InputError, match="one overlap has centroids and the other has not"):
        plain + placed
    with pytest.raises(cw.InputError, match="different exponents, 1 and 2"):
        plain + SoftOverlap.from_memberships(P, Q, p=2)
    with pytest.raises(cw.InputError, match="the second overlap has objects that"):
        SoftOverlap.from_memberships(P[:10], Q[:10]) - plain
    with pytest.raises(TypeError, match=r"for \+: 'SoftOverlap' and 'int'"):
        plain + 1
    with pytest.raises(TypeError, match="for -: 'SoftOverlap' and 'Contingency'"):
        plain - cw.Contingency.from_labels([0], [0])
    with pytest.raises(cw.InputError, match="p=1; use p=1"):
        _ = SoftOverlap.from_memberships(P, Q, p=2).minima


@given(case=st.integers(1, 6).flatmap(lambda n: st.tuples(shares(n), shares(n))))
def test_what_clusters_share(case):
    a, b = (np.array(filled(side)) for side in case)
    wanted = [
        [np.minimum(a[:, k], b[:, j]).sum() for j in range(b.shape[1])] for k in range(a.shape[1])
    ]
    np.testing.assert_allclose(SoftOverlap.from_memberships(*case).minima, wanted, atol=1e-12)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("kind", ["dense", "sparse", "labels"])
def test_threads_do_not_change_a_bit(monkeypatch, kind, p):
    monkeypatch.setattr("clusterwise.summaries.overlap.membership_sums._WORK", 1 << 12)
    monkeypatch.setattr("clusterwise.summaries.overlap.membership_sums._STEP", 1 << 10)
    rng = np.random.default_rng(1)
    a, b = rng.dirichlet([0.3] * 3, 9000), rng.dirichlet([0.3] * 4, 9000)
    first = {"dense": a, "sparse": sparse.csr_array(a), "labels": a.argmax(axis=1)}[kind]
    points, weights = rng.normal(size=(9000, 2)), rng.random(9000)
    found = []
    for count in (1, 2, 3, 5):
        with cw.threads(count, oversubscribe=True):
            overlap = SoftOverlap.from_memberships(first, b, points, p=p, sample_weight=weights)
        found.append([part.tolist() for part in sums(overlap)])
    assert all(one == found[0] for one in found[1:])
    monkeypatch.undo()
    whole = SoftOverlap.from_memberships(first, b, points, p=p, sample_weight=weights)
    assert_same(overlap, whole, 1e-9)
