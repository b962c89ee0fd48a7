"""Centre and scale numbers exactly, so that offsets do not cancel and squares do not overflow.

All values of a column whose largest is at most twice its smallest differ from the smallest by
numbers that floats represent exactly (Sterbenz's lemma), so subtracting it loses nothing. Any other
column is at most twice as large as it is wide, and needs no offset. Division by a power of two is
exact as well. So distances are the same to the last bit, in another unit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterwise._utils.warnings import warn_user
from clusterwise.inputs.encoding import Array, read_only

# A column varies by rounding errors only if its range is at most this fraction of its largest
# value, or of the largest range of all columns: a few units in the last place.
ROUNDING = 2.0**-50


class Centred(NamedTuple):
    """Columns of numbers below 1 in size, such that X is ``origin + values * 2**exponent``.

    ``rounding`` are the columns that vary by rounding errors only; their values are 0.
    """

    values: Array
    origin: Array
    exponent: int
    rounding: Array


class Centring(NamedTuple):
    """How columns are centred and scaled: see :class:`Centred`."""

    origin: Array
    exponent: int
    rounding: Array

    def apply(self, X: Array) -> Array:
        """Return the values of some rows, without a copy if they stay as they are."""
        values = X - self.origin if self.origin.any() else X
        if self.rounding.size:
            noisy = np.isin(np.arange(X.shape[1]), self.rounding)
            values = np.where(noisy, 0.0, values)
        return _scaled(values, -self.exponent)


def centre_and_scale(X: Array, *, least_offset: float = 1.0) -> Centred:
    """Centre the columns of finite numbers, and scale all of them by one power of two.

    Columns are centred if their largest value is at least ``least_offset`` times their range, or
    for constant columns the largest range.
    """
    X = np.asarray(X, np.float64)
    found = find_centring(X, least_offset=least_offset)
    return Centred(read_only(found.apply(X)), *found)


def find_centring(X: Array, *, least_offset: float = 1.0) -> Centring:
    """Return how :func:`centre_and_scale` changes the columns, without a copy of them."""
    if not X.size:
        return Centring(np.zeros(X.shape[1]), 0, np.empty(0, np.int64))
    low, high = X.min(axis=0), X.max(axis=0)
    # Halves, because the difference of two large numbers may overflow.
    half_range = high / 2 - low / 2
    near = (low > 0) & (high / 2 <= low) | (high < 0) & (low / 2 >= high)
    width = np.where(half_range > 0, half_range, half_range.max())
    half_size = np.maximum(np.abs(low), np.abs(high)) / 2
    near &= (width > 0) & (half_size / least_offset >= width)
    noisy = is_rounding(low, high)
    near |= noisy
    origin = np.where(near, low, 0.0)
    # The largest value of a column is that of its smallest or of its largest number.
    largest = np.where(noisy, 0.0, np.maximum(np.abs(low - origin), np.abs(high - origin)))
    exponent = int(np.frexp(largest.max())[1])
    return Centring(read_only(origin), exponent, np.flatnonzero(noisy))


def is_rounding(low: Array, high: Array) -> Array:
    """Return which columns with these ranges vary, but by rounding errors only."""
    half_range = high / 2 - low / 2
    half_size = np.maximum(np.abs(low), np.abs(high)) / 2
    largest = np.maximum(half_size, half_range.max(initial=0.0))
    return np.asarray((half_range > 0) & (half_range <= ROUNDING * largest))


def scale(X: Array) -> Centred:
    """Scale all columns by one power of two."""
    exponent = int(np.frexp(np.abs(X).max(initial=0.0))[1])
    return unscaled(_scaled(X, -exponent))._replace(exponent=exponent)


def unscaled(X: Array) -> Centred:
    """Return the columns as they are."""
    return Centred(read_only(X), np.zeros(X.shape[1]), 0, np.empty(0, np.int64))


def _scaled(values: Array, exponent: int) -> Array:
    return np.ldexp(values, exponent) if exponent else values


def warn_of_rounding(names: Sequence[str], rounding: Array) -> None:
    """Warn of columns that vary by rounding errors only, and so count as constant."""
    if rounding.size:
        several = rounding.size > 1
        warn_user(
            f"column{'s' if several else ''} {', '.join(repr(names[r]) for r in rounding)} of X "
            f"var{'y' if several else 'ies'} by rounding errors only, compared with the size of "
            "the numbers or with other columns, and so count"
            f"{'' if several else 's'} as constant; subtract an offset or scale X first if that "
            "is wrong.",
        )
