"""Rows of coloured cells below a dendrogram: the clusters of its leaves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from clusterwise.inputs.clusterings import encode
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import used_categories
from clusterwise.plots._annotations import in_legend, place_legend, show_names, text_width
from clusterwise.plots._palette import INK, PAPER, Colours, find_colours, paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The height of the cells relative to the row.
_FILLED = 0.8
# The approximate width of a letter in cells, if there are 60 cells.
_CELLS_PER_LETTER = 1.3
# Leaves with a smaller proportion of a cluster are not named after it.
_PURE = 0.9
_KEYS, _KEYS_PER_COLUMN = 40, 18


class Strip(NamedTuple):
    """A clustering: the proportions of its clusters in the leaves, and their colours."""

    name: str
    proportions: Array
    colours: Colours


def read_strip(name: str, labels: Any, leaf_of: Array, leaves: int, colours: Colours) -> Strip:
    """Count the clusters of a clustering in each leaf."""
    read = used_categories(encode(labels, name))
    counts = np.zeros((leaves, len(read.values)))
    np.add.at(counts, (leaf_of, read.codes), 1.0)
    proportions = counts / counts.sum(axis=1, keepdims=True)
    return Strip(name, proportions, find_colours(labels, colours))


def draw_strips(
    ax: "Axes", strips: Sequence[Strip], inside: Array, colour: str
) -> dict[str, list[Any]]:
    """Draw the rows from the top, then the proportions ``inside`` the leaves if there are any."""
    drawn = {strip.name: _draw(ax, strip, -at - 1.0) for at, strip in enumerate(strips)}
    names = [strip.name for strip in strips]
    if not np.isnan(inside).all():
        names.append("dissimilar inside")
        floor = -len(names)
        bars = ax.bar(np.arange(inside.size), _FILLED * np.nan_to_num(inside), 0.7, floor,
                      color=colour)  # fmt: skip
        ax.plot([-0.5, inside.size - 0.5], [floor, floor], color=INK, linewidth=0.5)
        drawn[names[-1]] = [bars]
    positions = [-at - 1 + _FILLED / 2 for at in range(len(names))]
    ax.set_yticks(positions, names, fontsize="small")
    ax.set_ylim(-len(names) - 0.05, 0.0)
    ax.tick_params(left=False, bottom=False)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return drawn


def _draw(ax: "Axes", strip: Strip, floor: float) -> list[Any]:
    below = np.cumsum(strip.proportions, axis=1) - strip.proportions
    drawn = []
    for k, colour in enumerate(strip.colours.paints):
        here = np.flatnonzero(strip.proportions[:, k])
        drawn.append(
            ax.bar(
                here, _FILLED * strip.proportions[here, k], 1.0, floor + _FILLED * below[here, k],
                color=colour, edgecolor=PAPER, linewidth=0.3,
            )
        )  # fmt: skip
    main = strip.proportions.argmax(axis=1)
    names = show_names(strip.colours.names, 12)
    for run in np.split(np.arange(main.size), np.flatnonzero(np.diff(main)) + 1):
        name = names[main[run[0]]]
        if strip.proportions[run, main[run[0]]].min() < _PURE:
            continue
        if text_width(name) * _CELLS_PER_LETTER * main.size / 60 <= run.size:
            ax.text(
                run.mean(), floor + _FILLED / 2, name, ha="center", va="center",
                fontsize="x-small", path_effects=[withStroke(linewidth=2, foreground=PAPER)],
            )  # fmt: skip
    return drawn


def add_keys(ax: "Axes", strips: Sequence[Strip]) -> Any:
    """Draw a legend of the tree, and of the colours of the clusters in every row."""
    handles, _ = ax.get_legend_handles_labels()
    known: list[dict[int, str]] = []
    for strip in strips:
        names = show_names(strip.colours.names, 14)
        known.append(dict(zip(strip.colours.numbers.tolist(), names, strict=True)))
    numbers = sorted({number for names in known for number in names})
    if strips:
        label = in_legend(" | ".join(strip.name for strip in strips) + ":")
        handles.append(Line2D([], [], linestyle="", label=label))
    for number in numbers[:_KEYS]:
        label = in_legend(" | ".join(names.get(number, "–") for names in known))
        handles.append(Patch(color=paint(number), label=label))
    if len(numbers) > _KEYS:
        label = f"… and {len(numbers) - _KEYS} more"
        handles.append(Line2D([], [], linestyle="", label=label))
    return place_legend(ax, handles=handles, ncols=1 + len(handles) // _KEYS_PER_COLUMN)
