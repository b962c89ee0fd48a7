"""Lossless JSON for values and arrays, in files with a type, a version and a checksum.

Reading a file never executes code.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from hashlib import sha256
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
        return written
    ((kind, text),) = written.items()
    if kind == "tuple":
        return tuple(map(read_value, text))
    if kind == "timedelta":
        return timedelta(*text)
    if kind == "numpy":
        return read_array(text)[0]
    return _CODECS[_TYPES[kind]][1](text)


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


def read_array(written: dict[str, Any]) -> Array:
    """Return the array from the JSON of :func:`write_array`."""
    if "values" in written:
        return np.fromiter(map(read_value, written["values"]), object, len(written["values"]))
    data, shape = b64decode(written["data"], validate=True), written["shape"]
    if not data:  # arrays of empty strings have no bytes
        return np.zeros(shape, written["dtype"])
    return np.frombuffer(data, written["stored"]).reshape(shape).astype(written["dtype"])


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
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check the path.") from error
    line, _, text = data.partition(b"\n")
    header: Any = None
    if line.startswith(b'{"clusterwise": '):
        try:
            header = json.loads(line)
        except ValueError:
            header = {}
    if header is None or header.get("clusterwise", kind) != kind:
        raise InputError(f"{path} is not a {kind}; pass a file that was saved as one.")
    found = header.get("version")
    if isinstance(found, int) and found > version:
        raise InputError(f"{path} was written by a newer clusterwise; update this one to read it.")
    text = text.removesuffix(b"\n")
    if found != version or header.get("sha256") != sha256(text).hexdigest():
        raise damaged(path)
    body: dict[str, Any] = json.loads(text)
    return body


def damaged(path: Path) -> InputError:
    """Return the error for a damaged file."""
    return InputError(f"{path} is damaged; use an older copy, or remove it and start again.")


def _encode(value: Any) -> dict[str, Any]:
    kind = type(value)
    if kind is tuple:
        return {"tuple": [write_value(one) for one in value]}
    if kind is timedelta:
        return {"timedelta": [value.days, value.seconds, value.microseconds]}
    if isinstance(value, np.generic):
        return {"numpy": write_array(np.asarray(value).reshape(1))}
    return {kind.__name__: _CODECS[kind][0](value)}
