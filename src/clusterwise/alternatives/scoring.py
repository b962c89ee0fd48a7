"""What an alternative is worth, whichever estimator found it."""

from collections.abc import Callable, Mapping
from typing import Any

from clusterwise.encoding import Array
from clusterwise.measures.dq import DQ, Dissimilarity, dq_parts

QualityChoice = str | Callable[[Any, Any], float]


def score(
    X: Any,
    given: Array,
    labels: Array,
    quality: QualityChoice,
    dissimilarity: Dissimilarity,
    parameters: Mapping[str, Any],
) -> DQ:
    """DQ and its parts against given codes (m × n), by the estimator's metric or missing values."""
    options = {}
    if isinstance(quality, str):
        option = "missing" if quality == "entropy" else "metric"
        options = {option: parameters[option]} if option in parameters else {}
    return dq_parts(X, given.T, labels, dissimilarity=dissimilarity, quality=quality, **options)
