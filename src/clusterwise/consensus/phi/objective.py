r"""The agreement of a clustering with an ensemble: ICS, ECS and φ.

The similarity of two objects is the number of clusterings that have them in one cluster. All sums
over pairs of objects follow from the table :math:`n_{kc}` of the objects that cluster k and cluster
c of the ensemble have in common: :math:`\sum_c \binom{n_{kc}}{2}` within k, and
:math:`\sum_c n_{kc} n_{lc}` between k and l.
"""

from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise.consensus.base import labels_first, read_weights, relative_weights
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.ensemble.packed import PackedEnsemble


@check_arguments
def intra_cluster_similarity(labels: Any, ensemble: Any = None, *, weights: Any = None) -> float:
    r"""Return the intra-cluster similarity (ICS) to an ensemble; higher is better.

    .. math:: ICS = \sum_k \frac{1}{|C_k|^2} \sum_c \binom{n_{kc}}{2}

    A cluster that is also in all m clusterings contributes :math:`\frac{m}{2}(1 - 1/|C_k|)`, a
    single object 0. Pairs are unordered pairs of different objects, as in Eq. 6 of the paper.

    Parameters
    ----------
    labels : array-like of shape (n,), or EnsembleTable
        The clustering.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, or MadeEnsemble
        The clusterings; labels may be missing.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; 1 by default.

    Returns
    -------
    float

    See Also
    --------
    inter_cluster_similarity, consensus_objective

    References
    ----------
    .. [1] S. Mimaroglu, A. M. Yagci. A binary method for fast computation of inter and intra
       cluster similarities for combining multiple clusterings.

    Examples
    --------
    Both clusterings have the first two objects together, and neither the last two:

    >>> import numpy as np
    >>> from clusterwise import intra_cluster_similarity
    >>> intra_cluster_similarity([0, 0, 1, 1], np.array([[0, 0], [0, 0], [1, 1], [2, 0]]))
    0.5
    """
    table = _table(labels, ensemble, "intra_cluster_similarity(labels, ensemble)")
    return float(within(table, _by_column(table, weights)).sum())


@check_arguments
def inter_cluster_similarity(labels: Any, ensemble: Any = None, *, weights: Any = None) -> float:
    r"""Return the inter-cluster similarity (ECS) to an ensemble; lower is better.

    .. math:: ECS = \sum_{k < l} \frac{1}{|C_k||C_l|} \sum_c n_{kc} n_{lc}

    The bracket in Eq. 7 of the paper, pairs in the union less pairs in each part, is that product.

    Parameters
    ----------
    labels : array-like of shape (n,), or EnsembleTable
        The clustering.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, or MadeEnsemble
        The clusterings; labels may be missing.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; 1 by default.

    Returns
    -------
    float

    See Also
    --------
    intra_cluster_similarity, consensus_objective

    References
    ----------
    .. [1] S. Mimaroglu, A. M. Yagci. A binary method for fast computation of inter and intra
       cluster similarities for combining multiple clusterings.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import inter_cluster_similarity
    >>> inter_cluster_similarity([0, 0, 1, 1], np.array([[0, 0], [0, 0], [1, 1], [2, 0]]))
    0.5
    """
    table = _table(labels, ensemble, "inter_cluster_similarity(labels, ensemble)")
    return between(table, _by_column(table, weights))


