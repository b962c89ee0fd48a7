"""Windows of a stream: running profiles, reports, and batches of any size and kind."""

import json
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.inputs.binning.binning import Binning
from clusterwise.measures.density import adco_score, profile_cosine_score
from clusterwise.streams.drift import change_between
from clusterwise.streams.stream import ClusteringStream
from clusterwise.streams.window_report import _plain
from clusterwise.summaries.profile.profile import DensityProfile


def objects(n, seed=0, clusters=3):
    """Features and labels of n objects that come from one distribution."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, clusters, n)
    return random.normal(labels[:, None] * [1.0, -2.0], 1.0), labels


def batches(X, labels, cuts):
    ends = [*sorted(cuts), len(labels)]
    for start, stop in zip([0, *ends], ends, strict=False):
        yield X[start:stop], labels[start:stop]


def reports(stream, X, labels, cuts=()):
    return list(stream.run(batches(X, labels, cuts)))


def spans(found):
    return [(report.start, report.stop) for report in found]


@st.composite
def cut_streams(draw):
    """A short stream, its window and step, and where its batches end."""
    window = draw(st.integers(1, 12))
    step = draw(st.integers(1, window))
    n = draw(st.integers(1, 40))
    cuts = draw(st.lists(st.integers(0, n), max_size=6))
    X, labels = objects(n, draw(st.integers(0, 99)))
    return X, labels, window, step, cuts


@given(cut_streams(), st.sampled_from(["width", "frequency", "mdl", "nominal"]))
def test_reports_are_those_of_windows_counted_afresh(drawn, method):
    X, labels, window, step, cuts = drawn
    stream = ClusteringStream(window, step, binning=method, n_bins=4)
    found = reports(stream, X, labels, cuts)
    binning = Binning(method, 4).fit(X[:window], labels[:window])

    def profile(start, stop):
        return DensityProfile.from_data(X[start:stop], labels[start:stop], binning=binning)

    n = len(labels)
    whole = [(i * step, i * step + window) for i in range(n) if i * step + window <= n]
    rest = [] if whole and whole[-1][1] == n else [(len(whole) * step, n)]
    assert spans(found) == whole + rest
    first = profile(*spans(found)[0])
    for before, report in zip([None, *found], found, strict=False):
        now = profile(report.start, report.stop)
        assert report.sizes == dict(zip(now.names.tolist(), now.sizes.tolist(), strict=True))
        assert report.outside == now.outside
        if before is None:
            assert report.similarity is report.reference_similarity is None
        else:
            assert report.similarity == adco_score(profile(before.start, before.stop), now)
            assert report.reference_similarity == adco_score(first, now)


@given(cut_streams())
def test_the_test_for_drift_looks_at_the_objects_right_before(drawn):
    X, labels, window, step, cuts = drawn
    found = reports(ClusteringStream(window, step, n_bins=2), X, labels, cuts)
    binning = Binning(n_bins=2).fit(X[:window])
    for report in found:
        if report.start < window:
            assert report.change is None
        else:
            right_before = slice(report.start - window, report.start)
            here = slice(report.start, report.stop)
            sides = [
                DensityProfile.from_data(X[rows], labels[rows], binning=binning)
                for rows in (right_before, here)
            ]
            assert report.change == change_between(*sides)


@given(cut_streams(), st.sampled_from(["as-is", "cosine", "sample"]))
def test_batches_may_be_cut_anywhere(drawn, size):
    X, labels, window, step, cuts = drawn
    whole = reports(ClusteringStream(window, step, size=size), X, labels)
    assert reports(ClusteringStream(window, step, size=size), X, labels, cuts) == whole
    one_by_one = range(1, len(labels))
    assert reports(ClusteringStream(window, step, size=size), X, labels, one_by_one) == whole


@pytest.mark.slow
@pytest.mark.parametrize(("window", "step"), [(100, 100), (100, 30), (100, 7), (64, 1)])
def test_memory_does_not_grow_with_the_stream(window, step):
    stream = ClusteringStream(window, step)
    X, labels = objects(4000)
    kept = []
    for batch in batches(X, labels, range(0, 4000, 90)):
        stream.feed(*batch)
        windows = stream._windows
        kept.append(len(windows.now.blocks) + len(windows.before.blocks) + len(windows.waiting))
    assert max(kept[10:]) <= max(kept[:10]) <= 6 * (window // step + 2)
    assert stream.n_seen == 4000


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: [list(row) for row in zip(*columns.values(), strict=True)],
    ],
    ids=["pandas", "polars", "pyarrow", "rows"],
)
def test_frames_of_numbers_and_names(frame):
    X, labels = objects(50)
    columns = {"x0": X[:, 0].tolist(), "x1": [None if v > 1 else str(round(v)) for v in X[:, 1]]}
    expected = reports(
        ClusteringStream(20), np.array(list(zip(*columns.values(), strict=True)), object), labels
    )
    cuts = [7, 13, 19, 31]
    stream, found = ClusteringStream(20), []
    for start, stop in zip([0, *cuts], [*cuts, 50], strict=True):
        part = {name: values[start:stop] for name, values in columns.items()}
        found += stream.feed(frame(part), labels[start:stop])
    assert [*found, stream.finish()] == expected
    assert len(expected) == 3


def test_frames_keep_the_names_of_features():
    X, labels = objects(400)
    X[200:, 1] += 3
    frame = pd.DataFrame(X, columns=["income", "age"])
    last = reports(ClusteringStream(200), frame, pd.Series(labels))[-1]
    assert last.change.feature == "age"
    assert set(last.outside) <= {"income", "age"}


def test_births_deaths_and_matches():
    X = np.repeat([[0.0], [10.0], [0.0], [10.0], [5.0], [10.0], [5.0]], 10, axis=0)
    labels = np.repeat(["a", "b", "a", "b", "c", "b", "c"], 10)
    stream = ClusteringStream(window=None, binning=Binning(n_bins=10).fit([[0.0], [10.0]]))
    found = []
    for start, stop in [(0, 20), (20, 50), (50, 70)]:
        found += stream.feed(X[start:stop], labels[start:stop])
    assert [report.births for report in found] == [(), ("c",), ()]
    assert [report.deaths for report in found] == [(), (), ("a",)]
    pairs = [[(m.before, m.now) for m in report.matches] for report in found]
    assert pairs == [[], [("a", "a"), ("b", "b")], [("b", "b"), ("c", "c")]]
    assert [match.contribution for match in found[1].matches] == [0.5, 0.5]
    assert [match.cosine for match in found[1].matches] == [1.0, 1.0]


def test_fresh_names_are_matched_by_their_profiles():
    binning = Binning(n_bins=10).fit([[0.0], [10.0]])
    first = np.repeat([[0.0], [10.0]], 50, axis=0), np.repeat([0, 1], 50)
    second = (
        np.repeat([[10.0], [5.0], [0.0]], [50, 20, 50], axis=0),
        np.repeat([0, 1, 2], [50, 20, 50]),
    )
    stream = ClusteringStream(None, binning=binning, names="fresh", size="cosine")
    stream.feed(*first)
    (report,) = stream.feed(*second)
    assert report.births == (1,)
    assert report.deaths == ()
    assert {(m.before, m.now) for m in report.matches} == {(0, 2), (1, 0)}
    (report,) = stream.feed(*first)
    assert report.births == ()
    assert report.deaths == (1,)


def test_renaming_is_no_drift_if_names_are_fresh():
    X, labels = objects(2000, clusters=2)
    labels[1000:] = 1 - labels[1000:]
    kept = reports(ClusteringStream(1000), X, labels)[-1]
    fresh = reports(ClusteringStream(1000, names="fresh"), X, labels)[-1]
    assert kept.drift
    assert not fresh.drift
    assert kept.similarity == fresh.similarity > 0.9


def test_a_batch_may_be_a_window():
    X, labels = objects(60)
    found = reports(ClusteringStream(None), X, labels, [10, 10, 35])
    assert spans(found) == [(0, 10), (10, 35), (35, 60)]
    assert [report.change is None for report in found] == [True, False, False]


def test_a_stream_shorter_than_its_window():
    X, labels = objects(30)
    found = reports(ClusteringStream(100), X, labels, [10])
    assert spans(found) == [(0, 30)]
    assert found[0].n == 30
    assert reports(ClusteringStream(100), X[:0], labels[:0]) == []


def test_the_last_window_may_be_shorter():
    X = np.tile([[0.0], [1.0]], (125, 1))
    labels = np.tile([0, 1], 125)
    as_it_is, cosine, sample = (
        reports(ClusteringStream(100, size=size), X, labels)[-1]
        for size in ("as-is", "cosine", "sample")
    )
    assert spans([as_it_is]) == [(200, 250)]
    assert (as_it_is.similarity, cosine.similarity, sample.similarity) == (0.5, 1.0, 1.0)
    assert not as_it_is.drift


def test_samples_follow_the_seed():
    X, labels = objects(250)
    once, again, other = (
        reports(ClusteringStream(100, size="sample", random_state=seed), X, labels)[-1]
        for seed in (1, 1, 2)
    )
    assert once == again
    assert once.similarity != other.similarity


def test_cosine_is_that_of_the_profiles():
    X, labels = objects(250)
    stream = ClusteringStream(100, size="cosine")
    report = reports(stream, X, labels)[-1]
    before, now = (
        DensityProfile.from_data(X[rows], labels[rows], binning=stream.binning)
        for rows in (slice(100, 200), slice(200, 250))
    )
    assert report.similarity == profile_cosine_score(before, now)


def test_a_reference_made_earlier():
    X, labels = objects(300)
    reference = DensityProfile.from_data(X[:100], labels[:100])
    found = reports(ClusteringStream(100, reference=reference), X[100:], labels[100:])
    expected = reports(ClusteringStream(100), X, labels)[1:]
    assert [one.reference_similarity for one in found] == [
        one.reference_similarity for one in expected
    ]
    assert [one.reference_change for one in found] == [one.reference_change for one in expected]
    assert None not in [one.reference_change for one in found]


def test_a_weighted_reference_is_compared_but_not_tested():
    X, labels = objects(200)
    reference = DensityProfile.from_data(X, labels, sample_weight=np.full(200, 0.5))
    (report,) = ClusteringStream(200, reference=reference).feed(X, labels)
    assert report.reference_similarity == 0.5
    assert report.reference_change is None


def test_windows_that_share_objects_with_the_reference_are_not_tested_against_it():
    X, labels = objects(300)
    found = reports(ClusteringStream(100, 50), X, labels)
    assert [one.reference_change is None for one in found] == [True, True, False, False, False]


def test_a_refused_batch_leaves_the_stream_as_it_was():
    X, labels = objects(300)
    broken = X.copy()
    broken[150, 0] = np.inf
    stream = ClusteringStream(50, 20)
    found = stream.feed(X[:110], labels[:110])
    with pytest.raises(cw.InputError, match="'x0' of X is inf at position 40"):
        stream.feed(broken[110:], labels[110:])
    found += stream.feed(X[110:], labels[110:])
    assert found == [
        report for report in reports(ClusteringStream(50, 20), X, labels) if report.n == 50
    ]


def test_waiting_objects_are_copied():
    X, labels = objects(40)
    expected = reports(ClusteringStream(20), X, labels)
    stream, buffer = ClusteringStream(20), np.empty((10, 2))
    found = []
    for start in range(0, 40, 10):
        buffer[:] = X[start : start + 10]
        found += stream.feed(buffer, labels[start : start + 10])
    assert found == expected


def test_a_report_prints_and_converts():
    X, labels = objects(400)
    report = reports(ClusteringStream(200), X, labels)[-1]
    text = str(report)
    assert text.startswith("Window 1: objects 200 … 399\n")
    assert f"{report.similarity:.4f}" in text
    assert f"p = {report.change.p_value:.3g}" in text
    plain = report.to_dict()
    assert plain["similarity"] == report.similarity
    assert plain["objects"] == sum(one["objects"] for one in plain["sizes"]) == 200
    assert plain["change"]["p_value"] == report.change.p_value
    assert plain["matches"][0]["contribution"] == max(
        match.contribution for match in report.matches
    )
    frame = report.to_frame("pandas")
    assert dict(zip(frame["cluster"], frame["objects"], strict=True)) == report.sizes
    assert frame["contribution"].max() == plain["matches"][0]["contribution"]
    assert not frame["birth"].any()
    assert report.summary().startswith(
        "Window 1 has 200 objects (200 to 399) in 3 clusters. Its similarity to the previous "
        f"window is {report.similarity:.2f}. It does not differ significantly from the objects "
        f"before it (p = {report.change.p_value:.2g}). It does not differ significantly from the "
        f"reference (p = {report.reference_change.p_value:.2g})."
    )


def test_a_summary_names_what_changed():
    X, labels = objects(400)
    X[200:, 0] += 3.0
    labels[200:] = np.where(labels[200:] == 2, 7, labels[200:])
    text = reports(ClusteringStream(200), X, labels)[-1].summary()
    assert "New: 7. Gone: 2." in text
    assert "It differs significantly from the objects before it (p = " in text
    assert "): x0 changed most, in clusters 0 and 1. " in text
    assert "Values outside the range of the binning: x0: " in text


def test_reports_of_any_labels_are_ready_for_json():
    X, labels = objects(40)
    days = [date(2024, 1, 1 + int(label)) for label in labels]
    report = reports(ClusteringStream(20), X, np.array(days, object))[-1]
    written = json.loads(json.dumps(report.to_dict()))
    assert {one["cluster"] for one in written["sizes"]} <= {f"2024-01-0{k}" for k in (1, 2, 3)}


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState, int])
def test_every_kind_of_random_state_works_and_repeats(make):
    X, labels = objects(50)
    found = [
        reports(ClusteringStream(20, size="sample", random_state=make(3)), X, labels)
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert reports(ClusteringStream(20, size="sample", random_state=None), X, labels)
    with pytest.raises(cw.InputError, match="random_state=-1"):
        ClusteringStream(20, random_state=-1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 0}, "window=0; use an integer from 1 to 1000000000000 or None"),
        ({"window": 2.5}, "window=2.5; use an integer"),
        ({"window": 10, "step": 0}, "step=0; use an integer from 1 to 1000000000000 or None"),
        ({"window": 10, "step": 11}, "step=11 is larger than window=10"),
        ({"window": None, "step": 5}, "step needs a window"),
        ({"size": "larger"}, "use 'as-is', 'cosine' or 'sample'"),
        ({"names": "new"}, "use 'kept' or 'fresh'"),
        ({"window": 10, "step": 5, "names": "fresh"}, "do not overlap"),
        ({"alpha": 0}, "alpha=0; use a number above 0 and below 1"),
        ({"alpha": 1.5}, "alpha=1.5; use a number above 0 and below 1"),
        ({"reference": "last"}, "use 'first' or a DensityProfile"),
        ({"binning": "bins"}, "unknown"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(cw.InputError, match=message):
        ClusteringStream(**options)


def test_a_reference_with_other_bins():
    X, labels = objects(30)
    reference = DensityProfile.from_data(X, labels)
    with pytest.raises(cw.InputError, match="binning differs"):
        ClusteringStream(10, reference=reference, binning=Binning().fit(X[:5]))


def test_bad_batches():
    X, labels = objects(30)
    stream = ClusteringStream(10)
    with pytest.raises(cw.InputError, match="X has 30 rows for 29 labels"):
        stream.feed(X, labels[:29])
    stream.feed(X, labels)
    with pytest.raises(cw.InputError, match="columns"):
        stream.feed(X[:, :1], labels)
    stream.finish()
    assert stream.finish() is None
    with pytest.raises(cw.InputError, match="finished"):
        stream.feed(X, labels)


@pytest.mark.parametrize("window", [40, 400])
def test_a_step_costs_what_comes_and_goes(monkeypatch, window):
    """Every object is counted once, and the number of additions does not depend on the window."""
    counted, merged = [], []
    from_data, merge = DensityProfile.from_data, DensityProfile._combine

    def count(X, labels, **options):
        counted.append(len(X))
        return from_data(X, labels, **options)

    def add(self, other, sign):
        merged.append(sign)
        return merge(self, other, sign)

    monkeypatch.setattr(DensityProfile, "from_data", count)
    monkeypatch.setattr(DensityProfile, "_combine", add)
    X, labels = objects(1200)
    stream = ClusteringStream(window, 20)
    stream.feed(X[:1000], labels[:1000])
    counted.clear()
    merged.clear()
    assert len(stream.feed(X[1000:], labels[1000:])) == 10
    assert sum(counted) == 200
    assert merged == [1, -1, 1, -1] * 10


def test_a_bad_batch_in_the_first_window_is_refused_at_once():
    X, labels = objects(40)
    stream = ClusteringStream(20)
    stream.feed(X[:5], labels[:5])
    with pytest.raises(cw.InputError, match="inf at position 1"):
        stream.feed([[0.0, 1.0], [0.0, np.inf]], [0, 1])
    with pytest.raises(cw.InputError, match="x0, but the previous batch had x0, x1"):
        stream.feed(X[5:, :1], labels[5:])
    found = [*stream.feed(X[5:], labels[5:])]
    assert found == reports(ClusteringStream(20), X, labels)


def test_frames_may_change_the_order_of_columns_and_the_kind():
    X, labels = objects(40)
    frame = pl.DataFrame({"x0": X[:, 0], "x1": X[:, 1]})
    expected = reports(ClusteringStream(20), X, labels)
    stream = ClusteringStream(20)
    stream.feed(frame[:5], labels[:5])
    found = stream.feed(frame[5:].select("x1", "x0"), labels[5:])
    assert found == expected
    stream = ClusteringStream(20)
    stream.feed(frame[:5], labels[:5])
    assert stream.feed(X[5:].tolist(), labels[5:]) == expected


def test_frames_whose_types_differ_within_the_first_window():
    stream = ClusteringStream(4)
    stream.feed(pl.DataFrame({"x": [1.0, 2.0]}), [0, 1])
    with pytest.raises(cw.InputError, match="numeric in some batches of the first window"):
        stream.feed(pl.DataFrame({"x": ["a", "b"]}), [0, 1])
    assert len(stream.feed(pl.DataFrame({"x": [2.0, 4.0]}), [0, 1])) == 1


def test_the_binning_of_the_caller_is_left_alone():
    X, labels = objects(40)
    binning = Binning("mdl")
    stream = ClusteringStream(20, binning=binning)
    stream.feed(X, labels)
    assert stream.binning == Binning("mdl").fit(X[:20], labels[:20])
    assert not hasattr(binning, "features")


@pytest.mark.parametrize("fitted", [False, True])
def test_a_number_and_its_text_are_different_labels(tmp_path, fitted):
    """As in one list of labels, also if they come in batches of different types."""
    X, path = np.array([[0.0], [1.0], [2.0], [3.0]]), tmp_path / "stream.json"
    options = {"binning": Binning(n_bins=2).fit(X)} if fitted else {"n_bins": 2}
    at_once = ClusteringStream(4, **options).feed(X, [1, 1, "1", "1"])
    stream = ClusteringStream(4, **options)
    assert stream.feed(X[:2], np.array([1, 1])) == []
    stream.save(path)
    stream = ClusteringStream.load(path)
    (report,) = stream.feed(X[2:], np.array(["1", "1"]))
    assert [report] == at_once
    assert report.sizes == {1: 2, "1": 2}
    assert [type(name) for name in report.sizes] == [int, str]
    (second,) = stream.feed(X, np.array(["1", "1", "1", "2"]))
    assert (second.births, second.deaths) == (("2",), (1,))
    table = cw.Contingency.from_labels([1, 1, "1", "1"], [0, 0, 1, 1])
    assert table.row_names.tolist() == [1, "1"]


def test_equal_numbers_of_different_types_are_one_label():
    stream = ClusteringStream(4)
    assert stream.feed([[0.0], [1.0]], np.array([1, 2])) == []
    (report,) = stream.feed([[2.0], [3.0]], np.array([1.0, 2.0]))
    assert report.sizes == {1: 2, 2: 2}


@pytest.mark.parametrize(("label", "plain"), [(1, 1), ("a", "a"), (2.5, 2.5), (True, True)])
def test_labels_in_plain_values_keep_their_types(label, plain):
    stream = cw.ClusteringStream(4)
    (report,) = stream.feed(np.arange(8.0).reshape(4, 2), [label] * 4)
    (size,) = report.to_dict()["sizes"]
    assert (size["cluster"], type(size["cluster"])) == (plain, type(plain))


def test_labels_that_json_does_not_have_are_strings():
    assert _plain(date(2024, 5, 1)) == "2024-05-01"
    assert _plain(None) is None
