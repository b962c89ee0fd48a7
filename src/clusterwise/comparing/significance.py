"""Chance levels, p-values and confidence intervals of the measures of a comparison."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.comparing.applicable import needs_centroids, needs_profiles
from clusterwise.inputs.clusterings import Pair
from clusterwise.inputs.features import take_rows
from clusterwise.measures.catalogue import Measure, find_measure
from clusterwise.measures.chance.permutation import (
    UNKNOWN,
    ChanceLevel,
    chance_levels,
    level_of_sample,
)
from clusterwise.measures.chance.statistics import require_counts
from clusterwise.measures.density import read_profiles
from clusterwise.measures.intervals import UNDEFINED, Interval, interval_of, jackknife_intervals
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap
from clusterwise.summaries.profile.profile import DensityProfile

# The defaults of functions and of the command.
N_PERMUTATIONS, SEED = 500, 0
# The measure that the summary is about.
AGREEMENT = "adjusted_rand_score"
# Each permutation of a measure that looks at the features takes a pass over the data.
_MOST_PASSES = 200
_BLOCKS = 50
# A random clustering, or the objects without a block of them, as arguments of a measure.
Evaluate = Callable[[Measure], float]


class Significance(NamedTuple):
    """What chance and sampling do to the value of a measure.

    Attributes
    ----------
    expected : float
        The expected value if the labels of one clustering are permuted.
    p_value : float
        The probability that the value is then at least as similar.
    p_error : float
        The standard error of the p-value if it is estimated from random tables; otherwise 0.
    low, high : float
        The 95% confidence interval of the value in the population that the objects are from.
    """

    expected: float
    p_value: float
    p_error: float
    low: float
    high: float


class ChanceOptions(NamedTuple):
    """How chance levels are computed."""

    n_permutations: int
    random_state: Any

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`compare` that are not defaults and can be written down."""
        found: dict[str, Any] = {"significance": True}
        if self.n_permutations != N_PERMUTATIONS:
            found["n_permutations"] = self.n_permutations
        if isinstance(self.random_state, int | None) and self.random_state != SEED:
            found["random_state"] = self.random_state
        return found


class FeatureData(NamedTuple):
    """The clusterings and features of objects in memory."""

    pair: Pair[AnyClustering]
    features: Any
    profiles: tuple[DensityProfile, DensityProfile] | None
    overlap: SoftOverlap | None


def find_significance(
    table: Contingency | SoftOverlap,
    names: Collection[str],
    data: FeatureData | None,
    options: ChanceOptions,
) -> dict[str, Significance]:
    """Return the significance of measures by name, and that of the adjusted Rand index.

    That of measures of features is NaN for objects that are not in memory, and for weighted ones.
    """
    counted = require_hard(table)
    require_counts(counted)
    n_permutations, random = options.n_permutations, as_generator(options.random_state)
    measures = [find_measure(name) for name in dict.fromkeys([AGREEMENT, *names])]
    of_labels = [one.name for one in measures if not one.needs_data]
    levels = chance_levels(counted, of_labels, n_permutations, random)
    deviations = [levels[name].deviation for name in of_labels]
    intervals = jackknife_intervals(counted, of_labels, deviations, random)
    found = {name: _join(levels[name], intervals[name]) for name in of_labels}
    of_data = [one for one in measures if one.needs_data]
    if of_data:
        known = data is not None and data.pair.weights is None and counted.n > _BLOCKS
        found |= (
            _of_features(of_data, data, n_permutations, random)
            if known and data is not None
            else {one.name: _join(UNKNOWN, UNDEFINED) for one in of_data}
        )
    return found


def pair_p_values(
    table: Contingency | SoftOverlap, names: Sequence[str], options: ChanceOptions
) -> tuple[list[float], list[float]]:
    """Return the p-values of measures of (a, b), and of (b, a); NaN for measures of features."""
    counted = require_hard(table)
    require_counts(counted)
    known = [name for name in names if not find_measure(name).needs_data]
    found = []
    for one in (counted, counted.T):
        random = as_generator(options.random_state)
        levels = chance_levels(one, known, options.n_permutations, random)
        found.append([levels[name].p_value if name in levels else np.nan for name in names])
        if all(find_measure(name).symmetric for name in known):
            return found[0], found[0]
    return found[0], found[1]


def require_hard(table: Contingency | SoftOverlap) -> Contingency:
    """Return the table of hard clusterings, or raise an error for a soft one."""
    if isinstance(table, SoftOverlap):
        raise InputError(
            "significance needs one label per object, but a clustering is soft; pass labels such "
            "as the memberships' argmax(axis=1), or leave significance out."
        )
    return table


def _join(level: ChanceLevel, interval: Interval) -> Significance:
    return Significance(level.expected, level.p_value, level.p_error, interval.low, interval.high)


def _of_features(
    measures: Collection[Measure],
    data: FeatureData,
    n_permutations: int,
    random: np.random.Generator,
) -> dict[str, Significance]:
    """Permute the labels of b, and leave out random blocks of objects."""
    value = _evaluator(data.profiles, data.overlap)
    pair, n = data.pair, len(data.pair.a)
    by_chance: dict[str, list[float]] = {one.name: [] for one in measures}
    for _ in range(min(n_permutations, _MOST_PASSES)):
        permuted = replace(pair, b=pair.b.take(random.permutation(n)))
        evaluate = _evaluator(*_summarise(permuted, data))
        for one in measures:
            by_chance[one.name].append(evaluate(one))
    without: dict[str, list[float]] = {one.name: [] for one in measures}
    sizes = []
    for block in np.array_split(random.permutation(n), _BLOCKS):
        rest = np.delete(np.arange(n), block)
        positions = rest if pair.kept is None else pair.kept[rest]
        others = replace(
            pair, a=pair.a.take(rest), b=pair.b.take(rest), kept=positions, whole=pair.n
        )
        evaluate = _evaluator(*_summarise(others, data))
        sizes.append(rest.size)
        for one in measures:
            without[one.name].append(evaluate(one))
    found = {}
    for one in measures:
        level = level_of_sample(one.name, value(one), np.array(by_chance[one.name]))
        # The CSS distance grows with the number of objects.
        per_object = needs_centroids(one)
        unit = float(n) if per_object else 1.0
        values = np.array(without[one.name]) / (np.array(sizes) if per_object else 1.0)
        interval = interval_of(
            one, value(one) / unit, values, np.ones(_BLOCKS), level.deviation / unit,
            one.upper_end(n) / unit,
        )  # fmt: skip
        found[one.name] = _join(level, Interval(interval.low * unit, interval.high * unit))
    return found


def _summarise(
    pair: Pair[AnyClustering], data: FeatureData
) -> tuple[tuple[DensityProfile, DensityProfile] | None, SoftOverlap | None]:
    """Return the summaries of the objects of a pair, as the comparison has them."""
    profiles = overlap = None
    if data.profiles is not None:
        rows = data.features if pair.kept is None else take_rows(data.features, pair.kept)
        profiles = read_profiles(pair.a, pair.b, rows, binning=data.profiles[0].binning)
    if data.overlap is not None:
        overlap = SoftOverlap.from_pair(pair, data.features)
    return profiles, overlap


def _evaluator(
    profiles: tuple[DensityProfile, DensityProfile] | None, overlap: SoftOverlap | None
) -> Evaluate:
    def evaluate(measure: Measure) -> float:
        if needs_profiles(measure):
            assert profiles is not None
            return measure.function(*profiles)
        return measure.function(overlap)

    return evaluate
