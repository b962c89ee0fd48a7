"""The density profiles of matched clusters by feature."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count, format_list, format_share
from clusterwise.comparing.compare import compare
from clusterwise.comparing.compare_profiles import ProfileComparison, compare_profiles
from clusterwise.comparing.matches import MatchBy
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.plots._annotations import show_name, show_names, wrap_text
from clusterwise.plots._palette import INK, Colours, colour_clusters, colour_names
from clusterwise.plots.base import Display, styled
from clusterwise.summaries.profile.profile import DensityProfile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import StepPatch
    from matplotlib.text import Text

    from clusterwise.comparing.comparison_result import Comparison

_PANEL = (1.45, 0.95)
# Differences of less than this proportion are not marked.
_VISIBLE = 0.02
_HEADING = 14
_TICKS = 3
# The letters of a name below its bin, at least, and of all names below a panel.
_SPELT, _LETTERS = 7, 24


class Mark(NamedTuple):
    """A marked bin: its row and column of panels, its index, and the difference in it."""

    row: int
    column: int
    bin: int
    difference: float


class ProfileDisplay(Display):
    """Small multiples of the density profiles that ADCO compares: features × matched clusters.

    Each panel shows the proportion of a cluster in each bin of a feature: filled for the cluster
    of the first clustering, as a line for its match. If there are too many panels, the features
    and pairs with the largest differences are shown: the proportion of objects that would have to
    change bins, weighted by the sizes of the clusters.

    Parameters
    ----------
    profiles : ProfileComparison
        From :func:`~clusterwise.compare_profiles`, or ``comparison.density``.
    colours : list of Colours, optional
        The colours of the clusters of both; those of the first clustering are used to fill.
    noise_label : default=-1
        The label of noise, which is drawn in grey.
    most_features, most_pairs : int, default=8 and 6
        The largest number of rows and columns of panels.
    marks : int, default=8
        The largest number of marked bins, those with the largest differences.

    Attributes
    ----------
    ax_ : Axes
        The axes around all panels, which are ``axes_``, features × pairs.
    fills_, lines_ : list of StepPatch
        The proportions of the clusters of both clusterings, panel by panel, row by row.
    headings_ : list of Text
        The names of the pairs, above their panels.
    marks_ : list of Mark
        The marked bins.

    Examples
    --------
    >>> from clusterwise.plots import ProfileDisplay
    >>> X = [[1.0], [2.0], [3.0], [8.0], [9.0]]
    >>> display = ProfileDisplay.from_clusterings(list("xxxyy"), list("ppqqq"), X).plot()
    >>> display.axes_.shape
    (1, 2)
    """

    fills_: "list[StepPatch]"
    lines_: "list[StepPatch]"
    headings_: "list[Text]"
    marks_: list[Mark]

    def __init__(
        self,
        profiles: ProfileComparison,
        *,
        colours: Sequence[Colours] | None = None,
        noise_label: Any = -1,
        most_features: int = 8,
        most_pairs: int = 6,
        marks: int = 8,
    ) -> None:
        if not profiles.rows.size:
            raise InputError(
                "no two clusters have objects in the same bins, so there is nothing to draw; "
                "compare clusterings of similar data."
            )
        self.profiles = profiles
        self.colours = list(colours or [colour_names(profiles.a.names, noise_label=noise_label)])
        unknown = set(name_list(profiles.a.names)).difference(self.colours[0].names)
        if unknown:
            raise InputError(
                f"there is no colour for cluster {unknown.pop()!r}; pass one for each."
            )
        self.marks = marks
        self._feature_names = show_names(profiles.binning.names, 18)
        differences = self._differences()
        self.pairs = np.argsort(-differences.sum(axis=1), kind="stable")[:most_pairs]
        per_feature = differences[self.pairs].sum(axis=0)
        self.features = np.argsort(-per_feature, kind="stable")[:most_features]
        self.differences = per_feature[self.features]
        total = differences.sum()
        self.share = float(self.differences.sum() / total) if total else 1.0

    def _differences(self) -> Array:
        """Return the proportion of objects that would have to change bins, per pair and feature."""
        found = self.profiles
        first, second = found.proportions
        offsets = found.binning.offsets[:-1]
        moved = np.add.reduceat(np.abs(second - first), offsets, axis=1) / 2
        sizes = found.a.sizes[found.rows] + found.b.sizes[found.columns]
        return moved * (sizes / (found.a.n + found.b.n))[:, None]

    @classmethod
    def from_profiles(
        cls,
        a: DensityProfile,
        b: DensityProfile,
        *,
        names: tuple[str, str] = ("a", "b"),
        match: MatchBy = "auto",
        noise_label: Any = -1,
        **options: Any,
    ) -> Self:
        """Create the display from two density profiles with the same bins.

        ``match`` is as in :func:`~clusterwise.compare_profiles`.
        """
        found = compare_profiles(a, b, names=names, match=match, noise_label=noise_label)
        return cls(found, noise_label=noise_label, **options)

    @classmethod
    def from_clusterings(
        cls,
        a: Any,
        b: Any,
        X: Any,
        *,
        names: tuple[str, str] | None = None,
        match: MatchBy = "auto",
        binning: Binning | Method = "width",
        n_bins: int = 10,
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
        **options: Any,
    ) -> Self:
        """Create the display from two clusterings of the objects in ``X``.

        Parameters
        ----------
        a, b : array-like of shape (n,), or memberships of shape (n, K)
            Labels of the same objects.
        X : array-like or frame of shape (n, R)
            The features of the objects.
        names : tuple of two str, optional
            The names of the clusterings.
        match, binning, n_bins, sample_weight, noise, noise_label, align, missing
            As in :func:`~clusterwise.compare`.
        **options
            Options of :class:`ProfileDisplay`.
        """
        found = compare(
            a, b, X, measures=["adco_score"], names=names, match=match, binning=binning,
            n_bins=n_bins, sample_weight=sample_weight, noise=noise, noise_label=noise_label,
            align=align, missing=missing,
        )  # fmt: skip
        return cls.from_comparison(found, **options)

    @classmethod
    def from_comparison(cls, comparison: "Comparison", **options: Any) -> Self:
        """Create the display from a comparison with ``X``; ``options`` are those of the class."""
        density = comparison.density
        if options.get("colours") is None:
            noise = options.get("noise_label", comparison.noise_label)
            options["colours"] = colour_clusters(
                [comparison.table], match=comparison.match, noise_label=noise
            )
        return cls(density, **options)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, which are divided, or on a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        self
        """
        height, width = self.features.size, self.pairs.size
        size = (max(6.5, 2.3 + _PANEL[0] * width), 1.6 + _PANEL[1] * height)
        panels = self._grid(ax, height, width, size, sharex="row", sharey="row")
        paints = dict(zip(self.colours[0].names, self.colours[0].paints, strict=True))
        self.marks_ = self._choose_marks()
        self.fills_, self.lines_ = [], []
        for i, r in enumerate(self.features.tolist()):
            for j, k in enumerate(self.pairs.tolist()):
                first, second = (one[k][self._bins(r)] for one in self.profiles.proportions)
                edges = np.arange(first.size + 1)
                name = name_list(self.profiles.a.names[self.profiles.rows])[k]
                fill = panels[i, j].stairs(first, edges, fill=True, color=paints[name], alpha=0.6)
                line = panels[i, j].stairs(second, edges, color=INK, lw=1.1)
                self.fills_.append(fill)
                self.lines_.append(line)
            self._name_bins(panels[i], r)
        for mark in self.marks_:
            panel = panels[mark.row, mark.column]
            panel.axvspan(mark.bin, mark.bin + 1, color=INK, alpha=0.12, lw=0, zorder=0)
            write_difference(panel, mark)
        self.ax_ = frame_panels(panels)
        self._name_panels(panels, size[0] - 1.6 if ax is None else None)
        return self

    def _bins(self, r: int) -> Array:
        """Return the bins of a feature that are drawn: regular ones, and others with objects."""
        binning = self.profiles.binning
        start, stop = binning.offsets[r : r + 2]
        counts = [profile.counts for profile in self.profiles.shown]
        filled = np.concatenate([part[:, start:stop] for part in counts]).any(axis=0)
        regular = np.arange(stop - start) < binning.features[r].regular
        return start + np.flatnonzero(regular | filled)

    def _choose_marks(self) -> list[Mark]:
        first, second = self.profiles.proportions
        found = []
        for i, r in enumerate(self.features.tolist()):
            bins = self._bins(r)
            for j, k in enumerate(self.pairs.tolist()):
                differences = (second[k] - first[k])[bins].tolist()
                found += [Mark(i, j, at, difference) for at, difference in enumerate(differences)]
        found.sort(key=lambda mark: -abs(mark.difference))
        return [mark for mark in found[: self.marks] if abs(mark.difference) >= _VISIBLE]

    def _name_bins(self, panels: Array, r: int) -> None:
        """Write the name of a feature, its scale, and its first and last bins."""
        feature = self.profiles.binning.features[r]
        bins = self._bins(r)
        start = int(self.profiles.binning.offsets[r])
        panels[0].set_ylabel(
            self._feature_names[r], rotation=0, ha="right", va="center", fontsize="small"
        )
        positions, texts = bin_ticks(feature, bins - start)
        for panel in panels:
            panel.set_xlim(0, bins.size)
            panel.set_xticks(positions, texts, fontsize="x-small")
            panel.tick_params(length=2, pad=1.5)
            panel.set_facecolor("none")
            if feature.edges is not None and feature.regular > 1:
                labels = panel.get_xticklabels()
                labels[0].set_ha("left")
                labels[1].set_ha("right")
        top = max(one[:, bins][self.pairs].max() for one in self.profiles.proportions)
        # Leave space above the bars for the numbers at marks.
        panels[0].set_ylim(0, top * 1.35)
        panels[0].set_yticks([top], [f"{top:.0%}"], fontsize="x-small")

    def _name_panels(self, panels: Array, inches: float | None) -> None:
        found = self.profiles
        sides = (found.a, found.rows), (found.b, found.columns)
        every = [show_names(name_list(profile.names), 13) for profile, _ in sides]
        first, second = (
            [names[k] for k in indices[self.pairs]]
            for names, (_, indices) in zip(every, sides, strict=True)
        )
        long = any(len(a) + len(b) > _HEADING for a, b in zip(first, second, strict=True))
        self.headings_ = [
            panel.annotate(
                f"{a}\n→ {b}" if long else f"{a} → {b}", (0.5, 1), (0, 4),
                xycoords="axes fraction", textcoords="offset points",
                ha="center", va="bottom", fontsize="small",
            )
            for panel, a, b in zip(panels[0], first, second, strict=True)
        ]  # fmt: skip
        frame = self.ax_
        if inches is None:
            box = frame.get_window_extent()
            inches = box.width / frame.figure.dpi
        # The empty lines leave space for the names of the pairs and the ends of the bins.
        frame.set_title(wrap_text(frame, self._title(), inches) + "\n " * (1 + long), loc="left")
        notes = wrap_text(frame, self._notes(), inches * 1.15)
        frame.set_xlabel(f"\n{notes}", loc="left", fontsize="small", multialignment="left")

    def _title(self) -> str:
        found = self.profiles
        a, b = (show_name(name) for name in found.names)
        if not self.marks_:
            return f"{a} and {b}: matched clusters have equal profiles (ADCO {found.adco:.2f})"
        differing = self.features[self.differences > 0][:2]
        names = [self._feature_names[r] for r in differing]
        return (
            f"{a} and {b}: matched clusters differ most in {' and '.join(names)} "
            f"(ADCO {found.adco:.2f})"
        )

    def _notes(self) -> str:
        found = self.profiles
        a, b = (show_name(name) for name in found.names)
        notes = [f"Proportion of each cluster per bin; filled: {a}, line: {b}."]
        if self.marks_:
            notes.append("Marked: the largest differences, in percentage points.")
        left_out = []
        if self.features.size < len(found.binning.names):
            left_out.append(f"{self.features.size} of {len(found.binning.names)} features")
        if self.pairs.size < found.rows.size:
            left_out.append(f"{self.pairs.size} of {found.rows.size} pairs of clusters")
        if left_out:
            shown = " and ".join(left_out)
            notes.append(f"Shown: {shown}, with {format_share(self.share)} of the difference.")
        if any(self._bins(r).size > found.binning.features[r].regular for r in self.features):
            notes.append("?: missing or new values.")
        if found.binning.method == "auto":
            names = [
                self._feature_names[r]
                for r in sorted(self.features.tolist())
                if found.binning.method_of(found.binning.features[r]) == "frequency"
            ]
            if names:
                notes.append(f"Skewed, so in bins of equal counts: {format_list(names)}.")
        unmatched = sum(found.cluster_counts) - 2 * found.rows.size
        if unmatched:
            notes.append(f"{format_count(unmatched, 'cluster')} not matched.")
        return " ".join(notes)


