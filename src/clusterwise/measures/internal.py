r"""Internal quality of one clustering, without reference labels.

Each measure prefers clusters of a certain shape, and most of them can be misled, as their examples
show.
"""

from typing import Any, Literal

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.distances import Metric
from clusterwise.inputs.features import read_features
from clusterwise.measures._cluster_slices import (
    Between,
    ClusterSlices,
    Within,
    largest_within,
    least_between,
    read_codes,
    read_slices,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.contingency.entropies import entropies

MissingValues = Literal["category", "ignore"]


@check_arguments
def dunn_score(
    X: Any,
    labels: Any,
    *,
    between: Between = "single",
    within: Within = "diameter",
    metric: Metric = "euclidean",
    noise: Noise = "cluster",
    noise_label: Any = -1,
) -> float:
    r"""Dunn's index: the smallest distance between clusters divided by the largest width.

    .. math:: D = \frac{\min_{k \ne l} \delta(C_k, C_l)}{\max_k \Delta(C_k)}

    where the distance :math:`\delta` between two clusters and the width :math:`\Delta` of a cluster
    are Dunn's by default, or one of the generalisations of Bezdek and Pal. It is invariant to
    translation and, for homogeneous metrics, to scaling.

    0 or more, higher is better. 0 for a single cluster. If all clusters have width 0
    (singletons, or equal objects) it is infinite, or 0 if their distance is 0 too.

    Distances are computed in blocks, in time :math:`O(n^2)` and memory :math:`O(n)`;
    ``"hausdorff"`` needs :math:`O(K^2)` more. With centroids in both, time is :math:`O(nK)`.

    Parameters
    ----------
    X : array-like or frame of shape (n, R), or Distances
        The objects, or with ``metric="precomputed"`` their distances, n × n.
    labels : array-like of shape (n,)
        One label per object.
    between : str, default="single"
        The distance between clusters S and T, with d the metric and s, t their centroids:

        - ``"single"``: the smallest d(x, y), x in S, y in T
        - ``"complete"``: the largest d(x, y)
        - ``"average"``: the mean of d(x, y) over all pairs
        - ``"centroid"``: d(s, t)
        - ``"average-to-centroids"``: the mean of all d(x, t) and d(y, s), over |S| + |T| objects
        - ``"hausdorff"``: the largest distance of an object to the nearest one of the other cluster
    within : str, default="diameter"
        The width of a cluster S:

        - ``"diameter"``: the largest distance of two objects
        - ``"average"``: the mean distance over all pairs of two objects
        - ``"centroid"``: twice the mean distance to the centroid
    metric : str or callable, default="euclidean"
        The distance of objects: any metric of SciPy, a function of two vectors, ``"gower"`` for
        mixed features, or ``"precomputed"``. The last two have no centroids.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Treat objects labelled ``noise_label`` as one cluster, as singleton clusters, or drop
        them.
    noise_label : default=-1
        The label of noise.

    Returns
    -------
    float
        0 or more, higher is better.

    See Also
    --------
    quality_score : This and other qualities by name.
    dq_score : Quality combined with the dissimilarity from a given clustering.

    Notes
    -----
    The index depends on the nearest pair of clusters and the widest cluster only, so a single
    object can determine it. An outlier against all other objects often scores higher than any
    useful clustering: check the sizes of the clusters, too.

    References
    ----------
    .. [1] J. C. Dunn. A fuzzy relative of the ISODATA process and its use in detecting compact
       well-separated clusters. Journal of Cybernetics 3 (1973) 32-57.
       https://doi.org/10.1080/01969727308546046
    .. [2] J. C. Bezdek, N. R. Pal. Some new indexes of cluster validity. IEEE Transactions on
       Systems, Man, and Cybernetics B 28 (1998) 301-315. https://doi.org/10.1109/3477.678624

    Examples
    --------
    Two clusters of three objects:

    >>> from clusterwise import dunn_score
    >>> dunn_score([[0], [1], [2], [5], [6], [7]], [0, 0, 0, 1, 1, 1])
    1.5

    The same with an outlier. Separating it from all other objects scores higher than the two
    clusters, whether it joins one of them or is a third cluster:

    >>> far = [[0], [1], [2], [5], [6], [7], [30]]
    >>> dunn_score(far, [0, 0, 0, 1, 1, 1, 1])
    0.12
    >>> dunn_score(far, [0, 0, 0, 1, 1, 1, 2])
    1.5
    >>> round(dunn_score(far, [0, 0, 0, 0, 0, 0, 1]), 2)
    3.29

    Mean distances in place of extreme ones do not help:

    >>> means = {"between": "average", "within": "average"}
    >>> round(dunn_score(far, [0, 0, 0, 1, 1, 1, 2], **means), 2)
    3.75
    >>> round(dunn_score(far, [0, 0, 0, 0, 0, 0, 1], **means), 2)
    7.5
    """
    return dunn_of_slices(read_slices(X, labels, metric, noise, noise_label), between, within)


def dunn_of_slices(slices: ClusterSlices, between: Between, within: Within) -> float:
    """Return Dunn's index of objects that are sorted by cluster."""
    for option, choice in (("between", between), ("within", within)):
        if "centroid" in choice and slices.distances.vectors is None:
            raise InputError(
                f"{option}={choice!r} needs centroids, which objects with "
                f"metric={slices.distances.metric!r} do not have; use {option}='average'."
            )
    if slices.count < 2:
        return 0.0
    distance = least_between(slices, between)
    width = largest_within(slices, within)
    if not width:
        return np.inf if distance else 0.0
    return distance / width


@check_arguments
def entropy_quality_score(
    X: Any,
    labels: Any,
    *,
    missing_values: MissingValues = "category",
    noise: Noise = "cluster",
    noise_label: Any = -1,
) -> float:
    r"""Proportion of the entropy of categorical features that the clusters explain.

    With :math:`H_r(C)` the entropy of feature r among the objects of C, and D all objects,

    .. math:: Q = \frac{H_{max} - \bar H}{H_{max}}, \qquad
        \bar H = \sum_k \frac{|C_k|}{n} \sum_r H_r(C_k), \qquad H_{max} = \sum_r H_r(D).

    :math:`\bar H` is the expected entropy within clusters, at most the entropy of all objects. So
    Q is the mutual information of labels and features, divided by the entropy of the features.

    From 0 to 1, higher is better. A single cluster scores 0, unless no feature varies: then any
    clustering scores 1. Splitting clusters never lowers the score, and singletons score 1:
    compare clusterings with the same number of clusters.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        The features. Numeric values are treated as categories.
    labels : array-like of shape (n,)
        One label per object.
    missing_values : {"category", "ignore"}, default="category"
        Treat missing values as a category, or leave objects out of the sums of features in
        which their values are missing.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Treat objects labelled ``noise_label`` as one cluster, as singleton clusters, or drop
        them.
    noise_label : default=-1
        The label of noise.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Notes
    -----
    Bae and Bailey (2006, section 5.3) turn an average entropy into a quality by (max + ΔQ)/max,
    with max an upper bound and ΔQ an unspecified difference of average entropies. Here it is the
    difference from 0, the entropy of pure clusters, and the bound is the entropy of one cluster.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62.
       https://doi.org/10.1109/ICDM.2006.37
    .. [2] K. Chen, L. Liu. The "best K" for entropy-based categorical data clustering. SSDBM
       (2005) 253-262.

    Examples
    --------
    Clusters by colour, which is independent of the size, and by both features:

    >>> from clusterwise import entropy_quality_score
    >>> flowers = [["red", "small"], ["red", "large"], ["blue", "small"], ["blue", "large"]]
    >>> entropy_quality_score(flowers, [0, 0, 1, 1])
    0.5
    >>> entropy_quality_score(flowers, [0, 1, 2, 3])
    1.0
    """
    features = read_features(X)
    clusters, kept = read_codes(labels, features.n, noise, noise_label)
    conditional = total = 0.0
    for column in features.columns:
        codes = column.categories().codes
        codes = codes if kept is None else codes[kept]
        present = codes >= 0 if missing_values == "ignore" else slice(None)
        table = Contingency.from_labels(codes[present], clusters[present])
        found = entropies(table.cells)
        conditional += found.a_given_b * float(table.n)
        total += found.a * float(table.n)
    return min(1.0, max(0.0, 1.0 - conditional / total)) if total else 1.0
