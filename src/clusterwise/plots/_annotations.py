"""Names, titles, counts and legends in plots."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from textwrap import fill
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from matplotlib.lines import Line2D

from clusterwise._utils.tables import format_amount, format_share, shorten
from clusterwise._utils.visible import visible
from clusterwise.comparing.matches import ClusterMatching
from clusterwise.plots._palette import INK
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

# Characters of a title per inch, at the default font size.
_PER_INCH = 12
# Inches for the edges at both sides, and for title, names and caption above and below.
_AROUND = (0.2, 1.2)
# The width of a wide letter, relative to the font size.
_LETTER = 0.6
# The height of a line of a label, relative to axes of the usual height.
_LABEL_LINE = 0.05


def show_name(name: Any, width: int = 24) -> str:
    """Return a name on one line, shortened if it is long, with mathematics escaped."""
    return as_plain(shorten(str(name), width))


def show_names(names: Sequence[Any], width: int = 24) -> list[str]:
    """Return several names, shortened such that different names stay different."""
    whole = [visible(str(name)) for name in names]
    shown = [shorten(name, width) for name in whole]
    repeated = [shown.count(text) > 1 for text in shown]
    same = [name for name, is_repeated in zip(whole, repeated, strict=True) if is_repeated]
    start = sum(takewhile(bool, (len(set(letters)) == 1 for letters in zip(*same, strict=False))))
    shown = [
        shorten(f"{name[: width // 3]}…{name[start:]}", width) if is_repeated else text
        for name, text, is_repeated in zip(whole, shown, repeated, strict=True)
    ]
    times = Counter(shown)
    seen: Counter[str] = Counter()
    found = []
    for text in shown:
        seen[text] += 1
        found.append(as_plain(f"{text} ({seen[text]})" if times[text] > 1 else text))
    return found


def as_plain(text: str) -> str:
    """Escape a string, so that matplotlib does not parse it as mathematics."""
    return text.replace("$", r"\$")


def in_legend(name: str) -> str:
    """Return a name for a legend, from which matplotlib omits labels that begin with "_"."""
    return f" {name}" if name.startswith("_") else name


def measure_axes(ax: "Axes") -> tuple[float, float]:
    """Return width and height of axes in inches; before they are laid out, an estimate."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_constrained_layout() and len(figure.axes) == 1:
        width, height = figure.get_size_inches()
        return max(1.0, width - _AROUND[0]), max(0.5, height - _AROUND[1])
    box = ax.get_window_extent()
    return box.width / figure.dpi, box.height / figure.dpi


def write_title(ax: "Axes", text: str, inches: float | None = None) -> None:
    """Write a title above axes, wrapped at their width or at the given width."""
    ax.set_title(wrap_text(ax, text, inches), loc="left")


def wrap_text(ax: "Axes", text: str, inches: float | None = None) -> str:
    """Wrap a text at the width of axes or at the given width."""
    width = inches or measure_axes(ax)[0]
    return fill(text, max(24, int(width * _PER_INCH)), break_long_words=False)


def say_matched(
    table: Contingency | SoftOverlap, matching: ClusterMatching, names: tuple[str, str]
) -> str:
    """Return a sentence with the proportion of objects in matched clusters."""
    a, b = (show_name(name, 60) for name in names)
    share = format_share(matching.overlap / table.n)
    if isinstance(table, SoftOverlap):
        return f"{a} → {b}: {share} of memberships stay in matched clusters"
    return f"{a} → {b}: {share} of {objects_of(table)} stay in matched clusters"


def objects_of(table: Contingency | SoftOverlap) -> str:
    """Return the number of objects with its noun."""
    what = "object" if table.n == 1 else "objects"
    return f"{format_amount(table.n)} {what}"


def text_width(name: str) -> float:
    """Return the approximate width of a string in font sizes."""
    return sum(_LETTER * (2 if east_asian_width(letter) in "WF" else 1) for letter in name)


def place_legend(ax: "Axes", **options: Any) -> Any:
    """Draw a legend beside the axes, or inside without a layout engine."""
    if ax.figure.get_figure(root=True).get_layout_engine() is None:
        return ax.legend(loc="best", fontsize="small", **options)
    return ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", **options)


def draw_colorbar(ax: "Axes", image: Any, label: str, **options: Any) -> Any:
    """Draw a colour bar without a frame beside the axes."""
    bar = ax.figure.colorbar(image, ax=ax, label=label, pad=0.02, **options)
    bar.outline.set_visible(False)
    return bar


def key_of(
    marker: str, label: str, *, size: float = 6.0, fill: str = "none", edge: str = INK
) -> Line2D:
    """Return a legend handle for a marker."""
    return Line2D(
        [], [], linestyle="", marker=marker, markersize=size, label=in_legend(label),
        markerfacecolor=fill, markeredgecolor=edge,
    )  # fmt: skip


def keys_below(
    panel: "Axes", keys: Sequence[Line2D], *, columns: int, title: str | None = None
) -> "Legend":
    """Draw a legend below the panel and its labels."""
    lines = panel.get_xlabel().count("\n")
    return panel.legend(
        handles=list(keys), title=title, loc="upper center",
        bbox_to_anchor=(0.5, -0.14 - _LABEL_LINE * lines),
        ncols=columns, fontsize="x-small" if len(keys) > 8 else "small",
        title_fontsize="x-small", handletextpad=0.6, columnspacing=1.0,
    )  # fmt: skip
