"""The contingency table as a heat map, with matched clusters on the diagonal."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.transforms import ScaledTranslation

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_amount, format_share
from clusterwise.comparing.matches import MatchBy, match_clusters, name_noise
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures._label_options import label_options
from clusterwise.plots._annotations import (
    draw_colorbar,
    measure_axes,
    objects_of,
    show_name,
    show_names,
    wrap_text,
)
from clusterwise.plots._blocks import chain_tables, require_colours
from clusterwise.plots._palette import Colours, colour_clusters
from clusterwise.plots.base import Display, styled
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage
    from matplotlib.text import Text

    from clusterwise.comparing.comparison_result import Comparison

# The largest numbers of clusters at which cells show counts and percentages, or percentages.
_COUNTS, _SHARES = 10, 25
_NAMED = 60
_LEAST = 0.01
# Fixed colours, since cells keep their colours on dark pages too.
_ON_DARK, _ON_LIGHT = "#fafafa", "#101010"
_BRIGHT = 0.55
_MARKED = "#fafafa"


class ContingencyDisplay(Display):
    r"""The overlap of the clusters of two clusterings, with matched clusters on the diagonal.

    Parameters
    ----------
    table : Contingency or SoftOverlap
        The overlap. Rows and columns are drawn in the order of the matching: pairs with the
        largest overlap first, then unmatched clusters by size, and noise last.
    names : tuple of two str, default=("a", "b")
        The names of the clusterings.
    colours : list of Colours, optional
        The colours of the clusters of both; by default from the matching.
    match : {"auto", "name", "overlap"}, default="auto"
        How clusters are matched, as in :func:`~clusterwise.compare`.
    noise_label : default=-1
        The label of noise, which is drawn in grey and not matched.
    most : int, default=300
        The largest number of rows and columns.

    Attributes
    ----------
    image_ : AxesImage
        The proportions of the rows.
    texts_ : list of Text
        The counts and percentages in the cells.
    outlines_ : list of Rectangle
        The matched cells.

    Examples
    --------
    >>> from clusterwise.plots import ContingencyDisplay
    >>> display = ContingencyDisplay.from_clusterings(list("xxyyy"), list("ppppq")).plot()
    >>> [text.get_text() for text in display.texts_]
    ['2\n100%', '2\n67%', '1\n33%']
    """

    image_: "AxesImage"
    texts_: "list[Text]"
    outlines_: list[Rectangle]

    def __init__(
        self,
        table: Contingency | SoftOverlap,
        names: tuple[str, str] = ("a", "b"),
        *,
        colours: "Sequence[Colours] | None" = None,
        match: MatchBy = "auto",
        noise_label: Any = -1,
        most: int = 300,
    ) -> None:
        if not table.n:
            raise InputError("there are no objects to draw; pass at least one.")
        self.table = table
        self.names = names
        self.matching = match_clusters(table, match, noise_label=noise_label)
        chosen = colours or colour_clusters([table], match=match, noise_label=noise_label)
        self.colours = require_colours(chosen, table.shape)
        matching = self.matching
        order = np.argsort(-matching.overlaps, kind="stable")
        self.rows = _others_after(matching.rows[order], table.row_sums, matching.noise_rows)[:most]
        self.columns = _others_after(
            matching.columns[order], table.column_sums, matching.noise_columns
        )[:most]
        self.matched = min(len(order), len(self.rows), len(self.columns))

    @classmethod
    def from_clusterings(
        cls,
        a: Any,
        b: Any,
        *,
        names: tuple[str, str] = ("a", "b"),
        colours: "Sequence[Colours] | None" = None,
        most: int = 300,
        match: MatchBy = "auto",
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> Self:
        """Create the display from two clusterings of the same objects.

        Parameters
        ----------
        a, b : array-like of shape (n,), or memberships of shape (n, K)
            Labels of the same objects.
        names, colours, most, match
            As in :class:`ContingencyDisplay`.
        sample_weight, noise, noise_label, align, missing
            As in :func:`~clusterwise.compare`.
        """
        options = label_options(sample_weight, noise, noise_label, align, missing)
        (table,) = chain_tables([a, b], options, ("a", "b"))
        return cls(table, names, colours=colours, match=match, noise_label=noise_label, most=most)

    @classmethod
    def from_comparison(cls, comparison: "Comparison", **options: Any) -> Self:
        """Create the display from a comparison; ``options`` are those of the class."""
        options.setdefault("match", comparison.match)
        options.setdefault("noise_label", comparison.noise_label)
        return cls(comparison.table, comparison.names, **options)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        self
        """
        counts = self._counts()
        sizes = self.table.row_sums[self.rows]
        shares = counts / sizes[:, None]
        axes = self._axes(ax, _figure_size(*counts.shape))
        self.image_ = axes.imshow(
            shares, cmap="cividis", vmin=0, vmax=1, aspect="auto", interpolation="nearest"
        )
        self._outline(axes)
        self.texts_ = self._write(axes, counts, shares)
        self._name_axes(axes)
        bar = draw_colorbar(axes, self.image_, "proportion of the row", aspect=30)
        bar.ax.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        axes.set_title(wrap_text(axes, self._title()), loc="left")
        return self

    def _counts(self) -> Array:
        """Return the cells in the order in which they are drawn."""
        indices = []
        for order, size in zip((self.rows, self.columns), self.table.shape, strict=True):
            index = np.full(size, -1)
            index[order] = np.arange(order.size)
            indices.append(index)
        cells = self.table.cells.nonzero
        rows, columns = indices[0][cells.rows], indices[1][cells.columns]
        drawn = (rows >= 0) & (columns >= 0)
        counts = np.zeros((self.rows.size, self.columns.size))
        counts[rows[drawn], columns[drawn]] = cells.counts[drawn]
        return counts

    def _outline(self, axes: "Axes") -> None:
        self.outlines_ = []
        width = 1.6 if self.matched <= _SHARES else 0.8
        for at in range(self.matched if max(self.image_.get_size()) <= _NAMED else 0):
            cell = Rectangle((at - 0.5, at - 0.5), 1, 1, fill=False, ec=_MARKED, lw=width)
            self.outlines_.append(cell)
            axes.add_patch(cell)

    def _write(self, axes: "Axes", counts: Array, shares: Array) -> "list[Text]":
        most = max(counts.shape)
        if most > _SHARES:
            return []
        written = []
        for i, j in zip(*np.nonzero(counts), strict=True):
            text = f"{shares[i, j]:.0%}" if shares[i, j] >= _LEAST else f"<{_LEAST:.0%}"
            if most <= _COUNTS:
                text = f"{format_amount(counts[i, j])}\n{text}"
            colour = _ON_LIGHT if shares[i, j] > _BRIGHT else _ON_DARK
            size = "small" if most <= _COUNTS else "x-small"
            written.append(
                axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=size)
            )
        return written

    def _name_axes(self, axes: "Axes") -> None:
        """Write the names and sizes of the clusters, with a mark in their colours."""
        table = self.table
        noise = self.matching.noise_rows, self.matching.noise_columns
        for axis, order, names, sizes, colours, what in (
            (axes.yaxis, self.rows, table.row_names, table.row_sums, self.colours[0], 0),
            (axes.xaxis, self.columns, table.column_names, table.column_sums, self.colours[1], 1),
        ):
            step = -(-order.size // _NAMED)
            at = np.arange(0, order.size, step)
            shown = show_names(name_noise(name_list(names), noise[what]))
            texts = [f"{shown[k]} · {format_amount(sizes[k].item())}" for k in order[at]]
            axis.set_ticks(at, texts, fontsize="small" if order.size <= _SHARES else "x-small")
            axis.set_label_text(f"cluster of {show_name(self.names[what])} · size")
            _mark_ticks(axes, at, [colours.paints[k] for k in order[at]],
                        [colours.marks[k] for k in order[at]], horizontal=bool(what))  # fmt: skip
            axis.set_tick_params(length=0, pad=12)
        widest = max(len(label.get_text()) for label in axes.get_xticklabels())
        if widest * self.columns.size * 0.085 > measure_axes(axes)[0]:
            axes.tick_params(axis="x", labelrotation=90)
        axes.spines[:].set_visible(False)

    def _title(self) -> str:
        a, b = (show_name(name) for name in self.names)
        overlap = format_share(self.matching.overlap / self.table.n)
        what = "memberships" if isinstance(self.table, SoftOverlap) else objects_of(self.table)
        outlined = " (outlined)" if self.outlines_ else " (the diagonal)"
        title = f"{a} against {b}: {overlap} of {what} in matched clusters{outlined}"
        left_out = [
            f"{size - order.size} of {size} clusters of {name}"
            for size, order, name in zip(
                self.table.shape, (self.rows, self.columns), (a, b), strict=True
            )
            if size > order.size
        ]
        return f"{title}; left out: {' and '.join(left_out)}" if left_out else title


def _others_after(matched: Array, sizes: Array, noise: Array) -> Array:
    """Return the matched clusters in their order, then the others by size, and noise last."""
    others = np.setdiff1d(np.arange(sizes.size), matched)
    order = np.lexsort((-sizes[others], noise[others]))
    return np.concatenate([matched, others[order]])


def _figure_size(height: int, width: int) -> tuple[float, float]:
    most = max(height, width)
    cell = 0.62 if most <= _COUNTS else 0.36 if most <= _SHARES else max(0.18, 7 / most)
    return (
        min(12.0, max(6.0, 3.6 + cell * width * (1.3 if most <= _COUNTS else 1))),
        min(11.0, max(3.0, 2.0 + cell * height)),
    )


def _mark_ticks(
    axes: "Axes", at: Array, paints: list[str], marks: list[str], *, horizontal: bool
) -> None:
    """Draw a mark in the colour of each cluster between its name and the cells."""
    scale = axes.get_figure(root=True).dpi_scale_trans  # type: ignore[union-attr]
    if horizontal:
        where = axes.get_xaxis_transform() + ScaledTranslation(0, -7 / 72, scale)
    else:
        where = axes.get_yaxis_transform() + ScaledTranslation(-7 / 72, 0, scale)
    for mark in dict.fromkeys(marks):
        these = np.array([one == mark for one in marks])
        along, across = at[these], np.zeros(np.count_nonzero(these))
        x, y = (along, across) if horizontal else (across, along)
        colours = [paint for paint, one in zip(paints, these, strict=True) if one]
        axes.scatter(x, y, s=28, c=colours, marker=mark, lw=0, transform=where, clip_on=False)
