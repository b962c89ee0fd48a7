"""The page of a comparison of density profiles."""

import numpy as np
import pytest

import clusterwise as cw
from helpers.page_contents import blocks, page_of, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def profile_comparison(features=2, clusters=(3, 2), n=120):
    random = np.random.default_rng(0)
    X = random.uniform(0, 9, (n, features))
    binning = cw.Binning(n_bins=3).fit(X)
    return cw.compare_profiles(
        *(cw.DensityProfile.from_data(X, np.arange(n) % k, binning=binning) for k in clusters),
        names=("last", "this"),
    )


@pytest.mark.parametrize(
    ("clusters", "said"),
    [
        ((2, 2), []),
        ((3, 2), ["Of last, 1 cluster is not matched."]),
        ((2, 4), ["Of this, 2 clusters are not matched."]),
    ],
)
def test_clusters_of_profiles_without_a_match_are_counted(clusters, said):
    found = profile_comparison(clusters=clusters)
    page = page_of(found)
    (table,) = blocks(page, "Matched clusters")
    assert [one for one in page.verdict if "not matched" in one] == said
    assert len(table.rows) == 2
    assert tiles(page) == {
        "ADCO, the similarity of density profiles, 0 to 1": f"{found.adco:.2f}",
        "cosine similarity, which ignores sizes, 0 to 1": f"{found.cosine:.2f}",
        "objects": "120 → 120",
        "clusters": f"{clusters[0]} → {clusters[1]}",
    }


@pytest.mark.parametrize(("clusters", "title"), [(25, ""), (26, "First 25 of 26 matches")])
def test_at_most_twenty_five_matches_of_profiles_are_listed(clusters, title):
    found = profile_comparison(clusters=(clusters, clusters), n=520)
    (table,) = tables(page_of(found), "Matched clusters")
    assert (len(table.rows), table.title) == (25, title)
    assert [row[0] for row in table.rows] == [str(match.a) for match in found.matches[:25]]


@pytest.mark.parametrize(("features", "shown"), [(25, ""), (26, " (first 25 of 26)")])
def test_at_most_twenty_five_features_of_profiles_are_listed(features, shown):
    found = profile_comparison(features)
    (table,) = tables(page_of(found), "Features")
    assert table.title == f"Contribution to the similarity{shown}"
    proportions = sorted(found.feature_proportions.values(), reverse=True)
    assert [row[1] for row in table.rows] == [f"{part:.1%}" for part in proportions[:25]]
