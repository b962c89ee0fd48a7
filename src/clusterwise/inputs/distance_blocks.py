"""Kinds of distances between n objects: given blocks at a time, so that no n × n table is kept."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_parts
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.kernels.distances import euclidean, gower, write_block

Metric = str | Callable[[Array, Array], float]
# Some objects: a slice, or an array of their places.
Objects = slice | Array

# Side of the blocks by which a square table is filled.
SIDE = 256
# Fewer pairs than this are left to one thread.
SERIAL_BELOW = 1 << 20


@dataclass(frozen=True)
class Distances(ABC):
    """n objects, and how far any two of them are apart: 0 for an object and itself.

    ``objects`` are their places in the data that was read, if they are not all of it in its
    order; ``vectors`` are the objects as points, for metrics between points.
    """

    metric: Metric
    n: int
    objects: Array | None = field(default=None, repr=False)
    vectors: Array | None = field(default=None, repr=False)

    def between(self, rows: Objects, columns: Objects | None = None) -> Array:
        """Distances of some objects to others, or to all: a row for each of the first."""
        rows = _places(rows, self.n)
        columns = _places(slice(None) if columns is None else columns, self.n)
        block = self._block(rows, columns)
        _clear_own(block, rows, columns)
        return block

    @abstractmethod
    def take(self, objects: Array) -> "Distances":
        """The distances of some of the objects, in this order."""

    @abstractmethod
    def _block(self, rows: Objects, columns: Objects) -> Array:
        """Distances of some objects to others, as floats of 64 bits that may be written to."""

    def at(self, points: Array) -> "Distances":
        """The same metric among other points."""
        if self.vectors is None:
            raise InputError(f"metric={self.metric!r} compares objects that have no vectors.")
        points = read_only(np.ascontiguousarray(points, np.float64))
        return replace(self, n=len(points), vectors=points, objects=None)

    def as_table(self, dtype: str = "float64") -> Array:
        """The distances of all pairs, n × n."""
        out = np.empty((self.n, self.n), dtype)
        self.fill(out)
        return out

    def fill(self, out: Array) -> None:
        """Write the distances of all pairs into a square table, which becomes symmetric."""
        if out.shape != (self.n, self.n) or out.dtype not in (np.float64, np.float32):
            raise InputError(
                f"the table for distances has shape {out.shape} and holds {out.dtype}; make it "
                f"{self.n} x {self.n} floats of 64 or 32 bits."
            )
        if not out.flags.c_contiguous:
            raise InputError("the table for distances must lie row by row in memory.")
        bands = -(-self.n // SIDE)

        def task(part: int) -> None:
            # Bands from both ends: the first has the most blocks and the last the fewest.
            for band in {part, bands - 1 - part}:
                top = band * SIDE
                for left in range(top, self.n, SIDE):
                    block = self.between(slice(top, top + SIDE), slice(left, left + SIDE))
                    write_block(block, top, left, out)

        run_in_parts(task, -(-bands // 2), self)
        np.fill_diagonal(out, 0.0)


def run_in_parts(task: Callable[[int], None], parts: int, distances: Distances) -> None:
    """Run the parts in threads, unless there are few pairs or the metric is Python's."""
    if distances.n**2 < SERIAL_BELOW or callable(distances.metric):
        for part in range(parts):
            task(part)
    else:
        run_parts(task, parts)


