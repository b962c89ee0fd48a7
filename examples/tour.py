"""The tour: clusterings of the wine data, against the classes, each other, and another year's."""

import pandas as pd
from rich.console import Console
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import clusterwise as cw


def main() -> None:
    """Compare clusterings of the same wines, then of wines that have nothing in common."""
    console = Console()
    wine = load_wine(as_frame=True)
    cultivar = wine.target_names[wine.target]
    compare_algorithms(console, wine.data, cultivar)
    compare_mixtures(console, wine.data)
    compare_years(console, wine.data)
    cluster_again(console, wine.data, cultivar)
    combine(console, wine.data, cultivar)


def compare_algorithms(console: Console, wines: pd.DataFrame, cultivar: pd.Series) -> None:
    """Three algorithms, the true classes, and who agrees with whom."""
    X = StandardScaler().fit_transform(wines)
    clusterings = {
        "cultivar": cultivar,
        "k-means": KMeans(3, n_init=10, random_state=0).fit_predict(X),
        "mixture": GaussianMixture(3, n_init=10, random_state=0).fit_predict(X),
        "average linkage": AgglomerativeClustering(3, linkage="average").fit_predict(X),
    }
    console.rule("[bold]Compare[/bold]: four groupings of the same 178 wines")
    console.print(
        f"178 wines, {X.shape[1]} chemical measurements, 3 cultivars. Three algorithms group the\n"
        "wines without knowing the cultivar. Which of them found it, and do they agree?\n"
    )
    matrix = cw.compare_all(clusterings)
    console.print(matrix)
    first, second, value = matrix.pairs()[0]
    console.print(f"Closest: {first} and {second} (adjusted Rand index {value:.2f}).\n")

    console.rule("[bold]k-means[/bold] against the cultivars")
    console.print(cw.compare(cultivar, clusterings["k-means"], X, names=("cultivar", "k-means")))
    console.print()
    console.rule("[bold]average linkage[/bold] against the cultivars")
    comparison = matrix.compare("cultivar", "average linkage")
    console.print(comparison.table)
    console.print(comparison.reading())
    console.print()


def compare_mixtures(console: Console, wines: pd.DataFrame) -> None:
    """Two soft clusterings: EM, and CEM, which gives every wine to one component as it goes."""
    X = StandardScaler().fit_transform(wines)
    names = ["em", "cem"]
    models = [GaussianMixture(3, random_state=1), cw.CEM(3, random_state=1)]
    P, Q = (model.set_params(covariance_type="diag").fit(X).predict_proba(X) for model in models)
    console.rule("[bold]Soft clusterings[/bold]: EM against CEM")
    console.print(
        "A mixture gives every wine a share in each component. Memberships are compared as\n"
        "they are, without choosing a label first:\n"
    )
    soft = ["mallows_distance", "irm_score", "css_distance", "variation_of_information"]
    comparison = cw.compare(P, Q, X, names=(names[0], names[1]), measures=soft)
    console.print(comparison)
    most = comparison.contributors(3)
    wines_named = ", ".join(f"{one.object} ({one.share:.1%})" for one in most)
    console.print(f"Wines that add most to the CSS distance: {wines_named}.\n")


def compare_years(console: Console, wines: pd.DataFrame) -> None:
    """Two halves of the data, clustered by themselves: no wine in common."""
    halves = {"last year": wines.iloc[::2], "this year": wines.iloc[1::2]}
    binning = cw.Binning(n_bins=5).fit(wines)
    profiles = {}
    for year, half in halves.items():
        scaled = StandardScaler().fit_transform(half)
        segments = KMeans(3, n_init=10, random_state=1).fit_predict(scaled)
        letters = [f"{year[0].upper()}{segment + 1}" for segment in segments]
        profiles[year] = cw.DensityProfile.from_data(half, letters, binning=binning)
    console.rule("[bold]No object in common[/bold]: last year's segments against this year's")
    console.print(
        "Half of the wines are last year's, half this year's; each year was segmented by itself.\n"
        "Counting shared objects is impossible, but segments can be dense in the same places:\n"
    )
    console.print(profiles["last year"])
    found = cw.compare_profiles(*profiles.values(), names=("last year", "this year"))
    pairs = "; ".join(f"{match.a} is now {match.b} ({match.cosine:.2f})" for match in found.matches)
    console.print(f"Matched by where they are dense (cosine): {pairs}.")
    console.print(found)
    carried = sorted(found.attribute_shares.items(), key=lambda item: -item[1])
    console.print(f"ADCO {found.adco:.2f}. Most alike in {carried[0][0]} and {carried[1][0]}.")


def cluster_again(console: Console, wines: pd.DataFrame, cultivar: pd.Series) -> None:
    """Group the wines in another good way, other than by their cultivars."""
    X = StandardScaler().fit_transform(wines)
    console.rule("[bold]Cluster again[/bold]: another grouping of the wines, not by cultivar")
    console.print("Several methods are tried; what is best, and differs, is kept:\n")
    console.print(cw.cluster_again(X, cultivar, random_state=0))
    console.print(
        "COALA merges wines that are alike, but prefers those that the cultivars keep apart:\n"
    )
    found = cw.cluster_again(X, cultivar, "coala")
    console.print(found)
    best = found[0]
    letters = [f"G{label + 1}" for label in best.labels]
    comparison = cw.compare(cultivar, letters, names=("cultivar", "again"), measures=[])
    console.print(comparison.table)
    about = [cw.separating_attributes(wines, labels)[:3] for labels in (cultivar, best.labels)]
    for what, attributes in zip(("The cultivars", "The new groups"), about, strict=True):
        names = ", ".join(f"{one.attribute} ({one.score:.2f})" for one in attributes)
        console.print(f"{what} differ most in {names}.")
    curve = cw.tradeoff_curve(X, cultivar, [0.0, 0.4, 0.6, 0.8, 1.0], min_cluster_size=0.02)
    console.print(curve)
    console.print(
        "MAXIMUS wants groups that take the same share of each cultivar, and spread little:\n"
    )
    other = cw.cluster_again(X, cultivar, "maximus", random_state=0)
    console.print(other)
    letters = [f"M{label + 1}" for label in other[0].labels]
    console.print(cw.compare(cultivar, letters, names=("cultivar", "MAXIMUS"), measures=[]).table)


def combine(console: Console, wines: pd.DataFrame, cultivar: pd.Series) -> None:
    """One clustering from many: none of them is good by itself."""
    X = StandardScaler().fit_transform(wines)
    ensemble = cw.make_ensemble(X, random_state=0, progress=False)
    found = cw.combine(ensemble, n_clusters=3, random_state=0)
    members = [cw.adjusted_rand_score(cultivar, labels) for labels in ensemble.labels.T]
    console.rule("[bold]Combine[/bold]: one clustering from many")
    console.print(
        f"{len(members)} k-means of the wines, with other features, weights and numbers of "
        f"clusters,\nagree with the cultivars by {sum(members) / len(members):.2f} on average "
        "(adjusted Rand index).\n"
    )
    console.print(found.grid().title or "")
    agreed = cw.adjusted_rand_score(cultivar, found.labels)
    console.print(f"What they have in common agrees by {agreed:.2f}.")


if __name__ == "__main__":
    main()
