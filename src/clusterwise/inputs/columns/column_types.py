"""Decide what a column is taken as, from its distinct values and the number of rows with each.

A sample of the distinct values proposes a type, and all of them confirm it, so that a column of
text costs no parsing.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from math import inf
from typing import Any, Literal

import numpy as np

from clusterwise.inputs.columns.date_strings import (
    DateStrings,
    read_dates,
    share_of_dates,
    share_of_point_months,
)
from clusterwise.inputs.columns.declared import DeclaredType
from clusterwise.inputs.columns.missing_strings import missing_mask
from clusterwise.inputs.columns.number_strings import (
    NumberStrings,
    read_numbers,
    share_of_numbers,
)
from clusterwise.inputs.encoding import Array

ColumnType = DeclaredType | Literal["constant", "empty", "nested"]

# The proportion of the values that must be numbers (dates, different) for the column to be so.
NEARLY_ALL = 0.9
# The fewest values of which nearly all, not all, may differ in an identifier.
FEW = 20
# A category has at least so many rows on average if there are many, and there are at most so many.
ROWS_PER_CATEGORY = 5
MOST_CATEGORIES = 1000
# An identifier is shorter than a text.
_WORDS = 3
_SAMPLE = 500
_PROPOSED = 0.5
_EXAMPLES = 3
_ID_NAME = re.compile(
    r"(?:.*[_\s.-])?(?:id|ids|uuid|guid|key|index|idx|rowid|row|no|nr|number|nummer|code)"
    r"|(?:id|uuid|nr)[_\s.-].*|.*(?:nummer|kennung)|unnamed: 0",
    re.IGNORECASE,
)
_CAMEL_ID = re.compile(r".*[a-z](?:ID|Id)")
_BOOLEANS = tuple(
    frozenset(pair.split())
    for pair in ("true false", "yes no", "ja nein", "t f", "y n", "j n", "on off", "wahr falsch")
)


@dataclass(frozen=True, eq=False)
class TypedColumn:
    """A column, what it is taken as, and why.

    Attributes
    ----------
    name : str
        The name of the column.
    type : str
        What it is taken as.
    rows, missing : int
        The number of rows, and of those without a value; the latter includes ``misfits``.
    distinct : int
        The number of distinct values.
    nulls, misfits : int
        The number of rows with a string that means missing, and with one that does not fit the
        type.
    examples : tuple of str
        Some of these strings, the most frequent first.
    numbers : array or None
        The number that each distinct value stands for, NaN for none: for numeric columns and
        dates (days).
    absent : array
        Which of the distinct values are missing.
    detail : NumberStrings, DateStrings or None
        How strings were read.
    example : str or None
        A value that shows how strings were read.
    codes : int
        The number of rows with leading zeros, because of which a column is not numeric.
    declared : bool
        Whether the user declared the type.
    more_examples : bool
        Whether there are more such strings than ``examples``.
    """

    name: str
    type: ColumnType
    rows: int
    missing: int
    distinct: int
    absent: Array
    nulls: int = 0
    misfits: int = 0
    examples: tuple[str, ...] = ()
    numbers: Array | None = None
    detail: NumberStrings | DateStrings | None = None
    example: tuple[str, float] | None = None
    codes: int = 0
    declared: bool = False
    more_examples: bool = False

    @property
    def values(self) -> int:
        """The number of rows that are not empty, whatever they contain."""
        return self.rows - self.missing + self.nulls + self.misfits


def decide_type(
    name: str,
    values: Sequence[Any],
    counts: Array,
    rows: int,
    *,
    declared: DeclaredType | None = None,
    null: Collection[str] = (),
    typed: bool = False,
) -> TypedColumn:
    """Decide what a column is taken as.

    Parameters
    ----------
    name : str
        The name of the column, which may say that it is an identifier.
    values : sequence
        Its distinct values, none of them None or NaN.
    counts : array of int
        The number of rows with each value.
    rows : int
        The number of rows, including those without a value.
    declared : str, optional
        What the user wants it to be taken as.
    null : collection of str
        Further strings that mean missing.
    typed : bool, default=False
        Whether strings are categories by their type, as in an enumeration.
    """
    counts = np.asarray(counts, np.int64)
    if all(isinstance(value, str) for value in values):
        texts = [value.strip() for value in values]
    elif declared is None or declared == "date":
        by_type = _decide_typed(name, values, counts, rows)
        if by_type is not None:
            return by_type
        texts = [str(value).strip() for value in values]
    else:
        texts = [str(value).strip() for value in values]
    words = declared != "categorical" and not typed
    absent = missing_mask(texts, null, words=words) | (counts == 0)
    present = np.flatnonzero(~absent)
    shown = [texts[i] for i in present.tolist()]
    column = _Strings(name, shown, counts[present], rows)
    chosen: ColumnType
    if declared is not None:
        chosen, detail = declared, column.read(declared)
    elif typed:
        chosen, detail = column.plain_type(), None
    else:
        chosen, detail = column.decide()
    numbers = None
    if detail is not None:
        numbers = np.full(len(values), np.nan)
        numbers[present] = detail.values
        absent = np.isnan(numbers)
    there = int(counts[~absent].sum())
    misfits = int(column.counts.sum()) - there if detail is not None else 0
    nulls = [i for i in np.flatnonzero(absent).tolist() if texts[i] and counts[i]]
    nulls.sort(key=lambda i: -int(counts[i]))
    used = {texts[i] for i in np.flatnonzero(~absent).tolist()}
    return TypedColumn(
        name,
        chosen,
        rows,
        rows - there,
        len(used),
        absent,
        int(counts[nulls].sum()) - misfits,
        misfits,
        tuple(dict.fromkeys(texts[i] for i in nulls))[:_EXAMPLES],
        numbers,
        detail,
        _example(shown, detail),
        column.codes if chosen not in ("numeric", "date") else 0,
        declared is not None,
        len({texts[i] for i in nulls}) > _EXAMPLES,
    )


def _example(
    shown: Sequence[str], detail: NumberStrings | DateStrings | None
) -> tuple[str, float] | None:
    """Return a value that shows how strings were read, and what it was read as."""
    if detail is None:
        return None
    if isinstance(detail, NumberStrings):
        i = detail.example
    else:
        i = next(iter(np.flatnonzero(~np.isnan(detail.values)).tolist()), None)
    return None if i is None else (shown[i], float(detail.values[i]))


def names_identifier(name: str) -> bool:
    """Return whether a column's name says that it identifies rows, such as customer_id."""
    return _ID_NAME.fullmatch(name) is not None or _CAMEL_ID.fullmatch(name) is not None


