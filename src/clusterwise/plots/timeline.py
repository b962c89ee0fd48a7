"""The windows of a stream over time: similarity, births, deaths and sizes of clusters."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import (
    in_legend,
    place_legend,
    show_name,
    show_names,
    text_width,
    write_title,
)
from clusterwise.plots._palette import FAINT, INK, PAPER, Colours, colour_names, find_colours, paint
from clusterwise.plots.base import Display, styled
from clusterwise.streams.stream import ClusteringStream
from clusterwise.streams.window_report import WindowReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Follow = Literal["names", "matches"]

_DRIFT, _REFERENCE = paint(4), paint(0)
# The largest number of windows that are marked on the lines.
_MARKED = 60
# The largest number of clusters with a colour; smaller ones are drawn as one.
_SHOWN = 20
# With more windows, areas are drawn as an image.
_DENSE = 150
# Areas below this fraction of the largest window are not named.
_NAMED = 0.06
_LONG_LEGEND = 10
# The fraction of the width of the figure for windows, and the size of a letter in inches.
_DRAWN, _LETTER = 0.7, 0.11


class _Part(NamedTuple):
    name: str
    sizes: Array
    colour: str


class ClusterHistory(NamedTuple):
    """A cluster over time: its first name, its first window, and its size in each window."""

    name: Any
    since: int
    sizes: Array


class TimelineDisplay(Display):
    """The similarity of the windows of a stream, births and deaths of clusters, and their sizes.

    Parameters
    ----------
    reports : sequence of WindowReport
        The reports of consecutive windows.
    follow : {"names", "matches"}
        How clusters are identified across windows: by their names, or by their matches if every
        window was clustered afresh (``names="fresh"``).
    colours : list of one Colours, optional
        The colours of the clusters by name.

    Attributes
    ----------
    similarity_, reference_ : Line2D
        The similarity to the window one step before, and to the reference.
    drift_ : PathCollection
        Windows that differ significantly from the objects before them.
    births_, deaths_ : PathCollection
        The births and deaths.
    event_names_ : list of Text
        Their names, where they fit.
    areas_ : list of StepPatch
        The sizes of the clusters over time, from bottom to top.
    area_names_ : list of Text
        Their names, where they fit.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import ClusteringStream
    >>> from clusterwise.plots import TimelineDisplay
    >>> labels = np.repeat([0, 1, 0, 1, 2], 300)
    >>> X = np.random.default_rng(0).normal(labels, 0.3)[:, None]
    >>> display = TimelineDisplay.from_stream(ClusteringStream(window=600), [(X, labels)]).plot()
    >>> display.ax_.get_title(loc="left").split(";")[0]
    '3 windows: drift in 1, 1 birth and 2 deaths of clusters'
    """

    event_names_: list[Any]
    areas_: list[Any]
    area_names_: list[Any]

    def __init__(
        self,
        reports: Sequence[WindowReport],
        *,
        follow: Follow = "names",
        colours: Sequence[Colours] | None = None,
    ) -> None:
        self.reports = list(reports)
        if not self.reports:
            raise InputError("there are no windows to draw; pass the reports of a stream.")
        indices = [report.index for report in self.reports]
        if any(later <= sooner for sooner, later in pairwise(indices)):
            raise InputError(
                "the reports are not in the order of their windows; sort them by index."
            )
        self.follow = follow
        self.histories = follow_clusters(self.reports, by_name=follow == "names")
        self.colours = colours

    @classmethod
    def from_reports(cls, reports: Iterable[WindowReport], **options: Any) -> Self:
        """Create the display from the reports of a stream; ``options`` are those of the class."""
        return cls(list(reports), **options)

    @classmethod
    def from_stream(
        cls, stream: ClusteringStream, batches: Iterable[tuple[Any, Any]], **options: Any
    ) -> Self:
        """Run a stream and create the display; ``options`` are those of the class."""
        return cls(list(stream.run(batches)), **options)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes (three, or one that is divided) or on a new figure."""
        count = len(self.reports)
        width = float(np.clip(4.0 + 0.12 * count, 7.5, 13.0)) + (len(self.histories) > _LONG_LEGEND)
        axes = self._grid(ax, 3, 1, (width, 6.5), sharex=True, height_ratios=(4, 1.8, 4))
        similarity, events, sizes = axes[:, 0]
        at = np.array([report.index for report in self.reports])
        sizes.set_xlim(at[0] - 0.6, at[-1] + 0.6)
        self._draw_similarity(similarity, at)
        # The width of a letter in windows.
        letter = _LETTER / (_DRAWN * width) * (at[-1] - at[0] + 1.2)
        self._draw_events(events, letter)
        self._draw_sizes(sizes, at, letter)
        write_title(similarity, self._title())
        return self

    def _draw_similarity(self, ax: "Axes", at: Array) -> None:
        mark = len(at) <= _MARKED
        before = _values(report.similarity for report in self.reports)
        reference = _values(report.reference_similarity for report in self.reports)
        (self.similarity_,) = ax.plot(
            at, before, "-", marker="o" if mark else None, markersize=4, color=INK, linewidth=1.2,
            label="to the window before",
        )  # fmt: skip
        (self.reference_,) = ax.plot(
            at, reference, "--", marker="s" if mark else None, markersize=4, color=_REFERENCE,
            linewidth=1.2, label="to the reference",
        )  # fmt: skip
        both = np.concatenate([before, reference])
        lowest = float(np.nanmin(both)) if not np.isnan(both).all() else 0.0
        floor = max(0.0, np.floor(10 * lowest - 0.5) / 10)
        ax.set_ylim(floor, 1.0 + 0.12 * (1.0 - floor))
        drifts = np.array([report.index for report in self.reports if report.drift])
        high = np.full(drifts.size, 1.0 + 0.06 * (1.0 - floor))
        self.drift_ = ax.scatter(drifts, high, s=36, marker="X", color=_DRIFT, label="drift")
        ax.vlines(drifts, floor, high, color=_DRIFT, linewidth=0.8, alpha=0.35, zorder=0)
        ax.set_ylabel("similarity")
        place_legend(ax)

    def _draw_events(self, ax: "Axes", letter: float) -> None:
        self.event_names_ = []
        self.births_ = self._draw_event(ax, "births", 1, letter)
        self.deaths_ = self._draw_event(ax, "deaths", -1, letter)
        ax.set_yticks([1, -1], ["births", "deaths"], fontsize="small")
        ax.set_ylim(-3, 3)
        ax.tick_params(left=False)
        ax.spines["left"].set_visible(False)

    def _draw_event(self, ax: "Axes", kind: str, side: int, letter: float) -> Any:
        """Draw marks above or below the middle, and names where they fit."""
        events = [(report.index, getattr(report, kind)) for report in self.reports]
        events = [(at, names) for at, names in events if names]
        free = -np.inf
        for at, names in events:
            text = show_name(names[0], 14) + (f" + {len(names) - 1}" if names[1:] else "")
            half = text_width(text) * letter / 2
            if at - half < free:
                continue
            free = at + half + letter
            self.event_names_.append(
                ax.annotate(
                    text, (at, side), xytext=(0, 6 * side), textcoords="offset points",
                    ha="center", va="bottom" if side > 0 else "top", fontsize="x-small",
                    annotation_clip=False,
                )
            )  # fmt: skip
        return ax.scatter(
            [at for at, _ in events], [side] * len(events), marker="^" if side > 0 else "v",
            s=30 if len(self.reports) <= _MARKED else 10, linewidth=0.8, edgecolor=INK,
            facecolor=INK if side > 0 else "none",
        )  # fmt: skip

    def _draw_sizes(self, ax: "Axes", at: Array, letter: float) -> None:
        parts = self._parts()
        edges = np.concatenate([[at[0] - 0.5], (at[1:] + at[:-1]) / 2, [at[-1] + 0.5]])
        highest = np.sum([part.sizes for part in parts], axis=0).max()
        dense = at.size > _DENSE
        floor = np.zeros(at.size)
        self.areas_, self.area_names_ = [], []
        for part, name in zip(parts, show_names([part.name for part in parts], 16), strict=True):
            top = floor + part.sizes
            self.areas_.append(
                ax.stairs(
                    top, edges, baseline=floor, fill=True, facecolor=part.colour,
                    label=in_legend(name), edgecolor=PAPER, linewidth=0.0 if dense else 0.3,
                    rasterized=dense,
                )
            )  # fmt: skip
            high = _longest_run(part.sizes >= max(_NAMED * highest, part.sizes.max() / 2))
            text = show_name(part.name, 12)
            if high.size and text_width(text) * letter <= high.size:
                middle = high[high.size // 2]
                self.area_names_.append(
                    ax.text(
                        at[middle], (floor[middle] + top[middle]) / 2, text, fontsize="x-small",
                        ha="center", va="center",
                        path_effects=[withStroke(linewidth=2, foreground=PAPER)],
                    )
                )  # fmt: skip
            floor = top
        ax.set(xlabel="window", ylabel="objects by cluster", ylim=(0, 1.02 * highest))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        place_legend(ax, reverse=True, ncols=1 + (len(parts) > _LONG_LEGEND))

    def _parts(self) -> list[_Part]:
        """Return the areas: the clusters with the largest sizes, and the rest as one."""
        peaks = np.array([history.sizes.max() for history in self.histories])
        numbers = self._numbers()
        largest = np.sort(np.argsort(-peaks, kind="stable")[:_SHOWN])
        rest = np.setdiff1d(np.arange(peaks.size), largest)
        parts = [_Part(self._name(k), self.histories[k].sizes, paint(numbers[k])) for k in largest]
        if rest.size:
            sizes = np.sum([self.histories[k].sizes for k in rest], axis=0)
            parts.append(_Part(f"{rest.size} smaller ones", sizes, FAINT))
        return parts

    def _numbers(self) -> list[int]:
        """Return the number of the colour of each cluster."""
        names = [history.name for history in self.histories]
        if self.follow == "matches":
            return list(colour_names(names).numbers.tolist())
        own = find_colours(names, self.colours[0] if self.colours else None)
        known = dict(zip(own.names, own.numbers.tolist(), strict=True))
        return [known[name] for name in names]

    def _name(self, k: int) -> str:
        history = self.histories[k]
        is_unique = history.since == self.reports[0].index or self.follow == "names"
        return str(history.name) if is_unique else f"{history.name} of {history.since}"

    def _title(self) -> str:
        drifts = sum(report.drift for report in self.reports)
        births, deaths = (
            sum(len(getattr(report, kind)) for report in self.reports)
            for kind in ("births", "deaths")
        )
        text = (
            f"{format_count(len(self.reports), 'window')}: drift in {drifts}, "
            f"{format_count(births, 'birth')} and {format_count(deaths, 'death')} of clusters"
        )
        known = [report for report in self.reports if report.similarity is not None]
        if not known:
            return text
        least = min(known, key=lambda report: report.similarity or 0.0)
        lowest = f"({least.similarity:.2f})"
        return f"{text}; window {least.index} is least similar to the one before {lowest}"


def _values(values: Iterable[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values])


def _longest_run(here: Array) -> Array:
    """Return the indices of the longest run of True values."""
    runs = np.split(np.arange(here.size), np.flatnonzero(np.diff(here)) + 1)
    return max([run[here[run]] for run in runs], key=len)


def follow_clusters(reports: Sequence[WindowReport], *, by_name: bool) -> list[ClusterHistory]:
    """Return the clusters of all windows, in the order in which they appear."""
    histories: list[ClusterHistory] = []
    now: dict[Any, int] = {}
    for at, report in enumerate(reports):
        before = now if by_name else _matched(report, now)
        now = dict(before) if by_name else {}
        for name, size in report.sizes.items():
            if name not in before:
                before[name] = len(histories)
                histories.append(ClusterHistory(name, report.index, np.zeros(len(reports))))
            now[name] = before[name]
            histories[now[name]].sizes[at] = size
    return histories


def _matched(report: WindowReport, before: dict[Any, int]) -> dict[Any, int]:
    """Return the earlier cluster that each cluster of a window continues, if any."""
    return {
        match.now: before[match.before]
        for match in report.matches
        if match.now not in report.births and match.before in before
    }
