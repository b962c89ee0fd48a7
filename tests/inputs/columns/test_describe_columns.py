"""What columns of frames are taken as, and the sentences about them."""

import io
import json
import warnings
from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from rich.console import Console

import clusterwise as cw
from clusterwise import describe_columns
from clusterwise.inputs.columns.missing_strings import MISSING_STRINGS
from clusterwise.inputs.columns.typed_frame import type_frame

LIBRARIES = pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])


def type_of(values, name="x", **options):
    (found,) = describe_columns(pl.DataFrame({name: values}, strict=False), **options)
    return found.type


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2", "2"], "numeric"),
        (["1,5 €", "2 €", "3 €"], "numeric"),
        (["2024-03-01", "2024-03-02", ""], "date"),
        (["07/2024", "11/2024", "11/2024"], "date"),
        (["07.2024", "11.2024", "11.2024"], "date"),
        (["10.2024", "11.2024", "11.2024"], "numeric"),
        (["yes", "no", "unknown"], "boolean"),
        (["True", "false", "True"], "boolean"),
        (["yes", "Yes", "YES", "no", "No", "NO"], "boolean"),
        (["yes", "Yes", "YES", "no", "No", "NO", "nO"] * 5, "categorical"),
        ([float("inf")], "numeric"),
        ([float("inf")] * 2, "constant"),
        ([float("inf"), float("-inf")], "numeric"),
        ([1e308, -1e308, float("nan")], "numeric"),
        (["a", "b", "a"], "categorical"),
        (["a", "b", "c"], "identifier"),
        (["1", "2", "3"], "identifier"),
        (["a", "a", "n/a"], "constant"),
        (["", "NA", None], "empty"),
        (["00123", "12345", "12345"], "categorical"),
        (["00123", "12345", "12346"], "identifier"),
        (["9" * 20, "1", "1"], "categorical"),
        ([f"a long text of many words, {i}" for i in range(5)], "text"),
        ([f"w{i % 25}" for i in range(100)], "text"),
        ([f"w{i % 25}" for i in range(125)], "categorical"),
        ([f"w{i % 1001}" for i in range(6000)], "text"),
        ([str(i * i) for i in range(30)], "numeric"),
        ([*map(str, range(90)), *["x"] * 10], "numeric"),
        ([*map(str, range(89)), *["x"] * 11], "identifier"),
        ([*map(str, range(19))] * 9 + ["x"] * 20, "categorical"),
        ([1, 2, 3], "identifier"),
        ([1, 2, 5], "numeric"),
        ([1.5, None, 1.5], "constant"),
        ([0.5, 1.5, float("nan")], "numeric"),
        ([True, False, None], "boolean"),
        ([date(2024, 3, 1), None, date(2024, 3, 2)], "date"),
        ([None, None], "empty"),
        ([[1], [2]], "nested"),
    ],
)
def test_types(values, kind):
    assert type_of(values) == kind


@pytest.mark.parametrize("dtype", [None, object, "category"])
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (date(2024, 3, 1), "date"),
        (datetime(2024, 3, 1, 12), "date"),
        (True, "boolean"),
        (5, "numeric"),
        (5.5, "numeric"),
        ("5", "numeric"),
        ("a", "categorical"),
    ],
)
def test_one_value_is_constant_if_it_is_in_several_rows(value, kind, dtype):
    for count, expected in ((1, kind), (2, "constant"), (3, "constant")):
        frame = pd.DataFrame({"x": pd.Series([value] * count, dtype=dtype)})
        (found,) = describe_columns(frame)
        assert (found.type, found.values, found.missing) == (expected, count, 0)


def test_dates_of_any_type_are_dates():
    days = [date(2024, 3, 1), None, date(2024, 3, 2)]
    for dtype in (object, "category"):
        assert describe_columns(pd.DataFrame({"x": pd.Series(days, dtype=dtype)}))[0].type == "date"


@pytest.mark.parametrize(
    ("values", "declared", "counts"),
    [
        (["1", "2", "x", "2"], "numeric", (3, 0, 1)),
        (["1", "2", "x", "n/a", "x"], "numeric", (2, 1, 2)),
        (["1", "2", "x", "n/a"], "categorical", (4, 0, 0)),
        (["1", "2", "x", "2"], "date", (0, 0, 4)),
        (["2024-03-01", "", "soon"], "date", (1, 1, 1)),
        ([*map(str, range(95)), "", *["x"] * 4], None, (95, 1, 4)),
        (["a", "b", "", "a"], None, (3, 1, 0)),
    ],
)
def test_values_that_do_not_fit_the_type_are_counted(values, declared, counts):
    types = None if declared is None else {"x": declared}
    (found,) = describe_columns(pl.DataFrame({"x": values}), types=types)
    assert (found.values, found.missing, found.misfits) == counts


