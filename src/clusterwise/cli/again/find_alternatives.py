"""The search of ``again``: the given clusterings and the alternatives, with the same figures."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.memory import table_too_large
from clusterwise._utils.tables import format_count
from clusterwise.alternatives.about import About, find_about
from clusterwise.alternatives.base import FIRST_CLUSTERS, Alternative, make_first_clustering
from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.methods import Method
from clusterwise.alternatives.minimum_size import as_n_objects
from clusterwise.alternatives.naive import NaiveAlternative
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.alternatives.sizes import Sizes, describe_sizes
from clusterwise.cli.again.data import AgainData
from clusterwise.cli.again.options import SearchOptions
from clusterwise.cli.again.plan import SearchPlan, make_plan, remedy
from clusterwise.cli.output import say
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.measures.quality import find_quality

_FIRST = "first"


@dataclass(frozen=True)
class ClusteringSummary:
    """A clustering and its figures; alternatives are compared with each given clustering."""

    name: str
    labels: Array
    sizes: Sizes
    quality: float
    about: About
    dissimilarity: float | None = None
    dq: float | None = None
    rand: dict[str, float] = field(default_factory=dict)
    method: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    evidence: float | None = None
    convincing: bool | None = None
    stability: float | None = None
    found_again: tuple[int, int] | None = None
    better_than: tuple[int, int] | None = None


@dataclass(frozen=True)
class SearchResult:
    """The given clusterings, the alternatives, and how they were found.

    ``first_made`` is True if no clustering was given, so that a first one was computed.
    """

    found: FoundClusterings
    given: list[ClusteringSummary]
    alternatives: list[ClusteringSummary]
    plan: SearchPlan
    method: str
    n_clusters: int
    first_made: bool


def find_alternatives(data: AgainData, options: SearchOptions) -> SearchResult:
    """Find alternatives to the given clusterings, or to a first one that is computed."""
    plan = make_plan(data.features, options)
    names = [column.name for column in data.given] or [_free_name(_FIRST, data.column_names)]
    known = data.labels or [_make_first(plan, options, names[0])]
    n_clusters = options.n_clusters or np.unique(known[0]).size
    check_min_cluster_size(options, n_clusters, len(known[0]))
    # Before the search, so that errors of the quality are raised early.
    given = [
        summarize_clustering(name, labels, plan) for name, labels in zip(names, known, strict=True)
    ]
    found = _search(plan, options, np.column_stack(known), options.n_clusters)
    alternatives = summarize_alternatives(found, given, plan, data.column_names)
    method = options.chosen_method
    return SearchResult(found, given, alternatives, plan, method, n_clusters, not data.given)


def summarize_alternatives(
    found: FoundClusterings,
    given: Sequence[ClusteringSummary],
    plan: SearchPlan,
    taken: frozenset[str],
) -> list[ClusteringSummary]:
    """Return the alternatives with their figures, under names that no column has."""
    free = (name for i in count(1) if (name := f"alternative_{i}") not in taken)
    return [
        ClusteringSummary(
            name,
            one.labels,
            Sizes(one.sizes, one.effective_n_clusters, one.degenerate),
            one.quality,
            find_about(plan.features.named(), one.labels),
            one.dissimilarity,
            one.dq,
            {old.name: float(adjusted_rand_score(old.labels, one.labels)) for old in given},
            one.method,
            {k: v for k, v in one.parameters.items() if k != "progress"},
            one.evidence,
            one.convincing,
            one.stability,
            one.found_again,
            one.better_than,
        )
        for name, one in zip(free, found, strict=False)
    ]


def _search(
    plan: SearchPlan, options: SearchOptions, given: Array, n_clusters: int | None
) -> FoundClusterings:
    """Run the search, and print warnings of the library as notes."""
    optional = {"omega": options.omega, "tolerance": options.tolerance}
    further: dict[str, Any] = {name: value for name, value in optional.items() if value is not None}
    method: Method | Alternative = options.chosen_method
    if method == "auto":
        further |= options.of_auto
    if method == "coala":
        further |= {"metric": plan.metric, "prototypes": plan.prototypes}
    if method == "naive":
        method = NaiveAlternative(quality=plan.quality, random_state=options.seed)
    else:
        further["random_state"] = options.seed
    try:
        with warnings_as_notes():
            return cluster_again(
                plan.X, given, method, n_alternatives=options.n_alternatives,
                n_clusters=n_clusters, min_cluster_size=options.min_cluster_size or None,
                guard=options.guard, quality=plan.quality, scale=plan.scaling == "standard",
                **further,
            )  # fmt: skip
    except MemoryError:
        if method in ("coala", "coalacat"):
            raise table_too_large(len(given), remedy(plan.metric)) from None
        raise InputError(
            f"there is not enough memory for {len(given)} objects; use a sample."
        ) from None


def _make_first(plan: SearchPlan, options: SearchOptions, name: str) -> Array:
    """Compute a first clustering, by linkage if the method uses it, else by k-means."""
    n_clusters = options.n_clusters or FIRST_CLUSTERS
    if plan.metric in (None, "gower"):
        how = "entropy linkage" if plan.metric is None else "average linkage"
        # One given cluster forbids every merge alike, so that the linkage is unconstrained.
        one_cluster = np.zeros(len(plan.features.values), np.int64)
        labels = _search(plan, _unconstrained(options), one_cluster, n_clusters)[0].labels
    else:
        how = "k-means"
        labels = make_first_clustering(plan.scored, n_clusters, options.seed).codes[0]
    clusters = format_count(np.unique(labels).size, "cluster")
    say(f"no clustering is given, so {name} is computed by {how} ({clusters}).")
    return labels


def _unconstrained(options: SearchOptions) -> SearchOptions:
    return SearchOptions(
        method=options.chosen_method,
        min_cluster_size=options.min_cluster_size,
        as_published=options.as_published,
    )


def check_min_cluster_size(options: SearchOptions, n_clusters: int, n: int) -> None:
    """Raise an error if there are too few objects for clusters of the least size."""
    size = options.min_cluster_size or 0
    if size > n or n_clusters * as_n_objects(size, n) > n:
        raise InputError(
            f"--min-cluster-size {size:g} is too large for {n_clusters} clusters of {n} objects; "
            "use a smaller one."
        )


def summarize_clustering(name: str, labels: Array, plan: SearchPlan) -> ClusteringSummary:
    """Return a clustering with its figures."""
    quality = find_quality(plan.quality)
    by_metric = plan.metric is not None and plan.quality != "entropy"
    options = {"metric": plan.metric} if by_metric else {}
    value = quality.merit(quality.function(plan.scored, labels, **options))
    about = find_about(plan.features.named(), labels)
    return ClusteringSummary(name, labels, describe_sizes(labels), value, about)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print warnings as notes, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    notes = [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    for note in dict.fromkeys(notes):
        say(" ".join(note.split()))


def _free_name(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name
