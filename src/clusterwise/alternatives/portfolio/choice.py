"""The choice among all clusterings that the methods found, by the evidence for them.

One alternative is chosen after another. Each must have evidence in addition to the given
clusterings and to the alternatives before it, so that a coarser or finer form of the same clusters
does not count as another alternative.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.portfolio.members import Attempt, Deadline
from clusterwise.alternatives.portfolio.n_clusters import adapt_n_clusters, list_factors
from clusterwise.alternatives.portfolio.same_clusters import is_same
from clusterwise.alternatives.refinement.em import refine
from clusterwise.alternatives.refinement.model import MixedData
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.clusterings import Clustering, as_hard_clustering
from clusterwise.inputs.encoding import Array, relabel_by_appearance

# The number of clusters is adapted for this many of the best candidates, and this many factors of a
# product are tried.
_MOST_ADAPTED = 2
_MOST_FACTORS = 3
_MOST_ALTERNATIVES = 5


class Chosen(NamedTuple):
    """An alternative, its evidence, and the ICL of each number of clusters that was tried.

    ICL is the integrated classification likelihood. ``crossed`` are the numbers of clusters of two
    clusterings in the same features that say the same, if there are any: the clusters lie on a
    grid.
    """

    attempt: Attempt
    evidence: float
    icl: dict[int, float]
    crossed: tuple[int, int] | None = None

    @property
    def labels(self) -> Array:
        """The clusters of the objects."""
        return self.attempt.labels

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.labels.max()) + 1


class ChoiceOptions(NamedTuple):
    """How alternatives are chosen.

    ``adapt`` says whether the number of clusters is chosen, ``refine`` whether labels are refined;
    ``least`` is the smallest size of a cluster, for a number of clusters; ``limit`` the largest
    number of alternatives, None for all with evidence. None is sought once the ``deadline`` has
    passed, but the first. ``keep_rest`` says whether other attempts are ranked once there are
    enough alternatives.
    """

    adapt: bool
    refine: bool
    least: Callable[[int], int]
    deadline: Deadline
    limit: int | None = None
    keep_rest: bool = True

    def score(self, one: Chosen) -> float:
        """Return what candidates are compared by: the ICL if their numbers of clusters differ."""
        return one.icl[one.n_clusters] if self.adapt else one.evidence


class ChoiceResult(NamedTuple):
    """Alternatives with positive evidence, and the best attempts without, best first."""

    convincing: list[Chosen]
    unconvincing: list[Chosen]


# Finds more attempts beside given clusterings, with these numbers of clusters if there are any.
Search = Callable[[Given, Sequence[int]], list[Attempt]]


def choose(
    attempts: Sequence[Attempt],
    data: MixedData,
    given: Given,
    options: ChoiceOptions,
    search: Search = lambda *_: [],
    model: EvidenceModel | None = None,
) -> ChoiceResult:
    """Choose alternatives with evidence.

    ``search`` finds more attempts, beside the given clusterings and the alternatives so far;
    ``model`` is the evidence model of the given clusterings, if there is one.
    """
    left = _distinct(attempts)
    chosen: list[Chosen] = []
    limit = _MOST_ALTERNATIVES if options.limit is None else options.limit
    while True:
        if len(chosen) == limit and not options.keep_rest:
            return ChoiceResult(chosen, [])
        model = model or EvidenceModel(data, given)
        ranked = _rank(left, model, options)
        if len(chosen) == limit or not ranked or (chosen and options.deadline.passed):
            return ChoiceResult(chosen, ranked)
        one, *others = _choose_one(ranked, model, data, options, search)
        best = _improve(one, model, data, options)
        if best.evidence <= 0:
            rest = sorted([best, *ranked], key=lambda one: -one.evidence)
            return ChoiceResult(chosen, _drop_similar(rest))
        chosen.append(best)
        given, model = given.with_labels(best.labels), None
        left = [*left, *(one.attempt for one in others)]
        left = [one for one in left if not is_same(one.labels, best.labels)]


def _distinct(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Return each clustering once, without degenerate ones if there are others."""
    found: dict[bytes, Attempt] = {}
    for one in attempts:
        labels = relabel_by_appearance(one.labels)
        if labels.max() > 0:
            found.setdefault(labels.tobytes(), one._replace(labels=labels))
    sound = [one for one in found.values() if not describe_sizes(one.labels).degenerate]
    return sound or list(found.values())


