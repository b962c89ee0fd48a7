"""The stability of clusters as bars."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from clusterwise._utils.tables import format_score
from clusterwise.inputs.encoding import as_names
from clusterwise.plots._annotations import show_name, show_names, wrap_text
from clusterwise.plots._palette import FAINT, INK, PAPER, Colours, colour_names
from clusterwise.plots.base import Display, styled
from clusterwise.stability.assessment import Assessment
from clusterwise.stability.assessment_sentences import STABLE, ClusterStability
from clusterwise.stability.recovery import LOST

# The largest number of clusters; if there are more, the least stable ones.
_SHOWN = 40


class ClusterStabilityDisplay(Display):
    """The mean Jaccard index of each cluster over the resamples, as bars with intervals.

    Lines mark the indices from which a cluster is recovered, and below which it is lost. Beside a
    cluster that was lost is in how many resamples, and what it was mostly merged with.

    Parameters
    ----------
    assessment : Assessment
        The result of :func:`clusterwise.assess`.
    colours : sequence of one Colours, optional
        The colours of the clusters.

    Attributes
    ----------
    bars_ : BarContainer
        The mean Jaccard indices, in the order of the clusters from top to bottom.
    intervals_ : LineCollection
        The intervals with 95 % of the resamples.
    lost_ : list of Annotation
        What became of the clusters that were lost.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import assess
    >>> X = np.repeat([[0.0, 0], [0, 9], [9, 0]], 30, axis=0)
    >>> X += np.random.default_rng(0).normal(size=X.shape)
    >>> labels = np.repeat([0, 1, 2], 30)
    >>> found = assess(X, labels, n_resamples=10, n_null=19, random_state=0)
    >>> found.plot().ax_.get_title(loc="left").split(",")[0]
    'All 3 clusters come back (mean Jaccard at least 0.75)'
    """

    def __init__(self, assessment: Assessment, *, colours: Sequence[Colours] | None = None) -> None:
        self.assessment = assessment
        every = assessment.stability
        chosen = list(range(len(every)))
        if len(every) > _SHOWN:
            chosen = sorted(sorted(chosen, key=lambda k: every[k].jaccard)[:_SHOWN])
        self.shown: list[ClusterStability] = [every[k] for k in chosen]
        own = colours[0] if colours else colour_names(as_names([one.cluster for one in every]))
        known = dict(zip(own.names, own.paints, strict=True))
        self._paints = [known[one.cluster] for one in self.shown]

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        shown = self.shown
        ax = self._axes(ax, (7.5, float(np.clip(1.9 + 0.36 * len(shown), 2.6, 13.0))))
        rows = np.arange(len(shown))
        means = np.array([one.jaccard for one in shown])
        self.bars_ = ax.barh(rows, means, height=0.68, color=self._paints)
        self.intervals_ = ax.hlines(
            rows, [one.low for one in shown], [one.high for one in shown], color=INK, linewidth=1.6
        )
        for limit, words in ((LOST, "lost below"), (STABLE, "recovered from")):
            ax.axvline(limit, color=INK, linewidth=0.8, linestyle=":")
            ax.annotate(
                f"{words} {limit}", (limit, 1.0), (0, 2), xycoords=("data", "axes fraction"),
                textcoords="offset points", ha="center", va="bottom", fontsize="x-small",
            )  # fmt: skip
        self.lost_ = [
            ax.annotate(
                self._say_lost(one), (0.0, row), (5, 0), textcoords="offset points",
                va="center", fontsize="small",
                bbox={"boxstyle": "round,pad=0.2", "facecolor": PAPER, "edgecolor": FAINT},
            )
            for row, one in enumerate(shown)
            if one.dissolved
        ]  # fmt: skip
        names = show_names([one.cluster for one in shown], 20)
        ax.set_yticks(
            rows,
            [f"{name} · {one.size:,}" for name, one in zip(names, shown, strict=True)],
            fontsize="small",
        )
        ax.tick_params(left=False)
        ax.set(
            xlim=(0.0, 1.0),
            ylim=(len(shown) - 0.4, -0.6),
            xlabel=f"Jaccard index over {self.assessment.n_resamples:,} resamples: mean, and the "
            "interval of 95%",
            ylabel="cluster and size",
        )
        # Above the words at the lines.
        ax.set_title(wrap_text(ax, self._title()), loc="left", pad=16)
        return self

    def _say_lost(self, one: ClusterStability) -> str:
        merged = "" if one.merges_with is None else f", mostly into {show_name(one.merges_with)}"
        return f"lost in {one.dissolved:,}{merged}"

    def _title(self) -> str:
        found = self.assessment
        size = found.n_clusters
        stable = sum(one.stable for one in found.stability)
        subject = {0: f"None of {size}", size: f"All {size}"}.get(stable, f"{stable} of {size}")
        come = "comes" if stable == 1 else "come"
        than = "more stable" if found.stable else "not more stable"
        text = (
            f"{subject} clusters {come} back (mean Jaccard at least {STABLE}), and the clustering "
            f"is {than} than chance: adjusted Rand {format_score(found.ari)} against "
            f"{format_score(found.null_ari)}"
        )
        if len(self.shown) < size:
            text += f"; the {len(self.shown)} least stable ones"
        return text
