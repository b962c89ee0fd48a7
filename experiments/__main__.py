"""``python -m experiments``: run the papers' experiments, next to the published values."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import App, Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.app import run_app, take_debug
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import Format
from clusterwise.cli.output import check_outputs, json_text, write, write_table
from experiments.catalogue import experiments_table, find_experiments
from experiments.running import Run, as_markdown, as_page, as_rich, as_text, run_experiment

Data = Annotated[str | None, Parameter(name=["--data", "-d"])]
OutputFormat = Annotated[Format, Parameter(name=["--format", "-f"])]
Output = Annotated[str | None, Parameter(name=["--output", "-o"])]
Seeds = Annotated[int | None, Parameter(name=["--seeds", "-s"])]

app = App(
    name="experiments",
    help="Run the papers' experiments, next to the published values.",
    help_epilogue="Add --debug to any command to see where an error comes from.",
    default_parameter=Parameter(negative=()),
    suppress_keyboard_interrupt=False,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    tokens, debug = take_debug(sys.argv[1:] if arguments is None else arguments)
    return run_app(app, tokens, debug=debug)


@app.default
@app.command(name="list")
def list_all(*, output_format: OutputFormat = "table", output: Output = None) -> None:
    """List the experiments.

    Parameters
    ----------
    output_format
        Output format.
    output
        Write to this file (atomically).
    """
    check_outputs((), {"--output": output})
    table = experiments_table()
    if output_format == "table":
        write_table(table, output, table.text())
    elif output_format == "markdown":
        write(table.markdown(), output)
    else:
        records = [dict(zip(table.header, row, strict=True)) for row in table.rows]
        _write_records(records, output_format, output)


@app.command
def run(
    name: str,
    /,
    *,
    data: Data = None,
    seeds: Seeds = None,
    full: bool = False,
    fetch: bool = False,
    output_format: OutputFormat = "table",
    output: Output = None,
) -> None:
    """Run experiments: our values, the published ones, their difference and the paper's claims.

    Parameters
    ----------
    name
        The name of an experiment, a paper (all of its experiments), or "all".
    data
        Folder of the data sets; by default the environment variable CLUSTERWISE_DATA.
    seeds
        Number of seeds; each experiment has a quick default.
    full
        Run everything that the paper ran, however long it takes.
    fetch
        Download missing data sets from OpenML into the cache.
    output_format
        Output format.
    output
        Write to this file (atomically).
    """
    check_outputs((), {"--output": output})
    runs = _run(name, data, seeds, full, fetch)
    if output_format == "table":
        write_table(as_rich(runs), output, as_text(runs))
    elif output_format == "markdown":
        write(as_markdown(runs), output)
    else:
        records = [
            {"experiment": one.experiment.name, "table": table.title, **record}
            for one in runs
            for table in one.outcome.tables
            for record in table.records()
        ]
        _write_records(records, output_format, output)


@app.command
def verdicts(
    *,
    data: Data = None,
    seeds: Seeds = None,
    full: bool = False,
    fetch: bool = False,
    output: Output = None,
) -> None:
    """Run all experiments and write the verdicts on the papers' claims as a Markdown page.

    Parameters
    ----------
    data
        Folder of the data sets; by default the environment variable CLUSTERWISE_DATA.
    seeds
        Number of seeds; each experiment has a quick default.
    full
        Run everything that the papers ran, however long it takes.
    fetch
        Download missing data sets from OpenML into the cache.
    output
        Write to this file (atomically).
    """
    check_outputs((), {"--output": output})
    write(as_page(_run("all", data, seeds, full, fetch)), output)


def _run(name: str, data: str | None, seeds: int | None, full: bool, fetch: bool) -> list[Run]:
    if seeds is not None and seeds < 1:
        raise InputError(f"--seeds {seeds}: use at least 1.")
    runs = []
    for experiment in find_experiments(name):
        print(f"experiments: {experiment.name}: {experiment.title}", file=sys.stderr)
        runs.append(run_experiment(experiment, data, seeds, full=full, fetch=fetch))
    return runs


def _write_records(
    records: list[dict[str, Any]], output_format: Format, output: str | None
) -> None:
    if output_format == "json":
        write(json_text(records), output)
        return
    # Tables have different keys; a cell is empty where a record has no value.
    header = list(dict.fromkeys(key for record in records for key in record))
    rows = [
        ["" if record.get(key) is None else record[key] for key in header] for record in records
    ]
    write(csv_text(header, rows), output)


if __name__ == "__main__":
    sys.exit(main())