def _rank(
    attempts: Sequence[Attempt], model: EvidenceModel, options: ChoiceOptions
) -> list[Chosen]:
    """Return one clustering of each group of similar ones, best first."""
    found = []
    for one in attempts:
        labels, evidence, icl, _ = model.fit(one.labels)
        sizes = np.bincount(labels)
        kept = one.labels
        if options.refine and sizes.size > 1 and sizes.min() >= options.least(sizes.size):
            kept = relabel_by_appearance(labels)
        found.append(Chosen(one._replace(labels=kept), evidence, {int(kept.max()) + 1: icl}))
    return _drop_similar(sorted(found, key=options.score, reverse=True))


def _drop_similar(best_first: Sequence[Chosen]) -> list[Chosen]:
    kept: list[tuple[Chosen, Clustering]] = []
    for one in best_first:
        labels = as_hard_clustering(one.labels)
        if not any(is_same(labels, other) for _, other in kept):
            kept.append((one, labels))
    return [one for one, _ in kept]


def _choose_one(
    ranked: Sequence[Chosen],
    model: EvidenceModel,
    data: MixedData,
    options: ChoiceOptions,
    search: Search,
) -> list[Chosen]:
    """Return the best candidate, or a factor if it is a product, and what crosses it."""
    late = options.deadline.passed
    if not options.adapt or late:
        return [ranked[0]]
    adapted = [_adapt(one, model, options) for one in ranked[:_MOST_ADAPTED]]
    best = max([*adapted, *ranked[_MOST_ADAPTED:]], key=options.score)
    factors = list_factors(best.n_clusters)
    if best.evidence <= 0 or not factors or options.deadline.passed:
        return [best]
    attempts = [one.attempt for one in ranked if one.n_clusters in factors]
    candidates = _rank(_distinct([*attempts, *search(model.given, factors)]), model, options)
    several = options.limit is not None and options.limit > 1
    for one in candidates[:_MOST_FACTORS]:
        crossing = None if one.evidence <= 0 else _cross(one, best, model, data, options, search)
        if crossing is None:
            continue
        if several or not crossing.same_features:
            # The product may have more clusters than there are, and so the factor too.
            return [_adapt(one, model, options), crossing.other]
        if one.evidence + crossing.other.evidence > best.evidence:
            return [best._replace(crossed=(one.n_clusters, crossing.other.n_clusters))]
    return [best]


class _Crossing(NamedTuple):
    """A further clustering that leaves no evidence for a product."""

    other: Chosen
    same_features: bool


def _cross(
    factor: Chosen,
    product: Chosen,
    model: EvidenceModel,
    data: MixedData,
    options: ChoiceOptions,
    search: Search,
) -> _Crossing | None:
    """Return a clustering that leaves no evidence for the product, in addition to a factor of it.

    A clustering that crosses two others explains as much as both, but says less, if they are about
    different features. In the same features, clusters may happen to lie on a grid; then both are
    returned only if several alternatives are asked for.
    """
    if options.deadline.passed:
        return None
    given = model.given.with_labels(factor.labels)
    further = EvidenceModel(data, given)
    found = _rank(_distinct(search(given, ())), further, options)
    if not found or found[0].evidence <= 0:
        return None
    both = EvidenceModel(data, given.with_labels(found[0].labels))
    if both.evidence(product.labels) > 0:
        return None
    here, there = (model.find_different(one.labels) for one in (factor, found[0]))
    return _Crossing(found[0], 2 * len(here & there) >= min(len(here), len(there)))


def _adapt(one: Chosen, model: EvidenceModel, options: ChoiceOptions) -> Chosen:
    choice = adapt_n_clusters(model, one.labels, options.least)
    return Chosen(one.attempt._replace(labels=choice.labels), choice.evidence, choice.icl)


def _improve(one: Chosen, model: EvidenceModel, data: MixedData, options: ChoiceOptions) -> Chosen:
    """Refine the labels, if that is an option, and compute their evidence."""
    if not options.refine:
        return one
    count = int(one.labels.max()) + 1
    refined = relabel_by_appearance(
        refine(data, model.given, one.labels, options.least(count)).labels
    )
    if refined.max() + 1 < count:
        return one
    fitted = model.fit(refined)
    return one._replace(
        attempt=one.attempt._replace(labels=refined),
        evidence=fitted.evidence,
        icl=one.icl | {count: fitted.icl},
    )
