"""The report of the windows of a stream."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import TextTable, format_count, format_list, format_number
from clusterwise.report.page import Block, Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped
from clusterwise.report.svg import PlotRenderer
from clusterwise.streams.window_report import WindowReport, say_change

_MAX_ROWS = 100
_MAX_DETAILS = 5
_MAX_WINDOWS = 5


def stream_windows_page(
    result: Sequence[WindowReport],
    follow: Literal["names", "matches"],
    options: PageOptions,
) -> Page:
    """Return the page of the windows of a stream."""
    timeline = load_display("TimelineDisplay")
    renderer = PlotRenderer()
    plot = renderer.draw(
        lambda: timeline.from_reports(result, follow=follow).plot(),
        "Similarity, births, deaths and sizes of clusters over the windows",
        "Top: the similarity of each window to the one before and to the reference; crosses mark "
        "drift. Middle: clusters that appear and disappear. Bottom: the sizes of the clusters.",
    )
    drifting = [one for one in result if one.drift]
    sections = [
        Section("Windows", [plot, _table(result)]),
        Section("Windows with drift", _details(drifting)),
        *([Section("Window", [result[0].text_table()])] if len(result) == 1 else []),
        how_it_was_made(options.parameters, options.code or _code(options.parameters)),
    ]
    return Page(
        options.title or f"Stream of {format_count(len(result), 'window')}",
        "The clustering of a stream of objects, window by window",
        _verdict(result, drifting),
        _tiles(result, drifting),
        [section for section in sections if section.blocks],
        options.footer,
    )


def _verdict(result: Sequence[WindowReport], drifting: Sequence[WindowReport]) -> list[str]:
    if len(result) == 1:
        return [result[0].summary()]
    if drifting:
        names = format_list([str(one.index) for one in drifting], _MAX_WINDOWS)
        what = "Window" if len(drifting) == 1 else "Windows"
        differ = "differs" if len(drifting) == 1 else "differ"
        verdict = [f"{what} {names} {differ} significantly from the objects before."]
        verdict += [
            f"In window {one.index}, {say_change(one.change)}."
            for one in drifting[:_MAX_DETAILS]
            if one.change is not None
        ]
    else:
        verdict = ["No window differs significantly from the objects before."]
    compared = [one for one in result if one.similarity is not None]
    if compared:
        least = min(compared, key=lambda one: one.similarity or 0.0)
        verdict.append(
            f"Window {least.index} is least similar to the one before "
            f"({format_number(least.similarity or 0.0)})."
        )
    for event, words in (("births", "appear"), ("deaths", "disappear")):
        count = sum(len(getattr(one, event)) for one in result)
        if count:
            verb = f"{words}s" if count == 1 else words
            verdict.append(f"{format_count(count, 'cluster')} {verb}.")
    return verdict


def _tiles(result: Sequence[WindowReport], drifting: Sequence[WindowReport]) -> list[Tile]:
    return [
        Tile(grouped(len(result)), "window" if len(result) == 1 else "windows"),
        Tile(grouped(len(drifting)), "with drift"),
        Tile(grouped(sum(len(one.births) for one in result)), "births of clusters"),
        Tile(grouped(sum(len(one.deaths) for one in result)), "deaths of clusters"),
        Tile(grouped(max(one.stop for one in result)), "objects seen"),
    ]


def _table(result: Sequence[WindowReport]) -> TextTable:
    rows = [
        [
            str(one.index),
            f"{grouped(one.start)} … {grouped(one.stop - 1)}",
            str(len(one.sizes)),
            _optional(one.similarity),
            _optional(one.reference_similarity),
            ", ".join(map(str, one.births)),
            ", ".join(map(str, one.deaths)),
            f"{one.change.p_value:.2g}" if one.change and one.change.tested else "",
            "drift" if one.drift else "",
        ]
        for one in result[-_MAX_ROWS:]
    ]
    shown = "" if len(result) <= _MAX_ROWS else f" (last {_MAX_ROWS} of {len(result)})"
    header = [
        "window", "objects", "clusters", "similarity to the one before",
        "similarity to the reference", "births", "deaths", "p-value", "",
    ]  # fmt: skip
    return TextTable(header, rows, f"All windows{shown}", frozenset({0, 1, 5, 6, 8}))


def _details(drifting: Sequence[WindowReport]) -> list[Block]:
    """Return the tables of the first windows with drift."""
    blocks: list[Block] = [one.text_table() for one in drifting[:_MAX_DETAILS]]
    if len(drifting) > _MAX_DETAILS:
        blocks.append(f"The first {_MAX_DETAILS} of {len(drifting)} windows with drift are shown.")
    return blocks


def _optional(value: float | None) -> str:
    return "" if value is None else format_number(value)


def _code(parameters: Mapping[str, Any]) -> str:
    """Return the code that reproduces the report, with a name in place of the batches."""
    options = ", ".join(
        f"{name}={value!r}" for name, value in parameters.items() if value is not None
    )
    return (
        "from clusterwise import ClusteringStream\n\n"
        "# batches are the features and labels of the objects, in order.\n"
        f"stream = ClusteringStream({options})\n"
        'stream.report(stream.run(batches), "report.html")'
    )
