"""Columns of a file as numeric and categorical features."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import Column, Table
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
_CODE = re.compile(r"^[+-]?(?:0[0-9]+|[0-9]{19,})$", re.MULTILINE)
_SHOWN = 10


def why_no_feature(column: Column) -> str | None:
    """Return why a column cannot be a feature; None if it can."""
    if column.nested:
        return "lists or objects"
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
) -> list[LocatedColumn]:
    """Return the columns of these names, or all that can be features; at least one."""
    if names:
        named = find_all(located, names, "--features", tables)
        note_types([one for one in named if why_no_feature(one.column) is None])
        return named
    reasons = {one: why_no_feature(one.column) for one in located}
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
    """Features of objects: an array with a row per object, and the columns' names.

    ``dates`` are the names of the columns whose numbers are days since 1970-01-01.
    """

    names: list[str]
    values: Array
    dates: frozenset[str] = frozenset()

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
            replace(column, name=name, date=name in self.dates)
            for column, name in zip(read.columns, self.names, strict=True)
        ]
        return Features(read.n, self.names, read.matrix, True, columns, self.dates)


def as_features(chosen: Sequence[LocatedColumn], rows: Array | None = None) -> FeatureTable:
    """Return the columns, or some of their rows, as an array."""
    columns = [_values(one) for one in chosen]
    if all(column.dtype == np.float64 for column in columns):
        values = np.column_stack(columns)
    else:
        values = np.column_stack([column.astype(object) for column in columns])
    dates = frozenset(one.name for one in chosen if one.column.typed.type == "date")
    names = [one.name for one in chosen]
    return FeatureTable(names, values if rows is None else values[rows], dates)


def _classes(reference: AnyClustering) -> Array:
    if isinstance(reference, SoftClustering):
        raise InputError(
            "--binning mdl needs labels, but the clusterings are soft; use --binning width or "
            "--binning frequency."
        )
    return reference.codes.positions()


def feature_type(column: Column) -> Literal["numeric", "categorical"]:
    """Return whether the values of a feature are numbers or strings."""
    return "numeric" if _numbers(column) is not None else "categorical"


def feature_values(column: Column) -> Array:
    """Return floats with NaN, or strings with None, where a value is missing."""
    numbers = _numbers(column)
    if numbers is not None:
        return np.append(numbers, np.nan)[column.codes]
    names = np.array([*map(str, column.values), None], object)
    names[:-1][column.typed.absent[: len(column.values)]] = None
    return np.asarray(names[column.codes])


def _numbers(column: Column) -> Array | None:
    """Return the number of each distinct value, if the feature is numeric."""
    typed = column.typed
    if typed.numbers is not None:
        return typed.numbers[: len(column.values)]
    if typed.type in ("identifier", "text") and not typed.declared:
        return as_numbers(column.values)  # named with --features all the same
    return None


def _values(one: LocatedColumn) -> Array:
    """Return the values of a feature, all of them finite."""
    column = one.column
    numbers = _numbers(column)
    infinite = np.flatnonzero(np.isinf(numbers)) if numbers is not None else np.empty(0)
    if infinite.size:
        code = int(infinite[0])
        where = one.location(int(np.argmax(column.codes == code)))
        raise InputError(
            f"{one.source.path} has {str(column.values[code])[:20]} in column {one.original!r} on "
            f"{where}, which cannot be binned; correct it, or leave it empty if missing."
        )
    return feature_values(column)


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
