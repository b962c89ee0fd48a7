"""Colours of clusters: colour-blind safe, and the same for matched clusters."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.comparing.matches import ClusterMatching, MatchBy, match_clusters
from clusterwise.inputs.clusterings import encode, find_noise
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.features import used_categories
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

# Text and lines, faint lines, and background; reports replace them by the colours of the page.
INK = "#1a1a1a"
FAINT = "#c9c9c9"
PAPER = "#ffffff"
NOISE = "#646464"
_NO_COLOUR = -1
# Distinct for colour-blind readers; the first ones most.
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
# The proportion of white (or, if negative, black) in later rounds through the base colours.
_TINTS = (0.0, 0.5, -0.4)


def paint(index: int) -> str:
    """Return the colour of a number: ten colours, then lighter and darker ones; -1 is grey."""
    if index == _NO_COLOUR:
        return NOISE
    round_, base = divmod(index, len(_BASE))
    tint = _TINTS[round_ % len(_TINTS)]
    parts = [int(_BASE[base][at : at + 2], 16) for at in (1, 3, 5)]
    other = 255 if tint > 0 else 0
    mixed = [round(part + (other - part) * abs(tint)) for part in parts]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def mark(index: int) -> str:
    """Return the marker of a number, a different one for each round of colours."""
    return "." if index == _NO_COLOUR else _MARKERS[(index // len(_BASE)) % len(_MARKERS)]


class Colours(NamedTuple):
    """The colours of the clusters of one clustering, in the order of its names."""

    names: list[Any]
    numbers: Array

    @property
    def paints(self) -> list[str]:
        """The colours as #rrggbb."""
        return [paint(number) for number in self.numbers.tolist()]

    @property
    def marks(self) -> list[str]:
        """The markers of matplotlib."""
        return [mark(number) for number in self.numbers.tolist()]


def colour_clusters(
    tables: Sequence[Contingency | SoftOverlap],
    *,
    match: MatchBy = "auto",
    noise_label: Any = -1,
) -> list[Colours]:
    """Return colours for a chain of clusterings, given the tables of neighbours.

    The clusters of the first clustering take colours in the order of their names. A cluster of a
    later one takes the colour of its match in the clustering before it, or a new one. Noise is
    grey and not matched.
    """
    first = tables[0]
    found = [colour_names(first.row_names, noise_label=noise_label)]
    for table in tables:
        matching = match_clusters(table, match, noise_label=noise_label)
        found.append(_follow(found[-1], table, matching))
    return found


def check_colours(colours: Sequence[Colours], n: int) -> list[Colours]:
    """Return colours as a list; raise an error if they are not those of ``n`` clusterings."""
    if len(colours) != n:
        raise InputError(
            f"there are {n} clusterings, but colours for {len(colours)}; pass one Colours for each."
        )
    return list(colours)


def colour_names(names: Any, *, noise_label: Any = -1) -> Colours:
    """Return colours of a single clustering, in the order of the names of its clusters."""
    listed = name_list(names) if isinstance(names, np.ndarray) else list(names)
    real = ~find_noise(listed, noise_label)
    return Colours(listed, np.where(real, np.cumsum(real) - 1, _NO_COLOUR))


def _follow(
    before: Colours, table: Contingency | SoftOverlap, matching: ClusterMatching
) -> Colours:
    names = name_list(table.column_names)
    known = dict(zip(before.names, before.numbers.tolist(), strict=True))
    numbers = np.full(len(names), _NO_COLOUR, np.int64)
    matched = name_list(table.row_names[matching.rows]), matching.columns.tolist()
    for row, column in zip(*matched, strict=True):
        numbers[column] = known[row]
    fresh = int(max(before.numbers.max(initial=-1), numbers.max(initial=-1))) + 1
    for column in np.flatnonzero((numbers == _NO_COLOUR) & ~matching.noise_columns):
        numbers[column] = fresh
        fresh += 1
    return Colours(names, numbers)


def find_colours(labels: Any, colours: Colours | None) -> Colours:
    """Return the colours of the clusters that occur in ``labels``."""
    names = used_categories(encode(labels, "labels")).values
    if colours is None:
        return colour_names(names)
    known = dict(zip(colours.names, range(len(colours.names)), strict=True))
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"there is no colour for cluster {missing[0]!r}; pass one for each.")
    return Colours(names, colours.numbers[[known[name] for name in names]])
