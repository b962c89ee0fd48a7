"""Alternatives that were found, and their scores."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex, overload

import numpy as np

from clusterwise._utils.export import finite_or_none, to_frame
from clusterwise._utils.lazy import choose_display, write_report
from clusterwise._utils.results import Described, RemembersData, Result
from clusterwise._utils.tables import TableRepr, TextTable, format_count, format_number
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.clusterings import Clustering, as_hard_clustering
from clusterwise.inputs.distances import Metric
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ, Dissimilarity, dq_parts
from clusterwise.measures.quality import find_quality
from clusterwise.summaries.contingency.entropies import entropy

QualityChoice = str | Callable[[Any, Any], float]

_SIZES_SHOWN = 6
_HEADER = ("DQ", "quality", "dissimilarity", "effective", "sizes", "found by")
_KINDS = {
    "scatter": "ScatterPairDisplay",
    "map": "ClusteringMapDisplay",
    "front": "TradeoffDisplay",
    "flow": "FlowDisplay",
}
# The label of objects that were left out of the search.
LEFT_OUT = -1
# A clustering of K clusters is degenerate if its effective number of clusters is below
# 1 + (K - 1) times this.
_DEGENERATE = 0.1


class Sizes(NamedTuple):
    """Cluster sizes, largest first.

    ``effective`` is the effective number of clusters, the exponential of the entropy of the sizes:
    K for K equal clusters, little more than 1 for one object against all others. ``degenerate``
    says that it is below 1 + (K - 1)/10, which for two clusters means that one has more than 98 %
    of the objects; or that all objects are in one cluster, except for singletons.
    """

    sizes: tuple[int, ...]
    effective: float
    degenerate: bool


def describe_sizes(labels: Array, weights: Array | None = None) -> Sizes:
    """Return the cluster sizes of codes; ``weights`` are the numbers of objects of each code."""
    counts = np.bincount(labels, weights).astype(np.int64)
    counts = np.sort(counts[counts > 0])[::-1]
    effective = float(np.exp(entropy(counts)))
    unbalanced = effective < 1 + _DEGENERATE * (counts.size - 1)
    degenerate = unbalanced or counts.size < 2 or (counts[0] > 1 >= counts[1])
    return Sizes(tuple(counts.tolist()), effective, bool(degenerate))


@dataclass(frozen=True, repr=False, eq=False)
class FoundClustering(Described, TableRepr):
    """An alternative clustering and its scores.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each object; -1 for objects that were left out of the search.
    quality, dissimilarity, dq : float
        The quality, the dissimilarity from the given clustering, and their harmonic mean.
    sizes : tuple of int
        The cluster sizes, largest first.
    effective_n_clusters : float
        The exponential of the entropy of the sizes.
    degenerate : bool
        Whether nearly all objects are in one cluster.
    method : str
        The name of the estimator that found it.
    parameters : mapping
        The estimator's parameters.
    """

    labels: Array
    quality: float
    dissimilarity: float
    dq: float
    sizes: tuple[int, ...]
    effective_n_clusters: float
    degenerate: bool
    method: str
    parameters: Mapping[str, Any]

    def _sentences(self) -> list[str]:
        """Describe the alternative."""
        sizes = f"{format_count(len(self.sizes), 'cluster')} ({list_sizes(self.sizes)})"
        scores = (
            f"quality {format_number(self.quality)}, "
            f"dissimilarity {format_number(self.dissimilarity)}, DQ {format_number(self.dq)}"
        )
        end = ["It is degenerate: nearly all objects are in one cluster."] * self.degenerate
        return [f"{self.method} found {sizes}: {scores}.", *end]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {
            "labels": self.labels.tolist(),
            "quality": finite_or_none(self.quality),
            "dissimilarity": self.dissimilarity,
            "dq": self.dq,
            "sizes": list(self.sizes),
            "effective_n_clusters": self.effective_n_clusters,
            "degenerate": self.degenerate,
            "method": self.method,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
        }

    def text_table(self) -> TextTable:
        """Return the scores as a table."""
        rows = [[name, cell] for name, cell in zip(_HEADER, _cells(self), strict=True)]
        return TextTable(["alternative", ""], rows)


class FoundClusterings(RemembersData, Result, list[FoundClustering]):
    """The alternatives that :func:`cluster_again` found: a list that prints as a table.

    Attributes
    ----------
    given : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first, if none was given. Objects that
        were left out of the search have -1.
    parameters : dict
        The parameters of the call.
    object_index : index or None
        The index of the objects, if the input had one.
    library : str or None
        The dataframe library of the input, if it was a frame.
    data : array-like, frame or None
        The features of the objects, as they were passed; they are not pickled.
    """

    def __init__(
        self,
        found: Iterable[FoundClustering] = (),
        *,
        given: Array,
        parameters: Mapping[str, Any] | None = None,
        index: Any = None,
        library: str | None = None,
        data: Any = None,
    ) -> None:
        super().__init__(found)
        self.given = given
        self.parameters = dict(parameters or {})
        self.object_index = index
        self.library = library
        self.data = data

    @overload
    def __getitem__(self, i: SupportsIndex) -> FoundClustering: ...
    @overload
    def __getitem__(self, i: slice) -> "FoundClusterings": ...
    def __getitem__(self, i: SupportsIndex | slice) -> "FoundClustering | FoundClusterings":
        """Return one alternative, or some of them as a result of the same kind."""
        if not isinstance(i, slice):
            return super().__getitem__(i)
        return FoundClusterings(
            super().__getitem__(i),
            given=self.given,
            parameters=self.parameters,
            index=self.object_index,
            library=self.library,
            data=self.data,
        )

    def by_name(self) -> dict[str, Array]:
        """Return the labels of the given clusterings and then of the alternatives, by name."""
        known = {f"given {i + 1}": labels for i, labels in enumerate(self.given)}
        if len(known) == 1:
            known = {"given": self.given[0]}
        return known | {f"{i} {found.method}": found.labels for i, found in enumerate(self)}

    def _sentences(self) -> list[str]:
        """Describe the alternatives: their sizes and scores."""
        left_out = int((self.given[0] == LEFT_OUT).sum())
        parts = [f"Found {format_count(len(self), 'alternative')} to {self._given_words()}."]
        parts += [f"{i}: {found.summary()}" for i, found in enumerate(self)]
        if left_out:
            n = format_count(self.given.shape[1], "object")
            parts.append(f"{left_out} of {n} were left out of the search.")
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {
            "given": self.given.tolist(),
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "alternatives": [found.to_dict() for found in self],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return the labels as a frame: a row per object, with the index of the input.

        The columns are ``alternative_0``, ``alternative_1``, …, in the order of this list.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the library of the input, or the first one that is installed.
        """
        columns = {f"alternative_{i}": found.labels for i, found in enumerate(self)}
        return to_frame(columns, library or self.library, index=self.object_index)

    def scores_to_frame(self, library: str | None = None) -> Any:
        """Return the scores as a frame: a row per alternative."""
        names = ("dq", "quality", "dissimilarity", "effective_n_clusters", "degenerate", "method")
        columns = {name: [getattr(found, name) for found in self] for name in names}
        columns["n_clusters"] = [len(found.sizes) for found in self]
        return to_frame(columns, library or self.library)

    def plot(self, kind: str | None = None, *, ax: Any = None, **options: Any) -> Any:
        """Plot the given clusterings and the alternatives, with the extra ``plots``.

        Parameters
        ----------
        kind : {"scatter", "map", "front", "flow"}, optional
            The objects coloured by the given clusterings and by the first alternative, a map of
            all clusterings by similarity, quality against dissimilarity, or the flow of objects
            between clusters. By default "scatter", or "map" if the features are not known.
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            Options of ``from_found`` (scatter, map, front) or ``from_clusterings`` (flow) of the
            display: a scatter plot takes ``axes="crossed"`` and ``n_alternatives``.

        Returns
        -------
        Display
            The display of :mod:`clusterwise.plots`, drawn.
        """
        if kind is None:
            known = self.data is not None or not {"X", "coordinates"}.isdisjoint(options)
            kind = "scatter" if known else "map"
        display = choose_display(kind, _KINDS)
        if kind == "flow":
            return display.from_clusterings(self.by_name(), **options).plot(ax=ax)
        return display.from_found(self, **options).plot(ax=ax)

    def report(self, path: Any, X: Any = None, *, title: str | None = None, **options: Any) -> Path:
        """Write a report with plots as one HTML file, with the extra ``report``.

        Parameters
        ----------
        path : str or path
            The file to write.
        X : array-like or frame of shape (n, R), optional
            The objects' features, to report which of them separate the clusters; by default
            ``data``.
        title : str, optional
            The title of the page.
        **options
            Further options of :func:`clusterwise.report.write_report`.

        Returns
        -------
        Path
            The file that was written.
        """
        return write_report(self, path, X=X, title=title, **options)

    def text_table(self) -> TextTable:
        """Return the scores as a table with a row per alternative."""
        rows = [[str(i), *_cells(found)] for i, found in enumerate(self)]
        title = f"{format_count(len(self), 'alternative')} to {self._given_words()}"
        return TextTable(["", *_HEADER], rows, title, left=frozenset({5, 6}))

    def _given_words(self) -> str:
        several = len(self.given) > 1
        return f"{len(self.given)} given clusterings" if several else "the given clustering"


