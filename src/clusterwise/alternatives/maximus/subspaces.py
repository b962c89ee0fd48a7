"""Clusters in a subspace: the object-level program with feature weights.

If the data have two further cluster structures, a mixture of both may have less inertia than
either, so that k-means finds neither. Here runs start in pairs of dependent features, and in single
features with few distinct values. Features are then weighted by the proportion of their variance
that the clusters explain.
"""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import FastICA
from sklearn.exceptions import ConvergenceWarning

from clusterwise._utils.progress import track
from clusterwise.alternatives.maximus.object_program import (
    ObjectProgram,
    Run,
    draw_initial_centroids,
    find_centroids,
    optimise_from,
    residuals,
    run_kmeans,
)
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.models.principal_axes import find_principal_axes

_MOST_PAIRS, _MOST_SINGLE = 8, 8
# Of more features than this, only those of least kurtosis are paired.
_MOST_PAIRED_FEATURES = 300
# A feature with at most this many distinct values is a start of its own.
_FEW_VALUES = 10
_MOST_REWEIGHTINGS = 6
_LEAST_WEIGHT = 1e-3
# Clusterings are the same from this adjusted Rand index on.
_SAME = 0.9
# Weights have converged if at most this fraction of the labels changes.
_CONVERGED = 5e-3
# Updates of the centroids per reweighting, and the largest violation of an approximate run.
_APPROXIMATE_ITER = 8
_MOST_VIOLATION = 2.0
# A direction is discriminant if less than this fraction of its variance is within clusters.
_DISCRIMINANT = 0.5
# Pairs are ranked, and starts compete, on a sample of this size.
_SAMPLE = 2_000
_MOST_COMPONENTS, _OBJECTS_PER_COMPONENT = 20, 20


class SubspaceRun(NamedTuple):
    """A run, its feature weights, and its score: the norm of the explained variances."""

    run: Run
    weights: Array
    score: float


def search_subspaces(
    program: ObjectProgram, owners: Array, plain: Run, max_iter: int, progress: bool | None = None
) -> list[SubspaceRun]:
    """Return runs in subspaces, the best one last.

    ``owners`` has the feature of each column of the points. ``plain`` is a run with equal weights,
    which competes. The score is the root of the sum over features of the squared fraction of
    explained variance, which favours much of a few features over little of many.
    """
    scaled = program.with_points(_standardise(program.points, owners))
    sampled = scaled.sample(_SAMPLE)
    subspaces: list[tuple[int, ...]] = [
        *_rank_pairs(sampled, owners),
        *_draw_discrete(sampled, owners),
    ]
    explained = _explained_variance(scaled.points, owners, plain.labels)
    unweighted = SubspaceRun(plain, np.ones(explained.size), _norm(explained))
    found: list[SubspaceRun] = []
    for features in track(subspaces, len(subspaces), "searching subspaces", progress):
        run = _start_in(sampled, owners, features)
        # Many pairs lead to the same clusters.
        if all(adjusted_rand_score(run.labels, one.run.labels) < _SAME for one in found):
            found.append(_reweight(sampled, owners, run))
    found.sort(key=lambda one: (-max(_MOST_VIOLATION, one.run.ratio), one.score))
    if not found or found[-1].score <= unweighted.score:
        return [*found, unweighted]
    weights = found[-1].weights
    weighted = scaled.with_points(_apply_weights(scaled.points, owners, weights))
    run = optimise_from(weighted, found[-1].run.centroids, max_iter)
    projected = scaled.with_points(_project_on_discriminants(scaled.points, run.labels))
    start = find_centroids(projected.points, run.labels, program.clusters)
    run = optimise_from(projected, start, max_iter)
    score = _norm(_explained_variance(scaled.points, owners, run.labels))
    best = run.violation <= plain.violation and score >= unweighted.score
    return [*found, SubspaceRun(run, weights, score) if best else unweighted]


