"""The printout of ``compare``: a comparison of two clusterings, or matrices of more."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from clusterwise.cli.compare.collection import ClusteringCollection
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import Printout, json_text, write, write_printout, write_table
from clusterwise.comparing.compare_all import ComparisonMatrix
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.matches import MatchBy
from clusterwise.measures.catalogue import find_measure


def print_comparison(
    collection: ClusteringCollection, measures: list[str], match: MatchBy, writing: OutputOptions
) -> None:
    """Compare the clusterings, and print the result."""
    measures = collection.choose_measures(measures)
    if writing.output_format == "csv":
        rows = _long_rows(collection.compare_each(measures))
        header = ("a", "b", "measure", "value")
        write(csv_text(header, rows, excel_safe=writing.excel_safe), writing.output)
    elif len(collection.names) == 2:
        _print_two(collection.compare(measures, match), collection.soft, writing)
    else:
        _print_many(collection, measures, writing)


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
    collection: ClusteringCollection, measures: list[str], writing: OutputOptions
) -> None:
    matrices = collection.compare_each(measures)
    if writing.output_format == "json":
        values = {matrix.measure: matrix.values.tolist() for matrix in matrices}
        soft = {"soft": collection.soft} if collection.soft else {}
        head = {"names": collection.names, "objects": collection.objects, **soft}
        write(json_text({**head, "measures": values}), writing.output)
    else:
        sentences = [matrix.summary() for matrix in matrices]
        printout = Printout([matrix.text_table() for matrix in matrices], sentences)
        write_printout(printout, writing.output_format, writing.output)


def _long_rows(matrices: Sequence[ComparisonMatrix]) -> Iterator[tuple[str, str, str, float]]:
    """Yield a row per pair and measure; asymmetric measures have one for each direction."""
    for i, j in combinations(range(len(matrices[0].names)), 2):
        for matrix in matrices:
            a, b = matrix.names[i], matrix.names[j]
            yield a, b, matrix.measure, float(matrix.values[i, j])
            if not find_measure(matrix.measure).symmetric:
                yield b, a, matrix.measure, float(matrix.values[j, i])
