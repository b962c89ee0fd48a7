"""The baseline of the literature: k-means several times, and the two runs that differ most."""

import warnings
from itertools import combinations
from typing import Any, Self

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils.validation import validate_data

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    FIRST_CLUSTERS,
    Alternative,
    check_n_alternatives,
    relabel_by_appearance,
    resolve_n_clusters,
)
from clusterwise.alternatives.given import Given, read_given
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import dq_parts


class NaiveAlternative(Alternative):
    """K-means from several starts; the run that is best by DQ is the alternative.

    A baseline to compare others with: nothing leads the runs away from what is given, so
    with luck one of them differs, and often all of them are the same.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    n_runs : int, default=3
        How often to run k-means, each time from other objects chosen by chance.
    quality : str, default="dunn"
        The measure of quality in DQ, as for :func:`~clusterwise.dq_score`.
    n_alternatives : int, default=1
        How many runs to return. Each is the best by DQ against what is given and the ones before;
        it stops early, with a warning, when no other run is left that differs from them.
    random_state : int, RandomState, Generator or None
        The source of chance.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes. If none was given, the better one by quality of the two
        runs whose DQ is largest; the other is the alternative.
    runs_ : ndarray of shape (n_runs, n)
        What all runs found.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.

    See Also
    --------
    COALA : Leads the search away from what is given.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62, section 5.
       https://doi.org/10.1109/ICDM.2006.37

    Examples
    --------
    Four corners of a square, grouped left and right; some run goes the other way:

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
        quality: str = "dunn",
        n_alternatives: int = 1,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_runs = n_runs
        self.quality = quality
        self.n_alternatives = n_alternatives
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like of shape (n, R)
            The objects.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side.
        """
        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._check(y)
        n = len(values)
        nothing = Given(np.empty((0, n), np.int64), (FIRST_CLUSTERS,))
        given = nothing if y is None else read_given(y, n)
        runs = _Runs(self, values, resolve_n_clusters(self.n_clusters, given, n))
        self.runs_ = np.array(runs.labels)
        found = []
        if y is None:
            better, other = runs.best_pair()
            given = read_given(runs.labels[better], n)
            found = [runs.labels[other]]
        self.given_ = given.codes
        self._store(runs.choose(given, found))
        return self

    def _check(self, y: Any) -> None:
        least = 2 if y is None else 1
        if self.n_runs < least:
            raise InputError(f"n_runs={self.n_runs!r}; use at least {least}.")
        check_n_alternatives(self.n_alternatives)


class _Runs:
    """What k-means found from each start, and how good it is."""

    def __init__(self, how: NaiveAlternative, values: Array, count: int) -> None:
        seeds = as_random_state(how.random_state).randint(2**31 - 1, size=how.n_runs)
        models = (KMeans(count, init="random", n_init=1, random_state=seed) for seed in seeds)
        self.how, self.values = how, values
        self.labels = [relabel_by_appearance(model.fit(values).labels_) for model in models]
        # As it enters DQ, whatever the other clustering is.
        self.qualities = [
            dq_parts(values, run, run, quality=how.quality).quality for run in self.labels
        ]

    def dq(self, given: Array, run: int) -> float:
        return dq_parts(
            self.values, given, self.labels[run], quality=lambda *_: self.qualities[run]
        ).dq

    def best_pair(self) -> tuple[int, int]:
        """The two runs with the largest DQ, the better one by quality first."""
        pairs = [
            (i, j) if self.qualities[i] >= self.qualities[j] else (j, i)
            for i, j in combinations(range(len(self.labels)), 2)
        ]
        return max(pairs, key=lambda pair: self.dq(self.labels[pair[0]], pair[1]))

    def choose(self, known: Given, found: list[Array]) -> list[Array]:
        """The best run against all that is known, until there are enough."""
        for one in found:
            known = known.with_labels(one)
        wanted = self.how.n_alternatives
        while len(found) < wanted:
            # The first one is the best of all runs, even if all of them are what is given.
            left = [i for i in range(len(self.labels)) if not found or self._is_new(i, known)]
            if not left:
                warnings.warn(
                    f"NaiveAlternative stopped after {len(found)} of {wanted} alternatives: no "
                    "run is left that differs from them and from what is given.",
                    UserWarning,
                    stacklevel=3,
                )
                break
            best = self.labels[max(left, key=lambda run: self.dq(known.codes.T, run))]
            found.append(best)
            known = known.with_labels(best)
        return found

    def _is_new(self, run: int, known: Given) -> bool:
        return not any(
            np.array_equal(self.labels[run], relabel_by_appearance(codes)) for codes in known.codes
        )
