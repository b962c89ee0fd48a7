"""What differs between two density profiles of a stream, and whether that is chance."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clusterwise.inputs.encoding import Array, name_list
from clusterwise.summaries.profile.profile import DensityProfile, require_same_binning

SIZES = "(cluster sizes)"
# Cochran's rule: the chi-square distribution is a good guide from here on.
_FEWEST_EXPECTED = 5.0


@dataclass(frozen=True)
class Change:
    """How surely two sets of objects come from different clusterings.

    ``p_value`` is corrected for the number of tables looked at; ``feature`` is the one
    that differs most surely, with its own chi-square ``statistic`` and ``degrees`` of freedom.
    """

    p_value: float
    alpha: float
    feature: str
    statistic: float
    degrees: int

    @property
    def significant(self) -> bool:
        """Whether this is a change, by the rule: p-value at most alpha."""
        return self.p_value <= self.alpha


def change_between(
    before: DensityProfile, now: DensityProfile, *, alpha: float = 0.01, by_cluster: bool = True
) -> Change:
    r"""Test whether two profiles of different objects come from one distribution.

    Every feature sorts the objects into cells, a cell being a cluster and a bin. If nothing has
    changed, then which of the two profiles an object is in is chance, and

    .. math:: X^2 = \frac{N - 1}{N} \sum_c \frac{(a_c n_b - b_c n_a)^2}{n_a n_b (a_c + b_c)}

    follows the chi-square distribution with one degree of freedom less than there are cells. Cells
    too rare for that (fewer than 5 expected on either side) are counted as one. There is such a
    test per feature and one for the sizes of the clusters; the smallest p-value is multiplied
    by their number (Bonferroni), which holds however the features depend on each other.

    The rule assumes that objects come independently of each other and that each is in one profile
    only. Then a test gives a false alarm with probability alpha at most, up to the
    approximation by the chi-square distribution.

    Parameters
    ----------
    before, now : DensityProfile
        Profiles of different objects, with the same binning and without weights.
    alpha : float
        The false-alarm rate that is accepted.
    by_cluster : bool
        False looks at the features of all objects together, for clusterings whose names do
        not mean the same cluster in both.

    Returns
    -------
    Change

    Examples
    --------
    A cluster has moved, and its size has not:

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
    """Names of the tables, and the counts of their cells on both sides."""
    a, b, sizes_a, sizes_b = before.counts, now.counts, before.sizes, now.sizes
    if by_cluster:
        places, count = _common_rows(name_list(before.names), name_list(now.names))
        split = sizes_a.size
        a, b = _spread(a, places[:split], count), _spread(b, places[split:], count)
        yield (
            SIZES,
            _spread(sizes_a, places[:split], count),
            _spread(sizes_b, places[split:], count),
        )
    else:
        a, b = a.sum(axis=0, keepdims=True), b.sum(axis=0, keepdims=True)
    offsets = before.binning.offsets
    for r, name in enumerate(before.binning.names):
        bins = slice(offsets[r], offsets[r + 1])
        yield name, a[:, bins].ravel(), b[:, bins].ravel()


def _common_rows(ours: list[object], theirs: list[object]) -> tuple[Array, int]:
    """A row for each name, one for the same name on both sides."""
    rows: dict[object, int] = {}
    places = np.array([rows.setdefault(name, len(rows)) for name in (*ours, *theirs)], np.int64)
    return places, len(rows)


def _spread(counts: Array, places: Array, rows: int) -> Array:
    spread = np.zeros((rows, *counts.shape[1:]))
    spread[places] = counts
    return spread


def _chi_square(a: Array, b: Array) -> tuple[float, int, float]:
    """Statistic, degrees of freedom and p-value of one table."""
    from scipy.special import chdtrc

    size_a, size_b = float(a.sum()), float(b.sum())
    if not size_a or not size_b:
        return 0.0, 0, 1.0
    total = size_a + size_b
    a, b = _common_cells(a, b, min(size_a, size_b) / total)
    gaps = (a * size_b - b * size_a) ** 2 / (a + b)
    statistic = float(gaps.sum() / (size_a * size_b) * (total - 1) / total)
    degrees = a.size - 1
    return statistic, degrees, float(chdtrc(degrees, statistic)) if degrees else 1.0


def _common_cells(a: Array, b: Array, share: float) -> tuple[Array, Array]:
    """The cells that are common enough; the rare ones, if any, as one that is so too."""
    pooled = a + b
    order = np.argsort(pooled, kind="stable")[np.count_nonzero(pooled == 0) :]
    expected = pooled[order] * share
    rare = int(np.count_nonzero(expected < _FEWEST_EXPECTED))
    if rare and expected[:rare].sum() < _FEWEST_EXPECTED:
        rare += 1
    starts = np.concatenate([[0], np.arange(max(rare, 1), order.size)])
    return np.add.reduceat(a[order], starts), np.add.reduceat(b[order], starts)
