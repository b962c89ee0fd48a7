"""Streams that are saved and resumed give the same reports, at any time and for all values."""

import json
import os
import uuid
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import islice

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.inputs.binning.binning import Binning
from clusterwise.streams.report_serialization import read_window_report, write_window_report
from clusterwise.streams.serialization import read_array, read_value, write_array, write_value
from clusterwise.streams.stream import ClusteringStream
from clusterwise.summaries.profile.profile import DensityProfile

KINDS = {
    "array": None,
    "rows": None,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "record batch": pa.record_batch,
}


class Colour(StrEnum):
    RED = "red"


def objects(n, seed):
    random = np.random.default_rng(seed)
    labels = random.integers(0, 3, n)
    return random.normal(labels[:, None] * [1.0, -2.0], 1.0), labels


def batch_of(kind, X, labels):
    if kind == "array":
        return X, labels
    if kind == "rows":  # numbers in one column, names in the other
        return [[x, str(int(y))] for x, y in X.tolist()], labels
    return KINDS[kind]({"x": X[:, 0], "y": [str(int(y)) for y in X[:, 1]]}), labels


@st.composite
def options(draw):
    """Options of a stream, and the names of three clusters."""
    window = draw(st.none() | st.integers(1, 12))
    step = None if window is None else draw(st.none() | st.integers(1, window))
    overlap = step not in (None, window)
    return {
        "window": window,
        "step": step,
        "binning": draw(st.sampled_from(["width", "frequency", "mdl", "nominal"])),
        "n_bins": draw(st.integers(1, 5)),
        "size": draw(st.sampled_from(["as-is", "cosine", "sample"])),
        "names": "kept" if overlap else draw(st.sampled_from(["kept", "fresh"])),
        "alpha": draw(st.sampled_from([0.01, 0.3])),
        "random_state": draw(st.integers(0, 5)),
    }


NAMES = [
    ["a", "b", "c"],
    [0, 1, 2],
    [-1, 5, 1 << 70],
    [True, False, "maybe"],
    [0.5, -1.5, 1e300],
    [("a", 1), ("a", 2), ("b", (1, 2.5))],
    [date(2026, 1, 1), date(2026, 1, 2), date(2026, 1, 3)],
    [np.str_("a"), np.str_("b"), np.str_("é\ud800")],
]


def as_labels(names, codes):
    labels = np.empty(len(codes), object)
    labels[:] = [names[code] for code in codes]
    return labels


@given(
    options(),
    st.sampled_from(sorted(KINDS)),
    st.sampled_from(NAMES),
    st.integers(1, 40),
    st.data(),
)
def test_saved_at_every_batch_it_reports_the_same(tmp_path_factory, chosen, kind, names, n, data):
    path = tmp_path_factory.getbasetemp() / "stream.json"
    X, codes = objects(n, data.draw(st.integers(0, 9)))
    cuts = sorted(data.draw(st.lists(st.integers(0, n), max_size=6)))
    parts = [
        batch_of(kind, X[start:stop], as_labels(names, codes[start:stop]))
        for start, stop in zip([0, *cuts], [*cuts, n], strict=True)
        if start < stop
    ]
    expected = list(ClusteringStream(**chosen).run(parts))
    stream, found = ClusteringStream(**chosen), []
    for i, part in enumerate(parts):
        stream.save(path)
        stream = ClusteringStream.load(path)
        assert stream.n_batches == i
        found += stream.feed(*part)
    stream.save(path)
    first = path.read_bytes()
    stream = ClusteringStream.resume(path, **chosen)
    assert stream.n_seen == n
    stream.save(path)
    assert path.read_bytes() == first
    last = stream.finish()
    found += [] if last is None else [last]
    assert found == expected
    assert [repr(report) for report in found] == [repr(report) for report in expected]
    assert [type(name) for report in found for name in report.sizes] == [
        type(name) for report in expected for name in report.sizes
    ]
    assert [
        read_window_report(json.loads(json.dumps(write_window_report(one)))) for one in found
    ] == expected
    stream.save(path)
    with pytest.raises(cw.InputError, match="finished"):
        ClusteringStream.load(path).feed(*parts[0])


