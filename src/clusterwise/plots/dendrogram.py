"""The merges of COALA, as a dendrogram."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np
from matplotlib.collections import LineCollection
from sklearn.utils.validation import check_is_fitted

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.alternatives.coala.agglomerative import Agglomerative
from clusterwise.alternatives.coala.cutting import cut
from clusterwise.alternatives.coala.merging import Merges
from clusterwise.inputs.encoding import Array
from clusterwise.plots._colouring import find_colours
from clusterwise.plots._names import show_names
from clusterwise.plots._palette import INK, Colours, colour_clusters, paint
from clusterwise.plots._placing import text_width
from clusterwise.plots._strips import Strip, add_keys, draw_strips, read_strip
from clusterwise.plots._tree import Tree, lay_out
from clusterwise.plots._wording import show_count, write_title
from clusterwise.plots.base import Display, styled
from clusterwise.summaries.contingency.contingency import Contingency

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Height = Literal["distance", "step"]

_DISSIMILAR = paint(4)
# More leaves than this have no names below them.
_NAMED_LEAVES = 100
# Names of leaves stand upright where they would be so wide together, in sizes of their letters.
_UPRIGHT = 60
_HEIGHT_LABELS = {
    "distance": "distance of what merges\n(never below an earlier merge)",
    "step": "step of the merging",
}


class DendrogramDisplay(Display):
    """Which clusters COALA merged, in which order, and which merges were dissimilar ones.

    Merges that were made because they differ from what is given are dashed and have a mark. Below
    the leaves are the clusters of the alternative and of the given clustering; matched ones have
    the same colour. Of long histories the last merges are shown; the leaves are then clusters
    themselves, with the numbers of their objects, the shares of given clusters in them, and the
    share of dissimilar merges that made them.

    Parameters
    ----------
    merges : Merges
        The history.
    labels : array-like of shape (n,), optional
        The alternative; where the history is cut by default.
    given : array-like of shape (n,), optional
        The given clustering.
    n_clusters : int, optional
        Where the history is cut.
    names : sequence of shape (n,), optional
        What the objects are called; their positions by default.
    colours : list of Colours, optional
        Those of the given clustering and of the alternative.

    Attributes
    ----------
    tree_ : Tree
        The merges that are shown, laid out.
    links_, dissimilar_ : LineCollection
        Merges of nearest clusters, and dissimilar ones.
    marks_ : PathCollection
        On dissimilar merges.
    cut_ : Line2D or None
        Where the history is cut.
    strips_ : dict of str to list of BarContainer
        The rows below the tree, a container per cluster.

    Examples
    --------
    >>> from clusterwise import COALA
    >>> model = COALA(omega=0.3).fit([[0, 0], [0, 1], [3, 0], [3, 1]], [0, 0, 1, 1])
    >>> model.plot().ax_.get_title(loc="left")
    '2 of 3 merges are dissimilar ones'
    """

    tree_: Tree

    def __init__(
        self,
        merges: Merges,
        *,
        labels: Any = None,
        given: Any = None,
        n_clusters: int | None = None,
        names: Sequence[Any] | None = None,
        colours: Sequence[Colours] | None = None,
    ) -> None:
        n = len(merges) + 1
        if n < 2:
            raise InputError("there are no merges to draw; pass a history of two objects or more.")
        if n_clusters is not None and not 1 <= n_clusters <= n:
            raise InputError(f"n_clusters={n_clusters!r} for {n} objects; use 1 to {n}.")
        if labels is None and n_clusters is not None:
            labels = merges.cut(n_clusters)
        for what, values in (("labels", labels), ("given", given), ("names", names)):
            if values is not None and len(values) != n:
                raise InputError(f"{what} are {len(values)} for {n} objects; pass one per object.")
        self.merges = merges
        self.labels, self.given = labels, given
        self.n_clusters = n_clusters
        self.names = names
        self.colours = colours

    @classmethod
    def from_estimator(
        cls,
        estimator: Agglomerative,
        *,
        given: Any = None,
        names: Sequence[Any] | None = None,
        colours: Sequence[Colours] | None = None,
    ) -> Self:
        """The first alternative of a fitted COALA or COALACat, and the first given clustering.

        Parameters
        ----------
        estimator : COALA or COALACat
            It must be fitted. If it merged prototypes, leaves are prototypes, and what is given is
            not shown, as each of them stands for many objects.
        given : array-like of shape (n,), optional
            The given clustering with its own names; codes by default.
        names, colours
            As in the class.
        """
        check_is_fitted(estimator, "merges_")
        merges, codes = estimator.merges_, estimator.given_[0]
        asked = estimator.n_clusters or int(codes.max()) + 1
        if len(merges) + 1 != codes.size:
            return cls(merges, n_clusters=min(asked, len(merges) + 1), colours=colours)
        # Small clusters join others after the cut; how many it leaves is what the line shows.
        before = cut(merges, asked, estimator.min_cluster_size, lambda labels, _: labels)
        return cls(
            merges,
            labels=estimator.labels_,
            given=codes if given is None else given,
            n_clusters=int(before.max()) + 1,
            names=names,
            colours=colours,
        )

    @styled
    def plot(self, ax: Any = None, *, height: Height = "distance", last: int = 60) -> Self:
        """Draw, on the axes given or on a new figure.

        Parameters
        ----------
        ax : Axes, optional
            One that is divided, or two.
        height : {"distance", "step"}
            How high a merge is: by distance, or by how many merges there are before it. Distances
            may fall from one merge to the next; a merge is drawn no lower than any before it, so
            that a level line cuts the history at one time.
        last : int
            How many merges to show, from the last.
        """
        if height not in get_args(Height):
            raise InputError(f"height={height!r} is unknown; use 'distance' or 'step'.")
        if last < 1:
            raise InputError(f"last={last!r}; show at least one merge.")
        rising = (
            np.maximum.accumulate(self.merges.distances)
            if height == "distance"
            else np.arange(1.0, len(self.merges) + 1)
        )
        self.tree_ = tree = lay_out(self.merges, rising, last)
        strips = self._strips(tree)
        rows = len(strips) + int(not np.isnan(tree.inside).all())
        size = (float(np.clip(3.5 + 0.16 * tree.sizes.size, 6.5, 16)), 4.5 + 0.4 * rows)
        axes = self._grid(ax, 2, 1, size, sharex=True, height_ratios=(9, max(0.1, rows)))
        top, below = axes[:, 0]
        self._draw_links(top, tree)
        self.cut_ = self._draw_cut(top, rising, tree)
        top.set_ylabel(_HEIGHT_LABELS[height])
        top.set_ylim(tree.floor, tree.floor + (1.06 * (rising[-1] - tree.floor) or 1.0))
        top.spines["bottom"].set_visible(False)
        top.tick_params(axis="x", bottom=False, labelbottom=False)
        write_title(top, self._title(tree))
        add_keys(top, strips)
        self.strips_ = draw_strips(below, strips, tree.inside, _DISSIMILAR)
        self._name_leaves(below, tree)
        return self

    def _draw_links(self, ax: "Axes", tree: Tree) -> None:
        shown = self.merges.dissimilar[-len(tree.links) :]
        plain = LineCollection(list(tree.links[~shown]), colors=INK, linewidths=1.0)
        dashed = LineCollection(
            list(tree.links[shown]), colors=_DISSIMILAR, linewidths=1.4, linestyles=(0, (4, 1.5))
        )
        plain.set_label("merge of the nearest clusters")
        dashed.set_label("dissimilar merge")
        self.links_ = ax.add_collection(plain)
        self.dissimilar_ = ax.add_collection(dashed)
        tops = tree.links[shown][:, 1:3].mean(axis=1)
        self.marks_ = ax.scatter(tops[:, 0], tops[:, 1], s=16, marker="D", color=_DISSIMILAR)
        ax.set_xlim(-0.7, tree.sizes.size - 0.3)

    def _draw_cut(self, ax: "Axes", rising: Array, tree: Tree) -> Any:
        """Between the last merge that is made and the first that is not."""
        if self.n_clusters is None or self.n_clusters > tree.sizes.size:
            return None
        made = len(rising) + 1 - self.n_clusters
        low = rising[made - 1] if made else 0.0
        high = rising[made] if made < len(rising) else 1.03 * rising[-1]
        label = f"cut: {format_count(self.n_clusters, 'cluster')}"
        return ax.axhline((low + high) / 2, color=INK, linestyle=":", linewidth=1.2, label=label)

    def _strips(self, tree: Tree) -> list[Strip]:
        """The clusterings to show below the tree, from the top."""
        chosen = {"given": self.given, "alternative": self.labels}
        known = {name: labels for name, labels in chosen.items() if labels is not None}
        colours = list(self.colours or _match(list(known.values())))
        if len(colours) != len(known):
            raise InputError(
                f"there are colours of {len(colours)} clusterings for {len(known)}; pass one "
                "Colours for each."
            )
        return [
            read_strip(name, labels, tree.leaf_of, tree.sizes.size, own)
            for (name, labels), own in zip(known.items(), colours, strict=True)
        ][::-1]

    def _name_leaves(self, ax: "Axes", tree: Tree) -> None:
        count = tree.sizes.size
        single = np.zeros(count, np.int64)
        single[tree.leaf_of] = np.arange(tree.leaf_of.size)
        own = show_names([single[i] if self.names is None else self.names[single[i]]
                          for i in range(count)], 14)  # fmt: skip
        made = ~np.isnan(tree.inside)
        texts = [f"×{show_count(tree.sizes[i])}" if made[i] else own[i] for i in range(count)]
        if count > _NAMED_LEAVES:
            texts = [""] * count
        turned = max(map(text_width, texts)) * count > _UPRIGHT
        ax.set_xticks(np.arange(count), texts, rotation=90 if turned else 0, fontsize="x-small")
        ax.set_xlabel("clusters before the merges shown (×: how many objects)" if made.any()
                      else "objects")  # fmt: skip

    def _title(self, tree: Tree) -> str:
        found, count = int(self.merges.dissimilar.sum()), len(self.merges)
        text = f"{show_count(found)} of {show_count(count)} merges are dissimilar ones"
        if len(tree.links) < count:
            shown = int(self.merges.dissimilar[-len(tree.links) :].sum())
            text += f"; of the last {len(tree.links)}, which are shown, {shown}"
        return text


def _match(clusterings: list[Any]) -> list[Colours]:
    if len(clusterings) == 2:
        return colour_clusters([Contingency.from_labels(*clusterings)])
    return [find_colours(labels, None) for labels in clusterings]
