"""What an alternative is worth, whichever estimator found it."""

from collections.abc import Callable, Mapping
from typing import Any

from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.results import FoundClustering
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.encoding import Array
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


def describe_found(
    seen: Any, model: Alternative, labels: Array, quality: QualityChoice, kind: Dissimilarity
) -> FoundClustering:
    """An alternative that a fitted estimator found, by the objects as qualities see them."""
    name, parameters = type(model).__name__, model.get_params()
    return describe_labels(seen, model.given_, labels, quality, kind, name, parameters)


def describe_labels(
    seen: Any,
    given: Array,
    labels: Array,
    quality: QualityChoice,
    kind: Dissimilarity,
    method: str,
    parameters: Mapping[str, Any],
) -> FoundClustering:
    """Labels with what they are worth, and who found them."""
    scores = score(seen, given, labels, quality, kind, parameters)
    sizes = describe_sizes(labels)
    return FoundClustering(
        labels=labels,
        quality=scores.quality,
        dissimilarity=scores.dissimilarity,
        dq=scores.dq,
        sizes=sizes.sizes,
        effective_n_clusters=sizes.effective,
        degenerate=sizes.degenerate,
        method=method,
        parameters=parameters,
    )