def test_unseen_values_are_saved(tmp_path):
    random = np.random.default_rng(4)
    X = random.integers(500, size=(600, 1)).astype(str)
    X[500:, 0] = np.where(random.random(100) < 0.4, "new", X[500:, 0])
    labels = random.integers(2, size=600)
    whole = list(ClusteringStream(100, 50).run([(X, labels)]))
    assert whole[-1].drift
    stream = ClusteringStream(100, 50)
    found = []
    for start in range(0, 600, 30):
        found += stream.feed(X[start : start + 30], labels[start : start + 30])
        stream.save(tmp_path / "stream.json")
        stream = ClusteringStream.load(tmp_path / "stream.json")
    assert found == whole
    assert [read_window_report(write_window_report(one)) for one in whole] == whole


@pytest.mark.slow
@pytest.mark.parametrize("size", [10, 40])
@pytest.mark.parametrize("every", [1, 3, 100])
@pytest.mark.parametrize("taken", range(7))
def test_going_on_after_any_report(tmp_path, size, every, taken):
    """The caller stops at any report: what comes after the last checkpoint comes again."""
    path = tmp_path / "stream.json"
    X, labels = objects(110, 0)
    parts = [(X[i : i + size], labels[i : i + size]) for i in range(0, 110, size)]
    expected = list(ClusteringStream(30, 15).run(parts))
    assert len(expected) == 7
    stream = ClusteringStream.resume(path, 30, 15)
    found = list(islice(stream.run(parts, checkpoint=path, every=every), taken))
    stream = ClusteringStream.resume(path, 30, 15)
    assert stream.n_batches % every == 0
    rest = list(stream.run(parts[stream.n_batches :], checkpoint=path, every=every))
    assert found == expected[:taken]
    assert rest == expected[len(expected) - len(rest) :]
    assert len(found) + len(rest) >= len(expected)
    again = ClusteringStream.resume(path, 30, 15)
    assert (again.n_seen, again.n_batches) == (110, len(parts))
    assert list(again.run([], checkpoint=path)) == expected[-1:]


def test_a_source_that_has_more_later(tmp_path):
    path = tmp_path / "stream.json"
    X, labels = objects(110, 0)
    expected = list(ClusteringStream(30, 15).run([(X, labels)]))
    found = {}
    for start, stop in [(0, 20), (20, 70), (70, 70), (70, 110)]:
        stream = ClusteringStream.resume(path, 30, 15)
        assert stream.n_seen == start
        for report in stream.run([(X[start:stop], labels[start:stop])], checkpoint=path):
            found[report.index] = report
    assert list(found.values()) == expected


def test_a_finished_stream_can_be_saved(tmp_path):
    path = tmp_path / "stream.json"
    X, labels = objects(110, 0)
    stream = ClusteringStream(30)
    assert len(list(stream.run([(X, labels)]))) == 4
    stream.save(path)
    stream = ClusteringStream.load(path)
    assert stream.n_windows == 4
    assert list(stream.run([])) == []
    with pytest.raises(cw.InputError, match="finished"):
        stream.feed(X, labels)


def test_notes_are_kept(tmp_path):
    """A source's own place travels with the stream, in the same whole file."""
    path = tmp_path / "stream.json"
    X, labels = objects(60, 0)
    stream = ClusteringStream(20)

    def source(start):
        for offset in range(start, 60, 6):
            yield X[offset : offset + 6], labels[offset : offset + 6]
            stream.notes["offset"] = offset + 6

    found = list(islice(stream.run(source(0), checkpoint=path), 1))
    stream = ClusteringStream.load(path)
    assert stream.notes == {"offset": stream.n_seen - 6}
    stream.notes["offset"] = {1, 2}
    with pytest.raises(cw.InputError, match="notes cannot be written as JSON"):
        stream.save(path)
    assert ClusteringStream.load(path).notes == {"offset": stream.n_seen - 6}
    assert len(found) == 1


