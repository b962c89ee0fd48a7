"""One measure over every pair of many clusterings."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Any, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import choose_display
from clusterwise._utils.progress import track
from clusterwise._utils.tables import TableRepr, TextTable, format_number
from clusterwise.comparing.compare import Comparison, compare
from clusterwise.comparing.frames import FrameData, as_sides, kinds_of, taken_out
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import (
    LabelOptions,
    Pair,
    SoftClustering,
    align_clusterings,
    as_clustering,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import in_use, take_rows
from clusterwise.measures._label_options import summarise
from clusterwise.measures.catalogue import Measure, find_measure
from clusterwise.measures.density import fit_binning, read_profiles
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap, table_of
from clusterwise.summaries.profile.profile import DensityProfile

_KINDS = {"similarity": "SimilarityDisplay", "map": "ClusteringMapDisplay"}


class ComparisonMatrix(TableRepr):
    """The result of :func:`compare_all`: prints as a table, here and in notebooks.

    Attributes
    ----------
    names : list of str
        The clusterings, in the order given.
    values : ndarray of shape (m, m)
        ``values[i, j]`` is the measure of clusterings i and j.
    measure : str
        The measure's name.
    n_clusters : list of int
        How many clusters each clustering has.
    """

    def __init__(
        self,
        clusterings: Mapping[str, AnyClustering],
        values: Array,
        measure: str,
        label_options: LabelOptions,
    ) -> None:
        self.names = list(clusterings)
        self.values = values
        self.measure = measure
        self._clusterings = clusterings
        self._label_options = label_options

    def compare(self, a: str, b: str) -> Comparison:
        """The whole comparison of two of the clusterings."""
        for name in (a, b):
            if name not in self._clusterings:
                raise InputError(f"there is no clustering {name!r}; use {self.names}.")
        return compare(
            self._clusterings[a], self._clusterings[b], names=(a, b), **self._label_options
        )

    @cached_property
    def n_clusters(self) -> list[int]:
        """How many clusters each clustering has."""
        return [_count(one) for one in self._clusterings.values()]

    def plot(self, kind: str = "similarity", *, ax: Any = None, **options: Any) -> Any:
        """Draw it, with the extra ``plots``.

        Parameters
        ----------
        kind : {"similarity", "map"}, default="similarity"
            The matrix, those alike beside each other; or the clusterings as points, those alike
            near each other.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of ``from_matrix`` of the display: a map takes ``quality`` and ``given``.

        Returns
        -------
        Display
            From :mod:`clusterwise.plots`, drawn.
        """
        return choose_display(kind, _KINDS).from_matrix(self, **options).plot(ax=ax)

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

    def text_table(self) -> TextTable:
        """The matrix as texts."""
        rows = [
            [name, *(format_number(float(value)) for value in line)]
            for name, line in zip(self.names, self.values, strict=True)
        ]
        return TextTable([self.measure, *self.names], rows)


def compare_all(
    clusterings: Mapping[str, Any] | Sequence[str],
    X: Any = None,
    *,
    frame: Any = None,
    features: Sequence[str] | None = None,
    measure: str = "adjusted_rand_score",
    progress: bool | None = None,
    **label_options: Unpack[LabelOptions],
) -> ComparisonMatrix:
    """Compare every pair of several clusterings of the same objects.

    Each clustering is read once; each pair takes one pass.

    Parameters
    ----------
    clusterings : mapping of str to array-like, or list of str
        Labels of the same objects, or membership matrices (n × K), by name; with ``frame`` the
        names of its columns of labels.
    X : array-like or frame of shape (n, R), optional
        The objects' features, for measures that look at them.
    frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark, optional
        Eager or lazy; ``sample_weight`` is then the name of its column of weights. Of a lazy
        frame only the different rows of labels and their numbers leave the engine.
    features : list of str, optional
        The columns of ``frame`` with the objects' features, in place of ``X``.
    measure : str, default="adjusted_rand_score"
        A name from :func:`list_measures`. For soft clusterings ``irm_score`` or
        ``mallows_distance`` say more: they do not count softness as disagreement.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.
    **label_options
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
    if frame is None:
        if features is not None:
            raise InputError("features names columns of a frame; pass it as frame.")
        if not isinstance(clusterings, Mapping):
            raise InputError("pass clusterings by name, as a dict; or frame with their columns.")
        return compare_each(clusterings, [measure], X, progress=progress, **label_options)[0]
    if X is not None:
        raise InputError("X and frame are both given; name the frame's columns as features.")
    sides = as_sides(clusterings)
    eager = taken_out(frame, sides, features, label_options)
    if eager is not None:
        taken, X, label_options = eager
        return compare_each(taken, [measure], X, progress=progress, **label_options)[0]
    data = FrameData(frame, features, label_options)
    for name, side in sides.items():
        if not isinstance(side, str):
            raise InputError(f"{name} is soft; compare it in pairs, or collect the frame first.")
    read, label_options = kinds_of(data, list(dict.fromkeys(map(str, sides.values()))))
    named = {name: read[str(side)] for name, side in sides.items()}
    columns = FrameColumns(data, {name: str(side) for name, side in sides.items()})
    X = None if features is None else columns
    return compare_each(named, [measure], X, progress=progress, **label_options)[0]