def find_independent_components(program: ObjectProgram) -> Array:
    """Return independent components (ICA) of the points, which unmix rotated structures."""
    sampled = program.sample(_SAMPLE).points
    _, lengths, axes = np.linalg.svd(sampled - sampled.mean(axis=0), full_matrices=False)
    rank = int((lengths > 1e-9 * lengths[0]).sum())
    if not rank:
        return program.points
    # Many components of few objects are noise.
    kept = axes[: min(_MOST_COMPONENTS, max(2, len(sampled) // _OBJECTS_PER_COMPONENT), rank)].T
    seed = program.random.randint(1 << 30)
    model = FastICA(whiten="unit-variance", max_iter=500, random_state=seed)
    with warnings.catch_warnings():
        # An approximate solution is enough: features are reweighted afterwards.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(sampled @ kept)
    return model.transform(program.points @ kept)


def _standardise(points: Array, owners: Array) -> Array:
    """Return points with variance 1 in every feature that is not constant."""
    centred = points - points.mean(axis=0)
    variance = np.bincount(owners, (centred**2).mean(axis=0))
    return centred / np.sqrt(np.where(variance > 0, variance, 1.0))[owners]


def _apply_weights(points: Array, owners: Array, weights: Array) -> Array:
    return points * np.sqrt(weights)[owners]


def _project_on_discriminants(points: Array, labels: Array) -> Array:
    """Return the discriminant directions of a clustering, scaled to unit variance within clusters.

    Weights ignore correlations; k-means boundaries are best where clusters are spherical.
    """
    centred = points - points.mean(axis=0)
    axes, variances = find_principal_axes(centred)
    if not variances.size:
        return points
    white = centred @ (axes / np.sqrt(variances))
    centres = find_centroids(white, labels, int(labels.max()) + 1)
    rest = white - centres[labels]
    within, axes = np.linalg.eigh(rest.T @ rest / len(points))
    discriminant = np.maximum(1, np.count_nonzero(within < _DISCRIMINANT))
    kept = min(int(labels.max()) or 1, discriminant)
    return white @ (axes[:, :kept] / np.sqrt(np.maximum(within[:kept], 1e-6)))


def _explained_variance(points: Array, owners: Array, labels: Array) -> Array:
    """Return the fraction of each feature's variance that is between clusters."""
    centres = find_centroids(points, labels, int(labels.max()) + 1)
    within = np.bincount(owners, ((points - centres[labels]) ** 2).mean(axis=0))
    total = np.bincount(owners, points.var(axis=0))
    return np.clip(1.0 - within / np.where(total > 0, total, 1.0), 0.0, 1.0) * (total > 0)


def _norm(explained: Array) -> float:
    return float(np.sqrt((explained**2).sum()))


def _rank_pairs(program: ObjectProgram, owners: Array) -> list[tuple[int, int]]:
    """Return pairs of features, the most dependent ones first.

    Dependence is measured on the residuals: the variance of one feature that k-means clusters of
    the other explain, and vice versa. Every feature appears with its best partner.
    """
    rest = residuals(program)
    paired = _screen_features(rest, owners)
    if len(paired) == 1:
        return []
    of_paired = np.isin(owners, paired)
    rest, owners = rest.compress(of_paired, axis=1), np.searchsorted(paired, owners[of_paired])
    dependence = np.zeros((len(paired), len(paired)))
    for r in range(len(paired)):
        own = rest[:, owners == r]
        seed = program.random.randint(1 << 30)
        if np.ptp(own, axis=0).max() > 0:
            clusters = min(program.clusters, len(np.unique(own, axis=0)))
            labels = run_kmeans(own, clusters, seed)
            dependence[r] = _explained_variance(rest, owners, labels)
    dependence += dependence.T
    np.fill_diagonal(dependence, -1.0)
    partners = enumerate(dependence.argmax(axis=1))
    best = {(min(r, q), max(r, q)): dependence[r, q] for r, q in partners}
    ranked = sorted(best, key=lambda pair: -best[pair])[:_MOST_PAIRS]
    return [(int(paired[r]), int(paired[q])) for r, q in ranked]


def _screen_features(points: Array, owners: Array) -> Array:
    """Return all features, or of many those with the least kurtosis.

    The kurtosis is near 1 for balanced clusters, 3 for a normal distribution, and large for
    features with outliers.
    """
    count = int(owners.max()) + 1
    if count <= _MOST_PAIRED_FEATURES:
        return np.arange(count)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    squares = np.add.reduceat((points - points.mean(axis=0)) ** 2, starts, axis=1)
    variances = squares.mean(axis=0)
    varying = variances > 0
    kurtosis = np.full(count, np.inf)
    kurtosis[varying] = (squares[:, varying] ** 2).mean(axis=0) / variances[varying] ** 2
    return np.sort(np.argsort(kurtosis, kind="stable")[:_MOST_PAIRED_FEATURES])


def _draw_discrete(program: ObjectProgram, owners: Array) -> list[tuple[int]]:
    """Return features with few distinct values, but at least one per cluster; a random subset.

    Any cut between values separates clusters cleanly, which a pair of features may miss.
    """
    found = [
        (r,)
        for r in range(int(owners.max()) + 1)
        if program.clusters <= len(np.unique(program.points[:, owners == r], axis=0)) <= _FEW_VALUES
    ]
    return [found[i] for i in program.random.permutation(len(found))[:_MOST_SINGLE]]


def _start_in(program: ObjectProgram, owners: Array, features: tuple[int, ...]) -> Run:
    """Return an approximate run in which a few features have nearly all the weight."""
    weights = np.full(int(owners.max()) + 1, _LEAST_WEIGHT)
    weights[list(features)] = 1.0
    weighted = program.with_points(_apply_weights(program.points, owners, weights))
    start = next(draw_initial_centroids(weighted, 1))
    return optimise_from(weighted, start, _APPROXIMATE_ITER, approximate=True)


def _reweight(program: ObjectProgram, owners: Array, run: Run) -> SubspaceRun:
    """Update feature weights and clusters in turn until the labels converge."""
    n_iter, evaluations = run.n_iter, run.evaluations
    for _ in range(_MOST_REWEIGHTINGS):
        explained = _explained_variance(program.points, owners, run.labels)
        weights = np.maximum(explained, _LEAST_WEIGHT) ** 2
        weights /= weights.max()
        weighted = program.with_points(_apply_weights(program.points, owners, weights))
        start = find_centroids(weighted.points, run.labels, program.clusters)
        before = run
        run = optimise_from(weighted, start, _APPROXIMATE_ITER, approximate=True)
        n_iter, evaluations = n_iter + run.n_iter, evaluations + run.evaluations
        if np.count_nonzero(before.labels != run.labels) <= _CONVERGED * run.labels.size:
            break
    score = _norm(_explained_variance(program.points, owners, run.labels))
    return SubspaceRun(run._replace(n_iter=n_iter, evaluations=evaluations), weights, score)
