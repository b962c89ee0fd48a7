"""The input of ``again``: the features, the given clusterings and the key."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.cli.options import FileOptions, LabelHandling
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import Column, Table, label_of
from clusterwise.cli.tables.feature_columns import FeatureTable, as_features, choose_features
from clusterwise.cli.tables.joining import (
    LocatedColumn,
    check_same_order,
    identifying_column,
    join,
)
from clusterwise.cli.tables.named_files import find_files
from clusterwise.cli.tables.read_file import open_tables
from clusterwise.cli.tables.selection import (
    check_types,
    find_all,
    note_if_no_noise,
    rows_to_keep,
    with_missing_label,
)
from clusterwise.inputs.encoding import Array


@dataclass(frozen=True)
class AgainData:
    """The key, the given clusterings and the features of the objects.

    ``rows`` are the objects to cluster, or None for all. ``features`` and ``labels`` are those of
    these objects, ``key`` and ``given`` those of all ``n`` objects. ``column_names`` are all column
    names of the files.
    """

    key: Column | None
    given: list[Column]
    labels: list[Array]
    features: FeatureTable
    rows: Array | None
    n: int
    column_names: frozenset[str]


def load_again(
    files: Sequence[str],
    reading: FileOptions,
    given: Sequence[str],
    features: Sequence[str],
    handling: LabelHandling,
) -> AgainData:
    """Read the files and match their rows; all other columns can be features."""
    inputs = find_files(files, reading.input_format)
    titles = [one.title for one in inputs]
    with open_tables(inputs, reading) as tables:
        check_types(tables, titles, reading)
        located = join(tables, titles, reading.key)
        if reading.key is None:
            check_same_order(located, "take that column out of one of them")
        found = find_all(located, given, "--given", tables)
        check_features(features, found, reading.key)
        # Another file may repeat the column, such as one that this command has written.
        originals = {one.original for one in found}
        rest = [one for one in located if one.original not in originals]
        known = [one for i, one in enumerate(found) if not _is_repeated(one, found[:i])]
        if not rest:
            raise InputError(f"{_paths(tables)} has no features; add columns, or another file.")
        used = choose_features(rest, features, tables)
        rows = _rows_to_keep(known, handling) if known else None
        columns = [one.column for one in known]
        if handling.missing == "label":
            columns = [with_missing_label(column) for column in columns]
        labels = [(column if rows is None else column.take(rows)).codes for column in columns]
        for one, codes in zip(known, labels, strict=True):
            _check_clustering(one, codes)
        names = [name for table in tables for name in table.names]
        names += [one.name for one in located]
        return AgainData(
            identifying_column(
                [one for one in rest if one not in used] or located,
                reading.key,
                {column.name for column in columns},
            ),
            columns,
            labels,
            as_features(used, rows),
            rows,
            len(located[0].column),
            frozenset(names),
        )


def _rows_to_keep(known: Sequence[LocatedColumn], handling: LabelHandling) -> Array | None:
    """Return the objects that are not dropped; None for all."""
    refuse_singletons(handling)
    rows = rows_to_keep(known, [], handling.missing)
    label = label_of(handling.noise_label)
    columns = [one.column for one in known]
    note_if_no_noise(columns, handling.noise, label)
    if handling.noise == "cluster":
        return rows
    noise = np.any([_has_label(column, label) for column in columns], axis=0)
    if not noise.any():
        return rows
    kept = np.flatnonzero(~noise) if rows is None else rows[~noise[rows]]
    if not kept.size:
        raise InputError("every object is noise or has no label; use --noise cluster.")
    n = noise.size if rows is None else rows.size
    say(f"{n - kept.size} of {n} objects dropped: they are noise.")
    return kept


def refuse_singletons(handling: LabelHandling) -> None:
    """Raise an error if noise would be singletons."""
    if handling.noise == "singletons":
        raise InputError(
            "--noise singletons would make every noise object a given cluster; use --noise "
            "cluster or --noise drop."
        )


def _has_label(column: Column, label: int | str) -> Array:
    codes = [i for i, value in enumerate(column.values) if str(value) == str(label)]
    return np.isin(column.codes, codes)


def _is_repeated(one: LocatedColumn, others: Sequence[LocatedColumn]) -> bool:
    """Return whether another file has the same column."""
    return any(
        one.original == other.original and one.column.to_list() == other.column.to_list()
        for other in others
    )


def check_features(
    features: Sequence[str], known: Sequence[LocatedColumn], key: str | None
) -> None:
    """Raise an error for a feature that is the key or a given clustering."""
    given = {one.name for one in known} | {one.original for one in known}
    for name in features:
        if name in given or name == key:
            option = "--given" if name in given else "--key"
            raise InputError(
                f"{name} is the {option} column, not a feature; leave it out of --features."
            )


def _check_clustering(one: LocatedColumn, codes: Array) -> None:
    if one.column.kind == "features":
        raise InputError(
            f"--given {one.name} contains numbers that are not integers; name a column of labels."
        )
    clusters = np.unique(codes).size
    if clusters == codes.size:
        raise InputError(
            f"--given {one.name} has a different value for each of the "
            f"{format_count(codes.size, 'object')}; name a column of labels."
        )
    if clusters == 1:
        raise InputError(
            f"--given {one.name} has only one cluster; name another column, or leave out --given "
            "to compute a first clustering."
        )


def _paths(tables: Sequence[Table]) -> str:
    return " and ".join(table.path for table in tables)
