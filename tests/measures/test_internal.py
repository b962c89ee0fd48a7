"""Dunn's index and its generalisations: definitions and properties."""

import math
import threading
import tracemalloc
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.inputs import distance_blocks as metrics
from clusterwise.inputs.distances import read_distances
from clusterwise.measures import _cluster_slices
from clusterwise.measures.internal import dunn_score
from reference import internal as naive

BETWEEN = ["single", "complete", "average", "centroid", "average-to-centroids", "hausdorff"]
WITHIN = ["diameter", "average", "centroid"]
OF_PAIRS = [*product(["single", "complete", "average", "hausdorff"], ["diameter", "average"])]
family = pytest.mark.parametrize(("between", "within"), [*product(BETWEEN, WITHIN)])
OPTIONS = st.fixed_dictionaries(
    {"between": st.sampled_from(BETWEEN), "within": st.sampled_from(WITHIN)}
)
of_pairs = pytest.mark.parametrize(("between", "within"), OF_PAIRS)


@st.composite
def clustered(draw, *, smallest=1, largest=12, clusters=4):
    """Points on a grid, so that many are equal or as far apart, and labels of theirs."""
    n = draw(st.integers(smallest, largest))
    point = st.lists(st.integers(-3, 3), min_size=2, max_size=2)
    X = draw(st.lists(point, min_size=n, max_size=n))
    return X, draw(st.lists(st.integers(0, clusters - 1), min_size=n, max_size=n))


def random_case(n=60, clusters=5, features=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, features)), rng.integers(0, clusters, n)


@family
@given(case=clustered())
def test_dunn_by_its_definition(between, within, case):
    X, labels = case
    found = dunn_score(X, labels, between=between, within=within)
    wanted = naive.dunn(X, labels, between, within)
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@family
def test_dunn_by_another_metric(between, within):
    X, labels = random_case(30)
    found = dunn_score(X, labels, between=between, within=within, metric="cityblock")
    wanted = naive.dunn(X, labels, between, within, naive.cityblock)
    assert found == pytest.approx(wanted, rel=1e-12)
    same = dunn_score(X, labels, between=between, within=within, metric=naive.cityblock)
    assert same == pytest.approx(wanted, rel=1e-12)


@of_pairs
def test_dunn_of_mixed_features_and_of_ready_distances(between, within):
    X, labels = random_case(25)
    X = [[*row, "abc"[i % 3] if i % 7 else None] for i, row in enumerate(X.round(1).tolist())]
    ready = [[naive.gower(X, i, j) for j in range(25)] for i in range(25)]
    places = range(25)
    wanted = naive.dunn(places, labels, between, within, lambda i, j: ready[i][j])
    options = {"between": between, "within": within}
    assert dunn_score(X, labels, metric="gower", **options) == pytest.approx(wanted, rel=1e-12)
    found = dunn_score(ready, labels, metric="precomputed", **options)
    assert found == pytest.approx(wanted, rel=1e-12)
    assert dunn_score(read_distances(X, "gower"), labels, **options) == pytest.approx(wanted)


@family
@pytest.mark.parametrize("clusters", [2, 5, 60])
def test_blocks_do_not_matter(monkeypatch, between, within, clusters):
    X, labels = random_case(clusters=clusters)
    options = {"between": between, "within": within}
    whole = dunn_score(X, labels, **options)
    monkeypatch.setattr(_cluster_slices, "CELLS", 12)
    monkeypatch.setattr(_cluster_slices, "ROWS", 5)
    if "centroid" in between + within:
        assert dunn_score(X, labels, **options) == pytest.approx(whole, rel=1e-13)
    else:
        assert dunn_score(X, labels, **options) == whole


class Watched(metrics.EuclideanDistances):
    """Distances that record in which threads they are computed, and in how many at a time."""

    seen: set[threading.Thread] = set()  # noqa: RUF012
    busy: set[threading.Thread] = set()  # noqa: RUF012
    most = 0

    def between(self, rows, columns=None):
        thread = threading.current_thread()
        self.seen.add(thread)
        self.busy.add(thread)
        Watched.most = max(Watched.most, len(self.busy))
        try:
            return super().between(rows, columns)
        finally:
            self.busy.remove(thread)


