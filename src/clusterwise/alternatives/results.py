"""Alternatives that were found, and their scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, SupportsIndex, overload

import numpy as np

from clusterwise._utils.export import finite_or_none, to_frame
from clusterwise._utils.lazy import choose_display, write_report
from clusterwise._utils.results import Described, RemembersData, Result
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_list,
    format_number,
    list_sizes,
)
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.about import About
from clusterwise.alternatives.alternative_sentences import (
    AlternativeFacts,
    GivenFacts,
    Scaling,
    describe_alternatives,
    say_about,
    say_scaling,
    tabulate_features,
)
from clusterwise.inputs.clusterings import as_hard_clustering
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score

_HEADER = ("DQ", "quality", "dissimilarity", "effective", "sizes", "found by")
_ARI = "adjusted Rand"
_KINDS = {
    "scatter": "ScatterPairDisplay",
    "map": "ClusteringMapDisplay",
    "front": "TradeoffDisplay",
    "flow": "FlowDisplay",
}
# The label of objects that were left out of the search.
LEFT_OUT = -1


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
    about : About or None
        ``separating``, the score of each feature, best first, and ``single``, the features that
        alone give the clusters.
    evidence : float or None
        The log evidence of the mixture model that refined the labels; None if none did.
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
    about: About | None = None
    evidence: float | None = None

    def _sentences(self) -> list[str]:
        """Describe the alternative."""
        sizes = f"{format_count(len(self.sizes), 'cluster')} ({list_sizes(self.sizes)})"
        scores = (
            f"quality {format_number(self.quality)}, "
            f"dissimilarity {format_number(self.dissimilarity)}, DQ {format_number(self.dq)}"
        )
        end = ["It is degenerate: nearly all objects are in one cluster."] * self.degenerate
        if self.about is not None and not self.degenerate:
            end = [f"It {say_about(self.about)}."]
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
            "separation": None if self.about is None else self.about.separating.to_dict(),
            "evidence": self.evidence,
        }

    def text_table(self) -> TextTable:
        """Return the scores as a table."""
        rows = [[name, cell] for name, cell in zip(_HEADER, _cells(self), strict=True)]
        return TextTable(["alternative", ""], rows)


class FoundClusterings(RemembersData, Result, list[FoundClustering]):
    """The alternatives that :func:`cluster_again` found: a list that prints as tables.

    The first alternative is the recommended one.

    Attributes
    ----------
    given : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first, if none was given. Objects that
        were left out of the search have -1.
    given_names : tuple of str
        Their names: those of the series or the columns that were passed, if they have any.
    given_about : tuple of About, or None
        The features that separate the clusters of each given clustering.
    scaling : {"standard", "none", "mixed"} or None
        Whether numeric features were scaled to unit variance: yes, no, or yes and categories were
        one-hot encoded; None where units do not matter.
    parameters : dict
        The parameters of the call.
    object_index : index or None
        The index of the objects, if the input had one.
    library : str or None
        The dataframe library of the input, if it was a frame.
    data : array-like, frame or None
        The features of the objects, as they were passed; they are not pickled.
    """

    _print_summary = True

    def __init__(
        self,
        found: Iterable[FoundClustering] = (),
        *,
        given: Array,
        given_names: Sequence[str] | None = None,
        given_about: Sequence[About] | None = None,
        scaling: Scaling | None = None,
        parameters: Mapping[str, Any] | None = None,
        index: Any = None,
        library: str | None = None,
        data: Any = None,
    ) -> None:
        super().__init__(found)
        self.given = given
        self.given_names = tuple(given_names or _default_names(len(given)))
        self.given_about = None if given_about is None else tuple(given_about)
        self.scaling: Scaling | None = scaling
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
            given_names=self.given_names,
            given_about=self.given_about,
            scaling=self.scaling,
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

    @property
    def adjusted_rand(self) -> list[list[float]]:
        """The adjusted Rand indices of each alternative with each given clustering."""
        kept = (self.given != LEFT_OUT).all(axis=0)
        given = [as_hard_clustering(codes[kept]) for codes in self.given]
        found = [as_hard_clustering(one.labels[kept]) for one in self]
        return [[float(adjusted_rand_score(old, one)) for old in given] for one in found]

    def given_facts(self) -> list[GivenFacts]:
        """Return what sentences say about the given clusterings."""
        about = self.given_about or [None] * len(self.given)
        return [GivenFacts(*one) for one in zip(self.given_names, about, strict=True)]

    def facts(self, names: Sequence[str] | None = None) -> list[AlternativeFacts]:
        """Return what sentences say about the alternatives, under these names."""
        names = names or [f"Alternative {i}" for i in range(len(self))]
        n_clusters = np.unique(self.given[0][self.given[0] != LEFT_OUT]).size
        found = []
        for name, one, rand in zip(names, self, self.adjusted_rand, strict=True):
            asked = one.parameters.get("n_clusters", n_clusters)
            requested = n_clusters if asked is None else asked
            found.append(
                AlternativeFacts(
                    name,
                    one.sizes,
                    one.degenerate,
                    one.dq,
                    rand,
                    one.about,
                    one.evidence,
                    int(requested) if isinstance(requested, Integral) else None,
                )
            )
        return found

    def _sentences(self) -> list[str]:
        """Describe the alternatives: what they are about, and how they differ from the given."""
        left_out = int((self.given[0] == LEFT_OUT).sum())
        parts = describe_alternatives(self.facts(), self.given_facts())
        if left_out:
            n = format_count(self.given.shape[1], "object")
            parts.append(f"{left_out} of {n} were left out of the search.")
        return [*parts, *say_scaling(self.scaling)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {
            "given": self.given.tolist(),
            "scaling": self.scaling,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "alternatives": [
                found.to_dict() | {"adjusted_rand_score": rand}
                for found, rand in zip(self, self.adjusted_rand, strict=True)
            ],
            "summary": self.sentences(),
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
        rand = np.array(self.adjusted_rand).reshape(len(self), len(self.given))
        for i, values in enumerate(rand.T.tolist()):
            end = f"_{i + 1}" if len(self.given) > 1 else ""
            columns[f"adjusted_rand_score{end}"] = values
        columns["evidence"] = [found.evidence for found in self]
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
        rows = []
        for i, (found, rand) in enumerate(zip(self, self.adjusted_rand, strict=True)):
            cells = _cells(found)
            rows.append([str(i), *cells[:3], *map(format_number, rand), *cells[3:]])
        several = len(self.given) > 1
        similar = [f"{_ARI}, {name}" if several else _ARI for name in self.given_names]
        header = ["", *_HEADER[:3], *similar, *_HEADER[3:]]
        title = f"{format_count(len(self), 'alternative')} to {format_list(self.given_names)}"
        last = len(header) - 1
        return TextTable(header, rows, title, left=frozenset({last - 1, last}))

    def text_tables(self) -> Sequence[TextTable]:
        """Return the scores, and the features that separate the clusters if they are known."""
        named = [(one.name, one.about) for one in self.given_facts()]
        named += [(str(i), one.about) for i, one in enumerate(self)]
        known = [(name, about) for name, about in named if about is not None]
        return [self.text_table(), *([tabulate_features(known)] if known else [])]


def _default_names(count: int) -> list[str]:
    if count == 1:
        return ["the given clustering"]
    return [f"given {i + 1}" for i in range(count)]


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
