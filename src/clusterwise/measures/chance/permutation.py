"""What measures are by chance if the labels of the objects are permuted.

Permutations keep the sizes of all clusters, so the contingency table is a random table with the
same row and column sums. If there are few such tables, all are listed and the results are exact.
Otherwise the moments of the pair-counting measures are known in closed form, and so are the
expected values of those of information; for the others, random tables are drawn. The tail is that
of the Pearson type III distribution with the mean, variance and skewness of the measure.
"""

from collections.abc import Collection, Mapping
from math import lgamma, log
from typing import NamedTuple

import numpy as np

from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import table_statistics as kernels
from clusterwise.kernels.random_tables import list_tables
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.chance.pair_moments import Moments, pair_moments
from clusterwise.measures.chance.pearson import upper_tail
from clusterwise.measures.chance.statistics import (
    FORMULAS,
    IN_CLOSED_FORM,
    TableStatistics,
    is_small,
    similarity,
    statistics_of,
    wanted_statistics,
)
from clusterwise.summaries.contingency.contingency import Contingency

# Moments of fewer random tables say nothing about tails.
FEWEST_PERMUTATIONS = 100
# All tables are listed up to this number, if they have at most this number of cells.
_MOST_TABLES, _FEW_CELLS = 10_000, 36
# Tables are not counted if more than this many times as many are expected.
_UNLIKELY = 50
# From this number of random tables that are at least as similar on, it is better than the moments.
_ENOUGH = 20
# The number of parts of the sample from which the error of a p-value is estimated.
_PARTS = 20
# Values whose relative difference is below this are the same up to rounding.
_ROUNDING = 1e-10


class ChanceLevel(NamedTuple):
    """What a measure is by chance.

    Attributes
    ----------
    expected, deviation : float
        The mean and the standard deviation over all permutations of the labels.
    p_value : float
        The probability of a value that is at least as similar.
    p_error : float
        The standard error of the p-value, if it is estimated from random tables; otherwise 0.
    """

    expected: float
    deviation: float
    p_value: float
    p_error: float


UNKNOWN = ChanceLevel(*[float("nan")] * 4)


def chance_levels(
    table: Contingency,
    names: Collection[str],
    n_permutations: int,
    random: np.random.Generator,
) -> dict[str, ChanceLevel]:
    """Return the chance levels of measures of labels, by name.

    Those of large tables that would need random tables are NaN.
    """
    wanted = wanted_statistics(names)
    observed = _with_expected_information(statistics_of(table, wanted), table, wanted)
    values = {name: float(FORMULAS[name].value(observed)) for name in names}
    listed = _list_all(table) if is_small(table) else None
    if listed is not None:
        tables, weights = listed
        statistics = _statistics_of_all(tables, observed, wanted)
        return {name: _exact(name, values[name], statistics, weights) for name in names}
    moments = pair_moments(*_whole_sums(table))
    found: dict[str, ChanceLevel] = {}
    for name in names:
        if name in IN_CLOSED_FORM:
            found[name] = _from_pair_moments(name, values[name], observed, moments)
    others = [name for name in names if name not in found]
    if others and not is_small(table):
        return found | {
            name: UNKNOWN._replace(expected=_expected_information(name, observed))
            for name in others
        }
    if others:
        statistics = draw_statistics(table, observed, wanted, n_permutations, random)
        steps = _steps(observed)
        for name in others:
            sample = np.asarray(FORMULAS[name].value(statistics))
            level = level_of_sample(name, values[name], sample, steps.get(name, 0.0))
            expected = _expected_information(name, observed)
            found[name] = level if np.isnan(expected) else level._replace(expected=expected)
    return {name: found[name] for name in names}


