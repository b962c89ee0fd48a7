"""``clusterwise measures``: the catalogue, or one measure explained."""

from typing import Any

from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import check_outputs, json_text, write, write_table


def measures(
    name: str | None = None,
    /,
    *,
    writing: OutputOptions = OutputOptions(),
) -> None:
    """List all measures, or explain one.

    Parameters
    ----------
    name
        The measure to explain; all are listed by default.
    """
    check_outputs((), {"--output": writing.output})
    from clusterwise.measures.catalogue import find_measure, list_measures

    catalogue = list_measures()
    if name is not None:
        _explain(find_measure(name), writing)
    elif writing.output_format == "table":
        write_table(catalogue, writing.output)
    elif writing.output_format == "markdown":
        write(catalogue.text_table().markdown(), writing.output)
    else:
        _write_rows(catalogue.to_dict(), writing)


def _explain(measure: Any, writing: OutputOptions) -> None:
    from clusterwise._utils.tables import TextTable
    from clusterwise.measures.catalogue import MeasureTable

    if writing.output_format in ("csv", "json"):
        _write_rows(MeasureTable([measure]).to_dict(), writing)
        return
    table = TextTable(["", measure.name], _describe(measure), left=frozenset({0, 1}))
    if writing.output_format == "markdown":
        write(table.markdown(), writing.output)
    else:
        write_table(table, writing.output, table.text())


def _describe(measure: Any) -> list[list[str]]:
    properties = {
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
        ["range", f"{measure.range}; {better} is more similar"],
        ["properties", ", ".join(p if holds else f"not {p}" for p, holds in properties.items())],
        ["equal clusterings", f"best value: {measure.identity}"],
        ["weights", measure.weights],
        ["cost", measure.cost],
        ["reference", measure.reference],
    ]


def _formula(docstring: str) -> str:
    """Return the formula of a docstring."""
    _, found, rest = docstring.partition(".. math::")
    return " ".join(rest.partition("\n\n")[0].split()) if found else "–"


def _write_rows(rows: list[dict[str, Any]], writing: OutputOptions) -> None:
    if writing.output_format == "json":
        write(json_text(rows), writing.output)
    else:
        values = [list(row.values()) for row in rows]
        write(csv_text(list(rows[0]), values, excel_safe=writing.excel_safe), writing.output)
