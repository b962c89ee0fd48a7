"""Distances between n objects by different metrics, in blocks, without an n × n matrix."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.memory import allocate_table
from clusterwise._utils.threads import run_parts
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.kernels.distances import euclidean, gower, write_block

Metric = str | Callable[[Array, Array], float]
# Some objects: a slice, or an array of their indices.
Objects = slice | Array

# Side of the blocks by which a square matrix is filled.
SIDE = 256
# Fewer pairs than this are computed in one thread.
SERIAL_BELOW = 1 << 20
# Distances that are multiplied by a smaller power of two than this do not overflow.
_LARGE_EXPONENT = 900


@dataclass(frozen=True)
class Distances(ABC):
    """Distances between n objects; that of an object and itself is 0.

    ``objects`` are their indices in the data that was read, if they are not all of it in order;
    ``vectors`` are the objects as points, for metrics between points. Points are relative to
    ``origin``, in a unit in which distances are multiplied by 2 to the power of ``exponent``.
    """

    metric: Metric
    n: int
    objects: Array | None = field(default=None, repr=False)
    vectors: Array | None = field(default=None, repr=False)
    origin: Array | None = field(default=None, repr=False)
    exponent: int = field(default=0, repr=False)

    def between(self, rows: Objects, columns: Objects | None = None) -> Array:
        """Return the distances of some objects (rows) to others, or to all (columns)."""
        rows = _as_indices(rows, self.n)
        columns = _as_indices(slice(None) if columns is None else columns, self.n)
        block = self._block(rows, columns)
        _clear_own(block, rows, columns)
        return self.in_units(block)

    def in_units(self, distances: Array) -> Array:
        """Return distances between vectors in the units of the features that were read."""
        if not self.exponent:
            return distances
        with np.errstate(over="ignore"):
            # Multiplication is faster, but the factor alone may overflow.
            small = abs(self.exponent) < _LARGE_EXPONENT
            scaled = distances * 2.0**self.exponent if small else np.ldexp(distances, self.exponent)
        if self.exponent >= _LARGE_EXPONENT and not np.isfinite(scaled).all():
            raise InputError("the values of X are so large that distances overflow; scale them.")
        return scaled

    def relative(self) -> "Distances":
        """Return the distances in a unit of their own, for what depends on their ratios only."""
        return replace(self, exponent=0)

    @abstractmethod
    def take(self, objects: Array) -> "Distances":
        """Return the distances of some of the objects, in this order."""

    @abstractmethod
    def _block(self, rows: Objects, columns: Objects) -> Array:
        """Return the distances of some objects to others, as writable 64-bit floats."""

    def at(self, points: Array) -> "Distances":
        """Return the same metric between other points."""
        if self.vectors is None:
            raise InputError(f"metric={self.metric!r} compares objects that have no vectors.")
        points = read_only(np.ascontiguousarray(points, np.float64))
        return replace(self, n=len(points), vectors=points, objects=None)

    def as_table(self, dtype: str = "float64", remedy: str = "use a sample") -> Array:
        """Return the distances of all pairs, n × n; ``remedy`` is advice if there are too many."""
        out: Array = allocate_table(self.n, dtype, remedy)
        self.fill(out)
        return out

    def fill(self, out: Array) -> None:
        """Write the distances of all pairs into a square matrix."""
        if out.shape != (self.n, self.n) or out.dtype not in (np.float64, np.float32):
            raise InputError(
                f"the table for distances has shape {out.shape} and dtype {out.dtype}; make it "
                f"{self.n} x {self.n} floats of 64 or 32 bits."
            )
        if not out.flags.c_contiguous:
            raise InputError("the table for distances must be C-contiguous.")
        bands = -(-self.n // SIDE)

        def task(part: int) -> None:
            # Bands from both ends: the first has the most blocks and the last the fewest.
            for band in {part, bands - 1 - part}:
                top = band * SIDE
                for left in range(top, self.n, SIDE):
                    block = self.between(slice(top, top + SIDE), slice(left, left + SIDE))
                    write_block(block, top, left, out)

        run_distance_parts(task, -(-bands // 2), self)
        np.fill_diagonal(out, 0.0)


def run_distance_parts(task: Callable[[int], None], parts: int, distances: Distances) -> None:
    """Run the parts in threads, unless there are few pairs or the metric is a Python function."""
    if distances.n**2 < SERIAL_BELOW or callable(distances.metric):
        for part in range(parts):
            task(part)
    else:
        run_parts(task, parts)


@dataclass(frozen=True)
class VectorDistances(Distances):
    """Any metric of SciPy's ``cdist``, or a function of two vectors."""

    options: dict[str, Any] = field(default_factory=dict, repr=False)

    def take(self, objects: Array) -> Distances:
        assert self.vectors is not None
        vectors = read_only(self.vectors[objects])
        return replace(self, n=len(vectors), vectors=vectors, objects=_original(self, objects))

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
            first, second = _original(self, rows)[i], _original(self, columns)[j]
            raise InputError(
                f"metric={self.metric!r} gives {block[i, j]} for the objects {first} and {second} "
                "of X; use another metric, or leave such objects out."
            )
        return block


