"""Columns of a file as codes and distinct values, and what each column seems to contain.

A text file has no types. As labels and keys, values are integers if all of them are, and strings
otherwise. What a column is taken as a feature is decided by :mod:`clusterwise.inputs.columns`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.columns.column_types import TypedColumn, decide_type
from clusterwise.inputs.columns.declared import DeclaredType
from clusterwise.inputs.columns.missing_strings import missing_mask
from clusterwise.inputs.columns.number_strings import NumberStrings
from clusterwise.inputs.encoding import Array

# The most characters of a value; a longer one is no label, and slow in whatever is done with it.
LONGEST_VALUE = 2**24
NESTED = object()  # stands for a list or a JSON object, which cannot be a label

# Leading zeros mean a code such as a postcode, not a number; so do very many digits.
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0+)?")
_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?")

# "many": a column on disk with more values than can be fetched.
Kind = Literal["labels", "ids", "features", "dates", "counts", "empty", "nested", "many"]
_KINDS: dict[str, Kind] = {"date": "dates", "empty": "empty", "identifier": "ids", "text": "many"}
# Integers are labels if there are few, or if they are numbered from -1, 0 or 1.
_FEW_LABELS = 10
_MANY_LABELS = 20
_LABEL_NAME = re.compile(
    r".*(cluster|label|class|segment|group|k-?means|dbscan|gmm|leiden|louvain|communit|topic).*",
    re.IGNORECASE,
)
_COUNT_NAME = re.compile(
    r"(.*[_\s.-])?(age|alter|year|years|jahr|month|monat|day|tag|hour|count|counts|anzahl|quantity"
    r"|qty|menge|amount|betrag|price|preis|income|salary|score|points|visits|orders|purchases)"
    r"|(n|num|number|nr)[_\s.-](of[_\s.-])?.*",
    re.IGNORECASE,
)


class Typing(Protocol):
    """What a column is taken as."""

    @property
    def typed(self) -> TypedColumn:
        """The decision."""


class ColumnTyping:
    """What a column of a file is taken as, decided when it is first asked for.

    It is decided over all rows of the file, also if joining files leaves some of them out.
    ``nulls`` are strings that mean missing, with their numbers of rows. ``counts`` are the numbers
    of rows of each code; by default there is a code for each row.
    """

    def __init__(
        self,
        name: str,
        codes: Array,
        values: Sequence[Any],
        nulls: dict[str, int],
        reading: "HowRead",
        counts: Array | None = None,
    ) -> None:
        self._column = name, codes, values, nulls, counts
        self._how = reading

    @cached_property
    def typed(self) -> TypedColumn:
        """The decision."""
        name, codes, values, nulls, rows_of = self._column
        declared, null = self._how
        there = codes >= 0
        weights = None if rows_of is None else rows_of[there]
        counts = np.bincount(codes[there], weights, minlength=len(values))
        counts = np.append(counts, list(nulls.values())).astype(np.int64)
        rows = len(codes) if rows_of is None else int(rows_of.sum())
        return decide_type(name, [*values, *nulls], counts, rows, declared=declared, null=null)


# The declared type and the strings that mean missing; for a column by its name.
HowRead = tuple[DeclaredType | None, Sequence[str]]
ColumnReading = Callable[[str], HowRead]
_AS_IT_IS: HowRead = (None, ())


@dataclass(frozen=True, eq=False)
class Column:
    """One value per row: ``values[codes[row]]``, and code -1 where it is missing."""

    name: str
    codes: Array
    values: Sequence[Any]
    nested: bool = False
    typing: Typing | None = None

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

    @property
    def typed(self) -> TypedColumn:
        """What the column is taken as."""
        if self.typing is None:
            return ColumnTyping(self.name, self.codes, self.values, {}, _AS_IT_IS).typed
        return self.typing.typed

    @property
    def identifies(self) -> bool:
        """Whether the column identifies the rows: an identifier without repeated values."""
        return self.kind == "ids" and self.typed.type == "identifier"

    @property
    def n_distinct(self) -> int:
        """The number of distinct values in these rows."""
        return int(np.count_nonzero(np.bincount(self.codes[self.codes >= 0])))

    @property
    def too_many(self) -> bool:
        """Whether there are more distinct values than can be fetched."""
        return False

    @cached_property
    def kind(self) -> Kind:
        """What the column seems to contain, if it may be labels."""
        if self.nested:
            return "nested"
        typed = self.typed
        if typed.rows == typed.missing:
            return "empty"
        if typed.type in ("empty", "date"):
            return _KINDS[typed.type]
        if typed.type in ("numeric", "constant") and _are_measurements(typed):
            return "features"
        if self.too_many:
            return "many"
        used = self.n_distinct
        if used == len(self):
            return "ids"
        if typed.type == "numeric" and typed.numbers is not None:
            numbers = typed.numbers[~typed.absent]
            low, high = float(numbers.min()), float(numbers.max())
            there = typed.rows - typed.missing
            return "labels" if integers_are_labels(self.name, used, there, low, high) else "counts"
        return _KINDS.get(typed.type, "labels")


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


def text_column(
    name: str,
    codes: Array,
    texts: Sequence[str],
    reading: HowRead = _AS_IT_IS,
    counts: Array | None = None,
) -> Column:
    """Return a column of a text file: strip spaces, find missing values, parse integers.

    ``counts`` are the numbers of rows of each code; by default there is a code for each row.
    """
    trimmed = list(map(str.strip, texts))
    declared, null = reading
    absent = np.flatnonzero(missing_mask(trimmed, null, words=declared != "categorical")).tolist()
    present: list[str | None] = [*trimmed]
    nulls: dict[str, int] = {}
    for code in absent:
        present[code] = None
        if text := trimmed[code]:
            found = codes == code
            rows = np.count_nonzero(found) if counts is None else counts[found].sum()
            nulls[text] = nulls.get(text, 0) + int(rows)
    if all(text is None or _WHOLE.fullmatch(text) for text in present):
        integers = [None if text is None else int(text.partition(".")[0]) for text in present]
        return _merged(name, codes, integers, nulls, reading, counts)
    return _merged(name, codes, present, nulls, reading, counts)


def typed_column(
    name: str,
    codes: Array,
    values: Sequence[Any],
    reading: HowRead = _AS_IT_IS,
    counts: Array | None = None,
) -> Column:
    """Return a column of typed values; floats become integers if all of them are integral."""
    if NESTED in values:
        return Column(name, codes, values, nested=True)
    present = [None if value is None or value != value else value for value in values]
    floats = [value for value in present if isinstance(value, float)]
    if floats and all(value.is_integer() for value in floats):
        present = [int(value) if isinstance(value, float) else value for value in present]
    words = frozenset(reading[1])
    if words:
        present = [None if isinstance(v, str) and v.strip() in words else v for v in present]
    return _merged(name, codes, present, {}, reading, counts)


def integers_are_labels(name: str, distinct: int, there: int, low: float, high: float) -> bool:
    """Return whether integers look like labels of clusters, rather than counts or measurements."""
    if distinct > _MANY_LABELS and distinct * 2 > there:
        return False
    if _LABEL_NAME.fullmatch(name):
        return True
    if _COUNT_NAME.fullmatch(name):
        return False
    numbered = low in (-1, 0, 1) and high - low in (distinct - 1, distinct)
    return numbered or distinct <= _FEW_LABELS


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


def _merged(
    name: str,
    codes: Array,
    values: Sequence[Any],
    nulls: dict[str, int],
    reading: HowRead,
    counts: Array | None,
) -> Column:
    """Return a column in which equal values have one code, and None has the code -1."""
    types = set(map(type, values))
    if str in types and any(len(v) > LONGEST_VALUE for v in values if isinstance(v, str)):
        raise InputError(
            f"column {name!r} has a value of more than {LONGEST_VALUE:,} characters; shorten it, "
            "or remove the column."
        )
    if len(types) == 1 and type(None) not in types and len({*values}) == len(values):
        typing = ColumnTyping(name, codes, values, nulls, reading, counts)
        return Column(name, codes, values, typing=typing)
    seen: dict[tuple[type, Any], int] = {}  # by type too, since True == 1 in Python
    fresh = [-1 if v is None else seen.setdefault((type(v), v), len(seen)) for v in values]
    recode = np.array([*fresh, -1], np.int64)  # the last entry is for code -1
    codes, distinct = recode[codes], [value for _, value in seen]
    typing = ColumnTyping(name, codes, distinct, nulls, reading, counts)
    return Column(name, codes, distinct, typing=typing)


def _are_measurements(typed: TypedColumn) -> bool:
    """Return whether numbers have decimals, a currency or separators."""
    if isinstance(typed.detail, NumberStrings) and typed.detail.dressed:
        return True
    if typed.numbers is None:
        return False
    numbers = typed.numbers[~typed.absent]
    return not np.all(np.isfinite(numbers)) or bool(np.any(numbers % 1))
