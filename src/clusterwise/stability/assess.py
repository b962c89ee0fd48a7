"""Assess the stability of clusters, in one call."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Values, one_of
from clusterwise._utils.random import as_random_state, draw_seed
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points
from clusterwise.inputs.series import index_of, library_of
from clusterwise.models.kmeans import centre
from clusterwise.stability.assessment import Assessed, Assessment
from clusterwise.stability.beyond_null import compare_with_nulls
from clusterwise.stability.clusterers import (
    NOISE,
    Clusterer,
    Clusters,
    is_clusterer,
    read_clusterer,
    read_clusters,
)
from clusterwise.stability.null_models import WORDS, Null, fit_null
from clusterwise.stability.number_assessment import NumberAssessment
from clusterwise.stability.recovery import Recovery, measure_recovery
from clusterwise.stability.repeated_clustering import (
    Plan,
    Reference,
    Runs,
    repeat_clustering,
)
from clusterwise.stability.reproducing_rule import find_rule
from clusterwise.stability.resamples import Resampler, Resampling


class _Study(NamedTuple):
    """A clustering of the data, the objects that are in clusters, and the clusterer of copies.

    ``number`` is the number of clusters that was asked for; there may be fewer.
    """

    clusters: Clusters
    kept: Array
    clusterer: Clusterer
    number: int | None = None
    rule: str | None = None
    reproduces: float | None = None


@check_arguments(nulls=Values(one_of(*WORDS), least=1))
def assess(
    X: Any,
    clusterer_or_labels: Any,
    *,
    n_clusters: int | Sequence[int] | None = None,
    resampling: Resampling = "bootstrap",
    n_resamples: int = 100,
    object_fraction: float = 0.7,
    noise_scale: float = 0.1,
    nulls: Sequence[Null] = ("gaussian", "unimodal"),
    n_null: int = 39,
    scale: bool = False,
    noise_label: Any = -1,
    random_state: Any = None,
    progress: bool | None = None,
) -> Assessment | NumberAssessment:
    """Assess whether clusters would be found again in other data like these.

    Copies of the data are clustered, and each cluster is compared with the most similar one of each
    copy by the Jaccard index, on the objects that the copy has [1]_: it is recovered from 0.75 on,
    and lost below 0.5. The clustering as a whole is compared by the adjusted Rand index; the same
    is done with data that have no clusters (null models), because any data can be cut into clusters
    that are stable to some degree. The clustering is stable if it is more stable than 95 % of the
    data sets of each null model. The proportion of ambiguous pairs of objects (PAC) is related to
    them, too [2]_.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        The features of the objects. If some are categorical, numeric ones are standardised and
        categorical ones one-hot encoded; the mean replaces missing numeric values.
    clusterer_or_labels : clusterer, class of clusterers, or array-like of shape (n,)
        A clusterer of scikit-learn or with its interface (``fit_predict``), of which copies are
        fitted, each from its own seed unless its ``random_state`` is an integer. Or labels: copies
        are then clustered by one of two rules with as many clusters, whichever reproduces the
        labels better: the nearest centroid (k-means), or the nearest neighbours (spectral
        clustering of their graph, for copies of up to 1,000 objects). Objects labelled as noise are
        left out.
    n_clusters : int or sequence of int, optional
        The number of clusters of the clusterer, or several numbers, such as ``range(2, 11)``; by
        default that of the clusterer itself. Each number is tested at a level of 5 %.
    resampling : {"bootstrap", "subsample", "noise"}, default="bootstrap"
        How copies are drawn: n objects with replacement, of which each counts once; a part of the
        objects without replacement; or all objects, with normal noise added to their features.
    n_resamples : int, default=100
        The number of copies.
    object_fraction : float, default=0.7
        The fraction of the objects in a subsample.
    noise_scale : float, default=0.1
        The standard deviation of the noise, relative to that of each feature.
    nulls : sequence of {"gaussian", "unimodal", "independent"}
        The null models: one Gaussian cluster with the mean and covariance of the data; one cluster
        of which each feature has the unimodal distribution that fits it best, with the same rank
        correlations; and independent features, each permuted, which keeps the clusters that a
        single feature shows. By default the first two.
    n_null : int, default=39
        The number of data sets of each null model, of each of which 10 copies are clustered (5
        from 2,000 objects on, 2 from 10,000). The least p-value is 1 / (n_null + 1): with 19, all
        of them must be less stable than the data, and with 39, all but one.
    scale : bool, default=False
        Scale numeric features to standard deviation 1.
    noise_label : label, default=-1
        The label of noise, which is not a cluster; each noise object is with no other.
    random_state : int, RandomState, Generator or None
        The seed. Results do not depend on the number of threads.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    Assessment or NumberAssessment
        The latter if ``n_clusters`` are several numbers.

    Raises
    ------
    InputError
        If there are fewer than two clusters, or the clusterer fails.

    References
    ----------
    .. [1] C. Hennig. Cluster-wise assessment of cluster stability. Computational Statistics and
       Data Analysis 52 (2007) 258-271. https://doi.org/10.1016/j.csda.2006.11.025
    .. [2] C. R. John et al. M3C: Monte Carlo reference-based consensus clustering. Scientific
       Reports 10 (2020) 1816. https://doi.org/10.1038/s41598-020-58766-1

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import assess
    >>> from sklearn.cluster import KMeans
    >>> centres = np.repeat([[0, 0, 0, 0], [0, 9, 4, 0], [0, 9, 0, 5]], 40, axis=0)
    >>> X = centres + np.random.default_rng(0).normal(size=(120, 4))
    >>> found = assess(X, KMeans(3, n_init=3), n_resamples=20, n_null=19, random_state=0)
    >>> found.stable, round(found.ari, 2)
    (True, 1.0)
    >>> numbers = assess(X, KMeans, n_clusters=[2, 3], n_resamples=20, n_null=19, random_state=0)
    >>> numbers.suggested
    3
    """
    random = as_random_state(random_state)
    read = read_points(X)
    points = centre(read, scale=True) if scale else read.in_units()
    if len(points) < 2:
        raise InputError(f"X has {len(points)} object; pass at least two.")
    with one_library_thread_if_small(0):
        studies = _cluster_all(points, X, clusterer_or_labels, n_clusters, noise_label, random)
        points, kept = points[studies[0].kept], studies[0].kept
        plan = Plan(
            Resampler(resampling, object_fraction, noise_scale, studies[0].clusterer.most_objects),
            n_resamples,
            {name: fit_null(name, points, read.owners, random) for name in dict.fromkeys(nulls)},
            n_null,
        )
        references = [Reference(one.clusters.codes[kept], one.clusterer) for one in studies]
        runs = repeat_clustering(points, references, plan, random, progress)
    index, library = index_of(X), library_of(X)
    found = []
    for one, own in zip(studies, runs, strict=True):
        assessed = Assessed(
            one.clusters, one.clusterer.name, resampling, one.rule, one.reproduces,
            noise_label, index, library, X,
        )  # fmt: skip
        found.append(Assessment(assessed, own, _measure(one, own), compare_with_nulls(own)))
    if n_clusters is None or isinstance(n_clusters, int | np.integer):
        return found[0]
    numbers = [int(one.number or 0) for one in studies]
    return NumberAssessment(dict(zip(numbers, found, strict=True)), X)


def _cluster_all(
    points: Array,
    X: Any,
    value: Any,
    n_clusters: int | Sequence[int] | None,
    noise_label: Any,
    random: np.random.RandomState,
) -> list[_Study]:
    """Return the clusterings to assess."""
    if not is_clusterer(value):
        if n_clusters is not None:
            raise InputError(
                "labels have a number of clusters already; leave out n_clusters, or pass a "
                "clusterer."
            )
        return [_read_labels(points, X, value, noise_label, random)]
    if n_clusters is None or isinstance(n_clusters, int | np.integer):
        numbers: Sequence[int | None] = [None if n_clusters is None else int(n_clusters)]
    else:
        numbers = sorted({int(number) for number in n_clusters})
        if not numbers:
            raise InputError("n_clusters is empty; pass at least one number of clusters.")
    seed = draw_seed(random)
    studies = []
    for number in numbers:
        clusterer = read_clusterer(value, number, noise_label)
        if number is not None and not 2 <= number <= len(points):
            raise InputError(
                f"n_clusters={number} for {len(points)} objects; use an integer from 2 to "
                f"{len(points)}."
            )
        clusters = clusterer.cluster(points, seed)
        _require_two(clusters, f"{type(clusterer.template).__name__} finds")
        studies.append(_Study(clusters, np.arange(len(points)), clusterer, number))
    return studies


def _read_labels(
    points: Array, X: Any, labels: Any, noise_label: Any, random: np.random.RandomState
) -> _Study:
    """Read labels, and find the rule that reproduces them."""
    where = "clusterer_or_labels"
    clusters = read_clusters(labels, where, noise_label)
    if clusters.codes.size != len(points):
        raise InputError(
            f"{where} has {clusters.codes.size} labels for {len(points)} objects; pass one per "
            "object."
        )
    index, own = index_of(X), index_of(labels)
    if index is not None and own is not None and not index.equals(own):
        raise InputError(
            f"X and {where} have different indexes; pass the labels in the order of X, such as "
            "labels.loc[X.index]."
        )
    _require_two(clusters, f"{where} has")
    kept = np.flatnonzero(clusters.codes != NOISE)
    inside = Clusters(clusters.codes[kept], clusters.names)
    rule = find_rule(points[kept], inside, random)
    return _Study(clusters, kept, rule.clusterer, rule=rule.name, reproduces=rule.reproduces)


def _require_two(clusters: Clusters, subject: str) -> None:
    if clusters.size < 2:
        found = "1 cluster" if clusters.size else "no cluster but noise"
        raise InputError(
            f"{subject} {found}, so there is nothing to assess; use at least two clusters."
        )


def _measure(study: _Study, runs: Runs) -> Recovery:
    """Return what became of the clusters and objects; objects that were left out are in no copy."""
    codes, size = study.clusters.codes, study.clusters.size
    found = measure_recovery(codes[study.kept], size, runs.copies)
    votes = np.zeros((codes.size, size + 1), found.votes.dtype)
    votes[study.kept] = found.votes
    return found._replace(votes=votes)
