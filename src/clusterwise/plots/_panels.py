"""What small multiples of profiles are made of: ends of bins, marks, and room for a title."""

from typing import TYPE_CHECKING, NamedTuple

from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.encoding import Array
from clusterwise.plots._names import show_name
from clusterwise.plots._palette import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = 3
_SPELT = 7


class Mark(NamedTuple):
    """A bin that is marked: its row and column of panels, its place, and the difference in it."""

    row: int
    column: int
    bin: int
    difference: float


def frame_panels(panels: Array) -> "Axes":
    """Axes around all panels, for the title and the notes."""
    first, last = panels[0, 0].get_subplotspec(), panels[-1, -1].get_subplotspec()
    if first is None or last is None or first.get_gridspec() is not last.get_gridspec():
        return panels[0, 0]
    rows = slice(first.rowspan.start, last.rowspan.stop)
    columns = slice(first.colspan.start, last.colspan.stop)
    around = panels[0, 0].figure.add_subplot(first.get_gridspec()[rows, columns], frameon=False)
    around.set(xticks=[], yticks=[], zorder=-1)
    return around


def bin_ticks(feature: FeatureBins, bins: Array) -> tuple[list[float], list[str]]:
    """Where the ends of numeric bins are, or some of the values; and the missing ones."""
    regular = feature.regular
    extra = [(float(at) + 0.5, "?") for at in range(regular, bins.size)]
    if feature.edges is not None:
        low, high = f"{feature.edges[0]:.3g}", f"{feature.edges[-1]:.3g}"
        found = [(0.5, low)] if low == high else [(0.0, low), (float(regular), high)]
    else:
        step = -(-regular // _TICKS)
        texts = feature.bin_names()
        found = [(at + 0.5, show_name(texts[at], _SPELT)) for at in range(0, regular, step)]
    found += extra
    return [place for place, _ in found], [text for _, text in found]


def write_difference(panel: "Axes", mark: Mark) -> None:
    """The difference above a bin, if no larger one is written there."""
    _, width = panel.get_xlim()
    place = min(max(mark.bin + 0.5, width * 0.14), width * 0.86)
    if all(abs(text.get_position()[0] - place) > width * 0.25 for text in panel.texts):
        panel.text(
            place, 0.98, f"{100 * mark.difference:+.0f}", transform=panel.get_xaxis_transform(),
            ha="center", va="top", fontsize="x-small", color=INK,
        )  # fmt: skip
