"""Measures against other packages, at 1e-9.

igraph, genieclust and CluSim were written by others from the same papers. Where a
peer defines something else under the same name, the test says so.
"""

import warnings
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from sklearn.metrics import cluster as sklearn_cluster

import clusterwise as cw
from helpers.strategies import (
    each,
    label_pairs,
    max_examples,
    on_each,
    require_several_clusters,
)
from reference import measures as naive

ot = pytest.importorskip("ot")
igraph = pytest.importorskip("igraph", reason="igraph is a peer to compare with")
genieclust = pytest.importorskip("genieclust", reason="genieclust is a peer to compare with")
with warnings.catch_warnings():
    # CluSim's docstrings hold backslashes that Python compiles with a warning.
    warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)
    warnings.filterwarnings("ignore", "invalid escape sequence", SyntaxWarning)
    clusim = pytest.importorskip("clusim.sim", reason="CluSim is a peer to compare with")
    from clusim.clustering import Clustering

GENIECLUST = {
    cw.rand_score: "rand_score",
    cw.adjusted_rand_score: "adjusted_rand_score",
    cw.fowlkes_mallows_score: "fm_score",
    cw.mutual_info_score: "mi_score",
    cw.normalized_mutual_info_score: "normalized_mi_score",
    cw.adjusted_mutual_info_score: "adjusted_mi_score",
}
IGRAPH = {
    cw.rand_score: "rand",
    cw.adjusted_rand_score: "adjusted_rand",
    cw.normalized_mutual_info_score: "nmi",
    cw.variation_of_information: "vi",
    cw.van_dongen_distance: "split-join",
}
CLUSIM = {
    cw.rand_score: "rand_index",
    cw.adjusted_rand_score: "adjrand_index",
    cw.pair_jaccard_score: "jaccard_index",
    cw.fowlkes_mallows_score: "fowlkes_mallows_index",
}
CLUSIM_IN_BITS = {cw.mutual_info_score: "mi", cw.variation_of_information: "vi"}


def close(value):
    return pytest.approx(float(value), rel=1e-9, abs=1e-9)


def clusim_pair(pair):
    return [Clustering().from_membership_list(side) for side in pair]


