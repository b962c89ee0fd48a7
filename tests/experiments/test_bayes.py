"""Who knows how planted data were made: against a rule by definition, and against the truth."""

from math import log

import numpy as np
import pytest
from experiments.alternatives.bayes import predict_bayes, score_bayes
from experiments.alternatives.settings import Setting, list_settings
from scipy.stats import norm

import clusterwise as cw

pytestmark = pytest.mark.slow

SETTINGS = list_settings(quick=True) + list_settings(quick=True, crossed=False)
MIXED = cw.datasets.make_mixed_alternatives
UNEVEN = {"balance": 0.2, "separation": 2, "noise": 1.5, "reliability": 0.5, "values": 4}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda each: each.title)
def test_pure_data_are_the_same_without_chance(setting):
    drawn, pure = setting.draw(3), setting.draw(3, pure=True)
    np.testing.assert_array_equal(drawn.labels, pure.labels)
    combinations, joint = np.unique(drawn.labels, axis=0, return_inverse=True)
    for j in range(len(combinations)):
        here = pure.X[joint.ravel() == j]
        np.testing.assert_array_equal(here, np.broadcast_to(here[0], here.shape))
    numbers = [r for r, value in enumerate(drawn.X[0]) if not isinstance(value, str)]
    names = [r for r in range(drawn.X.shape[1]) if r not in numbers]
    if numbers:
        chance = (drawn.X[:, numbers] - pure.X[:, numbers]).astype(float)
        assert chance.std() == pytest.approx(1.0, abs=0.15)
    if names:
        # Some of what chance gives is right.
        same = (drawn.X[:, names] == pure.X[:, names]).mean()
        assert same == pytest.approx(0.8 + 0.2 / 2, abs=0.06)


def test_every_object_takes_its_likeliest_cluster():
    setting = Setting("uneven", (3, 3), MIXED, UNEVEN, 200)
    drawn, pure = setting.draw(0), setting.draw(0, pure=True)
    truth = drawn.labels[:, 1]
    columns = [r for r, name in enumerate(drawn.feature_names) if name.startswith("c2")]
    sizes = 0.2 ** (np.arange(3) / 2)
    expected = []
    for row in drawn.X:
        odds = []
        for k in range(3):
            centre = pure.X[truth == k][0]
            total = log(sizes[k] / sizes.sum())
            for r in columns:
                if isinstance(row[r], str):
                    total += log(0.5 * (row[r] == centre[r]) + 0.5 / 4)
                else:
                    total += norm.logpdf(row[r], centre[r], 1.5)
            odds.append(total)
        expected.append(int(np.argmax(odds)))
    guessed = predict_bayes(setting, 0)
    assert guessed[:, 0].tolist() == expected
    assert (guessed[:, 0] != truth).any()
    score = cw.normalized_mutual_info_score(truth, expected)
    assert score_bayes(setting, 0) == pytest.approx(score)


def test_all_hidden_clusterings_count():
    options = {"separation": 3, "rotated": True}
    setting = Setting("three", (2, 3, 4), cw.datasets.make_alternatives, options, 300)
    guessed, truth = predict_bayes(setting, 0), setting.draw(0).labels[:, 1:]
    scores = [
        cw.normalized_mutual_info_score(true, labels)
        for true, labels in zip(truth.T, guessed.T, strict=True)
    ]
    assert score_bayes(setting, 0) == pytest.approx(np.mean(scores))
    assert 0.2 < min(scores) < max(scores) < 1


def test_nobody_errs_where_clusters_are_far_apart():
    setting = Setting("far", (4, 4), cw.datasets.make_alternatives, {"separation": 30}, 100)
    assert score_bayes(setting, 0) == 1.0


@pytest.mark.parametrize("crossed", [True, False])
def test_objects_between_clusters_all_take_the_first(crossed):
    setting = Setting(
        "names", (2, 2), cw.datasets.make_categorical_alternatives, {"crossed": crossed}
    )
    drawn, pure = setting.draw(0), setting.draw(0, pure=True)
    centre = pure.X[drawn.labels[:, 1] == 0][0]
    columns = [r for r, name in enumerate(drawn.feature_names) if name.startswith("c2")]
    votes = (drawn.X[:, columns] == centre[columns]).sum(axis=1)
    assert (votes == 2).sum() > 5
    np.testing.assert_array_equal(predict_bayes(setting, 0)[:, 0] == 0, votes >= 2)