def compare_each(
    clusterings: Mapping[str, Any],
    measures: Sequence[str],
    X: Any = None,
    *,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    progress: bool | None = None,
    **label_options: Unpack[LabelOptions],
) -> list[ComparisonMatrix]:
    """A matrix per measure; each pair of clusterings is counted once for all of them."""
    chosen = [find_measure(measure) for measure in measures]
    if len(clusterings) < 2:
        raise InputError(f"compare_all got {len(clusterings)} clusterings; pass at least two.")
    _require_data(chosen, X, label_options)
    read = {str(name): as_clustering(one, str(name)) for name, one in clusterings.items()}
    _refuse_soft(chosen, read)
    names = list(read)
    source = X if isinstance(X, FrameColumns) else _Arrays(read, X, label_options)
    if any(one.family == "density" for one in chosen):
        source.fit(binning, n_bins)
    centred = any(one.name == "css_distance" for one in chosen)
    values = np.empty((len(chosen), len(names), len(names)))
    pairs = list(combinations_with_replacement(range(len(names)), 2))
    for i, j in track(pairs, len(pairs), "comparing", progress):
        try:
            pair = align_clusterings(read[names[i]], read[names[j]], **label_options)
            overlap = source.overlap(names[i], names[j], pair) if centred else None
            table = summarise(pair) if overlap is None else table_of(overlap)
            if table.n == 0:
                raise InputError("there are no objects to compare; pass at least one.")
            profiles = source.profiles(names[i], names[j], pair)
            turned = None
            for matrix, one in zip(values, chosen, strict=True):
                if one.family == "density":
                    matrix[i, j] = one.function(*profiles)
                else:
                    matrix[i, j] = one.function(overlap if one.needs_data else table)
                matrix[j, i] = matrix[i, j]
                if not one.symmetric and i != j:
                    turned = _turned(pair, table) if turned is None else turned
                    matrix[j, i] = one.function(turned)
        except InputError as error:
            raise InputError(f"{names[i]} (a) and {names[j]} (b): {error}") from None
    return [
        ComparisonMatrix(read, matrix, measure, label_options)
        for matrix, measure in zip(values, measures, strict=True)
    ]


def _require_data(chosen: Sequence[Measure], X: Any, label_options: LabelOptions) -> None:
    on_data = [one.name for one in chosen if one.needs_data]
    if on_data and X is None:
        raise InputError(f"{on_data[0]} looks at the data; pass X.")
    if on_data and label_options.get("align") == "index":
        raise InputError(
            f"{on_data[0]} takes the rows of X in the order of the objects, which align='index' "
            "changes from pair to pair; leave it out, and pass all clusterings in the order of X."
        )


def _refuse_soft(chosen: Sequence[Measure], read: Mapping[str, AnyClustering]) -> None:
    soft = [name for name, one in read.items() if isinstance(one, SoftClustering)]
    for one in chosen:
        if soft and not one.soft:
            raise InputError(
                f"{one.name} takes one label per object, but {soft[0]} is soft; leave it out, or "
                "pass labels such as the memberships' argmax(axis=1)."
            )


def _count(one: AnyClustering) -> int:
    """The clusters that some object has a share in."""
    if isinstance(one, SoftClustering):
        return int(np.count_nonzero(one.memberships.values.sum(axis=0)))
    return len(in_use(one.codes).values)


def _turned(
    pair: Pair[AnyClustering], table: Contingency | SoftOverlap
) -> Contingency | SoftOverlap:
    """The same of (b, a)."""
    if isinstance(table, Contingency):
        return table.T
    return summarise(Pair(pair.b, pair.a, pair.weights))


class _Arrays:
    """Features in memory: density profiles with one binning, and overlaps with centres."""

    def __init__(
        self, read: Mapping[str, AnyClustering], X: Any, label_options: LabelOptions
    ) -> None:
        self._read = read
        self._X = X
        self._label_options: LabelOptions = {**label_options}
        self._label_options.pop("align", None)
        self._binning: Binning | None = None
        self._each: dict[str, DensityProfile] = {}

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Choose the bins, and count them for each clustering."""
        self._binning = fit_binning(self._X, next(iter(self._read.values())), binning, n_bins)
        self._each = {
            name: DensityProfile.from_data(
                self._X, one, binning=self._binning, **self._label_options
            )
            for name, one in self._read.items()
        }

    def overlap(self, a: str, b: str, pair: Pair[AnyClustering]) -> SoftOverlap:  # noqa: ARG002
        """The overlap of the objects that both clusterings keep."""
        return SoftOverlap.from_pair(pair, self._X)

    def profiles(self, a: str, b: str, pair: Pair[AnyClustering]) -> tuple[DensityProfile, ...]:
        """The profiles of the objects that both clusterings keep, if bins were chosen."""
        if self._binning is None:
            return ()
        if pair.kept is None:
            return self._each[a], self._each[b]
        rows = take_rows(self._X, pair.kept)
        return read_profiles(
            pair.a, pair.b, rows, binning=self._binning, sample_weight=pair.weights
        )


class FrameColumns:
    """The same of the columns of a lazy frame, by the names of the clusterings."""

    def __init__(self, data: FrameData, columns: Mapping[str, str]) -> None:
        self._data = data
        self._columns = columns

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Choose the bins."""
        self._data.fit(binning, n_bins)

    def overlap(self, a: str, b: str, pair: Any) -> SoftOverlap:  # noqa: ARG002
        """The overlap of the objects that both clusterings keep."""
        return self._data.overlap(self._columns[a], self._columns[b])

    def profiles(self, a: str, b: str, pair: Any) -> tuple[DensityProfile, ...]:  # noqa: ARG002
        """The profiles of the objects that both clusterings keep, if bins were chosen."""
        if self._data.binning is None:
            return ()
        return self._data.profiles(self._columns[a], self._columns[b])
