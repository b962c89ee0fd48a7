"""Columns of a file as codes and distinct values, and what kind of column each is.

A text file says nothing of types. One rule, applied to the distinct values only,
decides: if all are whole numbers they become integers, otherwise they stay texts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from clusterwise.inputs.encoding import Array

MISSING_TEXTS = frozenset({"", "NA", "N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"})
NESTED = object()  # stands for a list or an object, which cannot be a label

# Leading zeros mean a code such as a postcode, not a number; so do very many digits.
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0+)?")
MEASUREMENT = r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?"
_NUMBER = re.compile(MEASUREMENT)

# "many" is for columns that stay on disk: more values than can be fetched.
Kind = Literal["labels", "ids", "features", "empty", "nested", "many"]


@dataclass(frozen=True, eq=False)
class Column:
    """One value per row: ``values[codes[row]]``, and code -1 where it is missing."""

    name: str
    codes: Array
    values: Sequence[Any]
    nested: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def missing(self) -> Array:
        """Rows without a value."""
        return np.flatnonzero(self.codes < 0)

    def to_list(self) -> list[Any]:
        """Return the value of each row, None where it is missing."""
        values = [*self.values, None]
        return [values[code] for code in self.codes.tolist()]

    def take(self, rows: Array) -> "Column":
        """The column of some of the rows."""
        return replace(self, codes=self.codes[rows])

    @cached_property
    def kind(self) -> Kind:
        """What the column seems to hold."""
        if self.nested:
            return "nested"
        if not self.values:
            return "empty"
        if _are_measurements(self.values):
            return "features"
        used = np.count_nonzero(np.bincount(self.codes[self.codes >= 0]))
        return "ids" if used == len(self.codes) else "labels"


@dataclass(frozen=True)
class Table:
    """What was read of one file. ``place(row)`` says where a row is in the file.

    ``names`` are all columns of the file, also those that were not asked for.
    """

    path: str
    names: list[str]
    columns: dict[str, Column]
    rows: int
    place: Callable[[int], str]


def text_column(name: str, codes: Array, texts: Sequence[str]) -> Column:
    """A column of a text file: spaces trimmed, missing values found, numbers read."""
    trimmed = [text.strip() for text in texts]
    present = [None if text in MISSING_TEXTS else text for text in trimmed]
    if all(text is None or _WHOLE.fullmatch(text) for text in present):
        whole = [None if text is None else int(text.partition(".")[0]) for text in present]
        return _merged(name, codes, whole)
    return _merged(name, codes, present)


def typed_column(name: str, codes: Array, values: Sequence[Any]) -> Column:
    """A column whose values have types already; whole floats become integers."""
    if NESTED in values:
        return Column(name, codes, values, nested=True)
    present = [None if value is None or value != value else value for value in values]
    floats = [value for value in present if isinstance(value, float)]
    if floats and all(value.is_integer() for value in floats):
        present = [int(value) if isinstance(value, float) else value for value in present]
    return _merged(name, codes, present)


def key_text(value: Any) -> str:
    """A key in the one spelling that all files share: 7, 7.0 and "7" are the same key."""
    text = str(value).strip()
    return text.partition(".")[0] if _WHOLE.fullmatch(text) else text


def is_number(text: str) -> bool:
    """Whether a text is a decimal number, with a point or a comma."""
    return _NUMBER.fullmatch(text) is not None


def label_of(text: str) -> int | str:
    """A label given on the command line, by the rule for text files."""
    return int(text.partition(".")[0]) if _WHOLE.fullmatch(text) else text


def _merged(name: str, codes: Array, values: Sequence[Any]) -> Column:
    """Give equal values one code, and None the code -1."""
    seen: dict[tuple[type, Any], int] = {}  # by type too, since True == 1 in Python
    fresh = [-1 if v is None else seen.setdefault((type(v), v), len(seen)) for v in values]
    recode = np.array([*fresh, -1], np.int64)  # the last entry is where code -1 looks
    return Column(name, recode[codes], [value for _, value in seen])


def _are_measurements(values: Sequence[Any]) -> bool:
    """Whether all are numbers, some of them not whole."""
    if all(isinstance(value, str) for value in values):
        if not all(is_number(value) for value in values):
            return False
        return any(not float(value.replace(",", ".")).is_integer() for value in values)
    if not all(isinstance(value, int | float) for value in values):
        return False
    return any(isinstance(value, float) for value in values)