def _cells(found: FoundClustering) -> list[str]:
    return [
        format_number(found.dq),
        format_number(found.quality),
        format_number(found.dissimilarity),
        f"{found.effective_n_clusters:.2f}",
        list_sizes(found.sizes),
        f"{found.method}, degenerate" if found.degenerate else found.method,
    ]


def _plain(value: Any) -> Any:
    """Return a parameter as JSON knows it: anything but numbers, strings and None as a string."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return finite_or_none(float(value))
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return getattr(value, "__name__", None) or str(value)


def list_sizes(sizes: tuple[int, ...]) -> str:
    """Return the largest cluster sizes, separated by commas."""
    shown = ", ".join(map(str, sizes[:_SIZES_SHOWN]))
    return f"{shown}, …" if len(sizes) > _SIZES_SHOWN else shown


def warn_of_degenerate(found: Sequence[FoundClustering]) -> None:
    """Warn if some alternatives are degenerate."""
    bad = [one for one in found if one.degenerate]
    if bad:
        are = "is" if len(bad) == 1 else "are"
        warn_user(
            f"{len(bad)} of {format_count(len(found), 'alternative')} {are} degenerate, with "
            f"clusters of {list_sizes(bad[0].sizes)} objects; try another method, or other "
            "parameters.",
        )


def pareto_front(values: Array) -> Array:
    """Return the indices of the rows on the Pareto front, where larger values are better.

    Rows with equal values are all on the front, or none is.
    """
    no_worse = (values[:, None] >= values).all(axis=2)
    better = (values[:, None] > values).any(axis=2)
    return np.flatnonzero(~(no_worse & better).any(axis=0))


@dataclass(frozen=True)
class Scorer:
    """Scores of clusterings of one problem: quality, dissimilarity and DQ.

    ``given`` are codes, m × n. ``as_points`` says that quality is that of the points and not of
    the features; ``metric`` and ``missing_values`` are for features only.
    """

    problem: AlternativeProblem
    given: Array
    quality: QualityChoice
    dissimilarity: Dissimilarity
    as_points: bool = False
    metric: Metric = "euclidean"
    missing_values: str = "category"

    @cached_property
    def _given_labels(self) -> Any:
        """The given clusterings for measures: one is encoded once."""
        several = len(self.given) > 1 or callable(self.dissimilarity)
        return self.given.T if several else as_hard_clustering(self.given[0])

    def score(self, labels: Array) -> DQ:
        """Return DQ and its parts."""
        problem, encoded = self.problem, as_hard_clustering(labels)
        quality = self._quality(labels, encoded)
        return dq_parts(
            problem.point_features if self.as_points else problem.features,
            self._given_labels,
            labels if callable(self.dissimilarity) else encoded,
            dissimilarity=self.dissimilarity,
            quality=lambda *_: quality,
        )

    def _quality(self, codes: Array, labels: Clustering) -> float:
        problem = self.problem
        if callable(self.quality):
            return float(self.quality(problem.points if self.as_points else problem.X, codes))
        found = find_quality(self.quality)
        if found.name == "entropy":
            features = problem.point_features if self.as_points else problem.features
            return found.merit(found.function(features, labels, missing_values=self.missing_values))
        distances = problem.point_distances if self.as_points else problem.distances(self.metric)
        return found.merit(found.function(distances, labels))

    def describe(
        self, labels: Array, method: str, parameters: Mapping[str, Any]
    ) -> FoundClustering:
        """Return labels with their scores and sizes, and the method that found them."""
        scores, sizes = self.score(labels), describe_sizes(labels)
        return FoundClustering(
            labels=labels,
            quality=scores.quality,
            dissimilarity=scores.dissimilarity,
            dq=scores.dq,
            sizes=sizes.sizes,
            effective_n_clusters=sizes.effective,
            degenerate=sizes.degenerate,
            method=method,
            parameters=parameters,
        )
