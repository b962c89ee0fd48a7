"""Room for texts and legends."""

from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A wide letter, as a share of the text's size.
_LETTER = 0.6


def text_width(name: str) -> float:
    """About how wide a text is, in sizes of its letters."""
    return sum(_LETTER * (2 if east_asian_width(letter) in "WF" else 1) for letter in name)


def place_legend(ax: "Axes", **options: Any) -> Any:
    """A legend beside the axes, or inside if nothing would make room for it."""
    if ax.figure.get_figure(root=True).get_layout_engine() is None:
        return ax.legend(loc="best", fontsize="small", **options)
    return ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", **options)
