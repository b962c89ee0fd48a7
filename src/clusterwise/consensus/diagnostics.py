"""The support of a consensus: by object, and by clustering."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import Described
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_number,
    format_percent,
    format_score,
)
from clusterwise.consensus.base import labels_first, relative_weights
from clusterwise.consensus.co_association import ClusterCounts
from clusterwise.inputs.encoding import Array, name_list, rows_by_name
from clusterwise.inputs.ensembles import MISSING, Ensemble, read_ensemble
from clusterwise.measures.information import normalized_mutual_info_score
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.summaries.contingency.contingency import Contingency

# Weights below this fraction of the total are rounding errors.
_ROUNDING = 1e-9
# The mean adjusted Rand index below which the consensus is not supported.
_LOW_AGREEMENT = 0.1


class ConsensusLabels(NamedTuple):
    """A consensus: codes with -1 for objects without any label; codes of all; their labels."""

    codes: Array
    all_codes: Array
    values: Array


class ObjectAgreement(Described, TableRepr):
    """The result of :func:`object_agreement`: prints a row per cluster of the consensus.

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
        The multiplicities of the objects; ones, unless they are distinct rows.
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
        """Positions of the objects whose margin is at most 0, smallest margin first."""
        found = np.flatnonzero(self.margin <= 0)
        return found[np.argsort(self.margin[found], kind="stable")]

    @property
    def n_ambiguous(self) -> int:
        """The number of ambiguous objects."""
        return int(self.counts[self.margin <= 0].sum())

    @property
    def n_labelled(self) -> int:
        """The number of objects with a label in at least one clustering."""
        return int(self.counts[~np.isnan(self.margin)].sum())

    def _sentences(self) -> list[str]:
        """Describe how many objects are ambiguous."""
        if len(set(name_list(self.labels[~np.isnan(self.margin)]))) < 2:
            return ["There is one cluster, so no object is ambiguous."]
        ambiguous, n = self.n_ambiguous, self.n_labelled
        if not ambiguous:
            return [
                "No object is ambiguous: each has its largest mean co-association with its own "
                "cluster."
            ]
        objects = f"{ambiguous:,} of {n:,} objects ({format_percent(ambiguous / n)})"
        are, their = ("is", "its") if ambiguous == 1 else ("are", "their")
        return [
            f"{objects} {are} ambiguous: {their} mean co-association with another cluster is at "
            f"least as large as with {their} own."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON; NaN becomes None."""
        names = ("labels", "own", "other", "nearest", "margin")
        columns = {name: [_plain(one) for one in name_list(getattr(self, name))] for name in names}
        return {"n_ambiguous": self.n_ambiguous, **columns, "counts": self.counts.tolist()}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per object."""
        columns = {
            name: name_list(getattr(self, name))
            for name in ("labels", "own", "other", "nearest", "margin")
        }
        return to_frame(columns, library)

    def text_table(self) -> TextTable:
        """Return the size, mean co-associations and ambiguous objects of each cluster."""
        known = np.flatnonzero(~np.isnan(self.margin))
        rows = []
        for label, some in rows_by_name(self.labels[known]).items():
            here = known[some]
            counts, margin = self.counts[here], self.margin[here]
            means = (np.average(part[here], weights=counts) for part in (self.own, self.other))
            values = map(format_number, (*means, margin.min()))
            rows.append([str(label), str(counts.sum()), *values, str(counts[margin <= 0].sum())])
        header = ["cluster", "objects", "own", "other", "least margin", "ambiguous"]
        found = format_count(self.n_ambiguous, "ambiguous object")
        return TextTable(header, rows, f"{found} of {self.n_labelled:,}")

    def plot(self, *, ax: Any = None, colours: Any = None) -> Any:
        """Plot the margins of all objects, cluster by cluster.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        colours : list of one Colours, optional
            The colours of the clusters.

        Returns
        -------
        AgreementDisplay
        """
        return load_display("AgreementDisplay")(self, colours=colours).plot(ax=ax)


class ClusteringAgreement(Described, TableRepr):
    """The result of :func:`clustering_agreement`: prints clusterings, highest agreement first.

    Attributes
    ----------
    names : tuple of str
        The names of the clusterings.
    n_clusters : ndarray of shape (m,)
        Their numbers of clusters.
    known : ndarray of shape (m,)
        The proportion of objects with a label.
    adjusted_rand, normalized_mutual_info : ndarray of shape (m,)
        Their similarity to the consensus, on the objects with a label.
    """

    def __init__(self, ensemble: Ensemble, known: Array, scores: Array) -> None:
        self.names = ensemble.names
        self.n_clusters = np.array(ensemble.sizes)
        self.known = known
        self.adjusted_rand, self.normalized_mutual_info = scores

    def _sentences(self) -> list[str]:
        """Describe the agreement."""
        scores = self.adjusted_rand
        if scores.size == 1:
            score = format_score(float(scores[0]))
            return [f"The clustering agrees with the consensus by {score} (adjusted Rand)."]
        best, worst = self.names[int(scores.argmax())], self.names[int(scores.argmin())]
        if best.isdigit():
            best = f"clustering {best}"
        mean, least, most = (
            format_score(float(score)) for score in (scores.mean(), scores.min(), scores.max())
        )
        extremes = f"; {best} agrees most, {worst} least" if scores.max() > scores.min() else ""
        low = bool(scores.mean() < _LOW_AGREEMENT)
        return [
            f"The {scores.size} clusterings agree with the consensus by {mean} on average "
            f"(adjusted Rand {least} to {most}; 0 is chance, 1 is identical){extremes}.",
            *["The agreement is low, so do not rely on the consensus."] * low,
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""
        return {
            "clusterings": [dict(zip(self._columns(), row, strict=True)) for row in self._rows()]
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per clustering, in the order of the ensemble."""
        return to_frame(self._columns(), library)

    def text_table(self) -> TextTable:
        """Return a row per clustering."""
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

    def _columns(self) -> dict[str, list[Any]]:
        names = ("n_clusters", "known", "adjusted_rand", "normalized_mutual_info")
        columns = {name: getattr(self, name).tolist() for name in names}
        return {"clustering": list(self.names), **columns}

    def _rows(self) -> Any:
        return zip(*self._columns().values(), strict=True)


@check_arguments
def object_agreement(labels: Any, ensemble: Any, *, weights: Any = None) -> ObjectAgreement:
    """Return the mean co-associations of each object with its own and the nearest other cluster.

    The co-association of two objects is the proportion of clusterings that put them into one
    cluster, among those in which both have labels; means are over all pairs and clusterings. Time
    is O(n · m · K), and no n × n matrix is made.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The consensus. The two arguments may be passed in either order.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.

    Returns
    -------
    ObjectAgreement
        Objects without any label have NaN.

    Examples
    --------
    The third object is with the others of its cluster in only one clustering of three:

    >>> from clusterwise import object_agreement
    >>> ensemble = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]]
    >>> found = object_agreement([0, 0, 0, 1, 1], ensemble)
    >>> found.ambiguous
    array([2])
    >>> found.margin.round(2)
    array([ 0.67,  0.67, -0.33,  0.78,  0.78])
    """
    labels, ensemble = labels_first(labels, ensemble, "object_agreement(labels, ensemble)")
    ensemble = read_ensemble(ensemble, counted=True)
    return measure_objects(
        read_consensus(labels, ensemble), ensemble, relative_weights(weights, ensemble.m)
    )


def measure_objects(
    consensus: ConsensusLabels, ensemble: Ensemble, weights: Array
) -> ObjectAgreement:
    """Return the mean co-associations of the objects of an ensemble."""
    codes, all_codes, values = consensus
    table = ClusterCounts.from_labels(ensemble, weights, codes, ensemble.counts)
    rounding = _ROUNDING * weights.sum()
    n = ensemble.n
    own, other = np.full(n, np.nan), np.full(n, np.nan)
    nearest = all_codes.copy()
    own_weight = (ensemble.codes != MISSING).T @ weights
    for some, together, known in table.blocks(ensemble.codes):
        here = np.flatnonzero(codes[some] >= 0)
        cluster, at = codes[some][here], here + some.start
        # An object is not compared with itself, but with others that have the same labels.
        together[here, cluster] -= own_weight[at]
        known[here, cluster] -= own_weight[at]
        means = np.divide(together, known, out=np.full_like(known, np.nan), where=known > rounding)
        own[at] = np.clip(means[here, cluster], 0.0, 1.0)
        means[here, cluster] = -1.0
        means[np.isnan(means)] = -1.0
        best = means[here].argmax(axis=1)
        found = means[here, best]
        other[at] = np.maximum(found, 0.0)
        nearest[at] = np.where(found >= 0, best, cluster)
    singletons = np.isnan(own) & ~np.isnan(other)
    own[singletons] = 1.0 - other[singletons]
    return ObjectAgreement(values[all_codes], own, other, values[nearest], ensemble.counts)


@check_arguments
def clustering_agreement(labels: Any, ensemble: Any) -> ClusteringAgreement:
    """Compare each clustering of an ensemble with the consensus.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The consensus. The two arguments may be passed in either order.
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings; each is compared on the objects with a label.

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
    labels, ensemble = labels_first(labels, ensemble, "clustering_agreement(labels, ensemble)")
    ensemble = read_ensemble(ensemble, counted=True)
    return measure_clusterings(read_consensus(labels, ensemble).codes, ensemble)


def measure_clusterings(codes: Array, ensemble: Ensemble) -> ClusteringAgreement:
    """Compare the clusterings of an ensemble with the codes of a consensus, -1 for no label."""
    counts = ensemble.counts
    known, scores = np.empty(ensemble.m), np.empty((2, ensemble.m))
    for i, one in enumerate(ensemble.codes):
        both = (one != MISSING) & (codes != MISSING)
        known[i] = np.average(both, weights=counts)
        weights = None if counts is None else counts[both]
        table = Contingency.from_labels(codes[both], one[both], sample_weight=weights)
        scores[:, i] = adjusted_rand_score(table), normalized_mutual_info_score(table)
    return ClusteringAgreement(ensemble, known, scores)


def read_consensus(labels: Any, ensemble: Ensemble) -> ConsensusLabels:
    """Read a consensus of the objects of an ensemble."""
    read = read_ensemble([labels])
    if read.n != ensemble.n:
        raise InputError(
            f"labels are {read.n}, but the ensemble has {ensemble.n} objects; pass one per object."
        )
    missing = int((read.codes == MISSING).sum())
    if missing:
        objects = format_count(missing, "object")
        raise InputError(f"labels are missing for {objects}; pass one for each.")
    known = (ensemble.codes != MISSING).any(axis=0)
    codes = read.codes[0].astype(np.int64)
    return ConsensusLabels(np.where(known, codes, MISSING), codes, read.values[0])


def _plain(value: Any) -> Any:
    """Return a value that JSON can represent."""
    if isinstance(value, float) and np.isnan(value):
        return None
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
