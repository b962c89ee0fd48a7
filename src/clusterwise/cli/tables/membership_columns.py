"""Soft clusterings: the columns that match a pattern, one per cluster."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, NoReturn

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import label_of
from clusterwise.cli.tables.feature_columns import as_numbers
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.inputs.clusterings import Clustering, SoftClustering
from clusterwise.inputs.encoding import Array, as_names
from clusterwise.inputs.memberships import Memberships, harden
from clusterwise.kernels.overlap import TOLERANCE
from clusterwise.summaries.overlap.membership_sums import AnyClustering

# How far rounding may move the sum of memberships from 1: per cluster, and at most.
_ROUNDING, _MOST_ROUNDING = 1e-3, 0.05
_WILDCARDS = re.compile(r"[*?]+")
_SEPARATORS = " _-.:/()[]{}<>="
_SHOWN = 10


@dataclass(frozen=True)
class SoftColumns:
    """The columns of one soft clustering, in the order of the file, and its clusters' names."""

    name: str
    pattern: str
    columns: list[LocatedColumn]
    clusters: list[Any]


def check_patterns(patterns: Sequence[str]) -> None:
    """Raise an error for patterns without a wildcard."""
    for pattern in patterns:
        if not _WILDCARDS.search(pattern):
            raise InputError(
                f"--soft {pattern!r} has no *, which stands for the names of the clusters; "
                f"use a pattern such as '{pattern}*' in quotes, or --column for a column of labels."
            )


def find_soft(
    located: Sequence[LocatedColumn], patterns: Sequence[str], titles: Mapping[str, str]
) -> list[SoftColumns]:
    """Return a clustering per pattern and file with matching columns; ``titles`` are by path."""
    found = []
    for pattern in dict.fromkeys(patterns):
        found += _matching(located, pattern, titles)
    first: dict[LocatedColumn, str] = {}
    for one in found:
        for column in one.columns:
            other = first.setdefault(column, one.pattern)
            if other != one.pattern:
                raise InputError(
                    f"--soft {other!r} and {one.pattern!r} both match the column {column.name!r}; "
                    "make the patterns longer, or use ? for a single character."
                )
    return found


def with_own_names(soft: Sequence[SoftColumns], taken: Sequence[str]) -> list[SoftColumns]:
    """Rename clusterings whose short names are not unique to their patterns."""
    counts = Counter([*taken, *(one.name for one in soft)])
    named = [one if counts[one.name] == 1 else replace(one, name=one.pattern) for one in soft]
    for name, count in Counter([*taken, *(one.name for one in named)]).items():
        if count > 1:
            raise InputError(f"two clusterings would be called {name!r}; rename columns of one.")
    return named


def as_soft(soft: Sequence[SoftColumns], rows: Array | None) -> dict[str, AnyClustering]:
    """Return the clusterings of these rows; sums that differ from 1 by rounding are rescaled."""
    found: dict[str, AnyClustering] = {}
    rescaled = []
    for one in soft:
        memberships = np.column_stack(
            [_memberships(column, one.pattern, rows) for column in one.columns]
        )
        count = _rescale(memberships, one, rows)
        if count:
            rescaled.append(f"{count} of {len(memberships)} of {one.name}")
        read = Memberships(memberships, as_names(one.clusters), one.name)
        if read.is_hard:
            found[one.name] = Clustering(harden(read))
        else:
            found[one.name] = SoftClustering(read)
    if rescaled:
        say(f"memberships that do not quite sum to 1 were rescaled: {', '.join(rescaled)}.")
    return found


def _matching(
    located: Sequence[LocatedColumn], pattern: str, titles: Mapping[str, str]
) -> list[SoftColumns]:
    """Return the columns whose names match, with or without the title of their file."""
    expression = _expression(pattern)
    by_file: dict[str, list[tuple[LocatedColumn, str]]] = {}
    for full in (False, True):
        for one in located:
            title = titles[one.source.path]
            match = expression.fullmatch(f"{title}.{one.original}" if full else one.original)
            if match:
                by_file.setdefault(title, []).append((one, match[1]))
        if by_file:
            break
    else:
        raise InputError(f"no column matches --soft {pattern!r}; {_hint(located, pattern)}")
    name, several = _name_of(pattern), len(by_file) > 1
    found = []
    for title, matches in by_file.items():
        columns, clusters = [one for one, _ in matches], _clusters([part for _, part in matches])
        if len(columns) == 1:
            hint = _hint(located, pattern, columns[0])
            if several:
                hint = f"name the file if you mean another one ('FILE.{pattern}'); {hint}"
            raise _single_column_error(columns[0], pattern, hint)
        if several:
            own_name = f"{title}.{name}" if name else title
            found.append(SoftColumns(own_name, f"{title}.{pattern}", columns, clusters))
        else:
            found.append(SoftColumns(name or title, pattern, columns, clusters))
    return found


