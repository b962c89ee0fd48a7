"""Internal quality measures of one clustering, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np

from clusterwise._utils.arguments import check_arguments, keywords_of, unknown_keyword
from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.distances import Metric
from clusterwise.inputs.encoding import Array
from clusterwise.measures._canonical import canonical_score
from clusterwise.measures._cluster_slices import ClusterSlices, read_slices
from clusterwise.measures.internal import dunn_of_slices, dunn_score, entropy_quality_score


@dataclass(frozen=True)
class Quality:
    """An internal quality measure.

    ``merit`` transforms its values to be at least 0 and higher for better clusterings, as
    :func:`~clusterwise.measures.dq.dq_score` needs. ``metrics`` are those that it is defined for:
    any, those between vectors, which have centroids, or the Euclidean one.
    """

    name: str
    meaning: str
    function: Callable[..., float]
    range: str
    higher_is_better: bool = True
    merit: Callable[[float], float] = float
    metrics: Literal["any", "vectors", "euclidean"] = "any"

    def allows(self, metric: Metric) -> bool:
        """Return whether the quality is defined for a metric."""
        if self.metrics == "vectors":
            return metric not in ("gower", "precomputed")
        return self.metrics == "any" or metric == "euclidean"


@check_arguments
def quality_score(X: Any, labels: Any, quality: str = "dunn", **options: Any) -> float:
    """Internal quality of a clustering, by the name of the measure.

    Parameters
    ----------
    X : array-like or frame of shape (n, R), or Distances
        The objects.
    labels : array-like of shape (n,)
        One label per object.
    quality : str, default="dunn"
        One of

        - ``"dunn"``: :func:`~clusterwise.measures.internal.dunn_score`, at least 0
        - ``"dunn_centroids"``: Dunn's index with distances between centroids and from objects to
          centroids, in time O(n) instead of O(n²)
        - ``"silhouette"``: the mean silhouette coefficient, from -1 to 1; 0 if there is one
          cluster, or if all clusters are singletons
        - ``"calinski_harabasz"``: the ratio of the dispersion between and within clusters, at
          least 0; 0 in these two cases
        - ``"davies_bouldin"``: the mean ratio of the widths of neighbouring clusters to their
          distance, at least 0, *lower* is better; infinite in these two cases
        - ``"canonical"``: the mean squared canonical correlation of features and clusters,
          adjusted for chance, from 0 to 1. Correlations are weighted by themselves, so that
          directions in which clusters do not differ do not count. It is invariant to the scale
          of features, and insensitive to features unrelated to the clusters. With more features
          than half the number of objects, the leading principal components are used
        - ``"entropy"``: :func:`~clusterwise.measures.internal.entropy_quality_score`, from 0 to 1,
          for categorical features

        Silhouette, Calinski-Harabasz and Davies-Bouldin are computed by scikit-learn. Silhouette
        stores an n × n matrix unless the metric is Euclidean; the other two are Euclidean only.
    **options
        ``metric``, ``noise`` and ``noise_label`` as in
        :func:`~clusterwise.measures.internal.dunn_score` (no metric for ``"entropy"``), and
        further options of the quality.

    Returns
    -------
    float
        The quality, in its own range and direction.

    References
    ----------
    .. [1] P. J. Rousseeuw. Silhouettes: a graphical aid to the interpretation and validation of
       cluster analysis. Journal of Computational and Applied Mathematics 20 (1987) 53-65.
       https://doi.org/10.1016/0377-0427(87)90125-7
    .. [2] T. Caliński, J. Harabasz. A dendrite method for cluster analysis. Communications in
       Statistics 3 (1974) 1-27. https://doi.org/10.1080/03610927408827101
    .. [3] D. L. Davies, D. W. Bouldin. A cluster separation measure. IEEE Transactions on Pattern
       Analysis and Machine Intelligence 1 (1979) 224-227.
       https://doi.org/10.1109/TPAMI.1979.4766909

    Examples
    --------
    Dunn's index and the silhouette of two clusters:

    >>> from clusterwise import quality_score
    >>> X, labels = [[0], [1], [2], [5], [6], [7]], [0, 0, 0, 1, 1, 1]
    >>> quality_score(X, labels)
    1.5
    >>> round(quality_score(X, labels, "silhouette"), 3)
    0.725
    """
    return find_quality(quality, options, quality_score).function(X, labels, **options)


def find_quality(
    name: str, options: Mapping[str, Any] | None = None, caller: Callable[..., Any] | None = None
) -> Quality:
    """Return the quality of this name; raise an error if it or one of its options is unknown.

    ``caller`` is the public function that takes the options.
    """
    quality = QUALITIES.get(name)
    if quality is None:
        close = get_close_matches(str(name), QUALITIES, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]!r}?" if close else f"use one of {', '.join(QUALITIES)}."
        raise InputError(f"unknown quality {name!r}; {hint}")
    if options and caller is not None:
        known = dict.fromkeys([*keywords_of(caller), *keywords_of(quality.function)])
        who = f"{caller.__name__}() with quality {name!r}"
        message = unknown_keyword(options, list(known), who)
        if message is not None:
            raise TypeError(message)
    return quality


def _of_labels(quality: Callable[[ClusterSlices], float]) -> Callable[..., float]:
    """Turn a function of sorted objects into one of X and labels."""

    @check_arguments
    def function(
        X: Any,
        labels: Any,
        *,
        metric: Metric = "euclidean",
        noise: Noise = "cluster",
        noise_label: Any = -1,
    ) -> float:
        return quality(read_slices(X, labels, metric, noise, noise_label))

    return function


@_of_labels
def _dunn_centroids(slices: ClusterSlices) -> float:
    return dunn_of_slices(slices, "centroid", "centroid")


@_of_labels
def _silhouette(slices: ClusterSlices) -> float:
    from sklearn.metrics import silhouette_score

    if not _is_informative(slices):
        return 0.0
    distances = slices.distances
    if distances.metric == "euclidean":
        return float(silhouette_score(distances.vectors, _clusters(slices)))
    table = distances.as_table()
    return float(silhouette_score(table, _clusters(slices), metric="precomputed"))


@_of_labels
def _calinski_harabasz(slices: ClusterSlices) -> float:
    from sklearn.metrics import calinski_harabasz_score

    vectors = _euclidean_vectors(slices, "calinski_harabasz")
    if not _is_informative(slices):
        return 0.0
    return float(calinski_harabasz_score(vectors, _clusters(slices)))


@_of_labels
def _davies_bouldin(slices: ClusterSlices) -> float:
    from sklearn.metrics import davies_bouldin_score

    vectors = _euclidean_vectors(slices, "davies_bouldin")
    if not _is_informative(slices):
        return np.inf
    return float(davies_bouldin_score(vectors, _clusters(slices)))


@_of_labels
def _canonical(slices: ClusterSlices) -> float:
    return canonical_score(_euclidean_vectors(slices, "canonical"), _clusters(slices))


def _is_informative(slices: ClusterSlices) -> bool:
    """Whether there are several clusters, not all of them singletons."""
    return 1 < slices.count < slices.distances.n


def _clusters(slices: ClusterSlices) -> Array:
    return np.repeat(np.arange(slices.count), slices.sizes)


def _euclidean_vectors(slices: ClusterSlices, name: str) -> Array:
    vectors, metric = slices.distances.vectors, slices.distances.metric
    if vectors is None or metric != "euclidean":
        raise InputError(
            f"quality={name!r} compares centroids by Euclidean distance, not by "
            f"metric={metric!r}; leave the metric out, or use 'dunn' or 'silhouette'."
        )
    return vectors


_ALL = (
    Quality(
        "dunn",
        "smallest distance between clusters divided by the largest diameter",
        dunn_score,
        "0 … ∞",
    ),
    Quality(
        "dunn_centroids",
        "smallest distance of centroids divided by the largest width",
        _dunn_centroids,
        "0 … ∞",
        metrics="vectors",
    ),
    Quality(
        "silhouette",
        "mean silhouette coefficient",
        _silhouette,
        "-1 … 1",
        merit=lambda value: (1.0 + value) / 2.0,
    ),
    Quality(
        "calinski_harabasz",
        "dispersion between clusters divided by that within",
        _calinski_harabasz,
        "0 … ∞",
        metrics="euclidean",
    ),
    Quality(
        "davies_bouldin",
        "widths of neighbouring clusters divided by their distance",
        _davies_bouldin,
        "0 … ∞",
        higher_is_better=False,
        merit=lambda value: 1.0 / (1.0 + value),
        metrics="euclidean",
    ),
    Quality(
        "canonical",
        "squared canonical correlation of features and clusters",
        _canonical,
        "0 … 1",
        metrics="euclidean",
    ),
    Quality(
        "entropy",
        "proportion of the entropy of features that clusters explain",
        entropy_quality_score,
        "0 … 1",
    ),
)

QUALITIES: dict[str, Quality] = {quality.name: quality for quality in _ALL}
