"""What ``compare`` prints: the comparison of two, or a matrix per measure of many."""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

from clusterwise.cli.formats import csv_text, json_text
from clusterwise.cli.output import Format, write, write_table
from clusterwise.cli.tables.loading import Compared
from clusterwise.comparing.applicable import (
    applicable_measures,
    check_measures,
    default_of_many,
)
from clusterwise.comparing.compare import Comparison, compare
from clusterwise.comparing.compare_all import ComparisonMatrix, compare_each
from clusterwise.inputs.clusterings import SoftClustering
from clusterwise.inputs.features import has_means
from clusterwise.measures.catalogue import find_measure

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from clusterwise.inputs.binning.binning import Method


class Matrices(list[ComparisonMatrix]):
    """A matrix per measure, one below the other."""

    def __str__(self) -> str:
        return "\n\n".join(str(matrix) for matrix in self)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield from (matrix.text_table() for matrix in self)


class Work(Protocol):
    """Clusterings that can be compared, wherever they are."""

    @property
    def names(self) -> list[str]:
        """What the clusterings are called."""

    @property
    def soft(self) -> list[str]:
        """Those that are soft."""

    @property
    def objects(self) -> int:
        """How many objects they are of."""

    @property
    def has_data(self) -> bool:
        """Whether there are features."""

    def has_means(self) -> bool:
        """Whether means of the features can be taken."""

    def compare(self, measures: list[str]) -> Comparison:
        """The comparison of two clusterings."""

    def compare_each(self, measures: list[str]) -> list[ComparisonMatrix]:
        """A matrix for each measure."""


class InMemory:
    """Clusterings in memory; features are binned when they are first needed."""

    def __init__(self, compared: Compared, method: "Method", n_bins: int) -> None:
        self._compared = compared
        self._bins = method, n_bins
        self.names = list(compared.clusterings)
        self.soft = [
            n for n, one in compared.clusterings.items() if isinstance(one, SoftClustering)
        ]
        self.objects = len(compared.clusterings[self.names[0]])
        self.has_data = compared.features is not None

    def has_means(self) -> bool:
        return has_means(self._data["X"])

    def compare(self, measures: list[str]) -> Comparison:
        (a, first), (b, second) = self._compared.clusterings.items()
        return compare(
            first,
            second,
            measures=measures,
            names=(a, b),
            **self._data,
            **self._compared.label_options,
        )

    def compare_each(self, measures: list[str]) -> list[ComparisonMatrix]:
        compared = self._compared
        return compare_each(compared.clusterings, measures, **self._data, **compared.label_options)

    @cached_property
    def _data(self) -> dict[str, Any]:
        """The features and their bins, as comparisons take them; nothing if there are none."""
        features = self._compared.features
        if features is None:
            return {}
        reference = next(iter(self._compared.clusterings.values()))
        return {"X": features.values, "binning": features.fit_bins(*self._bins, reference)}


def write_result(
    work: Work, measures: list[str], output_format: Format, output: str | None
) -> None:
    """Compare, and print in the format asked for."""
    two = len(work.names) == 2
    _check_measures(work, measures)
    if not measures:
        measures = _applicable(work) if two else default_of_many(bool(work.soft), work.has_data)
    if output_format == "csv":
        header = ("a", "b", "measure", "value")
        write(csv_text(header, _long_rows(Matrices(work.compare_each(measures)))), output)
    elif two:
        _write_two(work, measures, output_format, output)
    else:
        _write_many(work, measures, output_format, output)


def compare_two(work: Work, measures: list[str]) -> Comparison:
    """The comparison of two clusterings."""
    _check_measures(work, measures)
    return work.compare(measures or _applicable(work))


def _check_measures(work: Work, measures: list[str]) -> None:
    soft = work.soft[0] if work.soft else None
    check_measures(measures, soft=soft, hard_labels="compare columns of labels")


def _applicable(work: Work) -> list[str]:
    return applicable_measures(
        soft=bool(work.soft),
        with_profiles=work.has_data,
        with_centroids=work.has_data and work.has_means(),
    )


def _write_two(work: Work, measures: list[str], output_format: Format, output: str | None) -> None:
    result = work.compare(measures)
    if output_format == "json":
        soft = {"soft": work.soft} if work.soft else {}
        write(json_text({**result.to_dict(), **soft}), output)
    elif output_format == "markdown":
        write(
            "\n\n".join([*(table.markdown() for table in result.text_tables()), result.summary()]),
            output,
        )
    else:
        write_table(result, output)


def _write_many(work: Work, measures: list[str], output_format: Format, output: str | None) -> None:
    matrices = Matrices(work.compare_each(measures))
    if output_format == "json":
        values = {matrix.measure: matrix.values.tolist() for matrix in matrices}
        soft = {"soft": work.soft} if work.soft else {}
        told = {"names": work.names, "objects": work.objects, **soft}
        write(json_text({**told, "measures": values}), output)
    elif output_format == "markdown":
        write("\n\n".join(matrix.text_table().markdown() for matrix in matrices), output)
    else:
        write_table(matrices, output)


def _long_rows(matrices: Matrices) -> Iterator[tuple[str, str, str, float]]:
    """A row per pair and measure; measures that are not symmetric have one each way."""
    for i, j in combinations(range(len(matrices[0].names)), 2):
        for matrix in matrices:
            a, b = matrix.names[i], matrix.names[j]
            yield a, b, matrix.measure, float(matrix.values[i, j])
            if not find_measure(matrix.measure).symmetric:
                yield b, a, matrix.measure, float(matrix.values[j, i])