@family
def test_threads_do_not_matter(monkeypatch, between, within):
    X, labels = random_case()
    monkeypatch.setattr(_cluster_slices, "CELLS", 12)
    monkeypatch.setattr(metrics, "SERIAL_BELOW", 0)
    monkeypatch.setattr(_cluster_slices, "ROWS", 5)
    monkeypatch.setattr(Watched, "most", 0)
    distances = Watched("euclidean", len(X), vectors=X)
    options = {"between": between, "within": within}
    with cw.threads(1):
        alone = dunn_score(distances, labels, **options)
    assert Watched.most == 1
    Watched.seen.clear()
    with cw.threads(3, oversubscribe=True):
        assert dunn_score(distances, labels, **options) == alone
    only_centroids = "centroid" in between and "centroid" in within
    assert len(Watched.seen) == 1 if only_centroids else len(Watched.seen) > 1


def test_memory_is_bounded():
    X, labels = random_case(4000, features=2)
    for options in ({}, {"between": "hausdorff", "within": "average"}):
        tracemalloc.start()
        dunn_score(X, labels, **options)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 4000**2 * 8 / 8


@given(case=clustered(), options=OPTIONS, seed=st.integers(0, 2**32 - 1))
def test_names_and_order_do_not_matter(case, options, seed):
    X, labels = map(np.array, case)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))
    names = np.array([f"c{i}" for i in rng.permutation(4)])
    found = dunn_score(X[order], names[labels][order], **options)
    assert found == pytest.approx(dunn_score(X, labels, **options), rel=1e-12, abs=1e-12)


@given(
    case=clustered(),
    options=OPTIONS,
    move=st.integers(-1000, 1000),
    scale=st.sampled_from([0.25, 3.0, 1e6]),
)
def test_moving_and_scaling_do_not_matter(case, options, move, scale):
    X, labels = np.array(case[0], float), case[1]
    found = dunn_score(scale * (X + move), labels, **options)
    assert found == pytest.approx(dunn_score(X, labels, **options), rel=1e-9, abs=1e-9)


def test_dunn_of_clusterings_that_say_little():
    X = [[0.0], [1.0], [5.0]]
    assert dunn_score(X, [0, 0, 0]) == 0
    assert dunn_score([[3.0]], ["only"]) == 0
    assert dunn_score(X, [0, 1, 2]) == math.inf
    assert dunn_score([[0.0], [0.0], [5.0]], [0, 0, 1]) == math.inf
    assert dunn_score([[2.0], [2.0], [2.0]], [0, 1, 1]) == 0
    # Single objects have width 0 by every definition.
    for within in WITHIN:
        assert dunn_score(X, [0, 0, 1], within=within) == 4


def test_noise_of_dunn():
    X, labels = [[0.0], [1.0], [9.0], [30.0], [34.0]], [0, 0, -1, 1, 1]
    assert dunn_score(X, labels) == 2
    assert dunn_score([*X, [99.0]], [*labels, -1]) == 8 / 90
    assert dunn_score([*X, [99.0]], [*labels, -1], noise="singletons") == 2
    assert dunn_score(X, labels, noise="drop") == 29 / 4
    assert dunn_score(X, labels, noise="drop", noise_label=1) == 8
    with pytest.raises(cw.InputError, match="leaves no object"):
        dunn_score(X, [-1] * 5, noise="drop")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"between": "nearest"}, "between='nearest' is unknown; use 'single', 'complete'"),
        ({"within": "radius"}, "within='radius' is unknown; use 'diameter', 'average' or"),
        ({"metric": "nonsense"}, "metric='nonsense' cannot be used"),
        ({"metric": "gower", "within": "centroid"}, "within='centroid' needs centroids"),
        ({"metric": "gower", "between": "average-to-centroids"}, "between='average'"),
        ({"noise": "nonsense"}, "noise='nonsense' is unknown"),
    ],
)
def test_options_that_are_refused(options, words):
    with pytest.raises(cw.InputError, match=words):
        dunn_score([[0.0], [1.0], [5.0]], [0, 0, 1], **options)


def test_labels_of_every_kind():
    X, wanted = [[0.0], [1.0], [5.0]], 4
    for labels in (
        ["a", "a", "b"],
        pd.Series([7, 7, -3]),
        np.array([True, True, False]),
        [[1, 0], [1, 0], [0, 1]],
    ):
        assert dunn_score(X, labels) == wanted
