"""The trade-off between quality and dissimilarity of alternatives."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from matplotlib.ticker import MaxNLocator

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Numbers
from clusterwise._utils.tables import format_count, format_number
from clusterwise.alternatives.results import FoundClusterings, pareto_front
from clusterwise.alternatives.tradeoff import TradeoffCurve
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import harmonic_mean
from clusterwise.plots._annotations import place_legend, show_name, show_names, write_title
from clusterwise.plots._palette import FAINT, INK, paint
from clusterwise.plots._point_labels import write_texts
from clusterwise.plots.base import Display, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (7.0, 5.0)
_FRONT, _CHOSEN = paint(0), paint(4)
_LARGE = 42
# The largest number of names that are written at one point.
_SPELT = 2
# The largest number of points that are named.
_NAMED = 15
# The margin relative to the extent of the points, and the least extent.
_MARGIN, _LEAST_REACH = 0.15, 0.05
# The approximate number of lines of equal DQ.
_LEVELS = 5
# Labels nearer than these fractions of the axes would overlap.
_APART = (0.12, 0.045)


class TradeoffDisplay(Display):
    """The quality of clusterings against their dissimilarity to the given clustering.

    Points further up and further right are better; a line joins those on the Pareto front. Behind
    them are lines of equal DQ, the harmonic mean. Degenerate clusterings are hollow. An infinite
    quality is drawn at the upper edge and labelled.

    Parameters
    ----------
    quality, dissimilarity : array-like of shape (m,)
        The scores of each clustering.
    names : sequence of str
        The names of the clusterings; those with equal scores share a point and a name.
    front : array-like of int
        The indices of those on the Pareto front.
    degenerate : array-like of bool of shape (m,), optional
        Which of them are degenerate.
    chosen : int, optional
        The index of the one to mark.
    measures : tuple of str
        The names of the measures of quality and dissimilarity.
    role : str
        The role of the marked one: "chosen" or "suggested".
    prefix : str
        Written before names that are ordered values, such as thresholds.

    Attributes
    ----------
    points_ : PathCollection
        The clusterings on the front.
    behind_ : PathCollection
        The other clusterings.
    hollow_ : PathCollection
        The degenerate clusterings.
    front_ : Line2D or None
        The Pareto front, in steps.
    chosen_ : Line2D or None
        The marked clustering.
    levels_ : list of Line2D
        Lines of equal DQ.
    names_ : list of Annotation
        The names beside points, that of the marked clustering first.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "quality": Numbers(),
        "dissimilarity": Numbers(),
    }

    def __init__(
        self,
        quality: Any,
        dissimilarity: Any,
        names: Sequence[Any],
        *,
        front: Any,
        degenerate: Any = None,
        chosen: int | None = None,
        measures: tuple[str, str] = ("", ""),
        role: str = "chosen",
        prefix: str = "",
    ) -> None:
        self.quality = np.asarray(quality, np.float64)
        self.dissimilarity = np.asarray(dissimilarity, np.float64)
        self.names = list(names)
        if not self.quality.size:
            raise InputError("there are no clusterings to draw; pass at least one.")
        if not self.quality.size == self.dissimilarity.size == len(self.names):
            raise InputError(
                f"quality has {self.quality.size} values, dissimilarity "
                f"{self.dissimilarity.size} and names {len(self.names)}; pass one per clustering."
            )
        self.front = np.asarray(front, np.int64)
        none = np.zeros(self.quality.size, np.bool_)
        self.degenerate = none if degenerate is None else np.asarray(degenerate, np.bool_)
        self.chosen = chosen
        self.measures = measures
        self.role = role
        self.prefix = prefix

    @classmethod
    def from_curve(cls, curve: TradeoffCurve, *, chosen: float | None = None) -> Self:
        """Create the display from a trade-off curve; ``chosen`` or the suggestion is marked."""
        described = curve.to_dict()
        omegas = curve.omegas.tolist()
        if chosen is not None and chosen not in omegas:
            raise InputError(
                f"chosen={chosen!r} is not one of the thresholds; use one of {omegas}."
            )
        marked = curve.suggested if chosen is None else chosen
        return cls(
            curve.quality,
            curve.dissimilarity,
            [f"{omega:g}" for omega in omegas],
            front=curve.pareto,
            degenerate=curve.degenerate,
            chosen=None if marked is None else omegas.index(marked),
            measures=(described["quality_measure"], described["dissimilarity_measure"]),
            role="suggested" if chosen is None else "chosen",
            prefix="ω = ",
        )

    @classmethod
    def from_found(cls, found: FoundClusterings) -> Self:
        """Create the display from alternatives; the first one, the suggestion, is marked."""
        values = np.array([[one.quality, one.dissimilarity] for one in found]).reshape(-1, 2)
        degenerate = np.array([one.degenerate for one in found], np.bool_)
        proper = np.flatnonzero(~degenerate)
        methods = [one.method for one in found]
        names = [
            f"{method} [{i}]" if methods.count(method) > 1 else method
            for i, method in enumerate(methods)
        ]
        return cls(
            values[:, 0],
            values[:, 1],
            names,
            front=proper[pareto_front(values[proper])],
            degenerate=degenerate,
            chosen=0,
            role="suggested",
        )

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        ax = self._axes(ax, _SIZE)
        x, y = self.dissimilarity, self._heights()
        _set_limits(ax, x, y)
        self.levels_ = draw_levels(ax)
        self.front_ = self._draw_front(ax, x, y)
        self.points_ = self._draw_points(ax, x, y, front=True)
        self.behind_ = self._draw_points(ax, x, y, front=False)
        bad = self.degenerate
        self.hollow_ = ax.scatter(
            x[bad], y[bad], s=_LARGE, facecolor="none", edgecolor=INK, zorder=3,
            label="degenerate" if bad.any() else None,
        )  # fmt: skip
        self.chosen_ = None
        if self.chosen is not None:
            self.chosen_ = ax.plot(
                x[self.chosen], y[self.chosen], "o", markersize=14, color=_CHOSEN,
                markerfacecolor="none", markeredgewidth=2, zorder=4, label=self.role,
            )[0]  # fmt: skip
        self.names_ = self._write_names(ax, x, y)
        quality, dissimilarity = (f" ({show_name(by)})" if by else "" for by in self.measures)
        ax.set(
            xlabel=f"dissimilarity to the given clustering{dissimilarity} →",
            ylabel=f"quality{quality} →",
        )
        write_title(ax, self._title())
        left_out = len({*zip(x.tolist(), y.tolist(), strict=True)}) - len(self.names_)
        note = f"{format_count(left_out, 'point')}\nwithout a name" if left_out else None
        place_legend(ax, title=note, title_fontsize="x-small", alignment="left")
        return self

    def _heights(self) -> Array:
        """Return the quality, with a position at the top for infinite values."""
        finite = np.isfinite(self.quality)
        top = self.quality[finite].max(initial=0.0)
        return np.where(finite, self.quality, 1.15 * top if top else 1.0)

    def _draw_front(self, ax: "Axes", x: Array, y: Array) -> Any:
        if not self.front.size:
            return None
        order = self.front[np.argsort(x[self.front], kind="stable")]
        # Left of a point of the front, a clustering of its quality exists.
        (line,) = ax.plot(
            np.repeat(x[order], 2)[:-1], np.repeat(y[order], 2)[1:], color=_FRONT, linewidth=1.5,
            alpha=0.7, zorder=2, label="Pareto front",
        )  # fmt: skip
        return line

    def _draw_points(self, ax: "Axes", x: Array, y: Array, *, front: bool) -> Any:
        here = ~self.degenerate & (np.isin(np.arange(x.size), self.front) == front)
        label = "on the front" if front else "not on the front"
        return ax.scatter(
            x[here], y[here], s=_LARGE if front else _LARGE / 3, color=_FRONT if front else INK,
            marker="o" if front else "s", zorder=3, label=label if here.any() else None,
        )  # fmt: skip

    def _write_names(self, ax: "Axes", x: Array, y: Array) -> list[Any]:
        """Write the name of the marked one, those of the front, then others if there are few."""
        shared: dict[tuple[float, float], list[int]] = {}
        for i, spot in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
            shared.setdefault(spot, []).append(i)
        rank = np.where(np.isin(np.arange(x.size), self.front), 1, 2)
        if self.chosen is not None:
            rank[self.chosen] = 0
        groups = sorted(shared.values(), key=lambda group: rank[group].min())[:_NAMED]
        first = [group[0] for group in groups]
        names = [self._join(group) for group in groups]
        spots = np.column_stack([x, y])
        front = np.empty((0, 2)) if self.front_ is None else _sampled(self.front_.get_xydata())
        written = write_texts(
            ax, spots[first], names, obstacles=np.concatenate([spots, front]), gap=8.0
        )
        if self.chosen is not None:
            written[0].set_fontweight("bold")
        return written

    def _join(self, group: list[int]) -> str:
        names = show_names([self.names[i] for i in group])
        if self.prefix:
            indices = np.arange(len(group))
            runs = np.split(indices, np.flatnonzero(np.diff(group) > 1) + 1)
            names = [_span([names[i] for i in run]) for run in runs]
        infinite = "" if np.isfinite(self.quality[group[0]]) else " (∞)"
        more = f" + {len(names) - _SPELT}" if len(names) > _SPELT else ""
        return self.prefix + ", ".join(names[:_SPELT]) + more + infinite

    def _title(self) -> str:
        count = format_count(self.quality.size, "clustering")
        if self.chosen is None:
            return f"None of {count} is {self.role}; {self.degenerate.sum()} are degenerate"
        quality, other = self.quality[self.chosen], self.dissimilarity[self.chosen]
        return (
            f"{self.prefix}{show_name(self.names[self.chosen])} is {self.role}, of {count}: "
            f"quality {format_number(quality)}, dissimilarity {format_number(other)}, "
            f"DQ {format_number(harmonic_mean(quality, other))}"
        )


