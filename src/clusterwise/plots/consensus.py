"""The consensus matrix as a heat map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.patches import Rectangle

from clusterwise._utils.tables import format_amount, format_count, format_share
from clusterwise.consensus.consensus_matrix import ConsensusMatrix, consensus_matrix
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.plots._annotations import draw_colorbar, show_names, write_title
from clusterwise.plots._palette import Colours, find_colours
from clusterwise.plots.base import Display, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (7.5, 6.5)
# The strip of colours beside the matrix: its width and distance, relative to the matrix.
_STRIP, _ASIDE = 0.03, 0.012
# Names closer than this fraction of the matrix would overlap.
_LINE = 0.032
# The colour of outlines; the matrix has the same colours on a dark page.
_OUTLINE = "#fafafa"


class ConsensusDisplay(Display):
    """The co-association matrix of an ensemble.

    Rows and columns are objects in the order of the matrix; clusters of the consensus are blocks
    on the diagonal, with their names and colours beside them. Sharp bright blocks are clusters
    that the clusterings agree on.

    Parameters
    ----------
    matrix : ConsensusMatrix
        The ordered co-associations.
    colours : list of one Colours, optional
        The colours of the clusters of the consensus.

    Attributes
    ----------
    image_ : AxesImage
        The matrix.
    blocks_ : list of Rectangle
        The clusters from top to bottom; empty without a consensus.
    strip_ : list of Rectangle
        Their colours.

    Examples
    --------
    >>> from clusterwise import consensus_matrix
    >>> matrix = consensus_matrix([[0, 0, 1, 1], [0, 0, 0, 1]], ["x", "x", "y", "y"])
    >>> display = matrix.plot()
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['x', 'y']
    """

    blocks_: list[Any]
    strip_: list[Any]

    def __init__(
        self, matrix: ConsensusMatrix, *, colours: Sequence[Colours] | None = None
    ) -> None:
        self.matrix = matrix
        self.names = list(dict.fromkeys(name_list(matrix.labels)))
        own = find_colours(matrix.labels, colours[0] if colours else None)
        known = dict(zip(own.names, own.paints, strict=True))
        self.paints = [known[name] for name in self.names]

    @classmethod
    def from_clusterings(
        cls,
        ensemble: Any,
        labels: Any = None,
        *,
        colours: Sequence[Colours] | None = None,
        **options: Any,
    ) -> Self:
        """Create the display from the arguments of :func:`clusterwise.consensus_matrix`."""
        return cls(consensus_matrix(ensemble, labels, **options), colours=colours)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        ax = self._axes(ax, _SIZE)
        count = len(self.matrix.values)
        self.image_ = ax.imshow(
            self.matrix.values, cmap="cividis", vmin=0.0, vmax=1.0, interpolation="nearest"
        )
        labels = name_list(self.matrix.labels)
        sizes = np.array([labels.count(name) for name in self.names])
        starts = np.cumsum(sizes) - sizes
        self.blocks_, self.strip_ = [], []
        if sizes.size > 1:
            self._draw_blocks(ax, starts, sizes, count)
        else:
            ax.set_yticks([])
        ax.set_xticks([])
        for spine in ax.spines.values():
            spine.set_visible(False)
        order = "ordered by cluster" if sizes.size > 1 else "ordered by co-association"
        ax.set(xlabel="objects, in the same order", ylabel=f"objects, {order}")
        label = "proportion of clusterings that group two objects"
        draw_colorbar(ax, self.image_, label, shrink=0.8)
        write_title(ax, self._title(sizes))
        return self

    def _draw_blocks(self, ax: "Axes", starts: Array, sizes: Array, count: int) -> None:
        away, width = _ASIDE * count, _STRIP * count
        for start, size, paint in zip(starts.tolist(), sizes.tolist(), self.paints, strict=True):
            corner = start - 0.5
            self.blocks_.append(
                ax.add_patch(
                    Rectangle((corner, corner), size, size, fill=False, edgecolor=_OUTLINE, lw=1.5)
                )
            )
            for x, y, w, h in (
                (-0.5 - away - width, corner, width, size),
                (corner, -0.5 - away - width, size, width),
            ):
                part = Rectangle((x, y), w, h, color=paint, linewidth=0, clip_on=False)
                self.strip_.append(ax.add_patch(part))
        ax.set_xlim(-0.5 - away - width, count - 0.5)
        ax.set_ylim(count - 0.5, -0.5 - away - width)
        centres = starts + (sizes - 1) / 2
        named = _spaced(centres, sizes, _LINE * count)
        shown = show_names(self.names, 18)
        ax.set_yticks(centres[named], [shown[k] for k in named], fontsize="small")
        ax.tick_params(left=False)

    def _title(self, sizes: Array) -> str:
        drawn, total = len(self.matrix.values), self.matrix.n
        objects = format_count(total, "object") if total < 1000 else f"{total:,} objects"
        some = objects if drawn == total else f"{drawn} of {format_amount(total)} objects"
        means = self.matrix.block_means
        pairs = np.outer(sizes, sizes) - np.diag(sizes)
        own = np.diag(pairs).astype(np.float64)
        if not own.sum() or sizes.size == 1:
            inside = float(np.nanmean(means)) if not np.isnan(means).all() else 1.0
            return f"{some}: mean co-association {format_share(inside)}"
        inside = float(np.nansum(np.diag(means) * own) / own.sum())
        across = ~np.eye(sizes.size, dtype=bool)
        outside = float((means[across] * pairs[across]).sum() / pairs[across].sum())
        return (
            f"{some} in {format_count(sizes.size, 'cluster')}: mean co-association "
            f"{format_share(inside)} within clusters, {format_share(outside)} across"
        )


def _spaced(centres: Array, sizes: Array, least: float) -> list[int]:
    """Return the blocks whose names do not overlap those of larger blocks, from top to bottom."""
    kept: list[int] = []
    for k in np.argsort(-sizes, kind="stable").tolist():
        if all(abs(centres[k] - centres[j]) >= least for j in kept):
            kept.append(k)
    return sorted(kept)
