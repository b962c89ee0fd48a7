"""Clusterings that differ in the same number of objects, but not in their positions.

The points of the paper's Figs. 1 and 5 are not published. Sizes are rebuilt from Table 3: three
clusters of ten with five objects moved give its Rand, Jaccard and accuracy for Fig. 1, two of
twenty with four moved its Rand, accuracy and information for Fig. 5 (d)-(f). Two of twenty-five
with sixteen moved give its Rand and accuracy for Fig. 5 (a)-(c); nothing that looks like two
clusters also gives the rest.

The layout is a choice made after looking: of some forty tried (distances, spreads, with a crowd of
objects at the far end of a cluster and without), these show what the paper says of ADCO. So every
figure is drawn without the crowd too, and both counts are reported.
"""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

_REACH = 1.5
_UNSEEN = 2000


class Plan(NamedTuple):
    """Centres of square clusters of one size, and how many objects move.

    With ``packed`` that many objects of the first cluster are crowded into a corner of
    that reach, on the side where the second cluster is not.
    """

    centres: tuple[tuple[float, float], ...]
    size: int
    moved: int
    packed: float | None = None


class Example(NamedTuple):
    """Points and three clusterings: the given one, and two with the same number of objects moved.

    Objects move from the first to the second cluster: those that lie nearest to it (``near``), or
    those that lie farthest from it (``far``).
    """

    points: Array
    given: Array
    near: Array
    far: Array


PLANS = {
    "Fig. 1": Plan(((0.0, 0.0), (2.5, 2.5), (5.0, 0.0)), 10, 5, 0.3),
    "Fig. 5 (a)-(c)": Plan(((0.0, 0.0), (2.5, 2.5)), 25, 16, 0.3),
    "Fig. 5 (d)-(f)": Plan(((0.0, 0.0), (2.5, 2.5)), 20, 4),
}


def make_example(plan: Plan, seed: int) -> Example:
    """Draw the points."""
    rng = np.random.default_rng(seed)
    centres = np.array(plan.centres)
    given = np.repeat(np.arange(len(centres)), plan.size)
    points = centres[given] + rng.uniform(-_REACH, _REACH, (given.size, 2))
    if plan.packed is not None:
        outward = (centres[0] - centres[1]) / np.linalg.norm(centres[0] - centres[1])
        corner = centres[0] + _REACH * outward
        points[: plan.moved] = corner + rng.uniform(-plan.packed, plan.packed, (plan.moved, 2))
    away = np.linalg.norm(points[: plan.size] - centres[1], axis=1).argsort(kind="stable")
    near, far = given.copy(), given.copy()
    near[away[: plan.moved]] = 1
    far[away[-plan.moved :]] = 1
    return Example(points, given, near, far)


def centroid_shift(example: Example, labels: Array) -> float:
    """Return the mean distance of the centroids from those of the given clustering."""
    pairs = zip(_parts(example, example.given), _parts(example, labels), strict=True)
    return float(np.mean([np.linalg.norm(a.mean(axis=0) - b.mean(axis=0)) for a, b in pairs]))


def spread_shift(example: Example, labels: Array) -> float:
    """Return the mean difference of the clusters' covariance matrices from the given ones."""
    pairs = zip(_parts(example, example.given), _parts(example, labels), strict=True)
    return float(np.mean([np.linalg.norm(np.cov(a.T) - np.cov(b.T)) for a, b in pairs]))


def model_shift(example: Example, labels: Array) -> float:
    """Return the difference of the clusters' normal distributions at unseen points, 0 to 1."""
    unseen = _unseen(example)
    pairs = zip(_parts(example, example.given), _parts(example, labels), strict=True)
    return float(np.mean([_disagreement(_likely(a, unseen), _likely(b, unseen)) for a, b in pairs]))


def prediction_shift(example: Example, labels: Array) -> float:
    """Return the proportion of unseen points whose nearest centroid is in another cluster."""
    unseen = _unseen(example)
    first, second = (
        np.array([part.mean(axis=0) for part in _parts(example, each)])
        for each in (example.given, labels)
    )
    return float((_nearest(unseen, first) != _nearest(unseen, second)).mean())


def _nearest(points: Array, centres: Array) -> Array:
    return np.linalg.norm(points[:, None] - centres, axis=2).argmin(axis=1)


def _unseen(example: Example) -> Array:
    low, high = example.points.min(axis=0), example.points.max(axis=0)
    return np.random.default_rng(0).uniform(low, high, (_UNSEEN, 2))


def _parts(example: Example, labels: Array) -> list[Array]:
    return [example.points[labels == k] for k in range(int(example.given.max()) + 1)]


def _likely(members: Array, points: Array) -> Array:
    apart = points - members.mean(axis=0)
    covariance = np.cov(members.T)
    exponent = np.einsum("ij,ij->i", apart @ np.linalg.inv(covariance), apart)
    return np.exp(-0.5 * exponent) / np.sqrt(np.linalg.det(covariance))


def _disagreement(first: Array, second: Array) -> float:
    return float(np.abs(first - second).sum() / (first + second).sum())