def draw_statistics(
    table: Contingency,
    observed: TableStatistics,
    wanted: Array,
    n_permutations: int,
    random: np.random.Generator,
) -> TableStatistics:
    """Return the statistics of random tables with the same row and column sums."""
    found = np.zeros((n_permutations, kernels.N_STATISTICS))
    rows, columns = _whole_sums(table)
    steps = 100.0 * n_permutations * rows.size * columns.size
    run_interruptibly(steps, kernels.describe_random_tables, rows, columns, random, wanted, found)
    return observed._replace(of_cells=found)


def _whole_sums(table: Contingency) -> tuple[Array, Array]:
    """Return the row and column sums as integers."""
    rows, columns = (np.rint(one).astype(np.int64) for one in (table.row_sums, table.column_sums))
    return rows, columns


def _with_expected_information(
    observed: TableStatistics, table: Contingency, wanted: Array
) -> TableStatistics:
    if not wanted[kernels.INFORMATION]:
        return observed
    return observed._replace(expected_information=table.expected_information)


def _list_all(table: Contingency) -> tuple[Array, Array] | None:
    """Return all tables with the same sums, and their probabilities; None if they are many."""
    height, width = table.shape
    if height * width > _FEW_CELLS or _log_number(table) > log(_UNLIKELY * _MOST_TABLES):
        return None
    tables = np.empty((_MOST_TABLES, height, width), np.int64)
    logs = np.empty(_MOST_TABLES)
    rows, columns = _whole_sums(table)
    count = list_tables(rows, columns, tables, logs)
    if count > _MOST_TABLES:
        return None
    weights = np.exp(logs[:count] - logs[:count].max())
    return tables[:count], weights / weights.sum()


def _log_number(table: Contingency) -> float:
    """Return the logarithm of about how many tables have the same sums.

    I. J. Good. On the application of symmetric Dirichlet distributions and their mixtures to
    contingency tables. Annals of Statistics 4 (1976) 1159-1189.
    https://doi.org/10.1214/aos/1176343649
    """
    height, width = table.shape
    rows = sum(_log_compositions(size, width) for size in table.row_sums.tolist())
    columns = sum(_log_compositions(size, height) for size in table.column_sums.tolist())
    return rows + columns - _log_compositions(float(table.n), height * width)


def _log_compositions(n: float, parts: int) -> float:
    """Return the logarithm of the number of ways to distribute n objects over cells."""
    return lgamma(n + parts) - lgamma(n + 1) - lgamma(parts)


def _statistics_of_all(tables: Array, observed: TableStatistics, wanted: Array) -> TableStatistics:
    found = np.zeros((len(tables), kernels.N_STATISTICS))
    rows, columns = tables[0].sum(axis=1), tables[0].sum(axis=0)
    kernels.describe_tables(
        tables, rows.astype(np.float64), columns.astype(np.float64), wanted, found
    )
    return observed._replace(of_cells=found)


def _tolerance(values: Array) -> float:
    return _ROUNDING * max(1e-300, float(np.abs(values).max()))


def _exact(name: str, value: float, statistics: TableStatistics, weights: Array) -> ChanceLevel:
    values = np.broadcast_to(FORMULAS[name].value(statistics), weights.shape)
    mean = float(weights @ values)
    deviation = float(weights @ (values - mean) ** 2) ** 0.5
    if deviation <= _tolerance(values):  # all are the same
        return ChanceLevel(value, 0.0, 1.0, 0.0)
    least = similarity(name, np.float64(value)) - _tolerance(values)
    p = float(weights[similarity(name, values) >= least].sum())
    return ChanceLevel(mean, deviation, min(1.0, p), 0.0)


def _from_pair_moments(
    name: str, value: float, observed: TableStatistics, moments: Moments
) -> ChanceLevel:
    """Return the chance level of a measure that depends on the pairs within clusters of both.

    The expected value of one that is not linear in them, the Jaccard index, is its Taylor series
    up to the third power, from differences.
    """
    n, mean, deviation = observed.n, moments.mean, moments.deviation
    cells = np.full((5, kernels.N_STATISTICS), np.nan)
    cells[:, kernels.SQUARES] = n + mean + deviation * np.arange(-2, 3)
    far, low, middle, high, further = FORMULAS[name].value(observed._replace(of_cells=cells))
    second = high - 2 * middle + low
    third = (further - 2 * high + 2 * low - far) / 2
    expected = float(middle + second / 2 + third * moments.skewness / 6)
    if deviation == 0.0:
        return ChanceLevel(value, 0.0, 1.0, 0.0)
    # Pairs are counted in both orders, so half a step is one.
    z = (float(observed.both) - 1.0 - mean) / deviation
    return ChanceLevel(expected, float(abs(high - low)) / 2, upper_tail(z, moments.skewness), 0.0)


def _expected_information(name: str, observed: TableStatistics) -> float:
    """Return the expected value of a measure of information; NaN for the others.

    All are linear in the mutual information: the entropies are the same in all permutations.
    """
    if CATALOGUE[name].family != "information":
        return float("nan")
    if name == "adjusted_mutual_info_score":
        return 0.0
    a, b = observed.entropy_a, observed.entropy_b
    cells = np.full(kernels.N_STATISTICS, np.nan)
    cells[kernels.INFORMATION] = (
        np.log(observed.n) - (a + b - observed.expected_information)
    ) * observed.n
    return float(FORMULAS[name].value(observed._replace(of_cells=cells)))


def _steps(observed: TableStatistics) -> Mapping[str, float]:
    """Return by how much measures that count objects change at least."""
    n = float(observed.n)
    steps = dict.fromkeys(("cluster_accuracy_score", "clustering_error", "purity_score"), 1.0 / n)
    steps["van_dongen_distance"] = 1.0
    if observed.height == observed.width:
        steps["mallows_distance"] = 2.0 / float(observed.height)
    return steps


def level_of_sample(name: str, value: float, sample: Array, step: float = 0.0) -> ChanceLevel:
    """Return the chance level of a measure from its values of random clusterings.

    ``step`` is by how much the measure changes at least; 0 if that is little.
    """
    values = similarity(name, sample)
    value = float(similarity(name, np.float64(value)))
    count = len(values)
    centre = values.mean()
    deviation = values.std(ddof=1)
    expected = float(-centre if CATALOGUE[name].direction == "distance" else centre)
    tolerance = _tolerance(values)
    if deviation <= tolerance:
        return ChanceLevel(expected, 0.0, 1.0 if value <= centre + tolerance else 0.0, 0.0)
    above = int(np.count_nonzero(values >= value - tolerance))
    if above >= _ENOUGH:
        p = (above + 1) / (count + 1)
        return ChanceLevel(expected, float(deviation), p, (p * (1 - p) / count) ** 0.5)
    # Powers of standardised values, of all and of all but a part.
    powers = ((values - centre) / deviation)[:, None] ** np.arange(1, 4)
    sums = np.array([part.sum(axis=0) for part in np.array_split(powers, _PARTS)])
    sizes = np.array([len(part) for part in np.array_split(powers, _PARTS)])
    z = (value - step / 2 - centre) / deviation
    p = _tail_from_sums(sums.sum(axis=0), count, z)
    without = np.array(
        [_tail_from_sums(sums.sum(axis=0) - sums[i], count - sizes[i], z) for i in range(_PARTS)]
    )
    error = ((_PARTS - 1) / _PARTS * ((without - without.mean()) ** 2).sum()) ** 0.5
    return ChanceLevel(expected, float(deviation), p, float(error))


def _tail_from_sums(sums: Array, count: int, z: float) -> float:
    """Return the tail of the distribution with the moments of a sample, at z."""
    mean, second, third = sums / count
    variance = second - mean**2
    if variance <= _ROUNDING:  # of one in the whole sample
        return float(z <= mean)
    skewness = (third - 3 * mean * second + 2 * mean**3) / variance**1.5
    return upper_tail(float((z - mean) / variance**0.5), float(skewness))
