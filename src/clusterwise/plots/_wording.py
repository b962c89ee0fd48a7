"""Texts of pictures: titles that fit, numbers as people read them, notes."""

from textwrap import fill
from typing import TYPE_CHECKING

from clusterwise.plots._names import show_name
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Characters of a title in an inch, at the usual size of text.
_PER_INCH = 12


# Inches that title, names and a caption take above and below, and edges on both sides.
_AROUND = (0.2, 1.2)


def measure_axes(ax: "Axes") -> tuple[float, float]:
    """Width and height of axes in inches; before they are laid out, a good guess."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_constrained_layout() and len(figure.axes) == 1:
        width, height = figure.get_size_inches()
        return max(1.0, width - _AROUND[0]), max(0.5, height - _AROUND[1])
    box = ax.get_window_extent()
    return box.width / figure.dpi, box.height / figure.dpi


def write_title(ax: "Axes", text: str, inches: float | None = None) -> None:
    """A title above axes, in as many lines as their width (or the width given) asks for."""
    ax.set_title(wrap_text(ax, text, inches), loc="left")


def wrap_text(ax: "Axes", text: str, inches: float | None = None) -> str:
    """A text in lines that are no longer than axes (or the width given) are wide."""
    width = inches or measure_axes(ax)[0]
    return fill(text, max(24, int(width * _PER_INCH)), break_long_words=False)


def show_count(count: float) -> str:
    """A number of objects, thousands apart; of weights and shares as many digits as tell much."""
    whole = round(count)
    if abs(count - whole) <= 1e-9 * max(1.0, abs(count)):
        return f"{whole:,}"
    return f"{count:.2g}" if abs(count) < 10 else f"{count:,.1f}"


def show_share(share: float) -> str:
    """A share without decimals, where it is neither almost nothing nor almost all."""
    return f"{share:.0%}" if 0.01 <= share <= 0.99 or share in (0, 1) else f"{share:.1%}"


def say_matched(table: Contingency | SoftOverlap, names: tuple[str, str]) -> str:
    """How much of two clusterings is in matched clusters, in a sentence."""
    a, b = (show_name(name) for name in names)
    share = show_share(table.matching.overlap / table.n)
    if isinstance(table, SoftOverlap):
        return f"{a} → {b}: {share} of memberships stay in matched clusters"
    return f"{a} → {b}: {share} of {objects_of(table)} stay in matched clusters"


def objects_of(table: Contingency | SoftOverlap) -> str:
    """The number of objects, with the word for them."""
    what = "object" if table.n == 1 else "objects"
    return f"{show_count(table.n)} {what}"
