"""Lines along which the harmonic mean of two values is the same."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from clusterwise.inputs.encoding import Array
from clusterwise.plots._palette import FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Lines, about.
_LEVELS = 5
# Labels nearer than these shares of the axes would cover each other.
_APART = (0.12, 0.045)


def harmonic_mean(quality: float, dissimilarity: float) -> float:
    """DQ; 0 if both are."""
    if not np.isfinite(quality):
        return 2 * dissimilarity
    return 2 * quality * dissimilarity / (quality + dissimilarity or 1.0)


def draw_levels(ax: "Axes") -> list[Any]:
    """Lines of equal DQ: quality = DQ · d / (2d - DQ)."""
    (left, right), (low, high) = np.maximum([ax.get_xlim(), ax.get_ylim()], 0.0)
    lines: list[Any] = []
    ends: list[Array] = []
    top = harmonic_mean(high, right)
    for level in MaxNLocator(_LEVELS).tick_values(harmonic_mean(low, left), top):
        # Where quality reaches the top, and where it reaches the bottom or the right edge.
        start = max(left, _side(level, high))
        stop = min(right, _side(level, low))
        if level <= 0 or not start < stop:
            continue
        x = np.linspace(start, stop, 100)
        y = level * x / (2 * x - level)
        lines += ax.plot(x, y, color=FAINT, linewidth=0.8, zorder=1)
        end = np.array([(x[-1] - left) / (right - left), (y[-1] - low) / (high - low)])
        if any((np.abs(end - other) < _APART).all() for other in ends):
            continue
        ends.append(end)
        ax.annotate(
            f"DQ {level:g}", (x[-1], y[-1]), xytext=(-3, 3), textcoords="offset points",
            ha="right", va="bottom", fontsize="x-small", alpha=0.65,
        )  # fmt: skip
    return lines


def _side(level: float, other: float) -> float:
    """Where a line of equal DQ reaches a value of one of the two."""
    return level * other / (2 * other - level) if 2 * other > level else np.inf
