"""Columns of a file as features: numbers by value, everything else by name."""

import re
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
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.summaries.overlap.membership_sums import AnyClustering

if TYPE_CHECKING:
    from clusterwise.inputs.binning.binning import Binning, Method

# Leading zeros mean a code such as a postcode, not a number; so do very many digits.
CODE = r"[+-]?(?:0[0-9]+|[0-9]{19,})"
_CODE = re.compile(f"^{CODE}$", re.MULTILINE)
_SHOWN = 10
# Kinds of columns that are no features, and why.
NEVER: Mapping[Kind, str] = {"nested": "lists or objects", "empty": "no value at all"}


def why_no_feature(column: Column) -> str | None:
    """Why a column is no feature; None if it is one."""
    if column.kind in NEVER or column.kind == "features":
        return NEVER.get(column.kind)
    n = len(column)
    # Counted among the rows that are left, since joining by key may leave out some.
    if n > 1 and np.unique(column.codes).size == n and not column.missing.size:
        if as_numbers(column.values) is None:
            return "no value repeats, as in a name"
        if _are_successive([column.values[code] for code in column.codes.tolist()]):
            return "it numbers the rows"
    return None


def choose_features(
    placed: Sequence[LocatedColumn],
    asked: Sequence[str],
    tables: Sequence[Table],
    why_not: Callable[[Column], str | None] = why_no_feature,
) -> list[LocatedColumn]:
    """The columns asked for, or all that can be features; at least one."""
    if asked:
        return find_all(placed, asked, "--features", tables)
    reasons = {one: why_not(one.column) for one in placed}
    for reason in dict.fromkeys(filter(None, reasons.values())):
        names = [one.name for one in placed if reasons[one] == reason]
        shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        say(f"left out {shown}: {reason}; use --features to choose features yourself.")
    chosen = [one for one in placed if reasons[one] is None]
    if not chosen:
        paths = " and ".join(table.path for table in tables)
        raise InputError(
            f"there is no column of features beside the labels in {paths}; name columns with "
            "--features, or give another file."
        )
    return chosen


@dataclass(frozen=True)
class FeatureTable:
    """Features of objects: an array with a row per object, and the columns' names."""

    names: list[str]
    values: Array

    def fit_bins(self, method: "Method", n_bins: int, reference: AnyClustering) -> "Binning":
        """Bins under the columns' names; arrays then fit them by position."""
        from clusterwise.inputs.binning.binning import Binning

        labels = _classes(reference) if method == "mdl" else None
        return Binning(method, n_bins).fit(self.named(), labels)

    def named(self) -> Features:
        """The features under the columns' names."""
        read = read_features(self.values)
        columns = [
            replace(column, name=name)
            for column, name in zip(read.columns, self.names, strict=True)
        ]
        return Features(read.n, self.names, read.matrix, True, columns)


def as_features(chosen: Sequence[LocatedColumn], rows: Array | None = None) -> FeatureTable:
    """The columns, or some of their rows, as an array; no dataframe library is needed."""
    columns = [_values(one) for one in chosen]
    if all(column.dtype == np.float64 for column in columns):
        values = np.column_stack(columns)
    else:
        values = np.column_stack([column.astype(object) for column in columns])
    return FeatureTable([one.name for one in chosen], values if rows is None else values[rows])


def _classes(reference: AnyClustering) -> Array:
    if isinstance(reference, SoftClustering):
        raise InputError(
            "--binning mdl takes its cuts from labels, but the clusterings are soft; use --binning "
            "width or --binning frequency."
        )
    return reference.codes.positions()


def _are_successive(values: Sequence[Any]) -> bool:
    whole = all(isinstance(value, int) for value in values)
    return whole and max(values) - min(values) == len(values) - 1


def _values(one: LocatedColumn) -> Array:
    """Floats with NaN, or texts with None, where a value is missing."""
    column = one.column
    numbers = as_numbers(column.values)
    if numbers is None:
        names = np.array([*map(str, column.values), None], object)
        return np.asarray(names[column.codes])
    infinite = np.flatnonzero(np.isinf(numbers))
    if infinite.size:
        code = int(infinite[0])
        where = one.place(int(np.argmax(column.codes == code)))
        raise InputError(
            f"{one.source.path} has {str(column.values[code])[:20]} in column {one.original!r} on "
            f"{where}, which is in no bin; correct it, or leave it empty to count it as missing."
        )
    return np.append(numbers, np.nan)[column.codes]


def as_numbers(values: Sequence[Any]) -> Array | None:
    """The values as numbers, if all of them are; what no float can hold is infinite."""
    if not values:
        return None
    if all(isinstance(value, str) for value in values):
        return _text_numbers(values)
    if any(isinstance(v, bool) or not isinstance(v, int | float | Decimal) for v in values):
        return None
    return np.array([_as_float(value) for value in values])


def _text_numbers(texts: Sequence[str]) -> Array | None:
    """Texts as numbers, all at once: a feature may have a million of them."""
    together = "\n".join(texts)
    # Python reads 1_000 and digits of all alphabets as numbers; in a file they are names.
    if "_" in together or not together.isascii() or _CODE.search(together):
        return None
    if "," in together:
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
