"""Clusterings that stay on disk, as columns of a frame of the engine."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import Missing
from clusterwise.cli.tables.columns import Column
from clusterwise.cli.tables.disk_columns import DiskTyping, on_disk
from clusterwise.cli.tables.engine import identifier
from clusterwise.cli.tables.feature_columns import feature_type, feature_values
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.object_view import ObjectView
from clusterwise.cli.tables.raw_columns import factorize, make_column
from clusterwise.cli.tables.selection import as_hard_clustering, with_missing_label
from clusterwise.cli.tables.value_expressions import parsed_number, string_of
from clusterwise.inputs.clusterings import Clustering
from clusterwise.inputs.encoding import Codes, as_names, name_list, read_only

# The label of noise in the frame, where labels are numbered from 0.
NOISE = -1
WEIGHT = "weight"


@dataclass(frozen=True)
class DiskLabels:
    """A hard clustering: SQL expressions for the label and for whether it is noise.

    Memberships that are all 0 or 1 are labels too: the index of the column with the 1;
    ``clusters`` are the names of these columns.
    """

    name: str
    sql: str
    is_noise: str
    typing: DiskTyping | None = None
    clusters: tuple[Any, ...] | None = None

    def column(self, raw: Sequence[Any], missing: Missing) -> Column:
        """Return a column of labels from values of ``sql``."""
        if self.typing is None:
            column = make_column(self.name, "integer", *factorize(raw))
        else:
            column = self.typing.column_of_rows(raw)
        return with_missing_label(column) if missing == "label" else column

    def clustering(self, column: Column, noise_label: int | str) -> Clustering:
        """Return the clustering with these labels."""
        if self.clusters is None:
            return as_hard_clustering(column, noise_label)
        indices = np.array(column.values, np.uint32)[column.codes]
        return Clustering(
            Codes(read_only(indices), 0, len(self.clusters), as_names(list(self.clusters)))
        )


@dataclass(frozen=True)
class DiskMemberships:
    """A soft clustering: SQL expressions for the memberships, and the names of the clusters."""

    name: str
    memberships: tuple[str, ...]
    clusters: tuple[Any, ...]


DiskClustering = DiskLabels | DiskMemberships


class ClusteringFrame:
    """The frame, the names of the columns of each clustering in it, and their clusters.

    Labels are numbered in the order of the names of the clusters, so that the rules for labels
    in memory apply to the frame too. ``others`` are SQL expressions for more columns, and then the
    names of these in the frame.
    """

    def __init__(
        self,
        objects: ObjectView,
        sides: Sequence[DiskClustering],
        features: Sequence[LocatedColumn],
        weight: str | None,
        where: str,
        missing: Missing,
        noise_label: int | str | None,
        others: Sequence[str] = (),
    ) -> None:
        self._objects = objects
        taken = {one.name.lower() for one in features}
        prefix = "side"
        while any(name.startswith(prefix) for name in (*taken, WEIGHT)):
            prefix += "_"
        self.columns: list[str | list[str]] = []
        self.clusters: list[dict[Any, Any]] = []
        self.weight = None if weight is None else f"{prefix}{WEIGHT}"
        made, joins = [], []
        for i, side in enumerate(sides):
            if isinstance(side, DiskLabels):
                name = f"{prefix}{i}"
                names = self._keep_codes(i, side, where, missing, noise_label)
                codes = f"codes{i}_{objects.view}"
                joins.append(f" JOIN {codes} ON {side.sql} IS NOT DISTINCT FROM {codes}.v")
                made.append(f"{codes}.k AS {name}")
                self.columns.append(name)
                self.clusters.append(names)
            else:
                columns = [f"{prefix}{i}_{k}" for k in range(len(side.memberships))]
                made += [
                    f"{membership} AS {name}"
                    for membership, name in zip(side.memberships, columns, strict=True)
                ]
                self.columns.append(columns)
                self.clusters.append(dict(zip(columns, side.clusters, strict=True)))
        if weight is not None:
            made.append(f"{weight} AS {self.weight}")
        self.others = [f"{prefix}_other{i}" for i in range(len(others))]
        made += [f"{sql} AS {name}" for sql, name in zip(others, self.others, strict=True)]
        self.features = [one.name for one in features]
        self.dates = {one.name for one in features if one.column.typed.type == "date"}
        for one in features:
            value, join = _feature(objects, one, where)
            made.append(f"{value} AS {identifier(one.name)}")
            joins.append(join)
        self.native = objects.engine.relation(
            f"SELECT {', '.join(made)} FROM {objects.view}{''.join(joins)} WHERE {where}"
        )

    def _keep_codes(
        self, i: int, side: DiskLabels, where: str, missing: Missing, noise_label: int | str | None
    ) -> dict[Any, Any]:
        """Store a table of the labels and their numbers; return the names of the numbers."""
        objects, engine = self._objects, self._objects.engine
        labels = engine.fresh("labels")
        engine.execute(
            f"CREATE TEMP TABLE {labels} AS SELECT v, row_number() OVER () - 1 AS i "
            f"FROM (SELECT DISTINCT {side.sql} AS v FROM {objects.view} WHERE {where})"
        )
        column = side.column(engine.column(f"SELECT v FROM {labels} ORDER BY i"), missing)
        codes = side.clustering(column, -1 if noise_label is None else noise_label).codes
        names = dict(enumerate(name_list(codes.all_names())))
        numbers = codes.positions().astype(np.int64)
        if noise_label is not None:
            noise = [code for code, name in names.items() if str(name) == str(noise_label)]
            numbers[np.isin(numbers, noise)] = NOISE
        known = np.flatnonzero(column.codes >= 0)
        engine.keep(
            f"codes{i}_{objects.view}",
            {"i": known, "k": numbers[known]},
            f"SELECT v, k FROM {labels} LEFT JOIN given USING (i)",
        )
        return names


def _feature(objects: ObjectView, one: LocatedColumn, where: str) -> tuple[str, str]:
    """Return a feature as a number, or a string if it is categorical, and a join for it.

    Values are taken by the rules for columns in memory. Strings are looked up if their distinct
    values are known, and parsed by the engine otherwise.
    """
    column = on_disk(one)
    facts, typed = column.facts, column.typed
    if column.type == "boolean":
        return f"CASE {column.sql} WHEN TRUE THEN 'True' WHEN FALSE THEN 'False' END", ""
    values = feature_type(facts.distinct)
    if column.type not in ("text", "json", "string"):
        value = column.number if values == "numeric" else f"CAST({column.sql} AS VARCHAR)"
        if values == "numeric":
            _check_infinite(objects, one, column.number, where)
        return value, ""
    if facts.lookup is None:
        if values != "numeric":
            return string_of(facts.present, column.type), ""
        value = parsed_number(facts.sql, column.type, typed)
        _check_infinite(objects, one, value, where)
        return value, ""
    distinct = facts.distinct
    table = objects.engine.fresh("values")
    found = feature_values(distinct)
    known = np.flatnonzero(~np.isnan(found) if values == "numeric" else found != None)  # noqa: E711
    objects.engine.keep(
        table, {"i": known, "x": found[known]},
        f"SELECT v, x FROM {facts.lookup.table} LEFT JOIN given USING (i)",
    )  # fmt: skip
    if values == "numeric" and np.isinf(found).any():
        infinite = ", ".join(map(str, np.flatnonzero(np.isinf(found)).tolist()))
        _raise_for_infinite(
            objects, one, where,
            f"{column.sql} IN (SELECT v FROM {facts.lookup.table} WHERE i IN ({infinite}))",
        )  # fmt: skip
    return f"{table}.x", f" JOIN {table} ON {column.sql} IS NOT DISTINCT FROM {table}.v"


def _check_infinite(objects: ObjectView, one: LocatedColumn, number: str, where: str) -> None:
    if on_disk(one).type in ("float", "text", "json", "string"):
        condition = f"coalesce(isinf({number}), FALSE)"
        found = objects.engine.row(
            f"SELECT count(*) FROM {objects.view} WHERE {condition} AND {where}"
        )
        if found != (0,):
            _raise_for_infinite(objects, one, where, condition)


def _raise_for_infinite(
    objects: ObjectView, one: LocatedColumn, where: str, condition: str
) -> NoReturn:
    location, value = objects.first(on_disk(one), condition, where)
    raise InputError(
        f"{one.source.path} has {str(value)[:20]} in column {one.original!r} on {location}, which "
        "cannot be binned; correct it, or leave it empty if missing."
    )
