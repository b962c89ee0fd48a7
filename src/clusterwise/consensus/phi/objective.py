r"""How well a clustering agrees with an ensemble: ICS, ECS and φ.

Two objects are as alike as the clusterings that have them in one cluster are many. From the table
:math:`n_{kc}` of objects that our cluster k and the ensemble's cluster c share, no pair of objects
is ever looked at: within k, :math:`\sum_c \binom{n_{kc}}{2}` pairs agree, and between k and l
:math:`\sum_c n_{kc} n_{lc}`.
"""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.consensus.base import read_weights
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.ensemble.ensemble import EnsembleTable


def intra_cluster_similarity(labels: Any, ensemble: Any = None, *, weights: Any = None) -> float:
    r"""How often objects of one cluster are together in an ensemble (ICS); higher is better.

    .. math:: ICS = \sum_k \frac{1}{|C_k|^2} \sum_c \binom{n_{kc}}{2}

    A cluster that all m clusterings have as well adds :math:`\frac{m}{2}(1 - 1/|C_k|)`, a single
    object nothing. Pairs are unordered and of two objects, as in Eq. 6 of the paper.

    Parameters
    ----------
    labels : array-like of shape (n,), or EnsembleTable
        The clustering to judge.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, PackedEnsemble
        The clusterings; an object may be missing in some.
    weights : array-like of shape (m,), optional
        How much each clustering counts; 1 by default.

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
    Two clusterings agree on the first two objects, none on the last two:

    >>> import numpy as np
    >>> from clusterwise import intra_cluster_similarity
    >>> intra_cluster_similarity([0, 0, 1, 1], np.array([[0, 0], [0, 0], [1, 1], [2, 0]]))
    0.5
    """
    table = _table(labels, ensemble)
    return float(within(table, _by_column(table, weights)).sum())


