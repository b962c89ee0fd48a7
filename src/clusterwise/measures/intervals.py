r"""Confidence intervals of measures by the delete-one jackknife, from the contingency table.

The objects are taken as a sample of a population, and the interval is for the value of the measure
in the population. All objects of a cell are alike, so :math:`\theta_{(kj)}`, the value without one
of them, has to be computed once for each nonzero cell. With :math:`\bar\theta = \sum_{kj} n_{kj}
\theta_{(kj)} / n`, the variance is :math:`\frac{n-1}{n} \sum_{kj} n_{kj} (\theta_{(kj)} -
\bar\theta)^2` (Efron and Stein 1981), but at least the variance by chance: clusterings that hardly
agree are near a minimum of most measures, where the influence of a single object vanishes.

Intervals are symmetric on the scale of the logarithm of the distance from equal clusterings, so
they contain no impossible values. The quantile is that of Student's t with the degrees of freedom
of the variance, which are few if few objects determine it. Entropies are biased by the number of
cells, so the measures of information are corrected by the jackknife's estimate of their bias, and
an interval need not contain the value of the sample.

Of equal clusterings no object can be left out to any effect. Then the interval ends at the value
of clusterings with as many differing objects in the population as would still be absent from
one sample in 40: about 3.7/n of the objects, independent of the cluster.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import table_statistics as kernels
from clusterwise.measures.catalogue import CATALOGUE, Measure
from clusterwise.measures.chance.statistics import (
    FORMULAS,
    MOST_CELLS,
    TableStatistics,
    integer_table,
    is_small,
    stack_statistics,
    statistics_of,
    wanted_statistics,
    x_log_x,
)
from clusterwise.summaries.contingency.contingency import Contingency

CONFIDENCE = 0.95
# In larger tables, blocks of objects are left out in place of single ones where that takes long.
_FEW_CELLS = 1 << 11
_BLOCKS = 200
# Smaller relative deviations are rounding errors.
_ROUNDING = 1e-12
# The bias of more objects is smaller than the rounding errors of its estimate.
_MOST_CORRECTED = 1 << 27
# The number of objects of the population that has almost equal clusterings.
_POPULATION = 1 << 40

# Measures that grow with the number of objects, and how.
_SCALES: dict[str, Callable[[Any], Any]] = {
    "mirkin_distance": lambda n: n * (n - 1),
    "van_dongen_distance": lambda n: n,
    "mallows_distance": lambda n: n,
}
_LEFT_OUT_BY_BLOCKS = (kernels.IRM, kernels.GAIN)


class Interval(NamedTuple):
    """The ends of a confidence interval; both are NaN if it is not defined."""

    low: float
    high: float


UNDEFINED = Interval(float("nan"), float("nan"))


def jackknife_intervals(
    table: Contingency,
    names: Sequence[str],
    deviations: Sequence[float],
    random: np.random.Generator,
) -> dict[str, Interval]:
    """Return a confidence interval for each measure of labels.

    ``deviations`` are the standard deviations of the measures by chance. An interval is not defined
    if leaving out any object changes nothing, if there is a single cluster or each object is one,
    and for what needs all cells of a large table.
    """
    if table.n < 3 or 1 in table.shape or table.n in table.shape:
        return dict.fromkeys(names, UNDEFINED)
    wanted = wanted_statistics(names)
    if table.is_one_to_one:
        return {name: _of_equal(table, name) for name in names}
    whole = statistics_of(table, wanted)
    by_blocks = np.zeros(wanted.size, bool)
    if table.shape[0] * table.shape[1] > _FEW_CELLS:
        by_blocks[list(_LEFT_OUT_BY_BLOCKS)] = True
        if table.shape[0] == table.shape[1]:
            by_blocks[kernels.GAIN] = False
    if wanted[kernels.INFORMATION]:
        whole = whole._replace(expected_information=table.expected_information)
    by_one = _without_one(table, whole, wanted & ~by_blocks)
    blocks = None
    found = {}
    for name, deviation in zip(names, deviations, strict=True):
        replicates = by_one
        if by_blocks[list(FORMULAS[name].needs)].any() and is_small(table):
            if blocks is None:
                blocks = _without_blocks(table, wanted, random)
            replicates = blocks
        formula, scale = FORMULAS[name].value, _SCALES.get(name, np.ones_like)
        statistics = replicates.statistics
        unit = float(scale(whole.n))
        low, high = interval_of(
            CATALOGUE[name],
            float(formula(whole)) / unit,
            np.asarray(formula(statistics) / scale(statistics.n)),
            replicates.times,
            deviation / unit,
            CATALOGUE[name].upper_end(float(whole.n)) / unit,
        )
        found[name] = Interval(low * unit, high * unit)
    return found


class _Replicates(NamedTuple):
    """Statistics of tables without some objects, and how often each of them counts."""

    statistics: TableStatistics
    times: Array


class LeftOut(NamedTuple):
    """A measure of all objects, and without one object of each nonzero cell of the table.

    Both are divided by ``unit``, by which the measure grows with the number of objects.
    """

    value: float
    values: Array
    unit: float


def leave_each_out(table: Contingency, name: str) -> LeftOut:
    """Return a measure of labels of a small table, and that without an object of each cell."""
    wanted = wanted_statistics([name])
    whole = statistics_of(table, wanted)
    if wanted[kernels.INFORMATION]:
        whole = whole._replace(expected_information=table.expected_information)
    statistics = _without_one(table, whole, wanted).statistics
    formula, scale = FORMULAS[name].value, _SCALES.get(name, np.ones_like)
    values = np.asarray(formula(statistics) / scale(statistics.n), np.float64)
    unit = float(scale(whole.n))
    shape = np.shape(statistics.n)
    return LeftOut(float(formula(whole)) / unit, np.broadcast_to(values, shape), unit)


class Difference(NamedTuple):
    """A difference of two values, its interval, and the p-value of no difference."""

    value: float
    low: float
    high: float
    p_value: float


def difference_of(
    value: float,
    values: Array,
    times: Array,
    *,
    corrected: bool,
    by_chance: Callable[[], float],
) -> Difference:
    """Return the interval and two-sided p-value of a difference, by the jackknife.

    ``values`` are the differences without some of the objects, each of which counts ``times``;
    ``corrected`` says whether the bias is estimated and subtracted. If leaving out any object
    changes nothing, the standard error is that ``by_chance``.
    """
    from scipy.special import stdtr

    count = float(times.sum())
    mean = float(times @ values) / count
    spread = values - mean
    second = float(times @ spread**2) / count
    degrees = count - 1
    if second**0.5 > _ROUNDING / count:
        error = ((count - 1) * second) ** 0.5
        degrees = _degrees(float(times @ spread**4) / count / second**2, count)
        if corrected and count <= _MOST_CORRECTED:
            value -= (count - 1) * (mean - value)
    elif abs(value) <= _ROUNDING:
        return Difference(0.0, 0.0, 0.0, 1.0)
    else:
        error = by_chance()
        if not error > 0:
            return Difference(value, *UNDEFINED, float("nan"))
    width = error * _quantile(degrees)
    p_value = 2 * float(stdtr(degrees, -abs(value) / error))
    return Difference(value, value - width, value + width, p_value)


def interval_of(
    measure: Measure, value: float, values: Array, times: Array, deviation: float, largest: float
) -> Interval:
    """Return the interval of a measure that has these values without some of the objects.

    Each of ``values`` counts ``times``; ``deviation`` is the standard deviation by chance, and
    ``largest`` the largest value.
    """
    count = float(times.sum())
    mean = float(times @ values) / count
    spread = values - mean
    second = float(times @ spread**2) / count
    if not np.isfinite(value + second) or second**0.5 <= _ROUNDING * max(abs(value), 1e-300):
        return UNDEFINED
    variance = (count - 1) * second
    if np.isfinite(deviation):
        variance = max(variance, deviation**2)
    kurtosis = float(times @ spread**4) / count / second**2
    width = variance**0.5 * _quantile(_degrees(kurtosis, count))
    if measure.family == "information" and count <= _MOST_CORRECTED:
        value -= (count - 1) * (mean - value)
    low, high = _ends(measure, value, width)
    return Interval(max(measure.low, min(low, largest)), max(measure.low, min(high, largest)))


def _degrees(kurtosis: float, count: float) -> float:
    """Return the degrees of freedom of a variance, from the kurtosis of its terms."""
    excess = kurtosis - (count - 3) / (count - 1)
    degrees = 2 * count / excess if excess > 0 else count - 1
    return max(1.0, min(degrees, count - 1))


def _quantile(degrees: float) -> float:
    """Return the quantile of Student's t for the confidence of intervals."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + CONFIDENCE) / 2))


