"""What ``compare`` prints: the comparison of two, or a matrix per measure of many."""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from clusterwise.cli.formats import csv_text, json_text
from clusterwise.cli.loading import Compared
from clusterwise.cli.output import Format, write, write_table
from clusterwise.comparing.comparison import compare
from clusterwise.comparing.matrix import ComparisonMatrix, compare_each
from clusterwise.comparing.render import grids
from clusterwise.measures.catalogue import CATALOGUE, find_measure

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_DEFAULT_OF_MANY = "adjusted_rand_score"


class Matrices(list[ComparisonMatrix]):
    """A matrix per measure, one below the other."""

    def __str__(self) -> str:
        return "\n\n".join(str(matrix) for matrix in self)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield from (matrix.grid() for matrix in self)


def write_result(
    compared: Compared, measures: list[str], output_format: Format, output: str | None
) -> None:
    """Compare, and print in the format asked for."""
    two = len(compared.clusterings) == 2
    measures = measures or (list(CATALOGUE) if two else [_DEFAULT_OF_MANY])
    if output_format == "csv":
        header = ("a", "b", "measure", "value")
        write(csv_text(header, _long_rows(_matrices(compared, measures))), output)
    elif two:
        _write_two(compared, measures, output_format, output)
    else:
        _write_many(_matrices(compared, measures), compared, output_format, output)


def _write_two(
    compared: Compared, measures: list[str], output_format: Format, output: str | None
) -> None:
    names, (a, b) = tuple(compared.clusterings), compared.clusterings.values()
    result = compare(a, b, measures=measures, names=(names[0], names[1]), **compared.reading)
    if output_format == "json":
        write(json_text(result.to_dict()), output)
    elif output_format == "markdown":
        write("\n\n".join([*(g.markdown() for g in grids(result)), result.reading()]), output)
    else:
        write_table(result, output)


def _write_many(
    matrices: Matrices, compared: Compared, output_format: Format, output: str | None
) -> None:
    if output_format == "json":
        names = list(compared.clusterings)
        values = {matrix.measure: matrix.values.tolist() for matrix in matrices}
        objects = len(compared.clusterings[names[0]])
        write(json_text({"names": names, "objects": objects, "measures": values}), output)
    elif output_format == "markdown":
        write("\n\n".join(matrix.grid().markdown() for matrix in matrices), output)
    else:
        write_table(matrices, output)


def _matrices(compared: Compared, measures: list[str]) -> Matrices:
    return Matrices(compare_each(compared.clusterings, measures, **compared.reading))


def _long_rows(matrices: Matrices) -> Iterator[tuple[str, str, str, float]]:
    """A row per pair and measure; measures that are not symmetric have one each way."""
    for i, j in combinations(range(len(matrices[0].names)), 2):
        for matrix in matrices:
            a, b = matrix.names[i], matrix.names[j]
            yield a, b, matrix.measure, float(matrix.values[i, j])
            if not find_measure(matrix.measure).symmetric:
                yield b, a, matrix.measure, float(matrix.values[j, i])
