"""Encode values as integer codes and names, and renumber labels.

Integers keep their own array, categoricals their codes. Everything else is hashed once, in linear
time; only the distinct values are sorted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clusterwise._utils.errors import InputError

Array = NDArray[Any]

# Integer labels are used as they are if their range is at most this many times their number.
_DENSE_RANGE = 2
_SMALL_RANGE = 1 << 16
_SAMPLE = 4096
# Up to this many values are converted for kernels; the range of so few labels is not sampled.
_SHORT = 2 * _SAMPLE
# Integers above this are not all representable as floats.
_EXACT_FLOAT = 2.0**53
# Integers of fewer bits are always converted to strings: Python's limit has at least 640 digits.
_LONG_INTEGER = 2048
# The largest double below 2^63: sums of 64-bit counts up to it do not overflow.
LARGEST_TOTAL = 2.0**63 - 1024
# Sums of floating-point weights up to this total, and of a few such sums, do not overflow.
LARGEST_WEIGHT = 1e307

# The cluster of objects without a label, if they are to be one cluster.
MISSING_LABEL = "(missing)"


class MissingLabelsError(InputError):
    """Labels are missing; ``mask`` is true for the objects without one."""

    def __init__(self, message: str, mask: NDArray[Any]) -> None:
        super().__init__(message)
        self.mask = mask


@dataclass(frozen=True, slots=True)
class Codes:
    """Integer labels: ``values - first`` is a position below ``size``.

    ``names`` has the name at each position; None means that the values are
    the names. ``certain`` is False while ``first`` and ``size`` come from a sample.
    """

    values: Array
    first: int
    size: int
    names: Array | None = None
    certain: bool = True

    def names_at(self, positions: Array) -> Array:
        """Return the names of the clusters at these positions."""
        if self.names is not None:
            return self.names[positions]
        return (positions + self.first).astype(self.values.dtype)

    def all_names(self) -> Array:
        """Return the names of all clusters, in order."""
        return self.names_at(np.arange(self.size))

    def positions(self) -> Array:
        """Return the codes counted from zero."""
        if self.first == 0:
            return self.values
        return self.values.astype(np.int64) - self.first

    def kernel_values(self) -> Array:
        """Return the values in a form for kernels."""
        return for_kernel(self.values, np.int64)

    def kernel_first(self) -> np.uint64:
        """Return ``first`` for kernels, which subtract it in wrapping 64-bit arithmetic."""
        return np.uint64(self.first & 0xFFFFFFFFFFFFFFFF)

    def exact(self) -> "Codes":
        """Return the same codes with the true range; labels with a wide range are hashed."""
        if self.certain:
            return self
        from clusterwise.kernels.encoding import value_range

        low, high = (int(end) for end in value_range(self.kernel_values()))
        if high - low >= max(_SMALL_RANGE, _DENSE_RANGE * self.values.size):
            return _hashed(self.values, self.values)
        return Codes(self.values, low, high - low + 1)


def encode_array(labels: Array, where: str) -> Codes:
    """Return the codes of a NumPy array of any dtype."""
    if labels.ndim != 1:
        raise InputError(f"{where} must be 1D: shape is {labels.shape}; pass one label per object.")
    if isinstance(labels, np.ma.MaskedArray):
        refuse_missing(np.ma.getmaskarray(labels), where)
        labels = labels.data
    labels = np.asarray(labels)
    if not labels.size:
        return Codes(read_only(np.empty(0, np.int64)), 0, 0)
    kind = labels.dtype.kind
    if not labels.dtype.isnative:
        labels = labels.astype(labels.dtype.newbyteorder("="))
    if kind in "iu":
        return _encode_integers(labels)
    if kind == "b":
        return Codes(read_only(labels.view(np.uint8)), 0, 2, np.array([False, True]))
    if kind == "f" and labels.dtype.itemsize <= 8:
        return _encode_floats(labels, where)
    if kind in "mM":
        refuse_missing(np.isnat(labels), where)
        return _hashed(labels.view(np.int64), labels)
    if kind in "US" and labels.dtype.itemsize:
        flat = np.ascontiguousarray(labels)
        word = np.uint32 if kind == "U" else np.uint8
        return _hashed(flat.view(word).reshape(flat.size, -1), flat)
    return encode_objects(list(labels) if kind == "f" else labels.tolist(), where)


def encode_objects(labels: Sequence[Any], where: str) -> Codes:
    """Return the codes of hashable objects: strings, numbers, tuples or mixtures of them."""
    try:
        distinct = list(dict.fromkeys(labels))
    except TypeError as error:
        raise InputError(
            f"{where} has labels that cannot be hashed ({error}); use strings or numbers."
        ) from None
    if any(map(is_missing, distinct)):
        refuse_missing(np.array([is_missing(label) for label in labels]), where)
    if any(map(_is_infinite, distinct)):
        _refuse_infinite(labels, np.array(list(map(_is_infinite, labels))), where)
    if any(map(_cannot_be_written, distinct)):
        first = next(i for i, label in enumerate(labels) if _cannot_be_written(label))
        raise InputError(
            f"{where} has an integer with too many digits to be written at position {first}; "
            "use other labels."
        )
    distinct = [distinct[i] for i in name_order(distinct)]
    position = {name: code for code, name in enumerate(distinct)}
    values = np.fromiter(
        map(position.__getitem__, labels), smallest_unsigned(len(distinct)), len(labels)
    )
    return Codes(read_only(values), 0, len(distinct), as_names(distinct))


def as_names(names: Sequence[Any]) -> Array:
    """Return names as an array of integers, strings or objects."""
    kinds = {type(name) for name in names}
    if kinds == {str}:
        return np.array(names)
    if kinds == {int} and np.min_scalar_type(max(names)).kind != "O":
        numbers = np.array(names)
        if numbers.dtype.kind in "iu":  # not floats, which huge ones would become
            return numbers
    array = np.empty(len(names), dtype=object)
    array[:] = list(names)
    return array


def name_list(names: Array) -> list[Any]:
    """Return names as plain Python values; dates and times as strings."""
    return (names.astype(str) if names.dtype.kind in "mM" else names).tolist()


def rows_by_name(names: Array) -> dict[Any, Array]:
    """Return the rows of each name, in order of appearance; names may be tuples."""
    found: dict[Any, list[int]] = {}
    for row, name in enumerate(name_list(names)):
        found.setdefault(name, []).append(row)
    return {name: np.array(rows) for name, rows in found.items()}


def union_of_names(ours: Array, theirs: Array) -> Codes:
    """Return the codes of our names, then of theirs, in the union of both."""
    where = "the names of the clusters"
    if ours.dtype.kind == theirs.dtype.kind != "O":
        codes = encode_array(np.concatenate([ours, theirs]), where).exact()
    else:
        parts = (part if part.dtype.kind in "mM" else part.tolist() for part in (ours, theirs))
        codes = encode_objects([name for part in parts for name in part], where)
    return Codes(read_only(codes.positions()), 0, codes.size, codes.all_names())


def smallest_unsigned(size: int) -> type[np.unsignedinteger[Any]]:
    """Return the narrowest unsigned type for codes below ``size``."""
    if size <= 1 << 8:
        return np.uint8
    if size <= 1 << 16:
        return np.uint16
    return np.uint32 if size <= 1 << 32 else np.uint64


def encode_sequence(labels: Sequence[Any], where: str) -> Codes:
    """Return the codes of a list or tuple: numbers become an array, the rest stay objects."""
    if not len(labels):
        return Codes(read_only(np.empty(0, np.int64)), 0, 0)
    if isinstance(labels[0], int | float | np.number | np.bool_):
        try:
            array = np.asarray(labels)
        except (ValueError, OverflowError):
            array = np.empty(0, dtype=object)
        if array.dtype.kind in "iub":
            return encode_array(array, where)
        if array.dtype.kind == "f" and not np.any(np.abs(array) >= _EXACT_FLOAT):
            return encode_array(array, where)
    return encode_objects(labels, where)


def _encode_integers(labels: Array) -> Codes:
    """Return integers as they are, with the range of a sample."""
    if labels.dtype == np.uint64:
        # Below 2^63 both types have the same bits; larger values are hashed.
        if int(labels.max()) >> 63:
            return _hashed(labels.view(np.int64), labels)
        labels = labels.view(np.int64)
    labels = read_only(labels)
    n = labels.size
    if n <= _SHORT:
        return Codes(labels, 0, 0, certain=False).exact()
    from clusterwise.kernels.encoding import value_range

    low, high = value_range(labels[:_SAMPLE])
    spread_low, spread_high = value_range(np.ascontiguousarray(labels[:: n // 1024]))
    low, high = int(min(low, spread_low)), int(max(high, spread_high))
    return Codes(labels, low, high - low + 1, certain=False)


def _encode_floats(labels: Array, where: str) -> Codes:
    refuse_missing(np.isnan(labels), where)
    whole = labels.astype(np.float64) + 0.0  # adding zero makes -0.0 and 0.0 one label
    codes = _hashed(whole.view(np.int64), labels)
    if np.isinf(codes.all_names()[[0, -1]]).any():  # they are sorted
        _refuse_infinite(labels, np.isinf(labels), where)
    return codes


def _hashed(words: Array, labels: Array) -> Codes:
    """Return codes by a hash table over the values' words; names are sorted."""
    from clusterwise.kernels.encoding import hash_rows

    rows = np.ascontiguousarray(words.reshape(len(labels), -1))
    codes = np.empty(len(labels), np.uint32 if len(labels) < 1 << 32 else np.int64)
    firsts = hash_rows(read_only(rows), codes)
    names = labels[firsts]
    order = np.argsort(names, kind="stable")
    rank = np.empty(order.size, smallest_unsigned(order.size))
    rank[order] = np.arange(order.size)
    return Codes(read_only(rank[codes]), 0, order.size, names[order])


def relabel_by_value(labels: Array) -> Array:
    """Return labels 0 … K-1 in the order of the old labels."""
    return np.unique(labels, return_inverse=True)[1]


def relabel_by_appearance(labels: Array) -> Array:
    """Return labels 0 … K-1 in the order in which the clusters first appear."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[codes]


def read_only(array: Array) -> Array:
    """Return a read-only view: kernels are compiled once for all callers."""
    view = array.view()
    view.flags.writeable = False
    return view


def to_array(values: Any, refusal: str) -> Array:
    """Return what people pass as an array; ``refusal`` is the error if that is impossible."""
    try:
        return np.asarray(values)
    except Exception:  # of NumPy, or of the library of a frame
        raise InputError(refusal) from None


def for_kernel(array: Array, dtype: type[np.generic]) -> Array:
    """Return a read-only view, of a contiguous copy with this dtype if the array is short.

    Kernels are compiled for each dtype and memory layout; that takes longer than a small copy.
    """
    if array.size <= _SHORT:
        array = np.ascontiguousarray(array, dtype)
    return read_only(array) if array.flags.writeable else array


def name_order(names: Sequence[Any]) -> list[int]:
    """Return the positions that sort the names, by type and string if they have no order."""
    positions = range(len(names))
    try:
        return sorted(positions, key=names.__getitem__)
    except TypeError:
        return sorted(positions, key=lambda i: (type(names[i]).__name__, str(names[i])))


def is_sequence_label(value: Any) -> bool:
    """Return whether a label is a sequence."""
    try:
        return np.ndim(value) == 1
    except ValueError:  # nested sequences of unequal lengths
        return False


def is_missing(name: Any) -> bool:
    """Return whether a value is missing: None, NaN, NaT, pandas.NA or masked."""
    if name is None or name is np.ma.masked:
        return True
    try:
        return bool(name != name)
    except (TypeError, ValueError):
        return True  # pandas.NA has no truth value


def refuse_masked(values: Any, where: str) -> None:
    """Raise an error for masked values in an array, or in the arrays of a list."""
    rows = isinstance(values, list | tuple) and values and isinstance(values[0], np.ndarray)
    parts = values if rows else [values]
    if any(isinstance(one, np.ma.MaskedArray) and np.ma.is_masked(one) for one in parts):
        raise InputError(
            f"{where} is a masked array with masked values; fill them in or drop them first."
        )


def refuse_lazy(values: Any, where: str) -> None:
    """Raise an error for lazy frames, of which NumPy would make an array of one object."""
    if hasattr(values, "collect"):
        raise InputError(f"{where} is a lazy frame; collect it first.")


def are_labels(names: Array) -> bool:
    """Return whether all names are such as :func:`encode_objects` accepts."""
    if names.dtype.kind != "O":
        return True
    return not any(_is_infinite(name) or _cannot_be_written(name) for name in names)


def _is_infinite(name: Any) -> bool:
    return isinstance(name, float | np.floating | Decimal) and abs(name) == np.inf


def _cannot_be_written(name: Any) -> bool:
    """Return whether a label is, or has, an integer that Python does not convert to a string."""
    if isinstance(name, tuple):
        return any(map(_cannot_be_written, name))
    if not isinstance(name, int) or name.bit_length() < _LONG_INTEGER:
        return False
    try:
        str(name)
    except ValueError:  # it takes time that grows with the square of the digits
        return True
    return False


def _refuse_infinite(labels: Sequence[Any] | Array, infinite: Array, where: str) -> None:
    """Raise an error with the position of the first infinite label."""
    position = int(np.argmax(infinite))
    raise InputError(
        f"{where} is {labels[position]} at position {position}; replace it by a label, or by NaN "
        "if it is missing."
    )


def refuse_sparse(clusterings: Any, where: str) -> None:
    """Raise an error for a sparse matrix in place of clusterings as columns."""
    if hasattr(clusterings, "tocsr"):
        raise InputError(
            f"{where} is a sparse matrix, not labels; pass a dense array with a column per "
            "clustering."
        )


def refuse_missing(missing: Array, where: str) -> None:
    """Raise an error with the position of the first missing label, if there is one."""
    count = int(np.count_nonzero(missing))
    if count:
        raise MissingLabelsError(
            f"{where} has no label at position {int(np.argmax(missing))} "
            f"({count} of {missing.size} are missing); drop those objects or give them a label.",
            missing,
        )
