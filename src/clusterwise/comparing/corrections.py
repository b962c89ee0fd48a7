"""Corrections of p-values for many comparisons."""

from typing import Literal, NamedTuple

import numpy as np

from clusterwise.comparing.significance import ChanceOptions
from clusterwise.inputs.encoding import Array

Correction = Literal["holm", "benjamini-hochberg"]
# The names of their authors, for sentences.
CORRECTIONS: dict[Correction, str] = {
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini and Hochberg",
}


class CorrectedChance(NamedTuple):
    """How p-values of many pairs are computed and corrected."""

    options: ChanceOptions
    correction: Correction


def correct_p_values(p_values: Array, correction: Correction) -> Array:
    """Return adjusted p-values; NaN stays NaN, and is not counted as a comparison.

    Holm's is the largest of the p-values up to it in increasing order, each times the number of
    those from it on; Benjamini and Hochberg's the smallest of those from it on, each times the
    number of all divided by its rank.
    """
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    ordered, ranks = p_values[order], np.arange(order.size)
    if correction == "holm":
        found = np.maximum.accumulate(ordered * (order.size - ranks))
    else:
        scaled = ordered * order.size / (ranks + 1)
        found = np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.full(p_values.shape, np.nan)
    adjusted[order] = np.minimum(found, 1.0)
    return adjusted
