"""The flow of objects between the clusters of neighbouring clusterings."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.patches import PathPatch, Rectangle

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count, format_share
from clusterwise.comparing.matches import MatchBy, match_clusters
from clusterwise.comparing.verdict import count_clusters
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures._label_options import label_options
from clusterwise.plots._annotations import (
    measure_axes,
    objects_of,
    say_matched,
    show_name,
    show_names,
    wrap_text,
    write_title,
)
from clusterwise.plots._bands import draw_bands
from clusterwise.plots._block_labels import (
    block_texts,
    inches_of,
    label_blocks,
    share_width,
)
from clusterwise.plots._blocks import chain_tables, check_chain, make_blocks, require_colours
from clusterwise.plots._ordering import order_columns, place_columns
from clusterwise.plots._palette import INK, Colours, colour_clusters
from clusterwise.plots.base import Display, styled
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clusterwise.comparing.compare_all import ComparisonMatrix
    from clusterwise.comparing.comparison_result import Comparison

_WIDTH = 0.06
# If there are more bands than this, those below this proportion of the objects are stubs.
_BANDS, _THIN = 150, 0.002
# The largest number of clusterings that a title names.
_NAMED = 4
# Inches between neighbouring columns: of few clusterings, the least of many, and of all together
# from which on they move closer. Inches for the labels on each side, and the most.
_SPACING, _LEAST_SPACING, _FEW_SPACINGS = 2.4, 1.5, 7.2
_SIDE, _WIDEST_SIDE = 2.5, 5.0
# The width of a character of a heading, in inches.
_HEADING = 0.085


class FlowDisplay(Display):
    """The flow of objects between two or more clusterings (alluvial diagram).

    Every clustering is a column of blocks, one per cluster, with heights proportional to their
    sizes. They are ordered so that bands cross little, and matched clusters are at the same
    height in the same colour.

    Parameters
    ----------
    tables : sequence of Contingency or SoftOverlap
        The tables of neighbouring clusterings: the columns of one are the rows of the next.
    names : sequence of str, optional
        The names of the clusterings, one more than there are tables.
    colours : list of Colours, optional
        The colours of the clusters of each clustering; by default from the matching of neighbours.
    match : {"auto", "name", "overlap"}, default="auto"
        How clusters are matched, as in :func:`~clusterwise.compare`.
    noise_label : default=-1
        The label of noise, which is drawn in grey and not matched.
    most : int, default=30
        The largest number of blocks per clustering; the smallest clusters share one.

    Attributes
    ----------
    blocks_ : list of list of Rectangle
        The blocks of every clustering, from top to bottom.
    bands_ : list of list of PathPatch
        The bands between neighbours.
    labels_ : list of list of Text
        Names and sizes, in the order of the blocks that are labelled.

    Examples
    --------
    >>> from clusterwise.plots import FlowDisplay
    >>> runs = {"one": [0, 0, 1, 1, 1], "two": [1, 1, 0, 0, 1], "three": [0, 0, 1, 1, 0]}
    >>> display = FlowDisplay.from_clusterings(runs).plot()
    >>> display.ax_.get_title(loc="left").splitlines()[0]
    'one → two → three: 80% to 100% of 5 objects stay in matched clusters'
    """

    blocks_: list[list[Rectangle]]
    bands_: list[list[PathPatch]]
    labels_: list[list[Any]]

    def __init__(
        self,
        tables: Sequence[Contingency | SoftOverlap],
        names: Sequence[str] | None = None,
        *,
        colours: Sequence[Colours] | None = None,
        match: MatchBy = "auto",
        noise_label: Any = -1,
        most: int = 30,
    ) -> None:
        self.tables = check_chain(tables)
        self.names = _named(names, len(self.tables) + 1)
        self.matchings = [
            match_clusters(table, match, noise_label=noise_label) for table in self.tables
        ]
        chosen = colours or colour_clusters(self.tables, match=match, noise_label=noise_label)
        counts = [self.tables[0].shape[0], *(table.shape[1] for table in self.tables)]
        self.colours = require_colours(chosen, counts)
        if most < 2:
            raise InputError(f"most={most} leaves no block to compare; use 2 or more.")
        self.columns, self.flows = make_blocks(self.tables, self.colours, most, noise_label)
        self.orders = order_columns(self.flows, [column.rest for column in self.columns])

    @classmethod
    def from_clusterings(
        cls,
        clusterings: Mapping[str, Any] | Sequence[Any],
        *,
        names: Sequence[str] | None = None,
        colours: Sequence[Colours] | None = None,
        most: int = 30,
        match: MatchBy = "auto",
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> Self:
        """Create the display from several clusterings of the same objects, in their order.

        Parameters
        ----------
        clusterings : mapping of str to array-like, or sequence of array-like
            Labels of the same objects, or membership matrices.
        names : sequence of str, optional
            Their names, if they are not a mapping.
        colours, most, match
            As in :class:`FlowDisplay`.
        sample_weight, noise, noise_label, align, missing
            As in :func:`~clusterwise.compare`. Objects that are left out of one clustering are left
            out of all.
        """
        if isinstance(clusterings, Mapping):
            names = [str(name) for name in clusterings] if names is None else names
            clusterings = list(clusterings.values())
        options = label_options(sample_weight, noise, noise_label, align, missing)
        tables = chain_tables(clusterings, options)
        return cls(tables, names, colours=colours, match=match, noise_label=noise_label, most=most)

    @classmethod
    def from_comparison(cls, comparison: "Comparison", **options: Any) -> Self:
        """Create the display from a comparison; ``options`` are those of the class."""
        options.setdefault("match", comparison.match)
        options.setdefault("noise_label", comparison.noise_label)
        return cls([comparison.table], comparison.names, **options)

    @classmethod
    def from_matrix(
        cls,
        matrix: "ComparisonMatrix",
        *,
        clusterings: Sequence[str] | None = None,
        **options: Any,
    ) -> Self:
        """Create the display from the result of :func:`~clusterwise.compare_all`.

        Parameters
        ----------
        matrix : ComparisonMatrix
            A comparison of several clusterings.
        clusterings : sequence of str, optional
            The names of the clusterings to draw, in this order; by default all, as given.
        **options
            Options of the class.
        """
        names = matrix.names if clusterings is None else list(clusterings)
        unknown = [name for name in names if name not in matrix.clusterings]
        if unknown:
            raise InputError(f"there is no clustering {unknown[0]!r}; use {matrix.names}.")
        label_options = matrix.label_options
        options.setdefault("match", matrix.match)
        options.setdefault("noise_label", label_options.get("noise_label", -1))
        chosen = [matrix.clusterings[name] for name in names]
        return cls(chain_tables(chosen, label_options, names), names, **options)

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
        most = max(len(column.sizes) for column in self.columns)
        axes = self._axes(ax, (self._width(), max(3.2, 1.6 + 0.27 * most)))
        total = float(self.tables[0].n)
        gap = total * min(0.03, 0.5 / most)
        centres = place_columns(self.flows, self.orders, self._matches(), gap)
        self.blocks_ = [self._draw_blocks(axes, at, centres[at]) for at in range(len(centres))]
        self.bands_ = [self._draw_bands(axes, at, centres) for at in range(len(self.flows))]
        self.labels_ = self._frame(axes, centres)
        blocks = sum(len(column.sizes) for column in self.columns)
        left_out = blocks - sum(map(len, self.labels_))
        write_title(axes, self._title())
        axes.set_xlabel(wrap_text(axes, self._caption(left_out)), fontsize="small")
        return self

    def _width(self) -> float:
        """Return the width of a new figure in inches, such that names fit."""
        first, *inner, last = (inches_of(block_texts(one)) for one in self.columns)
        count = len(self.tables)
        least = min(_SPACING, max(_LEAST_SPACING, _FEW_SPACINGS / count))
        spacing = min(_SPACING, max([least, *inner]))
        narrowest = _SIDE if spacing == _SPACING else 0.0
        sides = sum(min(max(side, narrowest), _WIDEST_SIDE) for side in (first, last))
        return 0.2 + sides + spacing * count

    def _matches(self) -> list[dict[int, int]]:
        """Return the block of the next column that each block is matched with."""
        found = []
        for matching, (first, second) in zip(self.matchings, pairwise(self.columns), strict=True):
            rows, columns = first.block_of[matching.rows], second.block_of[matching.columns]
            own = (rows != first.rest) & (columns != second.rest)
            found.append(dict(zip(rows[own].tolist(), columns[own].tolist(), strict=True)))
        return found

    def _draw_blocks(self, axes: "Axes", at: int, centres: Array) -> list[Rectangle]:
        column, drawn = self.columns[at], []
        for block in self.orders[at].tolist():
            height = column.sizes[block]
            corner = (at - _WIDTH / 2, centres[block] - height / 2)
            colour = column.paints[block]
            drawn.append(Rectangle(corner, _WIDTH, height, facecolor=colour, edgecolor=INK, lw=0.4))
            axes.add_patch(drawn[-1])
        return drawn

    def _draw_bands(self, axes: "Axes", at: int, centres: list[Array]) -> list[PathPatch]:
        """Draw the bands between two columns, in the order of their ends."""
        first, second = self.orders[at], self.orders[at + 1]
        between = np.ix_(first, second)
        flow, thin = self.flows[at][between], self._thin(at)[between]
        paints = [self.columns[at].paints[block] for block in first]
        ends = centres[at][first], centres[at + 1][second]
        return draw_bands(axes, (at + _WIDTH / 2, at + 1 - _WIDTH / 2), ends, flow, thin, paints)

    def _thin(self, at: int) -> Array:
        """Return which flows are drawn as stubs: small ones, if there are too many to follow."""
        flow = self.flows[at]
        many = np.count_nonzero(flow) > _BANDS
        return (flow > 0) & (flow < _THIN * flow.sum()) & many

    def _title(self) -> str:
        if len(self.tables) == 1:
            return say_matched(self.tables[0], self.matchings[0], (self.names[0], self.names[1]))
        shares = sorted(
            matching.overlap / table.n
            for table, matching in zip(self.tables, self.matchings, strict=True)
        )
        stay = " to ".join(dict.fromkeys(format_share(share) for share in (shares[0], shares[-1])))
        soft = any(isinstance(table, SoftOverlap) for table in self.tables)
        what = "memberships" if soft else objects_of(self.tables[0])
        shown = " → ".join(show_name(name, 40) for name in self.names)
        if len(self.names) > _NAMED:
            shown = format_count(len(self.names), "clustering")
        return f"{shown}: {stay} of {what} stay in matched clusters"

    def _caption(self, left_out: int) -> str:
        """Return a caption that explains the plot, and says what is left out."""
        parts = [
            "Heights are numbers of objects; bands have the colour of the cluster on their left."
        ]
        thin = [flow[self._thin(at)] for at, flow in enumerate(self.flows)]
        count = sum(part.size for part in thin)
        if count:
            share = sum(float(part.sum()) for part in thin) / sum(flow.sum() for flow in self.flows)
            parts.append(
                f"{format_count(count, 'flow')} of less than {_THIN:.1%} each, "
                f"{format_share(share)} of "
                f"all, {'ends' if count == 1 else 'end'} in grey stubs."
            )
        if any(isinstance(table, SoftOverlap) for table in self.tables):
            parts.append("Objects count by their memberships.")
        if left_out:
            parts.append(f"{format_count(left_out, 'small block')} without a name.")
        return " ".join(parts)

    def _frame(self, axes: "Axes", centres: list[Array]) -> list[list[Any]]:
        """Write the names of the clusterings above their columns, and hide the axes."""
        axes.spines[:].set_visible(False)
        axes.set_facecolor("none")
        axes.set_yticks([])
        ends = [
            (centre - column.sizes / 2, centre + column.sizes / 2)
            for centre, column in zip(centres, self.columns, strict=True)
        ]
        # From top to bottom.
        axes.set_ylim(max(high.max() for _, high in ends), min(low.min() for low, _ in ends))
        last = len(centres) - 1
        texts, spacing = self._texts(measure_axes(axes)[0])
        self._widen_limits(axes, inches_of(texts[0]), inches_of(texts[-1]))
        names = show_names(self.names, max(6, int(spacing / _HEADING)))
        counts = [count.replace(" and ", "\n") for count in self._counts()]
        shown = [f"{name}\n{count}" for name, count in zip(names, counts, strict=True)]
        axes.set_xticks(range(len(shown)), shown)
        axes.tick_params(axis="x", top=False, bottom=False, labeltop=True, labelbottom=False)
        return [
            label_blocks(
                axes, texts[at], self.columns[at], self.orders[at],
                (at + (_WIDTH if at else -_WIDTH) / 2, centres[at]),
                to_left=at == 0, covered=0 < at < last,
            )
            for at in range(len(centres))
        ]  # fmt: skip

    def _counts(self) -> list[str]:
        """Return the number of clusters of each clustering, and of its noise objects."""
        table, matching = self.tables[0], self.matchings[0]
        found = [count_clusters(table.row_names, matching.noise_rows, table.row_sums)]
        for table, matching in zip(self.tables, self.matchings, strict=True):
            noise = matching.noise_columns
            found.append(count_clusters(table.column_names, noise, table.column_sums))
        return found

    def _texts(self, width: float) -> tuple[list[list[str]], float]:
        """Return the labels of all blocks, and the inches between neighbouring columns."""
        count = len(self.tables)
        first, last = self.columns[0], self.columns[-1]
        needed = [inches_of(block_texts(one)) for one in (first, last)]
        between = min(width * count / (count + 2), _LEAST_SPACING * count)
        left, right = share_width(width, needed[0], needed[1], between)
        ends = block_texts(first, left), block_texts(last, right)
        spacing = (width - sum(map(inches_of, ends))) / (count + _WIDTH)
        inner = [block_texts(one, spacing * (1 - _WIDTH)) for one in self.columns[1:-1]]
        return [ends[0], *inner, ends[1]], spacing

    def _widen_limits(self, axes: "Axes", left: float, right: float) -> None:
        """Widen the limits of the axes for the labels on both sides."""
        width = measure_axes(axes)[0]
        bands = len(self.tables) + _WIDTH
        unit = bands / max(width - left - right, width / 4)
        axes.set_xlim(-_WIDTH / 2 - left * unit, bands - _WIDTH / 2 + right * unit)


def _named(names: Sequence[str] | None, count: int) -> list[str]:
    if names is None:
        return ["a", "b"] if count == 2 else [str(at + 1) for at in range(count)]
    if len(names) != count:
        raise InputError(
            f"there are {len(names)} names for {count} clusterings; pass one for each."
        )
    return [str(name) for name in names]
