r"""Measures that count pairs of objects in the same cluster or in different clusters.

All follow from four counts. With the contingency table :math:`n_{kj}`, its row sums
:math:`a_k` and column sums :math:`b_j`, the pairs within clusters of both clusterings are
:math:`N_{11} = \sum_{kj} \binom{n_{kj}}{2}`, those within clusters of a only
:math:`N_{10} = \sum_k \binom{a_k}{2} - N_{11}`, of b only
:math:`N_{01} = \sum_j \binom{b_j}{2} - N_{11}`, and of neither :math:`N_{00}`.
They are Python integers, which cannot overflow. Floating-point weights that add up to more than
2^53 are counted in a larger unit, a power of two: pairs of an object with itself, and differences
of a single object, are below the rounding of such totals.

For soft clusterings with memberships :math:`p_{ik}` and :math:`q_{ij}` they are expected counts,
with labels drawn independently by the memberships in both clusterings: with
:math:`n_{kj} = \sum_i p_{ik} q_{ij}`, the ordered pairs within clusters of both are
:math:`\sum_{kj} n_{kj}^2 - \sum_i |p_i|^2 |q_i|^2`, without pairs of an object with itself. For
hard clusterings this is the usual count. A soft clustering does not agree fully with itself,
since two draws of the same memberships differ. Anderson et al. (IEEE Transactions on Fuzzy
Systems 18, 2010) subtract :math:`n` in place of the last sum, which can make counts negative.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures._label_options import documented, label_options, overlap
from clusterwise.summaries.contingency.cells import exact_sum_of_squares
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap


class PairCounts(NamedTuple):
    """Counts of ordered pairs of distinct objects: within clusters of both, one or neither."""

    both: int | float
    only_a: int | float
    only_b: int | float
    neither: int | float


def count_pairs(table: Contingency | SoftOverlap) -> PairCounts:
    """Return the four pair counts of two clusterings, in units of ``table.cells.unit`` squared."""
    n, rows, columns = table.n, table.row_sums, table.column_sums
    own_both, own_a, own_b, own_all = *table.self_pairs, n
    unit = table.cells.unit
    if unit != 1.0:
        n, rows, columns = n / unit, rows / unit, columns / unit
        own_both, own_a, own_b = (own / unit / unit for own in (own_both, own_a, own_b))
        own_all = n / unit
    cells = table.cells.sum_of_squares
    if cells < own_both * (1 - 1e-12):
        raise InputError(
            "sample_weight must count objects, but here objects weigh less than one each; multiply "
            "the weights so that they count objects."
        )
    both = cells - own_both
    only_a = exact_sum_of_squares(rows, n) - own_a - both
    only_b = exact_sum_of_squares(columns, n) - own_b - both
    pairs = PairCounts(both, only_a, only_b, n * n - own_all - both - only_a - only_b)
    if table.cells.weighted:  # rounding must not make a count negative
        return PairCounts(*(max(count, 0.0) for count in pairs))
    return pairs


@documented
def pair_confusion_matrix(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> Array:
    r"""Pair confusion matrix of two clusterings.

    The matrix counts ordered pairs, so each unordered pair is counted twice:

    .. math:: \begin{pmatrix} 2N_{00} & 2N_{01} \\ 2N_{10} & 2N_{11} \end{pmatrix}

    The first index is 1 for pairs within a cluster of ``labels_true``, the second for pairs within
    a cluster of ``labels_pred``. The sum is :math:`n(n-1)`. Swapping the clusterings transposes it.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    {label_options}

    Returns
    -------
    ndarray of shape (2, 2)
        64-bit integers; Python integers where these would overflow (more than
        3·10^9 objects); floats for fractional weights, infinite where these would overflow (a
        total weight above 10^154).

    See Also
    --------
    rand_score : The proportion of pairs on the diagonal.

    References
    ----------
    .. [1] L. Hubert, P. Arabie. Comparing partitions. Journal of Classification 2
       (1985) 193-218. https://doi.org/10.1007/BF01908075

    Examples
    --------
    Each clustering has one pair within a cluster, but not the same one:

    >>> from clusterwise import pair_confusion_matrix
    >>> pair_confusion_matrix([0, 0, 1], [0, 1, 1])
    array([[2, 2],
           [2, 0]])
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = overlap(labels_true, labels_pred, options)
    pairs = count_pairs(table)
    matrix = [[pairs.neither, pairs.only_b], [pairs.only_a, pairs.both]]
    if isinstance(pairs.both, float):
        with np.errstate(over="ignore"):
            return np.array(matrix, dtype=np.float64) * table.cells.unit * table.cells.unit
    return np.array(matrix, dtype=np.int64 if sum(pairs) < 1 << 63 else object)


