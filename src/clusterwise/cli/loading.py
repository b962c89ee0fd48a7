"""From files to clusterings that can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from clusterwise.cli.choosing import (
    Missing,
    as_clustering,
    as_weights,
    choose_labels,
    find_columns,
    settle_missing,
)
from clusterwise.cli.columns import Table, label_of
from clusterwise.cli.files import HowToRead, read_file
from clusterwise.cli.joining import Placed, file_titles, join, refuse_shuffled
from clusterwise.cli.output import say
from clusterwise.clusterings import Clustering, Noise, Reading
from clusterwise.errors import InputError


@dataclass(frozen=True)
class Wanted:
    """Which columns to compare, and what their special values mean."""

    columns: Sequence[str] = ()
    key: str | None = None
    weight: str | None = None
    missing: Missing = "error"
    noise: Noise = "cluster"
    noise_label: str = "-1"


@dataclass(frozen=True)
class Compared:
    """Clusterings by name, and how to read them."""

    clusterings: dict[str, Clustering]
    reading: Reading


def load(files: Sequence[str], how: HowToRead, wanted: Wanted) -> Compared:
    """Read the files, line up their rows, and make clusterings of their label columns."""
    titles = file_titles(files)
    tables = [
        read_file(file, how, _needed(wanted, title))
        for file, title in zip(files, titles, strict=True)
    ]
    placed = join(tables, titles, wanted.key)
    if wanted.key is None and not wanted.columns:
        refuse_shuffled(placed)
    weights = None
    if wanted.weight is not None:
        weighing = _weight_column(placed, wanted.weight, tables)
        placed = [one for one in placed if one is not weighing]
        weights = as_weights(weighing)
    chosen = choose_labels(placed, wanted.columns, tables)
    columns, weights = settle_missing(chosen, weights, wanted.missing)
    label = label_of(wanted.noise_label)
    if wanted.noise != "cluster" and not any(str(label) in map(str, c.values) for c in columns):
        say(f"no object is labelled {label}, so --noise {wanted.noise} changes nothing.")
    reading: Reading = {"sample_weight": weights, "noise": wanted.noise, "noise_label": label}
    return Compared({column.name: as_clustering(column, label) for column in columns}, reading)


def _needed(wanted: Wanted, title: str) -> frozenset[str] | None:
    """Columns to read of one file; None reads all of them."""
    if not wanted.columns:
        return None
    named = [*wanted.columns, *filter(None, (wanted.key, wanted.weight))]
    return frozenset([*named, *(name.removeprefix(f"{title}.") for name in named)])


def _weight_column(placed: Sequence[Placed], name: str, tables: Sequence[Table]) -> Placed:
    found = find_columns(placed, name, "--weight", tables)
    if len(found) > 1:
        names = " or ".join(one.name for one in found)
        raise InputError(f"--weight {name} is in several files; use {names}.")
    return found[0]
