"""Names and sizes beside the blocks of a column, without overlaps."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.font_manager import FontProperties

from clusterwise._utils.tables import format_amount
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import measure_axes, show_names
from clusterwise.plots._blocks import Blocks
from clusterwise.plots._ordering import spread_out
from clusterwise.plots._palette import FAINT, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = "small"
_SHORTEST, _LONGEST = 5, 24
# The height of a line and the width of a character, in font sizes.
_LINE, _CHARACTER = 1.25, 0.56
# Inches from a block to its label.
_ASIDE = 0.14


def block_texts(column: Blocks, inches: float) -> list[str]:
    """Return the labels of the blocks, with names shortened to the available width."""
    sizes = [format_amount(size) for size in column.sizes.tolist()]
    available = int((inches - _ASIDE) / _character()) - max(map(len, sizes)) - 3
    every = show_names(column.names, min(max(available, _SHORTEST), _LONGEST))
    names = [every[at] for at in column.shown]
    if column.rest >= 0:
        names.append(f"{len(every) - len(names)} smaller")
    return [f"{name} · {size}" for name, size in zip(names, sizes, strict=True)]


def inches_of(texts: list[str]) -> float:
    """Return the approximate width of labels in inches."""
    return max(map(len, texts)) * _character() + _ASIDE


def _character() -> float:
    return FontProperties(size=_SIZE).get_size_in_points() * _CHARACTER / 72


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