@dataclass(frozen=True)
class OfVectors(Distances):
    """Any metric between vectors that SciPy knows, or a function of two vectors."""

    options: dict[str, Any] = field(default_factory=dict, repr=False)

    def take(self, objects: Array) -> Distances:
        assert self.vectors is not None
        vectors = read_only(self.vectors[objects])
        return replace(self, n=len(vectors), vectors=vectors, objects=_taken(self, objects))

    def _block(self, rows: Objects, columns: Objects) -> Array:
        from scipy.spatial.distance import cdist

        assert self.vectors is not None
        first, second = self.vectors[rows], self.vectors[columns]
        with np.errstate(all="ignore"):
            block = np.asarray(cdist(first, second, self.metric, **self.options), np.float64)
        wrong = ~(np.isfinite(block) & (block >= 0))
        _clear_own(wrong, rows, columns)
        if wrong.any():
            i, j = np.argwhere(wrong)[0]
            names = np.arange(self.n) if self.objects is None else self.objects
            raise InputError(
                f"metric={self.metric!r} gives {block[i, j]} for the objects {names[rows][i]} and "
                f"{names[columns][j]} of X; use another metric, or leave such objects out."
            )
        return block


@dataclass(frozen=True)
class Euclidean(OfVectors):
    """The same for the usual metric, by a loop of our own that is twice as fast as SciPy's."""

    @cached_property
    def _turned(self) -> Array:
        assert self.vectors is not None
        return read_only(np.ascontiguousarray(self.vectors.T))

    def _block(self, rows: Objects, columns: Objects) -> Array:
        assert self.vectors is not None
        turned = self._turned
        if isinstance(columns, slice):
            start, stop = columns.start, columns.stop
        else:
            turned = read_only(np.ascontiguousarray(turned[:, columns]))
            start, stop = 0, turned.shape[1]
        first = read_only(self.vectors[rows])
        block = np.empty((len(first), stop - start))
        euclidean(first, turned, start, stop, block)
        return block


@dataclass(frozen=True)
class Gower(Distances):
    """Mixed features: a row per feature, numbers with their ranges, names as codes."""

    numbers: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    ranges: Array = field(default_factory=lambda: np.empty(0), repr=False)
    codes: Array = field(default_factory=lambda: np.empty((0, 0), np.int64), repr=False)

    def take(self, objects: Array) -> Distances:
        numbers, codes = self._columns(objects)
        objects = _taken(self, objects)
        return replace(self, n=len(objects), objects=objects, numbers=numbers, codes=codes)

    def _columns(self, objects: Objects) -> tuple[Array, Array]:
        numbers, codes = self.numbers[:, objects], self.codes[:, objects]
        return read_only(np.ascontiguousarray(numbers)), read_only(np.ascontiguousarray(codes))

    def _block(self, rows: Objects, columns: Objects) -> Array:
        first, second = self._columns(rows), self._columns(columns)
        block = np.empty((first[0].shape[1], second[0].shape[1]))
        gower(*first, *second, self.ranges, block)
        return block


@dataclass(frozen=True)
class Ready(Distances):
    """Distances that were given; ``objects`` are looked up in them, so that none are copied."""

    table: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)

    def take(self, objects: Array) -> Distances:
        objects = _taken(self, objects)
        return replace(self, n=len(objects), objects=objects)

    def _block(self, rows: Objects, columns: Objects) -> Array:
        if self.objects is None:
            block = self.table[rows][:, columns]
        else:
            block = self.table[np.ix_(self.objects[rows], self.objects[columns])]
        return np.array(block, np.float64)


def _places(objects: Objects, n: int) -> Objects:
    """A slice with both ends and steps of one, or an array of places."""
    if isinstance(objects, slice):
        start, stop, step = objects.indices(n)
        if step == 1:
            return slice(start, max(start, stop))
    return np.arange(n)[objects]


def _clear_own(block: Array, rows: Objects, columns: Objects) -> None:
    """Set what an object has with itself to 0, whatever rounding or missing values say."""
    if not isinstance(rows, slice) or not isinstance(columns, slice):
        first, second = (
            np.arange(side.start, side.stop) if isinstance(side, slice) else side
            for side in (rows, columns)
        )
        block[first[:, None] == second] = 0
        return
    both = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
    block[both - rows.start, both - columns.start] = 0


def _taken(distances: Distances, objects: Objects) -> Array:
    """Where some of the objects are in the data that was read."""
    if distances.objects is None:
        return np.arange(distances.n)[objects]
    return distances.objects[objects]
