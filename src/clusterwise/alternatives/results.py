"""The alternatives that were found, as a list with tables, sentences and plots."""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, SupportsIndex, overload

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import choose_display, write_report
from clusterwise._utils.results import RemembersData, Result
from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_list,
    format_number,
)
from clusterwise.alternatives.about import About
from clusterwise.alternatives.alternative_sentences import (
    AlternativeFacts,
    GivenFacts,
    Scaling,
    describe_alternatives,
    say_sample,
    say_scaling,
    tabulate_features,
)
from clusterwise.alternatives.found_clustering import (
    SCORE_HEADER,
    FoundClustering,
    plain_parameter,
    score_cells,
)
from clusterwise.alternatives.given import GIVEN_NAME, LEFT_OUT
from clusterwise.inputs.clusterings import as_hard_clustering
from clusterwise.inputs.encoding import Array, as_names
from clusterwise.measures.pairs import adjusted_rand_score

_ARI = "adjusted Rand"
_KINDS = {
    "scatter": "ScatterPairDisplay",
    "map": "ClusteringMapDisplay",
    "front": "TradeoffDisplay",
    "flow": "FlowDisplay",
}


class FoundClusterings(RemembersData, Result, list[FoundClustering]):
    """The alternatives that :func:`cluster_again` found: a list that prints as tables.

    The first alternative is the recommended one. With ``method="auto"``, only convincing ones are
    in the list, so that it may be empty.

    Attributes
    ----------
    unconvincing : list of FoundClustering
        With ``method="auto"``, the best attempts that may be noise, best first.
    given : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first, if none was given. Objects that
        were left out of the search have -1.
    given_names : tuple of str
        Their names: those of the series or the columns that were passed, if they have any.
    given_clusters : tuple of list, or None
        The names of the clusters of each given clustering, in the order of the codes.
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
    sample : frame or None
        If ``X`` was a lazy frame, the objects that were searched: their given labels and features.
        All labels are those of its rows.
    n_objects : int
        The number of all objects. Of a lazy frame, objects that were left out are not counted.
    """

    _print_summary = True

    def __init__(
        self,
        found: Iterable[FoundClustering] = (),
        *,
        given: Array,
        unconvincing: Iterable[FoundClustering] = (),
        given_names: Sequence[str] | None = None,
        given_clusters: Sequence[list[Any]] | None = None,
        given_about: Sequence[About] | None = None,
        scaling: Scaling | None = None,
        parameters: Mapping[str, Any] | None = None,
        index: Any = None,
        library: str | None = None,
        data: Any = None,
        sample: Any = None,
        n_objects: int | None = None,
    ) -> None:
        super().__init__(found)
        self.given = given
        self.unconvincing = list(unconvincing)
        self.given_names = tuple(given_names or _default_names(len(given)))
        self.given_clusters = None if given_clusters is None else tuple(given_clusters)
        self.given_about = None if given_about is None else tuple(given_about)
        self.scaling: Scaling | None = scaling
        self.parameters = dict(parameters or {})
        self.object_index = index
        self.library = library
        self.data = data
        self.sample = sample
        self.n_objects = given.shape[1] if n_objects is None else n_objects

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
            unconvincing=self.unconvincing,
            given_names=self.given_names,
            given_clusters=self.given_clusters,
            given_about=self.given_about,
            scaling=self.scaling,
            parameters=self.parameters,
            index=self.object_index,
            library=self.library,
            data=self.data,
            sample=self.sample,
            n_objects=self.n_objects,
        )

    def by_name(self) -> dict[str, Array]:
        """Return the labels of the given clusterings and then of the alternatives, by name."""
        given = self.given_labels()
        known = {f"given {i + 1}": labels for i, labels in enumerate(given)}
        if len(given) == 1:
            known = {"given": given[0]}
        return known | {f"{i} {found.method}": found.labels for i, found in enumerate(self)}

    def given_labels(self) -> list[Array]:
        """Return the labels of each given clustering; -1 for objects that were left out."""
        if self.given_clusters is None:
            return list(self.given)
        labels = []
        for names, codes in zip(self.given_clusters, self.given, strict=True):
            left_out = [LEFT_OUT] if (codes == LEFT_OUT).any() else []
            labels.append(as_names([*names, *left_out])[codes])
        return labels

    @property
    def adjusted_rand(self) -> list[list[float]]:
        """The adjusted Rand indices of each alternative with each given clustering."""
        kept = (self.given != LEFT_OUT).all(axis=0)
        given = [as_hard_clustering(codes[kept]) for codes in self.given]
        found = [as_hard_clustering(one.labels[kept]) for one in self]
        return [[float(adjusted_rand_score(old, one)) for old in given] for one in found]

    def attempts(self) -> "FoundClusterings":
        """Return the unconvincing attempts as a result."""
        every = self[:0]
        every.extend(self.unconvincing)
        every.unconvincing = []
        return every

    def given_facts(self) -> list[GivenFacts]:
        """Return what sentences say about the given clusterings."""
        about = self.given_about or [None] * len(self.given)
        return [GivenFacts(*one) for one in zip(self.given_names, about, strict=True)]

    def facts(self, names: Sequence[str] | None = None) -> list[AlternativeFacts]:
        """Return what sentences say about the alternatives, under these names."""
        names = names or [f"Alternative {i}" for i in range(len(self))]
        return [
            AlternativeFacts(
                name,
                one.sizes,
                one.degenerate,
                one.dq,
                rand,
                one.about,
                one.evidence,
                self._requested(one),
                one.stability,
                one.found_again,
                one.icl_by_n_clusters,
                one.better_than,
                one.crossed,
            )
            for name, one, rand in zip(names, self, self.adjusted_rand, strict=True)
        ]

    def _requested(self, one: FoundClustering) -> int | None:
        """Return the number of clusters that was asked for; None if it was chosen."""
        if one.icl_by_n_clusters is not None:
            return None
        asked = one.parameters.get("n_clusters")
        if asked is None:
            return int(np.unique(self.given[0][self.given[0] != LEFT_OUT]).size)
        return int(asked) if isinstance(asked, Integral) else None

    def _sentences(self) -> list[str]:
        """Describe the alternatives: what they are about, and how they differ from the given."""
        left_out = int((self.given[0] == LEFT_OUT).sum())
        parts = describe_alternatives(self.facts(), self.given_facts(), self.attempts().facts())
        if left_out:
            n = format_count(self.given.shape[1], "object")
            parts.append(f"{left_out} of {n} were left out of the search.")
        parts += say_sample(self.given.shape[1], self.n_objects)
        return [*parts, *say_scaling(self.scaling)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {
            "given": self.given.tolist(),
            "objects": self.n_objects,
            "scaling": self.scaling,
            "parameters": {name: plain_parameter(value) for name, value in self.parameters.items()},
            "alternatives": [
                found.to_dict() | {"adjusted_rand_score": rand}
                for found, rand in zip(self, self.adjusted_rand, strict=True)
            ],
            "unconvincing": [found.to_dict() for found in self.unconvincing],
            "summary": self.sentences(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return the labels as a frame: a row per object, with the index of the input.

        The columns are ``alternative_0``, ``alternative_1``, …, in the order of this list. If ``X``
        was a lazy frame, the rows are those of ``sample``.

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
        for name in ("evidence", "convincing", "stability"):
            columns[name] = [getattr(found, name) for found in self]
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
        shown = self if self or not self.unconvincing else self.attempts()
        rows = []
        for i, (found, rand) in enumerate(zip(shown, shown.adjusted_rand, strict=True)):
            cells = score_cells(found)
            rows.append([str(i), *cells[:3], *map(format_number, rand), *cells[3:]])
        several = len(self.given) > 1
        similar = [f"{_ARI}, {name}" if several else _ARI for name in self.given_names]
        header = ["", *SCORE_HEADER[:3], *similar, *SCORE_HEADER[3:]]
        title = f"{format_count(len(self), 'alternative')} to {format_list(self.given_names)}"
        if shown is not self:
            title = f"No convincing alternative to {format_list(self.given_names)}; best attempts"
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
        return [GIVEN_NAME]
    return [f"given {i + 1}" for i in range(count)]


def pareto_front(values: Array) -> Array:
    """Return the indices of the rows on the Pareto front, where larger values are better.

    Rows with equal values are all on the front, or none is.
    """
    no_worse = (values[:, None] >= values).all(axis=2)
    better = (values[:, None] > values).any(axis=2)
    return np.flatnonzero(~(no_worse & better).any(axis=0))
