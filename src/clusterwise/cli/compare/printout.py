"""The printout of ``compare``: a comparison of two clusterings, or matrices of more."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isfinite

from clusterwise.cli.compare.collection import (
    ClusteringCollection,
    chance_options,
    corrected_chance,
)
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import Printout, json_text, write, write_printout, write_table
from clusterwise.comparing.compare_all import ComparisonMatrix
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.corrections import CorrectedChance
from clusterwise.comparing.matches import MatchBy
from clusterwise.comparing.significance import Significance
from clusterwise.measures.catalogue import find_measure


def print_comparison(
    collection: ClusteringCollection,
    measures: list[str],
    match: MatchBy,
    writing: OutputOptions,
    *,
    significance: bool,
) -> None:
    """Compare the clusterings, and print the result."""
    measures = collection.choose_measures(measures)
    chance = chance_options(significance=significance)
    two = len(collection.names) == 2
    if writing.output_format == "csv" and two and chance is not None:
        result = collection.compare(measures, match, chance)
        header = ("a", "b", "measure", "value", *Significance._fields)
        rows: Iterator[tuple[object, ...]] = _significant_rows(result)
        write(csv_text(header, rows, excel_safe=writing.excel_safe), writing.output)
    elif two and writing.output_format != "csv":
        _print_two(collection.compare(measures, match, chance), collection.soft, writing)
    else:
        corrected = corrected_chance(measures, significance=significance)
        _print_many(collection, measures, writing, corrected)


def _print_two(result: Comparison, soft: list[str], writing: OutputOptions) -> None:
    if writing.output_format == "json":
        named = {"soft": soft} if soft else {}
        write(json_text({**result.to_dict(), **named}), writing.output)
    elif writing.output_format == "markdown":
        tables = [table.markdown() for table in result.text_tables()]
        write("\n\n".join([*tables, result.summary()]), writing.output)
    else:
        write_table(result, writing.output)


def _print_many(
    collection: ClusteringCollection,
    measures: list[str],
    writing: OutputOptions,
    chance: CorrectedChance | None,
) -> None:
    matrices = collection.compare_each(measures, chance=chance)
    if writing.output_format == "csv":
        header = ["a", "b", "measure", "value"]
        if chance is not None:
            header += ["p_value", "adjusted_p_value"]
        text = csv_text(header, _long_rows(matrices), excel_safe=writing.excel_safe)
        write(text, writing.output)
    elif writing.output_format == "json":
        values = {matrix.measure: matrix.values.tolist() for matrix in matrices}
        soft = {"soft": collection.soft} if collection.soft else {}
        head = {"names": collection.names, "objects": collection.objects, **soft}
        p_values = {
            key: {matrix.measure: matrix.to_dict()[key] for matrix in matrices}
            for key in ("p_values", "adjusted_p_values")
            if chance is not None
        }
        write(json_text({**head, "measures": values, **p_values}), writing.output)
    else:
        sentences = [matrix.summary() for matrix in matrices]
        tables = [table for matrix in matrices for table in matrix.text_tables()]
        write_printout(Printout(tables, sentences), writing.output_format, writing.output)


def _significant_rows(result: Comparison) -> Iterator[tuple[object, ...]]:
    """Yield a row per measure, with what is not known left empty."""
    assert result.significance is not None
    a, b = result.names
    for name, value in result.values.items():
        known = [one if isfinite(one) else None for one in result.significance[name]]
        yield a, b, name, value, *known


def _long_rows(matrices: Sequence[ComparisonMatrix]) -> Iterator[tuple[object, ...]]:
    """Yield a row per pair and measure; asymmetric measures have one for each direction."""
    for i, j in combinations(range(len(matrices[0].names)), 2):
        for matrix in matrices:
            yield _long_row(matrix, i, j)
            if not find_measure(matrix.measure).symmetric:
                yield _long_row(matrix, j, i)


def _long_row(matrix: ComparisonMatrix, i: int, j: int) -> tuple[object, ...]:
    row = matrix.names[i], matrix.names[j], matrix.measure, float(matrix.values[i, j])
    if matrix.p_values is None or matrix.adjusted_p_values is None:
        return row
    p_values = matrix.p_values[i, j], matrix.adjusted_p_values[i, j]
    return (*row, *(float(p) if isfinite(p) else None for p in p_values))
