"""The printout of ``stream``: a row per window, printed as soon as the window is complete."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from clusterwise._utils.tables import TextTable, format_count, format_list
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import json_text, say, write
from clusterwise.streams.window_report import WindowReport, format_optional, say_change

# The header is padded for later rows, because each row is printed at once.
_HEADER = (
    "window", "   start", "    stop", "clusters", "previous", "reference", "  p-value",
    "drift                ", "births (+), deaths (−)",
)  # fmt: skip
_CSV_HEADER = (
    "window", "start", "stop", "clusters", "similarity", "reference_similarity", "p_value",
    "drift", "feature", "births", "deaths", "outside",
)  # fmt: skip
_LEFT = frozenset({7, 8})
# The windows with drift that are described.
_DESCRIBED = 5


def print_windows(
    reports: Iterable[WindowReport], settings: Mapping[str, Any], writing: OutputOptions
) -> None:
    """Print the reports on all windows."""
    output_format, output, alpha = writing.output_format, writing.output, settings["alpha"]
    if output_format == "json":
        found = list(reports)
        write(json_text({**settings, "windows": [one.to_dict() for one in found]}), output)
    elif output_format == "markdown":
        found = list(reports)
        write(f"{_table(found).markdown()}\n\n{_closing(found, alpha)}", output)
    elif output_format == "csv":
        line = partial(_csv_line, excel_safe=writing.excel_safe)
        header = csv_text(_CSV_HEADER, [], excel_safe=writing.excel_safe)
        found = _write_lines(header, reports, line, output)
        say(_closing(found, alpha))
    else:
        found = _write_lines(_table([]).text() + "\n", reports, _table_line, output, alpha)
    _note_outside(found)
    _note_untested(found)


def _write_lines(
    header: str,
    reports: Iterable[WindowReport],
    line: Callable[[WindowReport], str],
    output: str | None,
    alpha: float | None = None,
) -> list[WindowReport]:
    """Print a line per window at once, then a closing sentence; a file is written at the end."""
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


def _table_line(report: WindowReport) -> str:
    return _table([report]).text().partition("\n")[2] + "\n"


def _csv_line(report: WindowReport, *, excel_safe: bool) -> str:
    change = report.change
    row = [
        report.index, report.start, report.stop, len(report.sizes), report.similarity,
        report.reference_similarity, change.p_value if change and change.tested else None,
        report.drift, None if change is None else change.feature, ";".join(map(str, report.births)),
        ";".join(map(str, report.deaths)), sum(report.outside.values()),
    ]  # fmt: skip
    return csv_text(row, [], excel_safe=excel_safe)


def _table(reports: Sequence[WindowReport]) -> TextTable:
    return TextTable(_HEADER, [_row(report) for report in reports], left=_LEFT)


def _row(report: WindowReport) -> list[str]:
    change = report.change
    events = [f"+{name}" for name in report.births] + [f"−{name}" for name in report.deaths]
    return [
        *map(str, (report.index, report.start, report.stop, len(report.sizes))),
        format_optional(report.similarity),
        format_optional(report.reference_similarity),
        f"{change.p_value:.2g}" if change and change.tested else "–",
        f"yes: {change.feature}" if change and change.significant else "",
        ", ".join(events),
    ]


def _closing(reports: Sequence[WindowReport], alpha: float) -> str:
    compared = [report.change for report in reports if report.change is not None]
    tested = sum(change.tested for change in compared)
    drifted = [str(report.index) for report in reports if report.drift]
    windows = format_count(len(reports), "window")
    if not compared:
        return f"{windows}: too few to test for drift; two are needed."
    if not tested:
        return f"{windows}; no test for drift: the values are all the same, or too rare."
    where = f": {', '.join(drifted)}" if drifted else ""
    sentences = [
        f"{windows}; drift in {len(drifted)} of the {tested} tested"
        f"{where} (expected by chance: {alpha * tested:.2g} at most)."
    ]
    for report in [one for one in reports if one.drift][:_DESCRIBED]:
        assert report.change is not None
        sentences.append(
            f"Window {report.index} differs from the objects before it "
            f"(p = {report.change.p_value:.2g}): {say_change(report.change)}."
        )
    return "\n".join(sentences)


def _note_outside(reports: Sequence[WindowReport]) -> None:
    names = list(dict.fromkeys(name for report in reports for name in report.outside))
    if names:
        say(
            f"some values of {format_list(names)} are outside the range of the first window; they "
            "are counted in its outermost bins."
        )


def _note_untested(reports: Sequence[WindowReport]) -> None:
    changes = [report.change for report in reports if report.change is not None]
    names = list(dict.fromkeys(name for change in changes for name in change.untested))
    if names:
        windows = sum(bool(change.untested) for change in changes)
        say(
            f"too few objects per value to test for drift in {format_count(windows, 'window')}: "
            f"{format_list(names)}; use a larger --window."
        )
