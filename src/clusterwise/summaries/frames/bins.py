"""The bins of a feature as conditions that any engine can check.

Whole counts take the cheaper way of counting the values from each cut on, of which bins
are the differences; weights are added up bin by bin, so that empty bins stay empty.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.binning.frame_fitting import kind_of
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.frames import as_names, without_nan

# Values of a feature that are counted by conditions; with more it is grouped by value.
_MOST_VALUES = 200
# A number is in the range, below it, or above it.
SIDES = 3


@dataclass(frozen=True)
class BinnedColumn:
    """A feature of a binning, and the column that holds its values."""

    feature: FeatureBins
    place: int
    dtype: Any

    @property
    def is_numeric(self) -> bool:
        return self.feature.values is None

    @property
    def by_conditions(self) -> bool:
        return self.is_numeric or self.feature.regular <= _MOST_VALUES

    def width(self, weighted: bool) -> int:
        """How many columns are counted, or how many bins weighed."""
        if weighted:
            return self.feature.size
        return self.feature.regular + (0 if self.is_numeric else 1)

    def value(self) -> Any:
        """What conditions look at: numbers without NaN, or names."""
        import narwhals.stable.v2 as nw

        column = nw.col(f"c{self.place + 1}")
        if kind_of(self.feature.name, self.dtype) == "nominal":
            if self.is_numeric:
                raise InputError(
                    f"column {self.feature.name!r} of X holds names, but its bins were made from "
                    "numbers; pass numbers, or fit the binning again."
                )
            return as_names(column, self.dtype)
        numbers = self.is_numeric or self.dtype.is_float()
        return without_nan(column, self.dtype) if numbers else column

    def conditions(self, weighted: bool) -> list[Any]:
        """A condition for each column that is counted, or for each bin that is weighed."""
        import narwhals.stable.v2 as nw

        value = nw.col(f"v{self.place}")
        there, missing = ~value.is_null(), value.is_null()
        inner = self._cuts(value) if self.is_numeric else self._equal(value)
        if not weighted:
            return [there, *inner]
        if not self.is_numeric:
            known = [one for one in self.values() if self._can_be(one)]
            unseen = there & ~value.is_in(known) if known else there
            return [*inner, unseen, missing]
        if not inner:
            return [there, missing]
        between = [first & ~then for first, then in pairwise(inner)]
        return [there & ~inner[0], *between, inner[-1], missing]

    def beyond(self) -> tuple[Any, Any]:
        """Conditions of numbers below and above the range."""
        import narwhals.stable.v2 as nw

        edges = self.feature.edges
        assert edges is not None
        # Finite ends make infinite values fall outside, where they are found.
        low, high = np.nan_to_num(edges[[0, -1]]).tolist()
        value = nw.col(f"v{self.place}")
        return value < low, value > high

    def code(self) -> Any:
        """The bin of a number, missing ones included, and its side: 1 is below, 2 above."""
        import narwhals.stable.v2 as nw

        value = nw.col(f"v{self.place}")
        below, above = self.beyond()
        side = nw.when(below).then(nw.lit(1)).otherwise(nw.when(above).then(2).otherwise(0))
        known = self._place(value).cast(nw.Int64) * SIDES + side
        missing = SIDES * self.feature.regular
        return nw.when(value.is_null()).then(nw.lit(missing)).otherwise(known)

    def _place(self, value: Any) -> Any:
        """The bin of a number that is there, by the same arithmetic as in memory."""
        import narwhals.stable.v2 as nw

        edges = self.feature.edges
        assert edges is not None
        if self.feature.scale > 0:
            scaled = (value - float(edges[0])) * self.feature.scale
            return scaled.clip(0.0, self.feature.regular - 1.0).floor()
        reached = [nw.when(cut).then(nw.lit(1)).otherwise(nw.lit(0)) for cut in self._cuts(value)]
        return reduce(add, reached, nw.lit(0))

    def counted(self, tables: list[Array], sizes: Array) -> list[Array]:
        """The bins, from the columns that were counted."""
        there, *inner = tables
        if not self.is_numeric:
            return [*inner, there - sum(inner, np.zeros_like(there)), sizes - there]
        ends = [*inner, np.zeros_like(there)]
        return [*(first - then for first, then in pairwise([there, *ends])), sizes - there]

    def _cuts(self, value: Any) -> list[Any]:
        """Conditions that hold from each inner edge on, by the same arithmetic as in memory."""
        edges = self.feature.edges
        assert edges is not None
        if self.feature.scale > 0:
            scaled = (value - float(edges[0])) * self.feature.scale
            return [scaled >= float(k) for k in range(1, self.feature.regular)]
        return [value >= float(edge) for edge in edges[1:-1]]

    def _equal(self, value: Any) -> list[Any]:
        """Conditions of the values that have bins; those of another kind are never there."""
        return [
            value == one if self._can_be(one) else value.is_null() & ~value.is_null()
            for one in self.values()
        ]

    def values(self) -> list[Any]:
        """The values that have bins, of a nominal feature."""
        assert self.feature.values is not None
        return name_list(self.feature.values)

    def _can_be(self, value: Any) -> bool:
        import narwhals.stable.v2 as nw

        if isinstance(self.dtype, nw.Boolean):
            return isinstance(value, bool)
        return self.dtype.is_numeric() == (
            isinstance(value, int | float) and not isinstance(value, bool)
        )
