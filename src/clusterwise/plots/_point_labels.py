"""Labels on or beside points, placed with few overlaps."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.font_manager import FontProperties

from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import text_width
from clusterwise.plots._palette import FAINT, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

_POINTS_PER_INCH = 72
# The height of a line and the padding of a frame, in font sizes.
_LINE, _PADDING = 1.7, 0.8
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
# Further distances to try, in font sizes; beyond the last constant a line leads to the point.
_STEPS = (0.0, 0.6, 1.2, 2.0, 3.0, 4.5)
_FAR = 1.0
# The part of the axes that texts may cover if some are left out.
_COVERED = 0.1


def compute_layout(ax: "Axes") -> None:
    """Compute the layout of the figure without drawing, so that the size of the axes is known."""
    ax.get_figure(root=True).draw_without_rendering()  # type: ignore[union-attr]


def fit_equal(ax: "Axes", points: Array, extent: float) -> None:
    """Set equal scales on both axes, with limits of ``extent`` times the range of the points."""
    low, high = points.min(axis=0), points.max(axis=0)
    frame = ax.get_window_extent()
    shape = np.array([frame.width, frame.height])
    unit = float(((high - low) / shape).max()) or 1 / float(shape.min())
    half = extent * unit * shape / 2
    middle = (low + high) / 2
    # As if chosen automatically: layouts may widen them to keep the scale.
    ax.set_xlim(middle[0] - half[0], middle[0] + half[0], auto=True)
    ax.set_ylim(middle[1] - half[1], middle[1] + half[1], auto=True)
    ax.set_aspect("equal", adjustable="datalim")


def write_texts(
    ax: "Axes",
    points: Array,
    texts: Sequence[str],
    *,
    obstacles: Array | None = None,
    around: Any = 0.0,
    gap: Any = 5.0,
    centred: bool = False,
    edges: Sequence[str] | None = None,
    fontsize: Any = "small",
) -> "list[Annotation]":
    """Write texts near their points, the first ones in the best positions.

    ``obstacles`` are points that should not be covered, and ``around`` their radii; ``gap`` is the
    distance of a text from its point (both in points of 1/72 inch); ``centred`` tries the point
    itself first; ``edges`` are the colours of frames around the texts. The layout and the limits of
    the axes must be known. Sizes of texts are estimated, because nothing is drawn yet.
    """
    return [
        text
        for text in _write(
            ax, points, texts, obstacles=obstacles, around=around, gap=gap, centred=centred,
            edges=edges, fontsize=fontsize,
        )
        if text is not None
    ]  # fmt: skip


def write_fitting_texts(
    ax: "Axes", points: Array, texts: Sequence[str], *, edges: Sequence[str]
) -> "list[Annotation | None]":
    """Write those texts on their points that fit: that cover no other and stay inside the axes.

    The first ones are tried first, until they cover a part of the axes. The others are None.
    """
    return _write(ax, points, texts, centred=True, gap=0.0, edges=edges, fitting=True)


def _write(
    ax: "Axes",
    points: Array,
    texts: Sequence[str],
    *,
    obstacles: Array | None = None,
    around: Any = 0.0,
    gap: Any = 5.0,
    centred: bool = False,
    edges: Sequence[str] | None = None,
    fontsize: Any = "small",
    fitting: bool = False,
) -> "list[Annotation | None]":
    size = float(FontProperties(size=fontsize).get_size_in_points())
    scale = _POINTS_PER_INCH / ax.figure.dpi
    seen = ax.transData.transform(points) * scale
    others = np.empty((0, 2)) if obstacles is None else ax.transData.transform(obstacles) * scale
    frame = ax.get_window_extent()
    inner = np.array([frame.x0, frame.y0, frame.x1, frame.y1]) * scale
    radii = np.broadcast_to(np.asarray(around, np.float64), len(others))[:, None]
    gaps = np.broadcast_to(np.asarray(gap, np.float64), len(texts))
    boxes: list[Array] = []
    found: list[Annotation | None] = []
    colours = ["none"] * len(texts) if edges is None else edges
    for point, text, least, xy, edge in zip(seen, texts, gaps, points, colours, strict=True):
        half = np.array([text_width(text) + _PADDING, _LINE]) * size / 2
        tried = [np.zeros(2)] if centred else []
        steps = _STEPS[:2] if fitting else _STEPS
        tried += [
            np.array(direction) * (half + least + step * size) * (0.8 if all(direction) else 1)
            for step in steps
            for direction in _DIRECTIONS
        ]
        costs = [_cost(_box(point + offset, half), boxes, others, radii, inner) for offset in tried]
        if fitting and (min(costs) > 0 or sum(map(_area, boxes)) > _COVERED * _area(inner)):
            found.append(None)
            continue
        # Earlier offsets are nearer.
        offset = tried[int(np.argmin(np.array(costs) + 0.01 * np.arange(len(tried))))]
        boxes.append(_box(point + offset, half))
        away = float(np.hypot(*np.maximum(np.abs(offset) - half, 0.0)))
        leads = away > least + _FAR * size
        annotation = ax.annotate(
            text,
            (float(xy[0]), float(xy[1])),
            xytext=(float(offset[0]), float(offset[1])),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=fontsize,
            zorder=6,
            bbox={
                "boxstyle": "round,pad=0.18",
                "fc": PAPER,
                "ec": edge,
                "lw": 1.4,
                "alpha": 0.85,
            },
            arrowprops={"arrowstyle": "-", "color": FAINT, "lw": 0.8} if leads else None,
            annotation_clip=False,
        )
        annotation.set_in_layout(False)
        found.append(annotation)
    return found


def _cost(box: Array, boxes: Sequence[Array], others: Array, radii: Array, inner: Array) -> float:
    """Return the cost of a position: leaving the axes, covering texts, covering points."""
    area = _area(box)
    covered = sum(_area(_intersection(box, other)) for other in boxes) / area
    outside = 1 - _area(_intersection(box, inner)) / area
    inside = ((others + radii > box[:2]) & (others - radii < box[2:])).all(axis=1).sum()
    return float(6 * covered + 20 * outside + 0.5 * min(4, inside))


def _box(middle: Array, half: Array) -> Array:
    return np.concatenate([middle - half, middle + half])


def _intersection(a: Array, b: Array) -> Array:
    return np.concatenate([np.maximum(a[:2], b[:2]), np.minimum(a[2:], b[2:])])


def _area(box: Array) -> float:
    return float(np.prod(np.maximum(box[2:] - box[:2], 0.0)))
