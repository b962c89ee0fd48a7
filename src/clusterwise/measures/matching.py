"""Measures that match clusters, one to one or each with its best counterpart.

With cluster sizes :math:`a_k`, :math:`b_j` and overlaps :math:`n_{kj}`.
"""

from typing import Any

import numpy as np

from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.kernels.table_rows import best_f_scores
from clusterwise.measures._irm_plan import IRMMatching, irm_plan
from clusterwise.measures._label_options import contingency, documented, label_options, overlap


@documented
def cluster_accuracy_score(
    a: Any,
    b: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Clustering accuracy: the proportion of objects in matched clusters.

    .. math:: ACC = \frac{1}{n} \max_\rho \sum_k n_{k \rho(k)}

    over all one-to-one matchings :math:`\rho` of clusters (solved exactly as a linear sum
    assignment). Symmetric, at least 1/max(K, J) and at most 1; 1 for equal clusterings only,
    and without objects.

    Parameters
    ----------
    a, b : {hard}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    clustering_error : 1 minus this, a metric.
    purity_score : Several clusters may be matched with the same class.

    References
    ----------
    .. [1] M. Meilă, D. Heckerman. An experimental comparison of model-based clustering
       methods. Machine Learning 42 (2001) 9-29. https://doi.org/10.1023/A:1007648401407

    Examples
    --------
    Match x with 1 and y with 2: four of five objects agree.

    >>> from clusterwise import cluster_accuracy_score
    >>> cluster_accuracy_score(["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2])
    0.8
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = contingency(a, b, options)
    return _proportion(table.matching.overlap, table.n)


@documented
def clustering_error(
    a: Any,
    b: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Clustering error: the proportion of objects outside matched clusters.

    .. math:: CE = 1 - \frac{1}{n} \max_\rho \sum_k n_{k \rho(k)}

    A metric: the smallest proportion of objects to move to turn one clustering into the other.
    0 for equal clusterings only, below 1.

    Parameters
    ----------
    a, b : {hard}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, lower is more similar.

    See Also
    --------
    cluster_accuracy_score : 1 minus this.

    References
    ----------
    .. [1] M. Meilă. Comparing clusterings: an axiomatic view. ICML (2005) 577-584.
       https://doi.org/10.1145/1102351.1102424

    Examples
    --------
    One of five objects has to move:

    >>> from clusterwise import clustering_error
    >>> clustering_error(["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2])
    0.2
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = contingency(a, b, options)
    return 0.0 if table.n == 0 else (table.n - table.matching.overlap) / table.n


@documented
def van_dongen_distance(
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
    r"""Van Dongen (split-join) distance.

    .. math:: D = 2n - \sum_k \max_j n_{kj} - \sum_j \max_k n_{kj}

    A metric; 0 for equal clusterings only, below 2n.

    Parameters
    ----------
    a, b : {hard}
    normalized : bool, default=False
        Divide by 2n: from 0 to below 1.
    {label_options}

    Returns
    -------
    float
        0 or more, lower is more similar.

    See Also
    --------
    clustering_error : Based on a one-to-one matching.

    References
    ----------
    .. [1] S. van Dongen. Performance criteria for graph clustering and Markov cluster
       experiments. CWI report INS-R0012 (2000). https://ir.cwi.nl/pub/4461

    Examples
    --------
    One object moves from cluster y to cluster x:

    >>> from clusterwise import van_dongen_distance
    >>> van_dongen_distance(["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2])
    2.0
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = contingency(a, b, options)
    covered = table.cells.row_max.sum().item() + table.cells.column_max.sum().item()
    distance = float(2 * table.n - covered)
    if not normalized:
        return distance
    return distance / (2 * table.n) if table.n else 0.0


@documented
def matching_f_score(
    a: Any,
    b: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""F-measure of clusters: the mean best F-score of the classes of a.

    .. math:: F(a, b) = \sum_k \frac{a_k}{n} \max_j \frac{2 n_{kj}}{a_k + b_j}

    Each class is matched with the cluster of the best harmonic mean of precision and recall;
    several classes may be matched with the same cluster. Above 0 and at most 1; 1 for equal
    clusterings only, and without objects. Not symmetric.

    Parameters
    ----------
    a, b : {hard}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    purity_score : Precision only.

    References
    ----------
    .. [1] B. Larsen, C. Aone. Fast and effective text mining using linear-time document
       clustering. KDD (1999) 16-22. https://doi.org/10.1145/312129.312186

    Examples
    --------
    One object of class y is in the cluster of class x:

    >>> from clusterwise import matching_f_score
    >>> round(matching_f_score(["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2]), 4)
    0.8
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = contingency(a, b, options)
    if not table.n or table.is_one_to_one:
        return 1.0
    best = np.zeros(table.shape[0])
    best_f_scores(*table.cells.by_row, table.row_sums, table.column_sums, best)
    return min(1.0, float(best @ table.row_sums / table.n))


@documented
def purity_score(
    a: Any,
    b: Any = None,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Purity: the proportion of objects in the majority class of their cluster.

    .. math:: P(a, b) = \frac{1}{n} \sum_j \max_k n_{kj}

    with the classes in ``a`` and the clusters in ``b``. Above 0 and at most 1; 1 if and only if
    every cluster of ``b`` lies within a class of ``a``, so singletons are pure. Not symmetric.

    Parameters
    ----------
    a, b : {hard}
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is purer.

    See Also
    --------
    cluster_accuracy_score : Based on a one-to-one matching, so that splits are penalised.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze. Introduction to Information Retrieval,
       section 16.3. Cambridge University Press (2008).
       https://doi.org/10.1017/CBO9780511809071

    Examples
    --------
    Cluster 1 contains one object of another class:

    >>> from clusterwise import purity_score
    >>> purity_score(["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2])
    0.8
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = contingency(a, b, options)
    return _proportion(table.cells.column_max.sum().item(), table.n)


@documented
def irm_score(
    a: Any,
    b: Any = None,
    *,
    matching: IRMMatching = "greedy",
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""IRM-index: the mean Jaccard index of matched clusters.

    .. math:: IRM = \frac{1}{n} \sum_{kj} d_{kj} \sigma_{kj}, \qquad
        d_{kj} = \frac{n_{kj}}{a_k + b_j - n_{kj}}

    where :math:`d` is the Jaccard index and the plan :math:`\sigma` (the paper's credits) has the
    cluster sizes as its row and column sums. As published, the plan is built greedily, from the
    pair of clusters with the largest :math:`d` on. Tied pairs receive weight at the same rate
    until one of their clusters is used up, so that the order of the labels does not matter (the
    paper leaves ties open). The optimal transport plan gives an upper bound of the greedy value.

    Symmetric, above 0 and at most 1; 1 for equal clusterings only, and without objects. For
    soft clusterings :math:`d` is :math:`\sum_i \min(p_{ik}, q_{ij}) / \sum_i \max(p_{ik},
    q_{ij})`, so a soft clustering has score 1 with itself.

    Parameters
    ----------
    a, b : {hard_or_soft}
    matching : {"greedy", "optimal"}, default="greedy"
        Build the plan greedily, as published, or solve for the optimal transport plan.
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    transport_plan : The plan itself.
    cluster_accuracy_score : Based on a one-to-one matching.

    References
    ----------
    .. [1] P. Rajasekhara, A. K. Pujari. A new clusterwise similarity for partitions based on
       quantitative disagreement. ICVGIP (2010) 386-391.
       https://doi.org/10.1145/1924559.1924611

    Examples
    --------
    The paper's example, in which a cluster of two objects is split:

    >>> from clusterwise import irm_score
    >>> irm_score([1, 1, 2, 3, 4, 5, 6, 6], [1, 1, 2, 3, 4, 5, 6, 7])
    0.875
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    return irm_plan(overlap(a, b, options), matching).value


def _proportion(covered: int | float, n: int | float) -> float:
    return covered / n if n else 1.0
