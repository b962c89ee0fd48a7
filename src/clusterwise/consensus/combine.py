"""Combine many clusterings of the same objects into one, in one call."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from clusterwise._utils.arguments import check_arguments, check_parameters
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import RemembersData, Result
from clusterwise._utils.tables import TextTable, format_count, format_number, list_sizes
from clusterwise._utils.warnings import warn_user
from clusterwise.consensus.base import Consensus, relative_weights, unwrap
from clusterwise.consensus.consensus_matrix import consensus_matrix
from clusterwise.consensus.diagnostics import (
    ClusteringAgreement,
    ConsensusLabels,
    ObjectAgreement,
    measure_clusterings,
    measure_objects,
    object_agreement,
)
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.graph.cspa import CSPA
from clusterwise.consensus.graph.hbgf import HBGF
from clusterwise.consensus.graph.hgpa import HGPA
from clusterwise.consensus.graph.mcla import MCLA
from clusterwise.consensus.locally_weighted.lwea import LWEA
from clusterwise.consensus.locally_weighted.lwgp import LWGP
from clusterwise.consensus.median.median import MedianPartition
from clusterwise.consensus.methods import Method
from clusterwise.consensus.phi.phi import PhiConsensus
from clusterwise.consensus.voting import VotingConsensus
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import (
    MISSING,
    Collapsed,
    Ensemble,
    MissingLabels,
    apply_label_options,
    read_ensemble,
)
from clusterwise.inputs.frames import as_lazy
from clusterwise.inputs.series import index_of, library_of
from clusterwise.summaries.frames.distinct_rows import collapse_frame

_ESTIMATORS: Mapping[str, Callable[..., Consensus]] = {
    "cspa": CSPA,
    "evidence": EvidenceAccumulation,
    "hbgf": HBGF,
    "hgpa": HGPA,
    "lwea": LWEA,
    "lwgp": LWGP,
    "mcla": MCLA,
    "median": MedianPartition,
    "phi": PhiConsensus,
    "refined-evidence": partial(EvidenceAccumulation, refine=True),
    "voting": VotingConsensus,
}
# The methods that "auto" compares: none needs an extra, and all scale to a million objects. The
# first one determines the number of clusters if none is given.
_CANDIDATES: tuple[Method, ...] = ("refined-evidence", "phi", "median")
# Scores are compared to this number of decimals: the last ones depend on the order of objects.
_DECIMALS = 9


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
    scores : dict of str to float
        With "auto", the mean normalised mutual information of each candidate with the clusterings,
        by which the method was chosen; else empty.
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
        scores: Mapping[str, float],
        source: "Source",
        n_clusters_requested: int | None = None,
    ) -> None:
        self.method, self.model, self.agreement = fitted
        self.scores = dict(scores)
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

    def _sentences(self) -> list[str]:
        """Describe the consensus and its support."""
        clusters = format_count(self.n_clusters, "cluster")
        sizes = list_sizes(sorted(self.sizes.tolist(), reverse=True))
        sentences = [
            f"The consensus of {format_count(self.ensemble.m, 'clustering')} by {self.method} has "
            f"{clusters} ({sizes}).",
            self.agreement.summary(),
        ]
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
        return {
            "method": self.method,
            "n_objects": self.n_objects,
            "n_clusters": self.n_clusters,
            "sizes": self.sizes.tolist(),
            "n_ambiguous": self.objects.n_ambiguous,
            "mean_adjusted_rand": float(self.agreement.adjusted_rand.mean()),
            "scores": self.scores,
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
        title = f"{clusters} of {self.n_objects} objects by {self.method} (mean ARI {mean})"
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


@check_arguments
def combine(
    ensemble: Any,
    method: Method | Consensus = "auto",
    n_clusters: int | None = None,
    *,
    weights: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    missing: MissingLabels = "ignore",
    random_state: Any = None,
    progress: bool | None = None,
    **params: Any,
) -> Combined:
    """Combine many clusterings of the same objects into one.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, or MadeEnsemble
        The clusterings. Labels may be of any type, and missing. Of a lazy frame (Polars, DuckDB,
        Ibis, Dask or PySpark) only the distinct rows and their counts leave the engine, and the
        labels are those of the distinct rows.
    method : str or estimator, default="auto"
        "cspa", "evidence", "hbgf", "hgpa", "lwea", "lwgp", "mcla", "median", "phi",
        "refined-evidence" (evidence accumulation with ``refine=True``) or "voting"; "cspa", "hbgf", "hgpa" and "mcla" need the
        extra ``graphs``. "auto" computes "refined-evidence", "phi" and "median", all with the same
        number of clusters, and returns the one with the highest mean normalised mutual information
        with the clusterings [1]_. Or an estimator such as ``VotingConsensus(n_init=10)``, of which
        a copy is fitted.
    n_clusters : int, optional
        The number of clusters; by default the rule of the method decides, with "auto" that of
        evidence accumulation.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How objects with the noise label count in a clustering: as one cluster, as a cluster each,
        or as objects without a label.
    noise_label : label, default=-1
        The label of noise in the clusterings.
    missing : {"ignore", "error", "drop", "label"}, default="ignore"
        What a missing label means: the clustering does not count for the object; an error; the
        object is left out of all clusterings and gets -1; or missing is a cluster of its own.
    random_state : int, RandomState, Generator or None
        The seed of the method.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.
    **params
        Further parameters of the estimator, such as ``linkage="single"`` for "evidence".

    Returns
    -------
    Combined
        ``labels``, the method, and the agreement with the clusterings.

    References
    ----------
    .. [1] A. Strehl, J. Ghosh: Cluster ensembles, a knowledge reuse framework for combining
       multiple partitions. Journal of Machine Learning Research 3 (2002) 583-617,
       https://www.jmlr.org/papers/v3/strehl02a.html

    Examples
    --------
    >>> from clusterwise import combine
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]]
    >>> found = combine(ensemble, random_state=0)
    >>> found.labels
    array([0, 0, 0, 1, 1, 1])
    >>> {method: round(score, 2) for method, score in found.scores.items()}
    {'refined-evidence': 0.65, 'phi': 0.65, 'median': 0.65}
    """
    _check_method(method, params)
    source = _read(ensemble, noise=noise, noise_label=noise_label, missing=missing)
    shared = {"weights": weights, "random_state": random_state, "progress": progress}

    def fit(chosen: Method | Consensus, count: int | None) -> Fitted:
        name, model = _make(chosen, count, shared, params)
        model._validate_params()
        model._fit_collapsed(source.collapsed)
        few, counts, _ = source.collapsed
        codes = distinct_labels(model.labels_, source.collapsed)
        return Fitted(name, model, measure_clusterings(codes, few._replace(counts=counts)))

    if method != "auto":
        return Combined(fit(method, n_clusters), {}, source, n_clusters)
    found = [fit(_CANDIDATES[0], n_clusters)]
    for name in _CANDIDATES[1:]:
        try:
            found.append(fit(name, found[0].model.n_clusters_))
        except InputError:
            # The input is valid, as the first one shows: there are too many clusters for a table.
            continue
    read = relative_weights(weights, source.ensemble.m)
    scores = {one.method: mean_mutual_information(one.agreement, read) for one in found}
    best = max(found, key=lambda one: round(scores[one.method], _DECIMALS))
    return Combined(best, scores, source, n_clusters)


def mean_mutual_information(agreement: ClusteringAgreement, weights: Any) -> float:
    """Return the mean NMI with the clusterings, weighted by their proportions of known labels."""
    return float(np.average(agreement.normalized_mutual_info, weights=weights * agreement.known))


def distinct_labels(labels: Array, collapsed: Collapsed) -> Array:
    """Return the labels of the distinct objects, from those of all objects."""
    found = np.empty(collapsed.ensemble.n, np.int64)
    found[collapsed.of] = labels
    return found


def _check_method(method: Any, params: Mapping[str, Any]) -> None:
    if isinstance(method, Consensus):
        return
    if method == "auto":
        check_parameters(params, (), combine, "method='auto'")


def _make(
    method: Method | Consensus,
    n_clusters: int | None,
    shared: Mapping[str, Any],
    params: Mapping[str, Any],
) -> tuple[str, Consensus]:
    """Return the name of a method and a new estimator with its parameters."""
    if isinstance(method, Consensus):
        name, model = _name_of(method), clone(method)
    else:
        name, model = method, _ESTIMATORS[method]()
    known = model.get_params()
    check_parameters(params, known, combine, type(model).__name__)
    given = {"n_clusters": n_clusters, **shared}
    passed = {key: value for key, value in given.items() if value is not None and key in known}
    return name, model.set_params(**passed, **params)


def _name_of(model: Consensus) -> str:
    """Return the name of the method of an estimator; its class if it has none."""
    if isinstance(model, EvidenceAccumulation) and model.refine:
        return "refined-evidence"
    names = {kind: name for name, kind in _ESTIMATORS.items() if isinstance(kind, type)}
    return names.get(type(model), type(model).__name__)


def _read(ensemble: Any, **label_options: Any) -> Source:
    """Read and collapse the clusterings, once for all that is computed from them."""
    distinct_rows = None
    if as_lazy(ensemble) is not None:
        collapsed, rows = collapse_frame(ensemble)
        read = collapsed.ensemble._replace(counts=collapsed.weights)
        distinct_rows = rows.to_native()
    else:
        read = read_ensemble(unwrap(ensemble), counted=True)
        if read.m > read.n and unwrap(ensemble) is not read:
            warn_user(
                f"the ensemble has {read.m} clusterings of {read.n} objects: the table may be "
                "transposed; rows are objects, and columns (or the arrays of a list) are "
                "clusterings.",
            )
    read = apply_label_options(read, **label_options)
    data = ensemble.data if isinstance(ensemble, RemembersData) else None
    index, library = _index_of(ensemble), library_of(ensemble)
    return Source(read, read.collapse(), index, library, distinct_rows, data)


def _index_of(ensemble: Any) -> Any:
    """Return the index of a pandas frame, or of the first series of a dict or list."""
    if isinstance(ensemble, Mapping):
        ensemble = next(iter(ensemble.values()), None)
    elif isinstance(ensemble, list | tuple) and ensemble:
        ensemble = ensemble[0]
    return index_of(ensemble)
