"""Options and inputs that once passed in silence: each gets its sentence."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clusterwise as cw


def test_frames_of_memberships_keep_their_index():
    a = pd.DataFrame(np.eye(3), index=[0, 1, 2])
    b = pd.DataFrame(np.eye(3)[[2, 1, 0]], index=[2, 1, 0])
    with pytest.raises(cw.InputError, match="different indexes"):
        cw.rand_score(a, b)
    assert cw.rand_score(a, b, align="index") == 1


@pytest.mark.parametrize("labels", [{"p": 1, "q": 1}, {0, 1}, frozenset({0, 1})])
def test_what_has_no_order_is_refused(labels):
    with pytest.raises(cw.InputError, match=r"^a is a .*, which has no order of objects"):
        cw.rand_score(labels, [0, 1])


def test_totals_beyond_64_bits_are_refused():
    with pytest.raises(cw.InputError, match=r"^sample_weight adds up to more than the largest"):
        cw.rand_score([0, 0, 1, 1], [0, 1, 1, 1], sample_weight=[2**62] * 3 + [1])
    with pytest.raises(cw.InputError, match=r"^sample_weight adds up to more than the largest"):
        cw.rand_score([0, 1], [0, 1], sample_weight=np.array([2**63, 1], np.uint64))
    with pytest.raises(cw.InputError, match=r"^the table adds up to more than the largest"):
        cw.Contingency.from_table(np.array([[2**62, 2**62], [2**62, 1]]))


@pytest.mark.parametrize("label", [-1, -1.0, np.float32(-1), np.int8(-1)])
def test_noise_labels_match_by_value(label):
    for kind in (np.int64, np.float64):
        table = cw.Contingency.from_labels(
            np.array([-1, 0, 0], kind), [0, 0, 1], noise="drop", noise_label=label
        )
        assert table.n == 2


def test_noise_is_one_label():
    with pytest.raises(cw.InputError, match="is not one label"):
        cw.rand_score([0, 1], [0, 1], noise="drop", noise_label=np.array([-1, -2]))


def test_a_ready_table_takes_no_weights():
    with pytest.raises(cw.InputError, match="leave sample_weight out"):
        cw.mutual_info_score(None, None, contingency=[[1, 2], [2, 1]], sample_weight=[1, 2])


@pytest.mark.parametrize("beta", [-1, float("nan")])
def test_beta_is_a_weight(beta):
    with pytest.raises(cw.InputError, match=rf"^beta={beta}; use a number of at least 0\.$"):
        cw.v_measure_score([0, 1], [0, 1], beta=beta)


def test_lazy_frames_must_be_collected():
    with pytest.raises(cw.InputError, match=r"^a is a lazy frame; collect it first"):
        cw.rand_score(pl.LazyFrame({"x": [0, 1]}), [0, 1])


def test_weights_matched_by_index_must_be_unambiguous():
    a, b = pd.Series([0, 1], index=[5, 6]), pd.Series([0, 1], index=[5, 6])
    with pytest.raises(cw.InputError, match=r"^the index of sample_weight has 5 more than once"):
        cw.rand_score(a, b, sample_weight=pd.Series([1, 2, 3], index=[5, 5, 6]), align="index")
    with pytest.raises(cw.InputError, match="lacks the index value 6 that"):
        cw.rand_score(a, b, sample_weight=pd.Series([1], index=[5]), align="index")


def test_labels_of_unusual_kinds_are_told_apart():
    steps = np.array([1, 1, 2], np.longdouble) + np.array([0, 2, 0], np.longdouble) * 1e-19
    assert cw.Contingency.from_labels(steps, [0, 0, 0]).shape[0] == len(set(steps.tolist()))
    pairs = pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("x", 1)])
    assert cw.Contingency.from_labels(pairs, [0, 0, 0]).row_sums.tolist() == [2, 1]


def test_tables_have_two_dimensions():
    from scipy.sparse import coo_array

    with pytest.raises(cw.InputError, match="table has 1 dimensions"):
        cw.Contingency.from_table(coo_array(np.array([1, 2])))
    with pytest.raises(cw.InputError, match="table has 3 dimensions"):
        cw.Contingency.from_table(np.zeros((2, 2, 2)))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[], [0]], r"^the rows of table have different lengths; pass one with as many columns"),
        ([[pd.NA]], r"^table must hold finite numbers; pass the counts"),
        ([[10**400]], r"^table must hold finite numbers; pass the counts"),
    ],
)
def test_what_is_no_table(table, message):
    with pytest.raises(cw.InputError, match=message):
        cw.Contingency.from_table(table)


@pytest.mark.parametrize("function", [cw.compare_all, cw.combine])
@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_repeated_columns(function, library):
    columns, names = [[0, 1, 2], [1, 1, 0]], ["a", "a"]
    table = pa.table([pa.array(column) for column in columns], names=names)
    frame = pd.DataFrame(zip(*columns, strict=True), columns=names)
    frame = table if library == "pyarrow" else frame
    message = r"^the frame has several columns 'a'; rename them so that all names differ\.$"
    with pytest.raises(cw.InputError, match=message):
        function(frame)


@pytest.mark.parametrize("label", [None, float("nan"), pd.NA, pd.NaT])
def test_missing_noise_labels_are_nobodys(label):
    for a in (["x", "x", "y"], [0, 0, 1]):
        assert cw.rand_score(a, a, noise="singletons", noise_label=label) == 1


@pytest.mark.parametrize("rows", [[[], [0]], [[0], []], [np.zeros(2), np.zeros(3)]])
def test_ragged_rows(rows):
    counts = [len(row) for row in rows]
    message = rf"^row 1 of X has {counts[1]} values, but row 0 has {counts[0]}; pass equal numbers"
    with pytest.raises(cw.InputError, match=message):
        cw.quality_score(rows, [0, 1])
