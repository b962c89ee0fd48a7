"""The merges of COALA as a dendrogram."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from matplotlib.collections import LineCollection
from sklearn.utils.validation import check_is_fitted

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_amount, format_count
from clusterwise.alternatives.coala.agglomerative import Agglomerative
from clusterwise.alternatives.coala.cutting import cut
from clusterwise.alternatives.coala.merging import Merges, find_tops
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import show_names, text_width, write_title
from clusterwise.plots._palette import (
    INK,
    Colours,
    check_colours,
    colour_clusters,
    find_colours,
    paint,
)
from clusterwise.plots._strips import Strip, add_keys, draw_strips, read_strip
from clusterwise.plots.base import Display, styled
from clusterwise.summaries.contingency.contingency import Contingency

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Height = Literal["distance", "step"]

_DISSIMILAR = paint(4)
# The largest number of leaves that are named.
_NAMED_LEAVES = 100
# The total width of the names, in font sizes, from which they are rotated.
_UPRIGHT = 60
_HEIGHT_LABELS = {
    "distance": "distance of the merged clusters\n(never below an earlier merge)",
    "step": "step of the merging",
}


class Tree(NamedTuple):
    """The layout of the last merges.

    ``leaf_of`` is the leaf of each object, from left to right; ``sizes`` are the sizes of the
    leaves, and ``inside`` the proportion of dissimilar merges in each leaf (NaN for single
    objects). ``links`` are the corners of each merge shown, 4 × 2, in the order of merges.
    ``floor`` is the height of the leaves, below the first merge shown.
    """

    leaf_of: Array
    sizes: Array
    inside: Array
    links: Array
    floor: float


class DendrogramDisplay(Display):
    """The dendrogram of the merges of COALA, with dissimilar merges marked.

    Dissimilar merges, made to differ from the given clustering, are dashed and marked. Below the
    leaves are the clusters of the alternative and of the given clustering; matched clusters have
    the same colour. If there are many merges, only the last ones are shown; the leaves are then
    clusters, with their sizes, the proportions of given clusters in them, and the proportion of
    dissimilar merges in them.

    Parameters
    ----------
    merges : Merges
        The merges.
    labels : array-like of shape (n,), optional
        The alternative; by default the clusters at the cut.
    given : array-like of shape (n,), optional
        The given clustering.
    n_clusters : int, optional
        The number of clusters at the cut.
    names : sequence of shape (n,), optional
        The names of the objects; their indices by default.
    colours : list of Colours, optional
        The colours of the given clustering and of the alternative.

    Attributes
    ----------
    tree_ : Tree
        The layout of the merges shown.
    links_, dissimilar_ : LineCollection
        Merges of nearest clusters, and dissimilar merges.
    marks_ : PathCollection
        Marks on dissimilar merges.
    cut_ : Line2D or None
        The cut.
    strips_ : dict of str to list of BarContainer
        The rows below the tree, a container per cluster.

    Examples
    --------
    >>> from clusterwise import COALA
    >>> model = COALA(omega=0.3).fit([[0, 0], [0, 1], [3, 0], [3, 1]], [0, 0, 1, 1])
    >>> model.plot().ax_.get_title(loc="left")
    '2 of 3 merges are dissimilar'
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
            raise InputError("there are no merges to draw; pass merges of two objects or more.")
        if n_clusters is not None and not 1 <= n_clusters <= n:
            raise InputError(f"n_clusters={n_clusters!r} for {n} objects; use 1 to {n}.")
        if labels is None and n_clusters is not None:
            labels = merges.cut(n_clusters)
        for what, values in (("labels", labels), ("given", given), ("names", names)):
            if values is not None and len(values) != n:
                raise InputError(
                    f"{what} has {len(values)} values for {n} objects; pass one per object."
                )
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
        """Create the display from a fitted COALA or COALACat.

        Parameters
        ----------
        estimator : COALA or COALACat
            A fitted estimator, of which the first alternative and the first given clustering are
            shown. If it merged prototypes, the leaves are prototypes, and the given clustering is
            not shown, since each prototype stands for many objects.
        given : array-like of shape (n,), optional
            The given clustering with its own labels; codes by default.
        names, colours
            As in the class.
        """
        check_is_fitted(estimator, "merges_")
        merges, codes = estimator.merges_, estimator.given_[0]
        n_clusters = estimator.n_clusters or int(codes.max()) + 1
        if len(merges) + 1 != codes.size:
            return cls(merges, n_clusters=min(n_clusters, len(merges) + 1), colours=colours)
        # Small clusters are merged after the cut; the line shows the number before that.
        before = cut(merges, n_clusters, estimator.min_cluster_size, lambda labels, _: labels)
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
        """Draw on the given axes or on a new figure.

        Parameters
        ----------
        ax : Axes, optional
            One axes that is divided, or two.
        height : {"distance", "step"}
            The height of a merge: its distance or its step. Distances may decrease from one merge
            to the next; a merge is drawn no lower than any before it, so that a horizontal line
            cuts the merges at one step.
        last : int
            The number of merges to show, from the last.
        """
        rising = (
            np.maximum.accumulate(self.merges.distances)
            if height == "distance"
            else np.arange(1.0, len(self.merges) + 1)
        )
        self.tree_ = tree = lay_out_tree(self.merges, rising, last)
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
        """Draw the cut between the last merge that is made and the first that is not."""
        if self.n_clusters is None or self.n_clusters > tree.sizes.size:
            return None
        made = len(rising) + 1 - self.n_clusters
        low = rising[made - 1] if made else 0.0
        high = rising[made] if made < len(rising) else 1.03 * rising[-1]
        label = f"cut: {format_count(self.n_clusters, 'cluster')}"
        return ax.axhline((low + high) / 2, color=INK, linestyle=":", linewidth=1.2, label=label)

    def _strips(self, tree: Tree) -> list[Strip]:
        """Return the clusterings to show below the tree, from top to bottom."""
        chosen = {"given": self.given, "alternative": self.labels}
        known = {name: labels for name, labels in chosen.items() if labels is not None}
        colours = check_colours(self.colours or _matched_colours(list(known.values())), len(known))
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
        texts = [f"×{format_amount(tree.sizes[i])}" if made[i] else own[i] for i in range(count)]
        if count > _NAMED_LEAVES:
            texts = [""] * count
        turned = max(map(text_width, texts)) * count > _UPRIGHT
        ax.set_xticks(np.arange(count), texts, rotation=90 if turned else 0, fontsize="x-small")
        ax.set_xlabel("clusters before the merges shown (×: number of objects)" if made.any()
                      else "objects")  # fmt: skip

    def _title(self, tree: Tree) -> str:
        found, count = int(self.merges.dissimilar.sum()), len(self.merges)
        text = f"{format_amount(found)} of {format_amount(count)} merges are dissimilar"
        if len(tree.links) < count:
            shown = int(self.merges.dissimilar[-len(tree.links) :].sum())
            text += f"; of the last {len(tree.links)}, which are shown, {shown}"
        return text


