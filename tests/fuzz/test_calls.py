"""Whatever is passed, a call answers or refuses in one sentence.

``HYPOTHESIS_PROFILE=thorough make test-all`` tries twenty times as many cases.
"""

import math
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.exceptions import ConvergenceWarning

import clusterwise as cw
from clusterwise.consensus.methods import METHODS
from helpers import hostile_strategies as hostile
from helpers.hostile import controls
from helpers.strategies import max_examples
from reference import measures as naive

pytestmark = pytest.mark.slow

MEASURES = {measure.name: measure for measure in cw.list_measures()}
HARD = [name for name, one in MEASURES.items() if not one.needs_data]
SOFT = [name for name in HARD if MEASURES[name].soft]


@contextmanager
def refusing():
    """Let through what clusterwise refuses or warns of, if it does so in one readable sentence."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except cw.InputError as error:
            check_sentence(str(error))
    for warning in caught:  # one of another library is none that users can act on
        assert issubclass(warning.category, UserWarning), str(warning)
        assert not issubclass(warning.category, ConvergenceWarning), str(warning)
        check_sentence(str(warning.message))


def check_sentence(message):
    assert message.isprintable(), message
    assert message.rstrip("'\")")[-1] in ".?", message
    assert len(message) < 1000


@max_examples(1500)
@given(data=st.data())
def test_measures_of_labels(data):
    size = data.draw(hostile.SIZES)
    a, b = data.draw(hostile.clusterings(size)), data.draw(hostile.clusterings(size))
    options = {
        "sample_weight": data.draw(hostile.weights(size)),
        "noise": data.draw(st.sampled_from(["cluster"] * 4 + ["singletons", "drop", "x", None])),
        "noise_label": data.draw(st.one_of(st.just(-1), hostile.LABELS)),
        "missing": data.draw(st.sampled_from(["error"] * 4 + ["drop", "label", 0])),
        "align": data.draw(st.sampled_from([None] * 5 + ["index", "x", True])),
    }
    name = data.draw(st.sampled_from(HARD))
    with refusing():
        value = getattr(cw, name)(a, b, **options)
        assert not math.isnan(value)


@max_examples(400)
@given(data=st.data())
def test_accepted_labels_are_told_apart_as_python_does(data):
    """Of lists, what counts is which labels are equal."""
    size = data.draw(st.integers(2, 12))
    labels = st.one_of(hostile.STRINGS, st.integers(), st.booleans(), st.floats(allow_nan=False))
    a, b = (data.draw(st.lists(labels, min_size=size, max_size=size)) for _ in range(2))
    with refusing():
        found = cw.rand_score(a, b)
        assert found == pytest.approx(naive.rand(a, b), abs=1e-12)


@max_examples(800)
@given(table=hostile.matrices(), name=st.sampled_from(HARD))
def test_measures_of_tables(table, name):
    with refusing():
        counts = cw.Contingency.from_table(table)
        value = getattr(cw, name)(counts)
        measure = MEASURES[name]
        assert not math.isnan(value)
        if measure.symmetric:
            turned = cw.Contingency.from_table(counts.to_array().T)
            assert value == pytest.approx(getattr(cw, name)(turned), rel=1e-9, abs=1e-9)


@max_examples(500)
@given(a=hostile.matrices(), b=hostile.matrices(), name=st.sampled_from(SOFT))
def test_measures_of_memberships(a, b, name):
    with refusing():
        assert not math.isnan(getattr(cw, name)(a, b))


@max_examples(300)
@given(X=hostile.matrices(), data=st.data())
def test_features(X, data):
    shape = getattr(X, "shape", None)
    try:
        shape = np.shape(X) if shape is None else shape
    except ValueError:
        shape = (3,)
    size = shape[0] if shape else 0
    labels = data.draw(hostile.clusterings(size))
    call = data.draw(
        st.sampled_from(
            [
                lambda: cw.quality_score(X, labels),
                lambda: cw.dunn_score(X, labels),
                lambda: cw.DensityProfile.from_data(X, labels),
                lambda: cw.compare(labels, labels, X=X),
                lambda: cw.separating_features(X, labels),
            ]
        )
    )
    with refusing():
        call()


@max_examples(60)
@given(X=hostile.matrices(largest=8), data=st.data())
def test_alternatives(X, data):
    labels = data.draw(st.one_of(st.none(), hostile.clusterings(8)))
    with refusing():
        found = cw.cluster_again(X, labels, random_state=0)
        found.summary()


@max_examples(300)
@given(frame=hostile.frames(), data=st.data())
def test_frames_of_clusterings(frame, data):
    with refusing():
        if data.draw(st.booleans()):
            repr(cw.compare_all(frame))
        else:
            method = data.draw(st.sampled_from(list(METHODS)))
            cw.combine(frame, method=method, random_state=0).summary()


@max_examples(300)
@given(frame=hostile.frames())
def test_descriptions_of_columns(frame):
    with refusing():
        for one in cw.describe_columns(frame):
            assert one.values + one.missing + one.misfits == len(frame)
            assert not controls(one.note)
            assert one.note.endswith(".") or not one.note
