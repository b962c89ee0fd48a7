"""Micro-clusters of the objects of a lazy frame: the occupied cells of a lattice.

The lattice lies along the principal axes of the objects. One group-by counts and sums the objects
of each cell; objects of different given clusters never share a cell. Only these sums are fetched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.lattice import Lattice, lay_lattice, principal_axes
from clusterwise.inputs.binning.frame_fitting import column_kind
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import (
    SelectedColumns,
    as_names,
    floats,
    integers,
    nan_to_null,
    select_columns,
)
from clusterwise.summaries.frames.distinct_rows import DistinctRows, refuse_missing_labels
from clusterwise.summaries.frames.scans import scan

# The largest number of cells that are fetched, and of values in them.
MOST_CELLS = 1 << 17
_MOST_VALUES = 1 << 22
# The largest number of features whose products are summed in one scan; of more features those of
# the largest variance are used.
MOST_FACTORS = 44
# With fewer occupied cells than this for each prototype a finer lattice is tried, a few times. With
# 16 a hidden clustering in ten dimensions was missed more often than by prototypes of objects.
_PER_PROTOTYPE = 64
_MARGIN = 0.9
_MOST_TRIALS = 6
# The centre is rounded to this fraction of the range, so that rounding errors of engines do not
# change it.
_STEPS = 2.0**20


class LatticeCells(NamedTuple):
    """Occupied cells: the means of their objects, their numbers and mean squared deviations.

    ``labels`` is an eager frame of narwhals with a column for each given clustering; None if
    there is none.
    """

    means: Array
    counts: Array
    spreads: Array
    labels: Any
    lattice: Lattice


def find_cells(
    frame: Any, given: Sequence[str], features: Sequence[str], prototypes: int
) -> LatticeCells:
    """Return the cells of a lazy frame, enough of them for this number of prototypes.

    The first scan computes counts, means and ranges, the second one products of features for the
    axes (for more than 44 features only squares, and another scan the products of those of the
    largest variance), the third one cells. If few are occupied, up to five finer lattices are
    tried.
    """
    objects = _LazyObjects(frame, tuple(given), tuple(features))
    objects.check()
    statistics = objects.measure(prototypes)
    factors = np.arange(len(features))
    if factors.size > MOST_FACTORS:
        squares = objects.add_products(statistics.centre, [(r, r) for r in factors.tolist()])
        factors = np.sort(np.argsort(-squares, kind="stable")[:MOST_FACTORS])
    axes, variances = _find_axes(objects, statistics, factors)
    most = min(MOST_CELLS, _MOST_VALUES // (len(features) + 2))
    enough = min(_PER_PROTOTYPE * prototypes, most // 2, statistics.n // 2)
    budget = max(1.0, most / statistics.combinations)
    best: LatticeCells | None = None
    for _ in range(_MOST_TRIALS):
        lattice = lay_lattice(statistics.centre, axes, variances, budget)
        cells = objects.add_up(lattice, most)
        if cells is None:
            break
        best = cells
        if len(cells.counts) >= enough or not lattice.counts.size:
            break
        # A cell that is cut into b gives at most b, so that this rarely overshoots.
        budget *= _MARGIN * most / len(cells.counts)
    assert best is not None
    return best


def _find_axes(
    objects: "_LazyObjects", statistics: "_Statistics", factors: Array
) -> tuple[Array, Array]:
    """Return the principal axes of these features, and the variances along them."""
    rows, columns = np.triu_indices(factors.size)
    pairs = list(zip(factors[rows].tolist(), factors[columns].tolist(), strict=True))
    products = np.zeros((factors.size, factors.size))
    products[rows, columns] = objects.add_products(statistics.centre, pairs) / statistics.n
    found, variances = principal_axes(np.triu(products, 1).T + products)
    axes = np.zeros((len(objects.features), factors.size))
    axes[factors] = found
    return axes, variances


class _Statistics(NamedTuple):
    """The numbers of objects and of combinations of given clusters, and the centre."""

    n: int
    combinations: int
    centre: Array


@dataclass(frozen=True)
class _LazyObjects:
    """The objects of a lazy frame: the columns of given clusterings and of features."""

    frame: Any
    given: tuple[str, ...]
    features: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        return [*self.given, *self.features]

    @cached_property
    def selected(self) -> SelectedColumns:
        return select_columns(self.frame, self.columns)

    @property
    def keys(self) -> list[str]:
        return [f"c{j}" for j in range(len(self.given))]

    def check(self) -> None:
        """Raise an error if a column does not exist, or a feature is not numeric."""
        import narwhals.stable.v2 as nw

        dtypes = self.selected.dtypes[len(self.given) :]
        for name, dtype in zip(self.features, dtypes, strict=True):
            if not isinstance(dtype, nw.Boolean) and column_kind(name, dtype) == "nominal":
                raise InputError(
                    f"column {name!r} of X is categorical, but prototypes are means of numbers; "
                    "leave it out of features, or encode it as numbers."
                )

    def measure(self, prototypes: int) -> _Statistics:
        """Return counts and the centre; raise an error if values are missing or infinite."""
        import narwhals.stable.v2 as nw

        indices = range(len(self.features))

        def rows(selected: SelectedColumns) -> Any:
            values = self._values(selected)
            present = [nw.when(~nw.col(f"v{r}").is_null()).then(1).otherwise(0) for r in indices]
            copies = [(f"v{r}", f"{end}{r}") for r in indices for end in "lh"]
            return values.with_columns(
                *(one.alias(f"t{r}") for r, one in enumerate(present)),
                *(nw.col(source).alias(name) for source, name in copies),
            )

        aggregations = {f"{what}{r}": how for r in indices for what, how in _STATISTICS.items()}
        found = scan(self.frame, self.selected, rows, self.keys, aggregations, prototypes)
        if found is None:
            raise InputError(
                f"prototypes={prototypes!r}, but there are more combinations of given clusters; "
                "use one for each at least, or name another column."
            )
        counts = integers(found.get_column("n"))
        n = int(counts.sum())
        refuse_missing_labels(DistinctRows(found, counts, counts), self.given)
        if n < 2:
            raise InputError(f"n_samples={n} in X; pass at least two objects to merge.")
        if prototypes > n:
            raise InputError(
                f"prototypes={prototypes!r} for {n} objects in {len(counts)} combinations of given "
                f"clusters; use a number from {len(counts)} to {n}."
            )
        table = {name: floats(found.get_column(name)) for name in aggregations}
        for r, name in enumerate(self.features):
            missing = n - int(table[f"t{r}"].sum())
            if missing:
                raise InputError(
                    f"column {name!r} of X is missing in {missing} of {n} rows, but prototypes are "
                    "means of numbers; fill it in, or leave the rows out."
                )
        lows = np.array([table[f"l{r}"].min() for r in indices])
        highs = np.array([table[f"h{r}"].max() for r in indices])
        self._refuse_infinite(lows, highs)
        means = np.array([table[f"v{r}"].sum() for r in indices]) / n
        _, exponents = np.frexp(highs - lows)
        steps = np.ldexp(1 / _STEPS, exponents)
        return _Statistics(n, len(counts), lows + np.round((means - lows) / steps) * steps)

    def add_products(self, centre: Array, pairs: Sequence[tuple[int, int]]) -> Array:
        """Return sums of products of centred features."""
        import narwhals.stable.v2 as nw

        needed = sorted({index for pair in pairs for index in pair})

        def rows(selected: SelectedColumns) -> Any:
            centred = self._centred(selected, centre, needed)
            products = [nw.col(f"d{r}") * nw.col(f"d{s}") for r, s in pairs]
            return centred.select(*(one.alias(f"p{i}") for i, one in enumerate(products)))

        names = [f"p{i}" for i in range(len(pairs))]
        found = scan(self.frame, self.selected, rows, [], dict.fromkeys(names, "sum"))
        return np.array([floats(found.get_column(name))[0] for name in names])

    def add_up(self, lattice: Lattice, most: int) -> LatticeCells | None:
        """Return the occupied cells of a lattice; None if there are more than ``most``."""
        import narwhals.stable.v2 as nw

        indices = range(len(self.features))

        def rows(selected: SelectedColumns) -> Any:
            centred = self._centred(selected, lattice.centre, indices)
            squares = reduce(add, [nw.col(f"d{r}") * nw.col(f"d{r}") for r in indices])
            return centred.with_columns(squares.alias("q"), _cell(lattice).alias("cell"))

        sums = dict.fromkeys([*(f"d{r}" for r in indices), "q"], "sum")
        found = scan(self.frame, self.selected, rows, [*self.keys, "cell"], sums, most)
        if found is None:
            return None
        # Sorted, because engines return groups in any order.
        found = found.sort(*self.keys, "cell")
        counts = integers(found.get_column("n"))
        means = np.column_stack([floats(found.get_column(f"d{r}")) for r in indices])
        means /= counts[:, None]
        spreads = floats(found.get_column("q")) / counts - (means**2).sum(axis=1)
        labels = found.select(*self.keys) if self.keys else None
        return LatticeCells(
            means + lattice.centre, counts, np.maximum(spreads, 0.0), labels, lattice
        )

    def _refuse_infinite(self, lows: Array, highs: Array) -> None:
        for name, low, high in zip(self.features, lows.tolist(), highs.tolist(), strict=True):
            if np.isinf(low) or np.isinf(high):
                raise InputError(
                    f"column {name!r} of X holds {low if np.isinf(low) else high}; replace it by a "
                    "finite number."
                )
        with np.errstate(over="ignore"):
            span = np.square(highs - lows).sum()
        if not np.isfinite(span):
            raise InputError("the values of X are so large that distances overflow; scale them.")

    def _values(self, selected: SelectedColumns) -> Any:
        """Return a frame with given labels c0, c1, … and features v0, v1, …."""
        import narwhals.stable.v2 as nw

        m = len(self.given)
        keys = [as_names(nw.col(f"c{j}"), selected.dtypes[j]).alias(f"c{j}") for j in range(m)]
        numbers = [
            nan_to_null(nw.col(f"c{m + r}"), selected.dtypes[m + r]).alias(f"v{r}")
            for r in range(len(self.features))
        ]
        return selected.frame.select(*keys, *numbers)

    def _centred(self, selected: SelectedColumns, centre: Array, indices: Sequence[int]) -> Any:
        """Return a frame with given labels c0, c1, … and centred features d0, d1, …."""
        import narwhals.stable.v2 as nw

        columns = [(nw.col(f"v{r}") - float(centre[r])).alias(f"d{r}") for r in indices]
        return self._values(selected).select(*self.keys, *columns)


# The statistics of each feature: the number of present values, sum, minimum and maximum.
_STATISTICS = {"t": "sum", "v": "sum", "l": "min", "h": "max"}


def _cell(lattice: Lattice) -> Any:
    """Return an expression for the number of an object's cell."""
    import narwhals.stable.v2 as nw

    cell = nw.lit(0).cast(nw.Int64)
    for axis, scale, count, stride in zip(
        lattice.axes.T, lattice.scales, lattice.counts.tolist(), lattice.strides, strict=True
    ):
        along = [nw.col(f"d{r}") * float(axis[r]) for r in np.flatnonzero(axis).tolist()]
        position = reduce(add, along) * float(scale) + count / 2
        cell = cell + position.clip(0.0, count - 1.0).floor().cast(nw.Int64) * stride
    return cell
