"""The base class of all displays: axes and style."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Self, TypeVar

import matplotlib as mpl
import numpy as np
from matplotlib.gridspec import GridSpecFromSubplotSpec

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.plots._palette import FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# The common style of all displays; font sizes follow the settings of the user.
STYLE: dict[Any, Any] = {
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "legend.frameon": False,
    "text.color": INK,
    "xtick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.color": FAINT,
    "ytick.labelcolor": INK,
}
D = TypeVar("D", bound="Display")


class Display(ABC):
    """Base class of plots: the data are computed on construction, :meth:`plot` draws them.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes, or the first one if there are several.
    axes_ : ndarray of Axes
        All axes.
    figure_ : matplotlib Figure
        The figure.
    """

    ax_: "Axes"
    axes_: Array
    figure_: "Figure | SubFigure"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        check_arguments(cls)

    @abstractmethod
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""

    def _axes(self, ax: Any, size: tuple[float, float]) -> "Axes":
        """Return the given axes, or those of a new figure of ``size`` inches."""
        return self._grid(ax, 1, 1, size)[0, 0]

    def _grid(
        self, ax: Any, rows: int, columns: int, size: tuple[float, float], **options: Any
    ) -> Array:
        """Return a grid of axes: the given ones, one axes divided, or those of a new figure.

        ``options`` are passed to ``Figure.subplots``.
        """
        if ax is None:
            from matplotlib import pyplot as plt

            figure = plt.figure(figsize=size)
            axes = figure.subplots(rows, columns, squeeze=False, **options)
        else:
            axes = _divided(ax, rows, columns, **options)
        self.axes_ = axes
        self.ax_ = axes.flat[0]
        self.figure_ = self.ax_.figure
        return axes


def _divided(ax: Any, rows: int, columns: int, **options: Any) -> Array:
    axes = np.asarray(ax, dtype=object)
    if axes.size == rows * columns:
        return axes.reshape(rows, columns)
    if axes.size != 1:
        raise InputError(
            f"ax has {axes.size} axes, but the plot needs {rows * columns}; pass as many, or "
            "one to divide."
        )
    whole = axes.item()
    whole.set_axis_off()
    spec = whole.get_subplotspec()
    if spec is None:
        raise InputError("ax is not part of a grid, so it cannot be divided; use plt.subplots().")
    ratios = {key: options.pop(key) for key in ("width_ratios", "height_ratios") if key in options}
    inner = GridSpecFromSubplotSpec(rows, columns, subplot_spec=spec, **ratios)
    return inner.subplots(squeeze=False, **options)


def styled(draw: Callable[..., D]) -> Callable[..., D]:
    """Draw in the common style, and restore the settings of the user afterwards."""

    @wraps(draw)
    def drawn(*args: Any, **options: Any) -> D:
        with mpl.rc_context(STYLE):
            return draw(*args, **options)

    return drawn
