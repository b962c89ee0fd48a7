"""The crossed view: a direction that separates one clustering best, and one for another.

Both are linear discriminants of the standardised features, with the covariance within the clusters
shrunk as by Ledoit and Wolf, so that it can be inverted if features are collinear or more than
objects. The second one is uncorrelated with the first.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.decomposition import PCA

from clusterwise._utils.tables import format_count
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import show_name

# Discriminants of more columns than this are those of their principal components.
_MAX_COLUMNS = 100
_LEAST_SHRINKAGE = 1e-3
# A squared length, relative to the data, that is rounding.
_ROUNDING = 1e-20
# If the second discriminant explains less of its variance by the clusters, nothing but the first
# separates them; if the best one correlates more with the first, the label says how it differs.
_NOTHING_LEFT, _CORRELATED = 0.05, 0.2
# With more columns per object than this, any clusters look separated.
_MANY_COLUMNS = 1 / 3
_FEATURES_NAMED, _NAME_WIDTH = 3, 24


class Groups(NamedTuple):
    """A clustering as codes of the objects, -1 for noise, and its name."""

    name: str
    codes: Array

    @property
    def n_clusters(self) -> int:
        """The number of clusters that have members."""
        return len(np.unique(self.codes[self.codes >= 0]))


class Axis(NamedTuple):
    """Coefficients of the columns, and what the label says before and after the features."""

    weights: Array
    before: str
    after: str = ""
    discriminant: bool = True


def crossed_axes(points: Array, first: Groups, second: Groups) -> tuple[Axis, Axis]:
    """Return the two axes of standardised points, n × D, with mean 0.

    If a clustering has fewer than two clusters, or nothing but the first direction separates
    the second one, the axis is the first principal component of what is left.
    """
    if points.shape[1] > min(_MAX_COLUMNS, len(points)):
        size = min(_MAX_COLUMNS, len(points) - 1)
        model = PCA(size, random_state=0)
        x, y = _axes(model.fit_transform(points), first, second)
        components = model.components_
        return (
            x._replace(weights=x.weights @ components),
            y._replace(weights=y.weights @ components),
        )
    return _axes(points, first, second)


def _axes(points: Array, first: Groups, second: Groups) -> tuple[Axis, Axis]:
    known = [one.n_clusters > 1 for one in (first, second)]
    if known[0]:
        x = Axis(discriminant(points, first.codes), f"separates {_name(first)} best: ")
        return x, _second(points, x, first, second)
    if not known[1]:
        both = first.name == second.name
        why = f"{_few(first)}" if both else f"{_few(first)}; {_few(second)}"
        x = _principal(points, None, why)
        return x, _principal(points, x.weights, why)
    y = Axis(discriminant(points, second.codes), f"separates {_name(second)} best: ")
    return _principal(points, y.weights, _few(first)), y


def _second(points: Array, x: Axis, first: Groups, second: Groups) -> Axis:
    """Return the axis that separates the second clustering best, uncorrelated with the first."""
    if second.n_clusters < 2:
        return _principal(points, x.weights, _few(second))
    rest, back = deflate(points, x.weights)
    if not _varies(rest, points):
        return Axis(np.zeros(points.shape[1]), "nothing else varies", discriminant=False)
    weights = discriminant(rest, second.codes)
    if explained(rest @ weights, second.codes) < _NOTHING_LEFT:
        return _principal(points, x.weights, f"x separates {_name(second)} as well as can be")
    best = discriminant(points, second.codes)
    alike = first.name == second.name or _correlated(points @ x.weights, points @ best)
    apart = ", uncorrelated with x" if alike else ""
    return Axis(back(weights), f"separates {_name(second)} best{apart}: ")


def discriminant(points: Array, codes: Array) -> Array:
    """Return the coefficients of the first linear discriminant of the clusters.

    Objects with code -1 do not count. The coefficients have length 1.
    """
    known = codes >= 0
    _, own = np.unique(codes[known], return_inverse=True)
    some = points[known]
    sizes = np.bincount(own)
    starts = np.cumsum(sizes) - sizes
    means = np.add.reduceat(some[np.argsort(own, kind="stable")], starts) / sizes[:, None]
    within = some - means[own]
    variance = float((within**2).mean())
    between = (means - some.mean(axis=0)) * np.sqrt(sizes / own.size)[:, None]
    if variance <= _ROUNDING * float((some**2).mean()):  # the clusters are points
        return _unit(np.linalg.svd(between, full_matrices=False)[2][0])
    shrinkage = max(_LEAST_SHRINKAGE, float(ledoit_wolf_shrinkage(within, assume_centered=True)))
    covariance = (1 - shrinkage) * (within.T @ within) / own.size
    covariance[np.diag_indices_from(covariance)] += shrinkage * variance
    lower = np.linalg.cholesky(covariance)
    whitened = solve_triangular(lower, between.T, lower=True)
    leading = np.linalg.svd(whitened, full_matrices=False)[0][:, 0]
    return _unit(solve_triangular(lower, leading, lower=True, trans="T"))


def deflate(points: Array, weights: Array) -> "tuple[Array, _Back]":
    """Return the part of points that is uncorrelated with their scores, and the way back.

    The way back turns coefficients of that part into coefficients of the points.
    """
    scores = points @ weights
    length = float(scores @ scores) or 1.0
    loadings = points.T @ scores / length
    return points - np.outer(scores, loadings), _Back(weights, loadings)


class _Back(NamedTuple):
    """Turns coefficients of deflated points into coefficients of the points."""

    weights: Array
    loadings: Array

    def __call__(self, found: Array) -> Array:
        return np.asarray(found - self.weights * (self.loadings @ found))


def explained(scores: Array, codes: Array) -> float:
    """Return the proportion of the variance of scores that is between the clusters."""
    known = codes >= 0
    some = scores[known] - scores[known].mean()
    _, own = np.unique(codes[known], return_inverse=True)
    sizes = np.bincount(own)
    means = np.bincount(own, some) / sizes
    total = float(some @ some)
    return float((sizes * means**2).sum()) / total if total else 0.0


def _principal(points: Array, other: Array | None, why: str) -> Axis:
    """Return the first principal component of what an axis leaves, and why it is shown."""
    rest, back = (points, None) if other is None else deflate(points, other)
    if not _varies(rest, points):
        return Axis(np.zeros(points.shape[1]), "nothing else varies", discriminant=False)
    weights = PCA(1, random_state=0).fit(rest).components_[0]
    name = "first principal component" + (" of the rest" if back else "")
    found = weights if back is None else back(weights)
    return Axis(found, f"{name}: ", f" ({why})", discriminant=False)


def label_axis(
    axis: Axis, points: Array, owners: Array, names: list[str], *, warn: bool
) -> tuple[Array, str]:
    """Return the scores along an axis in standard deviations, and its label.

    The label names the features with the largest coefficients; the scores grow with the first.
    """
    scores = points @ axis.weights
    spread = float(scores.std())
    if not spread:
        return scores, axis.before
    parts = contributions(points, axis.weights, owners)
    order = np.argsort(-parts, kind="stable")
    named = [show_name(names[k], _NAME_WIDTH) for k in order[:_FEATURES_NAMED] if parts[k] > 0]
    more = ", …" if np.count_nonzero(parts) > len(named) else ""
    note = ""
    if warn and axis.discriminant and points.shape[1] > _MANY_COLUMNS * len(points):
        columns, objects = format_count(points.shape[1], "column"), f"{len(points):,} objects"
        note = f" ({columns} for {objects}: looks more separated than it is)"
    one = np.flatnonzero(owners == order[0])
    sign = -1.0 if one.size == 1 and axis.weights[one[0]] < 0 else 1.0
    return sign * scores / spread, f"{axis.before}{', '.join(named)}{more}{axis.after}{note}"


def contributions(points: Array, weights: Array, owners: Array) -> Array:
    """Return the standard deviation of what each feature adds to the scores."""
    weighted = points * weights
    counts = np.bincount(owners)
    found = np.zeros(counts.size)
    single = (counts == 1)[owners]
    found[owners[single]] = weighted[:, single].std(axis=0)
    for owner in np.flatnonzero(counts > 1):
        found[owner] = weighted[:, owners == owner].sum(axis=1).std()
    return found


def _unit(weights: Array) -> Array:
    return np.asarray(weights / (np.linalg.norm(weights) or 1.0))


def _varies(rest: Array, points: Array) -> bool:
    return bool((rest**2).sum() > _ROUNDING**0.5 * (points**2).sum())


def _correlated(a: Array, b: Array) -> bool:
    return bool(abs(a @ b) > _CORRELATED * np.sqrt((a @ a) * (b @ b)))


def _name(one: Groups) -> str:
    return show_name(one.name)


def _few(one: Groups) -> str:
    return f"{_name(one)} has {'one cluster' if one.n_clusters else 'no cluster'}"