def inter_cluster_similarity(labels: Any, ensemble: Any = None, *, weights: Any = None) -> float:
    r"""How often objects of different clusters are together in an ensemble (ECS); lower is better.

    .. math:: ECS = \sum_{k < l} \frac{1}{|C_k||C_l|} \sum_c n_{kc} n_{lc}

    The bracket of the paper's Eq. 7, pairs in the union less those in both parts, is just that
    product.

    Parameters
    ----------
    labels : array-like of shape (n,), or EnsembleTable
        The clustering to judge.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, PackedEnsemble
        The clusterings; an object may be missing in some.
    weights : array-like of shape (m,), optional
        How much each clustering counts; 1 by default.

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
    table = _table(labels, ensemble)
    return between(table, _by_column(table, weights))


def consensus_objective(
    labels: Any,
    ensemble: Any = None,
    *,
    k1: float = 1.0,
    k2: float = -1.0,
    normalized: bool = False,
    weights: Any = None,
) -> float:
    r"""The objective φ = k1·ICS + k2·ECS of a consensus; higher is better.

    φ depends on the number of clusters K and their sizes for reasons that have nothing to do with
    agreement: ICS has a term for each cluster, however small, and ECS one for each pair of them.

    - Where m clusterings are the same K clusters of s objects, φ of these is
      :math:`\frac{m}{2} K (1 - 1/s)`: with ten clusters five times what it is with two, though
      both are perfect.
    - Where any two objects are together in a share q of the clusterings, φ is
      :math:`\frac{mq}{2} K (2 - K)` for large clusters and k2 = -1: K = 10 has -80 times the φ
      of K = 1.
    - For a given K, a few small clusters of objects that are always together, with all
      the rest in one, may have a higher φ than the clusters that made the ensemble.

    ``normalized=True`` is comparable across K. Clusters count by their objects, agreement is a
    share of the pairs and of the clusterings (of total weight M), and a cluster is compared with
    the one nearest to it, in place of all:

    .. math:: \sum_k \frac{|C_k|}{n} \left(k_1 W_k + k_2 \max_{l \ne k} B_{kl}\right),\quad
        W_k = \frac{\sum_c \binom{n_{kc}}{2}}{M \binom{|C_k|}{2}},\quad
        B_{kl} = \frac{\sum_c n_{kc} n_{lc}}{M |C_k||C_l|}.

    It is k1 for a clustering that all clusterings equal, with any number of clusters (of more than
    one object each). Two clusters that should be one have :math:`B_{kl}` near :math:`W_k`, one that
    should be two has a low :math:`W_k`: either lowers it. A single cluster is compared with itself,
    so that it is (k1 + k2) times the share of pairs together, or k1 if that is all pairs.

    Parameters
    ----------
    labels : array-like of shape (n,), or EnsembleTable
        The clustering to judge.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, PackedEnsemble
        The clusterings; an object may be missing in some. Pass ``pack_ensemble(ensemble)`` to
        judge many clusterings.
    k1 : float, default=1.0
        The weight of ICS, positive.
    k2 : float, default=-1.0
        The weight of ECS, negative.
    normalized : bool, default=False
        Whether to make it comparable across numbers of clusters.
    weights : array-like of shape (m,), optional
        How much each clustering counts; 1 by default.

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
    Two clusterings of four objects, and what they have in common:

    >>> import numpy as np
    >>> from clusterwise import consensus_objective
    >>> ensemble = np.array([[0, 0], [0, 0], [1, 1], [1, 2]])
    >>> consensus_objective([0, 0, 1, 1], ensemble)
    0.75
    >>> consensus_objective([0, 0, 1, 1], ensemble, normalized=True)
    0.75
    >>> consensus_objective([0, 0, 0, 0], ensemble, normalized=True)
    0.0
    """
    check_factors(k1, k2)
    table = _table(labels, ensemble)
    by_column = _by_column(table, weights)
    if not normalized:
        return k1 * float(within(table, by_column).sum()) + k2 * between(table, by_column)
    sizes = table.sizes.astype(np.float64)
    shares = table.counts / sizes[:, None]
    pairs = (shares * by_column) @ shares.T
    inner = within(table, by_column) * sizes**2
    return normalised(sizes, inner, pairs, float(read_weights(weights, table.m).sum()), k1, k2)


def check_factors(k1: float, k2: float) -> None:
    """Refuse an objective that does not want what a consensus wants."""
    if not (0 < k1 < np.inf and -np.inf < k2 < 0):
        raise InputError(f"k1={k1!r} and k2={k2!r}; use a positive k1 and a negative k2.")


def within(table: EnsembleTable, by_column: Array) -> Array:
    """Each cluster's part of ICS."""
    counts = table.counts.astype(np.float64)
    sizes = table.sizes.astype(np.float64)
    return (counts * (counts - 1) / 2) @ by_column / (sizes * sizes)


def between(table: EnsembleTable, by_column: Array) -> float:
    """ECS; the square of a sum is the sum of squares and twice all products."""
    shares = table.counts / table.sizes[:, None].astype(np.float64)
    sums = shares.sum(axis=0)
    return float((sums * sums - (shares * shares).sum(axis=0)) @ by_column / 2)


def normalised(
    sizes: Array, inner: Array, pairs: Array, total: float, k1: float, k2: float
) -> float:
    """φ by objects and the nearest clusters.

    From the pairs together within clusters, and the mean number of clusterings that have objects of
    two clusters together.
    """
    within = inner / np.maximum(sizes * (sizes - 1) / 2, 1) / total
    if sizes.size == 1:
        share = float(within[0])
        return k1 if share >= 1 else (k1 + k2) * share
    nearest = pairs / total
    np.fill_diagonal(nearest, -np.inf)
    return float(sizes @ (k1 * within + k2 * nearest.max(axis=1)) / sizes.sum())


def _table(labels: Any, ensemble: Any) -> EnsembleTable:
    if isinstance(labels, EnsembleTable):
        return labels
    if ensemble is None:
        raise InputError("there is no ensemble; pass it after the labels.")
    return EnsembleTable.from_labels(labels, ensemble)


def _by_column(table: EnsembleTable, weights: Any) -> Array:
    return read_weights(weights, table.m)[table.owners]
