"""What all estimators of alternatives share: what is given, and what is found."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.encoding import Array

FIRST_CLUSTERS = 2


class Finding(NamedTuple):
    """An alternative, how it was found, and what speaks against it unless it is the first one."""

    labels: Array
    how: Any = None
    objection: str | None = None


class Alternative(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer that takes known clusterings as ``y`` and finds others."""

    n_clusters: int | None
    n_alternatives: int
    quality_floor: float

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives to ``y``; every estimator does it its own way."""

    def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> Array:
        """Fit, and return the labels of the first alternative."""
        labels: Array = self.fit(X, y, **kwargs).labels_
        return labels

    def judged(self, X: Any) -> Any:
        """The objects as measures of quality are to see them: as they are, or as points."""
        return X

    def _find_all(
        self,
        given: Given,
        find: Callable[[Given], Finding],
        quality: Callable[[Array], float],
        times: Array | None = None,
    ) -> list[Any]:
        """One alternative after the other, until there are enough or the next is not worth it.

        ``times`` are the objects that each label stands for, if not one. Returns how each
        alternative was found.
        """
        self.given_ = given.codes
        found: list[Finding] = []
        for i in range(self.n_alternatives):
            with one_library_thread_if_small(given.codes.shape[1]):
                one = find(given)
            why = self._why_stop(one, quality, found[0].labels, times) if found else None
            if why:
                warnings.warn(
                    f"{type(self).__name__} stopped after {i} of {self.n_alternatives} "
                    f"alternatives: the next one {why}.",
                    UserWarning,
                    stacklevel=3,
                )
                break
            found.append(one)
            given = given.and_also(one.labels)
        self._keep([one.labels for one in found], times)
        return [one.how for one in found]

    def _why_stop(
        self,
        one: Finding,
        quality: Callable[[Array], float],
        first: Array,
        times: Array | None,
    ) -> str | None:
        if one.objection:
            return one.objection
        if describe_sizes(one.labels, times).degenerate:
            return "is degenerate"
        here, there = quality(one.labels), quality(first)
        if here < self.quality_floor * there:
            return f"has a quality of {here:.3g}, the first one {there:.3g}"
        return None

    def _keep(self, alternatives: Sequence[Array], times: Array | None = None) -> None:
        """Note what was found."""
        self.alternatives_ = np.array(alternatives)
        self.labels_ = self.alternatives_[0]
        self.sizes_ = [describe_sizes(labels, times) for labels in alternatives]
        self.degenerate_ = self.sizes_[0].degenerate
        self.effective_n_clusters_ = self.sizes_[0].effective


def count_clusters(asked: int | None, given: Given, n: int) -> int:
    """How many clusters to find: as asked, or as many as the first given clustering has.

    If that is one cluster of all objects, more are found, or nothing would be.
    """
    count = max(given.sizes[0], min(FIRST_CLUSTERS, n)) if asked is None else asked
    if not isinstance(count, int | np.integer) or not 1 <= count <= n:
        raise InputError(f"n_clusters={count!r} for {n} objects; use a whole number from 1 to {n}.")
    return int(count)


def count_first(asked: int | None, n: int) -> int:
    """How many clusters a first clustering gets, if none is given."""
    return count_clusters(asked, Given(np.zeros((1, n), np.int64), (1,)), n)


def check_number(n_alternatives: int) -> None:
    """Refuse to find no alternative at all."""
    if n_alternatives < 1:
        raise InputError(f"n_alternatives={n_alternatives!r}; ask for at least one.")