def frame_panels(panels: Array) -> "Axes":
    """Return axes around all panels, for the title and the notes."""
    first, last = panels[0, 0].get_subplotspec(), panels[-1, -1].get_subplotspec()
    if first is None or last is None or first.get_gridspec() is not last.get_gridspec():
        return panels[0, 0]
    rows = slice(first.rowspan.start, last.rowspan.stop)
    columns = slice(first.colspan.start, last.colspan.stop)
    around = panels[0, 0].figure.add_subplot(first.get_gridspec()[rows, columns], frameon=False)
    around.set(xticks=[], yticks=[], zorder=-1)
    return around


def bin_ticks(feature: FeatureBins, bins: Array) -> tuple[list[float], list[str]]:
    """Return positions and labels of ticks: ends of numeric bins or categories, and missing."""
    regular = feature.regular
    extra = [(float(at) + 0.5, "?") for at in range(regular, bins.size)]
    if feature.edges is not None:
        low, *_, high = feature.edge_texts()
        found = [(0.5, low)] if low == high else [(0.0, low), (float(regular), high)]
    else:
        step = -(-regular // _TICKS)
        texts = feature.bin_names()
        letters = max(_SPELT, _LETTERS // max(1, regular))
        found = [(at + 0.5, show_name(texts[at], letters)) for at in range(0, regular, step)]
    found += extra
    return [position for position, _ in found], [text for _, text in found]


def write_difference(panel: "Axes", mark: Mark) -> None:
    """Write the difference above a bin, unless a larger one is written near it."""
    _, width = panel.get_xlim()
    x = min(max(mark.bin + 0.5, width * 0.14), width * 0.86)
    if all(abs(text.get_position()[0] - x) > width * 0.25 for text in panel.texts):
        panel.text(
            x, 0.98, f"{100 * mark.difference:+.0f}", transform=panel.get_xaxis_transform(),
            ha="center", va="top", fontsize="x-small", color=INK,
        )  # fmt: skip
