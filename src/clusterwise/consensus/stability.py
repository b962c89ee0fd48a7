"""The distribution of co-associations, and the stability of numbers of clusters."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.random import as_random_state
from clusterwise._utils.results import Described
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_number,
    format_percent,
    format_score,
)
from clusterwise.consensus.base import looks_like_ensemble, relative_weights, unwrap
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Ensemble, read_ensemble
from clusterwise.measures.pairs import adjusted_rand_score

# Pairs of objects that are drawn at most.
N_PAIRS = 100_000
# Co-associations are rounded to this number of decimals.
_DECIMALS = 12
# Mean adjusted Rand indices within this tolerance of the best are considered equal.
_TOLERANCE = 0.02


class CoAssociationCurve(Described, TableRepr):
    """The result of :func:`co_association_curve`: prints the summary of the curve.

    Attributes
    ----------
    thresholds : ndarray
        The distinct co-associations, in ascending order.
    proportions : ndarray
        The proportion of pairs whose co-association is at most the threshold.
    pac : float
        The proportion of ambiguous clustering: that of the pairs with a co-association above
        ``lower`` and below ``upper``.
    expected_pac : float
        PAC under the null model of independent clusterings with the same cluster sizes.
    area : float
        The area under the curve, from 0 to 1.
    n_pairs : int
        The number of pairs.
    lower, upper : float
        Co-associations in between are ambiguous.
    """

    def __init__(self, observed: Array, expected: Array, lower: float, upper: float) -> None:
        self.thresholds, counts = np.unique(observed, return_counts=True)
        self.proportions = np.cumsum(counts) / observed.size
        self.n_pairs = observed.size
        self.lower, self.upper = lower, upper
        self.pac = _proportion_between(observed, lower, upper)
        self.expected_pac = _proportion_between(expected, lower, upper)
        # The area under a distribution function on [0, 1] is 1 minus the mean.
        self.area = float(1.0 - observed.mean())

    @property
    def relative_pac(self) -> float:
        """PAC divided by the PAC that the null model leads to; NaN if that is 0.

        PAC decreases with the number of clusters; the ratio corrects for that.
        """
        return self.pac / self.expected_pac if self.expected_pac else float("nan")

    def _sentences(self) -> list[str]:
        """Describe the curve."""
        return [
            f"{format_percent(self.pac)} of {self.n_pairs:,} pairs of objects are ambiguous: "
            f"together in more than {self.lower:.0%} and less than {self.upper:.0%} of the "
            f"clusterings (independent clusterings: {format_percent(self.expected_pac)})."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""
        names = ("pac", "expected_pac", "area", "n_pairs", "lower", "upper")
        return {
            **{name: getattr(self, name) for name in names},
            "thresholds": self.thresholds.tolist(),
            "proportions": self.proportions.tolist(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per threshold."""
        names = ("thresholds", "proportions")
        return to_frame({name: getattr(self, name).tolist() for name in names}, library)

    def text_table(self) -> TextTable:
        """Return PAC, its expected value and the area."""
        rows = [
            ["ambiguous pairs (PAC)", format_number(self.pac)],
            ["expected by chance", format_number(self.expected_pac)],
            ["relative to chance", format_number(self.relative_pac)],
            ["area under the curve", format_number(self.area)],
        ]
        return TextTable(["co-association", "value"], rows, f"{self.n_pairs} pairs of objects")

    def plot(self, *, ax: Any = None) -> Any:
        """Plot the curve as a :class:`~clusterwise.plots.CoAssociationDisplay`."""
        return load_display("CoAssociationDisplay")(self).plot(ax=ax)


class NumberOfClusters(NamedTuple):
    """The agreement of the clusterings with one number of clusters.

    ``agreement`` is the mean adjusted Rand index over all pairs of them; ``pac``,
    ``relative_pac`` and ``area`` are those of their :class:`CoAssociationCurve`, and ``gain`` is
    the relative increase of the area over the number before; for the first number the area itself.
    """

    n_clusters: int
    clusterings: int
    agreement: float
    pac: float
    relative_pac: float
    area: float
    gain: float