def _single_column_error(one: LocatedColumn, pattern: str, hint: str) -> InputError:
    return InputError(
        f"--soft {pattern!r} matches only {one.original!r} in {one.source.path}, but a soft "
        f"clustering has a column per cluster; {hint}"
    )


def _expression(pattern: str) -> re.Pattern[str]:
    """Return a regular expression whose group is the name of the cluster.

    Only * and ? are special, unlike in shells: columns may be called p[0].
    """
    pattern = re.sub(r"\*+", "*", pattern)
    wild = list(_WILDCARDS.finditer(pattern))
    begin, end = wild[0].start(), wild[-1].end()
    inner = "".join({"*": ".+", "?": "."}.get(c, re.escape(c)) for c in pattern[begin:end])
    return re.compile(f"{re.escape(pattern[:begin])}({inner}){re.escape(pattern[end:])}", re.DOTALL)


def _name_of(pattern: str) -> str:
    """Return the pattern without its wildcards and separators."""
    parts = [part.strip(_SEPARATORS) for part in _WILDCARDS.split(pattern)]
    return "_".join(filter(None, parts))


def _clusters(names: list[str]) -> list[Any]:
    """Return the names of clusters as integers if all of them are, by the rule for labels."""
    labels = [label_of(name) for name in names]
    integral = all(isinstance(label, int) for label in labels)
    return labels if integral and len({*labels}) == len(labels) else names


def _hint(
    located: Sequence[LocatedColumn], pattern: str, matched: LocatedColumn | None = None
) -> str:
    """Return a sentence with the columns of the most similar names, or with all."""
    others = list(dict.fromkeys(one.original for one in located if one is not matched))
    stem = "".join(_WILDCARDS.split(pattern))
    starting = [name for name in others if stem and name.lower().startswith(stem.lower())]
    close = starting or get_close_matches(stem, others, n=3, cutoff=0.5)
    names = close or others
    shown = ", ".join(names[:_SHOWN]) + (" and more" if len(names) > _SHOWN else "")
    what = "closest columns" if close else "columns"
    return f"the {'other ' if matched else ''}{what} are {shown or 'none'}."


def _memberships(one: LocatedColumn, pattern: str, rows: Array | None) -> Array:
    """Return memberships as numbers of at least 0; there are no missing values."""
    column = one.column if rows is None else one.column.take(rows)
    numbers = as_numbers(column.values)
    if numbers is None:
        numbers = np.array([_number(value) for value in column.values])
    memberships = numbers[column.codes]
    wrong = ~(memberships >= 0) | np.isinf(memberships)
    if wrong.any():
        at = int(np.argmax(wrong))
        value = str(column.values[column.codes[at]])
        raise InputError(
            f"{one.source.path} has {value[:20]!r} in column {one.original!r} on "
            f"{_location(one, at, rows)}; memberships are numbers from 0 to 1 (this column matches "
            f"--soft {pattern!r})."
        )
    return memberships


def _number(value: Any) -> float:
    number = as_numbers([value])
    return float("nan") if number is None else float(number[0])


def _rescale(memberships: Array, one: SoftColumns, rows: Array | None) -> int:
    """Rescale rows that nearly sum to 1, and return their number."""
    sums = memberships.sum(axis=1)
    off = np.abs(sums - 1)
    wrong = off > allowed_rounding(memberships.shape[1])
    if wrong.any():
        at = int(np.argmax(wrong))
        where = _location(one.columns[0], at, rows)
        raise_for_sums(one, where, sums[at], int(np.count_nonzero(wrong)), wrong.size)
    rounded = off > TOLERANCE
    memberships[rounded] /= sums[rounded, None]
    return int(np.count_nonzero(rounded))


def allowed_rounding(clusters: int) -> float:
    """Return how far from 1 rounding may have moved the sum of memberships."""
    return min(_ROUNDING * clusters, _MOST_ROUNDING)


def raise_for_sums(
    one: SoftColumns, where: str, total: float, wrong: int, objects: int
) -> NoReturn:
    """Raise an error for memberships that do not sum to 1."""
    names = [column.original for column in one.columns]
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    raise InputError(
        f"{one.columns[0].source.path} has memberships on {where} that sum to {total:.4g} "
        f"({wrong} of {objects} objects), not 1; correct them, or the pattern {one.pattern!r}, "
        f"which matches {shown}."
    )


def _location(one: LocatedColumn, position: int, rows: Array | None) -> str:
    return one.location(position if rows is None else int(rows[position]))
