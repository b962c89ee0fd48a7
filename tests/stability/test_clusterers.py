"""Clusterers of scikit-learn, and others with their interface."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline

from clusterwise import InputError
from clusterwise.stability.clusterers import (
    NOISE,
    is_clusterer,
    read_clusterer,
    read_clusters,
)

X = np.repeat([[0.0, 0], [0, 9], [9, 0]], 10, axis=0)
X = X + np.random.default_rng(0).normal(size=X.shape)


class Halves:
    """A clusterer without parameters: two halves by the first feature."""

    def fit_predict(self, X):
        return (X[:, 0] > np.median(X[:, 0])).astype(int)


def test_what_is_a_clusterer():
    assert is_clusterer(KMeans)
    assert is_clusterer(KMeans(3))
    assert is_clusterer(make_pipeline(PCA(2), KMeans(3)))
    assert not is_clusterer(PCA(2))
    assert not is_clusterer([0, 1])


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (KMeans, "n_clusters"),
        (KMeans(7, n_init=2), "n_clusters"),
        (GaussianMixture, "n_components"),
        (make_pipeline(PCA(2), KMeans(5)), "kmeans__n_clusters"),
    ],
)
def test_the_number_of_clusters_is_set_in_a_copy(value, path):
    found = read_clusterer(value, 3, -1)
    assert found.template.get_params()[path] == 3
    assert found.template is not value
    assert found.cluster(X, 0).size == 3


def test_clusterers_without_a_number_of_clusters():
    assert read_clusterer(Halves(), None, -1).cluster(X, 0).size == 2
    for value in (DBSCAN(), Halves):
        with pytest.raises(
            InputError, match=r"^n_clusters=3 has no meaning for a \w+, which finds"
        ):
            read_clusterer(value, 3, -1)


def test_each_fit_has_its_seed_unless_the_user_has_set_one():
    free = read_clusterer(make_pipeline(PCA(2), KMeans(9, n_init=1, max_iter=1)), None, -1)
    fits = [free.cluster(X, seed).codes for seed in (1, 1, 2)]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert not np.array_equal(fits[0], fits[2])
    own = read_clusterer(KMeans(9, n_init=1, max_iter=1, random_state=5), None, -1)
    np.testing.assert_array_equal(own.cluster(X, 1).codes, own.cluster(X, 2).codes)
    shared = np.random.RandomState(0)
    made = read_clusterer(KMeans(9, n_init=1, max_iter=1, random_state=shared), None, -1)
    np.testing.assert_array_equal(made.cluster(X, 1).codes, made.cluster(X, 1).codes)


def test_labels_of_any_kind_and_noise():
    found = read_clusters(["b", "a", "noise", "b"], "labels", "noise")
    assert found.codes.tolist() == [1, 0, NOISE, 1]
    assert found.names.tolist() == ["a", "b"]
    assert read_clusters([-1, -1], "labels", -1).size == 0
    assert read_clusterer(DBSCAN(eps=1e-9), None, -1).cluster(X, 0).size == 0


def test_failures_are_one_sentence():
    with pytest.raises(InputError, match=r"^KMeans failed on 2 objects \(n_samples=2.*\); pass"):
        read_clusterer(KMeans(3), None, -1).cluster(X[:2], 0)

    class Short:
        def fit_predict(self, X):
            return [0, 1]

    with pytest.raises(InputError, match=r"^Short returned 2 labels of 30 objects; pass"):
        read_clusterer(Short(), None, -1).cluster(X, 0)

    class Needs:
        def __init__(self, something):
            pass

        def fit_predict(self, X):
            return X

    with pytest.raises(InputError, match=r"^clusterer_or_labels=<class .*Needs'> cannot be copied"):
        read_clusterer(Needs, None, -1)
    with pytest.raises(InputError, match=r"^metric='precomputed' needs distances"):
        read_clusterer(DBSCAN(metric="precomputed"), None, -1)
