"""The values of the measures of labels, from a few sums of the contingency table, for many tables.

The formulas are those of the measures themselves, on arrays: one for each random table, or for each
object that is left out.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import table_statistics as kernels
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.summaries.contingency.contingency import Contingency

# Of tables with more cells, only those statistics are computed that need the nonzero ones only.
MOST_CELLS = 1 << 16
# Entropies below this fraction of log n are rounding errors.
_ROUNDING = 1e-13


# A number, or an array of numbers of many tables.
Numbers = Any


class TableStatistics(NamedTuple):
    """Sums of one or many tables: numbers, or arrays with an entry for each table.

    ``squares`` are sums of squared counts, ``logs`` sums of x log x, of the rows, the columns and
    the cells. ``of_cells`` has a column for each statistic of :mod:`kernels.table_statistics`.
    """

    n: Numbers
    height: Numbers
    width: Numbers
    squares_a: Numbers
    squares_b: Numbers
    logs_a: Numbers
    logs_b: Numbers
    of_cells: Array
    expected_information: Numbers = 0.0

    @property
    def both(self) -> Array:
        """Ordered pairs within clusters of both clusterings."""
        return self.of_cells[..., kernels.SQUARES] - self.n

    @property
    def in_a(self) -> Array:
        """Ordered pairs within clusters of a."""
        return self.squares_a - self.n

    @property
    def in_b(self) -> Array:
        """Ordered pairs within clusters of b."""
        return self.squares_b - self.n

    @property
    def entropy_a(self) -> Array:
        """Entropy of a."""
        return _entropy(self.logs_a, self.n)

    @property
    def entropy_b(self) -> Array:
        """Entropy of b."""
        return _entropy(self.logs_b, self.n)

    @property
    def entropy_both(self) -> Array:
        """Joint entropy."""
        return _entropy(self.of_cells[..., kernels.INFORMATION], self.n)

    @property
    def mutual(self) -> Array:
        """Mutual information."""
        mutual = self.entropy_a + self.entropy_b - self.entropy_both
        return np.where(mutual > _ROUNDING * np.log(np.maximum(self.n, 2)), mutual, 0.0)


def require_counts(table: Contingency) -> None:
    """Raise an error for weights that do not count objects."""
    counts = table.nonzero.counts
    if table.cells.weighted and not np.array_equal(np.rint(counts), counts):
        raise InputError(
            "chance levels and intervals count objects, so sample_weight must be integers; round "
            "the weights."
        )


def is_small(table: Contingency) -> bool:
    """Return whether all statistics of a table are computed."""
    return table.shape[0] * table.shape[1] <= MOST_CELLS


def integer_table(table: Contingency) -> Array:
    """Return the counts of a small table as integers."""
    return np.ascontiguousarray(np.rint(table.to_array()), np.int64)


def statistics_of(table: Contingency, wanted: Array) -> TableStatistics:
    """Return the statistics of a table; NaN for those that a large one has not."""
    rows, columns = (np.asarray(sums, np.float64) for sums in (table.row_sums, table.column_sums))
    found = np.full(kernels.N_STATISTICS, np.nan)
    if is_small(table):
        room = np.empty(table.shape)
        kernels.describe_table(integer_table(table), rows, columns, rows.sum(), wanted, room, found)
    else:
        counts = np.asarray(table.nonzero.counts, np.float64)
        found[kernels.SQUARES] = counts @ counts
        found[kernels.INFORMATION] = sum_logs(counts)
    return TableStatistics(
        rows.sum(), np.float64(rows.size), np.float64(columns.size), rows @ rows, columns @ columns,
        sum_logs(rows), sum_logs(columns), found,
    )  # fmt: skip


def stack_statistics(found: Sequence[TableStatistics]) -> TableStatistics:
    """Return the statistics of several tables as arrays."""
    return TableStatistics(*[np.array(parts) for parts in zip(*found, strict=True)])


def x_log_x(counts: Array) -> Array:
    """Return x log x, 0 for x = 0."""
    return counts * np.log(np.maximum(counts, 1.0))


def sum_logs(counts: Array) -> float:
    """Return the sum of x log x."""
    return float(x_log_x(counts).sum())


def _entropy(logs: Array, n: Array) -> Array:
    log = np.log(n)
    entropy = log - logs / n
    return np.where(entropy > _ROUNDING * log, entropy, 0.0)


def _ratio(part: Array, whole: Array, otherwise: float) -> Array:
    """Return part / whole, or another value where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, np.float64), whole)
    return np.divide(part, whole, out=np.full(part.shape, otherwise), where=whole != 0)


def _adjusted_rand(table: TableStatistics) -> Array:
    n, both, a, b = table.n, table.both, table.in_a, table.in_b
    expected = a * (b / np.maximum(n * (n - 1.0), 1.0))
    return _ratio(both - expected, (a + b) / 2 - expected, 1.0)


