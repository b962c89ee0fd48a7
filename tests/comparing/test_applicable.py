"""Which measures apply: one rule for functions, frames and the command."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterwise as cw
from clusterwise.comparing.applicable import (
    applicable_measures,
    check_measures,
    needs_centroids,
    needs_profiles,
)
from clusterwise.measures.catalogue import CATALOGUE, OF_LABELS

LABELS = [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]
SOFT = np.random.default_rng(0).dirichlet([0.5, 0.5], 6)
NUMERIC = pd.DataFrame({"x": [0.5, 1.0, 2.0, 4.0, 7.0, 9.0]})
MIXED = NUMERIC.assign(town=list("aabbab"))


def test_every_measure_applies_to_hard_clusterings_with_all_features() -> None:
    every = applicable_measures(soft=False, with_profiles=True, with_centroids=True)
    assert every == list(CATALOGUE)
    assert applicable_measures(soft=False) == OF_LABELS


def test_data_is_used_in_one_way() -> None:
    for one in CATALOGUE.values():
        assert needs_profiles(one) + needs_centroids(one) == one.needs_data


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize(
    ("X", "known"),
    [
        (None, {}),
        (MIXED, {"with_profiles": True}),
        (NUMERIC, {"with_profiles": True, "with_centroids": True}),
    ],
)
def test_compare_follows_the_rule(soft, X, known) -> None:
    a, b = (SOFT, LABELS[0]) if soft else LABELS
    assert list(cw.compare(a, b, X).values) == applicable_measures(soft=soft, **known)


@pytest.mark.parametrize("X", [MIXED, NUMERIC])
def test_lazy_frames_follow_the_rule(X) -> None:
    frame = pl.from_pandas(X.assign(a=LABELS[0], b=LABELS[1])).lazy()
    found = cw.compare("a", "b", frame=frame, features=list(X.columns))
    assert list(found.values) == list(cw.compare(*LABELS, X).values)


def test_ready_tables_follow_the_rule() -> None:
    assert list(cw.compare(cw.Contingency.from_labels(*LABELS)).values) == OF_LABELS
    overlap = cw.SoftOverlap.from_memberships(SOFT, LABELS[0], NUMERIC.to_numpy())
    expected = applicable_measures(soft=True, with_centroids=True)
    assert list(cw.compare(overlap).values) == expected


def test_errors_say_what_does_not_apply() -> None:
    assert [one.name for one in check_measures(["purity_score"])] == ["purity_score"]
    with pytest.raises(cw.InputError, match="but runs is soft; leave it out, or pass labels"):
        check_measures(["purity_score"], soft="runs")
    for measure, known in (("adco_score", "with_profiles"), ("css_distance", "with_centroids")):
        with pytest.raises(cw.InputError, match=f"{measure} needs the features of the objects"):
            check_measures([measure], **{known: False})
