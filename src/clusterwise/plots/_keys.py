"""What marks mean, written below a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from clusterwise.plots._palette import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend


def key_of(
    marker: str, label: str, *, size: float = 6.0, fill: str = "none", edge: str = INK
) -> Line2D:
    """A mark as a legend shows it."""
    return Line2D(
        [], [], linestyle="", marker=marker, markersize=size, label=label,
        markerfacecolor=fill, markeredgecolor=edge,
    )  # fmt: skip


def keys_below(
    panel: "Axes", keys: Sequence[Line2D], *, columns: int, title: str | None = None
) -> "Legend":
    """A legend below the panel and its labels."""
    return panel.legend(
        handles=list(keys), title=title, loc="upper center", bbox_to_anchor=(0.5, -0.14),
        ncols=columns, fontsize="x-small" if len(keys) > 8 else "small",
        title_fontsize="x-small", handletextpad=0.6, columnspacing=1.0,
    )  # fmt: skip
