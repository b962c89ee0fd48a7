"""Repeated clustering: the same copies for all, and no fit left running after Ctrl-C."""

import threading

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

import clusterwise as cw
from clusterwise.stability.clusterers import read_clusterer
from clusterwise.stability.null_models import fit_null
from clusterwise.stability.recovery import NOT_DRAWN, measure_agreement
from clusterwise.stability.repeated_clustering import (
    Plan,
    Reference,
    _Fits,
    _pac,
    repeat_clustering,
)
from clusterwise.stability.resamples import Resampler

X = np.random.default_rng(0).normal(size=(60, 2))
CLUSTERER = read_clusterer(AgglomerativeClustering(3), None, -1)


def repeat(nulls=()):
    random = np.random.RandomState(0)
    draws = {name: fit_null(name, X, np.arange(2), random) for name in nulls}
    plan = Plan(Resampler("bootstrap", 0.7, 0.1), 12, draws, 5)
    reference = Reference(CLUSTERER.cluster(X, 0).codes, CLUSTERER)
    return repeat_clustering(X, [reference], plan, np.random.RandomState(3), False)[0]


def test_copies_are_clusterings_of_their_objects():
    found = repeat()
    assert found.copies.shape == (12, 60)
    whole = CLUSTERER.cluster(X, 0).codes
    for copy, ari in zip(found.copies, found.aris, strict=True):
        drawn = np.flatnonzero(copy != NOT_DRAWN)
        expected = CLUSTERER.cluster(X[drawn], 0).codes
        np.testing.assert_array_equal(copy[drawn], expected)
        assert ari == pytest.approx(measure_agreement(whole[drawn], expected))
    assert found.nulls == {}


def test_null_models_have_one_value_for_each_data_set():
    found = repeat(["gaussian", "independent"])
    assert list(found.nulls) == ["gaussian", "independent"]
    for aris, pacs in found.nulls.values():
        assert aris.shape == pacs.shape == (5,)
        assert len(set(aris.tolist())) > 1
    np.testing.assert_array_equal(found.copies, repeat(["gaussian", "independent"]).copies)


def test_pac_counts_pairs_that_some_copies_group():
    copies = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0]])
    assert _pac(copies, 1000) == 0
    some = np.array([[0, 0, 1, 1], [0, 1, 1, NOT_DRAWN]])
    # Of the pairs in both copies, 0-1 and 1-2 differ, and 0-2 does not.
    assert _pac(some, 1000) == pytest.approx(2 / 6)
    # Noise is with no other object, not even with noise.
    assert _pac(np.array([[0, 0, -1, -1], [0, 0, 1, 1]]), 1000) == pytest.approx(1 / 6)


class Waiting:
    """A clusterer that takes until it is told to end."""

    def __init__(self):
        self.begun, self.end, self.ended = (threading.Event() for _ in range(3))

    def cluster(self, points, seed):
        self.begun.set()
        self.end.wait()
        self.ended.set()


def test_fits_that_run_are_waited_for_and_none_begins():
    clusterer = Waiting()

    def interrupt():
        with fits:
            thread.start()
            clusterer.begun.wait()
            threading.Timer(0.05, clusterer.end.set).start()
            raise KeyboardInterrupt

    fits = _Fits()
    thread = threading.Thread(target=lambda: fits.run(clusterer, X, 0), daemon=True)
    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert clusterer.ended.is_set()
    with pytest.raises(InterruptedError, match="the fits have been stopped"):
        fits.run(clusterer, X, 0)


class Failing:
    """A clusterer that fails on fewer objects than all."""

    def fit_predict(self, X):
        if len(X) < 60:
            raise ValueError("too few")
        return np.arange(len(X)) % 2


def test_the_first_error_is_raised():
    with cw.threads(3, oversubscribe=True), pytest.raises(cw.InputError, match=r"\(too few\)"):
        cw.assess(X, Failing(), n_resamples=10, n_null=19, random_state=0)