def long_pair():
    random = np.random.default_rng(11)
    a = random.integers(0, 40, 20_000)
    return a, np.where(random.random(20_000) < 0.5, a // 2, random.integers(0, 30, 20_000))


@given(pair=label_pairs())
@on_each(measure=GENIECLUST)
def test_genieclust(measure, pair):
    require_several_clusters(pair)
    theirs = getattr(genieclust.compare_partitions, GENIECLUST[measure])
    assert measure(*pair) == close(theirs(np.array(pair.a), np.array(pair.b)))


@each(GENIECLUST)
def test_genieclust_on_many_objects(measure):
    a, b = long_pair()
    theirs = getattr(genieclust.compare_partitions, GENIECLUST[measure])
    assert measure(a, b) == close(theirs(a, b))


@given(pair=label_pairs(min_size=2))
@on_each(measure=IGRAPH)
def test_igraph(measure, pair):
    require_several_clusters(pair)
    assert measure(*pair) == close(igraph.compare_communities(*pair, method=IGRAPH[measure]))


@each(IGRAPH)
def test_igraph_on_many_objects(measure):
    a, b = (side.tolist() for side in long_pair())
    assert measure(a, b) == close(igraph.compare_communities(a, b, method=IGRAPH[measure]))


@given(pair=label_pairs(min_size=2))
@on_each(measure=CLUSIM)
def test_clusim(measure, pair):
    """CluSim gives 0 to two equal trivial clusterings, where ours are 1."""
    require_several_clusters(pair)
    assert measure(*pair) == close(getattr(clusim, CLUSIM[measure])(*clusim_pair(pair)))


@given(pair=label_pairs(min_size=2))
@on_each(measure=CLUSIM_IN_BITS)
def test_clusim_in_bits(measure, pair):
    """CluSim takes logarithms to base 2, we take natural ones."""
    bits = getattr(clusim, CLUSIM_IN_BITS[measure])(*clusim_pair(pair))
    assert measure(*pair) == close(bits * log(2))


@pytest.mark.parametrize(
    ("model", "reference", "theirs"),
    [("permutation", None, "perm"), ("fixed_number", None, "num"), ("fixed_number", "b", "num1"),
     ("all", None, "all"), ("all", "b", "all1")],
)  # fmt: skip
@max_examples(20)
@given(pair=label_pairs(min_size=4, max_size=15))
def test_clusim_models_of_chance(model, reference, theirs, pair):
    require_several_clusters(pair)
    sides = clusim_pair(pair)
    options = {"model": model, "reference": reference}
    expected = clusim.adjrand_index(*sides, random_model=theirs)
    assert cw.adjusted("rand_score", *pair, **options) == close(expected)
    expected = clusim.adj_mi(*sides, random_model=theirs)
    assert cw.adjusted("mutual_info_score", *pair, **options) == close(expected)


@pytest.mark.parametrize(
    ("mean", "theirs"),
    [("arithmetic", "sum"), ("max", "max"), ("min", "min"), ("geometric", "sqrt")],
)
@given(pair=label_pairs(min_size=2, max_size=15))
def test_clusim_scaled_information(mean, theirs, pair):
    require_several_clusters(pair)
    sides = clusim_pair(pair)
    ours = cw.normalized_mutual_info_score(*pair, average_method=mean)
    assert ours == close(clusim.nmi(*sides, norm_type=theirs))
    whole = naive.MEANS[mean](*map(naive.entropy, pair))
    sizes = [[side.count(label) for label in set(side)] for side in pair]
    assume(whole - naive.expected_information(*sizes) > 1e-3)
    ours = cw.adjusted_mutual_info_score(*pair, average_method=mean)
    assert ours == close(clusim.adj_mi(*sides, norm_type=theirs))


@given(pair=label_pairs(min_size=2))
def test_clusim_purity(pair):
    """CluSim looks for classes in the clusters of whichever clustering has fewer."""
    a, b = pair if len(set(pair.b)) <= len(set(pair.a)) else (pair.b, pair.a)
    assert cw.purity_score(a, b) == close(clusim.purity_index(*clusim_pair(pair)))


@given(pair=label_pairs(min_size=2))
def test_clusim_f_measure(pair):
    """CluSim's F-measure is that of pairs, not of clusters as in matching_f_score."""
    jaccard = cw.pair_jaccard_score(*pair)
    assume(any(naive.pair_counts(*pair)[:3]))
    assert 2 * jaccard / (1 + jaccard) == close(clusim.fmeasure(*clusim_pair(pair)))


@given(pair=label_pairs(min_size=2))
def test_scikit_learn_divides_zero_by_zero_for_singletons(pair):
    """Random clusterings reach the smaller entropy, too; scikit-learn divides rounding errors."""
    singletons = range(len(pair.a))
    assume(len(set(pair.a)) > 1)
    assert cw.adjusted_mutual_info_score(pair.a, singletons, average_method="min") == 1
    ours = cw.adjusted_mutual_info_score(pair.a, singletons, average_method="max")
    theirs = sklearn_cluster.adjusted_mutual_info_score(pair.a, singletons, average_method="max")
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_pot_needs_costs_that_are_not_negative():
    half, cost = np.array([0.5, 0.5]), np.array([[-5.0, -3.0], [-3.0, -2.0]])
    with pytest.warns(UserWarning, match="Problem infeasible"):
        assert ot.emd2(half, half, cost) == 0
    assert ot.emd2(half, half, cost - cost.min()) + cost.min() == pytest.approx(-3.5)


# Printed by R 4.2 with clue 0.3-64 and mclust 6.0: Mallows, purity and classError(b, a).
BY_R = [
    ([1, 2, 2], [1, 1, 1], 2, 1, 1 / 3),
    ([1, 2, 2, 2], [1, 1, 1, 2], 4, 0.75, 0.25),
    ([1, 2, 3, 4, 1, 4], [1, 2, 3, 1, 2, 3], 6, 2 / 3, 0.5),
    ([1, 2, 1, 3, 4, 5, 4], [1, 2, 3, 4, 4, 3, 1], 6, 5 / 7, 3 / 7),
    ([1, 1, 2, 3, 3, 2, 4, 1], [1, 2, 1, 2, 1, 2, 1, 1], 10, 0.625, 0.625),
]


@pytest.mark.parametrize(("a", "b", "mallows", "purity", "error"), BY_R)
def test_clue_and_mclust(a, b, mallows, purity, error):
    assert 2 * len(a) * cw.clustering_error(a, b) == pytest.approx(mallows)
    assert cw.purity_score(b, a) == pytest.approx(purity)
    assert 1 - min(cw.purity_score(a, b), cw.purity_score(b, a)) == pytest.approx(error)
