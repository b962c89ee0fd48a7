"""Noise and missing labels of given clusterings."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from clusterwise import InputError, cluster_again
from clusterwise.alternatives.given import read_given, read_given_labels
from clusterwise.datasets import make_alternatives

DATA = make_alternatives(90, (2, 2), separation=8, random_state=0)
LOST = np.arange(0, 90, 9)


def with_noise(label=-1):
    labels = DATA.labels[:, 0].copy()
    labels[LOST] = label
    return labels


def with_gaps():
    return [None if i % 9 == 0 else f"c{k}" for i, k in enumerate(DATA.labels[:, 0])]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "coala", "condens"])
@pytest.mark.parametrize(
    ("given", "options"),
    [
        (with_noise(), {"noise": "drop"}),
        (with_noise(99), {"noise": "drop", "noise_label": 99}),
        (with_gaps(), {"missing": "drop"}),
        (pd.Series(with_gaps()), {"missing": "drop"}),
        (np.column_stack([with_noise(), DATA.labels[:, 0]]), {"noise": "drop"}),
    ],
    ids=["noise", "noise label", "missing", "series", "several"],
)
def test_objects_without_a_given_cluster_are_left_out(method, given, options):
    found = cluster_again(DATA.X, given, method, random_state=0, **options)
    rest = np.setdiff1d(np.arange(90), LOST)
    labels = DATA.labels[rest, 0]
    if np.ndim(given) == 2:
        labels = np.column_stack([labels, labels])
    expected = cluster_again(DATA.X[rest], labels, method, random_state=0)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.labels[rest], other.labels)
        assert (one.labels[LOST] == -1).all()
        assert (one.dq, one.sizes) == (other.dq, other.sizes)
    assert (found.given[:, LOST] == -1).all()
    assert len(found.to_frame()) == 90
    assert "10 of 90 objects were left out of the search." in found.sentences()


def test_precomputed_distances_of_the_objects_that_are_left():
    distances = np.abs(DATA.X[:, :1] - DATA.X[:, 0])
    (found,) = cluster_again(distances, with_noise(), "coala", metric="precomputed", noise="drop")
    rest = np.setdiff1d(np.arange(90), LOST)
    (expected,) = cluster_again(
        distances[np.ix_(rest, rest)], DATA.labels[rest, 0], "coala", metric="precomputed"
    )
    np.testing.assert_array_equal(found.labels[rest], expected.labels)


def test_frames_of_the_objects_that_are_left():
    frame = pd.DataFrame(DATA.X, index=np.arange(90) + 500)
    (found,) = cluster_again(frame, with_noise(), "coala", noise="drop")
    assert found.labels.shape == (90,)
    found = cluster_again(DATA.X.tolist(), with_noise(), "coala", noise="drop")
    assert (found[0].labels[LOST] == -1).all()


def test_noise_and_missing_labels_may_be_clusters():
    noise = read_given_labels(with_noise(), 90)
    assert noise.kept is None
    assert noise.given.sizes == (3,)
    missing = read_given_labels(with_gaps(), 90, missing="label")
    assert missing.kept is None
    assert missing.given.sizes == (3,)
    assert len(set(missing.given.codes[0][LOST].tolist())) == 1
    assert len(cluster_again(DATA.X, with_gaps(), "coala", missing="label")[0].labels) == 90


def test_clusters_that_are_left_out_entirely_do_not_count():
    labels = read_given_labels(["a", "b", "noise", "b"], 4, noise="drop", noise_label="noise")
    assert labels.kept.tolist() == [0, 1, 3]
    assert labels.given.codes.tolist() == [[0, 1, 1]]
    both = read_given_labels([["a", "x"], ["b", None], ["b", "y"]], 3, missing="drop")
    assert both.kept.tolist() == [0, 2]
    assert both.given.sizes == (2, 2)


def test_nothing_changes_if_there_is_no_noise():
    plain = read_given(DATA.labels, 90)
    dropped = read_given_labels(DATA.labels, 90, noise="drop", missing="drop")
    assert dropped.kept is None
    np.testing.assert_array_equal(dropped.given.codes, plain.codes)
    assert dropped.given.sizes == plain.sizes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"noise": "singletons"}, "every noise object a given cluster; use 'cluster' or 'drop'"),
        ({"noise": "drup"}, "noise='drup' is unknown"),
        ({"missing": "ignore"}, "missing='ignore' is unknown; use 'error', 'drop' or 'label'"),
        ({"given": with_gaps()}, "^given has no label at position 0"),
        ({"given": [-1] * 90, "noise": "drop"}, "no object is left"),
        ({"given": [0, 1], "noise": "drop"}, "^given has 2 labels for 90 objects"),
    ],
)
@pytest.mark.parametrize("method", ["auto", "coala"])
def test_invalid_input_is_refused(options, message, method):
    arguments = {"given": with_noise(), **options}
    with pytest.raises(InputError, match=message):
        cluster_again(DATA.X, method=method, **arguments)


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"noise": "drop", "missing": "drop"}, [-1, -1]),
        ({"missing": "label"}, [-1, "(missing)"]),
    ],
)
def test_given_clusters_keep_their_names(options, first):
    whole = np.array(["silver", "gold"])[DATA.labels[:, 0]]
    found = cluster_again(DATA.X, whole, "coala")
    np.testing.assert_array_equal(found.by_name()["given"], whole)
    np.testing.assert_array_equal(found[:0].by_name()["given"], whole)
    panel = found.plot("scatter").axes_.flat[0]
    assert {"gold", "silver"} <= {text.get_text() for text in panel.texts}
    some = whole.astype(object)
    some[:2] = -1, None
    found = cluster_again(DATA.X, some, "coala", **options)
    assert found.by_name()["given"].tolist() == [*first, *whole[2:]]


def test_given_clusters_of_a_lazy_frame_keep_their_names():
    columns = {"x": DATA.X[:, 0], "y": DATA.X[:, 1], "given": DATA.labels[:, 0] * 3 + 5}
    found = cluster_again(pl.DataFrame(columns).lazy(), "given", random_state=0)
    assert found.by_name()["given"].tolist() == found.sample["given"].to_list()
