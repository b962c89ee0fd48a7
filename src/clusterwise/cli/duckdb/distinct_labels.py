"""The rows of a table on disk that are kept, and the distinct combinations of their labels."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.object_view import ObjectView, large
from clusterwise.cli.options import Missing
from clusterwise.cli.output import say
from clusterwise.cli.tables.arrow_tables import arrow_column
from clusterwise.cli.tables.columns import Column
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.selection import MISSING_MEMBERSHIP_HINTS, with_missing_label
from clusterwise.inputs.encoding import Array

# The most distinct rows of two clusterings that are fetched.
MOST_PAIRS = 1 << 22
_LARGEST_TOTAL = 2**63


class DistinctRows(NamedTuple):
    """Distinct rows of labels, and the number or total weight of the objects in each."""

    columns: list[Column]
    weights: Array


def rows_to_keep(
    objects: ObjectView,
    labels: Sequence[LocatedColumn],
    memberships: Sequence[LocatedColumn],
    policy: Missing,
) -> tuple[str, int]:
    """Check for missing labels, and return the condition for objects to keep and their number."""
    columns = [large(one) for one in (*labels, *memberships)]
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
    gone = " OR ".join(large(one).is_missing for one in labels)
    (found,) = objects.engine.row(f"SELECT count(*) FROM {objects.view} WHERE {gone}")
    return int(found)


def weight_of(objects: ObjectView, one: LocatedColumn | None) -> str | None:
    """Return a column as weights; integers stay integers, so that counts are exact."""
    if one is None:
        return None
    column = large(one)
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
    if column.type == "integer" or (column.type == "float" and not fractions):
        return f"CAST({column.sql} AS BIGINT)"
    return value


def count_distinct_rows(
    objects: ObjectView,
    labels: Sequence[str],
    weight: str | None,
    where: str,
    most: int,
    singleton: str | None = None,
) -> Any:
    """Return the distinct rows of labels as an Arrow table, or None if there are too many.

    Its column n is the number of objects, s their total weight. Objects for which the condition
    ``singleton`` holds have a row each; rows are then in the order of the files, by which clusters
    are numbered.
    """
    names = [f"{sql} AS k{i}" for i, sql in enumerate(labels)]
    total = "count(*) AS n" if weight is None else f"count(*) AS n, sum({weight}) AS s"
    keys = [str(i + 1) for i in range(len(labels))]
    order = ""
    if singleton is not None:
        keys += [f"CASE WHEN {singleton} THEN {name} END" for name in ("f0", "r0")]
        order = "ORDER BY min(struct_pack(f := f0, r := r0))"
    found = objects.engine.table(
        f"SELECT {', '.join(names)}, {total} FROM {objects.view} WHERE {where} "
        f"GROUP BY {', '.join(keys)} {order} LIMIT {most + 1}"
    )
    return None if len(found) > most else found


def read_distinct_rows(found: Any, names: Sequence[str], missing: Missing) -> DistinctRows:
    """Return the distinct rows of an Arrow table of :func:`count_distinct_rows`."""
    columns = [arrow_column(name, found[f"k{i}"]) for i, name in enumerate(names)]
    if missing == "label":
        columns = [with_missing_label(column) for column in columns]
    if "s" not in found.column_names:
        return DistinctRows(columns, found["n"].to_numpy())
    return DistinctRows(columns, _sums(found["s"]))


def _sums(column: Any) -> Array:
    """Return sums of weights; those of integers come as decimals."""
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        return np.asarray(column.to_numpy(), np.float64)
    integers = [int(value) for value in column.to_pylist()]
    if sum(integers) >= _LARGEST_TOTAL:
        raise InputError(
            "the weights sum to more than the largest 64-bit integer (9·10^18); scale them down."
        )
    return np.array(integers, np.int64)


def _no_weight(value: str) -> str:
    return f"({value} IS NULL OR NOT ({value} >= 0 AND {value} < 'inf'::DOUBLE))"
