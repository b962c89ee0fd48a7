"""``clusterwise stream``: how the clustering of a stream changes from window to window."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.compare.compare import Binning, check_files, listed
from clusterwise.cli.formats import csv_text, json_text
from clusterwise.cli.output import Format, check_output, say, write

if TYPE_CHECKING:
    from clusterwise._utils.tables import TextTable
    from clusterwise.cli.stream.following import Rows
    from clusterwise.cli.tables.loading import Compared
    from clusterwise.inputs.binning.binning import Binning as FittedBinning
    from clusterwise.streams.window_report import WindowReport

# Headers are as wide as later rows may need: rows are printed as they come.
_HEADER = (
    "window", "   start", "    stop", "clusters", "previous", "reference", "  p-value",
    "drift                ", "born and gone",
)  # fmt: skip
_CSV_HEADER = (
    "window", "start", "stop", "clusters", "similarity", "reference_similarity", "p_value",
    "drift", "feature", "births", "deaths", "outside",
)  # fmt: skip
_LEFT = frozenset({7, 8})
_SHOWN = 5


def stream(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    labels: Annotated[str, Parameter(name=["--labels", "-l"])],
    window: Annotated[int, Parameter(name=["--window", "-w"])] = 1000,
    step: int | None = None,
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    features: str | None = None,
    binning: Binning = "width",
    bins: int = 10,
    size: Literal["as-is", "cosine", "sample"] = "as-is",
    names: Literal["kept", "fresh"] = "kept",
    alpha: float = 0.01,
    missing: Literal["error", "drop", "label"] = "error",
    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table",
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    checkpoint: str | None = None,
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Show how a clustering changes over time: a row per window, in the order of the file.

    Each window is compared with the window one step before and with the first window
    (ADCO: 1 is alike). Drift means that it differs from as many objects right before it by
    more than chance, at the false-alarm rate --alpha, if the objects are independent.

    CSV holds a line per window. JSON holds an object: labels, window, step, alpha and
    windows, each with sizes, births, deaths, matches and both tests.

    Parameters
    ----------
    files
        CSV, TSV, JSON Lines or Parquet files, the texts also as .gz; - is standard input.
    labels
        The column that says which cluster an object is in.
    window
        How many objects a window holds; the last one may hold fewer.
    step
        How many objects there are from one window to the next; by default as many as it holds.
    key
        Match the rows of several files by this column; otherwise by position.
    features
        The features to use, as one list: a,b,c. By default all columns that can be.
    binning
        How numbers are binned, by the first window: even widths, equal frequencies, cuts that
        tell the clusters apart (mdl), or a bin per value.
    bins
        How many bins a feature of numbers gets.
    size
        What to do about a shorter last window: take it as it is, compare by cosine, or
        compare it with a sample of the longer one.
    names
        Whether a label means the same cluster in all windows, or each was clustered afresh.
    alpha
        The rate of false alarms that is accepted.
    missing
        What to do where a label is missing: stop, leave the object out, or make it a label.
    output_format
        How to print.
    output
        Write to this file, whole or not at all.
    checkpoint
        Keep in this file how far it got. The same command then goes on from there: after it
        was interrupted, or when the files have got more rows at their end.
    input_format
        The files' format, if their names do not tell.
    delimiter
        The character between fields; found from the header by default.
    encoding
        The encoding of text files, such as latin-1.
    """
    check_files(files, stream)
    check_output(output)
    check_output(checkpoint, "--checkpoint")
    if checkpoint is not None and checkpoint == output:
        raise InputError("--checkpoint and --output name the same file; name two.")
    from clusterwise.cli.stream.following import follow, take_up
    from clusterwise.cli.tables.files import HowToRead
    from clusterwise.cli.tables.loading import Wanted, load_one
    from clusterwise.streams.stream import ClusteringStream

    options: dict[str, Any] = {
        "window": window, "step": step, "binning": binning, "n_bins": bins, "size": size,
        "names": names, "alpha": alpha,
    }  # fmt: skip
    ClusteringStream(**options)  # refuses them before any file is read
    wanted = Wanted((), key, missing=missing, features=listed(features))
    read = load_one(files, HowToRead(input_format, delimiter, encoding), labels, wanted)
    rows, options["binning"] = _rows_and_bins(read, labels, window, binning, bins)
    path = None if checkpoint is None else Path(checkpoint)
    running = ClusteringStream(**options) if path is None else take_up(path, options, rows)
    reports = follow(running, rows, path)
    if output_format == "json":
        told = {"labels": labels, "window": window, "step": running.step, "alpha": alpha}
        found = list(reports)
        write(json_text({**told, "windows": [one.to_dict() for one in found]}), output)
    elif output_format == "markdown":
        found = list(reports)
        write(f"{_grid(found).markdown()}\n\n{_closing(found, alpha)}", output)
    elif output_format == "csv":
        found = _write_lines(csv_text(_CSV_HEADER, []), reports, _csv_line, output)
        say(_closing(found, alpha))
    else:
        found = _write_lines(_grid([]).text() + "\n", reports, _table_line, output, alpha)
    _say_outside(found)