def test_integers_are_identifiers_if_the_name_says_so_and_nearly_all_differ():
    nearly = [*range(10, 10 + 3 * 27, 3), 10, 10, 10]
    for name in ("id", "customer_id", "CustomerID", "Kundennummer", "order key"):
        assert type_of(nearly, name) == "identifier"
        assert type_of([str(one) for one in nearly], name) == "identifier"
        assert type_of([1, 1, 2, 2, 3] * 6, name) == "numeric"
    for name in ("income", "valid", "width", "idea"):
        assert type_of(nearly, name) == "numeric"


def test_categorical_types_stay_categorical():
    frame = pl.DataFrame({"x": pl.Series(["1", "none", "1"], dtype=pl.Categorical)})
    (found,) = describe_columns(frame)
    assert (found.type, found.values, found.missing) == ("categorical", 3, 0)


@pytest.mark.parametrize("text", sorted(MISSING_STRINGS))
def test_strings_that_mean_missing(text):
    for spelled in (text, text.upper(), f" {text} "):
        (found,) = describe_columns(pl.DataFrame({"x": ["1", "4", spelled]}))
        assert (found.type, found.values, found.missing, found.misfits) == ("numeric", 2, 1, 0)


def test_the_user_adds_strings_that_mean_missing():
    frame = pl.DataFrame({"x": ["1", "4", "4", "Gone", "gone"]})
    assert describe_columns(frame)[0].type == "categorical"
    (found,) = describe_columns(frame, null=["gone"])
    assert (found.type, found.missing) == ("numeric", 2)


def test_the_user_declares_types():
    frame = pl.DataFrame(
        {"zip": ["00123", "12345"], "day": ["20240301", "20240302"], "x": ["1", "n/a"]}
    )
    types = {"zip": "numeric", "day": "date", "x": "categorical"}
    found = describe_columns(frame, types=types)
    assert [one.type for one in found] == ["numeric", "date", "categorical"]
    assert (found[2].values, found[2].missing) == (2, 0)
    with pytest.raises(cw.InputError, match="types has 'y', but the frame has no such column"):
        describe_columns(frame, types={"y": "numeric"})
    with pytest.raises(cw.InputError, match="types has 'number' for 'x'; use one of 'numeric'"):
        describe_columns(frame, types={"x": "number"})


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (
            [*map(str, range(185)), *["n/a"] * 8, *["unknown"] * 7],
            '185 of 200 values are numbers; the other 15 ("n/a", "unknown") are taken as missing. '
            "Use types={'age': 'categorical'} to keep them as categories.",
        ),
        (["1", "1", "3", "4", "5", "6", "7", "8", "9", "x"],
         '9 of 10 values are numbers; the other one ("x") is taken as missing. '
         "Use types={'age': 'categorical'} to keep it as a category."),
        (["1.234", "2.345"], 'numbers such as "1.234" are read as 1.234; no value shows whether '
         "the point is decimal or separates thousands."),
        (["1.234", "345"], 'numbers such as "1.234" are read as 1234.'),
        (["3/1/2024", "3/2/2024"], 'dates (month/day/year) such as "3/1/2024" are read as days; no '
         "value shows whether the day or the month comes first, so the month does."),
        (["$5", "6 €", "7.5"], "are not converted"),
        (["007", "7", "7"], "1 value has leading zeros or very many digits, as in codes"),
        (["yes", "no", "?"], '1 of 3 values ("?") is taken as missing.'),
        (["a", "b", "a"], ""),
        (["1.5", "2", ""], ""),
    ],
)  # fmt: skip
def test_notes(values, note):
    (found,) = describe_columns(pl.DataFrame({"age": values}))
    assert note in found.note
    assert bool(note) == bool(found.note)


@LIBRARIES
def test_libraries_agree(library):
    frame = library(
        {
            "euro": ["1.005,96 €", "n/a", "7,50 €", None],
            "when": [datetime(2024, 3, 1, 12), None, datetime(2024, 3, 2), datetime(2024, 3, 3)],
            "n": [1, 5, 5, 7],
            "kind": ["a", "a", "b", None],
        }
    )
    found = describe_columns(frame)
    assert [one[:5] for one in found] == [
        ("euro", "numeric", 2, 2, 0),
        ("when", "date", 3, 1, 0),
        ("n", "numeric", 4, 0, 0),
        ("kind", "categorical", 3, 1, 0),
    ]


