"""The portfolio of methods that ``method="auto"`` runs, and the Pareto front of their results."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn import config_context

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.alternative_sentences import NEAR_DQ
from clusterwise.alternatives.base import (
    Alternative,
    check_n_objects,
    make_first_clustering,
    resolve_n_clusters,
)
from clusterwise.alternatives.condens.condens import CondEns
from clusterwise.alternatives.distinct_objects import (
    count_distinct,
    rows_of,
    warn_of_equal_objects,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.maximus import MAXIMUS
from clusterwise.alternatives.mincentropy.mincentropy import MinCEntropy
from clusterwise.alternatives.minimum_size import least_size
from clusterwise.alternatives.orthogonal import OrthogonalAlternative
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.em import refine as refine_labels
from clusterwise.alternatives.refinement.model import split_by_type
from clusterwise.alternatives.results import FoundClustering, pareto_front, warn_of_degenerate
from clusterwise.alternatives.scoring import QualityChoice, Scorer
from clusterwise.inputs.clusterings import as_hard_clustering
from clusterwise.measures.dq import Dissimilarity
from clusterwise.measures.information import normalized_mutual_info_score

_QUALITY = "canonical"
_DISSIMILARITY = "adjusted_mutual_info_score"
# The seconds after which no further method begins, by default.
BUDGET = 60.0
# An alternative is clear if its DQ by the default measures is at least this.
_CLEAR = 0.89
# Two alternatives are the same if their variation of information is less than this fraction of
# the sum of their entropies.
_SAME = 0.25
# Quality and dissimilarity are rounded to this step for the Pareto front, so that a clustering
# that is worse by less is not dominated.
_STEP = 0.05
# Labels are not refined with more given clusters than this: the time grows with their third power.
_MOST_GIVEN_CLUSTERS = 1_000
# Nor with more pairs of an object and a cluster, each of which takes 50 bytes.
_MOST_PAIRS = 25_000_000


class _Member(NamedTuple):
    """A method of the portfolio; ``if_unclear`` if it runs only if nothing clear was found."""

    make: Callable[..., Alternative]
    options: dict[str, Any]
    if_unclear: bool = False


# The fast methods first. They use the given clustering in different ways: it is removed from the
# data, kept constant by clustering inside its clusters, penalised, or a bound, in all features or
# in subspaces. Searches in subspaces have one start, because each of them begins with the search
# in all features, whose starts were tried before.
_MEMBERS = (
    _Member(OrthogonalAlternative, {}),
    _Member(CondEns, {}),
    _Member(MinCEntropy, {}),
    _Member(MAXIMUS, {"subspaces": False}),
    _Member(MAXIMUS, {"subspaces": True, "n_init": 1}, if_unclear=True),
    _Member(MAXIMUS, {"subspaces": "components", "n_init": 1}, if_unclear=True),
)


class PortfolioResult(NamedTuple):
    """Alternatives, best first, and the given clusterings that they were scored against."""

    found: list[FoundClustering]
    given: Given


@check_arguments
def search_portfolio(
    problem: AlternativeProblem,
    *,
    n_alternatives: int | None,
    n_clusters: int | None,
    min_cluster_size: float | None,
    quality: QualityChoice | None,
    dissimilarity: Dissimilarity | None,
    random_state: Any,
    progress: bool | None,
    budget: float = BUDGET,
    refine: bool = True,
) -> PortfolioResult:
    """Run the portfolio and return the Pareto front, or the best ``n_alternatives``."""
    if quality == "entropy":
        raise InputError("quality='entropy' is for categorical features; use method='coalacat'.")
    check_n_objects(problem.n)
    seed = as_random_state(random_state).randint(1 << 30)
    given = problem.given
    if given is None:
        given = make_first_clustering(problem.points, n_clusters, seed)
        problem = problem.with_given(given)
    count = resolve_n_clusters(n_clusters, given, problem.n)
    warn_of_equal_objects(count_distinct(rows_of(problem.points), count), count)
    by_default = Scorer(problem, given.codes, _QUALITY, _DISSIMILARITY, as_points=True)
    scorer = replace(
        by_default, quality=quality or _QUALITY, dissimilarity=dissimilarity or _DISSIMILARITY
    )
    same_measures = (scorer.quality, scorer.dissimilarity) == (_QUALITY, _DISSIMILARITY)

    def is_clear(one: FoundClustering) -> bool:
        return (one.dq if same_measures else by_default.score(one.labels).dq) >= _CLEAR

    parameters = {
        "n_clusters": n_clusters,
        "n_alternatives": n_alternatives or 1,
        "min_cluster_size": min_cluster_size,
        "random_state": seed,
        "progress": False,
    }
    found = _run_members(problem, scorer, is_clear, parameters, budget, progress)
    sound = [one for one in found if not one.degenerate] or found
    warn_of_degenerate(sound)
    if refine and _can_refine(sound, given):
        least = least_size(min_cluster_size, 1, problem.n)
        best_first = _refine_all(sound, problem, given, least, scorer)
    else:
        best_first = drop_duplicates(sorted(sound, key=lambda one: -one.dq))
    if n_alternatives is None:
        values = np.array([[one.quality, one.dissimilarity] for one in best_first])
        front = pareto_front(np.rint(values / _STEP))
        best_first = [best_first[i] for i in dict.fromkeys([0, *front])]
    elif len(best_first) < n_alternatives:
        warn_user(
            f"method='auto' found {len(best_first)} of {n_alternatives} alternatives: no others "
            "differ enough.",
        )
    return PortfolioResult(best_first[:n_alternatives], given)


def _run_members(
    problem: AlternativeProblem,
    scorer: Scorer,
    is_clear: Callable[[FoundClustering], bool],
    parameters: dict[str, Any],
    budget: float,
    progress: bool | None,
) -> list[FoundClustering]:
    """Return all that the members find; none begins once the budget is used up.

    Members that raise an InputError are skipped, unless all do.
    """
    end = perf_counter() + budget
    found: list[FoundClustering] = []
    clear: list[FoundClustering] = []
    error: InputError | None = None
    for member in track(_MEMBERS, len(_MEMBERS), "trying methods", progress):
        enough = len(clear) >= parameters["n_alternatives"]
        if found and (perf_counter() > end or (member.if_unclear and enough)):
            continue
        model = member.make(**parameters, **member.options)
        try:
            # The input was validated when it was read, so scikit-learn need not do it again.
            validated = config_context(assume_finite=True, skip_parameter_validation=True)
            with warnings.catch_warnings(), validated:
                # That one method stops early says nothing about the others.
                warnings.simplefilter("ignore", UserWarning)
                model._fit(problem)
        except InputError as raised:
            error = raised
            continue
        name, own_parameters = type(model).__name__, model.get_params()
        new = [scorer.describe(labels, name, own_parameters) for labels in model.alternatives_]
        found += new
        if not member.if_unclear:
            sound = [one for one in new if not one.degenerate and is_clear(one)]
            clear = drop_duplicates([*clear, *sound])
    if not found and error is not None:
        raise error
    return found


def drop_duplicates(
    best_first: Sequence[FoundClustering],
    evidence: Callable[[FoundClustering], float] | None = None,
) -> list[FoundClustering]:
    """Return one alternative of each group of similar ones, by decreasing DQ.

    It is the one with the largest ``evidence``, or without evidence the one that is most similar
    to its whole group. The one with the largest DQ would be biased: its DQ is the maximum of
    several noisy values.
    """
    if len(best_first) < 2:
        return list(best_first)
    labels = {one: as_hard_clustering(one.labels) for one in best_first}

    def similarity(one: FoundClustering, other: FoundClustering) -> float:
        # 1 - NMI, by the mean of entropies, is the variation of information over their sum.
        return normalized_mutual_info_score(labels[one], labels[other])

    def typicality(one: FoundClustering, group: Sequence[FoundClustering]) -> float:
        return sum(similarity(one, other) for other in group)

    groups: list[list[FoundClustering]] = []
    for one in best_first:
        group = next((group for group in groups if similarity(one, group[0]) > 1.0 - _SAME), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    kept = [max(group, key=evidence or partial(typicality, group=group)) for group in groups]
    return sorted(kept, key=lambda one: -one.dq)


def _can_refine(found: Sequence[FoundClustering], given: Given) -> bool:
    pairs = max(len(one.sizes) for one in found) * given.codes.shape[1]
    return sum(given.sizes) <= _MOST_GIVEN_CLUSTERS and pairs <= _MOST_PAIRS


def _refine_all(
    found: Sequence[FoundClustering],
    problem: AlternativeProblem,
    given: Given,
    least: int,
    scorer: Scorer,
) -> list[FoundClustering]:
    """Refine all labels, and sort them by DQ.

    First comes the one with the largest evidence of those whose DQ is nearly the largest.
    """
    objects = split_by_type(problem.features, problem.objects)
    distinct: dict[bytes, FoundClustering] = {}
    for one in found:
        distinct.setdefault(one.labels.tobytes(), one)
    evidence = {}
    for one in distinct.values():
        refined = refine_labels(objects, given, one.labels, least)
        described = scorer.describe(refined.labels, one.method, one.parameters)
        evidence[replace(described, evidence=refined.evidence)] = refined.evidence
    best_first = drop_duplicates(sorted(evidence, key=lambda one: -one.dq), evidence.__getitem__)
    near = [one for one in best_first if one.dq >= best_first[0].dq - NEAR_DQ]
    first = max(near, key=evidence.__getitem__)
    return [first, *(one for one in best_first if one is not first)]
