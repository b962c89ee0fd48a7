r"""Measures based on an optimal transport plan between the clusters of two clusterings.

A plan :math:`w` distributes the weight of every cluster over the clusters of the other
clustering: :math:`\sum_j w_{kj} = \alpha_k` and :math:`\sum_k w_{kj} = \beta_j`, with weights that
sum to 1. All clusters take part, also if the numbers of clusters differ. Memberships are
:math:`p_{ik}` and :math:`q_{ij}`; labels are memberships that are 0 or 1.
"""

from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures._centroids import Metric, centroid_distances, css_bound, read_centroids
from clusterwise.measures._irm_plan import IRMMatching, irm_plan
from clusterwise.measures._label_options import documented, label_options, overlap
from clusterwise.measures._transport_solver import SparsePlan, solve_transport
from clusterwise.measures.transport_plans import (
    TransportPlan,
    Weights,
    cluster_weights,
    normalize_weights,
)
from clusterwise.summaries.contingency.cells import Cells, DenseCells
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap


@documented
def mallows_distance(
    a: Any,
    b: Any = None,
    *,
    weights: Weights = "uniform",
    normalized: bool = False,
    p: float = 1.0,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Mallows distance of clusterings (CC): the transport distance of their memberships.

    .. math:: CC = \Big( \min_w \sum_{kj} w_{kj} \sum_i |p_{ik} - q_{ij}|^p \Big)^{1/p}

    over all transport plans between the clusters' weights. A metric for hard and soft
    clusterings with any numbers of clusters, for each choice of weights: 0 for equal
    clusterings only, at most :math:`n^{1/p}`. With uniform weights it is also at most
    :math:`n (1/K + 1/J)`, and :math:`2n(K-1)/K^2` if K = J, so clusterings with many clusters
    are always near each other. For hard clusterings with K = J it is :math:`2n/K` times
    :func:`clustering_error`.

    Solved exactly: by an assignment if K = J and all weights are equal, otherwise by shortest
    paths (few clusters) or a network simplex (many). Hard clusterings need only their
    contingency table.

    Parameters
    ----------
    a, b : {hard_or_soft}
    weights : {"uniform", "size"} or pair of array-likes or mappings, default="uniform"
        The weights of clusters: equal, proportional to their sizes, or given for the clusters
        of a and of b, in the order of their labels or by label.
    normalized : bool, default=False
        Divide by :math:`n^{1/p}`: from 0 to 1.
    p : float, default=1.0
        The exponent, at least 1.
    {label_options}

    Returns
    -------
    float
        0 or more, lower is more similar.

    See Also
    --------
    transport_plan : The plan itself.
    css_distance : Takes the distances between clusters into account.

    References
    ----------
    .. [1] D. Zhou, J. Li, H. Zha. A new Mallows distance based metric for comparing
       clusterings. ICML (2005) 1028-1035. https://doi.org/10.1145/1102351.1102481

    Examples
    --------
    An object with memberships of one half adds half as much as one that moved:

    >>> from clusterwise import mallows_distance
    >>> mallows_distance([0, 0, 1, 1], [0, 1, 1, 1])
    1.0
    >>> mallows_distance([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]])
    0.5
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = overlap(a, b, options, p=p)
    distance = mallows_plan(table, weights, p).value
    if not normalized:
        return distance
    return min(1.0, distance / table.n ** (1 / p)) if table.n else 0.0


