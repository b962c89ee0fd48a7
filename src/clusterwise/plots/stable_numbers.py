"""The stability of several numbers of clusters, beside that of data without clusters."""

from textwrap import fill
from typing import Any, Self

import numpy as np
from matplotlib.ticker import MaxNLocator

from clusterwise._utils.tables import format_list, format_score
from clusterwise.plots._annotations import place_legend, write_title
from clusterwise.plots._palette import INK, PAPER, paint
from clusterwise.plots.base import Display, styled
from clusterwise.stability.null_models import WORDS
from clusterwise.stability.number_assessment import NumberAssessment

_SIZE = (7.5, 4.2)
_CHOSEN = paint(4)
_GREYS = ("#8a8a8a", "#b0a38a", "#8aa3b0")
_DASHES = ("--", "-.", ":")
# Characters per line of the legend.
_LINE = 30


class NumberAssessmentDisplay(Display):
    """The mean adjusted Rand index for each number of clusters, and that of the null models.

    Filled points are numbers that are more stable than chance; bars and bands have 95 % of the
    resamples, and of the data sets of the null models.

    Parameters
    ----------
    assessment : NumberAssessment
        The result of :func:`clusterwise.assess` for several numbers of clusters.

    Attributes
    ----------
    data_ : Line2D
        The mean adjusted Rand indices of the data.
    stable_ : Line2D
        Those of stable numbers.
    nulls_ : list of Line2D
        Those of the null models.
    suggested_ : Line2D or None
        The suggested number.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import assess
    >>> from sklearn.cluster import KMeans
    >>> X = np.repeat(np.diag([9.0, 9, 9, 9]), 25, axis=0)
    >>> X += np.random.default_rng(0).normal(size=X.shape)
    >>> numbers = {"n_clusters": [3, 4], "n_resamples": 10, "n_null": 19}
    >>> found = assess(X, KMeans, **numbers, random_state=0)
    >>> found.plot().suggested_.get_xdata()
    array([4])
    """

    def __init__(self, assessment: NumberAssessment) -> None:
        self.assessment = assessment

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        ax = self._axes(ax, _SIZE)
        found = self.assessment
        numbers = np.array(list(found.assessments))
        self.nulls_ = []
        for at, null in enumerate(next(iter(found)).nulls):
            own = [one.nulls[null] for one in found]
            grey = _GREYS[at % len(_GREYS)]
            ax.fill_between(
                numbers, [one.low for one in own], [one.high for one in own], color=grey,
                alpha=0.25, linewidth=0,
            )  # fmt: skip
            self.nulls_ += ax.plot(
                numbers, [one.ari for one in own], _DASHES[at % len(_DASHES)], color=grey,
                label=fill(WORDS[null], _LINE),
            )  # fmt: skip
        means = np.array([one.ari for one in found])
        intervals = np.array([one.ari_interval for one in found])
        ax.vlines(numbers, intervals[:, 0], intervals[:, 1], color=paint(0), linewidth=1)
        (self.data_,) = ax.plot(
            numbers, means, "o-", color=paint(0), markerfacecolor=PAPER, label="the data"
        )
        stable = np.isin(numbers, found.stable)
        (self.stable_,) = ax.plot(
            numbers[stable], means[stable], "o", color=paint(0), label="more stable than chance"
        )
        self.suggested_ = None
        if found.suggested is not None:
            best = numbers == found.suggested
            (self.suggested_,) = ax.plot(
                numbers[best], means[best], "o", markersize=14, color=_CHOSEN,
                markerfacecolor="none", markeredgewidth=2, label="most clearly so",
            )  # fmt: skip
        ax.axhline(0.0, color=INK, linewidth=0.5)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set(xlabel="number of clusters", ylabel="adjusted Rand index\nwith the resamples")
        ax.set_ylim(min(0.0, float(intervals.min()) - 0.02), 1.04)
        place_legend(ax)
        write_title(ax, self._title())
        return self

    def _title(self) -> str:
        found = self.assessment
        if found.suggested is None:
            return "No number of clusters is more stable than chance"
        one = found[found.suggested]
        numbers = format_list([str(number) for number in found.stable], 8)
        are = "are" if len(found.stable) > 1 else "is"
        most = f", {found.suggested} most clearly" if len(found.stable) > 1 else ""
        return (
            f"{numbers} clusters {are} more stable than chance{most}: adjusted Rand "
            f"{format_score(one.ari)} against {format_score(one.null_ari)}"
        )
