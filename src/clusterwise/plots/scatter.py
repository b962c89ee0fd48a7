"""Scatter plots of the same objects, coloured by several clusterings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.given import LEFT_OUT
from clusterwise.comparing.matches import MatchBy
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures._label_options import label_options
from clusterwise.plots._annotations import show_names
from clusterwise.plots._cluster_names import list_names, write_names
from clusterwise.plots._crossed import Groups
from clusterwise.plots._groups import PanelClustering, align_all, group_objects, read_clusterings
from clusterwise.plots._majority_image import majority_image
from clusterwise.plots._palette import (
    Colours,
    check_colours,
    colour_clusters,
    colour_names,
    mark,
    paint,
)
from clusterwise.plots._point_labels import compute_layout
from clusterwise.plots._projection import Axes as AxesChoice, Projection, project
from clusterwise.plots.base import Display, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clusterwise.alternatives.results import FoundClusterings
    from clusterwise.comparing.comparison_result import Comparison

# More objects than the first are drawn as an image, more than the second are rasterized.
_MANY = 20_000
_RASTERIZED = 2_000
_TICKS = 12


class ScatterPairDisplay(Display):
    """The same objects, coloured by two or more clusterings, side by side.

    Parameters
    ----------
    projection : Projection
        The positions of the objects, and the meaning of the axes.
    groups : sequence of PanelClustering
        The clusterings.
    colours : sequence of Colours
        The colours of their clusters; matched clusters have the same.

    Attributes
    ----------
    points_ : list of list of artists
        The artists of the objects of each clustering: points by marker, or one image.
    texts_ : list of list of Annotation
        The names written on the clusters of each clustering.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise.plots import ScatterPairDisplay
    >>> X = np.random.default_rng(0).normal(size=(30, 4))
    >>> display = ScatterPairDisplay.from_clusterings(X[:, 0] > 0, X[:, 1] > 0, X)
    >>> len(display.plot().axes_.flat)
    2
    """

    def __init__(
        self,
        projection: Projection,
        groups: Sequence[PanelClustering],
        colours: Sequence[Colours],
    ) -> None:
        self.projection = projection
        self.groups = list(groups)
        self.colours = check_colours(colours, len(self.groups))

    @classmethod
    def from_clusterings(
        cls,
        a: Any,
        b: Any = None,
        X: Any = None,
        *,
        axes: AxesChoice | None = None,
        coordinates: Any = None,
        names: Sequence[str] | None = None,
        colours: Sequence[Colours] | None = None,
        match: MatchBy = "auto",
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> Self:
        """Create the display from two or more clusterings of the objects in X.

        Parameters
        ----------
        a, b : array-like of shape (n,), or memberships of shape (n, K)
            Labels of the same objects; or a mapping of names to labels as ``a`` alone.
        X : array-like or frame of shape (n, R), optional
            The features of the objects, numeric, categorical or both.
        axes : "crossed", or sequence of two features, optional
            ``"crossed"`` plots the direction that separates the first clustering best against
            the one that separates the second best, so that two independent clusterings show as
            a grid: regularised linear discriminants, the second one uncorrelated with the
            first. They are fitted to the labels, so clusters look more separated than they are
            if there are many features. Or the features to plot; by default the first two
            principal components of the standardised features.
        coordinates : array-like or frame of shape (n, 2), optional
            The positions of the objects, such as an embedding.
        names : sequence of str, optional
            The names of the clusterings.
        colours : sequence of Colours, optional
            The colours of the clusters of each clustering.
        match : {"auto", "name", "overlap"}, default="auto"
            How clusters are matched, which have the same colour then.
        sample_weight, noise, noise_label, align, missing
            As in :func:`~clusterwise.compare`.
        """
        read = read_clusterings(a, b, names, missing)
        titles = list(read)
        options = label_options(sample_weight, noise, noise_label, align, missing)
        ones, tables, kept = align_all(list(read.values()), options)
        groups = [
            group_objects(title, one, noise_label) for title, one in zip(titles, ones, strict=True)
        ]
        if colours is None:
            colours = (
                colour_clusters(tables, match=match, noise_label=noise_label)
                if tables
                else [colour_names(groups[0].names, noise_label=noise_label)]
            )
        n = len(next(iter(read.values())))
        return cls._projected(groups, colours, kept, n, X, axes, coordinates)

    @classmethod
    def from_comparison(
        cls,
        comparison: "Comparison",
        *,
        axes: AxesChoice | None = None,
        coordinates: Any = None,
        colours: Sequence[Colours] | None = None,
    ) -> Self:
        """Create the display from a comparison, with the data that it was made from.

        Parameters are those of :meth:`from_clusterings`.
        """
        pair = comparison.pair
        if pair is None:
            raise InputError(
                "this comparison was made from a table, without the labels of the objects; compare "
                "labels to draw them."
            )
        if comparison.data is None and coordinates is None:
            raise InputError(
                "this comparison has no features; pass X to compare, or coordinates here."
            )
        groups = [
            group_objects(title, one, comparison.noise_label)
            for title, one in zip(comparison.names, (pair.a, pair.b), strict=True)
        ]
        if colours is None:
            colours = colour_clusters(
                [comparison.table], match=comparison.match, noise_label=comparison.noise_label
            )
        return cls._projected(
            groups, colours, pair.kept, pair.n, comparison.data, axes, coordinates
        )

    @classmethod
    def from_found(
        cls,
        found: "FoundClusterings",
        X: Any = None,
        *,
        n_alternatives: int = 1,
        axes: AxesChoice | None = None,
        coordinates: Any = None,
        colours: Sequence[Colours] | None = None,
    ) -> Self:
        """Create the display from alternatives, with the data that they were found in.

        Objects that were left out of the search are not drawn.

        Parameters
        ----------
        found : FoundClusterings
            The result of :func:`~clusterwise.cluster_again`.
        X : array-like or frame of shape (n, R), optional
            The features of the objects; by default those that were searched.
        n_alternatives : int, default=1
            The number of alternatives that are drawn beside the given clusterings.
        axes, coordinates, colours
            As in :meth:`from_clusterings`.
        """
        X = found.data if X is None else X
        searched = (np.asarray(found.given) != LEFT_OUT).all(axis=0)
        kept = None if searched.all() else np.flatnonzero(searched)
        shown = list(found.by_name().items())[: len(found.given) + n_alternatives]
        named = {name: labels if kept is None else labels[kept] for name, labels in shown}
        read = read_clusterings(named, None, None)
        ones, tables, _ = align_all(list(read.values()), {})
        groups = [group_objects(title, one) for title, one in zip(read, ones, strict=True)]
        if colours is None:
            colours = colour_clusters(tables) if tables else [colour_names(groups[0].names)]
        return cls._projected(groups, colours, kept, searched.size, X, axes, coordinates)

    @classmethod
    def _projected(
        cls,
        groups: list[PanelClustering],
        colours: Sequence[Colours],
        kept: Array | None,
        n: int,
        X: Any,
        axes: AxesChoice | None,
        coordinates: Any,
    ) -> Self:
        """Create the display, with the positions of the ``kept`` ones of ``n`` objects."""
        checked = check_colours(colours, len(groups))
        known = [
            Groups(group.title, np.where(_numbers(group, own)[group.codes] < 0, -1, group.codes))
            for group, own in zip(groups, checked, strict=True)
        ]
        projection = project(X, axes=axes, coordinates=coordinates, groups=known, kept=kept, n=n)
        return cls(projection.take(kept), groups, checked)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw a panel per clustering.

        Parameters
        ----------
        ax : Axes, or as many as there are clusterings, optional
            Where to draw; a single axes is divided. By default a new figure.

        Returns
        -------
        self
        """
        count = len(self.groups)
        columns = min(count, 4)
        rows = -(-count // columns)
        listed = not all(group.is_written for group in self.groups)
        size = (4.6 * columns + 0.4, (4.1 + 1.6 * listed) * rows + 0.3)
        panels = self._grid(ax, rows, columns, size, sharex=True, sharey=True).flat
        self.points_: list[list[Any]] = []
        limits = _limits(self.projection.points)
        every = list(map(_numbers, self.groups, self.colours))
        for panel, group, numbers in zip(panels, self.groups, every, strict=False):
            panel.set(xlim=limits[0], ylim=limits[1])
            self.points_.append(self._draw(panel, group, numbers))
            panel.set_title(group.heading)
        panels[0].set_title(f"{self._headline(every)}\n{self.groups[0].heading}")
        for spare in panels[count:]:
            spare.set_axis_off()
        self._label(panels, columns, count)
        for panel, group, numbers in zip(panels, self.groups, every, strict=False):
            if not group.is_written:
                # The layout is that of a full legend; names on the clusters make it shorter.
                list_names(panel, group, numbers, group.largest_first())
        compute_layout(self.ax_)
        self.texts_ = [
            write_names(panel, group, self.projection.points, numbers)
            for panel, group, numbers in zip(panels[:count], self.groups, every, strict=True)
        ]
        return self

    def _draw(self, panel: "Axes", group: PanelClustering, numbers: Array) -> list[Any]:
        points, codes = self.projection.points, group.codes
        here = np.flatnonzero(np.isfinite(points).all(axis=1))
        if here.size > _MANY:
            certainty = None if group.certainty is None else group.certainty[here]
            return [majority_image(panel, points[here], codes[here], numbers, certainty)]
        # In random order, so that no cluster covers all others.
        here = np.random.default_rng(0).permutation(here)
        paints = np.array([paint(number) for number in numbers.tolist()])
        size = float(np.clip(12000 / max(1, here.size), 6, 42))
        opaque = np.full(codes.size, 0.85 if here.size < 1000 else 0.6)
        if group.certainty is not None:
            opaque = 0.12 + 0.83 * group.certainty
        marks = np.array([mark(number) for number in numbers.tolist()])
        artists = []
        for marker in dict.fromkeys(marks.tolist()):
            these = here[marks[codes[here]] == marker]
            if these.size:
                artists.append(
                    panel.scatter(
                        points[these, 0],
                        points[these, 1],
                        s=size,
                        c=paints[codes[these]],
                        alpha=opaque[these],
                        marker=marker,
                        linewidths=0,
                        rasterized=here.size > _RASTERIZED,
                    )
                )
        return artists

    def _headline(self, numbers: Sequence[Array]) -> str:
        n = len(self.projection.points)
        objects = f"{n:,} object{'s' if n != 1 else ''}"
        if len(self.groups) != 2:
            return objects
        seen = [own[group.codes] for own, group in zip(numbers, self.groups, strict=True)]
        matched = np.mean((seen[0] == seen[1]) & (seen[0] >= 0))
        return f"{matched:.0%} of {objects} stay in matched clusters"

    def _label(self, panels: Any, columns: int, count: int) -> None:
        labels, ticks = self.projection.labels, self.projection.ticks
        for at in range(count):
            if at + columns >= count:
                panels[at].set_xlabel(labels[0])
                panels[at].xaxis.set_tick_params(labelbottom=True)
            if at % columns == 0:
                panels[at].set_ylabel(labels[1])
            for axis, names in zip((panels[at].xaxis, panels[at].yaxis), ticks, strict=True):
                if names is not None:
                    step = -(-len(names) // _TICKS)
                    shown = show_names(names, width=12)[::step]
                    axis.set_ticks(range(0, len(names), step), shown)


def _numbers(group: PanelClustering, colours: Colours) -> Array:
    """Return the number of the colour of each cluster."""
    known = dict(zip(colours.names, colours.numbers.tolist(), strict=True))
    return np.array([known.get(name, -1) for name in group.names])


def _limits(points: Array) -> list[tuple[float, float]]:
    found = []
    for values in points.T:
        there = values[np.isfinite(values)]
        low, high = (float(there.min()), float(there.max())) if there.size else (0.0, 1.0)
        edge = 0.04 * (high - low) or 0.5
        found.append((low - edge, high + edge))
    return found
