"""``clusterwise combine``: one clustering from many columns of labels."""

from typing import Annotated, Literal

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.compare.compare import Names, check_files, listed
from clusterwise.cli.output import Format, check_output
from clusterwise.cli.replay import command_line
from clusterwise.consensus.methods import Method

_SEEDS = 2**32


def combine(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    column: Annotated[Names, Parameter(name=["--column", "-c"])] = None,
    columns: Annotated[str | None, Parameter(name=["--columns", "--labels"])] = None,
    method: Annotated[Method, Parameter(name=["--method", "-m"])] = "auto",
    clusters: int | None = None,
    seed: int = 0,
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table",
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    report: str | None = None,
    memory: str | None = None,
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Combine many clusterings of the same objects into one, the consensus.

    `clusterwise combine labels.csv --output consensus.csv` combines all columns that look like
    labels, prints how well the result is supported, and writes a row per object with its cluster
    (consensus) and how often clusterings put it together with the others of that cluster
    (agreement, from 0 to 1). A label may be missing where a clustering does not know an object; an
    object without any label gets none.

    Printed are the sizes of the clusters; how alike each clustering and the consensus are, on the
    objects that it knows; and the ten objects that are least settled: how often they are together
    with their own cluster, with the nearest other one, and the difference (margin). Objects whose
    margin is not above 0 are never settled.

    CSV holds a line per figure: kind,name,figure,value. JSON holds an object: objects, method,
    sizes, ambiguous, unknown, clusterings, least_stable, and the sentences.

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
    method
        Evidence accumulation with average linkage (evidence), after which objects move
        (refined-evidence), label alignment and majority (voting), the clustering with the least
        Mirkin distance to all (median), the objective φ (phi), or balanced parts of a graph of
        objects (cspa), of clusters (mcla) or of both (hbgf), or of a hypergraph (hgpa); these four
        need the extra `graphs`. auto is the one of refined-evidence, phi and median that shares
        most with the clusterings.
    clusters
        How many clusters to find; by default as the method's own rule says.
    seed
        Another number gives another start to methods that draw.
    key
        Match the rows of several files by this column, otherwise by position; --output repeats it.
    output_format
        How to print.
    output
        Write the consensus to this file, whole or not at all: .tsv or .jsonl as they say, else CSV.
        That of files that stay on disk can be .parquet too.
    report
        Write a page of HTML to this file, with pictures of how well the consensus is supported; it
        needs the extra `report`.
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
    command = command_line(combine, locals())
    check_files(files, combine)
    check_output(output)
    check_output(report, "--report")
    if not 0 <= seed < _SEEDS:
        raise InputError(f"--seed {seed}: use a whole number from 0 to {_SEEDS - 1}.")
    if output is not None and key in ("consensus", "agreement"):
        raise InputError(f"--key {key} is a column that --output adds; rename it first.")
    from clusterwise.cli.combine.data import combine_labels, load_labels
    from clusterwise.cli.combine.report import write_page, write_report
    from clusterwise.cli.duckdb.files import large_files
    from clusterwise.cli.tables.files import HowToRead
    from clusterwise.cli.tables.label_files import check_label_file, write_columns

    names = [*(column or ()), *listed(columns)]
    stay = large_files(files, input_format, memory)
    if stay is None:
        check_label_file(output)
        data = load_labels(files, HowToRead(input_format, delimiter, encoding), names, key)
        result = combine_labels(data, method, clusters, seed)
        if output is not None:
            write_columns(result.columns(), output)
        if report is not None:
            write_page(result, report, command)
        write_report(result, output_format)
        return
    from clusterwise.cli.duckdb.combine import combine_on_disk
    from clusterwise.cli.duckdb.engine import Engine
    from clusterwise.cli.duckdb.writing import check_target

    check_target(output)
    if report is not None:
        raise InputError(
            "--report draws the objects, but these stay on disk; leave it out, or combine a sample."
        )
    with Engine(stay[0].path, memory) as engine:

        def work() -> None:
            result = combine_on_disk(engine, stay, names, key, method, clusters, seed)
            if output is not None:
                result.write(output)
            write_report(result, output_format)

        engine.run(work)
