"""What alternatives by agglomeration share: their parameters, and one after the other."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from clusterwise.alternatives.base import Alternative, count_clusters
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.merging import Merges
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.encoding import Array
from clusterwise.errors import InputError

FIRST_CLUSTERS = 2


class Agglomerative(Alternative):
    """An estimator that merges clusters step by step, and cuts where enough are left."""

    omega: float
    n_alternatives: int
    quality_floor: float
    dtype: Any

    def _check(self) -> None:
        if not self.omega >= 0:
            raise InputError(f"omega={self.omega!r} is no threshold; use 0 or more.")
        if self.n_alternatives < 1:
            raise InputError(f"n_alternatives={self.n_alternatives!r}; ask for at least one.")
        if self.dtype not in ("float64", "float32"):
            raise InputError(f"dtype={self.dtype!r} is unknown; use 'float64' or 'float32'.")

    def _find_all(
        self,
        given: Given,
        find: Callable[[Given], tuple[Merges, Array]],
        quality: Callable[[Array], float],
    ) -> None:
        """One alternative after the other, until there are enough or the next is not worth it."""
        self.given_ = given.codes
        found: list[tuple[Merges, Array]] = []
        for i in range(self.n_alternatives):
            merges, labels = find(given)
            why = self._why_stop(merges, labels, quality, found[0][1]) if found else None
            if why:
                warnings.warn(
                    f"{type(self).__name__} stopped after {i} of {self.n_alternatives} "
                    f"alternatives: the next one {why}.",
                    UserWarning,
                    stacklevel=3,
                )
                break
            found.append((merges, labels))
            given = given.and_also(labels)
        self._keep([labels for _, labels in found])
        self.merges_ = found[0][0]
        self.n_dissimilar_merges_ = int(self.merges_.dissimilar.sum())

    def _why_stop(
        self, merges: Merges, labels: Array, quality: Callable[[Array], float], first: Array
    ) -> str | None:
        if not merges.dissimilar.any():
            return "is found without any dissimilar merge"
        if describe_sizes(labels).degenerate:
            return "is degenerate"
        here, there = quality(labels), quality(first)
        if here < self.quality_floor * there:
            return f"has a quality of {here:.3g}, the first one {there:.3g}"
        return None


def count_first(asked: int | None, n: int) -> int:
    """How many clusters a first clustering gets, if none is given."""
    nothing = Given(np.zeros((1, n), np.int64), (min(FIRST_CLUSTERS, n),))
    return count_clusters(asked, nothing, n)
