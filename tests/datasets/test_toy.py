"""DS1, DS2 and relabelled clusters are as the paper describes them."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

import clusterwise as cw
from clusterwise import InputError
from clusterwise.datasets import make_ds1, make_ds2, relabel

SEEDS = range(5)


def centroids(data):
    return {name: data.X[data.labels == name].mean(axis=0) for name in np.unique(data.labels)}


def normalised_vi(a, b):
    found = cw.variation_of_information(a, b)
    return found / (np.log(len(set(a))) + np.log(len(set(b))))


@pytest.mark.parametrize("seed", SEEDS)
def test_ds1_is_as_described(seed):
    data = make_ds1(seed)
    assert data.X.shape == (1200, 2)
    assert data.labels.tolist() == ["A"] * 400 + ["B"] * 400 + ["C"] * 400
    centres = centroids(data)
    near = np.linalg.norm(centres["A"] - centres["B"])
    assert np.linalg.norm(centres["A"] - centres["C"]) == pytest.approx(2 * near)
    assert np.linalg.norm(centres["B"] - centres["C"]) > 2 * near


@pytest.mark.parametrize("seed", SEEDS)
def test_k_means_errs_on_ds1_as_much_as_in_the_paper(seed):
    data = make_ds1(seed)
    found = KMeans(3, n_init=10, random_state=0).fit_predict(data.X)
    assert cw.rand_score(data.labels, found) == pytest.approx(0.931, abs=0.03)
    assert normalised_vi(data.labels, found) == pytest.approx(0.186, abs=0.05)


@pytest.mark.parametrize("seed", SEEDS)
def test_ds2_is_as_described(seed):
    data = make_ds2(seed)
    assert data.X.shape == (2000, 2)
    names, sizes = np.unique(data.labels, return_counts=True)
    assert dict(zip(names, sizes, strict=True)) == {
        "centre": 1000, "north": 250, "east": 250, "south": 250, "west": 250,
    }  # fmt: skip
    centres = centroids(data)
    np.testing.assert_allclose(centres["centre"], 0, atol=1e-12)
    np.testing.assert_allclose(centres["north"], -centres["south"], atol=1e-12)
    np.testing.assert_allclose(centres["east"], -centres["west"], atol=1e-12)
    assert centres["north"][1] == pytest.approx(centres["east"][0])
    assert centres["north"][1] > 0


def test_the_printed_values_of_ds2_are_those_of_a_larger_centre():
    printed = {"vi": 0.58, "rand": 0.57}
    for sizes, agrees in (((1000, 250), False), ((1488, 128), True)):
        labels = make_ds2(0, n_centre=sizes[0], n_satellite=sizes[1]).labels
        assert labels.size == 2000
        one = np.zeros(labels.size, int)
        found = {"vi": normalised_vi(labels, one), "rand": cw.rand_score(labels, one)}
        assert (found == pytest.approx(printed, abs=0.01)) == agrees


@pytest.mark.parametrize("make", [make_ds1, make_ds2])
def test_results_depend_on_the_seed_only(make):
    np.testing.assert_array_equal(make(3).X, make(3).X)
    np.testing.assert_array_equal(make(3).X, make(np.random.default_rng(3)).X)
    assert not np.array_equal(make(3).X, make(4).X)
    assert not np.array_equal(make().X, make().X)


@pytest.mark.parametrize("option", ["n_centre", "n_satellite"])
def test_ds2_refuses_empty_clusters(option):
    with pytest.raises(InputError, match=f"{option}=0; use an integer of at least 1"):
        make_ds2(**{option: 0})


@pytest.mark.parametrize("target", ["B", "C"])
def test_relabel_moves_a_third_of_one_cluster(target):
    before = make_ds1(0).labels
    after = relabel(before, "A", target, random_state=1)
    moved = before != after
    assert moved.sum() == 133
    assert set(before[moved]) == {"A"}
    assert set(after[moved]) == {target}
    assert before.tolist().count("A") == 400
    np.testing.assert_array_equal(after, relabel(before, "A", target, random_state=1))
    assert not np.array_equal(after, relabel(before, "A", target, random_state=2))


def test_relabel_takes_labels_and_proportions_of_all_kinds():
    assert relabel([1, 1, 2], 1, 7, share=1).tolist() == [7, 7, 2]
    assert relabel([1, 1, 2], 1, 7, share=0).tolist() == [1, 1, 2]
    assert relabel(["A", "B"], "A", "elsewhere", share=1).tolist() == ["elsewhere", "B"]
    assert relabel(np.array([None, 3], object), 3, "new", share=1).tolist() == [None, "new"]


@pytest.mark.parametrize(
    ("labels", "source", "target", "share", "message"),
    [
        (["A", "B"], "C", "B", 0.5, "no object has the label 'C'"),
        (["A", "B"], "A", "B", 1.5, "share=1.5; use a number from 0 to 1"),
        (["A", "B"], "A", "B", float("nan"), "share=nan; use a number from 0 to 1"),
        ([0, 1], 0, "B", 0.5, "target is 'B', but labels are of type int64"),
        (["A", "B"], "A", 7, 0.5, "target is 7, but labels are of type <U1"),
        ([0, 1], 0, 0.5, 0.5, "target is 0.5"),
        ([[0, 1]], 0, 1, 0.5, r"labels have shape \(1, 2\)"),
    ],
)
def test_relabel_refuses(labels, source, target, share, message):
    with pytest.raises(InputError, match=message):
        relabel(labels, source, target, share=share)
