"""Columns of a file as codes and distinct values, and what each column seems to contain.

A text file has no types. One rule, applied to the distinct values only, decides: if all are
integers they become integers, otherwise they stay strings.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array

# The most characters of a value; a longer one is no label, and slow in whatever is done with it.
LONGEST_VALUE = 2**24
MISSING_STRINGS = frozenset({"", "NA", "N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"})
NESTED = object()  # stands for a list or a JSON object, which cannot be a label

# Leading zeros mean a code such as a postcode, not a number; so do very many digits.
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0+)?")
MEASUREMENT = r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?"
_NUMBER = re.compile(MEASUREMENT)

# "many": a column on disk with more values than can be fetched.
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
        """The rows without a value."""
        return np.flatnonzero(self.codes < 0)

    def to_list(self) -> list[Any]:
        """Return the value of each row, None where it is missing."""
        values = [*self.values, None]
        return [values[code] for code in self.codes.tolist()]

    def take(self, rows: Array) -> "Column":
        """Return the column of some of the rows."""
        return replace(self, codes=self.codes[rows])

    @cached_property
    def kind(self) -> Kind:
        """What the column seems to contain."""
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
    """Columns of one file. ``location(row)`` is the location of a row in the file.

    ``names`` are all columns of the file, also those that were not read.
    """

    path: str
    names: list[str]
    columns: dict[str, Column]
    rows: int
    location: Callable[[int], str]


def text_column(name: str, codes: Array, texts: Sequence[str]) -> Column:
    """Return a column of a text file: strip spaces, find missing values, parse integers."""
    trimmed = [text.strip() for text in texts]
    present = [None if text in MISSING_STRINGS else text for text in trimmed]
    if all(text is None or _WHOLE.fullmatch(text) for text in present):
        integers = [None if text is None else int(text.partition(".")[0]) for text in present]
        return _merged(name, codes, integers)
    return _merged(name, codes, present)


def typed_column(name: str, codes: Array, values: Sequence[Any]) -> Column:
    """Return a column of typed values; floats become integers if all of them are integral."""
    if NESTED in values:
        return Column(name, codes, values, nested=True)
    present = [None if value is None or value != value else value for value in values]
    floats = [value for value in present if isinstance(value, float)]
    if floats and all(value.is_integer() for value in floats):
        present = [int(value) if isinstance(value, float) else value for value in present]
    return _merged(name, codes, present)


def key_text(value: Any) -> str:
    """Return a key as a string that is equal in all files: 7, 7.0 and "7" are the same key."""
    text = str(value).strip()
    return text.partition(".")[0] if _WHOLE.fullmatch(text) else text


def is_number(text: str) -> bool:
    """Return whether a string is a decimal number, with a point or a comma."""
    return _NUMBER.fullmatch(text) is not None


def label_of(text: str) -> int | str:
    """Return a label from the command line, by the rule for text files."""
    return int(text.partition(".")[0]) if _WHOLE.fullmatch(text) else text


def _merged(name: str, codes: Array, values: Sequence[Any]) -> Column:
    """Return a column in which equal values have one code, and None has the code -1."""
    if any(isinstance(value, str) and len(value) > LONGEST_VALUE for value in values):
        raise InputError(
            f"column {name!r} has a value of more than {LONGEST_VALUE:,} characters; shorten it, "
            "or remove the column."
        )
    seen: dict[tuple[type, Any], int] = {}  # by type too, since True == 1 in Python
    fresh = [-1 if v is None else seen.setdefault((type(v), v), len(seen)) for v in values]
    recode = np.array([*fresh, -1], np.int64)  # the last entry is for code -1
    return Column(name, recode[codes], [value for _, value in seen])


def _are_measurements(values: Sequence[Any]) -> bool:
    """Return whether all are numbers, some of them not integers."""
    if all(isinstance(value, str) for value in values):
        if not all(is_number(value) for value in values):
            return False
        return any(not float(value.replace(",", ".")).is_integer() for value in values)
    if not all(isinstance(value, int | float) for value in values):
        return False
    return any(isinstance(value, float) for value in values)
