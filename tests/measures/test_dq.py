"""DQ, the harmonic mean of dissimilarity and quality, and its parts."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.inputs.distances import read_distances
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.dq import DQ, dq_parts, dq_score
from clusterwise.measures.internal import dunn_score
from clusterwise.measures.quality import QUALITIES, quality_score
from helpers.strategies import label_pairs
from reference import internal as naive_internal, measures as naive

X = np.random.default_rng(0).normal(size=(12, 2))
GIVEN = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
OTHER = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]
THIRD = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0]

# Of these that need a largest value to be shares of it, all have one but CSS.
BOUNDED = [name for name, measure in CATALOGUE.items() if measure.high != "∞"]


@given(pair=label_pairs(min_size=2, max_size=12), seed=st.integers(0, 99))
def test_dq_by_its_definition(pair, seed):
    points = np.random.default_rng(seed).integers(0, 4, (len(pair.a), 2))
    found = dq_parts(points, pair.a, pair.b)
    different = 1 - naive.jaccard(pair.a, pair.b)
    good = naive_internal.dunn(points, pair.b)
    assert found.dissimilarity == pytest.approx(different, abs=1e-12)
    assert found.quality == pytest.approx(good, rel=1e-12)
    if different == 0 or good == 0:
        assert found.dq == 0
    elif math.isinf(good):
        assert found.dq == pytest.approx(2 * different)
    else:
        assert found.dq == pytest.approx(2 * different * good / (different + good))
    assert dq_score(points, pair.a, pair.b) == found.dq


def test_parts_have_names():
    found = dq_parts(X, GIVEN, OTHER)
    assert isinstance(found, DQ)
    assert found == (found.dissimilarity, found.quality, found.dq)


@pytest.mark.parametrize("name", BOUNDED)
def test_dissimilarities_of_the_catalogue(name):
    measure = CATALOGUE[name]
    arguments = (X,) if measure.needs_data else ()
    found = dq_parts(X, GIVEN, THIRD, dissimilarity=name).dissimilarity
    value = measure.function(GIVEN, THIRD, *arguments)
    share = value / measure.upper_end(12)
    wanted = share if measure.direction == "distance" else 1 - max(0, share)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert 0 < found <= 1
    same = dq_parts(X, GIVEN, GIVEN, dissimilarity=name).dissimilarity
    if name == "mutual_info_score":  # whose largest value needs as many clusters as objects
        assert same == pytest.approx(1 - math.log(2) / math.log(12))
    else:
        assert same == 0


def test_worse_than_chance_is_as_different_as_can_be():
    assert cw.adjusted_rand_score(GIVEN, OTHER) < 0
    assert dq_parts(X, GIVEN, OTHER, dissimilarity="adjusted_rand_score").dissimilarity == 1


def test_one_object_has_one_clustering():
    for name in ("mutual_info_score", "variation_of_information", "mirkin_distance"):
        assert dq_parts([[1.0]], [0], [1], dissimilarity=name).dissimilarity == 0


@pytest.mark.parametrize("name", QUALITIES)
def test_qualities_enter_by_their_merit(name):
    wanted = QUALITIES[name].merit(quality_score(X, OTHER, name))
    assert dq_parts(X, GIVEN, OTHER, quality=name).quality == wanted


def test_options_reach_the_quality():
    options = {"metric": "cityblock", "between": "average"}
    assert dq_parts(X, GIVEN, OTHER, **options).quality == dunn_score(X, OTHER, **options)
    distances = read_distances(X, "cityblock")
    found = dq_parts(distances, GIVEN, OTHER, between="average")
    assert found == dq_parts(X, GIVEN, OTHER, **options)


def test_functions_in_place_of_names():
    found = dq_parts(
        X, GIVEN, OTHER, dissimilarity=lambda a, b: 0.5, quality=lambda data, labels: 1.5
    )
    assert found == (0.5, 1.5, 0.75)


def test_noise_reaches_both_parts():
    labels, given = [*OTHER, -1], [*GIVEN, 1]
    points = np.vstack([X, [0.0, 0.0]])
    assert dq_parts(points, given, labels, noise="drop") == dq_parts(X, GIVEN, OTHER)
    renamed = [9 if label == -1 else label for label in labels]
    found = dq_parts(points, given, renamed, noise="drop", noise_label=9)
    assert found == dq_parts(X, GIVEN, OTHER)
    for name in ("mirkin_distance", "van_dongen_distance"):
        found = dq_parts(points, given, labels, noise="drop", dissimilarity=name)
        assert found == dq_parts(X, GIVEN, OTHER, dissimilarity=name)


SEVERAL = {
    "array": np.column_stack([GIVEN, OTHER]),
    "rows": [list(row) for row in zip(GIVEN, OTHER, strict=True)],
    "tuples": list(zip(GIVEN, OTHER, strict=True)),
    "columns": [GIVEN, OTHER],
    "arrays": (np.array(GIVEN), np.array(OTHER)),
    "series": [pd.Series(GIVEN), pd.Series(OTHER)],
    "pandas": pd.DataFrame({"g": GIVEN, "o": OTHER}),
    "polars": pl.DataFrame({"g": GIVEN, "o": OTHER}),
    "arrow": pa.table({"g": GIVEN, "o": OTHER}),
}


@pytest.mark.parametrize("form", SEVERAL)
def test_of_several_given_the_most_alike_counts(form):
    to_each = [dq_parts(X, one, THIRD).dissimilarity for one in (GIVEN, OTHER)]
    assert to_each[0] > to_each[1] > 0
    assert dq_parts(X, SEVERAL[form], THIRD) == dq_parts(X, OTHER, THIRD)


def test_a_copy_of_one_of_several_is_worth_nothing():
    assert dq_score(X, SEVERAL["array"], OTHER) == 0


@pytest.mark.parametrize("one", [np.array(GIVEN), pd.Series(GIVEN), list(map(str, GIVEN))])
def test_one_given_of_every_kind(one):
    assert dq_parts(X, one, OTHER) == dq_parts(X, GIVEN, OTHER)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dissimilarity": "jacard"}, "unknown dissimilarity 'jacard'"),
        ({"dissimilarity": "css_distance"}, "css_distance has no largest value"),
        ({"dissimilarity": lambda a, b: 2.0}, "dissimilarity is 2.0"),
        ({"quality": "dun"}, "unknown quality 'dun'; did you mean 'dunn'"),
        ({"quality": lambda data, labels: -0.5}, "quality is -0.5"),
        ({"quality": lambda data, labels: math.nan}, "quality is nan"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_refusals(options, words):
    with pytest.raises(cw.InputError, match=words):
        dq_score(X, GIVEN, OTHER, **options)


def test_refusals_of_clusterings():
    with pytest.raises(cw.InputError, match=r"inconsistent numbers of samples: \[11, 12\]"):
        dq_score(X, GIVEN[1:], OTHER)
    with pytest.raises(cw.InputError, match="labels has 11 labels, but X has 12 objects"):
        dq_score(X, GIVEN, OTHER[1:])
    with pytest.raises(cw.InputError, match="adco_score needs features"):
        dq_score(read_distances(X), GIVEN, OTHER, dissimilarity="adco_score")
