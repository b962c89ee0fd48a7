"""Everything that takes ``random_state`` takes None, an int, a RandomState or a Generator."""

import inspect

import numpy as np
import pytest

import clusterwise as cw
from clusterwise import datasets
from clusterwise.alternatives.methods import ESTIMATORS
from clusterwise.consensus.methods import METHODS

PLANTED = datasets.make_alternatives(40, (2, 2), separation=3, random_state=0)
X, GIVEN = PLANTED.X, PLANTED.labels[:, 0]
LABELS = np.random.default_rng(0).integers(0, 3, (40, 6))
BINNING = cw.Binning().fit(X)
ALL, SOME = (cw.DensityProfile.from_data(X[:n], GIVEN[:n], binning=BINNING) for n in (40, 25))


def fit_alternative(name, given):
    options = {"n_base": 10} if name == "MetaClusterer" else {}

    def run(seed):
        return getattr(cw, name)(random_state=seed, **options).fit(X, given).alternatives_

    return run


def windows(seed):
    stream = cw.ClusteringStream(window=20, step=10, size="sample", random_state=seed)
    return [one.similarity for one in stream.run([(X, GIVEN)])]


RUNS = {
    **{f"{name} {y is None}": fit_alternative(name, y)
       for name in ESTIMATORS.values() for y in (GIVEN, None)},
    **{name: lambda seed, name=name: getattr(cw, name)(3, random_state=seed).fit(LABELS).labels_
       for name in ("CSPA", "EvidenceAccumulation", "HBGF", "HGPA", "LWEA", "LWGP", "MCLA",
                    "MedianPartition", "PhiConsensus")},
    **{f"combine {name}": lambda seed, name=name: cw.combine(
        LABELS, name, 3, random_state=seed).labels for name in METHODS},
    "CEM": lambda seed: cw.CEM(2, random_state=seed).fit(X).sample(5)[0],
    "ClusteringStream": windows,
    "adco_score": lambda seed: cw.adco_score(ALL, SOME, size="sample", random_state=seed),
    "adco_distance": lambda seed: cw.adco_distance(ALL, SOME, size="sample", random_state=seed),
    "adjusted": lambda seed: cw.adjusted(
        "purity_score", LABELS[:, 0], LABELS[:, 1], n_permutations=100, random_state=seed),
    "assess": lambda seed: cw.assess(
        X, GIVEN, n_resamples=10, n_null=19, random_state=seed).jaccards,
    "cluster_again": lambda seed: [
        one.labels for one in cw.cluster_again(X, GIVEN, random_state=seed)],
    "compare": lambda seed: list(cw.compare(
        LABELS[:, 0], LABELS[:, 1], X, significance=True, n_permutations=100, random_state=seed,
        measures=["purity_score", "adco_score"]).significance["adco_score"]),
    "compare_all": lambda seed: cw.compare_all(
        list(LABELS.T), measure="irm_score", significance=True, n_permutations=100,
        random_state=seed).p_values,
    "co_association_curve": lambda seed: cw.co_association_curve(
        LABELS, n_pairs=50, random_state=seed).proportions,
    "consensus_matrix": lambda seed: cw.consensus_matrix(
        LABELS, n_sample=20, random_state=seed).values,
    "make_ensemble": lambda seed: cw.make_ensemble(X, 4, random_state=seed).labels,
    "number_stability": lambda seed: cw.number_stability(
        LABELS, n_pairs=50, random_state=seed).numbers[0].pac,
    "make_coala_set": lambda seed: datasets.make_coala_set("A", seed).X,
    "recommend": lambda seed: cw.recommend(
        LABELS[:, 0], LABELS[:, 1], needs="objects", n_permutations=100, random_state=seed
    ).to_frame("pandas").astype(str),
    "relabel": lambda seed: datasets.relabel(GIVEN, 0, 1, random_state=seed),
    **{name: lambda seed, name=name: getattr(datasets, name)(random_state=seed).X.astype(str)
       for name in ("make_alternatives", "make_categorical_alternatives", "make_ds1", "make_ds2",
                    "make_mixed_alternatives")},
}  # fmt: skip


def test_the_list_is_complete():
    declared = {
        name
        for module in (cw, datasets)
        for name in module.__all__
        if (one := getattr(module, name)) and (inspect.isfunction(one) or inspect.isclass(one))
        if not (inspect.isclass(one) and issubclass(one, Exception))
        if "random_state" in inspect.signature(one).parameters
    }
    assert {name.partition(" ")[0] for name in RUNS} == declared


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", RUNS)
def test_every_kind_of_seed_works_and_repeats(name):
    def seeds():
        return [3, np.random.RandomState(3), np.random.default_rng(3)]

    run = RUNS[name]
    run(None)
    once, twice = ([run(seed) for seed in seeds()] for _ in range(2))
    for first, second in zip(once, twice, strict=True):
        np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(run(np.int64(3)), once[0])


@pytest.mark.parametrize("name", ["make_ensemble", "make_ds1", "adco_score", "combine phi"])
def test_other_seeds_are_refused(name):
    with pytest.raises(cw.InputError, match="random_state='x' is not a seed; use an integer"):
        RUNS[name]("x")
