"""The number of clusters of an alternative, chosen by the integrated classification likelihood."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans

from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.base import join_small
from clusterwise.alternatives.evidence.evidence import EvidenceModel, Fitted
from clusterwise.alternatives.portfolio.members import SCREENED_COMPONENTS, Attempt, Deadline
from clusterwise.alternatives.portfolio.same_clusters import is_same
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.models.kmeans import allow_equal_objects

# All numbers up to the first are tried, larger ones while the ICL grows.
_ALWAYS = 8
_LARGER = (10, 12, 15, 20, 25, 30)
# The smallest mean number of objects in a cluster.
_OBJECTS_PER_CLUSTER = 5
_STARTS = 3
_MOST_STEPS = 6
# EM iterations for each proposal.
_QUICK_ITER = 3
# Only the nearest pairs of clusters are candidates for a merge.
_MOST_MERGES = 4


class Screened(NamedTuple):
    """The numbers of clusters, best first, and the clusterings that they come from."""

    counts: list[int]
    attempts: list[Attempt]


class NumberChoice(NamedTuple):
    """Labels with the chosen number of clusters, and the evidence for them.

    ``icl`` is the largest integrated classification likelihood of each number that was tried.
    """

    labels: Array
    evidence: float
    icl: dict[int, float]


def screen_counts(
    problem: AlternativeProblem,
    model: EvidenceModel,
    least: Callable[[int], int],
    seed: int,
    deadline: Deadline,
) -> Screened:
    """Return numbers of clusters, best first, by k-means of what the given clusters leave.

    It is clustered as it is, and with the first principal components scaled to unit variance. None
    is tried once the deadline has passed, but the first.
    """
    rest = problem.remove(model.given, "whiten")
    if not rest.variances.size:
        return Screened([2], [])
    scaled = {"n_components": SCREENED_COMPONENTS, "scale_components": True}
    spaces: list[tuple[Array, dict[str, Any]]] = [
        (rest.scores, {}),
        (rest.select(SCREENED_COMPONENTS, scaled=True).scores, scaled),
    ]
    distinct = len(np.unique(rest.scores, axis=0))
    most = max(2, min(problem.n // _OBJECTS_PER_CLUSTER, distinct))
    found: dict[int, float] = {}
    attempts = []
    for count in (*range(2, _ALWAYS + 1), *_LARGER):
        best = max(found, key=found.__getitem__, default=2)
        late = bool(found) and deadline.passed
        if late or count > most or (count > _ALWAYS and best < sorted(found)[-2]):
            break
        new: list[Array] = []
        for scores, options in spaces:
            kmeans = KMeans(count, n_init=_STARTS, random_state=seed)
            with allow_equal_objects(), one_library_thread_if_small(problem.n):
                labels = relabel_by_appearance(kmeans.fit_predict(scores))
            labels = join_small(scores, labels, least(count))
            if labels.max() == 0 or any(is_same(labels, other) for other in new):
                continue
            new.append(labels)
            found[count] = max(model.fit(labels).icl, found.get(count, -np.inf))
            parameters = {"n_clusters": count, "random_state": seed, **options}
            attempts.append(Attempt(labels, "OrthogonalAlternative", parameters))
    return Screened(sorted(found, key=lambda count: -found[count]) or [2], attempts)


def list_factors(count: int) -> list[int]:
    """Return the two numbers nearest to each other whose product this is, without 1."""
    small = max(factor for factor in range(1, int(count**0.5) + 1) if count % factor == 0)
    return [] if small == 1 else sorted({small, count // small})


def adapt_n_clusters(
    model: EvidenceModel, labels: Array, least: Callable[[int], int]
) -> NumberChoice:
    """Merge or split clusters while that increases the integrated classification likelihood."""
    start = model.fit(labels)
    here = start.icl
    labels = relabel_by_appearance(start.labels) if _keeps_sizes(start, labels, least) else labels
    tried = {int(labels.max()) + 1: here}
    for _ in range(_MOST_STEPS):
        scored = []
        for proposals in (_merges(model, labels), _splits(model, labels, least)):
            if not proposals:
                continue
            # A few iterations show which one is best, more how good it is.
            quick = [model.fit(one, max_iter=_QUICK_ITER, view=start.view) for one in proposals]
            chosen = int(np.argmax([one.evidence for one in quick]))
            fitted = model.fit(quick[chosen].labels)
            count = int(proposals[chosen].max()) + 1
            tried[count] = max(fitted.icl, tried.get(count, -np.inf))
            if _keeps_sizes(fitted, proposals[chosen], least):
                scored.append((fitted.icl, relabel_by_appearance(fitted.labels)))
        best, changed = max(scored, key=lambda pair: pair[0], default=(here, labels))
        if best <= here:
            break
        here, labels = best, changed
    end = model.fit(labels)
    labels = relabel_by_appearance(end.labels) if _keeps_sizes(end, labels, least) else labels
    tried[int(labels.max()) + 1] = end.icl
    return NumberChoice(labels, end.evidence, tried)


def _keeps_sizes(fitted: Fitted, labels: Array, least: Callable[[int], int]) -> bool:
    """Return whether all clusters still have enough objects after EM."""
    sizes = np.bincount(fitted.labels, minlength=int(labels.max()) + 1)
    return bool(sizes.min() >= least(sizes.size))


def _merges(model: EvidenceModel, labels: Array) -> list[Array]:
    """Return the labels with two clusters merged, for the nearest pairs."""
    count = int(labels.max()) + 1
    if count <= 2:
        return []
    centres = model.centres(labels)
    gaps = ((centres[:, None] - centres) ** 2).sum(axis=2)
    first, second = np.triu_indices(count, 1)
    nearest = np.argsort(gaps[first, second], kind="stable")[:_MOST_MERGES]
    return [relabel_by_appearance(np.where(labels == second[i], first[i], labels)) for i in nearest]


def _splits(model: EvidenceModel, labels: Array, least: Callable[[int], int]) -> list[Array]:
    """Return the labels with one cluster cut in two along its longest axis, for each cluster."""
    count = int(labels.max()) + 1
    found = []
    for cluster in range(count):
        rows = np.flatnonzero(labels == cluster)
        if rows.size < 2 * max(least(count + 1), 2):
            continue
        halves = model.bisect(rows)
        if min(np.bincount(halves, minlength=2)) < least(count + 1):
            continue
        cut = labels.copy()
        cut[rows[halves == 1]] = count
        found.append(cut)
    return found
