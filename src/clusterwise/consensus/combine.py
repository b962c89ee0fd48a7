"""One clustering from many, in one call."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import write_report
from clusterwise._utils.tables import TableRepr, TextTable, format_count, format_number
from clusterwise.consensus.choosing import choose
from clusterwise.consensus.co_association import consensus_matrix
from clusterwise.consensus.diagnostics import (
    ClusteringAgreement,
    clustering_agreement,
    object_agreement,
)
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.graph.cspa import CSPA
from clusterwise.consensus.graph.hbgf import HBGF
from clusterwise.consensus.graph.hgpa import HGPA
from clusterwise.consensus.graph.mcla import MCLA
from clusterwise.consensus.make_ensemble import MadeEnsemble
from clusterwise.consensus.median.median import MedianPartition
from clusterwise.consensus.methods import METHODS, Method
from clusterwise.consensus.phi.phi import PhiConsensus
from clusterwise.consensus.voting import VotingConsensus
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble, read_ensemble
from clusterwise.inputs.frames import as_lazy
from clusterwise.summaries.frames.labels import collapse_frame

_ESTIMATORS: Mapping[str, Callable[..., Any]] = {
    "cspa": CSPA,
    "evidence": EvidenceAccumulation,
    "hbgf": HBGF,
    "hgpa": HGPA,
    "mcla": MCLA,
    "median": MedianPartition,
    "phi": PhiConsensus,
    "refined-evidence": partial(EvidenceAccumulation, refine=True),
    "voting": VotingConsensus,
}


class Combined(TableRepr):
    """The result of :func:`combine`: prints how alike it and the clusterings are.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The consensus; -1 for objects that no clustering knows.
    n_clusters : int
        How many clusters it has.
    method : str
        The method that it is from; with "auto" the one that was chosen.
    model : Consensus
        The fitted estimator.
    agreement : ClusteringAgreement
        How alike each clustering and the consensus are.
    tried : dict of str to float
        With "auto", the mean normalised mutual information of each method's result with the
        clusterings, by which it was chosen; else empty.
    ensemble : Ensemble
        The clusterings as codes, m × n.
    distinct_rows : frame
        Of a lazy frame: the different rows, each of which has a label, as an eager frame to be
        joined with the objects on all its columns; ``ensemble.counts`` are their numbers. Else
        None.
    """

    def __init__(
        self,
        method: str,
        model: Any,
        agreement: ClusteringAgreement,
        tried: Mapping[str, float],
        *,
        ensemble: Ensemble,
        distinct_rows: Any = None,
    ) -> None:
        self.method, self.model, self.agreement = method, model, agreement
        self.tried = dict(tried)
        self.ensemble, self.distinct_rows = ensemble, distinct_rows
        self.labels: Array = model.labels_
        self.n_clusters: int = model.n_clusters_

    def plot(self, kind: str = "matrix", *, ax: Any = None, **options: Any) -> Any:
        """Draw it, with the extra ``plots``.

        Parameters
        ----------
        kind : {"matrix", "objects"}, default="matrix"
            How often objects of a sample are together, or how well each object is settled.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of :func:`~clusterwise.consensus_matrix`, or of
            :func:`~clusterwise.object_agreement`.

        Returns
        -------
        Display
            From :mod:`clusterwise.plots`, drawn.
        """
        if kind == "matrix":
            return consensus_matrix(self.ensemble, self.labels, **options).plot(ax=ax)
        if kind == "objects":
            return object_agreement(self.labels, self.ensemble, **options).plot(ax=ax)
        raise InputError(f"unknown plot kind {kind!r}; use matrix or objects.")

    def report(self, path: Any, *, title: str | None = None) -> Path:
        """Write it as one page of HTML with pictures, which needs the extra ``report``."""
        return write_report(self, path, title=title)

    def text_table(self) -> TextTable:
        """A row for each clustering, most agreeing first."""
        clusters = format_count(self.n_clusters, "cluster")
        mean = format_number(float(self.agreement.adjusted_rand.mean()))
        counts = self.ensemble.counts
        objects = self.labels.size if counts is None else counts.sum()
        title = f"{clusters} of {objects} objects by {self.method} (mean ARI {mean})"
        return replace(self.agreement.text_table(), title=title)


def combine(
    ensemble: Any,
    method: Method = "auto",
    n_clusters: int | None = None,
    *,
    weights: Any = None,
    random_state: Any = None,
    progress: bool | None = None,
) -> Combined:
    """Combine many clusterings of the same objects into one.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, or MadeEnsemble
        The clusterings. Labels may be of any kind, and missing where one does not know an object.
        Of a lazy frame (Polars, DuckDB, Ibis, Dask or PySpark) only the different rows and their
        numbers leave the engine, and it is these that get labels.
    method : str, default="auto"
        "cspa", "evidence", "hbgf", "hgpa", "mcla", "median", "phi", "refined-evidence" (evidence
        accumulation whose objects then move) or "voting"; "cspa", "hbgf", "hgpa" and "mcla" need
        the extra ``graphs``. "auto" makes one clustering each by "refined-evidence", "phi" and
        "median", all with the same number of clusters. It keeps the one with the highest mean
        normalised mutual information with the clusterings of the ensemble [1]_.
    n_clusters : int, optional
        How many clusters; by default as the method's own rule says, with "auto" as that of
        evidence accumulation does.
    weights : array-like of shape (m,), optional
        How much each clustering counts; all the same by default.
    random_state : int, RandomState, Generator or None
        For methods that draw, "auto" among them.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    Combined
        ``labels``, the method they are from, and how alike they and the clusterings are.

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
    >>> {method: round(shared, 2) for method, shared in found.tried.items()}
    {'refined-evidence': 0.65, 'phi': 0.65, 'median': 0.65}
    """
    if method not in METHODS:
        raise InputError(f"method={method!r} is unknown; use one of {', '.join(METHODS)}.")
    read, distinct_rows = _read(ensemble)
    settings = {"weights": weights, "random_state": random_state, "progress": progress}

    def make(name: str, count: int | None) -> Any:
        model = _ESTIMATORS[name](count)
        known = model.get_params()
        return model.set_params(**{key: settings[key] for key in settings if key in known})

    if method == "auto":
        chosen = choose(read, make, n_clusters, weights)
        return Combined(*chosen, ensemble=read, distinct_rows=distinct_rows)
    model = make(method, n_clusters).fit(read)
    agreement = clustering_agreement(model.labels_, read)
    return Combined(method, model, agreement, {}, ensemble=read, distinct_rows=distinct_rows)


def _read(ensemble: Any) -> tuple[Ensemble, Any]:
    """The clusterings, and of a lazy frame the different rows."""
    if isinstance(ensemble, MadeEnsemble):
        return ensemble.ensemble, None
    if as_lazy(ensemble) is None:
        return read_ensemble(ensemble, counted=True), None
    collapsed, distinct_rows = collapse_frame(ensemble)
    return collapsed.ensemble._replace(counts=collapsed.weights), distinct_rows.to_native()