def _rows_and_bins(
    read: "Compared", labels: str, window: int, method: "Binning", bins: int
) -> tuple["Rows", "FittedBinning"]:
    """The objects, and bins by the first window, as a stream has them, but under own names."""
    import numpy as np

    from clusterwise.cli.stream.following import Rows
    from clusterwise.cli.tables.features import FeatureTable
    from clusterwise.inputs.clusterings import Clustering

    (clustering,) = read.clusterings.values()
    assert read.features is not None
    assert isinstance(clustering, Clustering)
    columns, X = read.features.names, read.features.values
    first = FeatureTable(columns, X[:window])
    binning = first.fit_bins(method, bins, clustering.take(np.arange(len(first.values))))
    codes = clustering.codes
    return Rows([labels, *columns], X, codes.names_at(codes.positions())), binning


def _write_lines(
    header: str,
    reports: Iterable["WindowReport"],
    line: Callable[["WindowReport"], str],
    output: str | None,
    alpha: float | None = None,
) -> list["WindowReport"]:
    """A line per window as it comes, and a sentence; a file is written whole at the end."""
    found: list[WindowReport] = []
    lines = [header]
    for report in reports:
        found.append(report)
        lines.append(line(report))
        if output is None:
            write("".join(lines), None)
            sys.stdout.flush()
            lines.clear()
    if alpha is not None:
        lines.append(f"\n{_closing(found, alpha)}\n")
    if lines:
        write("".join(lines), output)
    return found


def _table_line(report: "WindowReport") -> str:
    return _grid([report]).text().partition("\n")[2] + "\n"


def _csv_line(report: "WindowReport") -> str:
    change = report.change
    row = [
        report.index, report.start, report.stop, len(report.sizes), report.similarity,
        report.reference_similarity, None if change is None else change.p_value, report.drift,
        None if change is None else change.feature, ";".join(map(str, report.births)),
        ";".join(map(str, report.deaths)), sum(report.outside.values()),
    ]  # fmt: skip
    return csv_text(["" if value is None else str(value) for value in row], [])


def _grid(reports: Sequence["WindowReport"]) -> "TextTable":
    from clusterwise._utils.tables import TextTable

    return TextTable(_HEADER, [_row(report) for report in reports], left=_LEFT)


def _row(report: "WindowReport") -> list[str]:
    from clusterwise.streams.window_report import optional

    change = report.change
    news = [f"+{name}" for name in report.births] + [f"−{name}" for name in report.deaths]
    return [
        *map(str, (report.index, report.start, report.stop, len(report.sizes))),
        optional(report.similarity),
        optional(report.reference_similarity),
        "–" if change is None else f"{change.p_value:.2g}",
        f"yes: {change.feature}" if change and change.significant else "",
        ", ".join(news),
    ]


def _closing(reports: Sequence["WindowReport"], alpha: float) -> str:
    from clusterwise._utils.tables import format_count

    tested = sum(report.change is not None for report in reports)
    drifted = [str(report.index) for report in reports if report.drift]
    if not tested:
        return f"{format_count(len(reports), 'window')}: too few to look for drift; two are needed."
    where = f": {', '.join(drifted)}" if drifted else ""
    return (
        f"{format_count(len(reports), 'window')}; drift in {len(drifted)} of the {tested} "
        f"tested{where} "
        f"(chance alone gives {alpha * tested:.2g} at most, on average)."
    )


def _say_outside(reports: Sequence["WindowReport"]) -> None:
    names = list(dict.fromkeys(name for report in reports for name in report.outside))
    if names:
        shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        say(f"some values of {shown} are out of the first window's range, and in its end bins.")