def _matched_colours(clusterings: list[Any]) -> list[Colours]:
    if len(clusterings) == 2:
        return colour_clusters([Contingency.from_labels(*clusterings)])
    return [find_colours(labels, None) for labels in clusterings]


def lay_out_tree(merges: Merges, heights: Array, last: int) -> Tree:
    """Return the layout of the last merges, with leaves ordered so that no lines cross."""
    n = len(merges) + 1
    first = max(0, len(merges) - last)
    leaves = _from_left(merges.pairs, first)
    x = np.full(2 * n - 1, -1.0)
    x[leaves] = np.arange(len(leaves))
    tops = find_tops(merges.pairs, first)
    leaf_of = x[tops].astype(np.int64)
    total = np.bincount(leaf_of[n:], minlength=len(leaves))
    marked = np.bincount(leaf_of[n:], merges.dissimilar[:first], len(leaves))
    inside = np.divide(marked, total, out=np.full(len(leaves), np.nan), where=total > 0)
    # The leaves are drawn a little below the first merge shown.
    floor = heights[first - 1] - 0.05 * (heights[-1] - heights[first - 1]) if first else 0.0
    top = np.full(2 * n - 1, floor)
    links = np.empty((len(merges) - first, 4, 2))
    for i, step in enumerate(range(first, len(merges))):
        low, high = sorted(merges.pairs[step].tolist(), key=x.__getitem__)
        node = n + step
        x[node], top[node] = (x[low] + x[high]) / 2, heights[step]
        links[i, :, 0] = x[low], x[low], x[high], x[high]
        links[i, :, 1] = top[low], top[node], top[node], top[high]
    sizes = np.append(np.ones(n), merges.sizes)[leaves]
    return Tree(leaf_of[:n], sizes, inside, links, float(floor))


def _from_left(pairs: Array, first: int) -> Array:
    """Return the clusters before the merges shown, in the order of the leaves."""
    n = len(pairs) + 1
    leaves, stack = [], [2 * n - 2]
    while stack:
        node = stack.pop()
        if node < n + first:
            leaves.append(node)
        else:
            stack += pairs[node - n].tolist()[::-1]
    return np.array(leaves)