def is_row_number(values: Array) -> bool:
    """Return whether numbers are successive integers, in any order."""
    if values.size < 2 or not np.all(np.isfinite(values)) or np.any(values % 1):
        return False
    return bool(values.max() - values.min() == values.size - 1)


class _Strings:
    """The distinct strings of a column that are not missing, and their numbers of rows."""

    def __init__(self, name: str, texts: Sequence[str], counts: Array, rows: int) -> None:
        self.name = name
        self.texts = texts
        self.counts = counts
        self.rows = rows
        self.there = int(counts.sum())
        self.codes = 0

    def read(self, declared: DeclaredType) -> NumberStrings | DateStrings | None:
        """Read the strings as the type that is declared."""
        if declared == "numeric":
            return read_numbers(self.texts, self.counts)
        if declared == "date":
            return read_dates(self.texts, self.counts, compact=True)
        return None

    def decide(self) -> tuple[ColumnType, NumberStrings | DateStrings | None]:
        """Return the type, and the numbers or dates that the strings stand for."""
        if len(self.texts) < 2:
            return self._one_value()
        lowered = {text.lower() for text in self.texts} if len(self.texts) <= 6 else set()
        if any(lowered == pair for pair in _BOOLEANS):
            return "boolean", None
        if self._proposed(share_of_point_months):
            months = read_dates(self.texts, self.counts)
            if self._nearly_all(~np.isnan(months.values)):
                return "date", months
        if self._proposed(share_of_numbers):
            numbers = read_numbers(self.texts, self.counts)
            self.codes = numbers.codes
            if not numbers.codes and self._nearly_all(~np.isnan(numbers.values)):
                found = numbers.values[~np.isnan(numbers.values)]
                if self._identifies(found, dressed=numbers.dressed):
                    return "identifier", None
                return "numeric", numbers
        elif self._proposed(share_of_dates):
            dates = read_dates(self.texts, self.counts)
            if self._nearly_all(~np.isnan(dates.values)):
                return "date", dates
        return self.plain_type(), None

    def plain_type(self) -> ColumnType:
        """Return the type of strings that are neither numbers nor dates."""
        k = len(self.texts)
        if k < 2:
            return self._one_value()[0]
        nearly = k >= NEARLY_ALL * self.there and self.there >= FEW
        if (k == self.there == self.rows) or nearly:
            words = np.mean([text.count(" ") + 1 for text in self.texts[:_SAMPLE]])
            return "text" if words > _WORDS else "identifier"
        return "text" if too_many_categories(k, self.there) else "categorical"

    def _one_value(self) -> tuple[ColumnType, NumberStrings | None]:
        if not self.texts:
            return "empty", None
        numbers = read_numbers(self.texts, self.counts)
        numeric = not np.isnan(numbers.values[0]) and not numbers.codes
        if self.rows > 1:
            return "constant", numbers if numeric else None
        return ("numeric", numbers) if numeric else ("categorical", None)

    def _identifies(self, found: Array, *, dressed: bool) -> bool:
        """Return whether integers identify the rows."""
        whole = bool(np.all(np.isfinite(found))) and not np.any(found % 1)
        if dressed or not whole or found.size != len(self.texts):
            return False
        if self.there == self.rows == found.size and is_row_number(found):
            return True
        nearly = found.size >= NEARLY_ALL * self.there and self.there >= FEW
        return nearly and names_identifier(self.name)

    def _nearly_all(self, fits: Array) -> bool:
        return int(self.counts[fits].sum()) >= NEARLY_ALL * self.there

    def _proposed(self, share: Any) -> bool:
        """Return whether half of the most frequent values, or of values anywhere, are so."""
        k = len(self.texts)
        if k <= 2 * _SAMPLE:
            return bool(share(self.texts, self.counts) >= _PROPOSED)
        frequent = np.argpartition(-self.counts, _SAMPLE)[:_SAMPLE]
        anywhere = np.linspace(0, k - 1, _SAMPLE).astype(np.int64)
        return any(
            share([self.texts[i] for i in some.tolist()], self.counts[some]) >= _PROPOSED
            for some in (frequent, anywhere)
        )


