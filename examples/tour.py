"""The tour: three clusterings of the wine data, against the classes and each other."""

from rich.console import Console
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import clusterwise as cw


def main() -> None:
    """Cluster the wines three ways, compare, and say what came out."""
    console = Console()
    wine = load_wine()
    X = StandardScaler().fit_transform(wine.data)
    clusterings = {
        "cultivar": wine.target_names[wine.target],
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

    for name in ("k-means", "average linkage"):
        console.rule(f"[bold]{name}[/bold] against the cultivars")
        comparison = matrix.compare("cultivar", name)
        if name == "k-means":
            console.print(comparison)
        else:
            console.print(comparison.table)
            console.print(comparison.reading())
        console.print()


if __name__ == "__main__":
    main()
