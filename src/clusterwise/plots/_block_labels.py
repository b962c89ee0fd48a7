"""Names and sizes beside the blocks of a column, without overlaps."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.font_manager import FontProperties

from clusterwise._utils.tables import format_amount
from clusterwise._utils.visible import visible
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import measure_axes, show_names, text_width
from clusterwise.plots._blocks import Blocks
from clusterwise.plots._ordering import spread_out
from clusterwise.plots._palette import FAINT, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = "small"
_SHORTEST = 5
# The height of a line, in font sizes.
_LINE = 1.25
# Letters that are narrower and wider than others, and by how much; capitals and all others.
_NARROW, _WIDE, _EXTRA = " fijlrt.,:;'|!()·", "mwMW…@%", 0.28
_LETTER = 0.09
# Letters on a grid of pixels are up to so much wider.
_HINTED = 1.2
# Inches from a block to its label.
_ASIDE = 0.16


def block_texts(column: Blocks, inches: float | None = None) -> list[str]:
    """Return the labels of the blocks, with names shortened if they are wider than ``inches``."""
    names = [visible(str(column.names[at])) for at in column.shown]
    whole = _with_sizes(column, max(map(len, names), default=0))
    # The available width may be the needed one, up to rounding.
    if inches is None or inches_of(whole) <= inches + 1e-9:
        return whole
    sizes = [format_amount(size) for size in column.sizes.tolist()]
    widest = max((_ems(name) / max(1, len(name)) for name in names), default=1.0)
    ems = (inches - _ASIDE) / _em() - max(_ems(f" · {size}") for size in sizes)
    return _with_sizes(column, max(_SHORTEST, int(ems / widest)))


def _with_sizes(column: Blocks, width: int) -> list[str]:
    """Return the labels of the blocks, with names of at most ``width`` characters."""
    every = show_names(column.names, width)
    names = [every[at] for at in column.shown]
    if column.rest >= 0:
        names.append(f"{len(every) - len(names)} smaller")
    sizes = map(format_amount, column.sizes.tolist())
    return [f"{name} · {size}" for name, size in zip(names, sizes, strict=True)]


def inches_of(texts: list[str]) -> float:
    """Return the approximate width of labels in inches."""
    return max(map(_ems, texts)) * _em() + _ASIDE


def share_width(width: float, left: float, right: float, between: float) -> tuple[float, float]:
    """Return the inches for the labels on both sides, of which each gets what it needs if it can.

    ``left`` and ``right`` are what they need, and ``between`` is kept for the bands.
    """
    available = max(0.0, width - between)
    if left + right <= available:
        return left, right
    first = min(left, max(available / 2, available - right))
    return first, min(right, available - first)


def _em() -> float:
    """Return the font size in inches."""
    return FontProperties(size=_SIZE).get_size_in_points() / 72


def _ems(text: str) -> float:
    """Return the approximate width of a text in font sizes."""
    narrow, wide = (sum(map(text.count, letters)) for letters in (_NARROW, _WIDE))
    capitals = sum(map(str.isupper, text))
    return _HINTED * (text_width(text) + _LETTER * capitals + _EXTRA * (wide - narrow))


def label_blocks(
    axes: "Axes", texts: list[str], column: Blocks, order: Array, positions: tuple[float, Array],
    *, to_left: bool, covered: bool,
) -> list[Any]:  # fmt: skip
    """Label the blocks of a column from top to bottom, at its left or right edge.

    ``positions`` are that edge and the centres of the blocks; ``covered`` says that bands lie under
    the labels. If the axes are too low for all labels, only the largest blocks are labelled.
    """
    edge, centres = positions
    line = _line_height(axes)
    low, high = sorted(axes.get_ylim())
    fitting = max(1, int((high - low) / line))
    largest = set(np.argsort(-column.sizes, kind="stable")[:fitting].tolist())
    named = np.array([block for block in order.tolist() if block in largest])
    heights = spread_out(centres[named], np.full(named.size, line), 0.0)
    heights += np.clip(0.0, low + line / 2 - heights[0], high - line / 2 - heights[-1])
    side, aligned = (-1, "right") if to_left else (1, "left")
    step = side * _ASIDE * abs(np.diff(axes.get_xlim()).item()) / measure_axes(axes)[0]
    drawn = []
    for block, y in zip(named.tolist(), heights.tolist(), strict=True):
        if abs(y - centres[block]) > line / 4:
            ends = [edge, edge + step * 0.9], [centres[block], y]
            axes.plot(*ends, color=FAINT, lw=0.8, zorder=3)
        text = axes.text(
            edge + step, y, texts[block],
            ha=aligned, va="center_baseline", fontsize=_SIZE, color=INK, zorder=4,
        )  # fmt: skip
        if covered:
            text.set_bbox({"facecolor": PAPER, "alpha": 0.6, "lw": 0, "pad": 0.8})
        drawn.append(text)
    return drawn


def _line_height(axes: "Axes") -> float:
    """Return the height of a line of text in data units."""
    points = FontProperties(size=_SIZE).get_size_in_points() * _LINE
    return abs(np.diff(axes.get_ylim()).item()) * points / 72 / measure_axes(axes)[1]