def test_a_reference_and_a_binning_of_the_caller(tmp_path):
    path = tmp_path / "stream.json"
    X, labels = objects(93, 1)
    frame = pd.DataFrame(X, columns=["income", "age"])
    weighted = DensityProfile.from_data(frame[:30], labels[:30], sample_weight=np.full(30, 0.3))
    edges = Binning.from_edges({"income": [-np.inf, 0, 1, np.inf], "age": [-5, 0, 5]})
    for given_options in ({"reference": weighted}, {"binning": edges}):
        whole = list(ClusteringStream(20, 10, **given_options).run([(frame, labels)]))
        stream = ClusteringStream(20, 10, **given_options)
        found = stream.feed(frame[:37], labels[:37])
        stream.save(path)
        stream = ClusteringStream.resume(path, 20, 10, **given_options)
        found += stream.feed(frame[37:], labels[37:])
        assert [*found, stream.finish()] == whole
        assert str(stream.binning) == str(given_options.get("binning", weighted.binning))
    with pytest.raises(cw.InputError, match="another binning"):
        ClusteringStream.resume(path, 20, 10, reference=weighted)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"window": 30}, "window"),
        ({"step": 5}, "step"),
        ({"alpha": 0.5}, "alpha"),
        ({"n_bins": 3}, "binning"),
        ({"size": "sample"}, "size"),
        ({"random_state": 1}, "random_state"),
    ],
)
def test_other_options_are_refused(tmp_path, other, what):
    path = tmp_path / "stream.json"
    ClusteringStream(20).save(path)
    with pytest.raises(cw.InputError, match=f"another {what}; pass the same one"):
        ClusteringStream.resume(path, **{"window": 20, **other})


def test_a_checkpoint_is_not_thrown_away(tmp_path):
    path = tmp_path / "stream.json"
    X, labels = objects(40, 0)
    stream = ClusteringStream(20)
    stream.feed(X, labels)
    stream.save(path)
    before = path.read_bytes()
    with pytest.raises(cw.InputError, match="has 40 objects and this stream 0; continue from it"):
        ClusteringStream(20).run([(X, labels)], checkpoint=path)
    assert path.read_bytes() == before
    path.write_text("my thesis")
    with pytest.raises(cw.InputError, match="is not a checkpoint of a stream"):
        stream.run([(X, labels)], checkpoint=path)
    assert path.read_text() == "my thesis"
    for every in (0, 1.5, True):
        with pytest.raises(cw.InputError, match=f"every={every}; use an integer of at least 1"):
            stream.run([], every=every)


def saved(path, waiting=False):
    X, labels = objects(50, 0)
    stream = ClusteringStream(100 if waiting else 20, 10)
    stream.feed(X, labels)
    stream.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("waiting", [False, True])
def test_every_damage_is_found(tmp_path, waiting):
    path = tmp_path / "stream.json"
    data = saved(path, waiting)
    random = np.random.default_rng(0)
    places = [*range(110), *random.integers(110, len(data) - 1, 300).tolist()]
    for place in places:
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(cw.InputError, match=r"damaged|is not a checkpoint|newer"):
            ClusteringStream.load(path)
    for end in [*range(0, len(data) - 1, 37), len(data) - 2]:
        path.write_bytes(data[:end])
        with pytest.raises(cw.InputError, match=r"damaged|is not a checkpoint"):
            ClusteringStream.load(path)


def test_other_files_and_versions(tmp_path):
    path = tmp_path / "stream.json"
    data = saved(path)
    with pytest.raises(cw.InputError, match="cannot be read"):
        ClusteringStream.load(tmp_path / "nowhere.json")
    with pytest.raises(cw.InputError, match="cannot be read"):
        ClusteringStream.load(tmp_path)
    with pytest.raises(cw.InputError, match=r"cannot be read \(embedded null byte\)"):
        ClusteringStream.load("null\0.json")
    plan = b'{"clusterwise": "plan"}\n'
    for foreign in (b"", b"\x00\xff" * 100, b"{}\n{}\n", b"a,b\n1,2\n", plan):
        path.write_bytes(foreign)
        with pytest.raises(cw.InputError, match="is not a checkpoint of a stream; pass a file"):
            ClusteringStream.load(path)
    path.write_bytes(data.replace(b'"version": 1', b'"version": 2'))
    with pytest.raises(cw.InputError, match="written by a newer clusterwise"):
        ClusteringStream.load(path)


def test_a_file_that_is_whole_but_wrong(tmp_path):
    from clusterwise.streams.serialization import write_document

    path = tmp_path / "stream.json"
    body = json.loads(saved(path).splitlines()[1])
    objects_array = {"dtype": "|O", "stored": "|O", "shape": [1], "data": "AAAAAAAAAAA="}
    for part, wrong in [
        ("options", {"window": {"value": "many"}}),
        ("windows", {}),
        ("windows", {**body["windows"], "previous": 10_000}),
        ("windows", {**body["windows"], "binning": {"method": "width"}}),
        ("windows", {**body["windows"], "binning": None}),
        ("windows", {**body["windows"], "waiting": [{"labels": objects_array}]}),
        ("notes", ...),
    ]:
        other = {**body, part: wrong}
        if wrong is ...:
            del other[part]
        write_document(path, "checkpoint of a stream", 1, other)
        with pytest.raises(cw.InputError, match="is damaged; use an older copy"):
            ClusteringStream.load(path)


