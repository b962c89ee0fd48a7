"""The distribution of co-associations, and the stability of numbers of clusters."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from matplotlib.ticker import MaxNLocator

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_amount, format_score, format_share
from clusterwise.consensus.stability import (
    CoAssociationCurve,
    NumberStability,
    co_association_curve,
    number_stability,
)
from clusterwise.plots._annotations import place_legend, show_names, write_title
from clusterwise.plots._palette import FAINT, INK, paint
from clusterwise.plots.base import Display, styled

_SIZE = (7.0, 4.0)
_CHOSEN = paint(4)
_DASHES = ("-", "--", "-.", ":")


class CoAssociationDisplay(Display):
    """The cumulative distribution of co-associations, with the ambiguous part (PAC).

    A curve that is flat between the two limits means that the clusterings agree: almost all pairs
    of objects are nearly always or nearly never in one cluster.

    Parameters
    ----------
    curves : CoAssociationCurve or mapping of str to CoAssociationCurve
        One curve, or several by name.

    Attributes
    ----------
    lines_ : list of Line2D
        The curves.
    band_ : Polygon
        The ambiguous co-associations.

    Examples
    --------
    >>> from clusterwise import co_association_curve
    >>> curve = co_association_curve([[0, 0, 1], [0, 0, 1], [0, 1, 1]], random_state=0)
    >>> curve.plot().ax_.get_title(loc="left").split(":")[0]
    '67% of 3 pairs of objects are ambiguous (PAC)'
    """

    def __init__(self, curves: CoAssociationCurve | Mapping[str, CoAssociationCurve]) -> None:
        self.curves = dict(curves) if isinstance(curves, Mapping) else {"": curves}
        if not self.curves:
            raise InputError("there is no curve to draw; pass at least one.")
        limits = {(curve.lower, curve.upper) for curve in self.curves.values()}
        if len(limits) > 1:
            raise InputError("the curves have different limits of ambiguity; use the same for all.")
        ((self.lower, self.upper),) = limits

    @classmethod
    def from_clusterings(cls, ensemble: Any, **options: Any) -> Self:
        """Create the display from the arguments of :func:`clusterwise.co_association_curve`."""
        return cls(co_association_curve(ensemble, **options))

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        ax = self._axes(ax, _SIZE)
        self.band_ = ax.axvspan(
            self.lower, self.upper, color=FAINT, alpha=0.35, linewidth=0, label="ambiguous"
        )
        self.lines_ = []
        names = show_names(list(self.curves), 20)
        for i, (name, curve) in enumerate(zip(names, self.curves.values(), strict=True)):
            x = np.concatenate([[0.0], curve.thresholds, [1.0]])
            y = np.concatenate([[0.0], curve.proportions, [1.0]])
            label = f"{name}: PAC {format_share(curve.pac)}" if name else "pairs of objects"
            self.lines_ += ax.step(
                x, y, where="post", color=paint(i), linestyle=_DASHES[i % len(_DASHES)], lw=1.8,
                label=label,
            )  # fmt: skip
        ax.set(
            xlim=(-0.01, 1.01),
            ylim=(0.0, 1.02),
            xlabel="co-association: proportion of clusterings that group a pair",
            ylabel="cumulative proportion\nof pairs",
        )
        place_legend(ax)
        write_title(ax, self._title())
        return self

    def _title(self) -> str:
        if len(self.curves) > 1:
            name = min(self.curves, key=lambda name: self.curves[name].pac)
            least = self.curves[name].pac
            (shown,) = show_names([name])
            return f"{shown} has the fewest ambiguous pairs, {format_share(least)} (PAC)"
        (curve,) = self.curves.values()
        pairs = "pair" if curve.n_pairs == 1 else "pairs"
        return (
            f"{format_share(curve.pac)} of {format_amount(curve.n_pairs)} {pairs} of objects are "
            f"ambiguous (PAC): in one cluster in more than {format_share(self.lower)} and less "
            f"than {format_share(self.upper)} of the clusterings; "
            f"{format_share(curve.expected_pac)} by chance"
        )


class StabilityDisplay(Display):
    """The agreement of clusterings with the same number of clusters, by number.

    Parameters
    ----------
    stability : NumberStability
        Agreement and PAC for each number of clusters.

    Attributes
    ----------
    agreement_, pac_ : Line2D
        Mean adjusted Rand index, and PAC.
    suggested_ : Line2D
        The suggested number of clusters.

    Examples
    --------
    >>> from clusterwise import number_stability
    >>> two, three = [[0, 0, 0, 1, 1, 1]] * 2, [[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]]
    >>> number_stability(two + three, random_state=0).plot().ax_.get_title(loc="left")
    '2 clusters are suggested: mean ARI 1.00 of pairs of clusterings'
    """

    def __init__(self, stability: NumberStability) -> None:
        self.stability = stability

    @classmethod
    def from_clusterings(cls, ensemble: Any, **options: Any) -> Self:
        """Create the display from the arguments of :func:`clusterwise.number_stability`."""
        return cls(number_stability(ensemble, **options))

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        ax = self._axes(ax, _SIZE)
        numbers = self.stability.numbers
        x = [one.n_clusters for one in numbers]
        (self.agreement_,) = ax.plot(
            x, [one.agreement for one in numbers], "o-", color=paint(0),
            label="agreement (mean ARI): larger is better",
        )  # fmt: skip
        (self.pac_,) = ax.plot(
            x, [one.pac for one in numbers], "s--", color=INK, markersize=4, linewidth=1,
            label="ambiguous pairs (PAC): smaller is better",
        )  # fmt: skip
        best = next(one for one in numbers if one.n_clusters == self.stability.suggested)
        (self.suggested_,) = ax.plot(
            best.n_clusters, best.agreement, "o", markersize=14, color=_CHOSEN,
            markerfacecolor="none", markeredgewidth=2, label="suggested",
        )  # fmt: skip
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set(xlabel="number of clusters", ylabel="agreement, or proportion of pairs")
        lowest = min(one.agreement for one in numbers)
        ax.set_ylim(min(0.0, lowest - 0.02), 1.04)
        place_legend(ax)
        write_title(
            ax,
            f"{best.n_clusters} clusters are suggested: mean ARI "
            f"{format_score(best.agreement)} of pairs of clusterings",
        )
        return self
