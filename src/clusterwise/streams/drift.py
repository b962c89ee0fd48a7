"""Chi-square tests for changes between two density profiles of a stream."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clusterwise.inputs.encoding import Array, name_list
from clusterwise.summaries.profile.profile import DensityProfile, require_same_binning

SIZES = "(cluster sizes)"
# Cochran's rule for the chi-square approximation.
_MIN_EXPECTED = 5.0


@dataclass(frozen=True)
class Change:
    """The result of a test for a change between two sets of objects.

    ``p_value`` is corrected for the number of tests; ``feature`` is the one with the smallest
    p-value, with its chi-square ``statistic`` and ``degrees`` of freedom.
    """

    p_value: float
    alpha: float
    feature: str
    statistic: float
    degrees: int

    @property
    def significant(self) -> bool:
        """Whether the p-value is at most alpha."""
        return self.p_value <= self.alpha


def change_between(
    before: DensityProfile, now: DensityProfile, *, alpha: float = 0.01, by_cluster: bool = True
) -> Change:
    r"""Test whether two profiles of different objects come from one distribution.

    For every feature, a cell is a combination of a cluster and a bin. Under the null hypothesis
    the profile of an object is independent of its cell, and

    .. math:: X^2 = \frac{N - 1}{N} \sum_c \frac{(a_c n_b - b_c n_a)^2}{n_a n_b (a_c + b_c)}

    follows a chi-square distribution with one degree of freedom less than cells. Cells with fewer
    than 5 expected objects on either side are pooled. There is one test per feature and one for
    the sizes of the clusters; the smallest p-value is multiplied by their number (Bonferroni),
    which is valid for any dependence between the features.

    The test assumes that objects are independent and that each is in one profile only. The
    probability of a false alarm is then at most alpha, up to the chi-square approximation.

    Parameters
    ----------
    before, now : DensityProfile
        Profiles of different objects, with the same binning and without weights.
    alpha : float
        The significance level.
    by_cluster : bool
        Whether a label denotes the same cluster in both profiles. If False, the features of all
        objects are compared, regardless of clusters.

    Returns
    -------
    Change

    Examples
    --------
    A cluster has moved, and its size is unchanged:

    >>> import numpy as np
    >>> from clusterwise import Binning, DensityProfile
    >>> from clusterwise.streams.drift import change_between
    >>> X = np.random.default_rng(0).random((1000, 2))
    >>> labels = np.arange(1000) % 2
    >>> moved = X + 0.2 * labels[:, None] * [0, 1]
    >>> binning = Binning().fit(X)
    >>> before = DensityProfile.from_data(X, labels, binning=binning)
    >>> change = change_between(before, DensityProfile.from_data(moved, labels, binning=binning))
    >>> change.significant, change.feature
    (True, 'x1')
    """
    require_same_binning(before, now)
    found = [
        (*_chi_square(a, b), name) for name, a, b in _tables(before, now, by_cluster=by_cluster)
    ]
    tested = [(p, statistic, degrees, name) for statistic, degrees, p, name in found if degrees]
    if not tested:
        return Change(1.0, alpha, "", 0.0, 0)
    p, statistic, degrees, name = min(tested, key=lambda one: (one[0], -one[1]))
    return Change(min(1.0, p * len(tested)), alpha, name, statistic, degrees)


def _tables(
    before: DensityProfile, now: DensityProfile, *, by_cluster: bool
) -> Iterator[tuple[str, Array, Array]]:
    """Yield the name of each test and the counts of its cells in both profiles."""
    a, b, sizes_a, sizes_b = before.counts, now.counts, before.sizes, now.sizes
    if by_cluster:
        rows, count = _common_rows(name_list(before.names), name_list(now.names))
        split = sizes_a.size
        a, b = _spread(a, rows[:split], count), _spread(b, rows[split:], count)
        yield (
            SIZES,
            _spread(sizes_a, rows[:split], count),
            _spread(sizes_b, rows[split:], count),
        )
    else:
        a, b = a.sum(axis=0, keepdims=True), b.sum(axis=0, keepdims=True)
    offsets = before.binning.offsets
    for r, name in enumerate(before.binning.names):
        bins = slice(offsets[r], offsets[r + 1])
        yield name, a[:, bins].ravel(), b[:, bins].ravel()


def _common_rows(ours: list[object], theirs: list[object]) -> tuple[Array, int]:
    """Return the index of each label of both lists in their union, and its size."""
    rows: dict[object, int] = {}
    found = [rows.setdefault(name, len(rows)) for name in (*ours, *theirs)]
    return np.array(found, np.int64), len(rows)


def _spread(counts: Array, rows: Array, n_rows: int) -> Array:
    spread = np.zeros((n_rows, *counts.shape[1:]))
    spread[rows] = counts
    return spread


def _chi_square(a: Array, b: Array) -> tuple[float, int, float]:
    """Return the statistic, degrees of freedom and p-value of one table."""
    from scipy.special import chdtrc

    size_a, size_b = float(a.sum()), float(b.sum())
    if not size_a or not size_b:
        return 0.0, 0, 1.0
    total = size_a + size_b
    a, b = _pool_rare_cells(a, b, min(size_a, size_b) / total)
    deviations = (a * size_b - b * size_a) ** 2 / (a + b)
    statistic = float(deviations.sum() / (size_a * size_b) * (total - 1) / total)
    degrees = a.size - 1
    return statistic, degrees, float(chdtrc(degrees, statistic)) if degrees else 1.0


def _pool_rare_cells(a: Array, b: Array, proportion: float) -> tuple[Array, Array]:
    """Pool rare cells into one with enough expected objects; leave out empty cells."""
    pooled = a + b
    order = np.argsort(pooled, kind="stable")[np.count_nonzero(pooled == 0) :]
    expected = pooled[order] * proportion
    rare = int(np.count_nonzero(expected < _MIN_EXPECTED))
    if rare and expected[:rare].sum() < _MIN_EXPECTED:
        rare += 1
    starts = np.concatenate([[0], np.arange(max(rare, 1), order.size)])
    return np.add.reduceat(a[order], starts), np.add.reduceat(b[order], starts)