def _ends(measure: Measure, value: float, width: float) -> tuple[float, float]:
    """Return the ends of an interval of this half-width, on a logarithmic scale where there is one.

    The scale is the distance from equal clusterings. Mutual information has no largest value.
    """
    if measure.direction == "distance":
        if value > 0:
            factor = float(np.exp(width / value))
            return value / factor, value * factor
        return value - width, value + width
    distance = 1.0 - value
    if measure.high != "1" or distance <= 0:
        return value - width, value + width
    factor = float(np.exp(width / distance))
    return 1.0 - distance * factor, 1.0 - distance / factor


def _without_one(table: Contingency, whole: TableStatistics, wanted: Array) -> _Replicates:
    """Return the statistics without one object of each nonzero cell."""
    rows, columns, counts = table.nonzero
    counts = np.asarray(counts, np.float64)
    found = np.full((rows.size, kernels.N_STATISTICS), np.nan)
    sizes_a, sizes_b = (np.asarray(s, np.float64) for s in (table.row_sums, table.column_sums))
    if is_small(table):
        from clusterwise.kernels.jackknife import describe_without_one

        steps = 50.0 * rows.size * (table.shape[0] * table.shape[1] if wanted[kernels.IRM] else 100)
        run_interruptibly(
            steps, describe_without_one, integer_table(table), rows, columns, whole.of_cells,
            wanted, found,
        )  # fmt: skip
    else:
        cells = whole.of_cells
        found[:, kernels.SQUARES] = cells[kernels.SQUARES] - 2 * counts + 1
        found[:, kernels.INFORMATION] = cells[kernels.INFORMATION] - _lost(counts)
    a, b = sizes_a[rows], sizes_b[columns]
    expected: Array | float = 0.0
    if wanted[kernels.INFORMATION]:
        expected = _expected_without_one(sizes_a, sizes_b, rows, columns)
    statistics = TableStatistics(
        n=np.full(rows.size, whole.n - 1),
        height=whole.height - (a == 1),
        width=whole.width - (b == 1),
        squares_a=whole.squares_a - 2 * a + 1,
        squares_b=whole.squares_b - 2 * b + 1,
        logs_a=whole.logs_a - _lost(a),
        logs_b=whole.logs_b - _lost(b),
        of_cells=found,
        expected_information=expected,
    )
    return _Replicates(statistics, counts)


