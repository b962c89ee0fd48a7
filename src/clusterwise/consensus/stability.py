"""How clear the co-associations of an ensemble are, and how stable its numbers of clusters."""

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.random import as_random_state
from clusterwise._utils.tables import TableRepr, TextTable, format_number
from clusterwise.consensus.base import read_weights
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Ensemble, read_ensemble
from clusterwise.measures.pairs import adjusted_rand_score

_PAIRS = 100_000
# Sums of weights that differ by less are equal but for rounding.
_DIGITS = 12
# Mean adjusted Rand indices that differ by less say the same.
_ABOUT = 0.02


class CoAssociationCurve(TableRepr):
    """The result of :func:`co_association_curve`: prints the summary of the curve.

    Attributes
    ----------
    thresholds : ndarray
        The different co-associations that occur, rising.
    proportions : ndarray
        The share of pairs whose co-association is at most that.
    pac : float
        PAC, the proportion of ambiguous clustering: the share of pairs above ``lower`` and
        below ``upper``.
    expected_pac : float
        The same share if clusterings of the same sizes knew nothing of each other.
    area : float
        The area under the curve, from 0 to 1.
    n_pairs : int
        How many pairs were looked at.
    lower, upper : float
        Co-associations between are ambiguous.
    """

    def __init__(self, together: Array, chance: Array, lower: float, upper: float) -> None:
        self.thresholds, counts = np.unique(together, return_counts=True)
        self.proportions = np.cumsum(counts) / together.size
        self.n_pairs = together.size
        self.lower, self.upper = lower, upper
        self.pac = _between(together, lower, upper)
        self.expected_pac = _between(chance, lower, upper)
        # The area left of 1 under the steps is the mean of what is left to 1.
        self.area = float(1.0 - together.mean())

    @property
    def relative_pac(self) -> float:
        """PAC as a share of what chance leads to; NaN if chance leads to none.

        More clusters make PAC smaller by themselves; this takes that out.
        """
        return self.pac / self.expected_pac if self.expected_pac else float("nan")

    def text_table(self) -> TextTable:
        """The summary."""
        rows = [
            ["ambiguous pairs (PAC)", format_number(self.pac)],
            ["by chance", format_number(self.expected_pac)],
            ["relative to chance", format_number(self.relative_pac)],
            ["area under the curve", format_number(self.area)],
        ]
        return TextTable(["co-association", "value"], rows, f"{self.n_pairs} pairs of objects")

    def plot(self, *, ax: Any = None) -> Any:
        """Draw it, as a :class:`~clusterwise.plots.CoAssociationDisplay`."""
        return load_display("CoAssociationDisplay")(self).plot(ax=ax)


class NumberOfClusters(NamedTuple):
    """How well the clusterings with one number of clusters agree.

    ``agreement`` is the mean adjusted Rand index of two of them; ``pac``, ``relative_pac`` and
    ``area`` are those of their :class:`CoAssociationCurve`, and ``gain`` is by which share the area
    grows from the number before, the first one's area itself.
    """

    n_clusters: int
    clusterings: int
    agreement: float
    pac: float
    relative_pac: float
    area: float
    gain: float


