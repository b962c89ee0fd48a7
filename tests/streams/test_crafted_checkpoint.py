"""Checkpoints that someone crafted: refused in one sentence, before anything large is allocated."""

import json
import tracemalloc
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clusterwise as cw
from clusterwise.streams.report_serialization import read_window_report, write_window_report
from clusterwise.streams.serialization import read_array, read_value
from clusterwise.streams.stream import ClusteringStream

# What a checkpoint of a few kilobytes may allocate, in bytes.
MEMORY = 2_000_000
HUGE = 10**18
HOSTILE: list[Any] = [
    None, True, -1, 0, 7, HUGE, -HUGE, 10**40, 0.5, -0.5, 1e300, float("nan"), float("inf"), "",
    "x", "é\ud800", "|O", "<U999999999", "<M8[ns]", "V8", "(1000000,1000000)i4", "i4,i4", [], [0],
    [-1], [HUGE], [HUGE, 0], [10**11, 10**11], {}, {"value": 5}, {"value": HUGE}, {"numpy": "x"},
    {"tuple": "ab"}, {"tuple": [{}]}, {"timedelta": [HUGE, 0, 0]}, {"Decimal": "sNaN"},
    {"Decimal": "x"}, {"float": "nan"}, {"float": ["1"]}, {"uuid": "x"}, {"values": [None, [1]]},
    {"dtype": "<i8", "stored": "|u1", "shape": [100_000_000_000], "data": ""},
    {"dtype": "<U9999999", "stored": "<U9999999", "shape": [0], "data": ""},
]  # fmt: skip


def numeric_state() -> ClusteringStream:
    """A stream with a reference, blocks of several windows, and objects after the last one."""
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(23, 2)), random.integers(0, 3, 23)
    reference = cw.DensityProfile.from_data(X, labels, n_bins=3, sample_weight=np.full(23, 0.5))
    stream = ClusteringStream(8, 4, reference=reference)
    reports = stream.feed(X, labels)
    stream.notes["reports"] = [write_window_report(one) for one in reports[:2]]
    return stream


def waiting_state() -> ClusteringStream:
    """A stream whose first window is not complete, with labels and features of several types."""
    frame = pd.DataFrame({"x": [0.5, 1.5, None], "town": ["Oslo", None, "Rome"]})
    stream = ClusteringStream(8, binning="frequency", n_bins=2)
    stream.feed(frame, [("a", 1), "b", 2.5])
    stream.feed(frame[::-1], ["b", "b", "b"])
    return stream


def categorical_state() -> ClusteringStream:
    """A stream of batches, each a window, with categorical features."""
    stream = ClusteringStream(None)
    stream.feed(pd.DataFrame({"town": ["Oslo", "Rome", "Oslo"]}), [True, False, True])
    stream.feed(pd.DataFrame({"town": ["Oslo", "Bern", None]}), [True, False, True])
    return stream


STATES = [numeric_state, waiting_state, categorical_state]


def write(path: Any, text: str) -> None:
    """Write a body with the right checksum."""
    data = text.encode("utf-8", "surrogatepass")
    digest = sha256(data).hexdigest()
    header = {"clusterwise": "checkpoint of a stream", "version": 1, "sha256": digest}
    path.write_bytes(json.dumps(header).encode() + b"\n" + data + b"\n")