@documented
def rand_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Rand index: the proportion of object pairs on which two clusterings agree.

    .. math:: R = \frac{N_{11} + N_{00}}{N_{11} + N_{10} + N_{01} + N_{00}}

    Symmetric, from 0 to 1; 1 for equal clusterings only. It is high for independent
    clusterings with many clusters, since most pairs are in different clusters of both;
    :func:`adjusted_rand_score` adjusts for that. With fewer than two objects it is 1.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    adjusted_rand_score : The Rand index adjusted for chance.
    mirkin_distance : The number of disagreeing pairs, as a distance.

    References
    ----------
    .. [1] W. M. Rand. Objective criteria for the evaluation of clustering methods.
       JASA 66 (1971) 846-850. https://doi.org/10.1080/01621459.1971.10482356

    Examples
    --------
    The two clusterings agree on one of three pairs:

    >>> from clusterwise import rand_score
    >>> rand_score([0, 0, 1], [0, 1, 1])
    0.3333333333333333
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    pairs = count_pairs(overlap(labels_true, labels_pred, options))
    total = sum(pairs)
    return 1.0 if total == 0 else (pairs.both + pairs.neither) / total


@documented
def adjusted_rand_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Adjusted Rand index: the Rand index adjusted for chance.

    .. math::
        ARI = \frac{2 (N_{00} N_{11} - N_{01} N_{10})}
                   {(N_{00} + N_{01})(N_{01} + N_{11}) + (N_{00} + N_{10})(N_{10} + N_{11})}

    Symmetric. 1 for equal clusterings, 0 in expectation for random clusterings with the same
    cluster sizes, at least -0.5. If the clusterings agree on all pairs (one cluster each, all
    singletons, no objects) it is 1.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From -0.5 to 1, higher is more similar.

    See Also
    --------
    rand_score : The Rand index without the adjustment.
    adjusted_mutual_info_score : Mutual information adjusted for chance.

    References
    ----------
    .. [1] L. Hubert, P. Arabie. Comparing partitions. Journal of Classification 2
       (1985) 193-218. https://doi.org/10.1007/BF01908075
    .. [2] J. E. Chacón, A. I. Rastrojo. Minimum adjusted Rand index for two clusterings
       of a given size. Advances in Data Analysis and Classification 17 (2023) 125-133.
       https://doi.org/10.1007/s11634-022-00491-w

    Examples
    --------
    The labels of clusters do not matter; splitting a cluster lowers the score:

    >>> from clusterwise import adjusted_rand_score
    >>> adjusted_rand_score([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    >>> adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2])
    0.5714285714285714
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    both, only_a, only_b, neither = count_pairs(overlap(labels_true, labels_pred, options))
    if only_a == 0 and only_b == 0:
        return 1.0
    numerator = 2 * (both * neither - only_a * only_b)
    denominator = (both + only_a) * (only_a + neither) + (both + only_b) * (only_b + neither)
    return numerator / denominator


