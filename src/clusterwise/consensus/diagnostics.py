"""How well a consensus is supported: object by object, and clustering by clustering."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_number,
    format_percent,
)
from clusterwise.consensus.base import read_weights
from clusterwise.consensus.together import Together
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.ensembles import MISSING, Ensemble, read_ensemble
from clusterwise.measures.information import normalized_mutual_info_score
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.summaries.contingency.contingency import Contingency

# A share of the weights that may be rounding.
_ROUNDING = 1e-9


class Read(NamedTuple):
    """A consensus: codes, -1 for objects that no clustering knows; codes of all; their labels."""

    codes: Array
    all_codes: Array
    values: Array


class ObjectAgreement(TableRepr):
    """The result of :func:`object_agreement`: prints a row for each cluster of the consensus.

    Attributes
    ----------
    own : ndarray of shape (n,)
        The mean co-association of each object with the others of its cluster, from 0 to 1. An
        object alone in its cluster has 1 minus ``other``.
    other : ndarray of shape (n,)
        The largest mean co-association with another cluster; 0 if there is none.
    nearest : ndarray of shape (n,)
        The label of that cluster; an object's own if there is no other.
    margin : ndarray of shape (n,)
        ``own - other``, from -1 to 1.
    labels : ndarray of shape (n,)
        The consensus.
    counts : ndarray of shape (n,)
        How many objects each one stands for; ones, unless they are kinds of objects.
    """

    def __init__(
        self,
        labels: Array,
        own: Array,
        other: Array,
        nearest: Array,
        counts: Array | None = None,
    ) -> None:
        self.labels, self.own, self.other, self.nearest = labels, own, other, nearest
        self.margin = own - other
        self.counts = np.ones(labels.size, np.int64) if counts is None else counts

    @property
    def ambiguous(self) -> Array:
        """Objects that are together with another cluster at least as often, worst first."""
        found = np.flatnonzero(self.margin <= 0)
        return found[np.argsort(self.margin[found], kind="stable")]

    @property
    def n_ambiguous(self) -> int:
        """How many objects these are."""
        return int(self.counts[self.margin <= 0].sum())

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row per object."""
        columns = {
            name: name_list(getattr(self, name))
            for name in ("labels", "own", "other", "nearest", "margin")
        }
        return to_frame(columns, library)

    def text_table(self) -> TextTable:
        """Each cluster's size, mean agreement and ambiguous objects."""
        known = ~np.isnan(self.margin)
        rows = []
        for label in dict.fromkeys(name_list(self.labels[known])):
            here = known & (self.labels == label)
            counts, margin = self.counts[here], self.margin[here]
            means = (np.average(part[here], weights=counts) for part in (self.own, self.other))
            shares = map(format_number, (*means, margin.min()))
            rows.append([str(label), str(counts.sum()), *shares, str(counts[margin <= 0].sum())])
        header = ["cluster", "objects", "own", "other", "least margin", "ambiguous"]
        title = (
            f"{format_count(self.n_ambiguous, 'ambiguous object')} of {self.counts[known].sum()}"
        )
        return TextTable(header, rows, title)

    def plot(self, *, ax: Any = None, colours: Any = None) -> Any:
        """Draw the margins of all objects, cluster by cluster.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        colours : list of one Colours, optional
            The colours of the clusters.

        Returns
        -------
        AgreementDisplay
        """
        return load_display("AgreementDisplay")(self, colours=colours).plot(ax=ax)


