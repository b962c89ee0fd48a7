"""Clusters that live in some of the features, where others hide them.

With two more structures in the data a blend of both leaves less spread than either, so that the
best k-means is neither. Here a search starts from pairs of features that have something
to do with each other, and from features of few values, which can be cut cleanly. Then it weighs
all features by how much of them the clusters explain.
"""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import FastICA
from sklearn.exceptions import ConvergenceWarning

from clusterwise._utils.progress import track
from clusterwise.alternatives.maximus.direct import (
    Problem,
    Run,
    draw_starts,
    follow,
    residuals,
    run_kmeans,
    spread_within,
)
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.models.principal_axes import find_principal_axes

_PAIRS, _CUTS = 8, 8
# Of more features than this, pairs are made of those that spread most as clusters do.
_PAIRED = 300
_VALUES = 10
_ROUNDS = 6
_FAINT = 1e-3
# Clusters that are alike by so much are the same (adjusted Rand index), and hardly changed if
# so few objects moved.
_SAME = 0.9
_SETTLED = 5e-3
# Rounds of centroids for each weighing, and how far a rough answer may be beyond its bounds.
_FEW = 8
# A direction tells clusters apart if less than this share of its variance is within them.
_TOLD = 0.5
_NEARLY = 2.0
# Pairs are looked for, and starts compete, on so many objects.
_SAMPLE = 2_000
_COMPONENTS, _OBJECTS_EACH = 20, 20


class Weighed(NamedTuple):
    """A run, the weights of the features in it, and how much of them its clusters explain."""

    run: Run
    weights: Array
    merit: float


def find_in_subspaces(
    problem: Problem, owners: Array, plain: Run, max_iter: int, progress: bool | None = None
) -> list[Weighed]:
    """The clusters that explain some features most come last in this list.

    ``owners`` says which feature each column of the points belongs to. ``plain`` is a run on
    all features alike, which competes. The merit is the root of the sum of squared shares of
    the features' variance, which favours much of a few over little of many.
    """
    even = problem.at(_even(problem.points, owners))
    few = even.sample(_SAMPLE)
    pairs: list[tuple[int, ...]] = [*_rank_pairs(few, owners), *_list_cuts(few, owners)]
    shares = _explained(even.points, owners, plain.labels)
    unweighed = Weighed(plain, np.ones(shares.size), _merit(shares))
    found: list[Weighed] = []
    for pair in track(pairs, len(pairs), "looking into pairs of features", progress):
        run = _begin(few, owners, pair)
        # Many pairs show the same clusters.
        if all(adjusted_rand_score(run.labels, one.run.labels) < _SAME for one in found):
            found.append(_refine(few, owners, run))
    found.sort(key=lambda one: (-max(_NEARLY, one.run.excess), one.merit))
    if not found or found[-1].merit <= unweighed.merit:
        return [*found, unweighed]
    weights = found[-1].weights
    here = even.at(_weigh(even.points, owners, weights))
    run = follow(here, found[-1].run.centroids, max_iter)
    here = even.at(_discriminants(even.points, run.labels))
    start, _ = spread_within(here.points, run.labels, problem.clusters)
    run = follow(here, start, max_iter)
    merit = _merit(_explained(even.points, owners, run.labels))
    last = Weighed(run, weights, merit)
    return [*found, last if run.beyond <= plain.beyond and merit >= unweighed.merit else unweighed]


