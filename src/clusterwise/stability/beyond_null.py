"""Whether a clustering is more stable than those of data without clusters."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.stability.null_models import Null
from clusterwise.stability.repeated_clustering import Runs

# The level of the tests, and the proportion of values in an interval.
LEVEL, INTERVAL = 0.05, 0.95
# Equal numbers may differ by rounding.
_ROUNDING = 1e-9


class NullStability(NamedTuple):
    """The stability of data sets of a null model, clustered in the same way.

    ``ari`` is their mean adjusted Rand index, ``low`` and ``high`` are quantiles (95 % are in
    between), ``reached`` counts the data sets that are as stable as the data, of ``n_sets``, and
    ``p_value`` is the p-value of that. ``pac`` is the mean PAC.
    """

    null: str
    ari: float
    low: float
    high: float
    reached: int
    n_sets: int
    p_value: float
    pac: float


def find_interval(values: Array) -> tuple[float, float]:
    """Return the two quantiles between which 95 % of the values are."""
    low, high = np.quantile(values, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2])
    return float(low), float(high)


def compare_with_nulls(runs: Runs) -> dict[Null, NullStability]:
    """Compare a clustering of the data with the null models, by ranks."""
    found = {}
    observed = float(runs.aris.mean())
    for null, (aris, pacs) in runs.nulls.items():
        reached = int((aris >= observed - _ROUNDING).sum())
        low, high = find_interval(aris)
        p_value = (1 + reached) / (1 + aris.size)
        found[null] = NullStability(
            null, float(aris.mean()), low, high, reached, aris.size, p_value, float(pacs.mean())
        )
    return found


def hardest(nulls: Mapping[Null, NullStability]) -> NullStability:
    """Return the null model that is as stable as the data most often, or is most stable."""
    return max(nulls.values(), key=lambda one: (one.reached, one.ari))