@documented
def pair_jaccard_score(
    a: Any,
    b: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Jaccard index of the pairs within clusters of two clusterings.

    .. math:: J = \frac{N_{11}}{N_{11} + N_{10} + N_{01}}

    Symmetric, from 0 to 1; 1 for equal clusterings only. Pairs in different clusters of both
    do not count, so many small clusters do not raise it. If no pair is within a cluster of
    either clustering (all singletons) it is 1. ``1 - pair_jaccard_score`` is a metric.

    Parameters
    ----------
    a, b : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    fowlkes_mallows_score : The geometric mean of the two Wallace coefficients.

    References
    ----------
    .. [1] A. Ben-Hur, A. Elisseeff, I. Guyon. A stability based method for discovering
       structure in clustered data. Pacific Symposium on Biocomputing (2002) 6-17.
       https://doi.org/10.1142/9789812799623_0002

    Examples
    --------
    Two pairs are within a cluster of either clustering, one of them in both:

    >>> from clusterwise import pair_jaccard_score
    >>> pair_jaccard_score([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    both, only_a, only_b, _ = count_pairs(overlap(a, b, options))
    in_either = both + only_a + only_b
    return 1.0 if in_either == 0 else both / in_either


@documented
def fowlkes_mallows_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Fowlkes-Mallows index: geometric mean of pairwise precision and recall.

    .. math:: FM = \frac{N_{11}}{\sqrt{(N_{11} + N_{10})(N_{11} + N_{01})}}

    Symmetric, from 0 to 1. 1 for equal clusterings, except that it is 0 if no pair is within a
    cluster of both, even for two equal clusterings of singletons (as in scikit-learn).

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    wallace_score : The two factors.

    References
    ----------
    .. [1] E. B. Fowlkes, C. L. Mallows. A method for comparing two hierarchical
       clusterings. JASA 78 (1983) 553-569. https://doi.org/10.1080/01621459.1983.10478008

    Examples
    --------
    One of two pairs stays within a cluster:

    >>> from clusterwise import fowlkes_mallows_score
    >>> round(fowlkes_mallows_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.7071
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    both, only_a, only_b, _ = count_pairs(overlap(labels_true, labels_pred, options))
    if both == 0:
        return 0.0
    return min(1.0, sqrt(both / (both + only_a)) * sqrt(both / (both + only_b)))


@documented
def wallace_score(
    a: Any,
    b: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Wallace coefficient: the proportion of pairs within clusters of a that are within one of b.

    .. math:: W(a, b) = \frac{N_{11}}{N_{11} + N_{10}}

    Not symmetric: ``wallace_score(b, a)`` is the proportion of b's pairs within clusters of a.
    From 0 to 1; 1 if and only if every cluster of ``a`` lies within a cluster of ``b``, which
    includes the case that ``a`` has only singletons.

    Parameters
    ----------
    a, b : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher means that more of a's pairs are within clusters of b.

    See Also
    --------
    fowlkes_mallows_score : The geometric mean of both directions.

    References
    ----------
    .. [1] D. L. Wallace. A method for comparing two hierarchical clusterings: comment.
       JASA 78 (1983) 569-576. https://doi.org/10.1080/01621459.1983.10478009

    Examples
    --------
    Splitting a cluster loses one of two pairs; merging loses none:

    >>> from clusterwise import wallace_score
    >>> wallace_score([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    >>> wallace_score([0, 0, 1, 2], [0, 0, 1, 1])
    1.0
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    both, only_a, _, _ = count_pairs(overlap(a, b, options))
    return 1.0 if both + only_a == 0 else both / (both + only_a)


@documented
def mirkin_distance(
    a: Any,
    b: Any = None,
    *,
    normalized: bool = False,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Mirkin distance: the number of ordered pairs on which two clusterings disagree.

    .. math:: M = \sum_k a_k^2 + \sum_j b_j^2 - 2 \sum_{kj} n_{kj}^2 = 2 (N_{10} + N_{01})

    A metric; 0 for equal clusterings only, at most :math:`n(n-1)`. It is infinite if it exceeds
    the largest float, which takes a total weight above 10^154.

    Parameters
    ----------
    a, b : {hard_or_soft}
    normalized : bool, default=False
        Divide by :math:`n^2`, which keeps the value below 1 and makes it invariant to copies
        of all objects.
    {label_options}

    Returns
    -------
    float
        0 or more, lower is more similar.

    See Also
    --------
    rand_score : 1 minus this distance divided by n(n-1).

    References
    ----------
    .. [1] B. Mirkin. Mathematical Classification and Clustering. Kluwer (1996).
       https://doi.org/10.1007/978-1-4613-0457-9
    .. [2] M. Meilă. Comparing clusterings: an information based distance. Journal of
       Multivariate Analysis 98 (2007) 873-895. https://doi.org/10.1016/j.jmva.2006.11.013

    Examples
    --------
    The clusterings disagree on two of three pairs, each counted in both orders:

    >>> from clusterwise import mirkin_distance
    >>> mirkin_distance([0, 0, 1], [0, 1, 1])
    4.0
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = overlap(a, b, options)
    pairs = count_pairs(table)
    disagreeing = pairs.only_a + pairs.only_b
    unit = table.cells.unit
    if not normalized:
        return float(disagreeing) * unit * unit
    if not table.n:
        return 0.0
    n = table.n if unit == 1.0 else table.n / unit
    return disagreeing / (n * n)
