"""Clusterings that stay on disk, as columns of a frame of the engine."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import identifier
from clusterwise.cli.duckdb.object_view import ObjectView, large
from clusterwise.cli.options import Missing
from clusterwise.cli.tables.arrow_tables import arrow_column
from clusterwise.cli.tables.columns import Column
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.selection import as_hard_clustering, with_missing_label
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
    clusters: tuple[Any, ...] | None = None

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
    in memory apply to the frame too.
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
        self.features = [one.name for one in features]
        made += feature_values(objects, features, where)
        self.native = objects.engine.relation(
            f"SELECT {', '.join(made)} FROM {objects.view}{''.join(joins)} WHERE {where}"
        )

    def _keep_codes(
        self, i: int, side: DiskLabels, where: str, missing: Missing, noise_label: int | str | None
    ) -> dict[Any, Any]:
        """Store a table of the labels and their numbers; return the names of the numbers."""
        import pyarrow as pa

        objects, engine = self._objects, self._objects.engine
        found = engine.table(f"SELECT {side.sql} AS v FROM {objects.view} WHERE {where} GROUP BY 1")
        column = arrow_column(side.name, found["v"])
        if missing == "label":
            column = with_missing_label(column)
        codes = side.clustering(column, -1 if noise_label is None else noise_label).codes
        names = dict(enumerate(name_list(codes.all_names())))
        numbers = codes.positions().tolist()
        if noise_label is not None:
            noise = {code for code, name in names.items() if str(name) == str(noise_label)}
            numbers = [NOISE if number in noise else number for number in numbers]
        unlabelled = (column.codes < 0).tolist()
        numbers = [None if no else one for one, no in zip(numbers, unlabelled, strict=True)]
        given = pa.table({"v": found["v"], "k": pa.array(numbers, pa.int64())})
        engine.keep(f"codes{i}_{objects.view}", given)
        return names


def feature_values(objects: ObjectView, features: Sequence[LocatedColumn], where: str) -> list[str]:
    """Return features as numbers, or strings if they are categorical, by the rules in memory."""
    columns = [large(one) for one in features]
    strings = objects.summarize_columns([column for column in columns if column.type == "string"])
    numeric = [
        column.type in ("integer", "float", "decimal", "date")
        or (column.type == "string" and strings[column.sql].numbers)
        for column in columns
    ]
    _check_infinite(
        objects, [one for one, is_one in zip(features, numeric, strict=True) if is_one], where
    )
    values = []
    for one, column, is_number in zip(features, columns, numeric, strict=True):
        if is_number:
            value = column.number
        elif column.type == "boolean":
            value = f"CASE {column.sql} WHEN TRUE THEN 'True' WHEN FALSE THEN 'False' END"
        else:
            value = f"CAST({column.sql} AS VARCHAR)"
        values.append(f"{value} AS {identifier(one.name)}")
    return values


def _check_infinite(objects: ObjectView, features: Sequence[LocatedColumn], where: str) -> None:
    candidates = [one for one in features if large(one).type in ("float", "string")]
    if not candidates:
        return
    conditions = [f"coalesce(bool_or(isinf({large(one).number})), FALSE)" for one in candidates]
    found = objects.engine.row(f"SELECT {', '.join(conditions)} FROM {objects.view} WHERE {where}")
    for one, infinite in zip(candidates, found, strict=True):
        if infinite:
            column = large(one)
            location, value = objects.first(column, f"isinf({column.number})", where)
            raise InputError(
                f"{one.source.path} has {str(value)[:20]} in column {one.original!r} on "
                f"{location}, which cannot be binned; correct it, or leave it empty if missing."
            )
