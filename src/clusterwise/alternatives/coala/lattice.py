"""A lattice along principal axes, with the most cells along those of the largest variance."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

# Cutting an axis into b cells leaves about b to this power of its variance inside cells.
_LEFT = -1.6
# Axes are rounded to this step, so that rounding errors of different engines do not change them.
_STEP = 2.0**-20
# The largest number of cells along an axis.
_MOST_CUTS = 1 << 30


class Lattice(NamedTuple):
    """A lattice of cells around a centre.

    ``axes`` has a column for each axis that is cut, ``scales`` are cells per unit of length along
    it, ``counts`` numbers of cells; the outermost cells are unbounded.
    """

    centre: Array
    axes: Array
    scales: Array
    counts: Array

    @property
    def strides(self) -> list[int]:
        """The difference of the numbers of two neighbouring cells along each axis."""
        strides = [1]
        for count in self.counts.tolist():
            strides.append(strides[-1] * count)
        return strides[:-1]


def principal_axes(products: Array) -> tuple[Array, Array]:
    """Return the principal axes of a covariance matrix as columns, and the variances along them."""
    variances, axes = np.linalg.eigh(products)
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), np.arange(len(axes))] < 0, -1.0, 1.0)
    return np.round(axes / _STEP) * _STEP, np.maximum(variances, 0.0)


def lay_lattice(centre: Array, axes: Array, variances: Array, most: float) -> Lattice:
    """Return the lattice of at most ``most`` cells with the least variance inside them.

    The widths of cells are nearly optimal for a normal distribution.
    """
    counts = _cut(variances, most)
    cut = counts > 1
    counts, spreads = counts[cut], np.sqrt(variances[cut])
    scales = counts / (2 * spreads * np.sqrt(3 * np.log(counts)))
    return Lattice(centre, axes[:, cut], _rounded(scales), counts)


def _cut(variances: Array, most: float) -> Array:
    """Return the number of cells along each axis, refined greedily by variance per cost."""
    counts = np.ones(variances.size, np.int64)
    # Axes whose variance is a rounding error are not cut.
    can_refine = variances > variances.max(initial=0.0) * 1e-12
    cells = 1.0
    while can_refine.any():
        more = counts + np.maximum(1, counts // 8)
        gains = variances * (counts**_LEFT - more**_LEFT) / np.log(more / counts)
        axis = int(np.argmax(np.where(can_refine, gains, -1.0)))
        after = cells / counts[axis] * more[axis]
        if after > most or more[axis] > _MOST_CUTS:
            can_refine[axis] = False
        else:
            counts[axis], cells = more[axis], after
    return counts


def _rounded(scales: Array) -> Array:
    """Round to some binary digits, for the same reason as axes."""
    parts, exponents = np.frexp(scales)
    return np.ldexp(np.round(parts / _STEP) * _STEP, exponents)
