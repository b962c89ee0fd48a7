"""What ``again`` reads: features, the clusterings that are given, and what names the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.cli.tables.choosing import find_all, rows_left, with_missing_label
from clusterwise.cli.tables.columns import Column, Table
from clusterwise.cli.tables.features import FeatureTable, as_features, choose_features
from clusterwise.cli.tables.files import HowToRead, read_file
from clusterwise.cli.tables.joining import Placed, file_titles, join, key_column, refuse_shuffled
from clusterwise.inputs.clusterings import Missing
from clusterwise.inputs.encoding import Array


@dataclass(frozen=True)
class AgainData:
    """The columns that are written beside the alternatives, and the features to find them by.

    ``rows`` are the objects to cluster, if not all: the features and ``labels`` are theirs, while
    ``key`` and ``given`` hold all objects. ``taken`` are all column names of the files.
    """

    key: Column | None
    given: list[Column]
    labels: list[Array]
    features: FeatureTable
    rows: Array | None
    n: int
    taken: frozenset[str]


def load_again(
    files: Sequence[str],
    how: HowToRead,
    given: Sequence[str],
    features: Sequence[str],
    *,
    key: str | None = None,
    missing: Missing = "error",
) -> AgainData:
    """Read the files and line up their rows; what is given is no feature."""
    titles = file_titles(files)
    tables = [read_file(file, how) for file in files]
    placed = join(tables, titles, key)
    if key is None:
        refuse_shuffled(placed, "take that column out of one of them")
    found = find_all(placed, given, "--given", tables)
    _refuse_taken(features, found, key)
    # Another file may repeat the column, as one does that this command has written.
    originals = {one.original for one in found}
    rest = [one for one in placed if one.original not in originals]
    known = [one for i, one in enumerate(found) if not any(_same(one, old) for old in found[:i])]
    if not rest:
        raise InputError(f"{_paths(tables)} holds no features; add columns, or another file.")
    used = choose_features(rest, features, tables)
    rows = rows_left(known, [], missing) if known else None
    columns = [one.column for one in known]
    if missing == "label":
        columns = [with_missing_label(column) for column in columns]
    labels = [(column if rows is None else column.take(rows)).codes for column in columns]
    for one, codes in zip(known, labels, strict=True):
        _refuse_no_clustering(one, codes)
    names = [*(name for table in tables for name in table.names), *(one.name for one in placed)]
    return AgainData(
        key_column(placed[0], key), columns, labels, as_features(used, rows), rows,
        len(placed[0].column), frozenset(names),
    )  # fmt: skip


def _same(one: Placed, old: Placed) -> bool:
    return one.original == old.original and values_of(one.column) == values_of(old.column)


def values_of(column: Column) -> list[Any]:
    """The value of each row, None where it is missing."""
    values = [*column.values, None]
    return [values[code] for code in column.codes.tolist()]


def _refuse_taken(features: Sequence[str], known: Sequence[Placed], key: str | None) -> None:
    given = {one.name for one in known} | {one.original for one in known}
    for name in features:
        if name in given or name == key:
            option = "--given" if name in given else "--key"
            raise InputError(
                f"{name} is {option}, so it is no feature; leave it out of --features."
            )


def _refuse_no_clustering(one: Placed, codes: Array) -> None:
    if one.column.kind == "features":
        raise InputError(
            f"--given {one.name} holds numbers that are not whole, so it says no clusters; name "
            "a column of labels."
        )
    clusters = np.unique(codes).size
    if clusters == codes.size:
        raise InputError(
            f"--given {one.name} is another value for each of the "
            f"{format_count(codes.size, 'object')}; name a column of labels, that repeat."
        )
    if clusters == 1:
        raise InputError(
            f"--given {one.name} puts all objects into one cluster; name another column, or leave "
            "--given out to have a first clustering made."
        )


def _paths(tables: Sequence[Table]) -> str:
    return " and ".join(table.path for table in tables)
