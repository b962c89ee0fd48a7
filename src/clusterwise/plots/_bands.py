"""Bands between the blocks of two columns."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from clusterwise.inputs.encoding import Array
from clusterwise.plots._palette import NOISE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STUB = 0.1


def draw_bands(
    axes: "Axes",
    sides: tuple[float, float],
    centres: tuple[Array, Array],
    flow: Array,
    thin: Array,
    paints: list[str],
) -> list[PathPatch]:
    """Draw a band for every cell of ``flow``, from its row on the left to its column.

    ``thin`` cells are not drawn one by one: those of a block end in one grey stub.
    """
    left, right = sides
    thick = np.where(thin, 0, flow)
    # Bands leave and reach a block in the order of the blocks at their other end.
    leaving = (centres[0] - flow.sum(axis=1) / 2)[:, None] + np.cumsum(thick, axis=1)
    reaching = centres[1] - flow.sum(axis=0) / 2 + np.cumsum(thick, axis=0)
    drawn = []
    for i, j in zip(*np.nonzero(thick), strict=True):
        path = _band(left, right, leaving[i, j], reaching[i, j], thick[i, j])
        drawn.append(PathPatch(path, facecolor=paints[i], alpha=0.5, lw=0))
        axes.add_patch(drawn[-1])
    rest = np.where(thin, flow, 0)
    _draw_stubs(axes, left, leaving[:, -1], rest.sum(axis=1))
    _draw_stubs(axes, right - _STUB, reaching[-1], rest.sum(axis=0))
    return drawn


def _draw_stubs(axes: "Axes", x: float, tops: Array, heights: Array) -> None:
    for y, height in zip(tops.tolist(), heights.tolist(), strict=True):
        if height:
            axes.add_patch(Rectangle((x, y), _STUB, height, color=NOISE, alpha=0.35, lw=0))


def _band(left: float, right: float, end: float, other_end: float, height: float) -> Path:
    """Return the outline of a band between two columns."""
    middle = (left + right) / 2
    down, up = end - height, other_end - height
    corners = [
        (left, down), (middle, down), (middle, up), (right, up),
        (right, other_end), (middle, other_end), (middle, end), (left, end), (left, down),
    ]  # fmt: skip
    curve = [Path.CURVE4] * 3
    return Path(corners, [Path.MOVETO, *curve, Path.LINETO, *curve, Path.CLOSEPOLY])
