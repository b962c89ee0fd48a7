"""One clustering from many, in one call."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from clusterwise.consensus.base import Consensus
from clusterwise.consensus.diagnostics import ClusteringAgreement, clustering_agreement
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.hypergraph import HBGF, MCLA
from clusterwise.consensus.made import MadeEnsemble
from clusterwise.consensus.median import MedianPartition
from clusterwise.consensus.phi import PhiConsensus
from clusterwise.consensus.sampled import CSPA, HGPA
from clusterwise.consensus.voting import VotingConsensus
from clusterwise.encoding import Array
from clusterwise.ensembles import read_ensemble
from clusterwise.errors import InputError
from clusterwise.grids import Grid, Shown, counted, number

Method = Literal["auto", "cspa", "evidence", "hbgf", "hgpa", "mcla", "median", "phi", "voting"]
_METHODS: Mapping[str, type[Consensus]] = {
    "cspa": CSPA,
    "evidence": EvidenceAccumulation,
    "hbgf": HBGF,
    "hgpa": HGPA,
    "mcla": MCLA,
    "median": MedianPartition,
    "phi": PhiConsensus,
    "voting": VotingConsensus,
}
# Needs no extra, has a rule for the number of clusters, and scales.
_AUTO = "evidence"


class Combined(Shown):
    """The result of :func:`combine`: prints how alike it and the clusterings are.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The consensus; -1 for objects that no clustering knows.
    n_clusters : int
        How many clusters it has.
    method : str
        The method that it is from.
    model : Consensus
        The fitted estimator.
    agreement : ClusteringAgreement
        How alike each clustering and the consensus are.
    """

    def __init__(self, method: str, model: Any, agreement: ClusteringAgreement) -> None:
        self.method, self.model, self.agreement = method, model, agreement
        self.labels: Array = model.labels_
        self.n_clusters: int = model.n_clusters_

    def grid(self) -> Grid:
        """A row for each clustering, most agreeing first."""
        clusters = counted(self.n_clusters, "cluster")
        mean = number(float(self.agreement.adjusted_rand.mean()))
        title = f"{clusters} of {self.labels.size} objects by {self.method} (mean ARI {mean})"
        return replace(self.agreement.grid(), title=title)


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
    method : str, default="auto"
        "cspa", "evidence", "hbgf", "hgpa", "mcla", "median", "phi" or "voting"; "auto" is evidence
        accumulation with average linkage, which needs no number of clusters. "cspa", "hbgf",
        "hgpa" and "mcla" need the extra ``graphs``.
    n_clusters : int, optional
        How many clusters; by default as the method's own rule says.
    weights : array-like of shape (m,), optional
        How much each clustering counts; all the same by default.
    random_state : int, RandomState or None
        For methods that draw.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    Combined
        ``labels``, the method they are from, and how alike they and the clusterings are.

    Examples
    --------
    >>> from clusterwise import combine
    >>> found = combine([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]])
    >>> found.labels
    array([0, 0, 0, 1, 1, 1])
    """
    if method != "auto" and method not in _METHODS:
        names = ", ".join(("auto", *_METHODS))
        raise InputError(f"method={method!r} is unknown; use one of {names}.")
    read = ensemble.ensemble if isinstance(ensemble, MadeEnsemble) else read_ensemble(ensemble)
    name = _AUTO if method == "auto" else method
    model: Any = _METHODS[name](n_clusters)
    known = model.get_params()
    settings = {"weights": weights, "random_state": random_state, "progress": progress}
    model.set_params(**{key: value for key, value in settings.items() if key in known})
    model.fit(read)
    return Combined(name, model, clustering_agreement(model.labels_, read))