class NumberStability(TableRepr):
    """The result of :func:`number_stability`: prints a row for each number of clusters.

    Attributes
    ----------
    numbers : tuple of NumberOfClusters
        One for each number of clusters that at least two clusterings have.
    """

    def __init__(self, numbers: tuple[NumberOfClusters, ...]) -> None:
        self.numbers = numbers

    @property
    def suggested(self) -> int:
        """The largest number whose clusterings agree about as well as any (0.02 in mean ARI).

        Not the best one: where clusters are clear, fewer of them are found again as well, each of
        several clusters in one.
        """
        best = max(one.agreement for one in self.numbers)
        return max(one.n_clusters for one in self.numbers if one.agreement >= best - _ABOUT)

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row per number of clusters."""
        columns = map(list, zip(*self.numbers, strict=True))
        return to_frame(dict(zip(NumberOfClusters._fields, columns, strict=True)), library)

    def text_table(self) -> TextTable:
        """A row for each number of clusters."""
        rows = [
            [str(one.n_clusters), str(one.clusterings), *map(format_number, one[2:])]
            for one in self.numbers
        ]
        header = ["clusters", "clusterings", "mean ARI", "PAC", "relative PAC", "area", "gain"]
        return TextTable(header, rows, f"{self.suggested} clusters suggested")

    def plot(self, *, ax: Any = None) -> Any:
        """Draw it, as a :class:`~clusterwise.plots.StabilityDisplay`."""
        return load_display("StabilityDisplay")(self).plot(ax=ax)


def co_association_curve(
    ensemble: Any,
    *,
    lower: float = 0.1,
    upper: float = 0.9,
    n_pairs: int = _PAIRS,
    weights: Any = None,
    random_state: Any = None,
) -> CoAssociationCurve:
    """How co-associations are distributed: clear ones are near 0 or near 1.

    All pairs of objects are looked at, or a sample of them; pairs that no clustering knows both
    of are left out.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.
    lower, upper : float, default=0.1 and 0.9
        Co-associations between are ambiguous.
    n_pairs : int, default=100,000
        How many pairs to draw, with repetition, if there are more.
    weights : array-like of shape (m,), optional
        How much each clustering counts; all the same by default.
    random_state : int, RandomState, Generator or None
        For pairs, and for what chance leads to.

    Returns
    -------
    CoAssociationCurve
        The curve (CDF), PAC, and what PAC is by chance.

    References
    ----------
    .. [1] Y. Șenbabaoğlu, G. Michailidis, J. Z. Li. Critical limitations of consensus clustering in
       class discovery. Scientific Reports 4 (2014) 6207. https://doi.org/10.1038/srep06207

    Examples
    --------
    >>> from clusterwise import co_association_curve
    >>> curve = co_association_curve([[0, 0, 1], [0, 0, 1], [0, 1, 1]], random_state=0)
    >>> curve.thresholds.round(2), curve.proportions.round(2)
    (array([0.  , 0.33, 0.67]), array([0.33, 0.67, 1.  ]))
    >>> round(curve.pac, 2)
    0.67
    """
    if not 0 <= lower < upper <= 1:
        raise InputError(f"lower={lower!r}, upper={upper!r}; use 0 <= lower < upper <= 1.")
    ensemble = read_ensemble(ensemble)
    counting = read_weights(weights, ensemble.m)
    if ensemble.n < 2:
        raise InputError("the ensemble holds 1 object; there are no pairs of fewer than two.")
    if n_pairs < 1:
        raise InputError(f"n_pairs={n_pairs!r}; draw at least one.")
    return _curve(ensemble, counting, (lower, upper), n_pairs, as_random_state(random_state))


def number_stability(
    ensemble: Any,
    *,
    lower: float = 0.1,
    upper: float = 0.9,
    n_pairs: int = _PAIRS,
    random_state: Any = None,
) -> NumberStability:
    """Compare clusterings with the same number of clusters: the right number is found again.

    PAC alone prefers many clusters, because pairs are together less often then. So the mean
    adjusted Rand index decides here, and PAC is shown beside what is left of it relative to
    chance. Clusterings should differ by what they saw, not by how well they started: bad starts
    hide which number is stable.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings. Those with a number of clusters of their own, or with one cluster, are
        left out.
    lower, upper, n_pairs, random_state
        See :func:`co_association_curve`.

    Returns
    -------
    NumberStability
        Agreement, PAC and area for each number, and the one that is suggested.

    Examples
    --------
    >>> from clusterwise import number_stability
    >>> two = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
    >>> three = [[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]]
    >>> number_stability(two + three, random_state=0).suggested
    2
    """
    ensemble = read_ensemble(ensemble)
    random = as_random_state(random_state)
    sizes = np.array(ensemble.sizes)
    numbers: list[NumberOfClusters] = []
    for size in np.unique(sizes[sizes > 1]).tolist():
        same = np.flatnonzero(sizes == size)
        some = Ensemble(ensemble.codes[same], (size,) * same.size, ("",) * same.size)
        agreement = _agreement(some)
        if agreement is None:
            continue
        curve = co_association_curve(
            some, lower=lower, upper=upper, n_pairs=n_pairs, random_state=random
        )
        before = numbers[-1].area if numbers else 0.0
        gain = (curve.area - before) / before if before else curve.area
        numbers.append(
            NumberOfClusters(
                size, same.size, agreement, curve.pac, curve.relative_pac, curve.area, gain
            )
        )
    if not numbers:
        raise InputError(
            "no two clusterings of the same objects have the same number of clusters, above 1; "
            "pass several of each."
        )
    return NumberStability(tuple(numbers))


def _agreement(ensemble: Ensemble) -> float | None:
    """The mean adjusted Rand index of two clusterings that know two objects both, on all of these.

    None, if there are no such two.
    """
    values = []
    for one, other in combinations(ensemble.codes, 2):
        both = (one != MISSING) & (other != MISSING)
        if both.sum() > 1:
            values.append(adjusted_rand_score(one[both], other[both]))
    return float(np.mean(values)) if values else None


def _curve(
    ensemble: Ensemble, weights: Array, limits: tuple[float, float], n_pairs: int, random: Any
) -> CoAssociationCurve:
    n = ensemble.n
    everyone = n * (n - 1) // 2 <= n_pairs
    pairs = np.array(np.triu_indices(n, 1)) if everyone else _draw(n, n_pairs, random)
    together = _together(ensemble, weights, lambda: pairs)
    # Other pairs for each clustering: so what one says of a pair is nothing to the others.
    chance = _together(ensemble, weights, lambda: _draw(n, n_pairs, random))
    if not together.size or not chance.size:
        raise InputError("no clustering knows both objects of any pair; pass more labels.")
    return CoAssociationCurve(together, chance, *limits)


def _draw(n: int, count: int, random: Any) -> Array:
    """Pairs of two different objects, by chance."""
    one = random.randint(n, size=count)
    other = random.randint(n - 1, size=count)
    return np.array([one, other + (other >= one)])


def _together(ensemble: Ensemble, weights: Array, pairs: Callable[[], Array]) -> Array:
    """Co-associations of the pairs that each clustering is asked for."""
    same, known = np.zeros(1), np.zeros(1)
    for codes, weight in zip(ensemble.codes, weights, strict=True):
        one, other = codes[pairs()]
        both = (one != MISSING) & (other != MISSING)
        same = same + weight * (both & (one == other))
        known = known + weight * both
    return np.round(same[known > 0] / known[known > 0], _DIGITS)


def _between(together: Array, lower: float, upper: float) -> float:
    return float(((together > lower) & (together < upper)).mean())
