"""The search of ``method="auto"``: sample, methods, choice, stability, labels of all objects."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.base import (
    FIRST_CLUSTERS,
    check_n_objects,
    make_first_clustering,
    resolve_n_clusters,
)
from clusterwise.alternatives.distinct_objects import (
    count_distinct,
    rows_of,
    warn_of_equal_objects,
)
from clusterwise.alternatives.found_clustering import FoundClustering, warn_of_degenerate
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.portfolio.choice import Chosen
from clusterwise.alternatives.portfolio.members import Deadline
from clusterwise.alternatives.portfolio.repeated_searches import (
    Stability,
    measure_stability,
)
from clusterwise.alternatives.portfolio.sample_search import (
    DISSIMILARITY,
    QUALITY,
    SampleSearch,
    SearchSettings,
)
from clusterwise.alternatives.portfolio.sampling import Extension, draw_sample
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.model import (
    MixedObjects,
    find_components,
    project,
)
from clusterwise.alternatives.scoring import QualityChoice, Scorer
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import Dissimilarity

# The seconds after which no further method begins, by default.
BUDGET = 60.0
# The number of unconvincing attempts that are kept.
_MOST_ATTEMPTS = 3


class PortfolioResult(NamedTuple):
    """Alternatives, best first, the best attempts without evidence, and the given clusterings."""

    found: list[FoundClustering]
    unconvincing: list[FoundClustering]
    given: Given


@check_arguments
def search_portfolio(
    problem: AlternativeProblem,
    *,
    n_alternatives: int | None,
    n_clusters: int | None,
    min_cluster_size: float | None,
    guard: bool,
    quality: QualityChoice | None,
    dissimilarity: Dissimilarity | None,
    random_state: Any,
    progress: bool | None,
    budget: float = BUDGET,
    refine: bool = True,
    n_permutations: int = 0,
    is_sample: bool = False,
) -> PortfolioResult:
    """Run the portfolio, and return the alternatives that are convincing.

    If the objects are a sample already, all of them are searched.
    """
    if quality == "entropy":
        raise InputError("quality='entropy' is for categorical features; use method='coalacat'.")
    check_n_objects(problem.n)
    deadline = Deadline.after(budget)
    random = as_random_state(as_random_state(random_state).randint(1 << 30))
    if problem.given is None:
        first = make_first_clustering(problem.points, n_clusters, random.randint(1 << 30))
        problem = problem.with_given(first)
    given = problem.given
    assert given is not None
    count = FIRST_CLUSTERS
    if n_clusters is not None:
        count = resolve_n_clusters(n_clusters, given, problem.n)
    warn_of_equal_objects(count_distinct(rows_of(problem.points), count), count)
    settings = SearchSettings(
        n_alternatives, n_clusters, min_cluster_size, guard and min_cluster_size is None, refine
    )
    objects = MixedObjects(problem.features, problem.objects)
    rows = None if is_sample else draw_sample(given, objects.width, random)
    sample = problem if rows is None else problem.take(rows)
    assert sample.given is not None
    raw = objects.take(slice(None) if rows is None else rows)
    axes = find_components(raw, sample.given)
    search = SampleSearch(sample, project(raw, axes), settings, deadline)
    # The matrices are small: threads of BLAS would wait for each other longer than they work.
    with one_library_thread_if_small(0):
        chosen = search.run(random.randint(1 << 30), progress=progress)
        repeated = search.repeat(chosen.convincing, random, progress)
        chosen = search.choose_again(chosen, repeated)
        stability = measure_stability(chosen.convincing, repeated)
        permuted = search.permute(n_permutations, random, progress)
    if chosen.convincing and not repeated:
        warn_user(
            "there was no time to search again, so it is not known whether the alternatives are "
            "stable; pass a larger budget.",
        )
    extend: Callable[[Array], Array] = lambda labels: labels  # noqa: E731
    if rows is not None:
        extend = Extension(objects, given, rows, axes).extend
    scorer = Scorer(
        problem, given.codes, quality or QUALITY, dissimilarity or DISSIMILARITY, as_points=True
    )
    every = [
        *zip(chosen.convincing, stability, strict=True),
        *((one, None) for one in chosen.unconvincing if one.evidence <= 0),
    ]
    found = [
        _describe(one, stable, permuted, scorer, extend, chosen_number=n_clusters is None)
        for one, stable in every[: len(stability) + _MOST_ATTEMPTS]
    ]
    convincing = [one for one in found if one.convincing]
    unconvincing = [one for one in found if not one.convincing]
    warn_of_degenerate(convincing)
    if n_alternatives is not None and 0 < len(convincing) < n_alternatives:
        warn_user(
            f"method='auto' found {len(convincing)} of {n_alternatives} alternatives: no others "
            "are convincing.",
        )
    return PortfolioResult(convincing, unconvincing[:_MOST_ATTEMPTS], given)


def _describe(
    one: Chosen,
    stability: Stability | None,
    permuted: Sequence[float],
    scorer: Scorer,
    extend: Callable[[Array], Array],
    *,
    chosen_number: bool,
) -> FoundClustering:
    attempt = one.attempt
    found = scorer.describe(extend(one.labels), attempt.method, attempt.parameters)
    better = sum(one.evidence > other for other in permuted)
    return replace(
        found,
        evidence=one.evidence,
        stability=None if stability is None else stability.mean,
        found_again=None if stability is None else (stability.found, stability.repeats),
        icl_by_n_clusters=dict(sorted(one.icl.items())) if chosen_number else None,
        better_than=(better, len(permuted)) if permuted else None,
        crossed=one.crossed,
    )
