"""The similarity matrix of several clusterings as a heat map."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import find_measure
from clusterwise.plots._annotations import draw_colorbar, show_name, show_names
from clusterwise.plots._scaling import as_distances
from clusterwise.plots.base import Display, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from clusterwise.comparing.compare_all import ComparisonMatrix

# The largest number of clusterings at which cells show their values, and all are named.
_WRITTEN, _NAMED = 16, 60
# Optimal leaf ordering takes more than cubic time.
_ORDERED = 400
_CELL, _LEAST, _MOST = 0.42, 2.6, 10.0
# Fixed colours on cells, since they do not follow the page.
_DARK, _LIGHT = "#000000", "#fafafa"


class SimilarityDisplay(Display):
    """A heat map of a measure for every pair of clusterings, similar ones beside each other.

    The order is that of average linkage with optimal leaf ordering. Brighter cells are more
    similar, also if the measure is a distance.

    Parameters
    ----------
    values : array-like of shape (m, m)
        The measure of each pair.
    names : sequence of str
        The clusterings.
    measure : str
        The name of the measure.

    Attributes
    ----------
    order : ndarray of shape (m,)
        The clusterings in the order in which they are drawn.
    image_ : AxesImage
        The heat map.
    texts_ : list of Text
        The values in the cells, row by row.
    colorbar_ : Colorbar
        The colour bar.

    Examples
    --------
    >>> from clusterwise import compare_all
    >>> from clusterwise.plots import SimilarityDisplay
    >>> runs = {"one": [0, 0, 1, 1], "two": [0, 1, 0, 1], "three": [1, 1, 0, 0]}
    >>> display = SimilarityDisplay.from_matrix(compare_all(runs)).plot()
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['one', 'three', 'two']
    """

    def __init__(self, values: Any, names: Sequence[Any], measure: str) -> None:
        self.values = np.asarray(values, np.float64)
        self.names = list(names)
        self.measure = measure
        m = len(self.names)
        if self.values.shape != (m, m) or m < 2:
            raise InputError(
                f"values have shape {self.values.shape} for {m} clusterings; pass a square matrix "
                "of two or more."
            )
        if not np.isfinite(self.values).all():
            raise InputError("values are not all finite; leave out clusterings without a value.")
        self.order = order_by_similarity(as_distances(self.values, measure))

    @classmethod
    def from_matrix(cls, matrix: "ComparisonMatrix") -> Self:
        """Create the display from the result of :func:`~clusterwise.compare_all`."""
        return cls(matrix.values, matrix.names, matrix.measure)

    @classmethod
    def from_clusterings(
        cls,
        clusterings: Any,
        X: Any = None,
        *,
        measure: str = "adjusted_rand_score",
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> Self:
        """Create the display from clusterings, as :func:`~clusterwise.compare_all` takes them."""
        from clusterwise.comparing.compare_all import compare_all

        matrix = compare_all(
            clusterings, X, measure=measure, sample_weight=sample_weight, noise=noise,
            noise_label=noise_label, align=align, missing=missing,
        )  # fmt: skip
        return cls.from_matrix(matrix)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw the heat map.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        self
        """
        m = len(self.names)
        side = float(np.clip(_CELL * m, _LEAST, _MOST))
        panel = self._axes(ax, (side + 3.0, side + 1.9))
        values = self.values[np.ix_(self.order, self.order)]
        near = find_measure(self.measure).direction == "similarity"
        self.image_ = panel.imshow(values, cmap="cividis" if near else "cividis_r", aspect="equal")
        if values.min() == values.max():
            self.image_.set_clim(values.min() - 0.5, values.max() + 0.5)
        meaning = "higher" if near else "lower"
        label = f"{self.measure} ({meaning} is more similar)"
        self.colorbar_ = draw_colorbar(panel, self.image_, label, shrink=0.8)
        self.texts_ = self._write(panel, values) if m <= _WRITTEN else []
        self._name(panel)
        panel.set_title(self._title())
        return self

    def _write(self, panel: "Axes", values: Array) -> "list[Text]":
        texts = []
        shades = np.asarray(self.image_.to_rgba(values))[..., :3] @ (0.2126, 0.7152, 0.0722)
        for (i, j), value in np.ndenumerate(values):
            ink = _DARK if shades[i, j] > 0.45 else _LIGHT
            texts.append(
                panel.text(
                    j, i, _short(value), ha="center", va="center", fontsize="x-small", color=ink
                )
            )
        return texts

    def _name(self, panel: "Axes") -> None:
        m = len(self.names)
        step = -(-m // _NAMED)
        names = [show_names(self.names, width=18)[i] for i in self.order]
        panel.set_yticks(range(0, m, step), names[::step])
        panel.set_xticks(range(0, m, step), names[::step])
        panel.tick_params(length=0, labelsize="small" if m <= 30 else "x-small")
        panel.tick_params(axis="x", labelrotation=90 if max(map(len, names)) > 3 else 0)
        panel.spines[:].set_visible(False)
        if step > 1:
            panel.set_ylabel(f"clusterings, every {_ordinal(step)} named")

    def _title(self) -> str:
        near = find_measure(self.measure).direction == "similarity"
        pairs = list(combinations(range(len(self.names)), 2))
        both = (self.values + self.values.T) / 2
        sign = -1 if near else 1
        pairs.sort(key=lambda pair: sign * both[pair])
        shown = [
            f"{show_name(self.names[i], 16)} and {show_name(self.names[j], 16)} "
            f"({_short(both[i, j])})"
            for i, j in (pairs[0], pairs[-1])
        ]
        if len(pairs) == 1:
            return f"{self.measure} of {shown[0]}"
        return (
            f"Most similar of {len(self.names)} clusterings: {shown[0]}\nleast similar: {shown[1]}"
        )


def order_by_similarity(distances: Array) -> Array:
    """Return an order with similar clusterings beside each other, the first one near the top."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    condensed = squareform(distances, checks=False)
    best = len(distances) <= _ORDERED
    order: Array = leaves_list(linkage(condensed, "average", optimal_ordering=best))
    return order if 2 * int(np.argmin(order)) < len(order) else order[::-1]


def _short(value: float) -> str:
    """Format a value with two decimals, or with three digits if it is large."""
    text = f"{value:.2f}" if abs(value) < 100 else f"{value:.3g}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def _ordinal(step: int) -> str:
    return {2: "second", 3: "third"}.get(step, f"{step}th")
