"""From files to clusterings that can be compared."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clusterwise._utils.errors import InputError
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
from clusterwise.cli.tables.columns import Column, Table, label_of
from clusterwise.cli.tables.feature_columns import (
    FeatureTable,
    as_features,
    choose_features,
    why_no_feature,
)
from clusterwise.cli.tables.joining import LocatedColumn, file_titles, join, refuse_shuffled
from clusterwise.cli.tables.membership_columns import (
    SoftColumns,
    as_soft,
    check_patterns,
    find_soft,
    with_own_names,
)
from clusterwise.cli.tables.read_file import read_file
from clusterwise.cli.tables.selection import (
    as_hard_clustering,
    as_weights,
    choose_labels,
    find_all,
    find_columns,
    require_two,
    rows_to_keep,
    with_missing_label,
)
from clusterwise.inputs.clusterings import LabelOptions
from clusterwise.measures.catalogue import find_measure
from clusterwise.summaries.overlap.membership_sums import AnyClustering

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
    """Clusterings by name, how to read them, and the features of their objects."""

    clusterings: dict[str, AnyClustering]
    label_options: LabelOptions
    features: FeatureTable | None = None


@dataclass(frozen=True)
class ColumnChoice:
    """Which columns are labels, memberships, weights and features."""

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
    """Return the options of a comparison in one place."""
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


def load(files: Sequence[str], reading: FileOptions, wanted: LoadOptions) -> LoadedClusterings:
    """Read the files, line up their rows, and make clusterings of their columns."""
    paths = list_paths(files, wanted)
    titles = file_titles(paths)
    tables = [
        read_file(path, reading, _needed(wanted, title))
        for path, title in zip(paths, titles, strict=True)
    ]
    everything = join(tables, titles, wanted.key)
    return _compared(choose(everything, tables, titles, files, wanted), wanted)


def list_paths(files: Sequence[str], wanted: LoadOptions) -> list[str]:
    """The files with labels, and those with features only."""
    return [*files, *(file for file in wanted.data if file not in files)]


def choose(
    everything: Sequence[LocatedColumn],
    tables: Sequence[Table],
    titles: Sequence[str],
    files: Sequence[str],
    wanted: LoadOptions,
    why_no_feature: Callable[[Column], str | None] = why_no_feature,
) -> ColumnChoice:
    """What to compare: the columns that are asked for, or those that look right."""
    titled = {table.path: title for table, title in zip(tables, titles, strict=True)}
    paths = list_paths(files, wanted)
    data = [tables[paths.index(path)] for path in wanted.data]
    tables = tables[: len(files)]
    placed, weight = _take_weights(_as_if_alone(everything, tables), wanted, tables)
    named = find_all(placed, wanted.columns, "--column", tables)
    placed = [one for one in placed if one not in named]
    soft = find_soft(placed, wanted.soft, titled)
    memberships = [column for one in soft for column in one.columns]
    _check_order(everything, memberships, wanted)
    if named or len(soft) > 1:
        chosen = named
        if not soft:
            require_two(named, tables)
    else:
        placed = [
            one
            for one in placed
            if one not in memberships and (not _is_of(one, data) or one.column.kind != "features")
        ]
        chosen = choose_labels(placed, tables, beside_soft=bool(soft))
        if not data:
            _say_how_to_use_features(placed)
    if not data:
        return ColumnChoice(chosen, soft, weight)
    rest = [one for one in everything if _is_of(one, data)]
    if not wanted.features:
        taken = {*(one.original for one in (*chosen, *memberships)), wanted.weight}
        rest = [one for one in rest if one.original not in taken and one.name != wanted.weight]
    features = choose_features(rest, wanted.features, data, why_no_feature)
    return ColumnChoice(chosen, soft, weight, features)


def check_options(wanted: LoadOptions, measures: Sequence[str], bins: BinningOptions) -> None:
    """Refuse options that do not go together."""
    for name in measures:
        if find_measure(name).needs_data and not wanted.data:
            raise InputError(f"{name} looks at features; name their file with --data.")
    bins.check()
    check_patterns(wanted.soft)
    if wanted.features and not wanted.data:
        raise InputError("--features says which columns of --data to use; add --data FILE.")


def load_one(
    files: Sequence[str], reading: FileOptions, labels: str, wanted: LoadOptions
) -> LoadedClusterings:
    """Read the files, line up their rows; one column is the labels, the others are features."""
    titles = file_titles(files)
    tables = [read_file(file, reading) for file in files]
    placed = join(tables, titles, wanted.key)
    if wanted.key is None:
        refuse_shuffled(placed, _BY_POSITION)
    return _compared(choose_one(placed, tables, labels, wanted), wanted)


def choose_one(
    placed: Sequence[LocatedColumn],
    tables: Sequence[Table],
    labels: str,
    wanted: LoadOptions,
    why_no_feature: Callable[[Column], str | None] = why_no_feature,
) -> ColumnChoice:
    """One column is the labels, the others are features."""
    placed, weight = _take_weights(placed, wanted, tables)
    labelling = _one_column(placed, labels, "--labels", tables)
    rest = [one for one in placed if one is not labelling]
    used = choose_features(rest, wanted.features, tables, why_no_feature)
    return ColumnChoice([labelling], [], weight, used)


def _compared(choice: ColumnChoice, wanted: LoadOptions) -> LoadedClusterings:
    """Clusterings of the chosen columns, with the features of the objects that have labels."""
    weights = None if choice.weight is None else as_weights(choice.weight)
    rows = rows_to_keep(choice.labels, choice.memberships, wanted.missing)
    columns = [one.column for one in choice.labels]
    if wanted.missing == "label":
        columns = [with_missing_label(column) for column in columns]
    elif rows is not None:
        columns = [column.take(rows) for column in columns]
        weights = None if weights is None else weights[rows]
    label = label_of(wanted.noise_label)
    note_if_no_noise(columns, wanted.noise, label)
    label_options: LabelOptions = {
        "sample_weight": weights,
        "noise": wanted.noise,
        "noise_label": label,
    }
    clusterings: dict[str, AnyClustering] = {c.name: as_hard_clustering(c, label) for c in columns}
    clusterings.update(as_soft(with_own_names(choice.soft, list(clusterings)), rows))
    features = as_features(choice.features, rows) if choice.features else None
    return LoadedClusterings(clusterings, label_options, features)


def note_if_no_noise(columns: Sequence[Column], noise: Noise, label: int | str) -> None:
    """Tell that an option is of no use, if it is not."""
    if noise != "cluster" and not any(str(label) in map(str, c.values) for c in columns):
        say(f"no object is labelled {label}, so --noise {noise} changes nothing.")


def _check_order(
    everything: Sequence[LocatedColumn], memberships: Sequence[LocatedColumn], wanted: LoadOptions
) -> None:
    """Refuse rows in different orders, unless all columns to look at are named."""
    if wanted.key is not None:
        return
    if not wanted.soft:
        if not wanted.columns or (wanted.data and not wanted.features):
            refuse_shuffled(everything, _BY_POSITION)
        return
    taken = {(one.source.path, one.original) for one in memberships}
    others = [one for one in everything if (one.source.path, one.original) not in taken]
    refuse_shuffled(others, "take that column out of one of them")


def _take_weights(
    placed: Sequence[LocatedColumn], wanted: LoadOptions, tables: Sequence[Table]
) -> tuple[list[LocatedColumn], LocatedColumn | None]:
    """The columns without that of the weights, and this one."""
    if wanted.weight is None:
        return list(placed), None
    weighing = _one_column(placed, wanted.weight, "--weight", tables)
    return [one for one in placed if one is not weighing], weighing


def _one_column(
    placed: Sequence[LocatedColumn], name: str, option: str, tables: Sequence[Table]
) -> LocatedColumn:
    """The column of this name; if several files have it, its file must be named too."""
    found = find_columns(placed, name, option, tables)
    if len(found) > 1:
        names = " or ".join(one.name for one in found)
        raise InputError(f"{option} {name} is in several files; use {names}.")
    return found[0]


def _as_if_alone(placed: Sequence[LocatedColumn], tables: Sequence[Table]) -> list[LocatedColumn]:
    """The columns of some files, under the names that they have without the other files."""
    counts = Counter(name for table in tables for name in table.names)
    return [
        one
        if counts[one.original] > 1
        else replace(one, column=replace(one.column, name=one.original))
        for one in placed
        if _is_of(one, tables)
    ]


def _is_of(one: LocatedColumn, tables: Sequence[Table]) -> bool:
    return any(one.source is table for table in tables)


def _say_how_to_use_features(placed: Sequence[LocatedColumn]) -> None:
    features = [one for one in placed if one.column.kind == "features"]
    if features:
        name, more = features[0].name, len(features) - 1
        what = f"{name} and {more} more" if more else name
        say(f"give that file as --data too to compare where the clusters are dense in {what}.")


def _needed(wanted: LoadOptions, title: str) -> frozenset[str] | None:
    """Columns to read of one file; None reads all of them.

    With features all are read, since ids tell whether the rows are in the same order.
    """
    if not wanted.columns or wanted.data or wanted.soft:
        return None
    named = [*wanted.columns, *filter(None, (wanted.key, wanted.weight))]
    return frozenset([*named, *(name.removeprefix(f"{title}.") for name in named)])