class ClusteringAgreement(TableRepr):
    """The result of :func:`clustering_agreement`: prints clusterings, most agreeing first.

    Attributes
    ----------
    names : tuple of str
        What the clusterings are called.
    n_clusters : ndarray of shape (m,)
        How many clusters each has.
    known : ndarray of shape (m,)
        The share of objects that each knows.
    adjusted_rand, normalized_mutual_info : ndarray of shape (m,)
        How alike each and the consensus are, on the objects that it knows.
    """

    def __init__(self, ensemble: Ensemble, known: Array, scores: Array) -> None:
        self.names = ensemble.names
        self.n_clusters = np.array(ensemble.sizes)
        self.known = known
        self.adjusted_rand, self.normalized_mutual_info = scores

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row per clustering, in the order of the ensemble."""
        names = ("n_clusters", "known", "adjusted_rand", "normalized_mutual_info")
        columns = {name: getattr(self, name).tolist() for name in names}
        return to_frame({"clustering": list(self.names), **columns}, library)

    def text_table(self) -> TextTable:
        """A row for each clustering."""
        rows = [
            [
                self.names[i],
                str(self.n_clusters[i]),
                format_percent(self.known[i]),
                format_number(self.adjusted_rand[i]),
                format_number(self.normalized_mutual_info[i]),
            ]
            for i in np.argsort(-self.adjusted_rand, kind="stable")
        ]
        mean = format_number(float(self.adjusted_rand.mean()))
        header = ["clustering", "clusters", "known", "ARI", "NMI"]
        return TextTable(header, rows, f"Agreement with the consensus (mean ARI {mean})")


def object_agreement(labels: Any, ensemble: Any, *, weights: Any = None) -> ObjectAgreement:
    """How often each object is together with its own cluster, and with the nearest other one.

    The co-association of two objects is the share of clusterings that put them into one
    cluster, among those that know both; means are over all pairs and clusterings. Time grows
    with n · m · K, and nothing of size n × n is made.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The consensus.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.
    weights : array-like of shape (m,), optional
        How much each clustering counts; all the same by default.

    Returns
    -------
    ObjectAgreement
        Objects that no clustering knows have NaN.

    Examples
    --------
    The third object goes with the others of its cluster in one clustering of three only:

    >>> from clusterwise import object_agreement
    >>> ensemble = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]]
    >>> found = object_agreement([0, 0, 0, 1, 1], ensemble)
    >>> found.ambiguous
    array([2])
    >>> found.margin.round(2)
    array([ 0.67,  0.67, -0.33,  0.78,  0.78])
    """
    ensemble = read_ensemble(ensemble, counted=True)
    codes, everyone, values = read_consensus(labels, ensemble)
    counted_in = Together.of(ensemble, read_weights(weights, ensemble.m), codes, ensemble.counts)
    rounding = _ROUNDING * counted_in.weights.sum()
    n = ensemble.n
    own, other = np.full(n, np.nan), np.full(n, np.nan)
    nearest = everyone.copy()
    own_weight = (ensemble.codes != MISSING).T @ counted_in.weights
    for some, together, known in counted_in.blocks(ensemble.codes):
        here = np.flatnonzero(codes[some] >= 0)
        mine, at = codes[some][here], here + some.start
        # An object is not compared with itself, but with others of its kind.
        together[here, mine] -= own_weight[at]
        known[here, mine] -= own_weight[at]
        share = np.divide(together, known, out=np.full_like(known, np.nan), where=known > rounding)
        own[at] = np.clip(share[here, mine], 0.0, 1.0)
        share[here, mine] = -1.0
        share[np.isnan(share)] = -1.0
        best = share[here].argmax(axis=1)
        found = share[here, best]
        other[at] = np.maximum(found, 0.0)
        nearest[at] = np.where(found >= 0, best, mine)
    alone = np.isnan(own) & ~np.isnan(other)
    own[alone] = 1.0 - other[alone]
    return ObjectAgreement(values[everyone], own, other, values[nearest], ensemble.counts)


def clustering_agreement(labels: Any, ensemble: Any) -> ClusteringAgreement:
    """How alike each clustering of an ensemble and the consensus are.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The consensus.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings; each is compared on the objects that it knows.

    Returns
    -------
    ClusteringAgreement
        Adjusted Rand index and normalised mutual information of each.

    Examples
    --------
    >>> from clusterwise import clustering_agreement
    >>> ensemble = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [None, "x", "y", "y"]}
    >>> clustering_agreement([0, 0, 1, 1], ensemble)
    Agreement with the consensus (mean ARI 0.5000)
    clustering  clusters   known      ARI  NMI
    a                  2  100.0%        1    1
    c                  2   75.0%        1    1
    b                  2  100.0%  -0.5000    0
    """
    ensemble = read_ensemble(ensemble, counted=True)
    codes, counts = read_consensus(labels, ensemble).codes, ensemble.counts
    known, scores = np.empty(ensemble.m), np.empty((2, ensemble.m))
    for i, one in enumerate(ensemble.codes):
        both = (one != MISSING) & (codes != MISSING)
        known[i] = np.average(both, weights=counts)
        heavy = None if counts is None else counts[both]
        table = Contingency.from_labels(codes[both], one[both], sample_weight=heavy)
        scores[:, i] = adjusted_rand_score(table), normalized_mutual_info_score(table)
    return ClusteringAgreement(ensemble, known, scores)


def read_consensus(labels: Any, ensemble: Ensemble) -> Read:
    """Read a consensus of the objects of an ensemble."""
    read = read_ensemble([labels])
    if read.n != ensemble.n:
        raise InputError(
            f"labels are {read.n}, but the ensemble has {ensemble.n} objects; pass one per object."
        )
    missing = int((read.codes == MISSING).sum())
    if missing:
        raise InputError(
            f"labels are missing for {format_count(missing, 'object')}; pass one for each."
        )
    known = (ensemble.codes != MISSING).any(axis=0)
    codes = read.codes[0].astype(np.int64)
    return Read(np.where(known, codes, MISSING), codes, read.values[0])