def places(part: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to every value in a JSON document."""
    if here:
        yield here
    if isinstance(part, dict | list):
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from places(value, (*here, key))


def replaced(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of a document with another value in one place."""
    if not place:
        return value
    copy = document.copy()
    copy[place[0]] = replaced(document[place[0]], place[1:], value)
    return copy


def value_at(document: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


def hostile_values(value: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    yield from HOSTILE
    if place[-1] == "data":
        n = len(b64decode(value))
        for content in (b"\xff" * n, b"\x00" * n, b"\x07" * n, b"\x00" * (n + 8)):
            yield b64encode(content).decode()


def load_crafted(path: Any) -> ClusteringStream | None:
    """Load a crafted checkpoint; None if it is refused in a sentence."""
    try:
        return ClusteringStream.load(path)
    except cw.InputError as error:
        refusal = str(error)
    assert refusal == f"{path} is damaged; use an older copy, or remove it and start again."
    return None


def try_values(path: Any, body: Any, place: tuple[Any, ...], values: list[Any]) -> int:
    """Put values into one place; return how many of them are valid."""
    accepted = 0
    for value in values:
        crafted = replaced(body, place, value)
        write(path, json.dumps(crafted))
        stream = load_crafted(path)
        if stream is not None:  # and nothing of it was ignored
            accepted += 1
            stream.save(path)
            assert json.loads(path.read_bytes().splitlines()[1]) == crafted
            if not crafted["finished"]:
                stream.finish()
    return accepted


def saved_body(path: Any, state: Any) -> Any:
    state().save(path)
    return json.loads(path.read_bytes().splitlines()[1])


@pytest.mark.parametrize("state", STATES)
def test_a_hostile_value_in_every_place(tmp_path, state):
    path = tmp_path / "stream.json"
    body, random = saved_body(path, state), np.random.default_rng(5)
    for place in places(body):
        if place[0] != "notes" and not any(isinstance(key, int) and key > 0 for key in place):
            values = list(hostile_values(value_at(body, place), place))
            try_values(path, body, place, [values[random.integers(len(values))]])


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_many_hostile_values_in_every_place(tmp_path, state):
    path = tmp_path / "stream.json"
    body, random, accepted = saved_body(path, state), np.random.default_rng(6), 0
    for place in places(body):
        if place[0] != "notes":
            values = list(hostile_values(value_at(body, place), place))
            some = [values[i] for i in random.choice(len(values), 5, replace=False)]
            accepted += try_values(path, body, place, some)
    assert accepted


def test_arrays_are_not_allocated_before_they_are_checked(tmp_path):
    path = tmp_path / "stream.json"
    body = saved_body(path, waiting_state)
    numeric = saved_body(path, numeric_state)
    huge = {
        "shape": [[HUGE], [10**11, 10**11], [HUGE, 0], [0, HUGE], [-1]],
        "dtype": ["<U999999999", "(1000000,1000000)i4"],
        "stored": ["<U999999999", "(1000000,1000000)i4"],
        "data": [""],
    }
    for document in (body, numeric):
        found = [place for place in places(document) if place[-1] in huge][:12]
        assert found
        for place in found:
            for value in huge[place[-1]]:
                write(path, json.dumps(replaced(document, place, value)))
                tracemalloc.start()
                try:
                    assert load_crafted(path) is None
                    assert tracemalloc.get_traced_memory()[1] < MEMORY
                finally:
                    tracemalloc.stop()


def test_keys_that_are_missing_added_or_repeated(tmp_path):
    path = tmp_path / "stream.json"
    body = saved_body(path, numeric_state)
    text = path.read_text().splitlines()[1]
    for place in places(body):
        whole = value_at(body, place)
        if isinstance(whole, dict) and place[0] != "notes" and 1 not in place:
            key = next(iter(whole))
            rest = {name: value for name, value in whole.items() if name != key}
            for other in (rest, {**whole, "more": 0}):
                write(path, json.dumps(replaced(body, place, other)))
                assert load_crafted(path) is None
    write(path, text.replace('"n":', '"n":0,"n":'))
    assert load_crafted(path) is None


@pytest.mark.parametrize("nested", ["[" * 100_000, '{"tuple":[' * 100_000, '{"a":' * 100_000])
@pytest.mark.parametrize("closed", [True, False])
def test_deep_nesting_is_refused(tmp_path, nested, closed):
    path = tmp_path / "stream.json"
    numeric_state().save(path)
    text = path.read_text().splitlines()[1]
    end = nested[::-1].translate(str.maketrans("[{", "]}", '"a:tuple')) if closed else ""
    for place in ('"notes":{', '"alpha":{"value":'):
        write(path, text.replace(place, f"{place}{nested}0{end}"))
        with pytest.raises(cw.InputError, match=r"stream\.json is damaged; use an older copy"):
            ClusteringStream.load(path)
    header = '{"clusterwise": ' + nested
    path.write_text(header + "\n{}\n")
    with pytest.raises(cw.InputError, match=r"stream\.json is damaged; use an older copy"):
        ClusteringStream.load(path)


def test_labels_nested_within_what_json_reads_are_refused(tmp_path):
    path = tmp_path / "stream.json"
    waiting_state().save(path)
    text = path.read_text().splitlines()[1]
    deep = '{"tuple":[' * 400 + "0" + "]}" * 400
    write(path, text.replace('{"tuple":["a",1]}', deep, 1))
    with pytest.raises(cw.InputError, match="is damaged"):
        ClusteringStream.load(path)


def test_notes_nested_too_deeply_are_not_saved(tmp_path):
    stream, notes = numeric_state(), {}
    for _ in range(5_000):
        notes = {"a": notes}
    stream.notes = notes
    with pytest.raises(cw.InputError, match="notes cannot be written as JSON"):
        stream.save(tmp_path / "stream.json")


def test_reports_in_notes_are_checked():
    written = numeric_state().notes["reports"][1]
    assert write_window_report(read_window_report(written)) == written
    for place in places(written):
        if place[0] in ("births", "deaths", "matches", "sizes") and len(place) > 1:
            continue  # labels may be any plain value
        for value in ("x", -1, HUGE * 100, [1], {}, {"a": 1}, True):
            crafted = replaced(written, place, value)
            try:
                found = read_window_report(crafted)
            except (ValueError, TypeError, LookupError):
                continue
            assert write_window_report(found) == crafted


@pytest.mark.parametrize(
    ("dtype", "shape", "data"),
    [
        ("<i8", [-1, -1], bytes(8)),
        ("<i8", [2], bytes(8)),
        ("<i8", [1, 1, 1], bytes(8)),
        ("<i8", [True], bytes(8)),
        ("|b1", [1], b"\x07"),
        ("<U1", [1], b"\xff" * 4),
        ("<U0", [10**12], b""),
        ("|S0", [10**12], b""),
    ],
)
def test_arrays_that_do_not_fit_their_data(dtype, shape, data):
    text = b64encode(data).decode()
    with pytest.raises(ValueError, match=r"array|values|integer|count"):
        read_array({"dtype": dtype, "stored": dtype, "shape": shape, "data": text})


def test_small_data_does_not_become_long_values():
    with pytest.raises(ValueError, match="stored in another type"):
        read_array({"dtype": "<U99999", "stored": "|S1", "shape": [1], "data": "AA=="})
    with pytest.raises(ValueError, match="plain value"):
        read_value([1])


@pytest.mark.parametrize("window", [0, -1, 10**12 + 1, 10**18])
def test_absurd_windows_are_refused(window):
    with pytest.raises(cw.InputError, match=f"^window={window}; use an integer"):
        ClusteringStream(window)
