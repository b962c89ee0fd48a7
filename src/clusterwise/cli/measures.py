"""``clusterwise measures``: the catalogue, or one measure explained."""

from typing import Annotated, Any

from cyclopts import Parameter

from clusterwise.cli.output import Format, check_output, write, write_table


def measures(
    name: str | None = None,
    /,
    *,
    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table",
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
) -> None:
    """List all measures, or explain one.

    Parameters
    ----------
    name
        A measure to explain; all are listed without it.
    output_format
        How to print.
    output
        Write to this file, whole or not at all.
    """
    check_output(output)
    from clusterwise.measures.catalogue import find_measure, list_measures

    catalogue = list_measures()
    if name is not None:
        _explain(find_measure(name), output_format, output)
    elif output_format == "table":
        write_table(catalogue, output)
    elif output_format == "markdown":
        write(catalogue.text_table().markdown(), output)
    else:
        _write_rows(catalogue.to_dict(), output_format, output)


def _explain(measure: Any, output_format: Format, output: str | None) -> None:
    from clusterwise._utils.tables import TextTable
    from clusterwise.measures.catalogue import MeasureTable

    if output_format in ("csv", "json"):
        _write_rows(MeasureTable([measure]).to_dict(), output_format, output)
        return
    grid = TextTable(["", measure.name], list(_facts(measure)), left=frozenset({0, 1}))
    if output_format == "markdown":
        write(grid.markdown(), output)
    else:
        write_table(grid, output, grid.text())


def _facts(measure: Any) -> list[list[str]]:
    laws = {
        "metric": measure.metric,
        "symmetric": measure.symmetric,
        "adjusted for chance": measure.adjusted,
    }
    docstring = measure.function.__doc__ or ""
    better = "higher" if measure.direction == "similarity" else "lower"
    return [
        ["meaning", measure.meaning],
        ["in words", " ".join(docstring.strip().partition("\n\n")[0].split())],
        ["formula", _formula(docstring)],
        ["range", f"{measure.range}; {better} is more alike"],
        ["laws", ", ".join(law if holds else f"not {law}" for law, holds in laws.items())],
        ["equal clusterings", f"best value {measure.identity}"],
        ["weights", measure.weights],
        ["cost", measure.cost],
        ["reference", measure.reference],
    ]


def _formula(docstring: str) -> str:
    """The formula of a docstring, as it is written there."""
    _, found, rest = docstring.partition(".. math::")
    return " ".join(rest.partition("\n\n")[0].split()) if found else "–"


def _write_rows(rows: list[dict[str, Any]], output_format: Format, output: str | None) -> None:
    from clusterwise.cli.formats import csv_text, json_text

    if output_format == "json":
        write(json_text(rows), output)
    else:
        write(csv_text(list(rows[0]), [list(row.values()) for row in rows]), output)
