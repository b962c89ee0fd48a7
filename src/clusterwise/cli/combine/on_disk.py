"""``combine`` for files larger than memory: only distinct rows of labels are fetched."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.batch_writing import write_batches
from clusterwise.cli.combine.data import ConsensusResult, LabelData, as_ensemble, combine_labels
from clusterwise.cli.options import EnsembleHandling, FileOptions
from clusterwise.cli.tables.disk_columns import MOST, DiskColumn, on_disk
from clusterwise.cli.tables.disk_joining import open_objects
from clusterwise.cli.tables.distinct_labels import rows_to_keep
from clusterwise.cli.tables.engine import Engine, identifier
from clusterwise.cli.tables.joining import LocatedColumn, identifying_column
from clusterwise.cli.tables.object_view import ObjectView
from clusterwise.cli.tables.selection import choose_labels, find_all, require_two
from clusterwise.cli.tables.sources import LocalFile
from clusterwise.consensus.methods import Method
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble


@dataclass(frozen=True)
class DistinctLabelRows:
    """The distinct rows of labels, in memory and as the table ``distinct_rows`` of the engine."""

    objects: ObjectView
    labels: Sequence[LocatedColumn]
    ensemble: Ensemble
    counts: Array

    @property
    def rows(self) -> str:
        """A join of all objects with their distinct row."""
        view = self.objects.view
        same = " AND ".join(
            f"{view}.{on_disk(one).sql} IS NOT DISTINCT FROM distinct_rows.k{i}"
            for i, one in enumerate(self.labels)
        )
        return f"{view} JOIN distinct_rows ON {same}"


@dataclass(frozen=True)
class DiskConsensus(ConsensusResult):
    """A consensus of distinct rows of labels, each with the number of its objects."""

    source: DistinctLabelRows

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

    def most_ambiguous(self, count: int) -> list[tuple[Any, int]]:
        margin, counts = self.objects.margin, self.source.counts
        order = np.argsort(margin, kind="stable")  # NaN, for no label, is last
        ends = np.cumsum(counts[order])
        last = order[min(int(np.searchsorted(ends, count)), order.size - 1)]
        some = np.flatnonzero((margin < 1) & ~(margin > margin[last]))
        if not some.size:
            return []
        self._engine.keep("margins", {"distinct_row": some, "margin": margin[some]})
        key = self.source.objects.key
        named = "g0" if key is None else key.sql
        found = self._engine.execute(
            f"SELECT distinct_row, {named} FROM {self.source.rows} "
            f"JOIN margins USING (distinct_row) ORDER BY margin, g0 LIMIT {count}"
        ).fetchall()
        return [(f"row {name + 1}" if key is None else name, row) for row, name in found]

    def write(self, output: str, *, excel_safe: bool = False) -> None:
        """Write a row per object, in the order of the files (atomically)."""
        known = self.found.labels >= 0
        self._engine.keep(
            "consensus_of_rows",
            {
                "distinct_row": np.flatnonzero(known),
                "consensus": self.found.labels[known],
                "agreement": self.objects.own[known],
            },
        )
        key = self.source.objects.key
        named = [] if key is None else [f"{key.sql} AS {identifier(key.name)}"]
        batches = self._engine.batches(
            f"SELECT {', '.join([*named, 'consensus', 'agreement'])} FROM {self.source.rows} "
            "LEFT JOIN consensus_of_rows USING (distinct_row) ORDER BY g0"
        )
        write_batches(batches, output, excel_safe=excel_safe)

    @property
    def _engine(self) -> Engine:
        return self.source.objects.engine


def combine_on_disk(
    engine: Engine,
    files: Sequence[LocalFile],
    reading: FileOptions,
    names: Sequence[str],
    handling: EnsembleHandling,
    method: Method,
    n_clusters: int | None,
    seed: int,
) -> DiskConsensus:
    """Compute the consensus of the columns of labels, and its agreement with them."""
    objects = open_objects(engine, files, reading)
    if names:
        chosen = find_all(objects.located, names, "--column", objects.tables)
        require_two(chosen, objects.tables)
    else:
        chosen = choose_labels(objects.located, objects.tables)
    if objects.key is None:
        others = [one for one in objects.located if one not in chosen]
        identifier_found = identifying_column(others, None, {"consensus", "agreement"})
        assert identifier_found is None or isinstance(identifier_found, DiskColumn)
        objects.key = identifier_found
    if handling.noise == "singletons":
        raise InputError(
            "--noise singletons is not possible for files that DuckDB reads from disk; use --noise "
            "cluster or --noise drop."
        )
    if handling.missing in ("error", "drop"):
        rows_to_keep(objects, chosen, [], handling.missing)
    source = _count(objects, chosen, handling)
    data = LabelData(source.ensemble, None, lambda row: f"row {row + 1}")
    result = combine_labels(data, method, n_clusters, seed)
    return DiskConsensus(data, result.found, result.objects, source)


def _count(
    objects: ObjectView, chosen: Sequence[LocatedColumn], handling: EnsembleHandling
) -> DistinctLabelRows:
    """Return the distinct rows of labels, in the order of their first objects."""
    engine = objects.engine
    labels = ", ".join(f"{on_disk(one).sql} AS k{i}" for i, one in enumerate(chosen))
    keys = ", ".join(str(i + 1) for i in range(len(chosen)))
    engine.execute(
        "CREATE OR REPLACE TEMP TABLE counted AS "
        f"SELECT {labels}, count(*) AS n, min(g0) AS first_row "
        f"FROM {objects.view} GROUP BY {keys} LIMIT {MOST + 1}"
    )
    engine.execute(
        "CREATE OR REPLACE TEMP TABLE distinct_rows AS "
        "SELECT *, row_number() OVER (ORDER BY first_row) - 1 AS distinct_row FROM counted"
    )
    found = engine.execute("SELECT * FROM distinct_rows ORDER BY distinct_row").fetchall()
    if len(found) > MOST:
        raise InputError(
            f"the clusterings have more than {MOST} distinct rows of labels, too many to "
            "combine; leave out some clusterings, or use a sample."
        )
    *labels_of_rows, counts_of_rows, _, _ = zip(*found, strict=True)
    located = []
    for one, raw in zip(chosen, labels_of_rows, strict=True):
        column = on_disk(one).facts.column_of_rows(raw)
        located.append(replace(one, column=replace(column, name=one.name)))
    counts = np.array(counts_of_rows, np.int64)
    return DistinctLabelRows(
        objects, chosen, as_ensemble(located, handling)._replace(counts=counts), counts
    )
