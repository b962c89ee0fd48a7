"""The rows of a table on disk that are kept, and the distinct combinations of their labels."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import Missing
from clusterwise.cli.output import say
from clusterwise.cli.tables.disk_columns import on_disk
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.object_view import ObjectView
from clusterwise.cli.tables.selection import MISSING_MEMBERSHIP_HINTS
from clusterwise.inputs.encoding import Array

# The most distinct rows of two clusterings that are fetched.
MOST_PAIRS = 1 << 22
_LARGEST_TOTAL = 2**63
# Types whose whole numbers are integers.
_UNTYPED = ("float", "text", "json")


def rows_to_keep(
    objects: ObjectView,
    labels: Sequence[LocatedColumn],
    memberships: Sequence[LocatedColumn],
    policy: Missing,
) -> tuple[str, int]:
    """Check for missing labels, and return the condition for objects to keep and their number."""
    columns = [on_disk(one) for one in (*labels, *memberships)]
    gone = " OR ".join(column.is_missing for column in columns)
    counted = [f"count(*) FILTER (WHERE {column.is_missing})" for column in columns]
    counted.append(f"count(*) FILTER (WHERE {gone})")
    *counts, dropped = objects.engine.row(f"SELECT {', '.join(counted)} FROM {objects.view}")
    of_labels, of_memberships = counts[: len(labels)], counts[len(labels) :]
    if policy == "error":
        for one, missing in zip(labels, of_labels, strict=True):
            objects.check_missing(one, missing, "or use --missing drop or --missing label")
    if policy != "drop":
        for one, missing in zip(memberships, of_memberships, strict=True):
            objects.check_missing(one, missing, MISSING_MEMBERSHIP_HINTS[policy])
        return "TRUE", objects.rows
    if not dropped:
        return "TRUE", objects.rows
    what = "membership" if not labels else "label or membership" if memberships else "label"
    if dropped == objects.rows:
        raise InputError(
            f"every object lacks a {what} in some column, so --missing drop would drop all; choose "
            "other columns."
        )
    say(f"{dropped} of {objects.rows} objects dropped: a {what} is missing.")
    return f"NOT ({gone})", objects.rows - dropped


def count_unlabelled(objects: ObjectView, labels: Sequence[LocatedColumn]) -> int:
    """Return the number of objects that lack a label in some column."""
    gone = " OR ".join(on_disk(one).is_missing for one in labels)
    (found,) = objects.engine.row(f"SELECT count(*) FROM {objects.view} WHERE {gone}")
    return int(found)


def weight_of(objects: ObjectView, one: LocatedColumn | None) -> str | None:
    """Return a column as weights; integers stay integers, so that counts are exact."""
    if one is None:
        return None
    column = on_disk(one)
    value = column.number
    missing, wrong, fractions = objects.engine.row(
        f"SELECT count(*) FILTER (WHERE {column.is_missing}), "
        f"count(*) FILTER (WHERE NOT {column.is_missing} AND {_no_weight(value)}), "
        f"coalesce(bool_or({value} <> trunc({value})), FALSE) FROM {objects.view}"
    )
    objects.check_missing(one, missing, "or remove those rows")
    if wrong:
        bad = f"NOT {column.is_missing} AND {_no_weight(value)}"
        where, shown = objects.first(column, bad)
        raise InputError(
            f"{one.source.path} has the weight {shown!r} in column {one.original!r} on {where}; "
            "weights are numbers of at least 0."
        )
    if column.type == "integer":
        return f"CAST({column.sql} AS BIGINT)"
    return f"CAST({value} AS BIGINT)" if column.type in _UNTYPED and not fractions else value


def count_distinct_rows(
    objects: ObjectView,
    labels: Sequence[str],
    weight: str | None,
    where: str,
    most: int,
    singleton: str | None = None,
) -> tuple[list[list[Any]], Array] | None:
    """Return the distinct rows of labels and their weights, or None if there are too many.

    Objects for which the condition ``singleton`` holds have a row each; rows are then in the order
    of the files, by which clusters are numbered.
    """
    names = [f"{sql} AS k{i}" for i, sql in enumerate(labels)]
    total = "count(*)" if weight is None else f"sum({weight})"
    keys = [str(i + 1) for i in range(len(labels))]
    order = ""
    if singleton is not None:
        keys.append(f"CASE WHEN {singleton} THEN g0 END")
        order = "ORDER BY min(g0)"
    found = objects.engine.execute(
        f"SELECT {', '.join(names)}, {total} FROM {objects.view} WHERE {where} "
        f"GROUP BY {', '.join(keys)} {order} LIMIT {most + 1}"
    ).fetchall()
    if len(found) > most:
        return None
    *columns, totals = zip(*found, strict=True) if found else ([],) * (len(labels) + 1)
    return [list(column) for column in columns], _weights(list(totals))


def _weights(totals: list[Any]) -> Array:
    """Return sums of weights; those of integers are exact."""
    if any(isinstance(total, float) for total in totals):
        return np.array(totals, np.float64)
    if sum(totals) >= _LARGEST_TOTAL:
        raise InputError(
            "the weights sum to more than the largest 64-bit integer (9·10^18); scale them down."
        )
    return np.array(totals, np.int64)


def _no_weight(value: str) -> str:
    return f"({value} IS NULL OR NOT ({value} >= 0 AND {value} < 'inf'::DOUBLE))"
