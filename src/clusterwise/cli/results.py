"""What ``compare`` prints: the comparison of two, or a matrix per measure of many."""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from clusterwise.cli.formats import csv_text, json_text
from clusterwise.cli.loading import Compared
from clusterwise.cli.output import Format, write, write_table
from clusterwise.clusterings import SoftClustering
from clusterwise.comparing.comparison import Comparison, compare
from clusterwise.comparing.matrix import ComparisonMatrix, compare_each
from clusterwise.comparing.render import grids
from clusterwise.errors import InputError
from clusterwise.features import has_centres
from clusterwise.measures.catalogue import CATALOGUE, find_measure

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from clusterwise.binning import Method


class Matrices(list[ComparisonMatrix]):
    """A matrix per measure, one below the other."""

    def __str__(self) -> str:
        return "\n\n".join(str(matrix) for matrix in self)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield from (matrix.grid() for matrix in self)


def write_result(
    compared: Compared,
    measures: list[str],
    bins: "tuple[Method, int]",
    output_format: Format,
    output: str | None,
) -> None:
    """Compare, and print in the format asked for."""
    two = len(compared.clusterings) == 2
    soft = _soft_names(compared)
    _refuse_measures(measures, soft)
    data = _data(compared, *bins)
    if not measures:
        measures = _all_that_apply(soft, data) if two else _default_of_many(soft, data)
    if output_format == "csv":
        header = ("a", "b", "measure", "value")
        write(csv_text(header, _long_rows(_matrices(compared, measures, data))), output)
    elif two:
        _write_two(compared, measures, data, output_format, output)
    else:
        _write_many(_matrices(compared, measures, data), compared, output_format, output)


def compare_two(compared: Compared, measures: list[str], bins: "tuple[Method, int]") -> Comparison:
    """The comparison of two clusterings."""
    soft = _soft_names(compared)
    _refuse_measures(measures, soft)
    data = _data(compared, *bins)
    return _compare(compared, measures or _all_that_apply(soft, data), data)


def _compare(compared: Compared, measures: list[str], data: dict[str, Any]) -> Comparison:
    (a, first), (b, second) = compared.clusterings.items()
    return compare(first, second, measures=measures, names=(a, b), **data, **compared.reading)


def _data(compared: Compared, method: "Method", n_bins: int) -> dict[str, Any]:
    """The features and their bins, as comparisons take them; nothing if there are none."""
    if compared.features is None:
        return {}
    reference = next(iter(compared.clusterings.values()))
    binning = compared.features.fit_bins(method, n_bins, reference)
    return {"X": compared.features.values, "binning": binning}


def _soft_names(compared: Compared) -> list[str]:
    return [n for n, one in compared.clusterings.items() if isinstance(one, SoftClustering)]


def _refuse_measures(measures: list[str], soft: list[str]) -> None:
    for name in measures:
        if soft and not find_measure(name).soft:
            raise InputError(
                f"{name} takes one label per object, but {soft[0]} is soft; leave it out, or "
                "compare columns of labels."
            )


def _all_that_apply(soft: list[str], data: dict[str, Any]) -> list[str]:
    centred = bool(data) and has_centres(data["X"])
    return [
        one.name
        for one in CATALOGUE.values()
        if (one.soft or not soft)
        and (not one.needs_data or (bool(data) if one.family == "density" else centred))
    ]


def _default_of_many(soft: list[str], data: dict[str, Any]) -> list[str]:
    """One measure of memberships, and one of density.

    The adjusted Rand index counts softness as disagreement, even of a clustering with itself.
    """
    first = "irm_score" if soft else "adjusted_rand_score"
    return [first, "adco_score"] if data else [first]


def _write_two(
    compared: Compared,
    measures: list[str],
    data: dict[str, Any],
    output_format: Format,
    output: str | None,
) -> None:
    result = _compare(compared, measures, data)
    if output_format == "json":
        soft = _soft_names(compared)
        write(json_text({**result.to_dict(), **({"soft": soft} if soft else {})}), output)
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
        soft = _soft_names(compared)
        told = {"names": names, "objects": objects, **({"soft": soft} if soft else {})}
        write(json_text({**told, "measures": values}), output)
    elif output_format == "markdown":
        write("\n\n".join(matrix.grid().markdown() for matrix in matrices), output)
    else:
        write_table(matrices, output)


def _matrices(compared: Compared, measures: list[str], data: dict[str, Any]) -> Matrices:
    return Matrices(compare_each(compared.clusterings, measures, **data, **compared.reading))


def _long_rows(matrices: Matrices) -> Iterator[tuple[str, str, str, float]]:
    """A row per pair and measure; measures that are not symmetric have one each way."""
    for i, j in combinations(range(len(matrices[0].names)), 2):
        for matrix in matrices:
            a, b = matrix.names[i], matrix.names[j]
            yield a, b, matrix.measure, float(matrix.values[i, j])
            if not find_measure(matrix.measure).symmetric:
                yield b, a, matrix.measure, float(matrix.values[j, i])