@check_arguments
def consensus_objective(
    labels: Any,
    ensemble: Any = None,
    *,
    k1: float = 1.0,
    k2: float = -1.0,
    normalized: bool = True,
    weights: Any = None,
) -> float:
    r"""Return the objective φ of a consensus, normalised or as published; higher is better.

    φ = k1·ICS + k2·ECS as published (``normalized=False``) depends on the number of clusters K and
    on their sizes, not only on the agreement: ICS has a term per cluster, however small, and ECS
    one per pair of clusters.

    - If all m clusterings are the same K clusters of s objects, φ is
      :math:`\frac{m}{2} K (1 - 1/s)`: five times larger for ten clusters than for two, though
      both are perfect.
    - If any two objects are together in a proportion q of the clusterings, φ is
      :math:`\frac{mq}{2} K (2 - K)` for large clusters and k2 = -1: K = 10 has -80 times the φ
      of K = 1.
    - For a given K, a few small clusters of objects that are always together, beside one with all
      the others, may have a higher φ than the clusters from which the ensemble was generated.

    ``normalized=True`` is comparable across K. Clusters are weighted by their objects, agreement
    is a proportion of the pairs and of the clusterings (of total weight M), and a cluster is
    compared with the nearest other cluster only:

    .. math:: \sum_k \frac{|C_k|}{n} \left(k_1 W_k + k_2 \max_{l \ne k} B_{kl}\right),\quad
        W_k = \frac{\sum_c \binom{n_{kc}}{2}}{M \binom{|C_k|}{2}},\quad
        B_{kl} = \frac{\sum_c n_{kc} n_{lc}}{M |C_k||C_l|}.

    It is k1 for a clustering that equals all clusterings, for any number of clusters (of more than
    one object each). Two clusters that should be merged have :math:`B_{kl}` near :math:`W_k`, and
    one that should be split has a low :math:`W_k`; both decrease it. A single cluster is compared
    with itself: the value is (k1 + k2) times the proportion of pairs together, or k1 if that is 1.

    Parameters
    ----------
    labels : array-like of shape (n,), or EnsembleTable
        The clustering.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, or MadeEnsemble
        The clusterings; labels may be missing. Pass ``pack_ensemble(ensemble)`` to evaluate
        many clusterings.
    k1 : float, default=1.0
        The weight of ICS, positive.
    k2 : float, default=-1.0
        The weight of ECS, negative.
    normalized : bool, default=True
        Whether to normalise φ, so that it is comparable across numbers of clusters.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; 1 by default.

    Returns
    -------
    float

    See Also
    --------
    intra_cluster_similarity, inter_cluster_similarity

    References
    ----------
    .. [1] S. Mimaroglu, A. M. Yagci. A binary method for fast computation of inter and intra
       cluster similarities for combining multiple clusterings.

    Examples
    --------
    Two clusterings of four objects:

    >>> import numpy as np
    >>> from clusterwise import consensus_objective
    >>> ensemble = np.array([[0, 0], [0, 0], [1, 1], [1, 2]])
    >>> consensus_objective([0, 0, 1, 1], ensemble)
    0.75
    >>> consensus_objective([0, 0, 0, 0], ensemble)
    0.0
    >>> consensus_objective([0, 0, 1, 1], ensemble, normalized=False)
    0.75
    """
    check_factors(k1, k2)
    table = _table(labels, ensemble, "consensus_objective(labels, ensemble)")
    if not normalized:
        by_column = _by_column(table, weights)
        return k1 * float(within(table, by_column).sum()) + k2 * between(table, by_column)
    relative = relative_weights(weights, table.m)
    by_column = relative[table.owners]
    sizes = table.sizes.astype(np.float64)
    proportions = table.counts / sizes[:, None]
    pairs = (proportions * by_column) @ proportions.T
    inner = within(table, by_column) * sizes**2
    return normalised(sizes, inner, pairs, float(relative.sum()), k1, k2)


def check_factors(k1: float, k2: float) -> None:
    """Raise an error unless k1 is positive and k2 negative."""
    if not (0 < k1 < np.inf and -np.inf < k2 < 0):
        raise InputError(f"k1={k1!r} and k2={k2!r}; use a positive k1 and a negative k2.")


def within(table: EnsembleTable, by_column: Array) -> Array:
    """Return the contribution of each cluster to ICS."""
    counts = table.counts.astype(np.float64)
    sizes = table.sizes.astype(np.float64)
    return (counts * (counts - 1) / 2) @ by_column / (sizes * sizes)


def between(table: EnsembleTable, by_column: Array) -> float:
    """Return ECS: the square of a sum is the sum of squares plus twice all products."""
    proportions = table.counts / table.sizes[:, None].astype(np.float64)
    sums = proportions.sum(axis=0)
    return float((sums * sums - (proportions * proportions).sum(axis=0)) @ by_column / 2)


def normalised(
    sizes: Array, inner: Array, pairs: Array, total: float, k1: float, k2: float
) -> float:
    """Return the normalised φ.

    ``inner`` are the numbers of pairs together within clusters, ``pairs`` the mean number of
    clusterings that have objects of two clusters together.
    """
    within = inner / np.maximum(sizes * (sizes - 1) / 2, 1) / total
    if sizes.size == 1:
        proportion = float(within[0])
        return k1 if proportion >= 1 else (k1 + k2) * proportion
    nearest = pairs / total
    np.fill_diagonal(nearest, -np.inf)
    return float(sizes @ (k1 * within + k2 * nearest.max(axis=1)) / sizes.sum())


def _table(labels: Any, ensemble: Any, function: str) -> EnsembleTable:
    if isinstance(labels, EnsembleTable):
        return labels
    if ensemble is None:
        raise InputError("the ensemble is missing; pass it after the labels.")
    if not isinstance(ensemble, PackedEnsemble):
        labels, ensemble = labels_first(labels, ensemble, function)
    return EnsembleTable.from_labels(labels, ensemble)


def _by_column(table: EnsembleTable, weights: Any) -> Array:
    return read_weights(weights, table.m)[table.owners]
