"""The tour: compare, cluster again, combine and follow a stream, on wines and on customers."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import clusterwise as cw
from clusterwise.datasets import make_alternatives

BARS = "▁▂▃▄▅▆▇█"
REPORT = "report.html"


def main() -> None:
    """Show the main functions in the terminal, and write a report with plots."""
    console = Console(width=96)
    wine = load_wine(as_frame=True)
    wines, cultivar = wine.data, wine.target_names[wine.target]
    X = StandardScaler().set_output(transform="pandas").fit_transform(wines)
    compare(console, X, cultivar)
    compare_years(console, wines)
    comparison = cluster_again(console, X, cultivar)
    combine(console, X, cultivar)
    follow_stream(console, X)
    comparison.report(REPORT, title="Customers by segment, and an alternative")
    console.rule("[bold]Report[/bold]: both clusterings side by side", align="left")
    console.print(f"Open {REPORT} in a browser: the comparison with the alternative, with plots.")


def compare(console: Console, X: pd.DataFrame, cultivar: Sequence[str]) -> None:
    """Compare three clusterings with the cultivars, and with each other."""
    clusterings = {
        "cultivar": cultivar,
        "k-means": KMeans(3, n_init=10, random_state=0).fit_predict(X),
        "mixture": GaussianMixture(3, n_init=10, random_state=0).fit_predict(X),
        "linkage": AgglomerativeClustering(3, linkage="average").fit_predict(X),
    }
    console.rule(
        "[bold]Compare[/bold]: three algorithms and the cultivars of 178 wines", align="left"
    )
    matrix = cw.compare_all(clusterings)
    console.print(bar_table(["adjusted Rand index", *matrix.names], matrix.names, matrix.values))
    for name in ("k-means", "linkage"):
        console.print(matrix.compare("cultivar", name).summary())
    console.print()


def compare_years(console: Console, wines: pd.DataFrame) -> None:
    """Compare two years' segments, which have no object in common, by their density profiles."""
    halves = {"last": wines.iloc[::2], "this": wines.iloc[1::2]}
    bins = cw.Binning(n_bins=8).fit(wines)
    profiles = []
    for year, half in halves.items():
        scaled = StandardScaler().fit_transform(half)
        segments = KMeans(3, n_init=10, random_state=1).fit_predict(scaled)
        letters = [f"{year[0].upper()}{segment + 1}" for segment in segments]
        profiles.append(cw.DensityProfile.from_data(half, letters, binning=bins))
    found = cw.compare_profiles(*profiles, names=("last year", "this year"))
    console.rule(
        "[bold]Compare different objects[/bold]: last year's segments and this year's", align="left"
    )
    table = Table("last year", "this year", "cosine", "alcohol last year", "this year", box=None)
    first, second = (dict(zip(one.names.tolist(), one.counts, strict=True)) for one in profiles)
    for match in found.matches:
        cells = [bars(counts[:8]) for counts in (first[match.a], second[match.b])]
        table.add_row(match.a, match.b, f"{match.cosine:.2f}", *cells)
    console.print(table)
    region = found.regions[0]
    console.print(
        f"The profiles are similar (ADCO {found.adco:.2f}; 1 is identical). Largest difference: "
        f"{region.share_of_a:.0%} of {region.a} had {region.feature} in {region.bin} last "
        f"year, {region.share_of_b:.0%} of {region.b} this year.\n"
    )


def cluster_again(console: Console, X: pd.DataFrame, cultivar: Sequence[str]) -> cw.Comparison:
    """Find another segmentation of customers, and none of the wines."""
    console.rule(
        "[bold]Cluster again[/bold]: a good clustering that is not the given one", align="left"
    )
    planted = make_alternatives(600, (3, 4), separation=6, random_state=1)
    customers = pd.DataFrame(planted.X, columns=["amount", "orders", "evening", "weekend"])
    names = np.array(["small", "medium", "large"])[planted.labels[:, 0]]
    segment = pd.Series(names, name="segment")
    found = cw.cluster_again(customers, segment, random_state=0)
    console.print(found.summary())
    console.print("\nThe same for the wines, whose cultivars are given:")
    known = pd.Series(cultivar, name="cultivar")
    console.print(cw.cluster_again(X, known, random_state=0).summary())
    console.print()
    return cw.compare(segment, found[0].labels, customers, names=("segment", "alternative"))


def combine(console: Console, X: pd.DataFrame, cultivar: Sequence[str]) -> None:
    """Combine many poor clusterings into a good one."""
    ensemble = cw.make_ensemble(X, random_state=0, progress=False)
    found = cw.combine(ensemble, n_clusters=3, random_state=0)
    scores = sorted(cw.adjusted_rand_score(cultivar, labels) for labels in ensemble.labels.T)
    agreed = cw.adjusted_rand_score(cultivar, found.labels)
    console.rule("[bold]Combine[/bold]: the consensus of many clusterings", align="left")
    console.print(
        f"{len(scores)} runs of k-means with random features, weights and numbers of clusters:\n"
        f"{bars(scores, top=1.0)}\n"
        f"Adjusted Rand index with the cultivars: {np.mean(scores):.2f} on average, "
        f"[bold]{agreed:.2f}[/bold] for their consensus.\n"
    )


def follow_stream(console: Console, X: pd.DataFrame) -> None:
    """Follow a stream of clustered wines in which one cluster drifts."""
    rng = np.random.default_rng(0)
    rows = rng.integers(len(X), size=12_000)
    segments = KMeans(3, n_init=10, random_state=0).fit_predict(X)[rows]
    values = X.to_numpy()[rows]
    late = np.arange(rows.size) >= 7_000
    values[late & (segments == 0), :4] += 2.0
    stream = cw.ClusteringStream(window=1_000)
    reports = list(stream.run([(values, segments)]))
    console.rule(
        "[bold]Stream[/bold]: 12 windows of 1,000 wines; one cluster drifts from window 8 on",
        align="left",
    )
    table = Table(show_header=False, box=None)
    table.add_row(
        "similarity to the first window", bars([one.reference_similarity or 1.0 for one in reports])
    )
    table.add_row("drift detected", "".join("!" if one.drift else "·" for one in reports))
    console.print(table)
    console.print()


def bar_table(header: Sequence[str], names: Sequence[str], values: np.ndarray) -> Table:
    """Return a table of values from 0 to 1, each as a number and a bar."""
    table = Table(*header, box=None)
    for name, line in zip(names, values, strict=True):
        table.add_row(name, *(f"{value:.2f} {bars([value], top=1.0)}" for value in line))
    return table


def bars(values: Sequence[float], top: float | None = None) -> str:
    """Return values as a line of bars, scaled to the largest value or to ``top``."""
    scale = (len(BARS) - 1) / (top or max(values) or 1.0)
    return "".join(BARS[round(max(0.0, float(value)) * scale)] for value in values)


if __name__ == "__main__":
    main()
