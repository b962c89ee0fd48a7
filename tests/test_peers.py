"""Measures against their definitions and against other packages, at 1e-9.

igraph, genieclust and CluSim were written by others from the same papers. Where a
peer defines something else under the same name, the test says so.
"""

import warnings
from math import log

import numpy as np
import pytest
from hypothesis import assume, given

import clusterwise as cw
import naive
from strategies import forced, label_pairs

igraph = pytest.importorskip("igraph", reason="igraph is a peer to compare with")
genieclust = pytest.importorskip("genieclust", reason="genieclust is a peer to compare with")
with warnings.catch_warnings():
    # CluSim's docstrings hold backslashes that Python compiles with a warning.
    warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)
    warnings.filterwarnings("ignore", "invalid escape sequence", SyntaxWarning)
    clusim = pytest.importorskip("clusim.sim", reason="CluSim is a peer to compare with")
    from clusim.clustering import Clustering

DEFINITIONS = {
    cw.rand_score: naive.rand,
    cw.adjusted_rand_score: naive.adjusted_rand,
    cw.pair_jaccard_score: naive.jaccard,
    cw.fowlkes_mallows_score: naive.fowlkes_mallows,
    cw.wallace_score: naive.wallace,
    cw.mirkin_distance: naive.mirkin,
    cw.mutual_info_score: naive.mutual_information,
    cw.variation_of_information: naive.variation_of_information,
    cw.homogeneity_score: naive.homogeneity,
    cw.completeness_score: naive.completeness,
    cw.v_measure_score: naive.v_measure,
    cw.cluster_accuracy_score: naive.accuracy,
    cw.clustering_error: lambda a, b: 1 - naive.accuracy(a, b),
    cw.van_dongen_distance: naive.van_dongen,
    cw.purity_score: naive.purity,
    cw.matching_f_score: naive.matching_f,
}
MEANS = {
    "min": min,
    "max": max,
    "arithmetic": lambda first, second: (first + second) / 2,
    "geometric": lambda first, second: (first * second) ** 0.5,
}
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


def each(measures):
    return pytest.mark.parametrize("measure", measures, ids=lambda measure: measure.__name__)


def require_several_clusters(pair):
    """Where a clustering is trivial the packages choose values of their own."""
    for side in pair:
        assume(1 < len(set(side)) < len(side))


def clusim_pair(pair):
    return [Clustering().from_membership_list(side) for side in pair]


def long_pair():
    random = np.random.default_rng(11)
    a = random.integers(0, 40, 20_000)
    return a, np.where(random.random(20_000) < 0.5, a // 2, random.integers(0, 30, 20_000))


@each(DEFINITIONS)
@pytest.mark.parametrize("route", ["dense", "sparse"])
@given(pair=label_pairs(max_size=20))
def test_definition(measure, route, pair):
    with forced(route):
        assert measure(*pair) == pytest.approx(DEFINITIONS[measure](*pair), abs=1e-12)


@pytest.mark.parametrize("mean", MEANS)
@given(pair=label_pairs(max_size=20))
def test_definitions_of_scaled_information(mean, pair):
    require_several_clusters(pair)
    shared, whole = naive.mutual_information(*pair), MEANS[mean](*map(naive.entropy, pair))
    found = cw.normalized_mutual_info_score(*pair, average_method=mean)
    assert found == pytest.approx(shared / whole, abs=1e-12)
    sizes = [[side.count(label) for label in set(side)] for side in pair]
    chance = float(naive.expected_information(*sizes))
    assume(whole - chance > 1e-6)
    found = cw.adjusted_mutual_info_score(*pair, average_method=mean)
    assert found == pytest.approx((shared - chance) / (whole - chance), abs=1e-9)


@given(pair=label_pairs(min_size=2, max_size=20))
def test_definitions_of_normalised_distances(pair):
    n, distance = len(pair.a), naive.variation_of_information(*pair)
    clusters = log(len(set(pair.a))) + log(len(set(pair.b)))
    joint = naive.entropy([*zip(*pair, strict=True)])
    for bound, name in ((log(n), "objects"), (clusters, "clusters"), (joint, "joint")):
        found = cw.variation_of_information(*pair, normalized=name)
        assert found == pytest.approx(distance / bound if bound else 0.0, abs=1e-12)
    assert cw.mirkin_distance(*pair, normalized=True) == close(naive.mirkin(*pair) / n**2)
    assert cw.van_dongen_distance(*pair, normalized=True) == close(naive.van_dongen(*pair) / 2 / n)


@given(pair=label_pairs(max_size=20))
def test_definition_of_the_pair_confusion_matrix(pair):
    both, only_a, only_b, neither = naive.pair_counts(*pair)
    expected = [[2 * neither, 2 * only_b], [2 * only_a, 2 * both]]
    assert cw.pair_confusion_matrix(*pair).tolist() == expected


@each(GENIECLUST)
@given(pair=label_pairs())
def test_genieclust(measure, pair):
    require_several_clusters(pair)
    theirs = getattr(genieclust.compare_partitions, GENIECLUST[measure])
    assert measure(*pair) == close(theirs(np.array(pair.a), np.array(pair.b)))


@each(GENIECLUST)
def test_genieclust_on_many_objects(measure):
    a, b = long_pair()
    theirs = getattr(genieclust.compare_partitions, GENIECLUST[measure])
    assert measure(a, b) == close(theirs(a, b))


@each(IGRAPH)
@given(pair=label_pairs(min_size=2))
def test_igraph(measure, pair):
    require_several_clusters(pair)
    assert measure(*pair) == close(igraph.compare_communities(*pair, method=IGRAPH[measure]))


@each(IGRAPH)
def test_igraph_on_many_objects(measure):
    a, b = (side.tolist() for side in long_pair())
    assert measure(a, b) == close(igraph.compare_communities(a, b, method=IGRAPH[measure]))


@each(CLUSIM)
@given(pair=label_pairs(min_size=2))
def test_clusim(measure, pair):
    """CluSim gives 0 to two equal trivial clusterings, where ours are 1."""
    require_several_clusters(pair)
    assert measure(*pair) == close(getattr(clusim, CLUSIM[measure])(*clusim_pair(pair)))


@each(CLUSIM_IN_BITS)
@given(pair=label_pairs(min_size=2))
def test_clusim_in_bits(measure, pair):
    """CluSim takes logarithms to base 2, we take natural ones."""
    bits = getattr(clusim, CLUSIM_IN_BITS[measure])(*clusim_pair(pair))
    assert measure(*pair) == close(bits * log(2))


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
    whole = MEANS[mean](*map(naive.entropy, pair))
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
