"""Scatter plots of the same objects, coloured by several clusterings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.colors import to_rgb

from clusterwise._utils.errors import InputError
from clusterwise.comparing.matches import MatchBy
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures._label_options import label_options
from clusterwise.plots._annotations import key_of, keys_below, show_names
from clusterwise.plots._groups import PanelClustering, align_all, group_objects, read_clusterings
from clusterwise.plots._palette import (
    Colours,
    check_colours,
    colour_clusters,
    colour_names,
    mark,
    paint,
)
from clusterwise.plots._point_labels import compute_layout, write_texts
from clusterwise.plots._projection import Projection, project
from clusterwise.plots.base import Display, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clusterwise.comparing.compare import Comparison

# More objects than the first are drawn as an image, more than the second are rasterized.
_MANY = 20_000
_RASTERIZED = 2_000
_LISTED = 60
# Up to this number of objects, names avoid covering any.
_FEW = 60
_TICKS = 12
# Pixels along the two axes.
_IMAGE_SIZE = (220, 190)
_FAINTEST = 0.25


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
        axes: Sequence[str | int] | None = None,
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
        axes : sequence of two features, optional
            The features to plot; by default the first two principal components of the
            standardised features.
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
        projection = project(X, axes=axes, coordinates=coordinates)
        _check_positions(projection, len(next(iter(read.values()))))
        groups = [
            group_objects(title, one, noise_label) for title, one in zip(titles, ones, strict=True)
        ]
        if colours is None:
            colours = (
                colour_clusters(tables, match=match, noise_label=noise_label)
                if tables
                else [colour_names(groups[0].names, noise_label=noise_label)]
            )
        return cls(projection.take(kept), groups, colours)

    @classmethod
    def from_comparison(
        cls,
        comparison: "Comparison",
        *,
        axes: Sequence[str | int] | None = None,
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
        projection = project(comparison.data, axes=axes, coordinates=coordinates)
        _check_positions(projection, pair.n)
        groups = [
            group_objects(title, one, comparison.noise_label)
            for title, one in zip(comparison.names, (pair.a, pair.b), strict=True)
        ]
        if colours is None:
            colours = colour_clusters(
                [comparison.table], match=comparison.match, noise_label=comparison.noise_label
            )
        return cls(projection.take(pair.kept), groups, colours)

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
            if not group.is_written:
                _list_names(panel, group, numbers)
        panels[0].set_title(f"{self._headline(every)}\n{self.groups[0].heading}")
        for spare in panels[count:]:
            spare.set_axis_off()
        self._label(panels, columns, count)
        compute_layout(self.ax_)
        self.texts_ = list(map(self._write_names, panels[:count], self.groups, every))
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

    def _write_names(self, panel: "Axes", group: PanelClustering, numbers: Array) -> list[Any]:
        """Write the names on the clusters, the largest first, if there are few."""
        if not group.is_written:
            return []
        points = self.projection.points
        anchors = group.anchors(points)
        order = [k for k in group.largest_first() if k in anchors]
        names = show_names(group.names, width=18)
        few = group.codes.size <= _FEW
        return list(
            write_texts(
                panel,
                np.array([anchors[k] for k in order]).reshape(-1, 2),
                [names[k] for k in order],
                obstacles=points[np.isfinite(points).all(axis=1)] if few else None,
                gap=5.0 if few else 0.0,
                centred=not few,
                edges=[paint(int(numbers[k])) for k in order],
            )
        )

    def _headline(self, numbers: Sequence[Array]) -> str:
        n = len(self.projection.points)
        objects = f"{n:,} object{'s' if n != 1 else ''}"
        if len(self.groups) != 2:
            return objects
        seen = [own[group.codes] for own, group in zip(numbers, self.groups, strict=True)]
        return f"{np.mean(seen[0] == seen[1]):.0%} of {objects} keep their colour"

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


def _check_positions(projection: Projection, n: int) -> None:
    if len(projection.points) != n:
        raise InputError(
            f"there are positions of {len(projection.points)} objects, but labels of {n}; pass the "
            "same objects in both."
        )


def _list_names(panel: "Axes", group: PanelClustering, numbers: Array) -> None:
    """List the names beside their markers below the panel."""
    names = show_names(group.names, width=18)
    order = group.largest_first()
    listed = order[:_LISTED]
    left = len(order) - len(listed)
    keys = [
        key_of(mark(number), names[k], fill=paint(number), edge="none")
        for k, number in zip(listed, numbers[listed].tolist(), strict=True)
    ]
    columns = 4 if max(len(names[k]) for k in listed) < 12 else 3
    title = f"the {_LISTED} largest; {left} more are not listed" if left else None
    keys_below(panel, keys, columns=columns, title=title)


def _limits(points: Array) -> list[tuple[float, float]]:
    found = []
    for values in points.T:
        there = values[np.isfinite(values)]
        low, high = (float(there.min()), float(there.max())) if there.size else (0.0, 1.0)
        edge = 0.04 * (high - low) or 0.5
        found.append((low - edge, high + edge))
    return found


def majority_image(
    ax: "Axes",
    points: Array,
    codes: Array,
    numbers: Array,
    certainty: Array | None = None,
) -> Any:
    """Draw the density of the objects as an image in the colour of the majority, and return it.

    ``codes`` are the clusters of the objects, ``numbers`` those of the colours of the clusters.
    Uncertain objects count less, and make their pixel paler.
    """
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    across, up = _IMAGE_SIZE
    x = ((points[:, 0] - left) / (right - left) * across).astype(np.int64).clip(0, across - 1)
    y = ((points[:, 1] - low) / (high - low) * up).astype(np.int64).clip(0, up - 1)
    pixels = y * across + x
    size = len(numbers)
    keys, of = np.unique(pixels * size + codes, return_inverse=True)
    weights = np.bincount(of, certainty, minlength=keys.size)
    counts = np.bincount(pixels, minlength=across * up)
    where, which = np.divmod(keys, size)
    # The cluster with the largest weight in a pixel comes last, and stays.
    order = np.lexsort((-which, weights, where))
    winner = np.full(across * up, -1)
    winner[where[order]] = which[order]
    weight = np.bincount(where, weights, minlength=across * up)
    full = counts > 0
    tones = np.array([to_rgb(paint(number)) for number in numbers.tolist()])
    image = np.zeros((across * up, 4))
    image[full, :3] = tones[winner[full]]
    most = np.log1p(counts.max())
    dense = np.log1p(counts[full]) / most
    image[full, 3] = (_FAINTEST + (1 - _FAINTEST) * dense) * weight[full] / counts[full]
    return ax.imshow(
        image.reshape(up, across, 4),
        extent=(left, right, low, high),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        zorder=1,
    )
