"""The bins of a feature as conditions that any engine can evaluate.

Counts are cumulative, from each edge on, which is cheaper; bins are their differences. Weights
are summed bin by bin, so that empty bins stay exactly zero.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.binning.frame_fitting import column_kind
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.frames import as_names, nan_to_null

# The largest number of values that are counted by conditions; with more, rows are grouped by value.
_MOST_VALUES = 200
# A number is inside the range, below it or above it.
SIDES = 3


@dataclass(frozen=True)
class BinnedColumn:
    """A feature of a binning, and the column with its values."""

    feature: FeatureBins
    index: int
    dtype: Any

    @property
    def is_numeric(self) -> bool:
        return self.feature.values is None

    @property
    def by_conditions(self) -> bool:
        return self.is_numeric or self.feature.regular <= _MOST_VALUES

    def width(self, weighted: bool) -> int:
        """Return the number of columns that are counted, or of bins that are summed."""
        if weighted:
            return self.feature.size
        return self.feature.regular + (0 if self.is_numeric else 1)

    def value(self) -> Any:
        """Return the values of the column: numbers without NaN, or categories."""
        import narwhals.stable.v2 as nw

        column = nw.col(f"c{self.index + 1}")
        if column_kind(self.feature.name, self.dtype) == "nominal":
            if self.is_numeric:
                raise InputError(
                    f"column {self.feature.name!r} of X is categorical, but its bins were "
                    "fitted to numbers; pass numbers, or fit the binning again."
                )
            return as_names(column, self.dtype)
        numbers = self.is_numeric or self.dtype.is_float()
        return nan_to_null(column, self.dtype) if numbers else column

    def conditions(self, weighted: bool) -> list[Any]:
        """Return a condition for each column that is counted, or for each bin that is summed."""
        import narwhals.stable.v2 as nw

        value = nw.col(f"v{self.index}")
        present, missing = ~value.is_null(), value.is_null()
        inner = self._cuts(value) if self.is_numeric else self._equal(value)
        if not weighted:
            return [present, *inner]
        if not self.is_numeric:
            known = [one for one in self.values() if self._can_be(one)]
            unseen = present & ~value.is_in(known) if known else present
            return [*inner, unseen, missing]
        if not inner:
            return [present, missing]
        between = [first & ~then for first, then in pairwise(inner)]
        return [present & ~inner[0], *between, inner[-1], missing]

    def beyond(self) -> tuple[Any, Any]:
        """Return the conditions of numbers below and above the range."""
        import narwhals.stable.v2 as nw

        edges = self.feature.edges
        assert edges is not None
        # With finite ends, infinite values lie outside of the range, where they are found.
        low, high = np.nan_to_num(edges[[0, -1]]).tolist()
        value = nw.col(f"v{self.index}")
        return value < low, value > high

    def code(self) -> Any:
        """Return the bin of a number combined with its side: 0 inside, 1 below, 2 above."""
        import narwhals.stable.v2 as nw

        value = nw.col(f"v{self.index}")
        below, above = self.beyond()
        side = nw.when(below).then(nw.lit(1)).otherwise(nw.when(above).then(2).otherwise(0))
        known = self._bin(value).cast(nw.Int64) * SIDES + side
        missing = SIDES * self.feature.regular
        return nw.when(value.is_null()).then(nw.lit(missing)).otherwise(known)

    def _bin(self, value: Any) -> Any:
        """Return the bin of a number that is not missing, by the same arithmetic as in memory."""
        import narwhals.stable.v2 as nw

        edges = self.feature.edges
        assert edges is not None
        if self.feature.scale > 0:
            scaled = (value - float(edges[0])) * self.feature.scale
            return scaled.clip(0.0, self.feature.regular - 1.0).floor()
        reached = [nw.when(cut).then(nw.lit(1)).otherwise(nw.lit(0)) for cut in self._cuts(value)]
        return reduce(add, reached, nw.lit(0))

    def counted(self, tables: list[Array], sizes: Array) -> list[Array]:
        """Return the counts of the bins, from the cumulative counts."""
        present, *inner = tables
        if not self.is_numeric:
            return [*inner, present - sum(inner, np.zeros_like(present)), sizes - present]
        ends = [*inner, np.zeros_like(present)]
        return [*(first - then for first, then in pairwise([present, *ends])), sizes - present]

    def _cuts(self, value: Any) -> list[Any]:
        """Return conditions that hold from each inner edge on, computed as in memory."""
        edges = self.feature.edges
        assert edges is not None
        if self.feature.scale > 0:
            scaled = (value - float(edges[0])) * self.feature.scale
            return [scaled >= float(k) for k in range(1, self.feature.regular)]
        return [value >= float(edge) for edge in edges[1:-1]]

    def _equal(self, value: Any) -> list[Any]:
        """Return conditions for the values with bins; values of another type never occur."""
        return [
            value == one if self._can_be(one) else value.is_null() & ~value.is_null()
            for one in self.values()
        ]

    def values(self) -> list[Any]:
        """Return the values with bins of a categorical feature."""
        assert self.feature.values is not None
        return name_list(self.feature.values)

    def _can_be(self, value: Any) -> bool:
        import narwhals.stable.v2 as nw

        if isinstance(self.dtype, nw.Boolean):
            return isinstance(value, bool)
        return self.dtype.is_numeric() == (
            isinstance(value, int | float) and not isinstance(value, bool)
        )
