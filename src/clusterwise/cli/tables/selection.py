"""Select the columns of labels, handle missing ones, and make clusterings of them."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_list
from clusterwise.cli.declared_types import declared_types
from clusterwise.cli.options import FileOptions, Missing, Noise
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import Column, Table
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.inputs.clusterings import Clustering
from clusterwise.inputs.encoding import (
    MISSING_LABEL,
    Array,
    Codes,
    as_names,
    name_order,
    read_only,
    smallest_unsigned,
)

_LEFT_OUT = {
    "ids": "every value is different, as in an identifier",
    "nearly": "nearly every value is different, as in an identifier",
    "features": "measurements",
    "counts": "counts or measurements",
    "dates": "dates",
    "nested": "lists or objects",
    "empty": "all values are missing",
    "many": "too many different values for labels",
}
MISSING_MEMBERSHIP_HINTS = {
    "error": "with 0 for a cluster without the object, or use --missing drop",
    "label": "or use --missing drop (--missing label is for labels, not memberships)",
}
_SHOWN, _NAMES_SHOWN = 10, 20


def choose_labels(
    located: Sequence[LocatedColumn], tables: Sequence[Table], *, beside_soft: bool = False
) -> list[LocatedColumn]:
    """Return all columns that look like labels: at least two, or one beside a soft clustering."""
    chosen = [one for one in located if one.column.kind == "labels"]
    if any(one.column.kind != "labels" for one in located):
        _note_left_out(located)
        if chosen:
            names = format_list([one.name for one in chosen], _SHOWN)
            say(f"taken as labels: {names}; use --column to choose others.")
    if beside_soft and not chosen:
        raise InputError(
            "there is one --soft pattern, and no column that looks like labels to compare it with; "
            "add a second pattern, name a column of labels with --column, or add another file."
        )
    if not beside_soft:
        require_two(chosen, tables)
    return chosen


def require_two(chosen: Sequence[LocatedColumn], tables: Sequence[Table]) -> None:
    """Raise an error for fewer than two columns of labels."""
    if len(chosen) < 2:
        names = ", ".join(one.name for one in chosen)
        only = f"there is only {names}" if chosen else "there is none"
        raise InputError(
            f"two columns of labels are needed, but {only} (the columns are {_names(tables)}); "
            "name columns with --column, or add another file."
        )


def find_all(
    located: Sequence[LocatedColumn], names: Sequence[str], option: str, tables: Sequence[Table]
) -> list[LocatedColumn]:
    """Return the columns of all these names, each once."""
    found = [find_columns(located, name, option, tables) for name in names]
    return list(dict.fromkeys(one for columns in found for one in columns))


def check_types(tables: Sequence[Table], titles: Sequence[str], options: FileOptions) -> None:
    """Raise an error for a column of --as that no file has."""
    known = [name for table in tables for name in table.names]
    known += [
        f"{t}.{name}" for table, t in zip(tables, titles, strict=True) for name in table.names
    ]
    for name in declared_types(options.types):
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"the columns are {_names(tables)}."
            raise InputError(f"there is no column {name!r} for --as; {hint}")


def find_columns(
    located: Sequence[LocatedColumn], name: str, option: str, tables: Sequence[Table]
) -> list[LocatedColumn]:
    """Return the column with this final name, or all with this name in their files."""
    found = [one for one in located if one.name == name]
    found = found or [one for one in located if one.original == name]
    if not found:
        known = [name for table in tables for name in table.names]
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the columns are {_names(tables)}."
        raise InputError(f"there is no column {name!r} for {option}; {hint}")
    for one in found:
        if one.column.nested:
            raise InputError(f"{option} {one.name} contains lists or objects; name another column.")
    return found


def rows_to_keep(
    labels: Sequence[LocatedColumn], memberships: Sequence[LocatedColumn], missing: Missing
) -> Array | None:
    """Check for missing labels, and return the objects to keep; None for all."""
    if missing == "error":
        for one in labels:
            _check_missing(one, "or use --missing drop or --missing label")
    if missing != "drop":
        for one in memberships:
            _check_missing(one, MISSING_MEMBERSHIP_HINTS[missing])
        return None
    what = "membership" if not labels else "label or membership" if memberships else "label"
    gone = np.any([one.column.codes < 0 for one in (*labels, *memberships)], axis=0)
    if not gone.any():
        return None
    if gone.all():
        raise InputError(
            f"every object lacks a {what} in some column, so --missing drop would drop all; choose "
            "other columns."
        )
    say(f"{np.count_nonzero(gone)} of {gone.size} objects dropped: a {what} is missing.")
    return np.flatnonzero(~gone)


def drops_per_pair(labels: int, memberships: int, missing: Missing) -> bool:
    """Return whether objects are dropped from the pairs that lack a label, not from all."""
    return missing == "drop" and labels > 2 and not memberships


def note_dropped_per_pair(missing: int, total: int) -> None:
    """Print how many objects lack a label."""
    if missing:
        say(
            f"{missing} of {total} objects lack a label in some column; each pair is compared on "
            "the objects that have both."
        )


def note_if_no_noise(columns: Sequence[Column], noise: Noise, label: int | str) -> None:
    """Print a note if no object has the noise label, so that --noise has no effect."""
    if noise != "cluster" and not any(str(label) in map(str, c.values) for c in columns):
        say(f"no object is labelled {label}, so --noise {noise} has no effect.")


def as_weights(located: LocatedColumn) -> Array:
    """Return a column as weights; integers stay integers, so that counts are exact."""
    _check_missing(located, "or remove those rows")
    column = located.column
    numbers: list[int | float] = []
    for i, value in enumerate(column.values):
        try:
            numbers.append(value if isinstance(value, int) else float(value))
        except (TypeError, ValueError):
            numbers.append(float("nan"))
        if not 0 <= numbers[-1] < float("inf"):
            where = located.location(int(np.argmax(column.codes == i)))
            raise InputError(
                f"{located.source.path} has the weight {value!r} in column {located.original!r} on "
                f"{where}; weights are numbers of at least 0."
            )
    integral = all(isinstance(number, int) for number in numbers)
    return np.array(numbers, np.int64 if integral else np.float64)[column.codes]


def noise_fraction_error(weight: LocatedColumn, value: object, where: str) -> InputError:
    """Return the error for noise that cannot become as many singletons as it weighs."""
    return InputError(
        f"{weight.source.path} has the weight {value!r} in column {weight.original!r} on {where}, "
        "which is noise, but --noise singletons makes w clusters of noise of weight w; use whole "
        "numbers, or --noise cluster or --noise drop."
    )


def as_hard_clustering(column: Column, noise_label: int | str) -> Clustering:
    """Return a column as a clustering, with sorted names of clusters.

    In a column of strings, "-1" is a string; it still means the noise label -1.
    """
    values = [noise_label if str(v) == str(noise_label) else v for v in column.values]
    order = name_order(values)
    rank = np.zeros(len(values) + 1, smallest_unsigned(len(values)))  # the last is for code -1
    rank[order] = np.arange(len(values))
    names = as_names([values[i] for i in order])
    codes = Codes(read_only(rank[column.codes]), 0, len(values), names)
    missing = column.codes < 0
    return Clustering(codes, missing=read_only(missing) if missing.any() else None)


def _note_left_out(located: Sequence[LocatedColumn]) -> None:
    for kind, why in _LEFT_OUT.items():
        names = [one.name for one in located if _why_left_out(one.column) == kind]
        if names:
            shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
            say(f"not taken as labels: {shown} ({why}).")


def _why_left_out(column: Column) -> str:
    if column.kind != "ids":
        return column.kind
    typed = column.typed
    return "nearly" if typed.distinct < typed.rows - typed.missing else "ids"


def _check_missing(one: LocatedColumn, otherwise: str) -> None:
    missing = one.column.missing
    if missing.size:
        raise missing_value_error(one, one.location(int(missing[0])), missing.size, otherwise)


def missing_value_error(
    one: LocatedColumn, location: str, missing: int, otherwise: str
) -> InputError:
    """Return the error for a column with missing values, the first of them at this location."""
    nulls = one.column.typed.nulls
    words = ", ".join(f'"{text}"' for text in one.column.typed.examples)
    read = f"; {words} means missing unless --as {one.original}=categorical" if nulls else ""
    return InputError(
        f"{one.source.path} has no value in column {one.original!r} on {location} "
        f"({missing} of {len(one.column)} objects{read}); fill it in, {otherwise}."
    )


def with_missing_label(column: Column) -> Column:
    """Return the column with a label of its own for missing values."""
    if not column.missing.size:
        return column
    codes = np.where(column.codes < 0, len(column.values), column.codes)
    return replace(column, codes=codes, values=[*column.values, MISSING_LABEL])


def _names(tables: Sequence[Table]) -> str:
    if len(tables) == 1:
        return _listed(tables[0].names)
    return " and ".join(f"{_listed(table.names)} of {table.path}" for table in tables)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    shown = ", ".join(names[:_NAMES_SHOWN])
    return f"{shown} and {more} more" if more > 0 else shown
