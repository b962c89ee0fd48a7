"""``again`` for files larger than memory: only a sample and counts are fetched."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.lazy_frames.predictor import label_frame
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.cli.again.data import check_features, refuse_singletons
from clusterwise.cli.again.find_alternatives import (
    ClusteringSummary,
    SearchResult,
    check_min_cluster_size,
    summarize_alternatives,
    summarize_clustering,
    warnings_as_notes,
)
from clusterwise.cli.again.options import SearchOptions
from clusterwise.cli.again.plan import make_plan
from clusterwise.cli.batch_writing import write_batches
from clusterwise.cli.options import FileOptions, LabelHandling
from clusterwise.cli.tables.columns import label_of
from clusterwise.cli.tables.disk_clusterings import NOISE, ClusteringFrame, DiskLabels
from clusterwise.cli.tables.disk_columns import DiskColumn, on_disk
from clusterwise.cli.tables.disk_joining import open_objects
from clusterwise.cli.tables.distinct_labels import rows_to_keep
from clusterwise.cli.tables.engine import Engine, identifier
from clusterwise.cli.tables.feature_columns import FeatureTable, choose_features
from clusterwise.cli.tables.joining import LocatedColumn, identifying_column
from clusterwise.cli.tables.selection import find_all
from clusterwise.cli.tables.sources import LocalFile
from clusterwise.inputs.features import read_features


@dataclass(frozen=True)
class DiskObjects:
    """The given clusterings and the features of objects on disk, as a frame of the engine.

    ``written`` are the columns of a file of labels by their names in the frame, and ``order`` is
    the column of the rows in the files.
    """

    engine: Engine
    native: Any
    given: list[str]
    features: list[str]
    written: dict[str, str]
    order: str
    column_names: frozenset[str]
    handling: LabelHandling

    def write_labels(self, result: SearchResult, output: str, *, excel_safe: bool = False) -> None:
        """Write a row per object in the order of the files: key, given labels, alternatives."""
        columns = [f"{one} AS {identifier(name)}" for one, name in self.written.items()]
        labelled = self.native
        if result.alternatives:
            names = [one.name for one in result.alternatives]
            rules = [one.predictor for one in result.found]
            labelled = label_frame(
                labelled, {name: rule for name, rule in zip(names, rules, strict=True) if rule}
            )
            columns += [f"nullif({one}, -1) AS {one}" for one in map(identifier, names)]
        view = self.engine.fresh("labelled")
        labelled.create_view(view)
        batches = self.engine.batches(
            f"SELECT {', '.join(columns)} FROM {view} ORDER BY {self.order}"
        )
        write_batches(batches, output, excel_safe=excel_safe)


def check_disk_options(options: SearchOptions, given: Sequence[str], report: str | None) -> None:
    """Raise an error for options that need all objects in memory."""
    if options.chosen_method != "auto":
        raise InputError(
            f"--method {options.chosen_method} needs all objects in memory, but DuckDB leaves "
            "these files on disk; leave it out, or use a sample."
        )
    if not given:
        raise InputError(
            "files that DuckDB leaves on disk need a given clustering; name its column with "
            "--given."
        )
    if report is not None:
        raise InputError(
            "--report plots the objects, but DuckDB leaves them on disk; leave out --report, or "
            "use a sample."
        )


def open_disk_objects(
    engine: Engine,
    files: Sequence[LocalFile],
    reading: FileOptions,
    given: Sequence[str],
    features: Sequence[str],
    handling: LabelHandling,
) -> DiskObjects:
    """Open the files, and choose the columns."""
    refuse_singletons(handling)
    objects = open_objects(engine, files, reading)
    tables = objects.tables
    found = find_all(objects.located, given, "--given", tables)
    check_features(features, found, reading.key)
    rest = [one for one in objects.located if one not in found]
    used = choose_features(rest, features, tables)
    rows_to_keep(objects, found, [], handling.missing)
    label = label_of(handling.noise_label)
    sides = [_as_side(one, label) for one in found]
    key = objects.key or identifying_column(
        [one for one in rest if one not in used], None, {one.name for one in found}
    )
    others = {"g0": ""}
    if isinstance(key, DiskColumn):
        others[key.sql] = key.name
    others |= {on_disk(one).sql: one.name for one in found}
    frame = ClusteringFrame(
        objects, sides, used, None, "TRUE", handling.missing,
        label if handling.noise == "drop" else None, list(others),
    )  # fmt: skip
    names = [one.name for one in found]
    renamed = [
        f"{side} AS {identifier(name)}" for side, name in zip(frame.columns, names, strict=True)
    ]
    kept = [identifier(name) for name in (*frame.features, *frame.others)]
    order, *written = frame.others
    return DiskObjects(
        engine,
        frame.native.project(", ".join([*renamed, *kept])),
        names,
        frame.features,
        dict(zip(written, list(others.values())[1:], strict=True)),
        order,
        frozenset([*(name for table in tables for name in table.names), *names]),
        handling,
    )


def _as_side(one: LocatedColumn, noise_label: int | str) -> DiskLabels:
    column = on_disk(one)
    return DiskLabels(one.name, column.sql, column.is_label(noise_label), column.facts)


def find_in_sample(data: DiskObjects, options: SearchOptions) -> SearchResult:
    """Find alternatives in a sample of the objects."""
    with warnings_as_notes():
        found = cluster_again(
            data.native, data.given, features=data.features,
            n_alternatives=options.n_alternatives, n_clusters=options.n_clusters,
            min_cluster_size=options.min_cluster_size or None, guard=options.guard,
            quality=options.quality, scale=options.scale,
            noise="drop" if data.handling.noise == "drop" else "cluster", noise_label=NOISE,
            missing="drop" if data.handling.missing == "drop" else "error",
            random_state=options.seed, **options.of_auto,
        )  # fmt: skip
    plan = make_plan(_as_table(found), options)
    given = [
        _with_all_sizes(data, summarize_clustering(name, labels, plan))
        for name, labels in zip(data.given, found.given, strict=True)
    ]
    n_clusters = options.n_clusters or len(given[0].sizes.sizes)
    check_min_cluster_size(options, n_clusters, found.n_objects)
    alternatives = summarize_alternatives(found, given, plan, data.column_names)
    return SearchResult(found, given, alternatives, plan, "auto", n_clusters, False)


def _as_table(found: FoundClusterings) -> FeatureTable:
    """Return the features of the sample."""
    features = read_features(found.data)
    columns: list[Any] = []
    for column in features.columns:
        if column.kind == "numeric":
            columns.append(np.asarray(column.numbers(), np.float64))
        else:
            codes, values = column.categories()
            columns.append(np.array([*values, None], object)[codes])
    numeric = all(column.dtype == np.float64 for column in columns)
    table = np.column_stack([one if numeric else one.astype(object) for one in columns])
    return FeatureTable(list(features.names), table)


def _with_all_sizes(data: DiskObjects, one: ClusteringSummary) -> ClusteringSummary:
    """Return a given clustering with the sizes of its clusters among all objects."""
    name = identifier(one.name)
    rows = data.native.aggregate(f"{name} AS label, count(*) AS n", name).fetchall()
    kept = [(label, n) for label, n in rows if label is not None and label != NOISE]
    counts = np.array([n for _, n in kept], np.float64)
    return replace(one, sizes=describe_sizes(np.arange(counts.size), counts))
