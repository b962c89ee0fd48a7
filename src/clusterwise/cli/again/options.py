"""The options of the search for alternatives."""

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Group, Parameter

from clusterwise._utils.errors import InputError
from clusterwise._utils.limits import MOST_ALTERNATIVES
from clusterwise.alternatives.methods import Method
from clusterwise.cli.options import Metric, QualityName, Seed, check_seed


@Parameter(name="*", group=Group("Search", sort_key=0))
@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How to search for alternatives.

    Parameters
    ----------
    method
        auto (the default, unless an option of coala is given) tries several methods and keeps the
        best alternatives. coala: average linkage with cannot-link constraints; coalacat: the same
        with entropy linkage, for categorical features; maximus: k-means with clusters independent
        of the given ones; orthogonal: k-means after projecting the given clusters out;
        mincentropy: minimum conditional entropy, with a penalty for the given clusters; condens:
        consensus of clusterings within each given cluster; cib: conditional information bottleneck;
        metaclusterer: 100 runs of k-means with random feature weights; naive: the best of three
        runs of k-means.
    omega
        For coala and coalacat: the trade-off, from 0 (most dissimilar) to 1 and above (best
        quality); 0.6 by default.
    tolerance
        For maximus: how much the proportion of a given cluster in a new one may deviate from
        independence, relative to it. 0 gives the most dissimilar clusters, 1 and above allow
        clusters of higher quality; 0.05 by default.
    n_clusters
        The number of clusters; by default auto chooses it for each alternative, and other methods
        take that of the first given clustering.
    n_alternatives
        The number of alternatives: by default all convincing ones for auto, up to 5, and one for
        other methods. There may be fewer, and at most 100.
    budget
        For auto: the seconds after which no further method or repeated search begins; 60 by
        default.
    permutations
        For auto: also search this many data sets whose features are permuted within the given
        clusters, such as 20; a convincing alternative has more evidence than 95 % of them. One that
        is a single feature has not, since permuting keeps it. Each takes as long as the search
        itself; none by default.
    min_cluster_size
        The minimum size of a cluster: a number of objects, or a proportion of them below 1.
        Smaller clusters are merged into the nearest cluster. By default 5 % of the objects, or a
        quarter of the average cluster size if that is less; 0 sets no minimum.
    as_published
        The same as --min-cluster-size 0. The methods as published tend to isolate single objects.
    scale
        Scale numeric features to mean 0 and standard deviation 1; by default for metrics that
        depend on units.
    metric
        For coala: the distance; euclidean by default, and gower for categorical features or
        missing values. Other methods one-hot encode categories and impute means.
    quality
        The measure of quality; by default canonical for auto, entropy for coalacat, silhouette
        with gower, otherwise dunn (dunn_centroids for more than 10,000 objects).
    prototypes
        For coala: the number of weighted centroids to cluster in place of the objects; 1,000 by
        default for more than 10,000 objects. 0 clusters the objects themselves.
    """

    method: Annotated[Method | None, Parameter(name=["--method", "-m"])] = None
    n_alternatives: Annotated[int | None, Parameter(name=["--n-alternatives", "-n"])] = None
    n_clusters: int | None = None
    budget: float | None = None
    permutations: int | None = None
    omega: float | None = None
    tolerance: float | None = None
    min_cluster_size: float | None = None
    as_published: Annotated[bool, Parameter(show_default=False)] = False
    scale: Annotated[bool | None, Parameter(negative="--no-scale")] = None
    metric: Metric | None = None
    quality: QualityName | None = None
    prototypes: int | None = None
    seed: Seed = 0

    @property
    def chosen_method(self) -> Method:
        """The method of ``--method``, or the one that the other options imply."""
        if self.method is not None:
            return self.method
        for_coala = (self.omega, self.metric, self.prototypes)
        return "auto" if for_coala == (None, None, None) else "coala"

    @property
    def of_auto(self) -> dict[str, Any]:
        """The parameters that only ``auto`` has, if they are set."""
        optional = {"budget": self.budget, "n_permutations": self.permutations}
        return {name: value for name, value in optional.items() if value is not None}

    @property
    def guard(self) -> bool:
        """Whether the default minimum size applies if ``--min-cluster-size`` is not set."""
        return not self.as_published and self.min_cluster_size != 0

    def check(self) -> None:
        """Raise an error for invalid options, before any file is read."""
        _require_at_least(1, "--n-alternatives", self.n_alternatives)
        _require_at_least(2, "--n-clusters", self.n_clusters)
        _require_at_least(0, "--budget", self.budget)
        _require_at_least(0, "--permutations", self.permutations)
        _require_at_least(0, "--omega", self.omega)
        _require_at_least(0, "--tolerance", self.tolerance)
        _require_at_least(0, "--min-cluster-size", self.min_cluster_size)
        if (self.n_alternatives or 0) > MOST_ALTERNATIVES:
            raise InputError(
                f"--n-alternatives must be at most {MOST_ALTERNATIVES}, not {self.n_alternatives}."
            )
        _require_at_least(0, "--prototypes", self.prototypes)
        check_seed(self.seed)
        if self.as_published and self.min_cluster_size:
            raise InputError("--as-published sets no minimum size; leave out --min-cluster-size.")
        if self.prototypes and self.metric not in (None, "euclidean"):
            raise InputError(
                f"--prototypes are centroids, which need euclidean distances, not --metric "
                f"{self.metric}; leave out one of them."
            )
        self._check_method()

    def _check_method(self) -> None:
        """Raise an error for options that do not apply to the method."""
        method = self.chosen_method
        inapplicable = {
            "--budget": self.budget is not None and method != "auto",
            "--permutations": bool(self.permutations) and method != "auto",
            "--omega": self.omega is not None and method not in ("coala", "coalacat"),
            "--tolerance": self.tolerance is not None and method != "maximus",
            "--min-cluster-size": bool(self.min_cluster_size) and method == "naive",
            "--metric": self.metric is not None and method != "coala",
            "--prototypes": bool(self.prototypes) and method != "coala",
            "--scale": bool(self.scale) and method == "coalacat",
        }
        for option, wrong in inapplicable.items():
            if wrong:
                raise InputError(f"{option} does not apply to --method {method}; leave it out.")
        if method == "auto" and self.quality == "entropy":
            raise InputError(
                "--quality entropy is for categorical features; use it with --method coalacat."
            )
        if method == "coalacat" and self.quality not in (None, "entropy"):
            raise InputError(
                f"--quality {self.quality} needs distances, which --method coalacat does not use; "
                "use --quality entropy."
            )


def _require_at_least(least: int, option: str, value: float | None) -> None:
    if value is not None and not value >= least:
        raise InputError(f"{option} must be at least {least}, not {value:g}.")
