"""How close several clusterings are to a reference."""

from typing import Any, Self

import numpy as np

from clusterwise.comparing.compare_to import compare_to
from clusterwise.comparing.reference_result import ReferenceComparison
from clusterwise.plots._annotations import show_name, show_names, write_title
from clusterwise.plots._palette import INK, paint
from clusterwise.plots.base import Display, styled


class ReferenceDisplay(Display):
    """Values of clusterings with their intervals, by rank; those of one rank have one colour.

    Parameters
    ----------
    result : ReferenceComparison
        The result of :func:`~clusterwise.compare_to`.

    Attributes
    ----------
    points_ : list of Line2D
        A point for each clustering.
    intervals_ : list of Line2D
        Their intervals, of those that have one.

    Examples
    --------
    >>> from clusterwise import compare_to
    >>> result = compare_to([0, 0, 1, 1] * 5, {"a": [0, 0, 1, 1] * 5, "b": [0, 1, 0, 1] * 5})
    >>> result.plot().ax_.get_title(loc="left")
    'a is closest to the reference'
    """

    def __init__(self, result: ReferenceComparison) -> None:
        self.result = result

    @classmethod
    def from_clusterings(cls, reference: Any, clusterings: Any, **options: Any) -> Self:
        """Create the display from the arguments of :func:`clusterwise.compare_to`."""
        return cls(compare_to(reference, clusterings, **options))

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        result = self.result
        order = result.order
        ax = self._axes(ax, (7.0, 1.2 + 0.35 * len(order)))
        ranks = sorted(set(result.ranks))
        self.points_, self.intervals_ = [], []
        for place, i in enumerate(order):
            colour = paint(ranks.index(result.ranks[i]))
            low, high = result.intervals[i]
            if np.isfinite(low):
                self.intervals_ += ax.plot([low, high], [place, place], color=colour, lw=2.2)
            self.points_ += ax.plot(
                [result.values[i]], [place], "o", color=colour, markeredgecolor=INK, ms=6
            )
        names = show_names([result.names[i] for i in order])
        labels = [f"{result.ranks[i]}. {name}" for i, name in zip(order, names, strict=True)]
        ax.set_yticks(range(len(order)), labels)
        ax.set_ylim(len(order) - 0.4, -0.6)
        ax.set_xlabel(f"{result.measure}, with 95% intervals")
        write_title(ax, self._title())
        return self

    def _title(self) -> str:
        result = self.result
        first = [i for i in result.order if result.ranks[i] == 1]
        reference = show_name(result.reference)
        if len(first) > 1:
            return f"{len(first)} clusterings are tied as closest to {reference}"
        return f"{show_name(result.names[first[0]])} is closest to {reference}"
