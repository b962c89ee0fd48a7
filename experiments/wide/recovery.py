"""How well methods find the hidden clustering of wide or correlated data."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.orthogonal import OrthogonalAlternative
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score
from experiments.wide.data import SETTINGS

AUTO, UNTOLD = "auto", "auto, K chosen"
_RESTARTS = 10


class WideOutcome(NamedTuple):
    """The NMI of each method with the hidden clustering of one data set.

    ``found`` says whether the alternative of a chosen number of clusters was convincing, and
    ``number`` is that number.
    """

    setting: str
    nmi: dict[str, float]
    found: bool
    number: int


def run_setting(index: int, seed: int) -> WideOutcome:
    """Run all methods on one data set; all but one are told the number of clusters."""
    setting = SETTINGS[index]
    X, given, hidden = setting.make(seed)
    K = setting.hidden
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", UserWarning)
        untold = cluster_again(X, given, scale=False, random_state=seed, progress=False)
        chosen = (untold or untold.unconvincing)[0].labels
        found = {
            AUTO: _again(X, given, K, seed),
            UNTOLD: chosen,
            "whiten": _orthogonal(X, given, K, seed),
            "project and k-means": _orthogonal(
                X, given, K, seed, approach="project", explained_variance=1.0
            ),
            "whiten, 20 scaled components": _orthogonal(
                X, given, K, seed, n_components=20, scale_components=True
            ),
            "k-means": KMeans(K, n_init=_RESTARTS, random_state=seed).fit_predict(X),
        }
    nmi = {name: float(normalized_mutual_info_score(hidden, one)) for name, one in found.items()}
    return WideOutcome(setting.name, nmi, bool(untold), np.unique(chosen).size)


def _again(X: Array, given: Array, K: int, seed: int) -> Array:
    found = cluster_again(X, given, n_clusters=K, scale=False, random_state=seed, progress=False)
    # Recovery counts even if it is not convincing.
    return (found or found.unconvincing)[0].labels


def _orthogonal(X: Array, given: Array, K: int, seed: int, **options: Any) -> Array:
    return np.asarray(OrthogonalAlternative(K, random_state=seed, **options).fit(X, given).labels_)
