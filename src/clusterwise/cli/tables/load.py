"""Load clusterings and features from files."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_list
from clusterwise.cli.options import (
    BinningOptions,
    ClusteringOptions,
    DataOptions,
    FileOptions,
    Missing,
    Noise,
    WeightedLabelHandling,
)
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import Table, label_of
from clusterwise.cli.tables.feature_columns import (
    FeatureTable,
    as_features,
    choose_features,
)
from clusterwise.cli.tables.joining import LocatedColumn, check_same_order, join, note_position
from clusterwise.cli.tables.membership_columns import (
    SoftColumns,
    as_soft,
    check_patterns,
    find_soft,
    with_own_names,
)
from clusterwise.cli.tables.named_files import InputFile
from clusterwise.cli.tables.read_file import open_tables
from clusterwise.cli.tables.selection import (
    as_hard_clustering,
    as_weights,
    check_types,
    choose_labels,
    drops_per_pair,
    find_all,
    find_columns,
    noise_fraction_error,
    note_dropped_per_pair,
    note_if_no_noise,
    require_two,
    rows_to_keep,
    with_missing_label,
)
from clusterwise.inputs.clusterings import LabelOptions, noise_mask
from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import find_measure
from clusterwise.summaries.overlap.membership_sums import AnyClustering

# What columns of --data contain besides labels.
_DATA = ("features", "counts", "dates", "many")
_FEATURES_SHOWN = 10
_BY_POSITION = "name the label columns with --column"


@dataclass(frozen=True)
class LoadOptions:
    """The columns to compare, how their values are handled, and where the features are."""

    columns: Sequence[str] = ()
    key: str | None = None
    weight: str | None = None
    missing: Missing = "error"
    noise: Noise = "cluster"
    noise_label: str = "-1"
    data: Sequence[str] = ()
    features: Sequence[str] = ()
    soft: Sequence[str] = ()


@dataclass(frozen=True)
class LoadedClusterings:
    """Clusterings by name, how their labels are handled, and the features of the objects."""

    clusterings: dict[str, AnyClustering]
    label_options: LabelOptions
    features: FeatureTable | None = None


@dataclass(frozen=True)
class ColumnChoice:
    """The columns that are labels, memberships, weights and features."""

    labels: Sequence[LocatedColumn]
    soft: Sequence[SoftColumns] = ()
    weight: LocatedColumn | None = None
    features: Sequence[LocatedColumn] = ()

    @property
    def memberships(self) -> list[LocatedColumn]:
        """All columns of memberships."""
        return [column for one in self.soft for column in one.columns]


def comparison_options(
    columns: ClusteringOptions,
    labels: WeightedLabelHandling,
    data: DataOptions,
    reading: FileOptions,
) -> LoadOptions:
    """Return the options for loading the clusterings to compare."""
    return LoadOptions(
        columns.names,
        reading.key,
        labels.weight,
        labels.missing,
        labels.noise,
        labels.noise_label,
        data.data or (),
        data.feature_names,
        columns.soft or (),
    )


def load(
    found: Sequence[InputFile], files: Sequence[str], reading: FileOptions, options: LoadOptions
) -> LoadedClusterings:
    """Read the files, match their rows, and make clusterings of their columns.

    ``found`` are those of :func:`list_paths`, of which the first ones are ``files``.
    """
    titles = [one.title for one in found]
    with open_tables(found, reading, lambda title: _needed(options, title)) as tables:
        check_types(tables, titles, reading)
        columns = join(tables, titles, options.key)
        return _make_clusterings(choose(columns, tables, titles, files, options), options)


def list_paths(files: Sequence[str], options: LoadOptions) -> list[str]:
    """Return the files with labels, and those with features only."""
    return [*files, *(file for file in options.data if file not in files)]


def choose(
    columns: Sequence[LocatedColumn],
    tables: Sequence[Table],
    titles: Sequence[str],
    files: Sequence[str],
    options: LoadOptions,
) -> ColumnChoice:
    """Choose the columns to compare: those named in the options, or those that look like labels."""
    titled = {table.path: title for table, title in zip(tables, titles, strict=True)}
    paths = list_paths(files, options)
    data = [tables[paths.index(path)] for path in options.data]
    tables = tables[: len(files)]
    located, weight = _take_weights(_rename_columns(columns, tables), options, tables)
    named = find_all(located, options.columns, "--column", tables)
    located = [one for one in located if one not in named]
    soft = find_soft(located, options.soft, titled)
    memberships = [column for one in soft for column in one.columns]
    _check_order(columns, memberships, options)
    if named or len(soft) > 1:
        chosen = named
        if not soft:
            require_two(named, tables)
    else:
        located = [
            one
            for one in located
            if one not in memberships and (not _is_of(one, data) or one.column.kind not in _DATA)
        ]
        chosen = choose_labels(located, tables, beside_soft=bool(soft))
        if not data:
            _note_features(located)
    if not data:
        return ColumnChoice(chosen, soft, weight)
    rest = [one for one in columns if _is_of(one, data)]
    if not options.features:
        taken = {*(one.original for one in (*chosen, *memberships)), options.weight}
        rest = [one for one in rest if one.original not in taken and one.name != options.weight]
    features = choose_features(rest, options.features, data)
    return ColumnChoice(chosen, soft, weight, features)


def check_options(options: LoadOptions, measures: Sequence[str], bins: BinningOptions) -> None:
    """Raise an error for options that cannot be combined."""
    for name in measures:
        if find_measure(name).needs_data and not options.data:
            raise InputError(f"{name} needs features; name their file with --data.")
    bins.check()
    check_patterns(options.soft)
    if options.features and not options.data:
        raise InputError("--features names columns of --data; add --data FILE.")


def load_one(
    files: Sequence[InputFile], reading: FileOptions, labels: str, options: LoadOptions
) -> LoadedClusterings:
    """Read the files and match their rows; one column is the labels, the others are features."""
    titles = [one.title for one in files]
    with open_tables(files, reading) as tables:
        check_types(tables, titles, reading)
        located = join(tables, titles, options.key)
        if options.key is None:
            check_same_order(located, _BY_POSITION)
        return _make_clusterings(choose_one(located, tables, labels, options), options)


def choose_one(
    located: Sequence[LocatedColumn],
    tables: Sequence[Table],
    labels: str,
    options: LoadOptions,
) -> ColumnChoice:
    """Choose one column of labels; the others are features."""
    located, weight = _take_weights(located, options, tables)
    labels_column = _one_column(located, labels, "--labels", tables)
    rest = [one for one in located if one is not labels_column]
    used = choose_features(rest, options.features, tables)
    return ColumnChoice([labels_column], [], weight, used)


def _make_clusterings(choice: ColumnChoice, options: LoadOptions) -> LoadedClusterings:
    """Return clusterings of the chosen columns, with the features of the objects that are kept."""
    weights = None if choice.weight is None else as_weights(choice.weight)
    columns = [one.column for one in choice.labels]
    per_pair = drops_per_pair(len(columns), len(choice.memberships), options.missing)
    if per_pair:
        rows = None
        lacking = np.any([column.codes < 0 for column in columns], axis=0)
        note_dropped_per_pair(int(lacking.sum()), lacking.size)
    else:
        rows = rows_to_keep(choice.labels, choice.memberships, options.missing)
    if options.missing == "label":
        columns = [with_missing_label(column) for column in columns]
    elif rows is not None:
        columns = [column.take(rows) for column in columns]
        weights = None if weights is None else weights[rows]
    label = label_of(options.noise_label)
    note_if_no_noise(columns, options.noise, label)
    label_options: LabelOptions = {
        "sample_weight": weights,
        "noise": options.noise,
        "noise_label": label,
    }
    if per_pair:
        label_options["missing"] = "drop"
    clusterings: dict[str, AnyClustering] = {c.name: as_hard_clustering(c, label) for c in columns}
    clusterings.update(as_soft(with_own_names(choice.soft, list(clusterings)), rows))
    if choice.weight is not None and weights is not None and options.noise == "singletons":
        noisy = np.any([noise_mask(one, label) for one in clusterings.values()], axis=0)
        _refuse_fractions(choice.weight, noisy & (weights % 1 != 0), rows)
    features = as_features(choice.features, rows) if choice.features else None
    return LoadedClusterings(clusterings, label_options, features)


def _refuse_fractions(weight: LocatedColumn, fractions: Array, rows: Array | None) -> None:
    """Raise an error for fractional weights of noise; ``rows`` are those kept, None for all."""
    if fractions.any():
        first = int(np.argmax(fractions))
        row = first if rows is None else int(rows[first])
        value = weight.column.values[weight.column.codes[row]]
        raise noise_fraction_error(weight, value, weight.location(row))


def _check_order(
    columns: Sequence[LocatedColumn], memberships: Sequence[LocatedColumn], options: LoadOptions
) -> None:
    """Raise an error for rows in different orders, unless all columns are named."""
    if options.key is not None:
        return
    if not options.soft:
        if not options.columns or (options.data and not options.features):
            check_same_order(columns, _BY_POSITION)
        else:
            note_position(list({one.source.path: one.source for one in columns}.values()))
        return
    taken = {(one.source.path, one.original) for one in memberships}
    others = [one for one in columns if (one.source.path, one.original) not in taken]
    check_same_order(others, "take that column out of one of them")


def _take_weights(
    located: Sequence[LocatedColumn], options: LoadOptions, tables: Sequence[Table]
) -> tuple[list[LocatedColumn], LocatedColumn | None]:
    """Return the columns except that of the weights, and the column of the weights."""
    if options.weight is None:
        return list(located), None
    weight = _one_column(located, options.weight, "--weight", tables)
    return [one for one in located if one is not weight], weight


def _one_column(
    located: Sequence[LocatedColumn], name: str, option: str, tables: Sequence[Table]
) -> LocatedColumn:
    """Return the column of this name; if several files have it, the file must be named too."""
    found = find_columns(located, name, option, tables)
    if len(found) > 1:
        names = " or ".join(one.name for one in found)
        raise InputError(f"{option} {name} is in several files; use {names}.")
    return found[0]


def _rename_columns(
    located: Sequence[LocatedColumn], tables: Sequence[Table]
) -> list[LocatedColumn]:
    """Return the columns of these files, with the names that they have without the other files."""
    counts = Counter(name for table in tables for name in table.names)
    return [
        one
        if counts[one.original] > 1
        else replace(one, column=replace(one.column, name=one.original))
        for one in located
        if _is_of(one, tables)
    ]


def _is_of(one: LocatedColumn, tables: Sequence[Table]) -> bool:
    return any(one.source is table for table in tables)


def _note_features(located: Sequence[LocatedColumn]) -> None:
    features = [one for one in located if one.column.kind == "features"]
    if features:
        names = format_list([one.name for one in features], _FEATURES_SHOWN)
        path = features[0].source.path
        say(f"to compare the density profiles of {names}, add --data {shlex.quote(path)}.")


def _needed(options: LoadOptions, title: str) -> frozenset[str] | None:
    """Return the columns to read of one file, or None for all.

    With features all are read, because ids show whether the rows are in the same order.
    """
    if not options.columns or options.data or options.soft:
        return None
    named = [*options.columns, *filter(None, (options.key, options.weight))]
    return frozenset([*named, *(name.removeprefix(f"{title}.") for name in named)])
