"""Streams of frames: record batches, tables, and sources that never end."""

from itertools import count, islice

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from pyarrow import parquet

import clusterwise as cw
from clusterwise.streams.stream import ClusteringStream

N = 40
KINDS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "table": pa.table,
    "record batch": pa.record_batch,
}


def columns(n=N, seed=0):
    """Numeric and categorical features, with missing values, of objects with string labels."""
    random = np.random.default_rng(seed)
    segment = random.integers(0, 3, n)
    visits, towns = (random.integers(0, size, n).tolist() for size in (9, 3))
    return {
        "income": random.normal(segment, 0.5).tolist(),
        # The first object has no gap, so that the first window tells what the columns hold.
        "visits": [1, *(None if v == 0 else v for v in visits[1:])],
        "town": ["x", *(None if v == 2 else "xy"[v] for v in towns[1:])],
        "segment": [f"s{code}" for code in segment.tolist()],
    }


def parts(make, data, size):
    for start in range(0, len(data["segment"]), size):
        yield make({name: values[start : start + size] for name, values in data.items()})


def expected(data, *arguments, **options):
    names = [name for name in data if name != "segment"]
    rows = [list(row) for row in zip(*(data[name] for name in names), strict=True)]
    binning = options.pop("binning", "width")
    return list(ClusteringStream(*arguments, binning=binning).run([(rows, data["segment"])]))


def facts(reports):
    """Reports without the features' names, which arrays do not have."""
    return [
        (r.index, r.start, r.stop, r.sizes, r.similarity, r.reference_similarity, r.births,
         r.deaths, r.matches, r.change and r.change.p_value, list(r.outside.values()))
        for r in reports
    ]  # fmt: skip


@given(
    st.sampled_from(sorted(KINDS)),
    st.integers(1, N),
    st.sampled_from(["width", "frequency", "mdl", "nominal"]),
    st.integers(1, 25),
    st.data(),
)
def test_frames_give_what_arrays_give(kind, size, binning, window, data):
    step = data.draw(st.integers(1, window))
    objects = columns(seed=data.draw(st.integers(0, 9)))
    stream = ClusteringStream(window, step, binning=binning)
    found = list(stream.run(parts(KINDS[kind], objects, size), labels="segment"))
    assert facts(found) == facts(expected(objects, window, step, binning=binning))
    assert (stream.n_seen, stream.n_batches) == (N, -(-N // size))


@pytest.mark.parametrize("kind", KINDS)
def test_features_are_chosen_by_name(kind):
    data = columns()
    stream = ClusteringStream(20)
    found = list(
        stream.run(parts(KINDS[kind], data, 7), labels="segment", features=["town", "income"])
    )
    chosen = {name: data[name] for name in ("town", "income", "segment")}
    assert facts(found) == facts(expected(chosen, 20))
    assert stream.binning.names == ["town", "income"]


def test_kinds_may_change_from_batch_to_batch():
    data = columns()
    made = [next(parts(make, data, N)) for make in KINDS.values()]
    pieces = [made[0].iloc[:11], made[1][11:19], made[2].slice(19, 12), made[3].slice(31)]
    found = list(ClusteringStream(15, 5).run(pieces, labels="segment"))
    assert facts(found) == facts(expected(data, 15, 5))


def test_categorical_labels_and_features():
    data = columns()
    frame = pd.DataFrame(data).astype({"town": "category", "segment": "category"})
    batches = [frame[:4], frame[4:30], frame[30:]]
    found = list(ClusteringStream(20).run(batches, labels="segment"))
    assert facts(found) == facts(expected(data, 20))


def test_record_batches_of_a_parquet_file(tmp_path):
    data = columns()
    parquet.write_table(pa.table(data), tmp_path / "objects.parquet")
    file = parquet.ParquetFile(tmp_path / "objects.parquet")
    found = list(ClusteringStream(20).run(file.iter_batches(batch_size=9), labels="segment"))
    assert facts(found) == facts(expected(data, 20))


@pytest.mark.slow
def test_a_source_that_never_ends():
    def messages():
        for i in count():
            yield pa.record_batch({"x": [float(i % 7), float(i % 5)], "cluster": ["a", "b"]})

    stream = ClusteringStream(100, 20)
    found = list(islice(stream.run(messages(), labels="cluster"), 500))
    assert found[-1].stop == 100 + 499 * 20
    windows = stream._windows
    assert len(windows.now.blocks) + len(windows.before.blocks) <= 2 * (100 // 20)


def test_one_batch_at_a_time():
    data = columns()
    stream = ClusteringStream(20)
    found = [
        report
        for part in parts(pa.record_batch, data, 8)
        for report in stream.feed(part, "segment")
    ]
    assert facts(found) == facts(expected(data, 20))


def test_dates_as_names_of_clusters_in_the_first_window():
    data = columns()
    days = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], "M8[D]")
    labels = days[[int(name[1]) for name in data["segment"]]]
    X = np.array(data["income"])[:, None]
    whole = list(ClusteringStream(20).run([(X, labels)]))
    cut = list(ClusteringStream(20).run([(X[:7], labels[:7]), (X[7:], labels[7:])]))
    assert cut == whole
    assert set(whole[-1].sizes) <= {"2026-01-01", "2026-01-02", "2026-01-03"}


def test_a_column_without_a_value_in_one_batch():
    data = columns()
    data["town"][:5] = [None] * 5
    for make in KINDS.values():
        found = list(ClusteringStream(20).run(parts(make, data, 5), labels="segment"))
        assert facts(found) == facts(expected(data, 20))


def test_refusals():
    frame = pd.DataFrame(columns())
    stream = ClusteringStream(20)
    with pytest.raises(cw.InputError, match="no column 'segmnt'; it has income, visits, town, seg"):
        list(stream.run([frame], labels="segmnt"))
    with pytest.raises(cw.InputError, match="no column 'age'"):
        list(stream.run([frame], labels="segment", features=["age"]))
    with pytest.raises(cw.InputError, match="a batch is a DataFrame, not a pair"):
        list(stream.run([frame]))
    with pytest.raises(cw.InputError, match="but X is a ndarray; pass a frame"):
        stream.feed(np.zeros((3, 2)), "segment")
    with pytest.raises(cw.InputError, match="but X is a tuple; pass a frame"):
        list(stream.run([(np.zeros((3, 2)), [0, 1, 2])], labels="segment"))
    with pytest.raises(cw.InputError, match="features lists columns, but X is a ndarray"):
        stream.feed(np.zeros((3, 2)), [0, 1, 2], features=["a"])
    with pytest.raises(cw.InputError, match="no features beside 'segment'"):
        stream.feed(frame[["segment"]], "segment")
    with pytest.raises(cw.InputError, match="is a lazy frame; collect it first"):
        stream.feed(pl.LazyFrame(columns()), "segment")
    twice = pa.record_batch(
        [pa.array([1.0]), pa.array([2.0]), pa.array([0])], ["x", "x", "segment"]
    )
    for same in (twice, pa.table(twice), twice.to_pandas()):
        with pytest.raises(cw.InputError, match="two columns with the same name; rename one"):
            stream.feed(same, "segment")
    frame.loc[3, "segment"] = None
    with pytest.raises(cw.InputError, match="column 'segment' of X has no label at position 3"):
        stream.feed(frame, "segment")
    assert (stream.n_seen, stream.n_batches) == (0, 0)


def test_one_feature_may_be_named_alone():
    frame = pd.DataFrame(columns())
    stream = ClusteringStream(20)
    stream.feed(frame, "segment", features="income")
    assert stream.binning.names == ["income"]
