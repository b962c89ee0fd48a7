"""The distribution of one feature if there are no clusters: normal, or any unimodal density."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from clusterwise.inputs.encoding import Array
from clusterwise.kernels.unimodal import fit_unimodal

# Unimodal densities are piecewise constant on this many intervals of equal frequency at most.
_MOST_INTERVALS = 80
# With fewer objects, each half of them says too little about the density.
_FEWEST_OBJECTS = 40
_NARROWEST = 1e-9
_LOG_2_PI = float(np.log(2 * np.pi))


class Margin(NamedTuple):
    """The log-likelihood of a feature without clusters, and its values as normal scores.

    ``gain`` is how much larger it is if the scores may have any mean and variance, which gives them
    tails, and so a density that is no longer unimodal.
    """

    log_likelihood: float
    scores: Array
    normal: bool
    gain: float = 0.0


def fit_margin(
    values: Array,
    residuals: Array,
    groups: Sequence[Array],
    random: np.random.RandomState,
    *,
    ranks: bool = True,
) -> Margin:
    """Fit normal residuals or unimodal densities of each group, whichever predicts better.

    ``groups`` are the indices of objects in the same given clusters. The likelihood of unimodal
    densities is cross-validated: they are fitted to each half of a group and evaluated on the
    other, so that their flexibility is no advantage. Scores are those of the ranks, which are
    normal whatever the distribution, or those of the unimodal distribution function, in which gaps
    between clusters remain.
    """
    n, deviation = values.size, float(residuals.std())
    normal = -0.5 * n * (_LOG_2_PI + 1.0) - n * float(np.log(deviation))
    predicted = -np.inf
    if groups and n >= _FEWEST_OBJECTS:
        predicted = sum(_cross_validate(values[rows], random) for rows in groups)
    if predicted <= normal:
        return Margin(normal, residuals / deviation, normal=True)
    scores = np.empty(n)
    for rows in groups:
        own = values[rows]
        if ranks:
            order = rows[np.argsort(own, kind="stable")]
            scores[order] = ndtri((np.arange(rows.size) + 0.5) / rows.size)
        else:
            scores[rows] = ndtri(UnimodalDensity.fit(own).probabilities(own))
    centred = scores - scores.mean()
    deviation = float(centred.std())
    gain = 0.5 * n * (float(np.mean(scores**2)) - 1.0) - n * float(np.log(deviation))
    return Margin(predicted, centred / deviation, normal=False, gain=gain)


def group_objects(cells: Array) -> list[Array]:
    """Return the objects of each given cell; none if a cell has too few to estimate a density."""
    sizes = np.bincount(cells)
    if sizes[sizes > 0].min() < _FEWEST_OBJECTS:
        return []
    return [np.flatnonzero(cells == cell) for cell in np.flatnonzero(sizes)]


def _cross_validate(values: Array, random: np.random.RandomState) -> float:
    """Return the log-likelihood of each half of the values under the density of the other."""
    order = random.permutation(values.size)
    halves = values[order[: values.size // 2]], values[order[values.size // 2 :]]
    if any(half.min() == half.max() for half in halves):
        return -np.inf
    return sum(
        UnimodalDensity.fit(half).log_likelihood(other) for half, other in (halves, halves[::-1])
    )


def spread_ties(values: Array, random: np.random.RandomState) -> Array:
    """Draw equal values uniformly from an interval around them, so that there is a density.

    It ends half way to the next values, but no further away than the nearer of both. So a single
    value of a discrete feature is no cluster, while a gap between values remains a gap.
    """
    distinct, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    if distinct.size in (1, values.size):
        return values
    gaps = np.diff(distinct)
    before, after = np.r_[gaps[0], gaps], np.r_[gaps, gaps[-1]]
    nearest = np.minimum(before, after)
    repeated = counts > 1
    low = np.where(repeated, np.minimum(before / 2, nearest), 0.0)
    high = np.where(repeated, np.minimum(after / 2, nearest), 0.0)
    spread: Array = values + ((low + high)[codes] * random.random_sample(values.size) - low[codes])
    return spread


class UnimodalDensity(NamedTuple):
    """A density that increases up to its mode and then decreases, constant between the edges.

    Both tails beyond the edges are exponential, with half an object of the n it was fitted to.
    """

    edges: Array
    heights: Array
    n: int

    @classmethod
    def fit(cls, values: Array) -> "UnimodalDensity":
        """Fit by maximum likelihood on intervals of equal frequency, for the best mode."""
        count = int(np.clip(2 * np.sqrt(values.size), 4, _MOST_INTERVALS))
        edges = _quantiles(np.sort(values), np.linspace(0.0, 1.0, count + 1))
        widths = np.maximum(np.diff(edges), _NARROWEST * (edges[-1] - edges[0]))
        heights = np.empty(count)
        fit_unimodal(1.0 / (count * widths), widths, heights)
        return cls(np.r_[edges[0], edges[0] + np.cumsum(widths)], heights, values.size)

    def log_likelihood(self, values: Array) -> float:
        """Return the log-likelihood of values."""
        tail, low, high = 0.5 / self.n, self.edges[0], self.edges[-1]
        ordered = np.sort(values)
        before = np.searchsorted(ordered, self.edges)
        below, end = before[0], np.searchsorted(ordered, high, "right")
        before[-1] = end
        total = float(np.diff(before) @ np.log((1.0 - 2.0 * tail) * self.heights))
        for beyond, width in (
            (low - ordered[:below], self.edges[1] - low),
            (ordered[end:] - high, high - self.edges[-2]),
        ):
            total += float(beyond.size * np.log(tail / width) - beyond.sum() / width)
        return total

    def probabilities(self, values: Array) -> Array:
        """Return the distribution function at the values, strictly between 0 and 1."""
        sums = np.r_[0.0, np.cumsum(self.heights * np.diff(self.edges))]
        inside = np.interp(values, self.edges, sums / sums[-1])
        return np.asarray((inside * self.n + 0.5) / (self.n + 1.0))


def _quantiles(ordered: Array, proportions: Array) -> Array:
    """Return quantiles of sorted values by linear interpolation, as ``np.quantile`` does."""
    positions = proportions * (ordered.size - 1)
    first = positions.astype(np.int64)
    low, high = ordered[first], ordered[np.minimum(first + 1, ordered.size - 1)]
    return np.asarray(low + (high - low) * (positions - first))