def _fowlkes_mallows(table: TableStatistics) -> Array:
    return _ratio(table.both, np.sqrt(table.in_a) * np.sqrt(table.in_b), 0.0)


def _normalized_information(table: TableStatistics) -> Array:
    return np.minimum(1.0, _ratio(2 * table.mutual, table.entropy_a + table.entropy_b, 1.0))


def _adjusted_information(table: TableStatistics) -> Array:
    mean = (table.entropy_a + table.entropy_b) / 2
    largest = mean - table.expected_information
    value = _ratio(table.mutual - table.expected_information, largest, 1.0)
    value = np.where(largest <= _ROUNDING * mean, 1.0, np.minimum(1.0, value))
    return np.where((table.height == 1) != (table.width == 1), 0.0, value)


def _homogeneity(table: TableStatistics) -> Array:
    return np.minimum(1.0, _ratio(table.mutual, table.entropy_a, 1.0))


def _completeness(table: TableStatistics) -> Array:
    return np.minimum(1.0, _ratio(table.mutual, table.entropy_b, 1.0))


def _v_measure(table: TableStatistics) -> Array:
    h, c = _homogeneity(table), _completeness(table)
    return _ratio(2 * h * c, h + c, 0.0)


def _variation(table: TableStatistics) -> Array:
    return np.maximum(0.0, table.entropy_a + table.entropy_b - 2 * table.mutual)


def _mallows(table: TableStatistics) -> Array:
    apart = table.n / table.height + table.n / table.width
    return np.maximum(0.0, apart - 2 * table.of_cells[..., kernels.GAIN])


def _mismatches(table: TableStatistics) -> Array:
    return table.in_a + table.in_b - 2 * table.both


def _statistic(index: int) -> Callable[[TableStatistics], Array]:
    return lambda table: table.of_cells[..., index]


class Formula(NamedTuple):
    """How a measure follows from the statistics, and which of those that take time it needs."""

    value: Callable[[TableStatistics], Array]
    needs: tuple[int, ...] = ()


_PAIRS: dict[str, Callable[[TableStatistics], Array]] = {
    "rand_score": lambda t: 1.0 - _ratio(_mismatches(t), t.n * (t.n - 1.0), 0.0),
    "adjusted_rand_score": _adjusted_rand,
    "pair_jaccard_score": lambda t: _ratio(t.both, t.in_a + t.in_b - t.both, 1.0),
    "fowlkes_mallows_score": _fowlkes_mallows,
    "wallace_score": lambda t: _ratio(t.both, t.in_a, 1.0),
    "mirkin_distance": _mismatches,
}
_INFORMATION: dict[str, Callable[[TableStatistics], Array]] = {
    "mutual_info_score": lambda t: t.mutual,
    "normalized_mutual_info_score": _normalized_information,
    "adjusted_mutual_info_score": _adjusted_information,
    "variation_of_information": _variation,
    "homogeneity_score": _homogeneity,
    "completeness_score": _completeness,
    "v_measure_score": _v_measure,
}
_OVERLAP, _GAIN = (kernels.OVERLAP,), (kernels.OVERLAP, kernels.GAIN)
FORMULAS: dict[str, Formula] = {
    **{name: Formula(value) for name, value in _PAIRS.items()},
    **{name: Formula(value, (kernels.INFORMATION,)) for name, value in _INFORMATION.items()},
    "cluster_accuracy_score": Formula(lambda t: t.of_cells[..., kernels.OVERLAP] / t.n, _OVERLAP),
    "clustering_error": Formula(lambda t: (t.n - t.of_cells[..., kernels.OVERLAP]) / t.n, _OVERLAP),
    "van_dongen_distance": Formula(
        lambda t: 2 * t.n - t.of_cells[..., kernels.ROW_MAX] - t.of_cells[..., kernels.COLUMN_MAX]
    ),
    "matching_f_score": Formula(_statistic(kernels.F_SCORE), (kernels.F_SCORE,)),
    "purity_score": Formula(lambda t: t.of_cells[..., kernels.COLUMN_MAX] / t.n),
    "irm_score": Formula(_statistic(kernels.IRM), (kernels.IRM,)),
    "mallows_distance": Formula(_mallows, _GAIN),
}
IN_CLOSED_FORM = frozenset(_PAIRS)


def wanted_statistics(names: Collection[str]) -> Array:
    """Return which statistics the measures need."""
    wanted = np.zeros(kernels.N_STATISTICS, bool)
    for name in names:
        wanted[list(FORMULAS[name].needs)] = True
    return wanted


def similarity(name: str, values: Numbers) -> Numbers:
    """Return values of which the larger are more similar."""
    return -values if CATALOGUE[name].direction == "distance" else values
