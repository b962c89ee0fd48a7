"""A lattice of cells along some axes, cut most often where objects vary most."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

# What is left of a variance by cutting its axis into b cells is about b to the power of this.
_LEFT = -1.6
# Steps of axes, so that sums rounded by different engines in their own way give the same ones.
_STEP = 2.0**-20
# Cells that an axis is cut into at most.
_MOST_CUTS = 1 << 30


class Lattice(NamedTuple):
    """Cells around a middle point.

    ``axes`` has a column for each axis that is cut, ``scales`` are its cells per unit of length,
    ``counts`` its cells; the outermost ones have no end.
    """

    middles: Array
    axes: Array
    scales: Array
    counts: Array

    @property
    def strides(self) -> list[int]:
        """What a step along each axis adds to the number of a cell."""
        strides = [1]
        for count in self.counts.tolist():
            strides.append(strides[-1] * count)
        return strides[:-1]


def principal_axes(products: Array) -> tuple[Array, Array]:
    """The principal axes of objects, as columns, and the variances along them."""
    variances, axes = np.linalg.eigh(products)
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), np.arange(len(axes))] < 0, -1.0, 1.0)
    return np.round(axes / _STEP) * _STEP, np.maximum(variances, 0.0)


def lay_lattice(middles: Array, axes: Array, variances: Array, most: float) -> Lattice:
    """The lattice of at most so many cells that leaves least variance inside them.

    Widths are about those that suit a normal distribution best.
    """
    counts = _cut(variances, most)
    cut = counts > 1
    counts, spreads = counts[cut], np.sqrt(variances[cut])
    scales = counts / (2 * spreads * np.sqrt(3 * np.log(counts)))
    return Lattice(middles, axes[:, cut], _rounded(scales), counts)


def _cut(variances: Array, most: float) -> Array:
    """Cells of each axis: always one cut more where it takes away most variance for its price."""
    counts = np.ones(variances.size, np.int64)
    # Rounding makes a variance of nothing, too.
    open_ = variances > variances.max(initial=0.0) * 1e-12
    cells = 1.0
    while open_.any():
        more = counts + np.maximum(1, counts // 8)
        gains = variances * (counts**_LEFT - more**_LEFT) / np.log(more / counts)
        axis = int(np.argmax(np.where(open_, gains, -1.0)))
        after = cells / counts[axis] * more[axis]
        if after > most or more[axis] > _MOST_CUTS:
            open_[axis] = False
        else:
            counts[axis], cells = more[axis], after
    return counts


def _rounded(scales: Array) -> Array:
    """To some binary digits, for the same reason as axes are."""
    parts, exponents = np.frexp(scales)
    return np.ldexp(np.round(parts / _STEP) * _STEP, exponents)
