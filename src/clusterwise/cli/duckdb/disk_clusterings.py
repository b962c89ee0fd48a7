"""Clusterings that stay on disk, as columns of one frame of the engine."""

# ruff: noqa: S608 (the names in queries are ours, and texts are quoted)

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

# What noise is called in the frame, where labels are numbers from zero on.
NOISE = -1
WEIGHT = "weight"


@dataclass(frozen=True)
class DiskLabels:
    """A clustering of labels: what they are, and which of them are noise.

    Memberships that are all 0 or 1 are labels too: the place of the column with the 1, of
    which ``clusters`` are the names.
    """

    name: str
    sql: str
    is_noise: str
    clusters: tuple[Any, ...] | None = None

    def clustering(self, column: Column, noise_label: int | str) -> Clustering:
        """The clustering of labels that were fetched."""
        if self.clusters is None:
            return as_hard_clustering(column, noise_label)
        places = np.array(column.values, np.uint32)[column.codes]
        return Clustering(
            Codes(read_only(places), 0, len(self.clusters), as_names(list(self.clusters)))
        )


@dataclass(frozen=True)
class DiskMemberships:
    """A clustering of memberships: their values, and the clusters' names."""

    name: str
    memberships: tuple[str, ...]
    clusters: tuple[Any, ...]


DiskClustering = DiskLabels | DiskMemberships


class ClusteringFrame:
    """The frame, what the columns of each clustering are called in it, and their clusters.

    Labels are numbers in the order of the clusters' names, so that all rules of how labels
    are read hold in the frame as they do in memory.
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
                    f"{share} AS {name}"
                    for share, name in zip(side.memberships, columns, strict=True)
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
        """A table of the labels and their numbers; the names of these."""
        import pyarrow as pa

        objects, engine = self._objects, self._objects.engine
        found = engine.table(f"SELECT {side.sql} AS v FROM {objects.view} WHERE {where} GROUP BY 1")
        column = arrow_column(side.name, found["v"])
        if missing == "label":
            column = with_missing_label(column)
        codes = side.clustering(column, -1 if noise_label is None else noise_label).codes
        names = dict(enumerate(name_list(codes.names_at(np.arange(codes.size)))))
        numbers = codes.positions().tolist()
        if noise_label is not None:
            noise = {code for code, name in names.items() if str(name) == str(noise_label)}
            numbers = [NOISE if number in noise else number for number in numbers]
        given = pa.table({"v": found["v"], "k": pa.array(numbers, pa.int64())})
        engine.keep(f"codes{i}_{objects.view}", given)
        return names


def feature_values(objects: ObjectView, features: Sequence[LocatedColumn], where: str) -> list[str]:
    """Features as numbers, or as texts where they are names, by the rules of memory."""
    columns = [large(one) for one in features]
    texts = objects.summarize_columns([column for column in columns if column.type == "text"])
    numeric = [
        column.type in ("whole", "float", "decimal")
        or (column.type == "text" and texts[column.sql].numbers)
        for column in columns
    ]
    _refuse_infinite(
        objects, [one for one, is_one in zip(features, numeric, strict=True) if is_one], where
    )
    values = []
    for one, column, is_number in zip(features, columns, numeric, strict=True):
        if is_number:
            value = column.number
        elif column.type == "flag":
            value = f"CASE {column.sql} WHEN TRUE THEN 'True' WHEN FALSE THEN 'False' END"
        else:
            value = f"CAST({column.sql} AS VARCHAR)"
        values.append(f"{value} AS {identifier(one.name)}")
    return values


def _refuse_infinite(objects: ObjectView, features: Sequence[LocatedColumn], where: str) -> None:
    asked = [one for one in features if large(one).type in ("float", "text")]
    if not asked:
        return
    questions = [f"coalesce(bool_or(isinf({large(one).number})), FALSE)" for one in asked]
    found = objects.engine.row(f"SELECT {', '.join(questions)} FROM {objects.view} WHERE {where}")
    for one, infinite in zip(asked, found, strict=True):
        if infinite:
            column = large(one)
            place, value = objects.first(column, f"isinf({column.number})", where)
            raise InputError(
                f"{one.source.path} has {str(value)[:20]} in column {one.original!r} on {place}, "
                "which is in no bin; correct it, or leave it empty to count it as missing."
            )
