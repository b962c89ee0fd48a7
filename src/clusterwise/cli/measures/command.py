"""``clusterwise measures``: the catalogue, one measure explained, or a recommendation."""

from typing import Annotated, Any

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import (
    Printout,
    check_outputs,
    json_text,
    write,
    write_printout,
    write_table,
)


def measures(
    name: str | None = None,
    /,
    *,
    needs: Annotated[str | None, Parameter(name="--for")] = None,
    sizes: Annotated[list[int] | None, Parameter(consume_multiple=True)] = None,
    writing: OutputOptions = OutputOptions(),
) -> None:
    """List all measures, explain one, or recommend some.

    Parameters
    ----------
    name
        The measure to explain; all are listed by default.
    needs
        Recommend measures for what matters, such as "unbalanced, reference": unbalanced, balanced,
        different numbers of clusters, many clusters, reference, objects, distance, soft or
        different objects, separated by commas.
    sizes
        Recommend measures for clusters of these sizes, such as 900 80 20, with what the known
        failings of measures amount to.
    """
    check_outputs((), {"--output": writing.output})
    if needs is not None or sizes is not None:
        if name is not None:
            raise InputError(f"--for and --sizes recommend measures; leave out {name}.")
        _recommend(needs, sizes, writing)
        return
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


def _recommend(needs: str | None, sizes: list[int] | None, writing: OutputOptions) -> None:
    import numpy as np
    from scipy import sparse

    from clusterwise.comparing.recommend import recommend
    from clusterwise.inputs.encoding import LARGEST_TOTAL
    from clusterwise.summaries.contingency.contingency import Contingency

    table = None
    if sizes is not None:
        if len(sizes) < 2:
            raise InputError("--sizes needs at least two clusters, such as --sizes 900 80 20.")
        if min(sizes) < 1:
            raise InputError(f"--sizes must be at least 1, not {min(sizes)}.")
        total, most = sum(sizes), int(LARGEST_TOTAL)
        if total > most:
            raise InputError(f"--sizes add up to {total:,}; use at most {most:,}.")
        each = np.arange(len(sizes))
        table = Contingency.from_table(sparse.coo_array((np.array(sizes), (each, each))))
    found = recommend(table, needs=needs or ())
    if writing.output_format in ("csv", "json"):
        _write_rows(found.to_dict()["measures"], writing)
    else:
        printout = Printout([found.text_table()], found.sentences())
        write_printout(printout, writing.output_format, writing.output)


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
