"""Comparisons of density profiles: the order of what they list."""

import numpy as np

import clusterwise as cw


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


def test_the_largest_difference_is_said():
    binning = cw.Binning.from_edges({"x": [0.0, 1.0, 2.0]})
    labels = list("aaaabbbb")
    first, second = (
        cw.DensityProfile.from_data(np.array(x)[:, None], labels, binning=binning)
        for x in ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 1])
    )
    found = cw.compare_profiles(first, second, names=("old", "new"))
    said = (
        "The largest difference is in x, bin [0, 1): it contains 100.0% of cluster a of old, and "
        "75.0% of cluster a of new."
    )
    assert said in found.summary()
    assert "largest difference" not in cw.compare_profiles(first, first).summary()
