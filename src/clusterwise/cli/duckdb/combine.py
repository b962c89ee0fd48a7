"""``combine`` of files larger than memory: objects with the same labels are combined as one."""

# ruff: noqa: S608 (the names in queries are ours, and texts are quoted)

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.combine.data import LabelData, Result, as_ensemble, combine_labels
from clusterwise.cli.duckdb.engine import Engine, identifier
from clusterwise.cli.duckdb.files import LargeFile
from clusterwise.cli.duckdb.joining import open_objects
from clusterwise.cli.duckdb.objects import MOST, Objects, large
from clusterwise.cli.duckdb.writing import write_query
from clusterwise.cli.tables.arrow_tables import arrow_column
from clusterwise.cli.tables.choosing import choose_labels, find_all, require_two
from clusterwise.cli.tables.joining import Placed
from clusterwise.consensus.methods import Method
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble


@dataclass(frozen=True)
class Ensembles:
    """The kinds of objects, as the table ``kinds`` of the engine and in memory."""

    objects: Objects
    labels: Sequence[Placed]
    ensemble: Ensemble
    counts: Array

    @property
    def rows(self) -> str:
        """All objects, with their row among all files as ``place`` and their kind as ``kind``."""
        view, first = self.objects.view, self.objects.large[0].query
        alike = " AND ".join(
            f"{view}.{large(one).sql} IS NOT DISTINCT FROM kinds.k{i}"
            for i, one in enumerate(self.labels)
        )
        return f"{view} JOIN parts_of_{first} AS parts ON {view}.f0 = parts.f JOIN kinds ON {alike}"


@dataclass(frozen=True)
class ResultOnDisk(Result):
    """A consensus of kinds of objects; each counts as often as it occurs."""

    source: Ensembles

    @property
    def total(self) -> int:
        return self.source.objects.rows

    @property
    def sizes(self) -> list[int]:
        labels, counts = self.found.labels, self.source.counts
        sizes = np.zeros(self.found.n_clusters, np.int64)
        np.add.at(sizes, labels[labels >= 0], counts[labels >= 0])
        return [int(size) for size in sizes]

    @property
    def unknown(self) -> int:
        return int(self.source.counts[self.found.labels < 0].sum())

    def least_stable(self, count: int) -> list[tuple[Any, int]]:
        margin, counts = self.objects.margin, self.source.counts
        order = np.argsort(margin, kind="stable")  # NaN, for no label, is last
        ends = np.cumsum(counts[order])
        last = order[min(int(np.searchsorted(ends, count)), order.size - 1)]
        some = np.flatnonzero((margin < 1) & ~(margin > margin[last]))
        if not some.size:
            return []
        self._keep("margins", {"kind": some, "margin": margin[some]})
        key = self.source.objects.key
        named = "parts.start + r0" if key is None else key.sql
        found = self.source.objects.engine.execute(
            f"SELECT kind, {named} FROM {self.source.rows} JOIN margins USING (kind) "
            f"ORDER BY margin, parts.start + r0 LIMIT {count}"
        ).fetchall()
        return [(f"row {name + 1}" if key is None else name, kind) for kind, name in found]

    def write(self, output: str) -> None:
        """A row per object, in the order of the files, whole or not at all."""
        known = self.found.labels >= 0
        self._keep(
            "consensus_of_kinds",
            {
                "kind": np.flatnonzero(known),
                "consensus": self.found.labels[known],
                "agreement": self.objects.own[known],
            },
        )
        key = self.source.objects.key
        named = [] if key is None else [f"{key.sql} AS {identifier(key.name)}"]
        write_query(
            self.source.objects.engine,
            f"SELECT {', '.join([*named, 'consensus', 'agreement'])} FROM {self.source.rows} "
            "LEFT JOIN consensus_of_kinds USING (kind) ORDER BY parts.start + r0",
            output,
        )

    def _keep(self, name: str, columns: dict[str, Array]) -> None:
        import pyarrow as pa

        self.source.objects.engine.keep(name, pa.table(columns))


def combine_on_disk(
    engine: Engine,
    files: Sequence[LargeFile],
    names: Sequence[str],
    key: str | None,
    method: Method,
    clusters: int | None,
    seed: int,
) -> ResultOnDisk:
    """The consensus of the columns of labels, and how well it is supported."""
    objects = open_objects(engine, files, key)
    if names:
        chosen = find_all(objects.placed, names, "--column", objects.tables)
        require_two(chosen, objects.tables)
    else:
        chosen = choose_labels(objects.placed, objects.tables)
    source = _count(objects, chosen)
    data = LabelData(source.ensemble, None, lambda row: f"row {row + 1}")
    result = combine_labels(data, method, clusters, seed)
    return ResultOnDisk(data, result.found, result.objects, clusters, source)


def _count(objects: Objects, chosen: Sequence[Placed]) -> Ensembles:
    """The kinds of objects in the order of their first ones, which stay in the engine too."""
    engine, first = objects.engine, objects.large[0].query
    labels = ", ".join(f"{large(one).sql} AS k{i}" for i, one in enumerate(chosen))
    keys = ", ".join(str(i + 1) for i in range(len(chosen)))
    engine.execute(
        "CREATE OR REPLACE TEMP TABLE counted AS "
        f"SELECT {labels}, count(*) AS n, min(parts.start + r0) AS place "
        f"FROM {objects.view} JOIN parts_of_{first} AS parts ON f0 = parts.f GROUP BY {keys} "
        f"LIMIT {MOST + 1}"
    )
    engine.execute(
        "CREATE OR REPLACE TEMP TABLE kinds AS "
        "SELECT *, row_number() OVER (ORDER BY place) - 1 AS kind FROM counted"
    )
    found = engine.table("SELECT * FROM kinds ORDER BY kind")
    if len(found) > MOST:
        raise InputError(
            f"the clusterings have more than {MOST} distinct rows of labels, too many to combine "
            "here; leave some clusterings out, or take a sample."
        )
    placed = [
        replace(one, column=arrow_column(one.name, found[f"k{i}"])) for i, one in enumerate(chosen)
    ]
    counts = found["n"].to_numpy()
    return Ensembles(objects, chosen, as_ensemble(placed)._replace(counts=counts), counts)
