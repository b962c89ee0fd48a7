"""Small tables as plain text, rich, HTML and Markdown, and the format of numbers in them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Literal

from clusterwise._utils.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


_SIZES_SHOWN = 6


@dataclass(frozen=True)
class TextTable:
    """A title, a header and rows of strings.

    ``left`` has the indices of the left-aligned columns; ``spare`` is the column that is left
    out on narrow terminals.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    left: frozenset[int] = frozenset({0})
    spare: int | None = None

    def text(self) -> str:
        """Return the table as aligned plain text; cells are never truncated."""
        lines = self._visible_lines()
        widths = _widths(lines)
        body = ("  ".join(self._padded(line, widths)).rstrip() for line in lines)
        return "\n".join([visible(self.title), *body] if self.title else body)

    def markdown(self) -> str:
        """Return a Markdown table; the title becomes a line above it."""
        lines = [[_escape_markdown(cell) for cell in line] for line in (self.header, *self.rows)]
        rule = ["---" if i in self.left else "---:" for i in range(len(self.header))]
        table = "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])
        return f"{_escape_markdown(self.title)}\n\n{table}" if self.title else table

    def html(self) -> str:
        """Return an HTML table; all strings are escaped."""
        header, *rows = self._visible_lines()
        head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
        body = "".join(f"<tr>{''.join(self._html_cells(row))}</tr>" for row in rows)
        caption = f"<caption>{escape(visible(self.title))}</caption>" if self.title else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        """Yield a rich table, without the spare column if the terminal is narrow."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        if self.title:
            yield Text(visible(self.title), style="bold")
        header, *rows = lines = self._visible_lines()
        shown = list(range(len(header)))
        if self.spare is not None and sum(_widths(lines)) + 3 * len(shown) > options.max_width:
            shown.remove(self.spare)
        for i in shown:
            justify: Literal["left", "right"] = "left" if i in self.left else "right"
            table.add_column(Text(header[i]), justify=justify, overflow="fold", no_wrap=i == 0)
        for row in rows:
            table.add_row(*(Text(row[i]) for i in shown))
        yield table

    def _visible_lines(self) -> list[list[str]]:
        return [[visible(cell) for cell in line] for line in (self.header, *self.rows)]

    def _padded(self, line: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        for i, (cell, width) in enumerate(zip(line, widths, strict=True)):
            yield cell.ljust(width) if i in self.left else cell.rjust(width)

    def _html_cells(self, row: Sequence[str]) -> Iterator[str]:
        for i, cell in enumerate(row):
            side = "left" if i in self.left else "right"
            yield f'<td style="text-align: {side}">{escape(cell)}</td>'


class TableRepr(ABC):
    """Base class of objects that print as a table in the REPL, with rich and in notebooks."""

    @abstractmethod
    def text_table(self) -> TextTable:
        """Return the result as a table of strings."""

    def __repr__(self) -> str:
        return self.text_table().text()

    def __rich__(self) -> TextTable:
        return self.text_table()

    def _repr_html_(self) -> str:
        return self.text_table().html()


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]


def format_number(value: float) -> str:
    """Format a number with four decimals; integers have none."""
    if not isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.4f}" if abs(value) < 1e6 else f"{value:.4g}"
    return "0.0000" if text == "-0.0000" else text


def format_score(value: float) -> str:
    """Format a score for a sentence: with two decimals, and never -0.00."""
    return f"{round(value, 2) + 0.0:.2f}"


def format_percent(proportion: float) -> str:
    """Format a proportion as a percentage; a small positive one is never shown as 0."""
    return "< 0.1%" if 0 < proportion < 0.0005 else f"{proportion:.1%}"


def format_share(proportion: float) -> str:
    """Format a proportion as people say it: with a decimal only near 0 and 1.

    Only 0 and 1 are shown as 0% and 100%.
    """
    if 0.01 <= proportion <= 0.99 or proportion in (0, 1):
        return f"{proportion:.0%}"
    if 0 < proportion < 0.0005:
        return "< 0.1%"
    return "> 99.9%" if 0.9995 <= proportion < 1 else f"{proportion:.1%}"


def format_amount(count: float) -> str:
    """Format a count with commas between thousands; sums of weights with few digits."""
    whole = round(count)
    if abs(count - whole) <= 1e-9 * max(1.0, abs(count)):
        return f"{whole:,}"
    return f"{count:.2g}" if abs(count) < 10 else f"{count:,.1f}"


def format_count(count: int, noun: str) -> str:
    """Format a count with its noun: 1 cluster, 2 clusters."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"


def format_objects(n: int | float) -> str:
    """Format a number of objects, or (a float) their total weight."""
    return format_count(n, "object") if isinstance(n, int) else f"weight {n:g}"


def format_list(names: Sequence[str], most: int = 5) -> str:
    """Join names for a sentence ("a, b and c"), at most ``most`` of them ("a, b and 3 more")."""
    first, last = list(names[:-1]), names[-1]
    if len(names) > most:
        first, last = list(names[:most]), f"{len(names) - most} more"
    return f"{', '.join(first)} and {last}" if first else last


def list_sizes(sizes: Sequence[int]) -> str:
    """Return the first cluster sizes, separated by commas."""
    shown = ", ".join(map(str, sizes[:_SIZES_SHOWN]))
    return f"{shown}, …" if len(sizes) > _SIZES_SHOWN else shown


def shorten(name: str, width: int) -> str:
    """Shorten a name to at most ``width`` characters, by an ellipsis in the middle."""
    name = visible(name)
    if len(name) <= width:
        return name
    end = max(1, (width - 1) // 3)
    return f"{name[: width - 1 - end]}…{name[-end:]}"


def _escape_markdown(cell: str) -> str:
    return visible(cell).replace("\\", "\\\\").replace("|", "\\|")