def test_a_table_a_dictionary_a_frame_and_sentences():
    found = describe_columns(pl.DataFrame({"x": ["1", "4", "n/a"], "y": ["a", "b", "a"]}))
    assert repr(found).splitlines()[0].split() == [
        "column",
        "type",
        "values",
        "missing",
        "misfits",
        "note",
    ]
    assert json.loads(json.dumps(found.to_dict()))["x"]["examples"] == ["n/a"]
    assert found.to_frame("polars")["type"].to_list() == ["numeric", "categorical"]
    assert found.summary().startswith("numeric: x; categorical: y. x: 2 of 3 values are numbers;")


@pytest.mark.parametrize("frame", [pl.DataFrame({"x": [1]}).lazy(), [1, 2], np.zeros((2, 2))])
def test_refusals(frame):
    with pytest.raises(cw.InputError, match="frame"):
        describe_columns(frame)


@LIBRARIES
def test_cluster_again_reads_strings_as_people_mean_them(library):
    rng = np.random.default_rng(0)
    x, y = rng.normal([0] * 30 + [9] * 30), rng.normal([0, 9] * 30)
    typed = library({"x": np.round(x, 2), "y": np.round(y, 2)})
    strings = library(
        {
            "id": [f"c{i}" for i in range(60)],
            "x": [f"{one:.2f} €".replace(".", ",") for one in x],
            "y": [f"{one:.2f}" for one in y],
        }
    )
    given = [0] * 30 + [1] * 30
    expected = cw.cluster_again(typed, given, "coala")[0].labels
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cw.cluster_again(strings, given, "coala")[0].labels
    assert found.tolist() == expected.tolist()
    notes = [str(one.message) for one in caught]
    assert [note.partition(":")[0] for note in notes] == ["id", "x"]
    assert "Convert 'id' to a categorical type to use it." in notes[0]


@LIBRARIES
def test_dates_in_frames_are_days(library):
    days = [date(1970, 1, 2), date(1970, 1, 11), None, date(1970, 1, 3)]
    frame = library({"d": pd.to_datetime(days) if library is pd.DataFrame else days})
    from clusterwise.inputs.features import read_features

    numbers = read_features(frame).columns[0].numbers()
    assert numbers.tolist() == pytest.approx([1, 10, np.nan, 2], nan_ok=True)


def test_days_of_moments_with_a_time_zone_are_those_of_utc():
    moment = pd.Timestamp("1970-01-02 02:00", tz="Europe/Berlin")
    frame = pd.DataFrame({"d": [moment, moment]})
    from clusterwise.inputs.columns.column_types import days_of
    from clusterwise.inputs.features import read_features

    expected = 1 + 1 / 24
    assert read_features(frame).columns[0].numbers().tolist() == [expected, expected]
    assert days_of(moment.to_pydatetime()) == expected
    assert days_of(datetime(1970, 1, 2, 1, tzinfo=UTC)) == expected


def test_columns_named_by_numbers_are_typed():
    """As in a file that was read without a header."""
    frame = pd.DataFrame({0: ["1,5", "2,5", "3,5"] * 4, 1: ["k1", "k2", "k3"] * 4})
    with pytest.warns(UserWarning, match="numbers such as"):
        typed = type_frame(frame)
    assert typed[0].tolist() == [1.5, 2.5, 3.5] * 4
    assert typed[1].tolist() == frame[1].tolist()


def test_narrow_terminals_leave_out_the_note():
    frame = pd.DataFrame({"sum": ["1.005,96 €", "2.000,00 €", "3,50 €"], "kind": ["a", "b", "a"]})
    out = io.StringIO()
    Console(file=out, width=60).print(describe_columns(frame).text_table())
    header = out.getvalue().splitlines()[1].split()
    assert header == ["column", "type", "values", "missing", "misfits"]


@pytest.mark.parametrize("method", ["coala", "naive", "maximus"])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("form", [None, "%d.%m.%Y"])
def test_methods_of_numbers_take_dates_as_days(library, method, form):
    given = np.arange(40) % 2
    late = np.arange(40) // 20
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(40) % 20 + 900 * late, unit="D")
    dates = days.strftime(form).tolist() if form else days.to_pydatetime().tolist()
    frame = library({"x": given * 99.0, "day": dates})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # dates such as "01.01.2020" are read as days
        found = cw.cluster_again(frame, given, method, scale=False, random_state=0)
    assert cw.adjusted_rand_score(found[0].labels, late) == 1
    assert (
        'the feature "day" cut into two intervals: 2020-01-01 to 2020-01-20 and 2022-06-19 to '
        "2022-07-08" in found.summary()
    )