def too_many_categories(distinct: int, there: int) -> bool:
    """Return whether values are too many, or too rare, to be categories."""
    return distinct > MOST_CATEGORIES or (distinct > FEW and distinct * ROWS_PER_CATEGORY > there)


def _decide_typed(name: str, values: Sequence[Any], counts: Array, rows: int) -> TypedColumn | None:
    """Decide by the types of the values; None if some are strings and some are not."""
    used = counts > 0
    there, distinct = int(counts.sum()), int(used.sum())
    base = (rows, rows - there, distinct, ~used)
    if not distinct:
        return TypedColumn(name, "empty", *base)
    if all(isinstance(value, bool | np.bool_) for value in values):
        kind: ColumnType = "constant" if distinct == 1 and rows > 1 else "boolean"
        return TypedColumn(name, kind, *base)
    if all(isinstance(value, date) for value in values):
        numbers = np.array([days_of(value) for value in values])
        kind = "constant" if distinct == 1 and rows > 1 else "date"
        return TypedColumn(name, kind, *base, numbers=numbers)
    if not all(
        isinstance(value, int | float | Decimal | np.number) and not isinstance(value, bool)
        for value in values
    ):
        return None
    numbers = np.array([_as_float(value) for value in values])
    return TypedColumn(name, numeric_type(name, numbers[used], there, rows), *base, numbers=numbers)


def numeric_type(name: str, distinct: Array, there: int, rows: int) -> ColumnType:
    """Return what a column of numbers is taken as, by its distinct values."""
    if distinct.size == 1 and rows > 1:
        return "constant"
    whole = bool(np.all(np.isfinite(distinct))) and not np.any(distinct % 1)
    if whole and distinct.size == there == rows and is_row_number(distinct):
        return "identifier"
    nearly = there >= FEW and distinct.size >= NEARLY_ALL * there
    return "identifier" if whole and nearly and names_identifier(name) else "numeric"


def days_of(value: date) -> float:
    """Return a date, or a date with a time, as days since 1970-01-01 (UTC)."""
    if not isinstance(value, datetime):
        return float(value.toordinal() - date(1970, 1, 1).toordinal())
    moment = value.replace(tzinfo=None) - (value.utcoffset() or (value - value))
    return (moment - datetime(1970, 1, 1)).total_seconds() / 86400


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf
