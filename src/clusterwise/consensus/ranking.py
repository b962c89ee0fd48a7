"""A ranking of clusterings without a reference: by their distance to the consensus of all."""

from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.results import Described
from clusterwise._utils.tables import TableRepr, TextTable, format_list, format_number, format_score
from clusterwise.consensus.overlaps import count_overlaps, sum_blocks
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble, read_ensemble

# Agreements that differ by less are equal up to rounding.
_ROUNDING = 1e-12
_LOW = 0.1
_SHOWN = 5


class ClusteringRanking(Described, TableRepr):
    """The result of :func:`rank_clusterings`: prints clusterings, the most supported first.

    Attributes
    ----------
    names : tuple of str
        The names of the clusterings.
    n_clusters : ndarray of shape (m,)
        Their numbers of clusters.
    distance : ndarray of shape (m,)
        The mean absolute difference between the connectivity of a clustering (1 for pairs of
        objects in one cluster, 0 for others) and the consensus matrix of all, over pairs of
        objects.
    agreement : ndarray of shape (m,)
        The distance adjusted for chance: 1 if all clusterings are the same, and about 0 for a
        clustering that has nothing to do with the others. Always 0 for a clustering with one
        cluster or with single objects only.
    rank : ndarray of shape (m,)
        1 for the largest agreement; clusterings with the same agreement share a rank.
    """

    def __init__(self, ensemble: Ensemble, distance: Array, agreement: Array) -> None:
        self.names = ensemble.names
        self.n_clusters = np.array(ensemble.sizes)
        self.distance, self.agreement = distance, agreement
        larger = agreement[:, None] > agreement + _ROUNDING
        self.rank = 1 + larger.sum(axis=0)

    def _sentences(self) -> list[str]:
        """Name the clusterings that agree most and least with the others."""
        scores = self.agreement
        first = [self._call(i) for i in np.flatnonzero(self.rank == 1).tolist()]
        if len(first) == scores.size:
            same = format_score(float(scores[0]))
            if not self.distance.any():
                return [f"The {scores.size} clusterings are the same."]
            return [f"The {scores.size} clusterings agree equally with the others ({same})."]
        best, worst = (format_score(float(one)) for one in (scores.max(), scores.min()))
        last = self._call(int(scores.argmin()))
        agree = "agrees" if len(first) == 1 else "agree"
        return [
            f"{format_list(first, _SHOWN)} {agree} most with all clusterings together ({best}; 0 "
            f"is chance, 1 is identical), {last} least ({worst}).",
            *["The agreement is low, so the order says little."] * bool(scores.max() < _LOW),
        ]

    def _call(self, i: int) -> str:
        name = self.names[i]
        return f"clustering {name}" if name.isdigit() else name

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""
        columns = self._columns()
        rows = zip(*columns.values(), strict=True)
        return {"clusterings": [dict(zip(columns, row, strict=True)) for row in rows]}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per clustering, in the order of the ensemble."""
        return to_frame(self._columns(), library)

    def text_table(self) -> TextTable:
        """Return a row per clustering."""
        rows = [
            [
                str(self.rank[i]),
                self.names[i],
                str(self.n_clusters[i]),
                format_number(self.agreement[i]),
                format_number(self.distance[i]),
            ]
            for i in np.argsort(self.rank, kind="stable")
        ]
        header = ["rank", "clustering", "clusters", "agreement", "distance"]
        return TextTable(header, rows, "Agreement with all clusterings", frozenset({1}))

    def _columns(self) -> dict[str, list[Any]]:
        names = ("n_clusters", "distance", "agreement", "rank")
        columns = {name: getattr(self, name).tolist() for name in names}
        return {"clustering": list(self.names), **columns}


@check_arguments
def rank_clusterings(ensemble: Any) -> ClusteringRanking:
    r"""Rank clusterings by their agreement with all of them together, without a reference.

    The connectivity matrix :math:`A^t` of a clustering has 1 for two objects in one cluster, and 0
    for others; the consensus matrix :math:`C` is the mean of all. The distance [1]_ is the mean of
    :math:`|A^t_{ij} - C_{ij}|` over pairs of objects. Alone, it favours many small clusters: with
    noisy clusterings, that of single objects often has the smallest distance. So the agreement is
    adjusted for chance, :math:`1 - D / E[D]`, where the expectation is over clusterings with the
    same cluster sizes, independent of each other.

    A clustering that repeats the mistakes of the others is ranked first, too: the ranking says
    which clustering is typical. For a consensus of all, use :func:`combine`.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        At least two clusterings. Two of them are compared on the objects that both label; then
        the distance is the mean proportion of pairs of objects on which a clustering differs from
        each of all.

    Returns
    -------
    ClusteringRanking
        Distance, agreement and rank of each. Time is O(n · m²) for n different rows of labels.

    See Also
    --------
    clustering_agreement : The agreement of each clustering with a given consensus.

    References
    ----------
    .. [1] L. Ohl, F. Lindsten. Discriminative ordering through ensemble consensus. UAI 2025.
       https://arxiv.org/abs/2505.04464

    Examples
    --------
    >>> from clusterwise import rank_clusterings
    >>> runs = {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 1, 1], "c": [0, 1, 0, 1, 0, 1]}
    >>> rank_clusterings(runs)
    Agreement with all clusterings
    rank  clustering  clusters  agreement  distance
       1  a                  2     0.1096    0.2889
       2  b                  2     0.0541    0.3111
       3  c                  2    -0.1644    0.3778
    """
    read = read_ensemble(ensemble, counted=True)
    if read.m < 2:
        raise InputError("rank_clusterings got one clustering; pass at least two.")
    overlaps = count_overlaps(read.collapse())
    starts, shared = overlaps.first[:-1], overlaps.shared
    both = sum_blocks(shared * (shared - 1), starts)
    known = np.add.reduceat(shared, starts, axis=1)
    # own[t, s]: pairs within clusters of t, among the objects that s labels as well.
    own = np.add.reduceat(known * (known - 1), starts, axis=0)
    objects = np.add.reduceat(known, starts, axis=0)
    pairs = objects * (objects - 1)
    apart = _divide(own + own.T - 2 * both, pairs)
    a, b = _divide(own, pairs), _divide(own.T, pairs)
    by_chance = a + b - 2 * a * b
    np.fill_diagonal(by_chance, 0.0)
    agreement = 1.0 - _divide(apart.sum(axis=1), by_chance.sum(axis=1), 1.0)
    agreement[(np.diagonal(own) == 0) | (np.diagonal(own) == np.diagonal(pairs))] = 0.0
    distance = _divide(apart.sum(axis=1), (pairs > 0).sum(axis=1).astype(float))
    return ClusteringRanking(read, distance, agreement)


def _divide(one: Array, other: Array, default: float = 0.0) -> Array:
    return np.divide(one, other, out=np.full(one.shape, default), where=other > 0)
