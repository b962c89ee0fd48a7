"""The options that several verbs share, declared once.

Each dataclass is a group of options, which cyclopts adds to the options of a verb. Nothing heavy
is imported here: ``--help`` has to be quick.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from inspect import Parameter as Argument, signature
from typing import Annotated, Any, Literal, NamedTuple, get_args

from cyclopts import Group, Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.input_files import InputFormat

Format = Literal["table", "csv", "json", "markdown"]
BinningMethod = Literal["auto", "width", "frequency", "mdl", "nominal"]
Noise = Literal["cluster", "singletons", "drop"]
Missing = Literal["error", "drop", "label"]
MissingInEnsemble = Literal["ignore", "error", "drop", "label"]
Metric = Literal[
    "euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine",
    "correlation", "seuclidean", "mahalanobis", "hamming", "gower",
]  # fmt: skip
QualityName = Literal[
    "dunn", "dunn_centroids", "silhouette", "calinski_harabasz", "davies_bouldin", "canonical",
    "entropy",
]  # fmt: skip
Names = list[str] | None

_COLUMNS = Group("Columns", sort_key=1)
_LABELS = Group("Labels", sort_key=2)
_FEATURES = Group("Features", sort_key=3)
OUTPUT_GROUP = Group("Output", sort_key=4)
_FILES = Group("Files", sort_key=5)
_LARGEST_SEED = 2**32 - 1

_FORMATS = (
    "CSV, TSV, JSON Lines or Parquet files; text files may be compressed by gzip or zstd. - is "
    "standard input. A folder, or a quoted pattern such as `'runs/*.csv.gz'`, is read as one table."
)
FileArgument = Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True, help=_FORMATS)]
LargeFileArgument = Annotated[
    str,
    Parameter(
        name="FILE",
        allow_leading_hyphen=True,
        help=f"{_FORMATS} Folders, patterns and files of more than 1 GB need not fit into memory.",
    ),
]
LabelColumn = Annotated[
    str, Parameter(name=["--labels", "-l"], help="The column of cluster labels.", group=_COLUMNS)
]
Seed = Annotated[int, Parameter(help="The seed of the random number generator.")]


@Parameter(name="*", group=_FILES)
@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """How files are read and their rows matched.

    Parameters
    ----------
    key
        Match the rows of several files by this column; by default by position.
    input_format
        The format of the files; by default it follows from the ending of their names.
    delimiter
        The character between fields; by default it is detected in the header.
    encoding
        The encoding of text files, such as latin-1 (which includes Windows-1252).
    types
        What a column is taken as: column=numeric, categorical, date, boolean, identifier or text;
        repeat for more. By default the values decide. In a column declared as categorical only
        empty fields and --null are missing.
    null
        A string that means missing, besides NA, n/a, null, unknown, -, ? and the like; repeat.
    """

    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None
    input_format: InputFormat | None = None
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    encoding: str = "utf-8"
    types: Annotated[Names, Parameter(name=["--as"])] = None
    null: Annotated[Names, Parameter(allow_leading_hyphen=True)] = None


@Parameter(name="*", group=_FILES)
@dataclass(frozen=True, kw_only=True)
class LargeFileOptions(FileOptions):
    """How files are read, some of them without loading them into memory.

    Parameters
    ----------
    memory
        The memory limit of DuckDB, such as 512MB or 1GB; by default most of the machine's memory.
        Data that do not fit are written to a temporary folder, which is removed at the end. With
        --memory, files of any size are left on disk.
    """

    memory: str | None = None


@Parameter(name="*", group=_COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ColumnOptions:
    """The columns of labels.

    Parameters
    ----------
    column
        A column of labels; repeat for more. By default all columns that look like labels.
    columns
        The same columns as one list: a,b,c.
    """

    column: Annotated[Names, Parameter(name=["--column", "-c"])] = None
    columns: Annotated[str | None, Parameter(name=["--columns", "--labels"])] = None

    @property
    def names(self) -> list[str]:
        """The names from both options."""
        return [*(self.column or ()), *split_names(self.columns, "--columns")]


@Parameter(name="*", group=_COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ClusteringOptions(ColumnOptions):
    """The columns of labels and of memberships.

    Parameters
    ----------
    soft
        One or more quoted patterns such as `'p_*'`. The columns that match a pattern are the
        memberships of one soft clustering; `*` stands for the names of its clusters (`?` for one
        character). Columns of labels are compared too if --column names them, or if there is only
        one pattern. A missing membership is an error, unless --missing drop drops the object.
    match
        How the clusters of two clusterings are matched: by name, by overlap, or by name only if
        most names are the same and are not just numbers. Noise is never matched.
    """

    soft: Annotated[Names, Parameter(name=["--soft", "-s"])] = None
    match: Literal["auto", "name", "overlap"] = "auto"


@Parameter(name="*", group=_LABELS)
@dataclass(frozen=True, kw_only=True)
class MissingHandling:
    """How missing labels are handled.

    Parameters
    ----------
    missing
        How to handle missing labels: stop with an error, drop the objects, or treat missing as a
        separate label.
    """

    missing: Missing = "error"


@Parameter(name="*", group=_LABELS)
@dataclass(frozen=True, kw_only=True)
class NoiseHandling:
    """How noise is handled.

    Parameters
    ----------
    noise
        How to handle objects with the noise label: one cluster, a cluster each (singletons), or
        drop them.
    noise_label
        The label of noise.
    """

    noise: Noise = "cluster"
    noise_label: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-1"


@Parameter(name="*", group=_LABELS)
@dataclass(frozen=True, kw_only=True)
class LabelHandling(NoiseHandling, MissingHandling):
    """How noise and missing labels are handled."""


@Parameter(name="*", group=_LABELS)
@dataclass(frozen=True, kw_only=True)
class EnsembleHandling(NoiseHandling):
    """How noise and missing labels of an ensemble are handled.

    Parameters
    ----------
    noise
        How to handle objects with the noise label: one cluster, a cluster each (singletons), or
        as if their label were missing (drop).
    missing
        How to handle missing labels: ignore the clustering for that object, stop with an error,
        drop the object from all clusterings, or treat missing as a separate label.
    """

    missing: MissingInEnsemble = "ignore"


@Parameter(name="*", group=_LABELS)
@dataclass(frozen=True, kw_only=True)
class WeightedLabelHandling(LabelHandling):
    """How noise, missing labels and weights are handled.

    Parameters
    ----------
    weight
        A column of weights: how many objects each row stands for.
    """

    weight: str | None = None


@Parameter(name="*", group=_FEATURES)
@dataclass(frozen=True, kw_only=True)
class FeatureOptions:
    """The columns of features.

    Parameters
    ----------
    features
        The features, as one list: a,b,c. By default all columns that can be features.
    """

    features: str | None = None

    @property
    def feature_names(self) -> list[str]:
        """The names as a list."""
        return split_names(self.features, "--features")


@Parameter(name="*", group=_FEATURES)
@dataclass(frozen=True, kw_only=True)
class BinningOptions(FeatureOptions):
    """Features and their bins.

    Parameters
    ----------
    binning
        How numeric features are binned: bins of equal width; the same, but bins of equal frequency
        for skewed features (auto); bins of equal frequency; entropy-based bins by the MDL criterion
        with the labels of the first clustering (mdl); or one bin per value (nominal).
    bins
        The number of bins of a numeric feature.
    """

    binning: BinningMethod = "width"
    bins: int = 10

    def check(self) -> None:
        """Raise an error for a number of bins out of range."""
        from clusterwise._utils.parameters import MOST_BINS

        if self.bins < 1:
            raise InputError(f"--bins must be at least 1, not {self.bins}.")
        if self.bins > MOST_BINS:
            raise InputError(f"--bins must be at most {MOST_BINS}, not {self.bins}.")


@Parameter(name="*", group=_FEATURES)
@dataclass(frozen=True, kw_only=True)
class ProfileBinningOptions(BinningOptions):
    """Features and their bins, which show skewed features."""

    binning: BinningMethod = "auto"


@dataclass(frozen=True, kw_only=True)
class _DataFiles:
    data: Annotated[Names, Parameter(name=["--data", "-d"], allow_leading_hyphen=True)] = None


@Parameter(name="*", group=_FEATURES)
@dataclass(frozen=True, kw_only=True)
class DataOptions(BinningOptions, _DataFiles):
    """The files of features, the features and their bins.

    Parameters
    ----------
    data
        A file with features of the same objects; repeat for more. It may also be one of the FILEs.
        Its rows are matched like theirs.
    features
        The features, as one list: a,b,c. By default all columns of --data that can be features
        and are not compared.
    """


# Chance levels and intervals, off by default.
SignificanceOption = Annotated[bool, Parameter(negative=(), show_default=False)]


@Parameter(name="*", group=OUTPUT_GROUP)
@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """The format of the results, and where they are written.

    Parameters
    ----------
    output_format
        The format of the results.
    output
        Write to this file (atomically).
    excel_safe
        In CSV and TSV, put an apostrophe before strings that a spreadsheet would take for a formula
        (they begin with =, +, - or @). Without it, files contain the labels and names as they are.
    """

    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table"
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None
    excel_safe: Annotated[bool, Parameter(show_default=False)] = False


@Parameter(name="*", group=OUTPUT_GROUP)
@dataclass(frozen=True, kw_only=True)
class LabelOutputOptions(OutputOptions):
    """The format of the results, a file of labels and an HTML report.

    Parameters
    ----------
    output
        Write a row per object, with its key and labels, to this file (atomically): TSV or JSON
        Lines if its name ends in .tsv or .jsonl, CSV otherwise.
    report
        Write an HTML report with plots to this file; needs the extra `report`.
    """

    report: str | None = None


def split_names(names: str | None, option: str) -> list[str]:
    """Split the list of names of an option: a,b,c."""
    if names is None:
        return []
    found = [name.strip() for name in names.split(",") if name.strip()]
    if not found:
        raise InputError(f"{option} names no column; use a list such as a,b,c.")
    return found


def check_files(files: tuple[str, ...], verb: Callable[..., None]) -> None:
    """Raise an error if there is no file, or if an unknown option was taken for one."""
    if not files:
        raise InputError("no file is given; name at least one, or - for standard input.")
    for file in files:
        if not file:
            raise InputError("a FILE has no name; name a file, or use - for standard input.")
        if file.startswith("-") and file != "-":
            flags = [flag for option in _options(verb) for flag in option.flags]
            close = get_close_matches(file.partition("=")[0], flags, n=1)
            see_help = f"see clusterwise {verb.__name__} --help."
            hint = f"did you mean {close[0]}?" if close else see_help
            raise InputError(f"there is no option {file}; {hint}")


def check_seed(seed: int) -> None:
    """Raise an error for a seed out of range."""
    if not 0 <= seed <= _LARGEST_SEED:
        raise InputError(f"--seed must be from 0 to {_LARGEST_SEED}, not {seed}.")


def command_line(verb: Callable[..., None], arguments: Mapping[str, Any]) -> str:
    """Return a command: its files first, then the options that differ from their defaults."""
    words = ["clusterwise", verb.__name__, *arguments["files"]]
    for option in _options(verb):
        value = arguments[option.argument]
        if option.field is not None:
            value = getattr(value, option.field)
        if value != option.default:
            words += _spell(option.flags[0], value)
    return shlex.join(words)


class _Option(NamedTuple):
    """An option of a verb: its argument, the field of that if it is a dataclass, and its names."""

    argument: str
    field: str | None
    flags: tuple[str, ...]
    default: Any


def _options(verb: Callable[..., None]) -> Iterator[_Option]:
    for name, argument in signature(verb).parameters.items():
        if is_dataclass(argument.annotation):
            for field in fields(argument.annotation):
                flags = _flags(field.name, field.type)
                yield _Option(name, field.name, flags, field.default)
        elif argument.kind is not Argument.VAR_POSITIONAL:
            flags = _flags(name, argument.annotation)
            yield _Option(name, None, flags, argument.default)


def _flags(name: str, annotation: Any) -> tuple[str, ...]:
    for extra in get_args(annotation)[1:]:
        if isinstance(extra, Parameter) and extra.name:
            return tuple(extra.name)
    return ("--" + name.replace("_", "-"),)


def _spell(flag: str, value: Any) -> Iterator[str]:
    if value is True:
        yield flag
    elif value is False:
        yield flag.replace("--", "--no-", 1)
    else:
        for one in value if isinstance(value, list) else [value]:
            text = str(one)
            yield from [f"{flag}={text}"] if text.startswith("-") else [flag, text]