class NumberStability(Described, TableRepr):
    """The result of :func:`number_stability`: prints a row per number of clusters.

    Attributes
    ----------
    numbers : tuple of NumberOfClusters
        One per number of clusters with at least two clusterings.
    """

    def __init__(self, numbers: tuple[NumberOfClusters, ...]) -> None:
        self.numbers = numbers

    @property
    def suggested(self) -> int:
        """The largest number whose mean ARI is within 0.02 of the best.

        Not the best one: with well-separated clusters, fewer clusters are stable as well, because
        each of them is a union of clusters.
        """
        best = max(one.agreement for one in self.numbers)
        return max(one.n_clusters for one in self.numbers if one.agreement >= best - _TOLERANCE)

    def _sentences(self) -> list[str]:
        """Describe which number is suggested."""
        by_number = {one.n_clusters: one for one in self.numbers}
        found = by_number[self.suggested]
        tested = ", ".join(map(str, by_number))
        return [
            f"{self.suggested} clusters are suggested, of {tested}: the {found.clusterings} "
            f"clusterings with {self.suggested} clusters agree with each other by "
            f"{format_score(found.agreement)} on average (adjusted Rand)."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON; NaN becomes None."""
        rows = [
            {name: None if value != value else value for name, value in one._asdict().items()}
            for one in self.numbers
        ]
        return {"suggested": self.suggested, "numbers": rows}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per number of clusters."""
        columns = map(list, zip(*self.numbers, strict=True))
        return to_frame(dict(zip(NumberOfClusters._fields, columns, strict=True)), library)

    def text_table(self) -> TextTable:
        """Return a row per number of clusters."""
        rows = [
            [str(one.n_clusters), str(one.clusterings), *map(format_number, one[2:])]
            for one in self.numbers
        ]
        header = ["clusters", "clusterings", "mean ARI", "PAC", "relative PAC", "area", "gain"]
        return TextTable(header, rows, f"{self.suggested} clusters suggested")

    def plot(self, *, ax: Any = None) -> Any:
        """Plot the agreement as a :class:`~clusterwise.plots.StabilityDisplay`."""
        return load_display("StabilityDisplay")(self).plot(ax=ax)


@check_arguments
def co_association_curve(
    ensemble: Any,
    *,
    lower: float = 0.1,
    upper: float = 0.9,
    n_pairs: int = N_PAIRS,
    weights: Any = None,
    random_state: Any = None,
) -> CoAssociationCurve:
    """Return the distribution of co-associations over pairs of objects.

    If the clusterings agree, all co-associations are near 0 or near 1. All pairs of objects are
    used, or a sample; pairs without a clustering that labels both are left out.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.
    lower, upper : float, default=0.1 and 0.9
        Co-associations in between are ambiguous.
    n_pairs : int, default=100,000
        The number of pairs to draw, with replacement, if there are more; at most 10,000,000.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    random_state : int, RandomState, Generator or None
        The seed of the pairs and of the null model.

    Returns
    -------
    CoAssociationCurve
        The distribution function, PAC, and PAC under the null model.

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
    if lower >= upper:
        raise InputError(f"lower={lower!r}, upper={upper!r}; use lower < upper.")
    ensemble = read_ensemble(unwrap(ensemble))
    weights = relative_weights(weights, ensemble.m)
    if ensemble.n < 2:
        raise InputError("the ensemble has 1 object, and so no pairs; pass at least two objects.")
    return _curve(ensemble, weights, (lower, upper), n_pairs, as_random_state(random_state))


@check_arguments
def number_stability(
    ensemble: Any,
    *,
    lower: float = 0.1,
    upper: float = 0.9,
    n_pairs: int = N_PAIRS,
    random_state: Any = None,
) -> NumberStability:
    """Compare clusterings with the same number of clusters with each other.

    The number of clusters is suggested by the mean adjusted Rand index. PAC alone prefers many
    clusters, because co-associations are then smaller; it is reported together with its ratio to
    the null model. Clusterings should differ by resampling, not by the quality of their starts:
    poor starts hide which number is stable.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays, or dict of ensembles
        The clusterings, which are grouped by their numbers of clusters; those with a number that
        no other has, or with one cluster, are left out. Or a dict of the number of clusters to an
        ensemble, such as ``{2: [a, b], 3: [c, d]}``.
    lower, upper, n_pairs, random_state
        See :func:`co_association_curve`.

    Returns
    -------
    NumberStability
        Agreement, PAC and area of each number, and the suggested number.

    Examples
    --------
    >>> from clusterwise import number_stability
    >>> two = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
    >>> three = [[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]]
    >>> number_stability({2: two, 3: three}, random_state=0).suggested
    2
    """
    random = as_random_state(random_state)
    numbers: list[NumberOfClusters] = []
    for size, some in _by_number(ensemble):
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
                size, some.m, agreement, curve.pac, curve.relative_pac, curve.area, gain
            )
        )
    if not numbers:
        raise InputError(
            "no two clusterings of the same objects have the same number of clusters, above 1; "
            "pass several clusterings of each number."
        )
    return NumberStability(tuple(numbers))


def _by_number(ensemble: Any) -> Iterator[tuple[int, Ensemble]]:
    """Yield numbers of clusters above 1, in ascending order, and the clusterings with each."""
    ensemble = unwrap(ensemble)
    if isinstance(ensemble, Mapping) and any(map(looks_like_ensemble, ensemble.values())):
        yield from _read_numbers(ensemble)
        return
    read = read_ensemble(ensemble)
    sizes = np.array(read.sizes)
    for size in np.unique(sizes[sizes > 1]).tolist():
        same = np.flatnonzero(sizes == size)
        yield size, Ensemble(read.codes[same], (size,) * same.size, ("",) * same.size)


def _read_numbers(ensembles: Mapping[Any, Any]) -> Iterator[tuple[int, Ensemble]]:
    read = {}
    for size, ensemble in ensembles.items():
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise InputError(
                f"the key {size!r} is not a number of clusters; pass a dict such as "
                "{2: [a, b], 3: [c, d]}, or a dict of label arrays."
            )
        read[int(size)] = read_ensemble(unwrap(ensemble))
    objects = {one.n for one in read.values()}
    if len(objects) > 1:
        raise InputError(
            f"the ensembles have {' and '.join(map(str, sorted(objects)))} objects; pass "
            "clusterings of the same objects."
        )
    yield from ((size, read[size]) for size in sorted(read) if size > 1)


def _agreement(ensemble: Ensemble) -> float | None:
    """Return the mean adjusted Rand index of all pairs of clusterings, on their common objects.

    None if no two clusterings have two objects in common.
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
    exhaustive = n * (n - 1) // 2 <= n_pairs
    pairs = np.array(np.triu_indices(n, 1)) if exhaustive else _draw(n, n_pairs, random)
    observed = _co_associations(ensemble, weights, lambda: pairs)
    # Other pairs for each clustering: the null model of independent clusterings.
    expected = _co_associations(ensemble, weights, lambda: _draw(n, n_pairs, random))
    if not observed.size or not expected.size:
        raise InputError("no clustering labels both objects of any pair; pass more labels.")
    return CoAssociationCurve(observed, expected, *limits)


def _draw(n: int, count: int, random: Any) -> Array:
    """Draw pairs of different objects."""
    one = random.randint(n, size=count)
    other = random.randint(n - 1, size=count)
    return np.array([one, other + (other >= one)])


def _co_associations(ensemble: Ensemble, weights: Array, pairs: Callable[[], Array]) -> Array:
    """Return the co-associations of pairs, which may differ from clustering to clustering."""
    same, known = np.zeros(1), np.zeros(1)
    for codes, weight in zip(ensemble.codes, weights, strict=True):
        one, other = codes[pairs()]
        both = (one != MISSING) & (other != MISSING)
        same = same + weight * (both & (one == other))
        known = known + weight * both
    return np.round(same[known > 0] / known[known > 0], _DECIMALS)


def _proportion_between(values: Array, lower: float, upper: float) -> float:
    return float(((values > lower) & (values < upper)).mean())
