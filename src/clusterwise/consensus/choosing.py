"""Several methods on the same clusterings, and the result that shares most with them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.consensus.base import read_weights
from clusterwise.consensus.diagnostics import ClusteringAgreement, clustering_agreement
from clusterwise.inputs.ensembles import Ensemble

# None needs an extra, and a million objects are not too many for any. The first one also says
# how many clusters there are to be, if nobody else does.
_TRIED = ("refined-evidence", "phi", "median")


class Chosen(NamedTuple):
    """The method whose result shares most with the clusterings, and what each one shares."""

    method: str
    model: Any
    agreement: ClusteringAgreement
    tried: Mapping[str, float]


def choose(
    ensemble: Ensemble, make: Callable[[str, int | None], Any], count: int | None, weights: Any
) -> Chosen:
    """Fit the methods, all with the same number of clusters, and keep the best result.

    ``make`` returns the estimator for the name of a method and a number of clusters.
    """
    model = make(_TRIED[0], count).fit(ensemble)
    found = [(_TRIED[0], model, clustering_agreement(model.labels_, ensemble))]
    for name in _TRIED[1:]:
        try:
            other = make(name, model.n_clusters_).fit(ensemble)
        except InputError:
            # The input was good for the first one: too many clusters for this one's tables.
            continue
        found.append((name, other, clustering_agreement(other.labels_, ensemble)))
    shares = read_weights(weights, ensemble.m)
    tried = {name: shared(agreement, shares) for name, _, agreement in found}
    method, best, agreement = max(found, key=lambda one: tried[one[0]])
    return Chosen(method, best, agreement, tried)


def shared(agreement: ClusteringAgreement, weights: Any) -> float:
    """Mean normalised mutual information; what clusterings do not know, counts for nothing."""
    counts = weights * agreement.known
    return float(np.average(agreement.normalized_mutual_info, weights=counts))
