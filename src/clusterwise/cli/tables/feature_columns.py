"""Columns of a file as numeric and categorical features."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import Column, Kind, Table
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.selection import find_all
from clusterwise.inputs.clusterings import SoftClustering
from clusterwise.inputs.columns.column_notes import column_note, why_no_feature as why_not_typed
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.summaries.overlap.membership_sums import AnyClustering

if TYPE_CHECKING:
    from clusterwise.inputs.binning.binning import Binning, Method

# Leading zeros mean a code such as a postcode, not a number; so do very many digits.
CODE = r"[+-]?(?:0[0-9]+|[0-9]{19,})"
_CODE = re.compile(f"^{CODE}$", re.MULTILINE)
_SHOWN = 10
# Columns that are never features, and why.
NEVER: Mapping[Kind, str] = {"nested": "lists or objects", "empty": "all values are missing"}


def why_no_feature(column: Column) -> str | None:
    """Return why a column cannot be a feature; None if it can."""
    if column.nested:
        return NEVER["nested"]
    typed = column.typed
    if typed.declared and typed.values and typed.rows == typed.missing:
        what = "date" if typed.type == "date" else "number"
        raise InputError(
            f"--as {typed.name}={typed.type}: no value of the column is a {what}; leave it out."
        )
    # Constant features are legal; again leaves them out.
    return None if column.typed.type == "constant" else why_not_typed(column.typed)


def note_types(located: Sequence[LocatedColumn]) -> None:
    """Print what columns were taken as, where that is not evident."""
    for one in located:
        if one.column.typing is not None and one.column.typed.type != "constant":
            note = column_note(one.column.typed, _hint)
            if note:
                say(note)


def _hint(name: str, declared: str) -> str:
    return f"Use --as {shlex.quote(f'{name}={declared}')}"


def choose_features(
    located: Sequence[LocatedColumn],
    names: Sequence[str],
    tables: Sequence[Table],
    why_not: Callable[[Column], str | None] = why_no_feature,
) -> list[LocatedColumn]:
    """Return the columns of these names, or all that can be features; at least one."""
    if names:
        named = find_all(located, names, "--features", tables)
        note_types([one for one in named if why_not(one.column) is None])
        return named
    reasons = {one: why_not(one.column) for one in located}
    for reason in dict.fromkeys(filter(None, reasons.values())):
        without = [one.name for one in located if reasons[one] == reason]
        shown = ", ".join(without[:_SHOWN]) + (", …" if len(without) > _SHOWN else "")
        say(f"left out {shown}: {reason}; use --features to choose the features.")
    chosen = [one for one in located if reasons[one] is None]
    note_types(chosen)
    if not chosen:
        paths = " and ".join(table.path for table in tables)
        raise InputError(
            f"{paths} has no features besides the labels; name columns with --features, or add "
            "another file."
        )
    return chosen


@dataclass(frozen=True)
class FeatureTable:
    """Features of objects: an array with a row per object, and the columns' names."""

    names: list[str]
    values: Array

    def fit_bins(self, method: "Method", n_bins: int, reference: AnyClustering) -> "Binning":
        """Fit bins under the names of the columns."""
        from clusterwise.inputs.binning.binning import Binning

        if method != "mdl":
            return Binning(method, n_bins).fit(self.named(), None)
        features, labels = self.named(), _classes(reference)
        unlabelled = getattr(reference, "missing", None)
        if unlabelled is not None:
            rows = np.flatnonzero(~unlabelled)
            features, labels = features.take(rows), labels[rows]
        return Binning(method, n_bins).fit(features, labels)

    def named(self) -> Features:
        """Return the features with the names of the columns."""
        read = read_features(self.values)
        columns = [
            replace(column, name=name)
            for column, name in zip(read.columns, self.names, strict=True)
        ]
        return Features(read.n, self.names, read.matrix, True, columns)


def as_features(chosen: Sequence[LocatedColumn], rows: Array | None = None) -> FeatureTable:
    """Return the columns, or some of their rows, as an array."""
    columns = [_values(one) for one in chosen]
    if all(column.dtype == np.float64 for column in columns):
        values = np.column_stack(columns)
    else:
        values = np.column_stack([column.astype(object) for column in columns])
    return FeatureTable([one.name for one in chosen], values if rows is None else values[rows])


def _classes(reference: AnyClustering) -> Array:
    if isinstance(reference, SoftClustering):
        raise InputError(
            "--binning mdl needs labels, but the clusterings are soft; use --binning width or "
            "--binning frequency."
        )
    return reference.codes.positions()


def _values(one: LocatedColumn) -> Array:
    """Return floats with NaN, or strings with None, where a value is missing."""
    column = one.column
    typed = column.typed
    absent = typed.absent[: len(column.values)]
    numbers: Array | None = None
    if typed.numbers is not None:
        numbers = typed.numbers[: len(column.values)]
    elif typed.type in ("identifier", "text") and not typed.declared:
        numbers = as_numbers(column.values)  # named with --features all the same
    if numbers is None:
        names = np.array([*map(str, column.values), None], object)
        names[:-1][absent] = None
        return np.asarray(names[column.codes])
    infinite = np.flatnonzero(np.isinf(numbers))
    if infinite.size:
        code = int(infinite[0])
        where = one.location(int(np.argmax(column.codes == code)))
        raise InputError(
            f"{one.source.path} has {str(column.values[code])[:20]} in column {one.original!r} on "
            f"{where}, which cannot be binned; correct it, or leave it empty if missing."
        )
    return np.append(numbers, np.nan)[column.codes]


def as_numbers(values: Sequence[Any]) -> Array | None:
    """Return the values as floats if all are numbers; those too large for a float are infinite."""
    if not values:
        return None
    if all(isinstance(value, str) for value in values):
        return _text_numbers(values)
    if any(isinstance(v, bool) or not isinstance(v, int | float | Decimal) for v in values):
        return None
    return np.array([_as_float(value) for value in values])


def _text_numbers(texts: Sequence[str]) -> Array | None:
    """Return strings as floats; all at once, because a feature may have millions."""
    joined = "\n".join(texts)
    # Python reads 1_000 and digits of all alphabets as numbers; in a file they are strings.
    if "_" in joined or not joined.isascii() or _CODE.search(joined):
        return None
    if "," in joined:
        texts = [text.replace(",", ".") for text in texts]
    try:
        return np.array(list(map(float, texts)))
    except ValueError:
        return None


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf
