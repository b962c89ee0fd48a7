"""Lossless JSON for values and arrays, in files with a type, a version and a checksum.

Reading a file never executes code, and never allocates much more than the file's own size: every
value is checked before it is used. Readers raise ValueErrors and the like for what was not written
by the writers; :func:`refuse_damage` turns them into one sentence that names the file.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.files import write_atomically
from clusterwise.inputs.encoding import Array, smallest_unsigned

_PLAIN = (type(None), bool, int, str)
# Types with a lossless string form; float is for the values that JSON lacks (NaN, infinity).
_CODECS: dict[type, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    float: (repr, float),
    bytes: (bytes.hex, bytes.fromhex),
    date: (date.isoformat, date.fromisoformat),
    datetime: (datetime.isoformat, datetime.fromisoformat),
    time: (time.isoformat, time.fromisoformat),
    Decimal: (str, Decimal),
    UUID: (str, UUID),
}
_TYPES = {kind.__name__: kind for kind in _CODECS}
# Booleans, numbers, strings, dates and durations; and the types in which integers are stored.
_DTYPE = re.compile(r"[<>|][biufSUmM]\d{1,9}(\[\d{0,9}[A-Za-z]{1,7}\])?")
_NARROW = {np.dtype(kind).str for kind in (np.uint8, np.uint16, np.uint32, np.uint64)}
# The longest values in bytes that an array without values may have.
_LONGEST = 1 << 16
_LAST_CODE_POINT = 0x10FFFF


def write_value(value: Any) -> Any:
    """Return a value as JSON; values of types that JSON lacks with the name of their type.

    Raises
    ------
    InputError
        If :func:`read_value` would not return the same value.
    """
    if type(value) in _PLAIN or (type(value) is float and np.isfinite(value)):
        return value
    try:
        written = _encode(value)
        back = read_value(written)
        if type(back) is type(value) and bool(back == value):
            return written
    except (KeyError, ValueError, TypeError):
        pass
    raise InputError(
        f"{value!r} is of the type {type(value).__name__}, which cannot be saved; use strings, "
        "numbers, dates or tuples of them."
    )


def read_value(written: Any) -> Any:
    """Return the value from the JSON of :func:`write_value`."""
    if not isinstance(written, dict):
        if type(written) in _PLAIN or (type(written) is float and np.isfinite(written)):
            return written
        raise ValueError("no plain value")
    ((kind, text),) = written.items()
    if kind == "tuple":
        return tuple(map(read_value, read_list(text)))
    if kind == "timedelta":
        days, seconds, microseconds = map(read_integer, read_list(text))
        return timedelta(days, seconds, microseconds)
    if kind == "numpy":
        (scalar,) = read_array(text)
        return scalar
    return _CODECS[_TYPES[kind]][1](read_string(text))


def read_integer(written: Any) -> int:
    """Return an integer of at most 64 bits."""
    if type(written) is not int or not -(2**63) <= written < 2**63:
        raise ValueError("no integer")
    return written


def read_count(written: Any) -> int:
    """Return a number of objects, at least 0."""
    if read_integer(written) < 0:
        raise ValueError("a negative count")
    return int(written)


def read_string(written: Any) -> str:
    """Return a string."""
    if type(written) is not str:
        raise ValueError("no string")
    return written


def read_boolean(written: Any) -> bool:
    """Return a boolean."""
    if type(written) is not bool:
        raise ValueError("no boolean")
    return written


def read_number(written: Any) -> float:
    """Return a finite float."""
    if type(written) is not float or not np.isfinite(written):
        raise ValueError("no number")
    return written


def read_list(written: Any) -> list[Any]:
    """Return a list."""
    if type(written) is not list:
        raise ValueError("no list")
    return written


def read_dict(written: Any, *names: str) -> dict[str, Any]:
    """Return a dict, with exactly these keys if there are any."""
    if type(written) is not dict or (names and written.keys() != set(names)):
        raise ValueError("no such dict")
    return written


def write_array(array: Array) -> dict[str, Any]:
    """Return an array as JSON; non-negative integers in the smallest sufficient type."""
    if array.dtype == object:
        return {"values": [write_value(value) for value in array.tolist()]}
    stored = array
    if array.dtype.kind in "iu" and array.size and array.min() >= 0:
        stored = array.astype(smallest_unsigned(int(array.max()) + 1))
    return {
        "dtype": array.dtype.str,
        "stored": stored.dtype.str,
        "shape": list(array.shape),
        "data": b64encode(stored.tobytes()).decode("ascii"),
    }


def read_array(written: Any) -> Array:
    """Return the array from the JSON of :func:`write_array`."""
    if type(written) is dict and "values" in written:
        values = read_list(read_dict(written, "values")["values"])
        return np.fromiter(map(read_value, values), object, len(values))
    read_dict(written, "dtype", "stored", "shape", "data")
    dtype, stored = _read_dtype(written["dtype"]), _read_dtype(written["stored"])
    if dtype != stored and not (dtype.kind in "iu" and stored.str in _NARROW):
        raise ValueError("an array stored in another type")
    shape = tuple(map(read_count, read_list(written["shape"])))
    data = b64decode(read_string(written["data"]), validate=True)
    size = prod(shape)
    if len(shape) > 2 or size * stored.itemsize != len(data) or (size and not stored.itemsize):
        raise ValueError("an array of another size")
    if stored.itemsize > max(_LONGEST, len(data)):  # NumPy reserves it even for no values
        raise ValueError("values that are too long")
    array = np.frombuffer(data, stored)
    if array.size and (
        (stored.kind == "b" and array.view(np.uint8).max() > 1)
        or (stored.kind == "U" and array.view(stored.str[0] + "u4").max() > _LAST_CODE_POINT)
    ):
        raise ValueError("values that do not exist")
    return array.reshape(shape).astype(dtype)


def write_document(path: Path, kind: str, version: int, body: dict[str, Any]) -> None:
    """Write a file atomically: a line with type, version and checksum, and a line with the body."""
    text = json.dumps(body, allow_nan=False, separators=(",", ":")).encode("ascii")
    header = {"clusterwise": kind, "version": version, "sha256": sha256(text).hexdigest()}
    write_atomically(path, json.dumps(header).encode("ascii") + b"\n" + text + b"\n")


def read_document(path: Path, kind: str, version: int) -> dict[str, Any]:
    """Return the body that :func:`write_document` wrote.

    Raises
    ------
    InputError
        If the file is missing, of another type, of a newer version, or damaged.
    """
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # null characters and lone surrogates are ValueErrors
        said = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read ({said}); check the path.") from error
    line, _, text = data.partition(b"\n")
    foreign = InputError(f"{path} is not a {kind}; pass a file that was saved as one.")
    if not line.startswith(b'{"clusterwise": '):
        raise foreign
    with refuse_damage(path):
        header = read_dict(_parse(line))
    if header["clusterwise"] != kind:
        raise foreign
    with refuse_damage(path):
        found = read_count(header["version"])
    if found > version:
        raise InputError(f"{path} was written by a newer clusterwise; update this one to read it.")
    text = text.removesuffix(b"\n")
    if found != version or header.get("sha256") != sha256(text).hexdigest():
        raise damaged(path)
    with refuse_damage(path):
        return read_dict(_parse(text))


@contextmanager
def refuse_damage(path: Path) -> Iterator[None]:
    """Raise an InputError that names the file if its contents are not as expected."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise damaged(path) from error
    except RecursionError as error:  # values nested in values, thousands of times
        raise damaged(path) from error


def _parse(text: bytes) -> Any:
    return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not in JSON")


def damaged(path: Path) -> InputError:
    """Return the error for a damaged file."""
    return InputError(f"{path} is damaged; use an older copy, or remove it and start again.")


def _read_dtype(written: Any) -> np.dtype[Any]:
    if _DTYPE.fullmatch(read_string(written)) is None:
        raise ValueError("no type of arrays")
    return np.dtype(written)


def _encode(value: Any) -> dict[str, Any]:
    kind = type(value)
    if kind is tuple:
        return {"tuple": [write_value(one) for one in value]}
    if kind is timedelta:
        return {"timedelta": [value.days, value.seconds, value.microseconds]}
    if isinstance(value, np.generic):
        return {"numpy": write_array(np.asarray(value).reshape(1))}
    return {kind.__name__: _CODECS[kind][0](value)}
