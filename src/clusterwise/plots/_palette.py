"""Colours of clusters: safe for colour-blind readers, and the same for matched clusters."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.clusterings import Singleton
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

# Text and lines; the quiet lines behind them; paper. Reports give them the page's own colours.
INK = "#1a1a1a"
FAINT = "#c9c9c9"
PAPER = "#ffffff"
NOISE = "#646464"
_NO_COLOUR = -1
# Told apart by people who see no red, no green or no blue; the first ones best.
_BASE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#d55e00",
    "#56b4e9",
    "#7a1fe0",
    "#661a4d",
    "#334d1a",
    "#b3b366",
)
_MARKERS = "o^sDvP*X<>"
# How much white (or, if negative, black) later rounds through the base are mixed with.
_TINTS = (0.0, 0.5, -0.4)


def paint(index: int) -> str:
    """The colour of a number; after ten they come again, lighter and then darker; -1 is grey."""
    if index == _NO_COLOUR:
        return NOISE
    round_, place = divmod(index, len(_BASE))
    tint = _TINTS[round_ % len(_TINTS)]
    parts = [int(_BASE[place][at : at + 2], 16) for at in (1, 3, 5)]
    other = 255 if tint > 0 else 0
    mixed = [round(part + (other - part) * abs(tint)) for part in parts]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def mark(index: int) -> str:
    """The marker of a number, another one for each round of colours."""
    return "." if index == _NO_COLOUR else _MARKERS[(index // len(_BASE)) % len(_MARKERS)]


class Colours(NamedTuple):
    """The colours of the clusters of one clustering, in the order of its names."""

    names: list[Any]
    numbers: Array

    @property
    def paints(self) -> list[str]:
        """As #rrggbb."""
        return [paint(number) for number in self.numbers.tolist()]

    @property
    def marks(self) -> list[str]:
        """As markers of matplotlib."""
        return [mark(number) for number in self.numbers.tolist()]


def colour_clusters(
    tables: Sequence[Contingency | SoftOverlap], *, noise_label: Any = -1
) -> list[Colours]:
    """Colours for a chain of clusterings, of which each table counts two neighbours.

    The clusters of the first one take colours in the order of their names. A cluster of a later
    one takes the colour of the cluster before it that it is matched with, or a new one. Noise is
    grey, and matched with nothing.
    """
    first = tables[0]
    found = [colour_names(first.row_names, noise_label=noise_label)]
    for table in tables:
        found.append(_follow(found[-1], table, noise_label))
    return found


def colour_names(names: Any, *, noise_label: Any = -1) -> Colours:
    """Colours of a clustering by itself, in the order of its clusters' names."""
    listed = name_list(names) if isinstance(names, np.ndarray) else list(names)
    real = ~_noise(listed, noise_label)
    return Colours(listed, np.where(real, np.cumsum(real) - 1, _NO_COLOUR))


def _follow(before: Colours, table: Contingency | SoftOverlap, noise_label: Any) -> Colours:
    names = name_list(table.column_names)
    noise = _noise(names, noise_label)
    known = dict(zip(before.names, before.numbers.tolist(), strict=True))
    numbers = np.full(len(names), _NO_COLOUR, np.int64)
    rows, columns, _ = table.matching
    for row, column in zip(name_list(table.row_names[rows]), columns.tolist(), strict=True):
        if not noise[column]:
            # Noise objects that count as clusters are other ones in each table.
            numbers[column] = known.get(row, _NO_COLOUR)
    fresh = int(max(before.numbers.max(initial=-1), numbers.max(initial=-1))) + 1
    for column in np.flatnonzero((numbers == _NO_COLOUR) & ~noise):
        numbers[column] = fresh
        fresh += 1
    return Colours(names, numbers)


def _noise(names: Sequence[Any], noise_label: Any) -> Array:
    return np.array([isinstance(name, Singleton) or name == noise_label for name in names], bool)
