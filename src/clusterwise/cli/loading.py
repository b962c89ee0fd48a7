"""From files to clusterings that can be compared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clusterwise.cli.choosing import (
    Missing,
    as_clustering,
    as_weights,
    choose_labels,
    find_columns,
    settle_missing,
)
from clusterwise.cli.columns import Table, label_of
from clusterwise.cli.features import FeatureTable, as_features, choose_features
from clusterwise.cli.files import HowToRead, read_file
from clusterwise.cli.joining import Placed, file_titles, join, refuse_shuffled
from clusterwise.cli.output import say
from clusterwise.clusterings import Clustering, Noise, Reading
from clusterwise.encoding import Array
from clusterwise.errors import InputError


@dataclass(frozen=True)
class Wanted:
    """Which columns to compare, what their special values mean, where the features are."""

    columns: Sequence[str] = ()
    key: str | None = None
    weight: str | None = None
    missing: Missing = "error"
    noise: Noise = "cluster"
    noise_label: str = "-1"
    data: Sequence[str] = ()
    features: Sequence[str] = ()


@dataclass(frozen=True)
class Compared:
    """Clusterings by name, how to read them, and the features of their objects."""

    clusterings: dict[str, Clustering]
    reading: Reading
    features: FeatureTable | None = None


def load(files: Sequence[str], how: HowToRead, wanted: Wanted) -> Compared:
    """Read the files, line up their rows, and make clusterings of their label columns."""
    paths = [*files, *(file for file in wanted.data if file not in files)]
    titles = file_titles(paths)
    tables = [
        read_file(path, how, _needed(wanted, title))
        for path, title in zip(paths, titles, strict=True)
    ]
    everything = join(tables, titles, wanted.key)
    by_position_on_purpose = wanted.columns and (wanted.features or not wanted.data)
    if wanted.key is None and not by_position_on_purpose:
        refuse_shuffled(everything)
    tables, data = tables[: len(files)], [tables[paths.index(path)] for path in wanted.data]
    placed, weights = _take_weights(_as_if_alone(everything, tables), wanted, tables)
    if not wanted.columns:
        placed = [one for one in placed if one.column.kind != "features" or not _is_of(one, data)]
    chosen = choose_labels(placed, wanted.columns, tables)
    if not data and not wanted.columns:
        _say_how_to_use_features(placed)
    if not data:
        return _compared(chosen, weights, [], wanted)
    rest = [one for one in everything if _is_of(one, data)]
    if not wanted.features:
        taken = {*(one.original for one in chosen), wanted.weight}
        rest = [one for one in rest if one.original not in taken and one.name != wanted.weight]
    return _compared(chosen, weights, choose_features(rest, wanted.features, data), wanted)


def load_one(files: Sequence[str], how: HowToRead, labels: str, wanted: Wanted) -> Compared:
    """Read the files, line up their rows; one column is the labels, the others are features."""
    titles = file_titles(files)
    tables = [read_file(file, how) for file in files]
    placed = join(tables, titles, wanted.key)
    if wanted.key is None:
        refuse_shuffled(placed)
    placed, weights = _take_weights(placed, wanted, tables)
    labelling = _one_column(placed, labels, "--labels", tables)
    rest = [one for one in placed if one is not labelling]
    return _compared([labelling], weights, choose_features(rest, wanted.features, tables), wanted)


def _compared(
    chosen: Sequence[Placed], weights: Array | None, features: Sequence[Placed], wanted: Wanted
) -> Compared:
    """Clusterings of the chosen columns, with the features of the objects that have labels."""
    rows = None
    if wanted.missing == "drop":
        rows = np.flatnonzero(np.all([one.column.codes >= 0 for one in chosen], axis=0))
    columns, weights = settle_missing(chosen, weights, wanted.missing)
    label = label_of(wanted.noise_label)
    if wanted.noise != "cluster" and not any(str(label) in map(str, c.values) for c in columns):
        say(f"no object is labelled {label}, so --noise {wanted.noise} changes nothing.")
    reading: Reading = {"sample_weight": weights, "noise": wanted.noise, "noise_label": label}
    clusterings = {column.name: as_clustering(column, label) for column in columns}
    return Compared(clusterings, reading, as_features(features, rows) if features else None)


def _take_weights(
    placed: list[Placed], wanted: Wanted, tables: Sequence[Table]
) -> tuple[list[Placed], Array | None]:
    """The columns without that of the weights, and the weights."""
    if wanted.weight is None:
        return placed, None
    weighing = _one_column(placed, wanted.weight, "--weight", tables)
    return [one for one in placed if one is not weighing], as_weights(weighing)


def _one_column(
    placed: Sequence[Placed], name: str, option: str, tables: Sequence[Table]
) -> Placed:
    """The column of this name; if several files have it, its file must be named too."""
    found = find_columns(placed, name, option, tables)
    if len(found) > 1:
        names = " or ".join(one.name for one in found)
        raise InputError(f"{option} {name} is in several files; use {names}.")
    return found[0]


def _as_if_alone(placed: Sequence[Placed], tables: Sequence[Table]) -> list[Placed]:
    """The columns of some files, under the names that they have without the other files."""
    counts = Counter(name for table in tables for name in table.names)
    return [
        one
        if counts[one.original] > 1
        else replace(one, column=replace(one.column, name=one.original))
        for one in placed
        if _is_of(one, tables)
    ]


def _is_of(one: Placed, tables: Sequence[Table]) -> bool:
    return any(one.source is table for table in tables)


def _say_how_to_use_features(placed: Sequence[Placed]) -> None:
    features = [one for one in placed if one.column.kind == "features"]
    if features:
        name, more = features[0].name, len(features) - 1
        what = f"{name} and {more} more" if more else name
        say(f"give that file as --data too to compare where the clusters are dense in {what}.")


def _needed(wanted: Wanted, title: str) -> frozenset[str] | None:
    """Columns to read of one file; None reads all of them.

    With features all are read, since ids tell whether the rows are in the same order.
    """
    if not wanted.columns or wanted.data:
        return None
    named = [*wanted.columns, *filter(None, (wanted.key, wanted.weight))]
    return frozenset([*named, *(name.removeprefix(f"{title}.") for name in named)])
