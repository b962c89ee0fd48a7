"""Several methods one after the other, and the Pareto front of what they find."""

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import Alternative, least_size, make_first_clustering
from clusterwise.alternatives.condens.condens import CondEns
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.maximus.maximus import MAXIMUS
from clusterwise.alternatives.mincentropy.mincentropy import MinCEntropy
from clusterwise.alternatives.orthogonal import OrthogonalAlternative
from clusterwise.alternatives.refinement.em import refine
from clusterwise.alternatives.refinement.model import split_by_type
from clusterwise.alternatives.results import (
    FoundClustering,
    FoundClusterings,
    QualityChoice,
    describe_found,
    describe_labels,
    pareto_front,
    warn_of_degenerate,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import read_points
from clusterwise.measures.dq import Dissimilarity, dq_parts
from clusterwise.measures.information import normalized_mutual_info_score

# Two alternatives are the same if their variation of information is less than this share of the
# sum of their entropies.
_SAME = 0.25


class _Member(NamedTuple):
    """How to make an estimator, and whether it is for where nothing clear was found before."""

    make: Callable[..., Alternative]
    options: dict[str, Any]
    if_unclear: bool = False


# The quick ones first. Each sees what is given in a way of its own: taken out of the data, kept out
# by clustering inside of it, by a penalty, and by bounds, in all features or some. Searches in
# some start once, since each of them begins with one in all, which has had its starts before.
_MEMBERS = (
    _Member(OrthogonalAlternative, {}),
    _Member(CondEns, {}),
    _Member(MinCEntropy, {}),
    _Member(MAXIMUS, {"subspaces": False}),
    _Member(MAXIMUS, {"subspaces": True, "n_init": 1}, if_unclear=True),
    _Member(MAXIMUS, {"subspaces": "components", "n_init": 1}, if_unclear=True),
)


def search_portfolio(
    X: Any,
    given: Given,
    describe: Callable[[Alternative, Array], FoundClustering],
    is_clear: Callable[[FoundClustering], bool],
    *,
    budget: float,
    progress: bool | None,
    **asked: Any,
) -> list[FoundClustering]:
    """What all members find; none begins once the seconds of the budget are over.

    Some of them are left out if enough is found by the others that is clear. ``asked`` are
    parameters that all members have. Members that cannot do anything with the data are passed over.
    """
    end = perf_counter() + budget
    found: list[FoundClustering] = []
    clear: list[FoundClustering] = []
    refused: InputError | None = None
    for member in track(_MEMBERS, len(_MEMBERS), "trying methods", progress):
        enough = len(clear) >= asked["n_alternatives"]
        if found and (perf_counter() > end or (member.if_unclear and enough)):
            continue
        model = member.make(**asked, **member.options)
        if "progress" in model.get_params():
            model.set_params(progress=False)
        try:
            with warnings.catch_warnings():
                # That a method stops early says nothing about what others find.
                warnings.simplefilter("ignore", UserWarning)
                model.fit(X, given.codes.T)
        except InputError as error:
            refused = error
            continue
        new = [describe(model, labels) for labels in model.alternatives_]
        found += new
        if not member.if_unclear:
            sound = [one for one in new if not one.degenerate and is_clear(one)]
            clear = drop_duplicates([*clear, *sound])
    if not found and refused is not None:
        raise refused
    return found


def drop_duplicates(
    best_first: Sequence[FoundClustering],
    worth: Callable[[FoundClustering], float] | None = None,
) -> list[FoundClustering]:
    """Those that differ, best first; of several that are the same the one that is worth most.

    If nothing says what they are worth it is the most typical one. The best one by its scores is
    not the one to keep: it is the one that chance has favoured most.
    """
    groups: list[list[FoundClustering]] = []
    for one in best_first:
        group = next((group for group in groups if _alike(one, group[0]) > 1.0 - _SAME), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    kept = [max(group, key=worth or partial(_typical, group=group)) for group in groups]
    return sorted(kept, key=lambda one: -one.dq)


def _alike(one: FoundClustering, other: FoundClustering) -> float:
    # 1 - NMI, by the mean of entropies, is the variation of information over their sum.
    return normalized_mutual_info_score(one.labels, other.labels)


def _typical(one: FoundClustering, group: Sequence[FoundClustering]) -> float:
    return sum(_alike(one, other) for other in group)


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
        read_given(given, features.n)
        if given is not None
        else make_first_clustering(points, n_clusters, seed)
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
        best_first = drop_duplicates(sorted(sound, key=lambda one: -one.dq))
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
    objects = split_by_type(features)
    different: dict[bytes, FoundClustering] = {}
    for one in found:
        different.setdefault(one.labels.tobytes(), one)
    evidence = {}
    for one in different.values():
        labels, worth = refine(objects, given, one.labels, least)
        evidence[describe(one, labels)] = worth
    likely = evidence.__getitem__
    best_first = drop_duplicates(sorted(evidence, key=lambda one: -one.dq), likely)
    near = [one for one in best_first if one.dq >= best_first[0].dq - _STEP]
    first = max(near, key=likely)
    return [first, *(one for one in best_first if one is not first)]
