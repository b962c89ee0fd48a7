"""A map of clusterings, with similar ones near each other."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgba

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import InstanceOf, Real, Values
from clusterwise._utils.tables import format_count
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import draw_colorbar, key_of, keys_below, show_names
from clusterwise.plots._palette import FAINT, INK, PAPER, paint
from clusterwise.plots._point_labels import compute_layout, fit_equal, write_texts
from clusterwise.plots._scaling import as_distances, name_distance, scale_down
from clusterwise.plots.base import Display, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clusterwise.alternatives.metaclusterer import MetaClusterer
    from clusterwise.alternatives.results import FoundClusterings
    from clusterwise.comparing.compare_all import ComparisonMatrix

# Up to this number all clusterings are named; if there are more, only the marked ones.
_NAMED = 25
_MARKED = 6
_SMALLEST, _LARGEST, _STAR = 25.0, 220.0, 1.8
_SIZE = (7.0, 5.6)
# The size of the axes relative to the extent of the points.
_LIMITS = 1.3


class ClusteringMapDisplay(Display):
    """Clusterings as points whose distances approximate those of the clusterings.

    The positions are found by classical multidimensional scaling, refined by stress majorisation.
    The title states the proportion of the variance of the distances that two dimensions can show:
    if it is low, do not rely on the map. Directions have no meaning.

    Parameters
    ----------
    distances : array-like of shape (m, m)
        The distances between the clusterings.
    names : sequence of str
        Their names.
    n_clusters : sequence of float, optional
        The number of clusters of each, shown by the size of its point.
    quality : sequence of float, optional
        The quality of each, shown by the colour of its point. Points with NaN are hollow.
    given : sequence of int, default=()
        The indices of the given clusterings, drawn as stars.
    marked : sequence of int, default=()
        The indices of clusterings to outline.
    measure : str, default="distance"
        The name of the distance.
    quality_name : str, default="quality"
        The name of the quality.
    role : str, default="marked"
        The label of the outlined clusterings in the legend.

    Attributes
    ----------
    positions : ndarray of shape (m, 2)
        The positions on the map.
    share : float
        The squared correlation of the distances and those on the map.
    points_ : PathCollection
        All points except the given clusterings.
    given_ : PathCollection or None
        The given clusterings.
    marked_ : PathCollection or None
        The outlines.
    texts_ : list of Annotation
        The names.
    colorbar_ : Colorbar or None
        The colour bar of the quality.

    Examples
    --------
    >>> from clusterwise import compare_all
    >>> from clusterwise.plots import ClusteringMapDisplay
    >>> runs = {"one": [0, 0, 1, 1], "two": [0, 1, 0, 1], "three": [1, 1, 0, 0]}
    >>> display = ClusteringMapDisplay.from_matrix(compare_all(runs), given="one").plot()
    >>> round(display.share, 3)
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        # NaN is an unknown quality.
        "quality": Values(Real(-inf, inf, nan=True)) | InstanceOf(Mapping, "a mapping"),
    }

    def __init__(
        self,
        distances: Any,
        names: Sequence[Any],
        *,
        n_clusters: Sequence[float] | None = None,
        quality: Sequence[float] | None = None,
        given: Sequence[int] = (),
        marked: Sequence[int] = (),
        measure: str = "distance",
        quality_name: str = "quality",
        role: str = "marked",
    ) -> None:
        self.distances = np.asarray(distances, np.float64)
        self.names = list(names)
        self.n_clusters = None if n_clusters is None else np.asarray(n_clusters, np.float64)
        self.quality = None if quality is None else np.asarray(quality, np.float64)
        self.given = np.array(given, np.int64)
        self.marked = np.array(marked, np.int64)
        self.measure = measure
        self.quality_name = quality_name
        self.role = role
        m = len(self.names)
        for what, values in (
            ("distances", self.distances),
            ("n_clusters", self.n_clusters),
            ("quality", self.quality),
        ):
            if values is not None and len(values) != m:
                raise InputError(
                    f"{what} has {len(values)} values for {m} clusterings; pass one for each."
                )
        self.positions, self.share = scale_down(self.distances)

    @classmethod
    def from_matrix(
        cls,
        matrix: "ComparisonMatrix",
        *,
        quality: Mapping[str, float] | Sequence[float] | None = None,
        given: str | Sequence[str] | None = None,
        quality_name: str = "quality",
    ) -> Self:
        """Create the display from the result of :func:`~clusterwise.compare_all`.

        Parameters
        ----------
        matrix : ComparisonMatrix
            A measure over all pairs.
        quality : mapping of str to float, or sequence of float, optional
            The quality of each clustering, by name or in the order of the matrix.
        given : str or sequence of str, optional
            The names of the given clusterings.
        quality_name : str, default="quality"
            The name of the quality.
        """
        names = matrix.names
        if isinstance(quality, Mapping):
            for name in quality:
                _require(name, names)
            quality = [quality.get(name, np.nan) for name in names]
        stars = [given] if isinstance(given, str) else list(given or ())
        for name in stars:
            _require(name, names)
        return cls(
            as_distances(matrix.values, matrix.measure),
            names,
            n_clusters=matrix.n_clusters,
            quality=quality,
            given=[names.index(name) for name in stars],
            measure=name_distance(matrix.measure),
            quality_name=quality_name,
        )

    @classmethod
    def from_clusterings(
        cls,
        clusterings: Any,
        X: Any = None,
        *,
        measure: str = "variation_of_information",
        quality: Mapping[str, float] | Sequence[float] | None = None,
        given: str | Sequence[str] | None = None,
        quality_name: str = "quality",
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> Self:
        """Create the display from clusterings, as :func:`~clusterwise.compare_all` takes them.

        Other parameters are those of :meth:`from_matrix`.
        """
        from clusterwise.comparing.compare_all import compare_all

        matrix = compare_all(
            clusterings, X, measure=measure, sample_weight=sample_weight, noise=noise,
            noise_label=noise_label, align=align, missing=missing,
        )  # fmt: skip
        return cls.from_matrix(matrix, quality=quality, given=given, quality_name=quality_name)

    @classmethod
    def from_found(
        cls, found: "FoundClusterings", *, measure: str = "variation_of_information"
    ) -> Self:
        """Create the display from the result of :func:`~clusterwise.cluster_again`."""
        by_name = found.by_name()
        given = list(by_name)[: len(found.given)]
        quality = dict(
            zip(list(by_name)[len(given) :], (one.quality for one in found), strict=True)
        )
        return cls.from_clusterings(by_name, measure=measure, quality=quality, given=given)

    @classmethod
    def from_metaclusterer(cls, model: "MetaClusterer") -> Self:
        """Create the display from the base clusterings of a fitted MetaClusterer."""
        from sklearn.utils.validation import check_is_fitted

        from clusterwise.measures.pairs import rand_score

        check_is_fitted(model)
        base = model.base_labels_
        known = range(len(model.given_))
        total = len(base) + len(known)
        distances = np.zeros((total, total))
        distances[: len(base), : len(base)] = model.meta_distances_
        ones = [*base, *model.given_]
        for i in range(len(base), total):
            distances[i, :i] = [1.0 - rand_score(ones[i], other) for other in ones[:i]]
            distances[:i, i] = distances[i, :i]
        names = [f"run {i}" for i in range(len(base))]
        names += ["given"] if len(known) == 1 else [f"given {i + 1}" for i in known]
        return cls(
            distances,
            names,
            n_clusters=[int(one.max()) + 1 for one in ones],
            quality=[*model.base_compactness_, *(np.nan for _ in known)],
            given=range(len(base), total),
            marked=model.by_compactness_.tolist(),
            measure="1 − rand_score",
            quality_name="compactness (proportion of variance explained)",
            role="best of a meta-cluster",
        )

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw the map.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        self
        """
        panel = self._axes(ax, _SIZE)
        sizes, fills = self._sizes(), self._fills()
        is_given = np.isin(np.arange(len(self.names)), self.given)
        unknown = fills[:, 3] == 0

        def scatter(indices: Array, scale: float, **options: Any) -> Any:
            x, y = self.positions[indices].T
            return panel.scatter(x, y, scale * sizes[indices], **options)

        edges = np.where(unknown, INK, FAINT)[~is_given]
        self.points_ = scatter(~is_given, 1.0, facecolors=fills[~is_given], edgecolors=edges)
        self.given_ = self.marked_ = None
        if self.marked.size:
            outline = {"facecolors": "none", "edgecolors": INK, "linewidths": 1.5}
            self.marked_ = scatter(self.marked, 1.3, zorder=4, **outline)
        if self.given.size:
            stars = np.where(unknown[is_given, None], to_rgba(PAPER), fills[is_given])
            outline = {"facecolors": stars, "edgecolors": INK, "linewidths": 1.2}
            self.given_ = scatter(is_given, _STAR, marker="*", zorder=5, **outline)
        self._explain(panel)
        compute_layout(panel)
        fit_equal(panel, self.positions, _LIMITS)
        self.texts_ = self._name(panel, sizes)
        return self

    def _sizes(self) -> Array:
        """Return the areas of the points by their numbers of clusters."""
        largest = max(2 * _SMALLEST, _LARGEST * min(1.0, _NAMED / len(self.names)))
        if self.n_clusters is None:
            return np.full(len(self.names), largest / 2)
        return np.maximum(_SMALLEST, largest * self.n_clusters / self.n_clusters.max())

    def _fills(self) -> Array:
        """Return the colours of the points by quality; transparent where it is unknown."""
        m = len(self.names)
        self._scale = None
        if self.quality is None:
            return np.tile(to_rgba(paint(0), 0.85), (m, 1))
        known = self.quality[np.isfinite(self.quality)]
        fills = np.zeros((m, 4))
        if known.size:
            low, high = known.min(), known.max()
            spare = 0.0 if high > low else max(0.05, 0.1 * abs(low))
            self._scale = ScalarMappable(Normalize(low - spare, high + spare), "cividis")
            there = np.isfinite(self.quality)
            fills[there] = self._scale.to_rgba(self.quality[there])
        return fills

    def _name(self, panel: "Axes", sizes: Array) -> list[Any]:
        rest = np.setdiff1d(np.arange(len(self.names)), [*self.given, *self.marked])
        if self.quality is not None:
            rest = rest[np.argsort(-np.nan_to_num(self.quality[rest], nan=-np.inf), kind="stable")]
        few = len(self.names) <= _NAMED
        chosen = [*self.given, *(self.marked if few else self.marked[:_MARKED])]
        chosen += list(rest) if few else []
        names = show_names(self.names, width=20)
        return write_texts(
            panel,
            self.positions[chosen],
            [names[i] for i in chosen],
            obstacles=self.positions,
            around=np.sqrt(sizes) / 2,
            gap=np.sqrt(sizes[chosen] * np.where(np.isin(chosen, self.given), _STAR, 1.0)) / 2 + 4,
        )

    def _explain(self, panel: "Axes") -> None:
        panel.set_xlabel(f"distance ({self.measure}); directions have no meaning")
        panel.set_ylabel("distance")
        shown = f"the map shows {self.share:.0%} of the variance of the distances"
        if len(self.names) == 2:
            shown = f"they are {self.distances[0, 1]:.3g} apart"
        head = f"{format_count(len(self.names), 'clustering')}: nearer is more similar"
        panel.set_title(f"{head}\n{shown}")
        self.colorbar_ = None
        if self._scale is not None:
            self.colorbar_ = draw_colorbar(panel, self._scale, self.quality_name, shrink=0.8)
        keys = []
        if self.given.size:
            keys.append(key_of("*", "given", size=11))
        if self.marked.size:
            keys.append(key_of("o", self.role, size=8))
        if self.n_clusters is not None:
            ends = dict.fromkeys([int(self.n_clusters.argmin()), int(self.n_clusters.argmax())])
            keys += [
                key_of(
                    "o",
                    format_count(int(self.n_clusters[end]), "cluster"),
                    size=float(np.sqrt(self._sizes()[end])),
                    edge=FAINT,
                )
                for end in ends
            ]
        if keys:
            keys_below(panel, keys, columns=len(keys))


def _require(name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise InputError(f"there is no clustering {name!r}; use {', '.join(names[:10])}.")
