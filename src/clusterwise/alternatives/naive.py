"""NaiveAlternative: the run of k-means with the best DQ, a baseline."""

from itertools import combinations
from typing import Any, Self

import numpy as np
from sklearn.cluster import KMeans

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.base import (
    FIRST_CLUSTERS,
    Alternative,
    resolve_n_clusters,
    validate_numbers,
)
from clusterwise.alternatives.distinct_objects import (
    count_distinct,
    rows_of,
    warn_of_equal_objects,
)
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.methods import choose_dunn
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.measures.dq import dq_parts
from clusterwise.models.kmeans import allow_equal_objects


class NaiveAlternative(Alternative):
    """K-means from several random starts, of which the run with the largest DQ is returned.

    A baseline to compare other methods with: the runs do not depend on the given clustering, and
    often all of them are the same.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    n_runs : int, default=3
        The number of runs of k-means, each from other random objects.
    quality : str or callable, optional
        The measure of quality in DQ, as for :func:`~clusterwise.dq_score`. By default ``"dunn"``,
        and ``"dunn_centroids"`` for more than 10,000 objects, since the time of ``"dunn"`` grows
        with the square of their number.
    n_alternatives : int, default=1
        The number of runs to return. Each has the largest DQ against the given clusterings and
        the alternatives before; the search stops early, with a warning, if no run is left that
        differs from them.
    random_state : int, RandomState, Generator or None
        The seed of the starts.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes. If none was given, the better one by quality of the two
        runs whose DQ is largest; the other is the alternative.
    runs_ : ndarray of shape (n_runs, n)
        The labels of all runs.
    n_clusters_ : int
        The number of clusters of the first alternative.
    sizes_ : list of Sizes
        Cluster sizes, effective number of clusters and whether it is degenerate, for each
        alternative.
    degenerate_ : bool
        Whether nearly all objects are in one cluster of the first alternative.
    effective_n_clusters_ : float
        The effective number of clusters of the first alternative.

    See Also
    --------
    COALA : Average linkage with constraints from the given clusters.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62, section 5.
       https://doi.org/10.1109/ICDM.2006.37

    Examples
    --------
    Four corners of a square, grouped left and right; one of the runs finds top and bottom:

    >>> from clusterwise import NaiveAlternative
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> NaiveAlternative(n_runs=20, random_state=0).fit(X, [0, 0, 1, 1]).labels_
    array([0, 1, 0, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_runs: int = 3,
        quality: Any = None,
        n_alternatives: int = 1,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_runs = n_runs
        self.quality = quality
        self.n_alternatives = n_alternatives
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like of shape (n, R)
            The objects, with numeric features.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several as columns.

        Returns
        -------
        self
        """
        return self._fit(self._read(X, y))

    def _validate(self, X: Any) -> Any:
        return validate_numbers(self, X)

    def _fit(self, problem: AlternativeProblem) -> Self:
        self._check(problem.given)
        given = problem.given
        if given is None:
            given = Given(np.empty((0, problem.n), np.int64), (FIRST_CLUSTERS,))
        count = resolve_n_clusters(self.n_clusters, given, problem.n)
        rows = rows_of(problem.features.as_matrix())
        warn_of_equal_objects(count_distinct(rows, count), count)
        with allow_equal_objects():
            runs = _Runs(self, problem, count)
        self.runs_ = np.array(runs.labels)
        found = []
        if problem.given is None:
            better, other = runs.best_pair()
            given = read_given(runs.labels[better], problem.n)
            found = [runs.labels[other]]
        self.given_ = given.codes
        self._store(runs.choose(given, found))
        return self

    def _check(self, given: Given | None) -> None:
        if given is None and self.n_runs < 2:
            raise InputError(f"n_runs={self.n_runs!r} without a given clustering; use at least 2.")


class _Runs:
    """The labels of all runs of k-means, and their qualities."""

    def __init__(self, model: NaiveAlternative, problem: AlternativeProblem, count: int) -> None:
        seeds = as_random_state(model.random_state).randint(2**31 - 1, size=model.n_runs)
        self.n_alternatives, self.features = model.n_alternatives, problem.features
        values = self.features.matrix
        self.labels = [
            relabel_by_appearance(
                KMeans(count, init="random", n_init=1, random_state=seed)
                .fit(problem.points)
                .labels_
            )
            for seed in track(seeds, len(seeds), "running k-means", model.progress)
        ]
        quality = choose_dunn(problem.n) if model.quality is None else model.quality
        objects = values if callable(quality) else self.features
        # DQ of a run with itself: only its quality counts.
        self.qualities = [
            dq_parts(objects, run, run, quality=quality).quality for run in self.labels
        ]

    def dq(self, given: Array, run: int) -> float:
        """Return the DQ of a run against given clusterings."""
        return dq_parts(
            self.features, given, self.labels[run], quality=lambda *_: self.qualities[run]
        ).dq

    def best_pair(self) -> tuple[int, int]:
        """Return the two runs with the largest DQ, the better one by quality first."""
        pairs = [
            (i, j) if self.qualities[i] >= self.qualities[j] else (j, i)
            for i, j in combinations(range(len(self.labels)), 2)
        ]
        return max(pairs, key=lambda pair: self.dq(self.labels[pair[0]], pair[1]))

    def choose(self, given: Given, found: list[Array]) -> list[Array]:
        """Add the run with the largest DQ to the alternatives, until there are enough."""
        for labels in found:
            given = given.with_labels(labels)
        while len(found) < self.n_alternatives:
            # The first alternative is the best of all runs, even if it is a given clustering.
            left = [i for i in range(len(self.labels)) if not found or self._is_new(i, given)]
            if not left:
                warn_user(
                    f"NaiveAlternative stopped after {len(found)} of {self.n_alternatives} "
                    "alternatives: no run is left that differs from them and from the given "
                    "clusterings.",
                )
                break
            best = self.labels[max(left, key=lambda run: self.dq(given.codes.T, run))]
            found.append(best)
            given = given.with_labels(best)
        return found

    def _is_new(self, run: int, given: Given) -> bool:
        known = map(relabel_by_appearance, given.codes)
        return not any(np.array_equal(self.labels[run], codes) for codes in known)