def find_components(problem: Problem) -> Array:
    """Independent components of the objects, in which structures part that axes mix."""
    few = problem.sample(_SAMPLE).points
    _, lengths, axes = np.linalg.svd(few - few.mean(axis=0), full_matrices=False)
    rank = int((lengths > 1e-9 * lengths[0]).sum())
    if not rank:
        return problem.points
    # Of few objects, many components are what chance makes of them.
    kept = axes[: min(_COMPONENTS, max(2, len(few) // _OBJECTS_EACH), rank)].T
    seed = problem.random.randint(1 << 30)
    model = FastICA(whiten="unit-variance", max_iter=500, random_state=seed)
    with warnings.catch_warnings():
        # A rough answer will do: clusters are looked for in it, and weights follow.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(few @ kept)
    return model.transform(problem.points @ kept)


def _even(points: Array, owners: Array) -> Array:
    """Points with the same variance, 1, in every feature that varies."""
    centred = points - points.mean(axis=0)
    variance = np.bincount(owners, (centred**2).mean(axis=0))
    return centred / np.sqrt(np.where(variance > 0, variance, 1.0))[owners]


def _weigh(points: Array, owners: Array, weights: Array) -> Array:
    return points * np.sqrt(weights)[owners]


def _discriminants(points: Array, labels: Array) -> Array:
    """The directions that tell clusters apart, of the same spread within them.

    Weights leave features apart; boundaries are best where clusters are round.
    """
    centred = points - points.mean(axis=0)
    axes, variances = find_principal_axes(centred)
    if not variances.size:
        return points
    white = centred @ (axes / np.sqrt(variances))
    centres, _ = spread_within(white, labels, int(labels.max()) + 1)
    rest = white - centres[labels]
    within, axes = np.linalg.eigh(rest.T @ rest / len(points))
    telling = np.maximum(1, np.count_nonzero(within < _TOLD))
    few = min(int(labels.max()) or 1, telling)
    return white @ (axes[:, :few] / np.sqrt(np.maximum(within[:few], 1e-6)))


def _explained(points: Array, owners: Array, labels: Array) -> Array:
    """The share of each feature's variance that is between clusters."""
    centres, _ = spread_within(points, labels, int(labels.max()) + 1)
    left = np.bincount(owners, ((points - centres[labels]) ** 2).mean(axis=0))
    whole = np.bincount(owners, points.var(axis=0))
    return np.clip(1.0 - left / np.where(whole > 0, whole, 1.0), 0.0, 1.0) * (whole > 0)


def _merit(shares: Array) -> float:
    return float(np.sqrt((shares**2).sum()))


def _rank_pairs(problem: Problem, owners: Array) -> list[tuple[int, int]]:
    """Pairs of features, those first of which one tells most about the other.

    What is given is taken out first. Every feature is there with its best partner.
    """
    rest = residuals(problem)
    paired = _choose_paired(rest, owners)
    if len(paired) == 1:
        return []
    of_paired = np.isin(owners, paired)
    rest, owners = rest.compress(of_paired, axis=1), np.searchsorted(paired, owners[of_paired])
    told = np.zeros((len(paired), len(paired)))
    for r in range(len(paired)):
        own = rest[:, owners == r]
        seed = problem.random.randint(1 << 30)
        if np.ptp(own, axis=0).max() > 0:
            clusters = min(problem.clusters, len(np.unique(own, axis=0)))
            labels = run_kmeans(own, clusters, seed)
            told[r] = _explained(rest, owners, labels)
    told += told.T
    np.fill_diagonal(told, -1.0)
    best = {(min(r, q), max(r, q)): told[r, q] for r, q in enumerate(told.argmax(axis=1))}
    ranked = sorted(best, key=lambda pair: -best[pair])[:_PAIRS]
    return [(int(paired[r]), int(paired[q])) for r, q in ranked]


def _choose_paired(points: Array, owners: Array) -> Array:
    """All features, or of many those whose objects are most alike in distance from the mean.

    So are those of balanced clusters (a kurtosis near 1), less so those around one centre (3),
    and least those that a few objects stand out from.
    """
    count = int(owners.max()) + 1
    if count <= _PAIRED:
        return np.arange(count)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    squares = np.add.reduceat((points - points.mean(axis=0)) ** 2, starts, axis=1)
    variances = squares.mean(axis=0)
    varying = variances > 0
    kurtosis = np.full(count, np.inf)
    kurtosis[varying] = (squares[:, varying] ** 2).mean(axis=0) / variances[varying] ** 2
    return np.sort(np.argsort(kurtosis, kind="stable")[:_PAIRED])


def _list_cuts(problem: Problem, owners: Array) -> list[tuple[int]]:
    """Attributes of few values, but enough of them to make clusters; some by chance of many.

    Any cut between values is a clean one that a pair of features may not lead to.
    """
    found = [
        (r,)
        for r in range(int(owners.max()) + 1)
        if problem.clusters <= len(np.unique(problem.points[:, owners == r], axis=0)) <= _VALUES
    ]
    return [found[i] for i in problem.random.permutation(len(found))[:_CUTS]]


def _begin(problem: Problem, owners: Array, some: tuple[int, ...]) -> Run:
    """Clusters in a few features, away from what is given."""
    weights = np.full(int(owners.max()) + 1, _FAINT)
    weights[list(some)] = 1.0
    here = problem.at(_weigh(problem.points, owners, weights))
    return follow(here, next(draw_starts(here, 1)), _FEW, rough=True)


def _refine(problem: Problem, owners: Array, run: Run) -> Weighed:
    """Weights of the features and clusters in turn, until clusters stay as they are."""
    rounds, evaluations = run.rounds, run.evaluations
    for _ in range(_ROUNDS):
        shares = _explained(problem.points, owners, run.labels)
        weights = np.maximum(shares, _FAINT) ** 2
        weights /= weights.max()
        here = problem.at(_weigh(problem.points, owners, weights))
        start, _ = spread_within(here.points, run.labels, problem.clusters)
        before, run = run, follow(here, start, _FEW, rough=True)
        rounds, evaluations = rounds + run.rounds, evaluations + run.evaluations
        if np.count_nonzero(before.labels != run.labels) <= _SETTLED * run.labels.size:
            break
    merit = _merit(_explained(problem.points, owners, run.labels))
    return Weighed(run._replace(rounds=rounds, evaluations=evaluations), weights, merit)
