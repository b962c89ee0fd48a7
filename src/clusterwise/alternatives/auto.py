"""The portfolio in one call: the front of what several methods find."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.front import pareto_front
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.points import least_size, make_first
from clusterwise.alternatives.portfolio import drop_repeated, search_portfolio
from clusterwise.alternatives.refinement.em import refine
from clusterwise.alternatives.refinement.model import split_objects
from clusterwise.alternatives.results import (
    FoundClustering,
    FoundClusterings,
    warn_of_degenerate,
)
from clusterwise.alternatives.scoring import QualityChoice, describe_found, describe_labels
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import read_points
from clusterwise.measures.dq import Dissimilarity, dq_parts

_QUALITY = "canonical"
_DISSIMILARITY = "adjusted_mutual_info_score"
_BUDGET = 60.0
# An alternative is clear if its DQ by these is at least so much.
_CLEAR = 0.89
# Differences of quality and dissimilarity count in steps of this size: a clustering that is as good
# but for a hair is worth seeing.
_STEP = 0.05
# With more given clusters than this nothing is refined: the time grows with their third power.
_MOST_GIVEN = 1_000
# Nor with more pairs of an object and a cluster: every one takes 50 bytes.
_MOST_PAIRS = 25_000_000


def find_auto(
    X: Any,
    given: Any,
    *,
    n: int | None,
    n_clusters: int | None,
    min_cluster_size: float | None,
    quality: QualityChoice | None,
    dissimilarity: Dissimilarity | None,
    progress: bool | None,
    options: dict[str, Any],
) -> FoundClusterings:
    """The Pareto front of what the portfolio finds, best first; or the best n."""
    budget, seed = options.pop("budget", _BUDGET), options.pop("random_state", None)
    refined = options.pop("refine", True)
    if options:
        raise InputError(
            f"method='auto' has no parameter {next(iter(options))!r}; use budget, refine or "
            "random_state, or name a method."
        )
    if not isinstance(budget, int | float) or not budget >= 0:
        raise InputError(f"budget={budget!r}; use seconds from 0 on.")
    if quality == "entropy":
        raise InputError("quality='entropy' judges names, not points; use method='coalacat'.")
    features = read_features(X)
    points = read_points(features).points
    seed = as_random_state(seed).randint(1 << 30)
    known = (
        read_given(given, features.n) if given is not None else make_first(points, n_clusters, seed)
    )
    by = quality or _QUALITY, dissimilarity or _DISSIMILARITY

    def describe(model: Alternative, labels: Array) -> FoundClustering:
        return describe_found(points, model, labels, *by)

    def describe_anew(one: FoundClustering, labels: Array) -> FoundClustering:
        return describe_labels(points, known.codes, labels, *by, one.method, one.parameters)

    def is_clear(one: FoundClustering) -> bool:
        scored = by == (_QUALITY, _DISSIMILARITY)
        return (one.dq if scored else _score(points, known, one.labels)) >= _CLEAR

    found = search_portfolio(
        features, known, describe, is_clear, budget=budget, progress=progress,
        n_clusters=n_clusters, n_alternatives=n or 1, min_cluster_size=min_cluster_size,
        random_state=seed,
    )  # fmt: skip
    sound = [one for one in found if not one.degenerate] or found
    warn_of_degenerate(sound)
    if refined and _can_refine(sound, known):
        least = least_size(min_cluster_size, 1, features.n)
        best_first = _refine_all(sound, features, known, least, describe_anew)
    else:
        best_first = drop_repeated(sorted(sound, key=lambda one: -one.dq))
    if n is None:
        values = np.array([[one.quality, one.dissimilarity] for one in best_first])
        front = pareto_front(np.rint(values / _STEP))
        best_first = [best_first[i] for i in dict.fromkeys([0, *front])]
    elif len(best_first) < n:
        warnings.warn(
            f"method='auto' found {len(best_first)} of {n} alternatives: no others differ enough.",
            UserWarning,
            stacklevel=3,
        )
    return FoundClusterings(best_first[:n], given=known.codes)


def _score(points: Array, given: Given, labels: Array) -> float:
    """DQ by the measures that say how clear a clustering is, whatever is asked for."""
    measures: dict[str, Any] = {"quality": _QUALITY, "dissimilarity": _DISSIMILARITY}
    return dq_parts(points, given.codes.T, labels, **measures).dq


def _can_refine(found: Sequence[FoundClustering], given: Given) -> bool:
    pairs = max(len(one.sizes) for one in found) * given.codes.shape[1]
    return sum(given.sizes) <= _MOST_GIVEN and pairs <= _MOST_PAIRS


def _refine_all(
    found: Sequence[FoundClustering],
    features: Features,
    given: Given,
    least: int,
    describe: Callable[[FoundClustering, Array], FoundClustering],
) -> list[FoundClustering]:
    """All with labels anew, best first; but of those that are about as good the likeliest leads."""
    objects = split_objects(features)
    different: dict[bytes, FoundClustering] = {}
    for one in found:
        different.setdefault(one.labels.tobytes(), one)
    evidence = {}
    for one in different.values():
        labels, worth = refine(objects, given, one.labels, least)
        evidence[describe(one, labels)] = worth
    likely = evidence.__getitem__
    best_first = drop_repeated(sorted(evidence, key=lambda one: -one.dq), likely)
    near = [one for one in best_first if one.dq >= best_first[0].dq - _STEP]
    first = max(near, key=likely)
    return [first, *(one for one in best_first if one is not first)]
