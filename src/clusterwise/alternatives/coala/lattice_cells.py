"""Micro-clusters of objects that stay in an engine: the occupied cells of a lattice.

The lattice lies along the principal axes of the objects. One group-by counts the objects of each
cell and adds them up; objects of different given clusters never share a cell. Only these sums
leave the engine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.lattice import Lattice, lay_lattice, principal_axes
from clusterwise.inputs.binning.frame_fitting import kind_of
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import (
    SelectedColumns,
    as_names,
    floats,
    integers,
    select_columns,
    without_nan,
)
from clusterwise.summaries.frames.distinct_rows import DistinctRows, refuse_missing_labels
from clusterwise.summaries.frames.scans import scan

# Cells that are fetched at most, and numbers in them.
MOST_CELLS = 1 << 17
_MOST_NUMBERS = 1 << 22
# Features whose products are added up, all in one scan; of more those that vary most are taken.
MOST_FACTORS = 44
# With fewer occupied cells than this for each prototype a finer lattice is tried, a few times. With
# 16 the hidden clustering in ten dimensions was missed more often than by prototypes of objects.
_PER_PROTOTYPE = 64
_ROOM = 0.9
_MOST_TRIALS = 6
# Middles lie on so many steps of the range, to be the same whatever an engine rounds.
_STEPS = 2.0**20


class Cells(NamedTuple):
    """Occupied cells: their objects' means, numbers and mean squared distances from the means.

    ``labels`` is an eager frame of narwhals with a column for each given clustering; None if
    nothing is given.
    """

    means: Array
    counts: Array
    spreads: Array
    labels: Any
    lattice: Lattice


def find_cells(frame: Any, given: Sequence[str], features: Sequence[str], prototypes: int) -> Cells:
    """Cells of a lazy frame, enough of them for so many prototypes.

    One scan finds numbers, means and ranges, the next one products of features for the axes (of
    more than 44 features only their squares, and another scan the products of those that vary
    most), the third one cells. If few are occupied, up to five finer lattices are tried.
    """
    objects = _Objects(frame, tuple(given), tuple(features))
    objects.check()
    sizes = objects.measure(prototypes)
    factors = np.arange(len(features))
    if factors.size > MOST_FACTORS:
        squares = objects.add_products(sizes.middles, [(r, r) for r in factors.tolist()])
        factors = np.sort(np.argsort(-squares, kind="stable")[:MOST_FACTORS])
    axes, variances = _axes(objects, sizes, factors)
    most = min(MOST_CELLS, _MOST_NUMBERS // (len(features) + 2))
    wanted = min(_PER_PROTOTYPE * prototypes, most // 2, sizes.n // 2)
    budget = max(1.0, most / sizes.combinations)
    best: Cells | None = None
    for _ in range(_MOST_TRIALS):
        lattice = lay_lattice(sizes.middles, axes, variances, budget)
        cells = objects.add_up(lattice, most)
        if cells is None:
            break
        best = cells
        if len(cells.counts) >= wanted or not lattice.counts.size:
            break
        # A cell cut into some more gives so many at most, so this hardly ever overshoots.
        budget *= _ROOM * most / len(cells.counts)
    assert best is not None
    return best


def _axes(objects: "_Objects", sizes: "_Sizes", factors: Array) -> tuple[Array, Array]:
    """Principal axes of these features, and the variances along them."""
    rows, columns = np.triu_indices(factors.size)
    pairs = list(zip(factors[rows].tolist(), factors[columns].tolist(), strict=True))
    products = np.zeros((factors.size, factors.size))
    products[rows, columns] = objects.add_products(sizes.middles, pairs) / sizes.n
    found, variances = principal_axes(np.triu(products, 1).T + products)
    axes = np.zeros((len(objects.features), factors.size))
    axes[factors] = found
    return axes, variances


class _Sizes(NamedTuple):
    """How many objects and combinations of given clusters there are, and where the middle is."""

    n: int
    combinations: int
    middles: Array


@dataclass(frozen=True)
class _Objects:
    """The objects of a lazy frame: columns of given labels, and of features."""

    frame: Any
    given: tuple[str, ...]
    features: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        return [*self.given, *self.features]

    @cached_property
    def picked(self) -> SelectedColumns:
        return select_columns(self.frame, self.columns)

    @property
    def keys(self) -> list[str]:
        return [f"c{j}" for j in range(len(self.given))]

    def check(self) -> None:
        """Refuse columns that are not there, or hold no numbers."""
        import narwhals.stable.v2 as nw

        dtypes = self.picked.dtypes[len(self.given) :]
        for name, dtype in zip(self.features, dtypes, strict=True):
            if not isinstance(dtype, nw.Boolean) and kind_of(name, dtype) == "nominal":
                raise InputError(
                    f"column {name!r} of X holds names, but prototypes are means of numbers; leave "
                    "it out of features, or turn it into numbers."
                )

    def measure(self, prototypes: int) -> _Sizes:
        """Numbers, means and ranges, once all values are found to be there and finite."""
        import narwhals.stable.v2 as nw

        places = range(len(self.features))

        def rows(picked: SelectedColumns) -> Any:
            values = self._values(picked)
            there = [nw.when(~nw.col(f"v{r}").is_null()).then(1).otherwise(0) for r in places]
            copies = [(f"v{r}", f"{end}{r}") for r in places for end in "lh"]
            return values.with_columns(
                *(one.alias(f"t{r}") for r, one in enumerate(there)),
                *(nw.col(source).alias(name) for source, name in copies),
            )

        how = {f"{what}{r}": how for r in places for what, how in _MEASURED.items()}
        found = scan(self.frame, self.picked, rows, self.keys, how, prototypes)
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
        table = {name: floats(found.get_column(name)) for name in how}
        for r, name in enumerate(self.features):
            gaps = n - int(table[f"t{r}"].sum())
            if gaps:
                raise InputError(
                    f"column {name!r} of X is missing in {gaps} of {n} rows, but prototypes are "
                    "means of numbers; fill it in, or leave the rows out."
                )
        lows = np.array([table[f"l{r}"].min() for r in places])
        highs = np.array([table[f"h{r}"].max() for r in places])
        self._refuse_infinite(lows, highs)
        means = np.array([table[f"v{r}"].sum() for r in places]) / n
        _, exponents = np.frexp(highs - lows)
        steps = np.ldexp(1 / _STEPS, exponents)
        return _Sizes(n, len(counts), lows + np.round((means - lows) / steps) * steps)

    def add_products(self, middles: Array, pairs: Sequence[tuple[int, int]]) -> Array:
        """Sums of products of features, of which the middles are taken away before."""
        import narwhals.stable.v2 as nw

        needed = sorted({place for pair in pairs for place in pair})

        def rows(picked: SelectedColumns) -> Any:
            apart = self._apart(picked, middles, needed)
            products = [nw.col(f"d{r}") * nw.col(f"d{s}") for r, s in pairs]
            return apart.select(*(one.alias(f"p{i}") for i, one in enumerate(products)))

        names = [f"p{i}" for i in range(len(pairs))]
        found = scan(self.frame, self.picked, rows, [], dict.fromkeys(names, "sum"))
        return np.array([floats(found.get_column(name))[0] for name in names])

    def add_up(self, lattice: Lattice, most: int) -> Cells | None:
        """The occupied cells of a lattice; None if there are more than ``most``."""
        import narwhals.stable.v2 as nw

        places = range(len(self.features))

        def rows(picked: SelectedColumns) -> Any:
            apart = self._apart(picked, lattice.middles, places)
            squares = reduce(add, [nw.col(f"d{r}") * nw.col(f"d{r}") for r in places])
            return apart.with_columns(squares.alias("q"), _cell(lattice).alias("cell"))

        sums = dict.fromkeys([*(f"d{r}" for r in places), "q"], "sum")
        found = scan(self.frame, self.picked, rows, [*self.keys, "cell"], sums, most)
        if found is None:
            return None
        # Engines return groups in any order; the result must not depend on it.
        found = found.sort(*self.keys, "cell")
        counts = integers(found.get_column("n"))
        means = np.column_stack([floats(found.get_column(f"d{r}")) for r in places])
        means /= counts[:, None]
        spreads = floats(found.get_column("q")) / counts - (means**2).sum(axis=1)
        labels = found.select(*self.keys) if self.keys else None
        return Cells(means + lattice.middles, counts, np.maximum(spreads, 0.0), labels, lattice)

    def _refuse_infinite(self, lows: Array, highs: Array) -> None:
        for name, low, high in zip(self.features, lows.tolist(), highs.tolist(), strict=True):
            if np.isinf(low) or np.isinf(high):
                raise InputError(
                    f"column {name!r} of X holds {low if np.isinf(low) else high}; replace it by a "
                    "number."
                )
        with np.errstate(over="ignore"):
            span = np.square(highs - lows).sum()
        if not np.isfinite(span):
            raise InputError("the values of X are so large that distances overflow; scale them.")

    def _values(self, picked: SelectedColumns) -> Any:
        """Labels as keys c0, c1, …, and features as numbers v0, v1 and so on."""
        import narwhals.stable.v2 as nw

        m = len(self.given)
        keys = [as_names(nw.col(f"c{j}"), picked.dtypes[j]).alias(f"c{j}") for j in range(m)]
        numbers = [
            without_nan(nw.col(f"c{m + r}"), picked.dtypes[m + r]).alias(f"v{r}")
            for r in range(len(self.features))
        ]
        return picked.frame.select(*keys, *numbers)

    def _apart(self, picked: SelectedColumns, middles: Array, places: Sequence[int]) -> Any:
        """Labels as keys, and how far some features are from their middles: d0, d1 and so on."""
        import narwhals.stable.v2 as nw

        apart = [(nw.col(f"v{r}") - float(middles[r])).alias(f"d{r}") for r in places]
        return self._values(picked).select(*self.keys, *apart)


# What is found of each feature: how many are there, their sum, the smallest and the largest.
_MEASURED = {"t": "sum", "v": "sum", "l": "min", "h": "max"}


def _cell(lattice: Lattice) -> Any:
    """The number of the cell that an object is in."""
    import narwhals.stable.v2 as nw

    cell = nw.lit(0).cast(nw.Int64)
    for axis, scale, count, stride in zip(
        lattice.axes.T, lattice.scales, lattice.counts.tolist(), lattice.strides, strict=True
    ):
        along = [nw.col(f"d{r}") * float(axis[r]) for r in np.flatnonzero(axis).tolist()]
        place = reduce(add, along) * float(scale) + count / 2
        cell = cell + place.clip(0.0, count - 1.0).floor().cast(nw.Int64) * stride
    return cell