def _sampled(corners: Array) -> Array:
    """Return points along the line from corner to corner."""
    parts = [np.linspace(*ends, 30) for ends in pairwise(corners)]
    return np.concatenate([corners, *parts])


def _span(names: list[str]) -> str:
    return f"{names[0]} … {names[-1]}" if len(names) > _SPELT else ", ".join(names)


def _set_limits(ax: "Axes", x: Array, y: Array) -> None:
    limits = []
    for values in (x, y):
        reach = max(_LEAST_REACH, float(values.max() - values.min()))
        low = max(0.0, float(values.min()) - _MARGIN * reach)
        limits.append((low - 0.02 * reach, float(values.max()) + _MARGIN * reach))
    ax.set(xlim=limits[0], ylim=limits[1])


def draw_levels(ax: "Axes") -> list[Any]:
    """Draw lines of equal DQ: quality = DQ · d / (2d - DQ)."""
    (left, right), (low, high) = np.maximum([ax.get_xlim(), ax.get_ylim()], 0.0)
    lines: list[Any] = []
    ends: list[Array] = []
    top = harmonic_mean(high, right)
    for level in MaxNLocator(_LEVELS).tick_values(harmonic_mean(low, left), top):
        # Where quality reaches the top, and where it reaches the bottom or the right edge.
        start = max(left, _side(level, high))
        stop = min(right, _side(level, low))
        if level <= 0 or not start < stop:
            continue
        x = np.linspace(start, stop, 100)
        y = level * x / (2 * x - level)
        lines += ax.plot(x, y, color=FAINT, linewidth=0.8, zorder=1)
        end = np.array([(x[-1] - left) / (right - left), (y[-1] - low) / (high - low)])
        if any((np.abs(end - other) < _APART).all() for other in ends):
            continue
        ends.append(end)
        ax.annotate(
            f"DQ {level:g}", (x[-1], y[-1]), xytext=(-3, 3), textcoords="offset points",
            ha="right", va="bottom", fontsize="x-small", alpha=0.65,
        )  # fmt: skip
    return lines


def _side(level: float, other: float) -> float:
    """Return the other score on a line of equal DQ, given one of the two scores."""
    return level * other / (2 * other - level) if 2 * other > level else np.inf