@dataclass(frozen=True)
class EuclideanDistances(VectorDistances):
    """Euclidean distances, by a kernel that is twice as fast as SciPy's."""

    @cached_property
    def _transposed(self) -> Array:
        assert self.vectors is not None
        return read_only(np.ascontiguousarray(self.vectors.T))

    def _block(self, rows: Objects, columns: Objects) -> Array:
        assert self.vectors is not None
        transposed = self._transposed
        if isinstance(columns, slice):
            start, stop = columns.start, columns.stop
        else:
            transposed = read_only(np.ascontiguousarray(transposed[:, columns]))
            start, stop = 0, transposed.shape[1]
        first = read_only(self.vectors[rows])
        block = np.empty((len(first), stop - start))
        euclidean(first, transposed, start, stop, block)
        return block


@dataclass(frozen=True)
class GowerDistances(Distances):
    """Gower's distances of mixed features.

    ``numeric`` and ``codes`` (of categorical features) have a row per feature.
    """

    numeric: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    ranges: Array = field(default_factory=lambda: np.empty(0), repr=False)
    codes: Array = field(default_factory=lambda: np.empty((0, 0), np.int64), repr=False)

    def take(self, objects: Array) -> Distances:
        numeric, codes = self._columns(objects)
        objects = _original(self, objects)
        return replace(self, n=len(objects), objects=objects, numeric=numeric, codes=codes)

    def _columns(self, objects: Objects) -> tuple[Array, Array]:
        numeric, codes = self.numeric[:, objects], self.codes[:, objects]
        return read_only(np.ascontiguousarray(numeric)), read_only(np.ascontiguousarray(codes))

    def _block(self, rows: Objects, columns: Objects) -> Array:
        first, second = self._columns(rows), self._columns(columns)
        block = np.empty((first[0].shape[1], second[0].shape[1]))
        gower(*first, *second, self.ranges, block)
        return block


@dataclass(frozen=True)
class PrecomputedDistances(Distances):
    """Precomputed distances; those of ``objects`` are looked up, so that none are copied."""

    table: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)

    def take(self, objects: Array) -> Distances:
        objects = _original(self, objects)
        return replace(self, n=len(objects), objects=objects)

    def _block(self, rows: Objects, columns: Objects) -> Array:
        if self.objects is None:
            block = self.table[rows][:, columns]
        else:
            block = self.table[np.ix_(self.objects[rows], self.objects[columns])]
        return np.array(block, np.float64)


def _as_indices(objects: Objects, n: int) -> Objects:
    """Return a slice with both ends and step 1, or an array of indices."""
    if isinstance(objects, slice):
        start, stop, step = objects.indices(n)
        if step == 1:
            return slice(start, max(start, stop))
    return np.arange(n)[objects]


def _clear_own(block: Array, rows: Objects, columns: Objects) -> None:
    """Set the distance of an object and itself to 0, despite rounding and missing values."""
    if not isinstance(rows, slice) or not isinstance(columns, slice):
        first, second = (
            np.arange(side.start, side.stop) if isinstance(side, slice) else side
            for side in (rows, columns)
        )
        block[first[:, None] == second] = 0
        return
    both = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
    block[both - rows.start, both - columns.start] = 0


def _original(distances: Distances, objects: Objects) -> Array:
    """Return the indices of some of the objects in the data that was read."""
    if distances.objects is None:
        return np.arange(distances.n)[objects]
    return distances.objects[objects]
