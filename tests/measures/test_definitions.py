"""Every measure against its definition, written out with plain loops."""

from math import log

import pytest
from hypothesis import assume, given

import clusterwise as cw
from clusterwise.measures.catalogue import OF_LABELS
from helpers.soft_strategies import one_hot
from helpers.strategies import forced, label_pairs, on_each, require_several_clusters
from reference import measures as naive, transport as naive_transport

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
    cw.irm_score: lambda a, b: float(naive_transport.irm_at_one_pace(one_hot(a), one_hot(b))),
    cw.mallows_distance: lambda a, b: naive_transport.mallows(one_hot(a), one_hot(b)),
}


def test_every_measure_has_a_definition():
    scaled = {"normalized_mutual_info_score", "adjusted_mutual_info_score"}
    assert {measure.__name__ for measure in DEFINITIONS} | scaled == set(OF_LABELS)


@pytest.mark.parametrize("route", ["dense", "sparse"])
@given(pair=label_pairs(max_size=20))
@on_each(measure=DEFINITIONS)
def test_definition(measure, route, pair):
    with forced(route):
        assert measure(*pair) == pytest.approx(DEFINITIONS[measure](*pair), abs=1e-12)


@pytest.mark.parametrize("mean", naive.MEANS)
@given(pair=label_pairs(max_size=20))
def test_definitions_of_scaled_information(mean, pair):
    require_several_clusters(pair)
    shared, whole = naive.mutual_information(*pair), naive.MEANS[mean](*map(naive.entropy, pair))
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
    assert cw.mirkin_distance(*pair, normalized=True) == pytest.approx(naive.mirkin(*pair) / n**2)
    assert cw.van_dongen_distance(*pair, normalized=True) == pytest.approx(
        naive.van_dongen(*pair) / 2 / n
    )


@given(pair=label_pairs(max_size=20))
def test_definition_of_the_pair_confusion_matrix(pair):
    both, only_a, only_b, neither = naive.pair_counts(*pair)
    expected = [[2 * neither, 2 * only_b], [2 * only_a, 2 * both]]
    assert cw.pair_confusion_matrix(*pair).tolist() == expected
