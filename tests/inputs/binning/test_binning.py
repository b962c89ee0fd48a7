"""Binnings: every value gets one bin, the same by every road."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import load_iris

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import threads
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.binning.fitting import CAPACITY
from reference import measures as naive

NUMERIC = ["width", "auto", "frequency", "mdl"]
# Floats that 32 bits hold too, a few of them often; some missing.
numbers = st.one_of(
    st.integers(-5, 5).map(float), st.floats(width=32, allow_nan=False, allow_infinity=False)
)
cells = st.one_of(st.none(), numbers)


@st.composite
def columns(draw, values=cells, min_size=1):
    return draw(st.lists(values, min_size=min_size, max_size=30))


def as_array(column, dtype=np.float64):
    return np.array([np.nan if value is None else value for value in column], dtype)[:, None]


def labels_for(column):
    return [i % 3 for i in range(len(column))]


def expected_codes(binning, column):
    """Positions by the plain loops, from the edges or values that the binning shows."""
    (feature,) = binning.features
    codes = []
    for value in column:
        if value is None:
            codes.append(feature.size - 1)
        elif feature.values is not None:
            known = feature.values.tolist()
            codes.append(known.index(value) if value in known else len(known))
        elif feature.even:
            low, high = feature.edges[[0, -1]].tolist()
            codes.append(naive.even_position(value, low, high, feature.regular))
        else:
            codes.append(naive.position(value, feature.edges.tolist()))
    return codes


@pytest.mark.parametrize("method", [*NUMERIC, "nominal"])
@given(column=columns(), new=columns(), n_bins=st.integers(1, 12))
def test_positions_against_plain_loops(method, column, new, n_bins):
    binning = Binning(method, n_bins).fit(as_array(column), labels_for(column))
    for values in (column, new):
        (codes,) = binning.bins(as_array(values)).codes
        assert codes.tolist() == expected_codes(binning, values)
        assert codes.dtype == np.uint8


@given(column=columns(), new=columns(), n_bins=st.integers(1, 12))
def test_values_outside_the_range_are_counted(column, new, n_bins):
    binning = Binning("width", n_bins).fit(as_array(column))
    binned = binning.bins(as_array(new))
    fitted = [value for value in column if value is not None]
    present = [value for value in new if value is not None] if fitted else []
    assert binned.below.tolist() == [sum(value < min(fitted) for value in present)]
    assert binned.above.tolist() == [sum(value > max(fitted) for value in present)]
    ours = binning.bins(as_array(column))
    assert not ours.below.any()
    assert not ours.above.any()


@given(column=columns(), n_bins=st.integers(1, 12))
def test_values_lie_between_the_edges_of_their_bin(column, n_bins):
    for method in ("width", "frequency"):
        binning = Binning(method, n_bins).fit(as_array(column))
        edges = binning.features[0].edges
        slack = 1e-9 * np.abs(edges[np.isfinite(edges)]).max(initial=0) if method == "width" else 0
        for code, value in zip(binning.bins(as_array(column)).codes[0], column, strict=True):
            if value is not None:
                assert edges[code] - slack <= value <= edges[code + 1] + slack


@pytest.mark.parametrize("method", [*NUMERIC, "nominal"])
@given(column=columns(), data=st.data())
def test_the_order_of_objects_does_not_matter(method, column, data):
    order = data.draw(st.permutations(range(len(column))))
    X, y = as_array(column), np.array(labels_for(column))
    binning = Binning(method, 4).fit(X, y)
    assert Binning(method, 4).fit(X[order], y[order]) == binning


@pytest.mark.parametrize("method", [*NUMERIC, "nominal"])
@given(column=columns())
def test_floats_of_32_and_64_bits_give_the_same(method, column):
    y = labels_for(column)
    first, second = (
        Binning(method, 5).fit(as_array(column, dtype), y) for dtype in (np.float32, np.float64)
    )
    assert first == second
    wide, narrow = (first.bins(as_array(column, dtype)).codes[0] for dtype in (float, np.float32))
    assert wide.tolist() == narrow.tolist()


@pytest.mark.parametrize("method", [*NUMERIC, "nominal"])
@given(column=columns(min_size=2), data=st.data())
def test_chunks_give_what_the_whole_gives(method, column, data):
    cut = data.draw(st.integers(1, len(column) - 1))
    X, y = as_array(column), np.array(labels_for(column))
    chunks = [(X[:cut], y[:cut]), (X[cut:], y[cut:])]
    whole = Binning(method, 4).fit(X, y)
    assert Binning(method, 4).fit_chunks(iter(chunks)) == whole
    if method != "mdl":
        assert Binning(method, 4).fit_chunks([X[:cut], X[cut:]]) == whole


def test_auto_bins_of_skewed_features_have_equal_counts():
    random = np.random.default_rng(2)
    zeros = np.where(random.random(1000) < 0.97, 0.0, random.random(1000))
    X = np.column_stack(
        [random.normal(size=1000), random.lognormal(10, 1.5, 1000), zeros, np.full(1000, 3.0)]
    )
    X[::7, 1] = np.nan
    auto, width, frequency = (Binning(method).fit(X) for method in ("auto", "width", "frequency"))
    expected = width, frequency, frequency, width
    for r, one in enumerate(expected):
        assert auto.features[r] == one.features[r]
    # With bins of equal width, one has most values; with "auto" none has.
    counts = [np.bincount(one.bins(X).codes[1]).max() for one in (width, auto)]
    assert counts[0] > 700
    assert counts[1] < 150
    assert [row[1] for row in auto.text_table().rows] == [
        "width", "frequency", "frequency", "width"
    ]  # fmt: skip
    assert auto.features[2].regular == 2


@given(column=columns(), n_bins=st.integers(1, 12))
def test_auto_follows_its_rule(column, n_bins):
    X = as_array(column)
    width, frequency, auto = (
        Binning(method, n_bins).fit(X) for method in ("width", "frequency", "auto")
    )
    counts = np.bincount(width.bins(X).codes[0], minlength=width.features[0].size)[:-1]
    total = counts.sum()
    skewed = counts.max() > total / 2 and counts.max() > 3 * total / counts.size
    assert auto == (frequency if skewed and width.features[0].even else width)


def test_bins_of_equal_width_that_show_little():
    random = np.random.default_rng(3)
    X = np.column_stack([random.normal(size=500), random.lognormal(10, 1.5, 500)])
    width = Binning(n_bins=8).fit(X)
    assert width.with_skewed_features(X) == Binning("auto", 8).fit(X)
    assert width.with_skewed_features(X[:, [0, 0]]) is None
    assert width.with_skewed_features(X[:300]) is None
    assert Binning(n_bins=8).fit(X[:, :1]).with_skewed_features(X[:, :1]) is None
    assert Binning("auto", 8).fit(X).with_skewed_features(X) is None


def test_bins_of_skewed_features_are_those_of_all_objects_however_many():
    X = np.random.default_rng(4).lognormal(10, 1.5, (3 * CAPACITY, 1))
    assert Binning(n_bins=8).fit(X).with_skewed_features(X) == Binning("auto", 8).fit(X)


def test_frequencies_of_many_chunks_are_within_the_error_of_the_sketch():
    rng = np.random.default_rng(11)
    n, n_bins = 100_000, 10
    X = rng.lognormal(size=(n, 1))
    binning = Binning("frequency", n_bins).fit_chunks(np.array_split(X, 97))
    counts = np.bincount(binning.bins(X).codes[0], minlength=n_bins)
    allowed = n / CAPACITY * (1 + np.log2(n / CAPACITY))
    ranks = np.cumsum(counts)[: n_bins - 1]
    assert np.abs(ranks - np.arange(1, n_bins) * n / n_bins).max() <= allowed + 1
    assert binning.features[0].edges[[0, -1]].tolist() == [X.min(), X.max()]


@pytest.mark.slow
@pytest.mark.parametrize("method", NUMERIC)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u1"])
def test_every_layout_gives_the_same(method, dtype):
    plain = np.random.default_rng(2).integers(0, 50, (300, 4)).astype(dtype)
    y = plain[:, 0] // 20
    frozen = plain.copy()
    frozen.flags.writeable = False
    same = [
        plain,
        np.asfortranarray(plain),
        np.repeat(np.repeat(plain, 2, axis=0), 2, axis=1)[::2, ::2],
        plain[:, ::-1].copy()[:, ::-1],
        frozen,
        plain.tolist(),
    ]
    binnings = [Binning(method, 6).fit(X, y) for X in same]
    codes = np.array(binnings[0].bins(plain).codes)
    for binning, X in zip(binnings, same, strict=True):
        assert binning == binnings[0]
        assert np.array_equal(binning.bins(X).codes, codes)


def test_positions_do_not_depend_on_the_number_of_threads(monkeypatch):
    X = np.random.default_rng(3).normal(size=(5000, 3))
    binning = Binning().fit(X[:50])
    alone = binning.bins(X)
    monkeypatch.setattr("clusterwise._utils.threads.SERIAL_BELOW", 1)
    with threads(3, oversubscribe=True):
        together = binning.bins(X)
    assert np.array_equal(alone.codes, together.codes)
    assert alone.below.tolist() == together.below.tolist()
    assert alone.above.tolist() == together.above.tolist()
    assert alone.above.all()


def frames():
    """The same messy columns in every library."""
    columns = {
        "height": [1.5, None, 3.5, 2.0],
        "visits": [1, 2, None, 4],
        "city": ["a", None, "b", "a"],
        "member": [True, False, None, True],
        "plan": ["u", "v", "u", None],
    }
    polars = pl.DataFrame(columns).with_columns(pl.col("plan").cast(pl.Categorical))
    arrow = pa.table({**columns, "plan": pa.array(columns["plan"]).dictionary_encode()})
    pandas = pd.DataFrame(
        {
            **columns,
            "visits": pd.array(columns["visits"], dtype="Int64"),
            "member": pd.array(columns["member"], dtype="boolean"),
            "plan": pd.Categorical(columns["plan"]),
        }
    )
    objects = pd.DataFrame(columns).astype({"city": object, "plan": object, "member": object})
    return [pandas, objects, polars.to_pandas(use_pyarrow_extension_array=True), polars, arrow]


@pytest.mark.parametrize("method", [*NUMERIC, "nominal"])
def test_messy_frames_of_every_library_are_alike(method):
    y = ["p", "q", "p", "q"]
    binnings = [Binning(method, 3).fit(frame, y) for frame in frames()]
    for binning in binnings:
        assert binning == binnings[0]
        for frame in frames():
            found = [codes.tolist() for codes in binning.bins(frame).codes]
            assert found == [codes.tolist() for codes in binnings[0].bins(frames()[0]).codes]


@pytest.mark.parametrize("kind", range(5))
def test_columns_of_messy_frames_get_what_fits(kind):
    binning = Binning(n_bins=2).fit(frames()[kind])
    assert binning.names == ["height", "visits", "city", "member", "plan"]
    assert binning.offsets.tolist() == [0, 3, 6, 10, 14, 18]
    assert binning.offsets.dtype == np.int64
    assert binning.total == 18
    codes = [codes.tolist() for codes in binning.bins(frames()[kind]).codes]
    assert codes == [[0, 2, 1, 0], [0, 0, 2, 1], [0, 3, 1, 0], [1, 0, 3, 1], [0, 1, 0, 3]]


def test_columns_are_found_by_name_and_others_ignored():
    binning = Binning(n_bins=2).fit(pd.DataFrame({"a": [0.0, 1.0], "b": ["x", "y"]}))
    binned = binning.bins(pl.DataFrame({"more": [9], "b": ["y"], "a": [1.0]}))
    assert [codes.tolist() for codes in binned.codes] == [[1], [1]]
    by_position = binning.bins([[0.0, "y"], [1.0, "x"]])
    assert [codes.tolist() for codes in by_position.codes] == [[0, 1], [1, 0]]


def test_names_that_were_not_there_get_their_own_bin():
    binning = Binning().fit([["red"], ["blue"]])
    assert binning.bins([["red"], ["green"], [None]]).codes[0].tolist() == [1, 2, 3]
    assert binning.bin_names()[2:] == [("x0", "(unseen)"), ("x0", "(missing)")]


def test_numbers_fitted_as_nominal_stay_nominal():
    binning = Binning("nominal").fit(np.array([[3], [1], [3]]))
    assert binning.features[0].values.tolist() == [1, 3]
    for new in ([[1], [2], [3]], [[1.0], [2.5], [3.0]], np.array([[1], [2], [3]], np.uint8)):
        assert binning.bins(new).codes[0].tolist() == [0, 2, 1]


def test_many_values_get_wider_codes():
    binning = Binning("nominal").fit(np.arange(300)[:, None])
    (codes,) = binning.bins(np.arange(301)[:, None]).codes
    assert (codes.dtype, codes.tolist()) == (np.uint16, list(range(301)))
    assert Binning(n_bins=256).fit([[0.0], [1.0]]).bins([[1.0]]).codes[0].dtype == np.uint16


def test_chunks_without_a_value_do_not_decide_what_a_column_is():
    empty = pd.DataFrame({"a": [np.nan, np.nan]})
    texts = pd.DataFrame({"a": ["x", "y"]})
    binning = Binning().fit_chunks([empty, texts, empty])
    assert binning.features[0].values.tolist() == ["x", "y"]
    assert binning.bins(empty).codes[0].tolist() == [3, 3]
    with pytest.raises(InputError, match="column 'a' of X is numeric in one chunk and categorical"):
        Binning().fit_chunks([texts, pd.DataFrame({"a": [1.0]})])
    nothing = pd.DataFrame({"a": [None]}, dtype=object)
    numeric = Binning().fit_chunks([nothing, pd.DataFrame({"a": [1.0, 2.0]})])
    assert numeric.bins(nothing).codes[0].tolist() == [10]


def test_features_without_a_value_have_one_bin_for_whatever_comes():
    binning = Binning().fit(np.full((3, 1), np.nan))
    binned = binning.bins([[-1e300], [7.0], [None]])
    assert binned.codes[0].tolist() == [0, 0, 1]
    assert not binned.above.any()


def test_constant_features_have_one_bin():
    binning = Binning().fit([[5.0, 1.0], [5.0, 2.0]])
    assert binning.features[0].size == 2
    assert binning.bin_names()[:2] == [("x0", "5"), ("x0", "(missing)")]
    binned = binning.bins([[5.0, 1.0], [6.0, 1.0], [4.0, 1.0]])
    assert binned.codes[0].tolist() == [0, 0, 0]
    assert (binned.below.tolist(), binned.above.tolist()) == ([1, 0], [1, 0])


def test_known_edges():
    binning = Binning.from_edges({"age": [0, 18, 65, 120], "score": [-np.inf, 0, np.inf]})
    binned = binning.bins(pl.DataFrame({"age": [17.9, 18, 120, 130], "score": [-9e9, 0, 1, None]}))
    assert [codes.tolist() for codes in binned.codes] == [[0, 1, 2, 2], [0, 1, 1, 2]]
    assert binned.above.tolist() == [1, 0]
    assert binning.bin_names()[:3] == [
        ("age", "[0, 18)"),
        ("age", "[18, 65)"),
        ("age", "[65, 120]"),
    ]


def test_a_binning_rebuilt_from_its_edges_is_equal():
    binning = Binning(n_bins=7).fit(np.random.default_rng(4).normal(size=(50, 2)))
    edges = {feature.name: feature.edges for feature in binning.features}
    assert Binning.from_edges(edges) == binning
    assert pickle.loads(pickle.dumps(binning)) == copy.deepcopy(binning) == binning
    edges["x1"] = edges["x1"] + 1
    assert Binning.from_edges(edges) != binning


def test_binnings_differ_by_names_kinds_and_values():
    one = Binning().fit(pd.DataFrame({"a": [1, 2]}))
    assert one != Binning().fit(pd.DataFrame({"b": [1, 2]}))
    assert one != Binning("nominal").fit(pd.DataFrame({"a": [1, 2]}))
    assert Binning().fit([["u"], ["v"]]) != Binning().fit([["u"], ["w"]])
    assert one != 3


def test_mdl_of_iris_chooses_the_bins_of_every_feature():
    iris = load_iris(as_frame=True)
    names = np.array(["setosa", "versicolor", "virginica"])[iris.target]
    binning = Binning("mdl").fit(iris.data, names)
    assert binning == Binning("mdl").fit(iris.data, iris.target)
    assert binning.features[2].edges.tolist() == pytest.approx([1.0, 2.45, 4.75, 6.9])
    assert binning.features[3].edges.tolist() == pytest.approx([0.1, 0.8, 1.75, 2.5])


def test_a_line_per_feature():
    frame = pd.DataFrame({"alcohol": [11.03, 14.83], "grape": ["Nebbiolo", "Barbera"]})
    assert repr(Binning().fit(frame)).splitlines() == [
        "2 features, 15 bins",
        "feature  method   bins  edges or values",
        "alcohol  width      10  11.03 11.41 11.79 12.17 12.55 12.93 … 14.83",
        "grape    nominal     2  Barbera Nebbiolo",
    ]
    assert repr(Binning("mdl", 3)) == "Binning(method='mdl', n_bins=3), not fitted"


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: Binning("widths"), "method='widths' is unknown"),
        (lambda: Binning(n_bins=0), "n_bins=0; use an integer from 1 to 1000000"),
        (lambda: Binning(n_bins=2.5), "n_bins=2.5; use an integer"),
        (lambda: Binning(n_bins="5"), "n_bins='5'; use an integer"),
        (lambda: Binning(n_bins=True), "n_bins=True; use an integer"),
        (lambda: Binning().bins([[1]]), "this binning is not fitted; call fit"),
        (lambda: Binning().total, "this binning is not fitted"),
        (lambda: Binning().fit(np.empty((0, 2))), "X has no objects"),
        (lambda: Binning().fit_chunks([]), "X has no objects"),
        (lambda: Binning("mdl").fit([[1.0]]), "method='mdl' needs reference labels; pass y"),
        (lambda: Binning("mdl").fit_chunks([[[1.0]]]), "method='mdl' needs reference labels"),
        (lambda: Binning("mdl").fit([[1.0], [2.0]], [0]), "y has 1 labels for the 2 objects"),
        (lambda: Binning("mdl").fit([[1.0], [2.0]], [0, None]), "y has no label at position 1"),
        (lambda: Binning().fit([[1.0], [np.inf]]), "column 'x0' of X is inf at position 1"),
        (lambda: Binning().fit([[np.inf]]), "column 'x0' of X is inf at position 0"),
        (lambda: Binning("nominal").fit([[1, -np.inf]]), "column 'x1' of X is -inf at position 0"),
        (
            lambda: Binning().fit(pl.DataFrame({"a": [1.0, -np.inf]})),
            "column 'a' of X is -inf at position 1",
        ),
        (
            lambda: Binning().fit([[1.0], [2.0]]).bins([[1.5], [np.inf]]),
            "column 'x0' of X is inf at position 1",
        ),
        (
            lambda: Binning.from_edges({"a": [-np.inf, np.inf]}).bins([[-np.inf]]),
            "column 'a' of X is -inf at position 0",
        ),
        (
            lambda: (
                Binning().fit(pd.DataFrame({"a": [1], "b": [1]})).bins(pd.DataFrame({"b": [1]}))
            ),
            "X has no column 'a'",
        ),
        (lambda: Binning().fit([[1, 2]]).bins([[1]]), "X has 1 columns, but the binning has 2"),
        (lambda: Binning().fit([[1.0]]).bins([["a"]]), "column 'x0' of X is categorical"),
        (lambda: Binning.from_edges({}), "edges has no features"),
        (lambda: Binning.from_edges({"a": [1]}), "edges of 'a' are not a list of at least two"),
        (lambda: Binning.from_edges({"a": ["x", "y"]}), "edges of 'a' are not a list"),
        (lambda: Binning.from_edges({"a": [1, 1, 2]}), "edges of 'a' are not increasing"),
        (lambda: Binning.from_edges({"a": [1, np.nan]}), "edges of 'a' are not increasing"),
    ],
)
def test_refusals(action, message):
    with pytest.raises(InputError, match=message):
        action()
