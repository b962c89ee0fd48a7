"""What clusters tell by the objective of CIB, whoever found them."""

import numpy as np

from clusterwise.alternatives.cib.cib import CIB
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import mutual_info_score

_STARTS = 100
_MORE = 1e-9


def tell(X: Array, given: Array, labels: Array) -> float:
    """I(C;Y|Z) + I(C;Y) in nats, with ten bins of equal width per feature."""
    codes = Binning().fit(X).bins(X).codes
    inside = [given == cluster for cluster in np.unique(given)]
    parts = [
        mutual_info_score(labels, values)
        + sum(mine.mean() * mutual_info_score(labels[mine], values[mine]) for mine in inside)
        for values in codes
    ]
    return float(np.mean(parts))


def is_beaten(X: Array, given: Array, labels: Array, seed: int) -> bool:
    """Whether CIB, from many starts, finds something that tells more."""
    model = CIB(n_init=_STARTS, random_state=seed, progress=False).fit(X, given)
    return bool(model.objective_ > tell(X, given, labels) + _MORE)
