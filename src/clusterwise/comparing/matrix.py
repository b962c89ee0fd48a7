"""One measure over every pair of many clusterings."""

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, Unpack

import numpy as np

from clusterwise.binning import Binning, Method
from clusterwise.clusterings import Clustering, Reading, as_clustering
from clusterwise.comparing.comparison import Comparison, compare
from clusterwise.dataframes import to_frame
from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.grids import Grid, Shown, number
from clusterwise.measures.catalogue import find_measure
from clusterwise.progress import track
from clusterwise.summaries.contingency import Contingency
from clusterwise.summaries.profile import DensityProfile


class ComparisonMatrix(Shown):
    """The result of :func:`compare_all`: prints as a table, here and in notebooks.

    Attributes
    ----------
    names : list of str
        The clusterings, in the order given.
    values : ndarray of shape (m, m)
        ``values[i, j]`` is the measure of clusterings i and j.
    measure : str
        The measure's name.
    """

    def __init__(
        self,
        clusterings: Mapping[str, Clustering],
        values: Array,
        measure: str,
        reading: Reading,
    ) -> None:
        self.names = list(clusterings)
        self.values = values
        self.measure = measure
        self._clusterings = clusterings
        self._reading = reading

    def compare(self, a: str, b: str) -> Comparison:
        """The whole comparison of two of the clusterings."""
        for name in (a, b):
            if name not in self._clusterings:
                raise InputError(f"there is no clustering {name!r}; use {self.names}.")
        return compare(self._clusterings[a], self._clusterings[b], names=(a, b), **self._reading)

    def pairs(self) -> list[tuple[str, str, float]]:
        """All pairs with their value, most alike first."""
        closest_first = find_measure(self.measure).direction == "distance"
        found = [
            (self.names[i], self.names[j], float(self.values[i, j]))
            for i, j in combinations(range(len(self.names)), 2)
        ]
        return sorted(found, key=lambda pair: pair[2] if closest_first else -pair[2])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"measure": self.measure, "names": self.names, "values": self.values.tolist()}

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row and a column per clustering."""
        if library is None:
            libraries = (one.library for one in self._clusterings.values())
            library = next((name for name in libraries if name), None)
        columns = {name: self.values[:, i].tolist() for i, name in enumerate(self.names)}
        return to_frame({"clustering": self.names, **columns}, library)

    def grid(self) -> Grid:
        """The matrix as texts."""
        rows = [
            [name, *(number(float(value)) for value in line)]
            for name, line in zip(self.names, self.values, strict=True)
        ]
        return Grid([self.measure, *self.names], rows)


def compare_all(
    clusterings: Mapping[str, Any],
    X: Any = None,
    *,
    measure: str = "adjusted_rand_score",
    progress: bool | None = None,
    **reading: Unpack[Reading],
) -> ComparisonMatrix:
    """Compare every pair of several clusterings of the same objects.

    Each clustering is read once; each pair takes one pass.

    Parameters
    ----------
    clusterings : mapping of str to array-like
        Labels of the same objects, by name.
    X : array-like or frame of shape (n, R), optional
        The objects' attributes, for measures that look at them.
    measure : str, default="adjusted_rand_score"
        A name from :func:`list_measures`.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.
    **reading
        ``sample_weight``, ``noise``, ``noise_label`` and ``align``, as in every measure.

    Returns
    -------
    ComparisonMatrix
        The values of all pairs.

    Examples
    --------
    Three runs, of which the first two agree:

    >>> from clusterwise import compare_all
    >>> compare_all({"one": [0, 0, 1, 1], "two": [1, 1, 0, 0], "three": [0, 1, 0, 1]})
    adjusted_rand_score      one      two    three
    one                        1        1  -0.5000
    two                        1        1  -0.5000
    three                -0.5000  -0.5000        1
    """
    return compare_each(clusterings, [measure], X, progress=progress, **reading)[0]


def compare_each(
    clusterings: Mapping[str, Any],
    measures: Sequence[str],
    X: Any = None,
    *,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    progress: bool | None = None,
    **reading: Unpack[Reading],
) -> list[ComparisonMatrix]:
    """A matrix per measure; each pair of clusterings is counted once for all of them."""
    chosen = [find_measure(measure) for measure in measures]
    on_data = [one.name for one in chosen if one.needs_data]
    if on_data and X is None:
        raise InputError(f"{on_data[0]} looks at the data; pass X.")
    if len(clusterings) < 2:
        raise InputError(f"compare_all got {len(clusterings)} clusterings; pass at least two.")
    read = {str(name): as_clustering(labels, str(name)) for name, labels in clusterings.items()}
    names = list(read)
    profiles = _profiles(clusterings, X, binning, n_bins, reading) if on_data else {}
    values = np.empty((len(chosen), len(names), len(names)))
    pairs = list(combinations_with_replacement(range(len(names)), 2))
    for i, j in track(pairs, len(pairs), "comparing", progress):
        try:
            table = Contingency.from_labels(read[names[i]], read[names[j]], **reading)
            if table.n == 0:
                raise InputError("there are no objects to compare; pass at least one.")
            for matrix, one in zip(values, chosen, strict=True):
                if one.needs_data:
                    matrix[i, j] = one.function(profiles[names[i]], profiles[names[j]])
                else:
                    matrix[i, j] = one.function(table)
                matrix[j, i] = matrix[i, j] if one.symmetric else one.function(table.T)
        except InputError as error:
            raise InputError(f"{names[i]} (a) and {names[j]} (b): {error}") from None
    return [
        ComparisonMatrix(read, matrix, measure, reading)
        for matrix, measure in zip(values, measures, strict=True)
    ]


def _profiles(
    clusterings: Mapping[str, Any],
    X: Any,
    binning: Binning | Method,
    n_bins: int,
    reading: Reading,
) -> dict[str, DensityProfile]:
    """Every clustering's profile, all with one binning."""
    options: Reading = {**reading}
    options.pop("align", None)
    found = {}
    for name, labels in clusterings.items():
        profile = DensityProfile.from_data(X, labels, binning=binning, n_bins=n_bins, **options)
        binning = profile.binning
        found[str(name)] = profile
    return found
