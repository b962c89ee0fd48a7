"""Tests for changes between two samples of a stream."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.streams.drift_cells import SIZES, list_cells, list_cluster_cells
from clusterwise.streams.window_counts import WindowCounts
from clusterwise.summaries.profile.profile import DensityProfile, require_same_binning

# The hypergeometric distribution is summed over at most this many values; the chi-square
# approximation is as good for more.
_MOST_SUMMED = 10_000


@dataclass(frozen=True)
class Change:
    """The result of a test for a change between two sets of objects.

    ``p_value`` is corrected for the number of tests; ``feature`` is the one with the smallest
    p-value, with its chi-square ``statistic`` and ``degrees`` of freedom. ``untested`` are features
    with several values, all of which are too rare to be tested. ``clusters`` are the names of the
    clusters in each of which alone the feature changed significantly.
    """

    p_value: float
    alpha: float
    feature: str
    statistic: float
    degrees: int
    untested: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()

    @property
    def significant(self) -> bool:
        """Whether the p-value is at most alpha."""
        return self.p_value <= self.alpha

    @property
    def tested(self) -> bool:
        """Whether there was a test; without one, all objects are alike or all values are rare."""
        return self.degrees > 0

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""
        lists = {"untested": list(self.untested), "clusters": list(self.clusters)}
        return {**asdict(self), **lists}


def change_between(
    before: DensityProfile | WindowCounts,
    now: DensityProfile | WindowCounts,
    *,
    alpha: float = 0.01,
    by_cluster: bool = True,
    features_by_cluster: bool = True,
) -> Change:
    r"""Test whether two sets of objects come from one distribution.

    For every feature, a cell is a combination of a cluster and a bin. Under the null hypothesis
    the set of an object is independent of its cell, and

    .. math:: X^2 = \frac{N - 1}{N} \sum_c \frac{(a_c n_b - b_c n_a)^2}{n_a n_b (a_c + b_c)}

    follows approximately a chi-square distribution with one degree of freedom less than cells.
    The p-value of a table with two cells is exact (hypergeometric).

    Rare cells are pooled: those with fewer than 5 expected objects on either side, or up to 15 if
    one side is much smaller. Rare values of a categorical feature, and values that its bins do not
    know, are first pooled into up to 64 buckets for each cluster, by a hash. What is rare is
    decided from both sides together, so it does not matter on which objects the bins were fitted.
    If one cell is left, the feature is not tested.

    There is one test per feature and one for the sizes of the clusters; the smallest p-value is
    multiplied by their number (Bonferroni), which is valid for any dependence between the features.
    The tests assume that objects are independent and that each is in one set only. The probability
    of a false alarm is then at most alpha, up to the chi-square approximation; simulations with
    columns of all types are in ``docs/results/drift.md``.

    Parameters
    ----------
    before, now : DensityProfile or WindowCounts
        Profiles of different objects, with the same binning and without weights. The unseen values
        of a profile cannot be told apart: all rare values of such a feature are pooled into one
        cell for each cluster.
    alpha : float
        The significance level.
    by_cluster : bool
        Whether a label denotes the same cluster on both sides. If False, the features of all
        objects are compared, regardless of clusters.
    features_by_cluster : bool
        If False, features are compared regardless of clusters, and the sizes of the clusters are
        still compared. Bins that were fitted to the labels of one side ("mdl") separate its
        clusters better than those of the other side.

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
    first, second = _as_counts(before), _as_counts(now)
    require_same_binning(first.profile, second.profile)
    tests, untested = [], []
    tables = list_cells(
        first, second, by_cluster=by_cluster, features_by_cluster=features_by_cluster
    )
    for cells in tables:
        if cells.a.size > 1:
            tests.append((*_chi_square(cells.a, cells.b), cells.a.size - 1, cells.name))
        elif cells.varies:
            untested.append(cells.name)
    if not tests:
        return Change(1.0, alpha, "", 0.0, 0, tuple(untested))
    p, statistic, degrees, name = min(tests, key=lambda one: (one[0], -one[1]))
    p_value = min(1.0, p * len(tests))
    change = Change(p_value, alpha, name, statistic, degrees, tuple(untested))
    if not change.significant or name == SIZES or not (by_cluster and features_by_cluster):
        return change
    return replace(change, clusters=_changed_clusters(first, second, name, alpha / len(tests)))


def _changed_clusters(
    before: WindowCounts, now: WindowCounts, feature: str, alpha: float
) -> tuple[str, ...]:
    """Return the clusters that changed in a feature; alpha is divided by their number."""
    tests = [
        (_chi_square(cells.a, cells.b)[0], str(name))
        for name, cells in list_cluster_cells(before, now, feature)
        if cells.a.size > 1
    ]
    return tuple(name for p, name in tests if p * len(tests) <= alpha)


def _as_counts(sample: DensityProfile | WindowCounts) -> WindowCounts:
    return sample if isinstance(sample, WindowCounts) else WindowCounts(sample, None)


def _chi_square(a: Array, b: Array) -> tuple[float, float]:
    """Return the p-value and the statistic of a table with at least two cells."""
    from scipy.special import chdtrc

    size_a, size_b = float(a.sum()), float(b.sum())
    total = size_a + size_b
    deviations = (a * size_b - b * size_a) ** 2 / (a + b)
    statistic = float(deviations.sum() / (size_a * size_b) * (total - 1) / total)
    if a.size == 2:
        sides = sorted([(size_a, float(a[0])), (size_b, float(b[0]))])
        columns = float(a[0] + b[0]), float(a[1] + b[1])
        if min(sides[0][0], *columns) <= _MOST_SUMMED:
            return _exact_p_value(*sides[0], columns, total), statistic
    return float(chdtrc(a.size - 1, statistic)), statistic


def _exact_p_value(size: float, found: float, columns: tuple[float, float], total: float) -> float:
    """Return the probability of at least this deviation in a table with these margins."""
    from scipy.special import gammaln

    first, second = columns
    possible = np.arange(max(0.0, size - second), min(size, first) + 1)

    def log_choices(n: float, k: Array | float) -> Array:
        return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - np.asarray(k) + 1)

    logs = log_choices(first, possible) + log_choices(second, size - possible)
    probabilities = np.exp(logs - log_choices(total, size))
    # Multiples of the deviations from the expected number, which are whole.
    extreme = np.abs(possible * total - size * first) >= abs(found * total - size * first)
    return 1.0 if extreme.all() else min(1.0, float(probabilities[extreme].sum()))
