r"""Measures from information theory.

With :math:`p_{kj} = n_{kj}/n` and natural logarithms, :math:`H(a)` is the entropy of the
cluster sizes, :math:`I(a,b)` the mutual information, and :math:`H(a|b) = H(a) - I(a,b)` the
conditional entropy of ``a`` given ``b``.

For soft clusterings :math:`n_{kj} = \sum_i p_{ik} q_{ij}`: the mutual information of the labels
of a random object, drawn independently by its memberships (Meilă 2007). For hard clusterings
this is the usual value. Soft memberships count as disagreement: the variation of information of
a soft clustering with itself is above 0, its normalised mutual information below 1.
"""

from math import log, sqrt
from typing import Any, Literal

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Align, LabelOptions, Missing, Noise
from clusterwise.measures._label_options import (
    contingency,
    documented,
    first_changed,
    label_options,
    overlap,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

Average = Literal["min", "geometric", "arithmetic", "max"]
Bound = Literal["joint", "objects", "clusters"]


@documented
def mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    contingency: Any = None,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Mutual information of two clusterings, in nats.

    .. math:: I(a, b) = \sum_{kj} p_{kj} \log \frac{p_{kj}}{p_k p_j}

    Symmetric, from 0 (independent) to the smaller of the two entropies, at most
    :math:`\log n`. Not adjusted for chance, and it grows with the number of clusters.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    contingency : Contingency, array or sparse matrix of shape (K, J), optional
        A ready table in place of both clusterings, as in scikit-learn.
    {label_options}

    Returns
    -------
    float
        0 or more, higher is more similar.

    See Also
    --------
    normalized_mutual_info_score : Scaled from 0 to 1.
    adjusted_mutual_info_score : Adjusted for chance.
    variation_of_information : The corresponding distance.

    References
    ----------
    .. [1] T. M. Cover, J. A. Thomas. Elements of Information Theory, 2nd ed. Wiley
       (2006). https://doi.org/10.1002/047174882X

    Examples
    --------
    Two clusters of equal size have an entropy of one bit, which is log 2 nats:

    >>> from clusterwise import mutual_info_score
    >>> round(mutual_info_score([0, 0, 1, 1], ["x", "x", "y", "y"]), 4)
    0.6931
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    return _table(labels_true, labels_pred, contingency, options).entropies.mutual


@documented
def normalized_mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    average_method: Average = "arithmetic",
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Mutual information divided by a mean of the two entropies.

    .. math:: NMI = \frac{I(a, b)}{\mathrm{mean}(H(a), H(b))}

    Symmetric, from 0 to 1. 1 for equal clusterings; 0 if one of them has a single cluster
    and the other several (both single, or no objects: 1). Not adjusted for chance.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    average_method : {"min", "geometric", "arithmetic", "max"}, default="arithmetic"
        The mean in the denominator.
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    v_measure_score : The same with the arithmetic mean.
    adjusted_mutual_info_score : Adjusted for chance.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps, J. Bailey. Information theoretic measures for clusterings
       comparison. JMLR 11 (2010) 2837-2854. https://jmlr.org/papers/v11/vinh10a.html

    Examples
    --------
    Splitting one of two clusters in two:

    >>> from clusterwise import normalized_mutual_info_score
    >>> round(normalized_mutual_info_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = overlap(labels_true, labels_pred, options)
    mean = _mean(table, average_method)
    if table.is_one_to_one:
        return 1.0
    mutual = table.entropies.mutual
    return min(1.0, mutual / mean) if mutual > 0.0 else 0.0


@documented
def adjusted_mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    average_method: Average = "arithmetic",
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Mutual information adjusted for chance.

    .. math:: AMI = \frac{I(a, b) - E[I]}{\mathrm{mean}(H(a), H(b)) - E[I]}

    where the expectation is over all pairs of clusterings with the same cluster sizes.
    Symmetric. 1 for equal clusterings, 0 in expectation for random ones, and it can be
    negative. 0 if one clustering has a single cluster and the other several; 1 if random
    clusterings also reach the maximum (all singletons, no objects). With
    ``average_method="min"`` that is so if either clustering consists of singletons, where
    scikit-learn divides one rounding error by another.

    The expectation depends on the cluster sizes only, so it is summed once for each pair of
    *distinct* sizes, from the mode of the hypergeometric distribution outwards, without tails
    of relative weight below 1e-16: about :math:`\sqrt{n K J}` steps in the worst case. For two
    clusters with an expected overlap of m ≥ 2^18 objects it is a series in 1/m with a relative
    error below 1/m³, so that the work does not grow further with the number of objects.

    Parameters
    ----------
    labels_true, labels_pred : {hard}
    average_method : {"min", "geometric", "arithmetic", "max"}, default="arithmetic"
        The mean in the denominator.
    {label_options}

    Returns
    -------
    float
        At most 1, higher is more similar.

    See Also
    --------
    adjusted_rand_score : The same adjustment for pairs of objects.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps, J. Bailey. Information theoretic measures for clusterings
       comparison. JMLR 11 (2010) 2837-2854. https://jmlr.org/papers/v11/vinh10a.html

    Examples
    --------
    Independent clusterings can score below 0:

    >>> from clusterwise import adjusted_mutual_info_score
    >>> adjusted_mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    >>> round(adjusted_mutual_info_score([0, 0, 1, 1], [0, 1, 0, 1]), 4)
    -0.5
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = contingency(labels_true, labels_pred, options)
    mean = _mean(table, average_method)
    if table.is_one_to_one:
        return 1.0
    if 1 in table.shape:
        return 0.0
    expected = table.expected_information
    largest = mean - expected
    if largest <= 1e-13 * mean:
        return 1.0
    return min(1.0, (table.entropies.mutual - expected) / largest)


@documented
def variation_of_information(
    a: Any,
    b: Any = None,
    *,
    normalized: Bound | Literal[False] = False,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Variation of information: the sum of both conditional entropies.

    .. math:: VI = H(a|b) + H(b|a) = H(a) + H(b) - 2 I(a, b)

    A metric, in nats; 0 for equal clusterings only, at most :math:`\log n`. For soft
    clusterings it is at most :math:`\log K + \log J` and no metric: soft memberships count as
    disagreement.

    Parameters
    ----------
    a, b : {hard_or_soft}
    normalized : {False, "joint", "objects", "clusters"}, default=False
        Divide by the joint entropy :math:`H(a, b)` (still a metric, at most 1), by
        :math:`\log n`, or by :math:`\log K + \log J`.
    {label_options}

    Returns
    -------
    float
        0 or more, lower is more similar.

    See Also
    --------
    mutual_info_score : The mutual information.

    References
    ----------
    .. [1] M. Meilă. Comparing clusterings: an information based distance. Journal of
       Multivariate Analysis 98 (2007) 873-895. https://doi.org/10.1016/j.jmva.2006.11.013

    Examples
    --------
    Splitting a cluster with half of the objects into halves costs half a bit:

    >>> from clusterwise import variation_of_information
    >>> round(variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.3466
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = overlap(a, b, options)
    entropies = table.entropies
    distance = entropies.a_given_b + entropies.b_given_a
    if normalized is False:
        return distance
    if normalized == "joint":
        bound = entropies.mutual + distance
    elif normalized == "objects":
        bound = log(table.n) if table.n > 1 else 0.0
    else:
        bound = log(table.shape[0]) + log(table.shape[1]) if table.n else 0.0
    return min(1.0, distance / bound) if bound > 0 else 0.0


@documented
def homogeneity_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Homogeneity: whether each cluster contains objects of a single class only.

    .. math:: h = 1 - \frac{H(a|b)}{H(a)}

    Here a are the classes (``labels_true``) and b the clusters (``labels_pred``). From 0 to 1; 1
    if and only if every cluster lies within a class, which includes a single class. Not
    symmetric: swapped, it is completeness.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more homogeneous.

    See Also
    --------
    completeness_score, v_measure_score

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg. V-Measure: a conditional entropy-based external
       cluster evaluation measure. EMNLP-CoNLL (2007) 410-420.
       https://aclanthology.org/D07-1043

    Examples
    --------
    Splitting a class does not lower homogeneity:

    >>> from clusterwise import homogeneity_score
    >>> homogeneity_score([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    return _explained(overlap(labels_true, labels_pred, options), "a")


@documented
def completeness_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Completeness: whether each class lies in a single cluster.

    .. math:: c = 1 - \frac{H(b|a)}{H(b)}

    Here a are the classes (``labels_true``) and b the clusters (``labels_pred``). From 0 to 1; 1
    if and only if every class lies within a cluster, which includes a single cluster. Not
    symmetric: swapped, it is homogeneity.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more complete.

    See Also
    --------
    homogeneity_score, v_measure_score

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg. V-Measure: a conditional entropy-based external
       cluster evaluation measure. EMNLP-CoNLL (2007) 410-420.
       https://aclanthology.org/D07-1043

    Examples
    --------
    Splitting a class lowers completeness:

    >>> from clusterwise import completeness_score
    >>> round(completeness_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.6667
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    return _explained(overlap(labels_true, labels_pred, options), "b")


@documented
def v_measure_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 1.0,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""V-measure: the weighted harmonic mean of homogeneity and completeness.

    .. math:: V_\beta = \frac{(1 + \beta)\, h\, c}{\beta h + c}

    From 0 to 1; 1 for equal clusterings only. Symmetric for ``beta=1``, where it is the
    normalised mutual information with the arithmetic mean.

    Parameters
    ----------
    labels_true, labels_pred : {hard_or_soft}
    beta : float, default=1.0
        The weight of completeness relative to homogeneity.
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    homogeneity_score, completeness_score

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg. V-Measure: a conditional entropy-based external
       cluster evaluation measure. EMNLP-CoNLL (2007) 410-420.
       https://aclanthology.org/D07-1043

    Examples
    --------
    All clusters are homogeneous, but one class is split:

    >>> from clusterwise import v_measure_score
    >>> round(v_measure_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = overlap(labels_true, labels_pred, options)
    homogeneity, completeness = _explained(table, "a"), _explained(table, "b")
    denominator = beta * homogeneity + completeness
    return (1 + beta) * homogeneity * completeness / denominator if denominator > 0 else 0.0


def _explained(table: Contingency | SoftOverlap, of: Literal["a", "b"]) -> float:
    """Return the proportion of a clustering's entropy that the other clustering explains."""
    if table.is_one_to_one:
        return 1.0
    found = table.entropies
    own, conditional = (found.a, found.a_given_b) if of == "a" else (found.b, found.b_given_a)
    if own == 0.0 or conditional == 0.0:
        return 1.0
    return min(1.0, found.mutual / own)


def _mean(table: Contingency | SoftOverlap, method: Average) -> float:
    first, second = table.entropies.a, table.entropies.b
    match method:
        case "arithmetic":
            return (first + second) / 2
        case "geometric":
            return sqrt(first * second)
        case "min":
            return min(first, second)
        case "max":
            return max(first, second)


def _table(a: Any, b: Any, ready: Any, options: LabelOptions) -> Contingency | SoftOverlap:
    """Return the table of two clusterings, or the ready one."""
    if ready is None:
        return overlap(a, b, options)
    changed = first_changed(options)
    if changed is not None:
        raise InputError(f"contingency is a ready table; leave {changed} out.")
    try:
        return Contingency.from_table(ready)
    except InputError as error:
        raise InputError(f"contingency: {error}") from None
