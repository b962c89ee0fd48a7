"""``clusterwise compare``: clusterings in columns of one or several files."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Annotated, Literal

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import Format, check_output

Names = list[str] | None
Binning = Literal["width", "frequency", "mdl", "nominal"]


def compare(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    column: Annotated[Names, Parameter(name=["--column", "-c"])] = None,
    columns: str | None = None,
    soft: Annotated[Names, Parameter(name=["--soft", "-s"])] = None,
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    measure: Annotated[Names, Parameter(name=["--measure", "-m"])] = None,
    data: Annotated[Names, Parameter(name=["--data", "-d"], allow_leading_hyphen=True)] = None,
    features: str | None = None,
    binning: Binning = "width",
    bins: int = 10,
    weight: str | None = None,
    noise: Literal["cluster", "singletons", "drop"] = "cluster",
    noise_label: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-1",
    missing: Literal["error", "drop", "label"] = "error",
    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table",
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    memory: str | None = None,
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Compare clusterings: every column of labels with every other.

    Two columns of labels get the whole comparison: all measures, which cluster matches
    which, and who moved. More get a matrix per measure (adjusted_rand_score by default, and
    adco_score with --data). With --data, where the clusters are dense is compared too.

    Soft clusterings have a column of memberships per cluster, which add up to 1 in every
    row: `--soft 'p_*' 'q_*'` compares those in p_0, p_1, … and in q_0, q_1, …, and
    `--soft 'p_*' --column kmeans` compares one with labels. More than two get a matrix of
    irm_score, since adjusted_rand_score counts softness as disagreement.

    CSV holds a line per pair and measure: a,b,measure,value. JSON holds an object: for
    two clusterings a, b, objects, clusters, measures, matches, moves and transport; for more
    names, objects and measures, each measure a matrix in the order of the names; and soft,
    the names of those that are.

    Parameters
    ----------
    files
        CSV, TSV, JSON Lines or Parquet files, the texts also as .gz; - is standard input. A
        folder of Parquet files, or a pattern in quotes such as `'runs/*.parquet'`, is one table
        in parts. DuckDB counts it on disk, as it does a Parquet file of more than 1 GB.
    column
        A column of labels; repeat it for more. By default all that look like labels.
    columns
        The same as one list: a,b,c.
    soft
        One or more patterns such as `'p_*'`, in quotes. The columns that match a pattern are
        the memberships of one soft clustering; `*` stands for the names of its clusters (`?`
        for one character). Labels are compared too if named by --column, or if there is one
        pattern only.
    key
        Match the rows of several files by this column; otherwise by position.
    measure
        A name from `clusterwise measures`; repeat it for more.
    data
        A file with features of the same objects, rows matched as those of the others; it
        may be one of them. Repeat it for more.
    features
        The features to use, as one list: a,b,c. By default all columns of --data that can
        be features and are not compared.
    binning
        How numbers are binned: even widths, equal frequencies, cuts that tell the first
        clustering's clusters apart (mdl), or a bin per value.
    bins
        How many bins a feature of numbers gets.
    weight
        A column that says how many objects each row stands for.
    noise
        Objects with the noise label are one cluster, a cluster each, or left out.
    noise_label
        The label that means noise.
    missing
        What to do where a label is missing: stop, leave the object out, or make it a label;
        a missing membership can be no label.
    output_format
        How to print.
    output
        Write to this file, whole or not at all.
    memory
        How much memory DuckDB may use, such as 512MB or 1GB; by default most of the machine's.
        What does not fit goes to a temporary folder, which is removed. Parquet files stay on
        disk if it is given, small ones too.
    input_format
        The files' format, if their names do not tell.
    delimiter
        The character between fields; found from the header by default.
    encoding
        The encoding of text files, such as latin-1.
    """
    check_files((*files, *(data or ())) if files else (), compare)
    check_output(output)
    from clusterwise.cli.compare.results import InMemory, write_result
    from clusterwise.cli.tables.files import HowToRead
    from clusterwise.cli.tables.loading import Wanted, all_paths, check_wanted, load

    wanted = Wanted(
        [*(column or ()), *listed(columns)], key, weight, missing, noise, noise_label,
        data or (), listed(features), soft or (),
    )  # fmt: skip
    check_wanted(wanted, measure or (), bins)
    chosen = list(dict.fromkeys(measure or ()))
    from clusterwise.cli.duckdb.files import large_files

    stay = large_files(all_paths(files, wanted), input_format, memory)
    if stay is None:
        read = load(files, HowToRead(input_format, delimiter, encoding), wanted)
        write_result(InMemory(read, binning, bins), chosen, output_format, output)
        return
    from clusterwise.cli.duckdb.compare import open_work
    from clusterwise.cli.duckdb.engine import Engine

    with Engine(stay[0].path, memory) as engine:
        engine.run(
            lambda: write_result(
                open_work(engine, stay, files, wanted, (binning, bins)),
                chosen,
                output_format,
                output,
            )
        )


def check_files(files: tuple[str, ...], verb: Callable[..., None]) -> None:
    """A hyphen alone is standard input; with anything behind it, it is no file."""
    if not files:
        raise InputError("no file is given; name at least one, or - for standard input.")
    for file in files:
        if file.startswith("-") and file != "-":
            options = ["--" + name.replace("_", "-") for name in verb.__annotations__]
            close = get_close_matches(file.partition("=")[0], options, n=1)
            help_ = f"see clusterwise {verb.__name__} --help."
            hint = f"did you mean {close[0]}?" if close else help_
            raise InputError(f"there is no option {file}; {hint}")


def check_bins(bins: int) -> None:
    """Refuse a number of bins under the name that it has here."""
    if bins < 1:
        raise InputError(f"--bins {bins} leaves no bin to count in; use 1 or more.")


def listed(names: str | None) -> list[str]:
    """Names given as one text: a,b,c."""
    return [name.strip() for name in (names or "").split(",") if name.strip()]