def _lost(counts: Array) -> Array:
    """Return by how much x log x falls if a count loses one object."""
    return x_log_x(counts) - x_log_x(counts - 1)


def _expected_without_one(sizes_a: Array, sizes_b: Array, rows: Array, columns: Array) -> Array:
    """Return the expected mutual information without an object of each cell."""
    from clusterwise.kernels.expected_mutual_info import expected_information_without_one

    a, of_row, times_a = np.unique(sizes_a, return_inverse=True, return_counts=True)
    b, of_column, times_b = np.unique(sizes_b, return_inverse=True, return_counts=True)
    expected = np.empty((a.size, b.size))
    run_interruptibly(
        4e3 * expected.size, expected_information_without_one, a, times_a.astype(np.float64), b,
        times_b.astype(np.float64), float(sizes_a.sum()), expected,
    )  # fmt: skip
    return expected[of_row[rows], of_column[columns]]


def _without_blocks(table: Contingency, wanted: Array, random: np.random.Generator) -> _Replicates:
    """Return the statistics without each of some random blocks, which every object is in one of."""
    counts = integer_table(table)
    left = counts.copy()
    found = []
    for block in range(_BLOCKS):
        gone = random.binomial(left, 1 / (_BLOCKS - block))
        left -= gone
        found.append(statistics_of(Contingency.from_table(counts - gone), wanted))
    return _Replicates(stack_statistics(found), np.ones(_BLOCKS))


def _of_equal(table: Contingency, name: str) -> Interval:
    """Return the interval of equal clusterings, from the value to that of almost equal ones."""
    n = float(table.n)
    shares = np.sort(np.asarray(table.row_sums, np.float64) / n)
    if shares.size**2 > MOST_CELLS:
        return UNDEFINED
    differing = 1.0 - ((1 - CONFIDENCE) / 2) ** (1 / n)
    mixed = min(1.0, differing / (1.0 - float(shares @ shares)))
    population = (1 - mixed) * np.diag(shares) + mixed * np.outer(shares, shares)
    counts = np.rint(population * _POPULATION).astype(np.int64)
    wanted = wanted_statistics([name])
    almost = statistics_of(Contingency.from_table(counts), wanted)
    scale = _SCALES.get(name, np.ones_like)
    formula = FORMULAS[name].value
    value = float(formula(statistics_of(table, wanted)))
    other = float(formula(almost) / scale(almost.n) * scale(np.float64(n)))
    largest = CATALOGUE[name].upper_end(n)
    return Interval(min(value, other), min(max(value, other), largest))