@documented
def css_distance(
    a: Any,
    b: Any = None,
    X: Any = None,
    *,
    weights: Weights = "uniform",
    metric: Metric = "euclidean",
    representatives: tuple[Any, Any] | None = None,
    normalized: bool = False,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Cluster similarity sensitive distance (CSS): moves weighted by the distance of clusters.

    .. math::
        CSS = \min_w \sum_{kj} \Big(1 - \frac{2 w_{kj}}{\alpha_k + \beta_j}\Big) S_{kj} L_{kj},
        \qquad S_{kj} = \sum_i p_{ik} q_{ij}

    over all transport plans, with :math:`L_{kj}` the distance between the representatives of
    the clusters. An object contributes the distance between its two clusters, unless the plan
    matches them. Moving objects to a near cluster therefore costs less than to a far one.

    0 or more, and symmetric if the metric is. Equal hard clusterings have distance 0, but
    others may too, since clusters with the same centroid are not distinguished. It is no metric:
    a soft clustering is in general not at distance 0 from itself (objects with memberships in
    clusters with different centroids contribute), and the triangle inequality does not hold. The
    optimal plan matches the pairs with the largest :math:`S L`, not necessarily those with the
    largest overlap.

    Parameters
    ----------
    a, b : {hard_or_soft}
    X : array-like or frame of shape (n, R), optional
        The objects' feature vectors; clusters are represented by their (weighted) centroids. These
        are as exact as floats of the size of X, so subtract an offset that is more than a billion
        times the spread.
    weights : {"uniform", "size"} or pair of array-likes or mappings, default="uniform"
        As in :func:`mallows_distance`.
    metric : str, callable or array-like of shape (K, J), default="euclidean"
        The distance between representatives: a metric of SciPy by name, a function of two
        vectors, or a matrix of distances (for objects without feature vectors), with clusters
        in the order of their labels.
    representatives : pair of array-likes of shape (K, R) and (J, R) or mappings, optional
        Representatives of the clusters of a and of b in place of centroids, such as medoids or
        prototypes: in the order of the labels, or by label.
    normalized : bool, default=False
        Divide by an upper bound, which gives values from 0 to 1. With centroids of ``X`` and the
        Euclidean metric it is :math:`2ns`, where :math:`s` is the objects' root mean square
        distance from their mean :math:`\bar x`, which no clustering changes. Proof: the
        factor in brackets is from 0 to 1, since :math:`w_{kj} \le \min(\alpha_k, \beta_j)`,
        so :math:`CSS \le \sum S_{kj} L_{kj} \le \sum_k a_k |\mu_k - \bar x| + \sum_j
        b_j |\nu_j - \bar x|` by the triangle inequality; and :math:`\sum_k a_k |\mu_k -
        \bar x| \le \sum_{ik} p_{ik} |x_i - \bar x| \le n s` by convexity, likewise for b.
        Otherwise it is :math:`n \max L_{kj}` over clusters with common objects.
    {label_options}

    Returns
    -------
    float
        0 or more, lower is more similar.

    See Also
    --------
    mallows_distance : Based on memberships only, and a metric.
    transport_plan : The plan itself.

    References
    ----------
    .. [1] D. Zhou, J. Li, H. Zha. A new Mallows distance based metric for comparing
       clusterings. ICML (2005) 1028-1035. https://doi.org/10.1145/1102351.1102481

    Examples
    --------
    An object of the left cluster moves to the middle, or to the far right:

    >>> from clusterwise import css_distance
    >>> X = [[0.0], [0.0], [0.0], [5.0], [5.0], [20.0], [20.0]]
    >>> left = ["l", "l", "l", "m", "m", "r", "r"]
    >>> round(css_distance(left, ["l", "l", "m", "m", "m", "r", "r"], X), 2)
    3.33
    >>> round(css_distance(left, ["l", "l", "r", "m", "m", "r", "r"], X), 2)
    13.33
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    table = read_centroids(a, b, X, options)
    plan = css_plan(table, weights, metric, representatives)
    if not normalized:
        return plan.value
    distances = centroid_distances(table, metric, representatives)
    bound = css_bound(table, distances, metric, representatives)
    return min(1.0, plan.value / bound) if bound else 0.0


@documented
def transport_plan(
    a: Any,
    b: Any = None,
    X: Any = None,
    *,
    measure: Literal["mallows_distance", "css_distance", "irm_score"] = "mallows_distance",
    weights: Weights = "uniform",
    p: float = 1.0,
    metric: Metric = "euclidean",
    representatives: tuple[Any, Any] | None = None,
    matching: IRMMatching = "greedy",
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> TransportPlan:
    r"""Return the transport plan of a measure: which clusters are matched, and at what cost.

    If both clusterings have the same number of clusters, all of equal weight, the plan is a
    one-to-one matching and is solved as an assignment. Other plans between few clusters are
    solved by shortest paths, between many by a network simplex. All solvers are exact;
    ``solver`` names the one that was used. The optimal plan need not be unique.

    Parameters
    ----------
    a, b : {hard_or_soft}
    X : array-like or frame of shape (n, R), optional
        The objects' feature vectors, for ``css_distance``.
    measure : {"mallows_distance", "css_distance", "irm_score"}, default="mallows_distance"
        The measure whose plan is returned.
    weights : {"uniform", "size"} or pair of array-likes or mappings, default="uniform"
        The weights of clusters; the IRM-index always uses their sizes.
    p, metric, representatives, matching
        As in the measures.
    {label_options}

    Returns
    -------
    TransportPlan
        The plan, its costs, the matched clusters, and a description in sentences.

    See Also
    --------
    mallows_distance, css_distance, irm_score

    References
    ----------
    .. [1] D. Zhou, J. Li, H. Zha. A new Mallows distance based metric for comparing
       clusterings. ICML (2005) 1028-1035. https://doi.org/10.1145/1102351.1102481

    Examples
    --------
    One cluster is split into two:

    >>> from clusterwise import transport_plan
    >>> plan = transport_plan(list("AAABBB"), list("xxyzzz"), weights="size")
    >>> plan.plan.round(2)
    array([[0.33, 0.17, 0.  ],
           [0.  , 0.  , 0.5 ]])
    >>> plan.sentences()
    ["66.7% of cluster 'A' went to 'x', 33.3% to 'y'.", "100.0% of cluster 'B' went to 'z'."]
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    if measure == "mallows_distance":
        return mallows_plan(overlap(a, b, options, p=p), weights, p)
    if measure == "css_distance":
        return css_plan(read_centroids(a, b, X, options), weights, metric, representatives)
    return irm_plan(overlap(a, b, options), matching)


def mallows_plan(
    table: Contingency | SoftOverlap, weights: Weights = "uniform", p: float = 1.0
) -> TransportPlan:
    """Return the optimal plan of the Mallows distance."""
    marginals = cluster_weights(weights, table)
    if isinstance(table, SoftOverlap) and not table.is_hard and table.exponent != p:
        raise InputError(
            f"the SoftOverlap was computed with p={table.exponent:g}; compute it with p={p:g}."
        )
    # Costs are those of clusters without common objects, which are the same for all plans, minus
    # twice the gains.
    if isinstance(table, SoftOverlap) and table.explicit_differences is not None:
        plan = solve_transport(*marginals, DenseCells(table.gains))
        costs = table.differences[plan.rows, plan.columns]
    else:
        plan = solve_transport(*marginals, table.cells)
        sizes = table.row_sums[plan.rows] + table.column_sums[plan.columns]
        costs = sizes - 2 * table.cells.at(plan.rows, plan.columns)
    value = max(0.0, float(plan.amounts @ costs)) ** (1 / p)
    return TransportPlan(
        "mallows_distance", value, table, marginals, plan, costs, lambda: _differences(table)
    )


def css_plan(
    table: SoftOverlap,
    weights: Weights = "uniform",
    metric: Metric = "euclidean",
    representatives: tuple[Any, Any] | None = None,
) -> TransportPlan:
    """Return the optimal plan of the cluster similarity sensitive distance."""
    marginals = cluster_weights(weights, table)
    alpha, beta = normalize_weights(marginals)
    cells = table.cells.nonzero
    distances = centroid_distances(table, metric, representatives)
    moved = cells.counts * distances
    pair_weights = alpha[cells.rows] + beta[cells.columns]
    pair_weights[pair_weights == 0] = np.inf  # clusters without weight are never matched
    gains = 2 * moved / pair_weights
    plan = solve_transport(*marginals, table.cells.with_counts(gains))
    kept = _amounts_in_cells(table.cells, plan)
    factor = np.maximum(0.0, 1 - 2 * kept / pair_weights)
    table_of_costs = table.cells.with_counts(moved)
    return TransportPlan(
        "css_distance", float(factor @ moved), table, marginals, plan,
        table_of_costs.at(plan.rows, plan.columns), table_of_costs.dense,
        object_costs=factor * distances,
    )  # fmt: skip


def _amounts_in_cells(cells: Cells, plan: SparsePlan) -> Array:
    """Return the amount that a plan moves in every nonzero cell."""
    moved = np.zeros(cells.filled)
    indices = cells.indices(plan.rows, plan.columns)
    np.add.at(moved, indices[indices >= 0], plan.amounts[indices >= 0])
    return moved


def _differences(table: Contingency | SoftOverlap) -> Array:
    if isinstance(table, SoftOverlap):
        return table.differences
    return table.row_sums[:, None] + table.column_sums - 2 * table.to_array()
