"""Whether features are scaled before the search, in one place for function and command."""

from dataclasses import replace
from typing import NamedTuple

from clusterwise.alternatives.alternative_sentences import Scaling
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.methods import SCALED_METRICS
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.points import standardise

# Scaled features are rounded to this number of decimals.
_DECIMALS = 9


class ScaledProblem(NamedTuple):
    """The objects as they are searched; ``scaling`` is None where units do not matter."""

    problem: AlternativeProblem
    scaling: Scaling | None


def scale_problem(
    problem: AlternativeProblem, scale: bool | None, model: Alternative | None = None
) -> ScaledProblem:
    """Scale the features to mean 0 and standard deviation 1, if that applies.

    Parameters
    ----------
    problem : AlternativeProblem
        The objects.
    scale : bool or None
        True and False as the caller says; None for metrics that depend on units.
    model : Alternative or None
        The estimator; None for the portfolio.
    """
    metric = getattr(model, "metric", "euclidean")
    if model is not None and model._unit_free:
        return ScaledProblem(problem, None)
    if any(column.kind == "nominal" for column in problem.features.columns):
        as_points = model is None or model._scored_as_points
        return ScaledProblem(problem, "mixed" if as_points else None)
    if not (metric in SCALED_METRICS if scale is None else scale):
        return ScaledProblem(problem, "none")
    # Rounded, so that the last bits, which depend on the units, do not decide between searches.
    X = standardise(problem.features, decimals=_DECIMALS)
    scaled = replace(problem.features, matrix=X, _columns=())
    return ScaledProblem(AlternativeProblem(X, problem.n, problem.given, scaled), "standard")
