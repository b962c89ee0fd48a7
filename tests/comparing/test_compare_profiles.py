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
        "b → b and a → a are dense in the same places (ADCO 0.88, cosine 0.97; 1 is identical). "
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
