"""Combine many clusterings of the same objects into one, in one call."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sklearn.base import clone

from clusterwise._utils.arguments import check_arguments, check_parameters
from clusterwise._utils.results import RemembersData
from clusterwise._utils.warnings import warn_user
from clusterwise.consensus.automatic import choose_method
from clusterwise.consensus.base import Consensus, relative_weights, unwrap
from clusterwise.consensus.combined import Combined, Fitted, Source, distinct_labels
from clusterwise.consensus.diagnostics import measure_clusterings
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
from clusterwise.inputs.ensembles import (
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
        "refined-evidence" (evidence accumulation with ``refine=True``) or "voting"; "cspa", "hbgf",
        "hgpa" and "mcla" need the extra ``graphs``. "auto" is "lwea" if the clusterings have many
        clusters, at the median 1.5 times as many as the consensus, of a mean confidence [1]_ of at
        least 0.1, i.e. if small clusters mostly lie within large ones; else "refined-evidence". Or
        an estimator such as ``VotingConsensus(n_init=10)``, of which a copy is fitted.
    n_clusters : int, optional
        The number of clusters; by default the rule of the method decides. With "auto" it is the
        number after which the spectrum of the bipartite graph of objects and clusters [2]_ has its
        largest gap, from 2 to the largest number of clusters of any clustering; with more than
        2,000 clusters in all it is that of the method.
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
        ``labels``, the method, and the agreement with the clusterings. Its summary says so if the
        clusterings agree with each other no more than independent ones would.

    References
    ----------
    .. [1] D. Huang, C.-D. Wang, J.-H. Lai: Locally weighted ensemble clustering. IEEE Transactions
       on Cybernetics 48 (2018) 1460-1473, https://doi.org/10.1109/TCYB.2017.2702343
    .. [2] X. Z. Fern, C. E. Brodley: Solving cluster ensemble problems by bipartite graph
       partitioning. ICML (2004) 36, https://doi.org/10.1145/1015330.1015414

    Examples
    --------
    >>> from clusterwise import combine
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]]
    >>> found = combine(ensemble, random_state=0)
    >>> found.labels
    array([0, 0, 0, 1, 1, 1])
    >>> found.method, round(found.confidence, 2)
    ('refined-evidence', 0.56)
    """
    _check_method(method, params)
    source = _read(ensemble, noise=noise, noise_label=noise_label, missing=missing)
    shared = {"weights": weights, "random_state": random_state, "progress": progress}

    confidence = None
    chosen, count = method, n_clusters
    if chosen == "auto":
        read = relative_weights(weights, source.ensemble.m)
        chosen, count, confidence = choose_method(source.collapsed, read, n_clusters)
    name, model = _make(chosen, count, shared, params)
    model._validate_params()
    model._fit_collapsed(source.collapsed)
    few, counts, _ = source.collapsed
    codes = distinct_labels(model.labels_, source.collapsed)
    agreement = measure_clusterings(codes, few._replace(counts=counts))
    return Combined(Fitted(name, model, agreement), source, n_clusters, confidence)


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
