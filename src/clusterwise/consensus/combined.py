"""The result of combining clusterings."""

from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import RemembersData, Result
from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_number,
    format_score,
    list_sizes,
)
from clusterwise.consensus.consensus_matrix import consensus_matrix
from clusterwise.consensus.diagnostics import (
    ClusteringAgreement,
    ConsensusLabels,
    ObjectAgreement,
    measure_objects,
    object_agreement,
)
from clusterwise.consensus.mutual_agreement import MutualAgreement, measure_mutual_agreement
from clusterwise.consensus.overlaps import count_overlaps
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Collapsed, Ensemble


class Combined(RemembersData, Result):
    """The result of :func:`combine`: prints the agreement of the clusterings with the consensus.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters : int
        Its number of clusters.
    n_clusters_requested : int or None
        The number of clusters that was asked for.
    sizes : ndarray of shape (n_clusters,)
        The number of objects in each cluster.
    method : str
        The method; with "auto" the one that was chosen.
    model : Consensus
        The fitted estimator.
    agreement : ClusteringAgreement
        The similarity of each clustering to the consensus.
    objects : ObjectAgreement
        The mean co-associations of each object with its own and the nearest other cluster.
    confidence : float or None
        With "auto", the mean confidence of the clusters (see :class:`LWEA`), by which, and by their
        number, the method was chosen; NaN if there are too many clusters. Else None.
    mutual_agreement : MutualAgreement or None
        The mean adjusted Rand index of all pairs of clusterings, and its standard deviation if
        they are independent; None if there are too many clusters.
    ensemble : Ensemble
        The clusterings as codes, m × n.
    index : pandas Index or None
        The index of the caller's frame or series.
    distinct_rows : frame
        For a lazy frame: the distinct rows, each of which has a label, as an eager frame to be
        joined with the objects on all its columns; ``ensemble.counts`` are their counts. Else
        None.
    data : array-like, frame or None
        The features from which :func:`make_ensemble` made the clusterings; they are not pickled.
    """

    _print_summary = True

    def __init__(
        self,
        fitted: "Fitted",
        source: "Source",
        n_clusters_requested: int | None = None,
        confidence: float | None = None,
    ) -> None:
        self.method, self.model, self.agreement = fitted
        self.confidence = confidence
        self.ensemble, self.index = source.ensemble, source.index
        self.distinct_rows, self.data = source.distinct_rows, source.data
        self.labels: Array = self.model.labels_
        self.n_clusters: int = self.model.n_clusters_
        self.n_clusters_requested = n_clusters_requested
        self._collapsed, self._library = source.collapsed, source.library

    @property
    def sizes(self) -> Array:
        """The number of objects in each cluster."""
        known = self.labels >= 0
        counts = None if self.ensemble.counts is None else self.ensemble.counts[known]
        return np.bincount(self.labels[known], counts, self.n_clusters).astype(np.int64)

    @property
    def n_objects(self) -> int:
        """The number of objects."""
        counts = self.ensemble.counts
        return int(self.labels.size if counts is None else counts.sum())

    @cached_property
    def objects(self) -> ObjectAgreement:
        """The mean co-associations of each object with its own and the nearest other cluster."""
        few, weights, of = self._collapsed
        codes = distinct_labels(self.labels, self._collapsed)
        # Objects without any label are a cluster of their own here, as in object_agreement.
        values = np.append(np.arange(self.n_clusters), MISSING)
        consensus = ConsensusLabels(codes, np.where(codes < 0, self.n_clusters, codes), values)
        found = measure_objects(consensus, few._replace(counts=weights), np.ones(few.m))
        own, other, nearest = (part[of] for part in (found.own, found.other, found.nearest))
        return ObjectAgreement(self.labels, own, other, nearest, self.ensemble.counts)

    @cached_property
    def mutual_agreement(self) -> MutualAgreement | None:
        """The mean adjusted Rand index of all pairs of clusterings."""
        try:
            return measure_mutual_agreement(count_overlaps(self._collapsed))
        except InputError:
            return None

    def _sentences(self) -> list[str]:
        """Describe the consensus and its support."""
        clusters = format_count(self.n_clusters, "cluster")
        sizes = list_sizes(sorted(self.sizes.tolist(), reverse=True))
        sentences = [
            f"The consensus of {format_count(self.ensemble.m, 'clustering')} has {clusters} "
            f"({sizes}), found by {self.method}.",
            self.agreement.summary(),
        ]
        mutual = self.mutual_agreement
        if mutual is not None and not mutual.is_common:
            sentences.append(
                "There is no common answer: the clusterings agree with each other by adjusted Rand "
                f"{format_score(mutual.mean)} on average, and independent ones reach "
                f"{format_score(mutual.by_chance)} by chance."
            )
        requested = self.n_clusters_requested
        if self.n_clusters > 1:
            sentences.append(self.objects.summary())
        elif requested is None:
            same = "" if max(self.ensemble.sizes) > 1 else ", as in every clustering"
            sentences.append(f"All objects are in one cluster{same}.")
        if requested is not None and self.n_clusters < requested:
            sentences.append(f"It has fewer clusters than the {requested} asked for.")
        unlabelled = self.n_objects - int(self.sizes.sum())
        if unlabelled:
            have = "has" if unlabelled == 1 else "have"
            sentences.append(
                f"{format_count(unlabelled, 'object')} {have} no label in any clustering, and -1 "
                "in the consensus."
            )
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""
        mutual = self.mutual_agreement
        return {
            "method": self.method,
            "n_objects": self.n_objects,
            "n_clusters": self.n_clusters,
            "sizes": self.sizes.tolist(),
            "n_ambiguous": self.objects.n_ambiguous,
            "mean_adjusted_rand": float(self.agreement.adjusted_rand.mean()),
            "confidence": _finite(self.confidence),
            "mutual_agreement": _finite(None if mutual is None else mutual.mean),
            **self.agreement.to_dict(),
            "labels": self.labels.tolist(),
            "summary": self.summary(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per object, and the caller's index.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the library of the input, or the first one that is installed.

        Returns
        -------
        frame
            The columns ``cluster``, ``own``, ``other``, ``nearest`` and ``margin`` (see
            :class:`ObjectAgreement`); of a lazy frame a row per distinct row, with its ``count``.
        """
        found = self.objects
        columns = {"cluster": self.labels.tolist()}
        for name in ("own", "other", "nearest", "margin"):
            columns[name] = getattr(found, name).tolist()
        if self.ensemble.counts is not None:
            columns["count"] = self.ensemble.counts.tolist()
        return to_frame(columns, library or self._library, index=self.index)

    def plot(self, kind: str = "matrix", *, ax: Any = None, **options: Any) -> Any:
        """Plot the consensus; needs the extra ``plots``.

        Parameters
        ----------
        kind : {"matrix", "objects", "scatter"}, default="matrix"
            The co-association matrix of a sample, the margins of all objects, or the objects
            coloured by their cluster, which needs ``X`` if it is not known.
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            Options of :func:`~clusterwise.consensus_matrix`, of
            :func:`~clusterwise.object_agreement`, or ``X``, ``axes`` and ``coordinates`` of
            :class:`~clusterwise.plots.ScatterPairDisplay`.

        Returns
        -------
        Display
            A drawn display of :mod:`clusterwise.plots`.
        """
        if kind == "matrix":
            return consensus_matrix(self.ensemble, self.labels, **options).plot(ax=ax)
        if kind == "objects":
            if options:
                return object_agreement(self.labels, self.ensemble, **options).plot(ax=ax)
            return self.objects.plot(ax=ax)
        if kind == "scatter":
            options.setdefault("X", None if "coordinates" in options else self.data)
            display = load_display("ScatterPairDisplay")
            return display.from_clusterings({"consensus": self.labels}, **options).plot(ax=ax)
        raise InputError(f"unknown plot kind {kind!r}; use matrix, objects or scatter.")

    def text_table(self) -> TextTable:
        """Return a row per clustering, highest agreement first."""
        clusters = format_count(self.n_clusters, "cluster")
        mean = format_number(float(self.agreement.adjusted_rand.mean()))
        objects = format_count(self.n_objects, "object")
        title = f"{clusters} of {objects} by {self.method} (mean ARI {mean})"
        return replace(self.agreement.text_table(), title=title)


class Source(NamedTuple):
    """An ensemble as it was read, its distinct objects, and what to label the results with."""

    ensemble: Ensemble
    collapsed: Collapsed
    index: Any = None
    library: str | None = None
    distinct_rows: Any = None
    data: Any = None


class Fitted(NamedTuple):
    """A fitted estimator with the name of its method, and its agreement with the clusterings."""

    method: str
    model: Any
    agreement: ClusteringAgreement


def _finite(value: float | None) -> float | None:
    """Return a number, or None if there is none."""
    return None if value is None or np.isnan(value) else value


def distinct_labels(labels: Array, collapsed: Collapsed) -> Array:
    """Return the labels of the distinct objects, from those of all objects."""
    found = np.empty(collapsed.ensemble.n, np.int64)
    found[collapsed.of] = labels
    return found
