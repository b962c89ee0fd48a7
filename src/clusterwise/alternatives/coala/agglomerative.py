"""The base class of agglomerative estimators of alternatives."""

from collections.abc import Callable
from typing import Any

from clusterwise._utils.lazy import load_display
from clusterwise.alternatives.base import Alternative, Candidate
from clusterwise.alternatives.coala.merging import Merges
from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array


class Agglomerative(Alternative):
    """An estimator that merges clusters step by step, and cuts the tree."""

    omega: float
    dtype: Any

    def _merge_all(
        self,
        given: Given,
        merge: Callable[[Given], tuple[Merges, Array]],
        quality: Callable[[Array], float],
        weights: Array | None = None,
    ) -> None:
        """Find all alternatives, and keep the merges of the first one."""

        def find(given: Given) -> Candidate:
            merges, labels = merge(given)
            objection = "is found without any dissimilar merge"
            return Candidate(labels, merges, None if merges.dissimilar.any() else objection)

        self.merges_ = self._find_all(given, find, quality, weights)[0]
        self.n_dissimilar_merges_ = int(self.merges_.dissimilar.sum())

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Plot the dendrogram of the first alternative, with dissimilar merges marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            ``given``, ``names`` and ``colours`` as for
            :meth:`clusterwise.plots.DendrogramDisplay.from_estimator`, ``height`` and ``last`` as
            for its ``plot``.

        Returns
        -------
        DendrogramDisplay
        """
        drawing = {key: options.pop(key) for key in ("height", "last") if key in options}
        return (
            load_display("DendrogramDisplay").from_estimator(self, **options).plot(ax=ax, **drawing)
        )
