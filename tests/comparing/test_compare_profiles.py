"""Comparisons of density profiles: the order of what they list."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise._utils.tables import format_share


def test_equal_differences_are_in_the_order_of_clusters_and_bins():
    """Also of so many that an unstable sort would exchange some."""
    bins = 40
    X = np.arange(2 * bins)[:, None] % bins + 0.5
    binning = cw.Binning.from_edges({"x": np.arange(bins + 1.0)})
    even = cw.DensityProfile.from_data(X, np.repeat([0, 1], bins), binning=binning)
    odd = cw.DensityProfile.from_data(
        np.where(X < 20, X, X - 20), np.repeat([0, 1], bins), binning=binning
    )
    regions = cw.compare_profiles(even, odd).regions
    names = [name for _, name in binning.bin_names() if name != "(missing)"]
    assert [abs(region.difference) for region in regions] == [1 / bins] * 2 * bins
    assert [(region.a, region.bin) for region in regions] == [(k, b) for k in (0, 1) for b in names]


def test_what_changed_most_is_said():
    binning = cw.Binning.from_edges({"x": [0.0, 1.0, 2.0]})
    labels = list("aaaabbbb")
    first, second = (
        cw.DensityProfile.from_data(np.array(x)[:, None], labels, binning=binning)
        for x in ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 1])
    )
    found = cw.compare_profiles(first, second, names=("old", "new"))
    assert found.summary() == (
        "Matched by name, b → b and a → a are dense in the same places (ADCO 0.88, cosine 0.97; 1 "
        "is identical). "
        "What changed most: 100% of a in old have x 0 to 1, against 75% of a in new."
    )
    same = cw.compare_profiles(first, first).summary()
    assert same.endswith("The matched clusters have equal proportions in every bin.")


def test_bins_in_words():
    """Values of categories, single values, missing values and values that were not seen."""
    binning = cw.Binning().fit(pd.DataFrame({"colour": list("rgrg"), "age": [7.0] * 4}))
    said = []
    for colour, age in (("rrrr", [7.0] * 4), ("rgrg", [None, None, None, 7]), ("bbbb", [7.0] * 4)):
        X = pd.DataFrame({"colour": list(colour), "age": age})
        before = pd.DataFrame({"colour": list("rgrg"), "age": [7.0] * 4})
        old, new = (
            cw.DensityProfile.from_data(one, [0] * 4, binning=binning) for one in (before, X)
        )
        said.append(cw.compare_profiles(old, new).sentences()[-1])
    assert said == [
        "What changed most: 50% of 0 in a have colour g, against 0% of 0 in b.",
        "What changed most: 100% of 0 in a have age 7, against 25% of 0 in b.",
        "What changed most: 0% of 0 in a have another colour, against 100% of 0 in b.",
    ]


@given(st.data())
def test_the_sentences_have_the_numbers_of_the_table(data):
    n = data.draw(st.integers(2, 12))
    values = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    binning = cw.Binning.from_edges({"x": [0.0, 1.0, 2.0, 3.0]})
    old, new = (
        cw.DensityProfile.from_data(
            np.array(data.draw(values), float)[:, None], data.draw(values), binning=binning
        )
        for _ in range(2)
    )
    found = cw.compare_profiles(old, new, names=("old", "new"))
    said = found.summary()
    adco, cosine = re.search(r"\(ADCO ([\d.]+), cosine ([\d.]+); 1 is identical\)", said).groups()
    assert float(adco) == pytest.approx(found.adco, abs=0.0051)
    assert float(cosine) == pytest.approx(found.cosine, abs=0.0051)
    words = re.search(r"dense in (.*) \(ADCO|matches", said).group(1)
    assert words is None or (words == "the same places") == (float(cosine) >= 0.9)
    changed = re.search(
        r"most: (\S+%) of (\d) in old have x (\d) to (\d), against (\S+%) of (\d) in new\.$", said
    )
    assert (changed is None) == (not found.regions)
    if changed is None:
        return
    in_old, in_new = changed[1], changed[5]
    a, low, b = int(changed[2]), int(changed[3]), int(changed[6])
    region = found.regions[0]
    assert (region.a, region.b) == (a, b)
    assert [in_old, in_new] == [format_share(region.share_of_a), format_share(region.share_of_b)]
    assert region.bin.startswith(f"[{low}, ")
    for profile, cluster, share in ((old, a, in_old), (new, b, in_new)):
        row = profile.names.tolist().index(cluster)
        assert share == format_share(profile.counts[row, low] / profile.sizes[row])


def year(*bins):
    """The profile of clusters of the same size, each in one bin of a feature."""
    binning = cw.Binning.from_edges({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0]})
    X = np.repeat([[place, 0] for _, place in bins], 10, axis=0)
    return cw.DensityProfile.from_data(
        X, np.repeat([name for name, _ in bins], 10), binning=binning
    )


def test_profiles_are_matched_by_name_if_names_mean_something():
    old = year(("gold", 0), ("silver", 1), ("basic", 2))
    moved = year(("gold", 1), ("silver", 0), ("basic", 2))
    found = cw.compare_profiles(old, moved, names=("old", "new"))
    assert (found.by, [(one.a, one.b) for one in found.matches]) == (
        "name",
        [("basic", "basic"), ("gold", "gold"), ("silver", "silver")],
    )
    assert found.sentences()[:2] == [
        "Matched by name, basic → basic, gold → gold and silver → silver are dense in partly the "
        "same places (ADCO 1.00, cosine 1.00 by the best matching; cosine 0.67 of these pairs; 1 "
        "is identical).",
        "The names seem to have changed meaning: by density, gold → silver and silver → gold match "
        "better (cosine 1.00). If they only number the clusters of two runs, compare with "
        'match="overlap".',
    ]
    assert found.adco == cw.adco_score(old, moved) == 1
    by_density = cw.compare_profiles(old, moved, match="overlap")
    assert {(one.a, one.b) for one in by_density.matches} == {
        ("gold", "silver"), ("silver", "gold"), ("basic", "basic"),
    }  # fmt: skip
    assert by_density.sentences()[0].endswith("(ADCO 1.00, cosine 1.00; 1 is identical).")


def test_names_that_mean_the_same_are_not_said_to_have_changed():
    old = year(("gold", 0), ("silver", 1), ("basic", 2))
    found = cw.compare_profiles(old, year(("silver", 1), ("gold", 0), ("basic", 2)))
    assert not any("changed meaning" in sentence for sentence in found.sentences())


def test_numbers_of_profiles_are_matched_by_density():
    found = cw.compare_profiles(year((0, 0), (1, 1)), year((0, 1), (1, 0)))
    assert (found.by, {(one.a, one.b) for one in found.matches}) == ("overlap", {(0, 1), (1, 0)})
    by_name = cw.compare_profiles(year((0, 0), (1, 1)), year((0, 1), (1, 0)), match="name")
    assert {(one.a, one.b) for one in by_name.matches} == {(0, 0), (1, 1)}


def test_noise_of_profiles_is_never_matched():
    old, new = year((-1, 0), (0, 1), (1, 2)), year((0, 0), (1, 2), (-1, 1))
    found = cw.compare_profiles(old, new, names=("old", "new"))
    assert {(one.a, one.b) for one in found.matches} == {(0, 0), (1, 1)}
    assert found.cluster_counts == (2, 2)
    assert "with noise as a cluster; 1 is identical" in found.sentences()[0]
    assert found.adco == cw.adco_score(old, new)
    kept = cw.compare_profiles(old, new, noise_label=None)
    assert (-1, 0) in {(one.a, one.b) for one in kept.matches}


@pytest.mark.parametrize("match", ["auto", "name", "overlap"])
@given(data=st.data())
def test_scores_of_matched_profiles_are_those_of_the_pairs(match, data):
    """Those of the sentence, from the counts of the matched clusters and of noise."""
    names = ["x", "y", "z", "-1"]
    labels = st.lists(st.sampled_from(names), min_size=12, max_size=12)
    values = st.lists(st.integers(0, 2), min_size=12, max_size=12)
    binning = cw.Binning.from_edges({"x": [0.0, 1.0, 2.0, 3.0]})
    old, new = (
        cw.DensityProfile.from_data(
            np.array(data.draw(values), float)[:, None], data.draw(labels), binning=binning
        )
        for _ in range(2)
    )
    try:
        found = cw.compare_profiles(old, new, match=match, noise_label="-1")
    except cw.InputError:
        assert match == "name"
        assert not set(old.names.tolist()) & set(new.names.tolist()) - {"-1"}
        return
    pairs = [(one.a, one.b) for one in found.matches]
    assert not any("-1" in pair for pair in pairs)
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    row = [{name: one.counts[k] for k, name in enumerate(one.names.tolist())} for one in (old, new)]
    if "-1" in row[0] and "-1" in row[1]:
        pairs.append(("-1", "-1"))
    similarity = sum(int(row[0][a] @ row[1][b]) for a, b in pairs)
    own = [sum(int(one @ one) for one in side.values()) for side in row]
    norm = np.sqrt(own[0] * own[1])
    said = re.search(
        r"\(ADCO ([\d.]+), cosine ([\d.]+)(?: by the best matching; cosine ([\d.]+) of these)?",
        found.summary(),
    )
    assert float(said[3] or said[2]) == pytest.approx(similarity / norm, abs=0.0051)
    assert float(said[1]) == pytest.approx(cw.adco_score(old, new), abs=0.0051)
    assert float(said[2]) == pytest.approx(cw.profile_cosine_score(old, new), abs=0.0051)


def test_clusters_of_a_name_are_matched_although_they_share_no_bin():
    binning = cw.Binning.from_edges({"x": [0.0, 1.0, 2.0]})
    old, new = (
        cw.DensityProfile.from_data([[place]] * 4, ["gold"] * 4, binning=binning)
        for place in (0, 1)
    )
    found = cw.compare_profiles(old, new, names=("old", "new"))
    assert found.summary() == (
        "Matched by name, gold → gold is dense in different places (ADCO 0.00, cosine 0.00; 1 is "
        "identical). What changed most: 100% of gold in old have x 0 to 1, against 0% of gold in "
        "new."
    )


def test_what_changed_is_said_in_the_bins_that_are_shown():
    """A skewed feature has fewer bins of equal counts, so that those after it are elsewhere."""
    random = np.random.default_rng(0)
    a = np.arange(400) % 2
    b = np.where(random.random(400) < 0.3, 1 - a, a)
    orders = random.poisson(np.exp(random.normal(0, 1.5, 400)))
    found = cw.compare(a, b, pd.DataFrame({"orders": orders, "plan": np.array(["x", "y"])[a]}))
    density = found.density
    assert density.binning.features[0].size < density.a.binning.features[0].size
    region = density.regions[0]
    assert region.feature == "plan"
    assert f" have plan {region.bin}, against" in density.summary()


@pytest.mark.parametrize(
    ("old", "new", "dates", "told"),
    [
        ([0.5, 1.5], 95.0, False, "x 2 or more"),
        ([1.5, 2.5], -5.0, False, "x below 1"),
        ([1.5, 2.5], 0.5, False, "x 0 to 1"),
        ([0.5, 1.5], 9.0, True, "x 1970-01-03 or later"),
        ([1.5, 2.5], -9.0, True, "x before 1970-01-02"),
    ],
)
def test_values_outside_of_the_bins_are_in_what_changed(old, new, dates, told):
    def frame(values):
        return pd.DataFrame({"x": pd.to_datetime(values, unit="D") if dates else values})

    binning = cw.Binning(n_bins=3).fit(frame([0.0, 3.0]))
    a, b = (
        cw.DensityProfile.from_data(frame(values), ["k", "k"], binning=binning)
        for values in (old, [new, new])
    )
    assert f"0% of k in a have {told}, against 100% of k in b." in (
        cw.compare_profiles(a, b, names=("a", "b")).summary()
    )
