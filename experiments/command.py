"""``clusterwise papers``: the papers' experiments, beside what they published."""

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import Format, check_output, say, write, write_table

if TYPE_CHECKING:
    from experiments.running import Ran

Data = Annotated[str | None, Parameter(name=["--data", "-d"])]
Printed = Annotated[Format, Parameter(name=["--format", "-f"])]
Output = Annotated[str | None, Parameter(name=["--output", "-o"])]
Seeds = Annotated[int | None, Parameter(name=["--seeds", "-s"])]

papers = App(name="papers", help="Run the papers' experiments, and see ours beside the published.")


@papers.default
def list_papers(*, output_format: Printed = "table", output: Output = None) -> None:
    """List the experiments of the papers.

    Parameters
    ----------
    output_format
        How to print.
    output
        Write to this file, whole or not at all.
    """
    check_output(output)
    from experiments.catalogue import experiment_grid

    grid = experiment_grid()
    if output_format == "table":
        write_table(grid, output, grid.text())
    elif output_format == "markdown":
        write(grid.markdown(), output)
    else:
        records = [dict(zip(grid.header, row, strict=True)) for row in grid.rows]
        _write_records(records, output_format, output)


@papers.command
def run(
    name: str,
    /,
    *,
    data: Data = None,
    seeds: Seeds = None,
    full: bool = False,
    fetch: bool = False,
    output_format: Printed = "table",
    output: Output = None,
) -> None:
    """Run an experiment: ours, published, the difference, and what the paper claims.

    Parameters
    ----------
    name
        An experiment, a paper's number for all of its experiments, or "all".
    data
        The folder of the data sets; the variable CLUSTERWISE_DATA names it by default.
    seeds
        How often to repeat what is random; each experiment has a quick default.
    full
        Do everything that the paper did, however long it takes.
    fetch
        Get data sets that are missing from OpenML, and keep them.
    output_format
        How to print.
    output
        Write to this file, whole or not at all.
    """
    check_output(output)
    done = _run(name, data, seeds, full, fetch)
    if output_format == "table":
        from experiments.running import group, text

        write_table(group(done), output, text(done))
    elif output_format == "markdown":
        from experiments.running import markdown

        write(markdown(done), output)
    else:
        records = [
            {"experiment": ran.experiment.name, "table": table.title, **record}
            for ran in done
            for table in ran.outcome.tables
            for record in table.records()
        ]
        _write_records(records, output_format, output)


@papers.command
def verdicts(
    *,
    data: Data = None,
    seeds: Seeds = None,
    full: bool = False,
    fetch: bool = False,
    output: Output = None,
) -> None:
    """Run all experiments, and write what became of the papers' claims as a Markdown page.

    Parameters
    ----------
    data
        The folder of the data sets; the variable CLUSTERWISE_DATA names it by default.
    seeds
        How often to repeat what is random; each experiment has a quick default.
    full
        Do everything that the papers did, however long it takes.
    fetch
        Get data sets that are missing from OpenML, and keep them.
    output
        Write to this file, whole or not at all.
    """
    check_output(output)
    done = _run("all", data, seeds, full, fetch)
    from experiments.running import page

    write(page(done), output)


def _run(name: str, data: str | None, seeds: int | None, full: bool, fetch: bool) -> "list[Ran]":
    if seeds is not None and seeds < 1:
        raise InputError(f"--seeds {seeds}: use at least 1.")
    from experiments.catalogue import find_experiments
    from experiments.running import run_experiment

    done = []
    for experiment in find_experiments(name):
        say(f"{experiment.name}: {experiment.title}")
        done.append(run_experiment(experiment, data, seeds, full=full, fetch=fetch))
    return done


def _write_records(
    records: list[dict[str, Any]], output_format: Format, output: str | None
) -> None:
    from clusterwise.cli.formats import csv_text, json_text

    if output_format == "json":
        write(json_text(records), output)
        return
    # Tables have different keys; a record is empty where it has none.
    header = list(dict.fromkeys(key for record in records for key in record))
    rows = [
        ["" if record.get(key) is None else record[key] for key in header] for record in records
    ]
    write(csv_text(header, rows), output)