def test_a_failed_write_leaves_the_file_before(tmp_path, monkeypatch):
    path = tmp_path / "stream.json"
    data = saved(path)
    stream = ClusteringStream.load(path)
    stream.feed(*objects(50, 1))

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(
            cw.InputError,
            match=r"stream.json cannot be written \(the disk is full\); the earlier file is "
            "unchanged; free some space, or name another file.",
        ):
            stream.save(path)
    assert path.read_bytes() == data
    assert [file.name for file in tmp_path.iterdir()] == ["stream.json"]


def test_a_draft_that_a_killed_process_left_is_not_in_the_way(tmp_path):
    """In a container the process that goes on may have the id of the one that was killed."""
    path = tmp_path / "stream.json"
    (tmp_path / f".clusterwise.{os.getpid()}.part").write_text("half of a")
    saved(path)
    assert ClusteringStream.load(path).n_seen == 50


def test_names_that_cannot_be_kept(tmp_path):
    path = tmp_path / "stream.json"
    data = saved(path)
    for name in (Colour.RED, frozenset({1}), 1j, object()):
        stream = ClusteringStream(2)
        stream.feed([[1.0], [2.0]], [name, name])
        with pytest.raises(cw.InputError, match=f"of the type {type(name).__name__}, which cannot"):
            stream.save(path)
        assert path.read_bytes() == data


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.dates()
    | st.datetimes().map(lambda moment: moment.replace(fold=0))
    | st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(fold=0))
    | st.times().map(lambda moment: moment.replace(fold=0))
    | st.timedeltas()
    | st.decimals(allow_nan=False)
    | st.uuids(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
)


@given(VALUES)
def test_plain_values_come_back(value):
    back = read_value(json.loads(json.dumps(write_value(value), allow_nan=False)))
    assert type(back) is type(value)
    assert back == value
    assert hash(back) == hash(value)
    assert str(back) == str(value)


@pytest.mark.parametrize(
    "value",
    [
        np.int8(-3), np.uint64(1 << 63), np.float32(0.1), np.bool_(True), np.str_("aé"),
        np.bytes_(b"x"), np.datetime64("2026-01-01T00:00", "ns"), np.timedelta64(5, "h"),
        -0.0, time(1, 2), timedelta(-1, 3), Decimal("1.10"), uuid.UUID(int=7), datetime(2026, 1, 1),
    ],
)  # fmt: skip
def test_values_of_numpy_come_back(value):
    back = read_value(json.loads(json.dumps(write_value(value))))
    assert (type(back), str(back)) == (type(value), str(value))
    assert getattr(back, "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.parametrize("value", [float("nan"), np.float64("nan"), pd.Timestamp(0), [1], {"a": 1}])
def test_other_values_are_refused(value):
    with pytest.raises(cw.InputError, match="cannot be saved"):
        write_value(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(300), np.array([[0, -5], [3, 1 << 40]]), np.array([1 << 63], np.uint64),
        np.array([0.1, np.nan, -np.inf]), np.array([True, False]), np.array(["", "é"]),
        np.array([""]), np.array([b"a"]), np.empty((0, 3)), np.empty(0, object), np.empty(0, "U"),
        np.array([None, "a", 1, (1, 2)], object), np.array(["2026-01-01"], "M8[D]"),
        np.array([[1, 2], [3, 4]], ">i2", order="F"),
    ],
)  # fmt: skip
def test_arrays_come_back(array):
    back = read_array(json.loads(json.dumps(write_array(array))))
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tolist() == array.tolist() or np.array_equal(back, array, equal_nan=True)
    assert back.flags.writeable


@pytest.mark.parametrize(
    ("values", "stored"),
    [([-1, 5], "<i8"), ([0, 255], "|u1"), ([0, 256], "<u2"), ([-300, -2], "<i8"), ([], "<i8")],
)
def test_integers_are_stored_in_few_bytes_unless_some_are_negative(values, stored):
    written = write_array(np.array(values, np.int64))
    assert written["stored"] == stored
    assert read_array(written).tolist() == values
