"""Alternatives that were found, and what they are worth."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.lazy import choose_display, write_report
from clusterwise._utils.tables import TableRepr, TextTable, format_count, format_number
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ, Dissimilarity, dq_parts
from clusterwise.summaries.contingency.entropies import entropy

_SIZES_SHOWN = 6
_HEADER = ("DQ", "quality", "dissimilarity", "effective", "sizes", "found by")
_KINDS = {
    "map": "ClusteringMapDisplay",
    "front": "TradeoffDisplay",
    "flow": "FlowDisplay",
    "scatter": "ScatterPairDisplay",
}


@dataclass(frozen=True, repr=False, eq=False)
class FoundClustering(TableRepr):
    """An alternative that was found, and what it is worth.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each object.
    quality, dissimilarity, dq : float
        How good it is, how much it differs from what is given, and the harmonic mean of both.
    sizes : tuple of int
        The sizes of its clusters, largest first.
    effective_n_clusters : float
        exp of the entropy of these sizes.
    degenerate : bool
        Whether it is one that nobody wants, such as one object against all the rest.
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values; parameters as they were passed."""
        return {
            "labels": self.labels.tolist(),
            "quality": self.quality,
            "dissimilarity": self.dissimilarity,
            "dq": self.dq,
            "sizes": list(self.sizes),
            "effective_n_clusters": self.effective_n_clusters,
            "degenerate": self.degenerate,
            "method": self.method,
            "parameters": dict(self.parameters),
        }

    def text_table(self) -> TextTable:
        """Everything but labels and parameters, as texts."""
        rows = [[name, cell] for name, cell in zip(_HEADER, _cells(self), strict=True)]
        return TextTable(["alternative", ""], rows)


class FoundClusterings(TableRepr, list[FoundClustering]):
    """A list of alternatives, which prints as a table.

    ``given`` are the clusterings that they are alternatives to, as codes, m × n: the one that was
    made first, if none was given. ``parameters`` are those of the call that found them.
    """

    def __init__(
        self,
        found: Iterable[FoundClustering] = (),
        *,
        given: Array,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(found)
        self.given = given
        self.parameters = dict(parameters or {})

    def by_name(self) -> dict[str, Array]:
        """What is given, then what was found, by names that say which is which."""
        known = {f"given {i + 1}": labels for i, labels in enumerate(self.given)}
        if len(known) == 1:
            known = {"given": self.given[0]}
        return known | {f"{i} {found.method}": found.labels for i, found in enumerate(self)}

    def plot(self, kind: str = "map", *, ax: Any = None, **options: Any) -> Any:
        """Draw what is given beside what was found, with the extra ``plots``.

        Parameters
        ----------
        kind : {"map", "front", "flow", "scatter"}, default="map"
            How alike they are, how good and how different, which objects go where, or the objects
            in the colours of each (which needs ``X=``).
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of ``from_found`` (map, front) or ``from_clusterings`` (flow, scatter) of
            the display.

        Returns
        -------
        Display
            From :mod:`clusterwise.plots`, drawn.
        """
        display = choose_display(kind, _KINDS)
        if kind in ("map", "front"):
            return display.from_found(self, **options).plot(ax=ax)
        return display.from_clusterings(self.by_name(), **options).plot(ax=ax)

    def report(self, path: Any, X: Any = None, *, title: str | None = None) -> Path:
        """Write it as one page of HTML with pictures, which needs the extra ``report``.

        With the objects' features ``X`` it says what each clustering is about.
        """
        return write_report(self, path, X=X, title=title)

    def text_table(self) -> TextTable:
        """A row per alternative."""
        rows = [[str(i), *_cells(found)] for i, found in enumerate(self)]
        title = f"{format_count(len(self), 'alternative')} to what is given"
        return TextTable(["", *_HEADER], rows, title, left=frozenset({5, 6}))


def _cells(found: FoundClustering) -> list[str]:
    return [
        format_number(found.dq),
        format_number(found.quality),
        format_number(found.dissimilarity),
        f"{found.effective_n_clusters:.2f}",
        list_sizes(found.sizes),
        f"{found.method}, degenerate" if found.degenerate else found.method,
    ]


def list_sizes(sizes: tuple[int, ...]) -> str:
    """Sizes as people read them: the largest ones."""
    shown = ", ".join(map(str, sizes[:_SIZES_SHOWN]))
    return f"{shown}, …" if len(sizes) > _SIZES_SHOWN else shown


def warn_of_degenerate(found: Sequence[FoundClustering]) -> None:
    """Say so, if there are some that nobody wants."""
    bad = [one for one in found if one.degenerate]
    if bad:
        warnings.warn(
            f"{len(bad)} of {format_count(len(found), 'alternative')} is degenerate, with "
            "clusters of "
            f"{list_sizes(bad[0].sizes)} objects; try another method, or other parameters.",
            UserWarning,
            stacklevel=4,
        )


# A clustering is degenerate if its effective number of clusters is nearer to one than this
# share of the way to its nominal number.
_SHARE = 0.1
# The guard against clusters of one or two strange objects: a cluster has at least this share of all
# objects, or this share of an average cluster if that is less, and two objects in any case.
_SHARE_OF_ALL = 0.05
_SHARE_OF_AVERAGE = 0.25
_FEWEST = 2


class Sizes(NamedTuple):
    """Sizes of clusters, largest first.

    ``effective`` is exp of their entropy: K for K equal clusters, hardly more than 1
    for one object against all the rest. ``degenerate`` says that it is below
    1 + (K - 1)/10, which for two clusters is one that holds more than 98 % of the objects; or
    that all objects are in one cluster, but perhaps for some that have one by themselves.
    """

    sizes: tuple[int, ...]
    effective: float
    degenerate: bool


def describe_sizes(labels: Array, times: Array | None = None) -> Sizes:
    """Sizes of a clustering given as codes, of which each may stand for several objects."""
    counts = np.bincount(labels, times).astype(np.int64)
    counts = np.sort(counts[counts > 0])[::-1]
    effective = float(np.exp(entropy(counts)))
    lopsided = effective < 1 + _SHARE * (counts.size - 1)
    degenerate = lopsided or counts.size < 2 or (counts[0] > 1 >= counts[1])
    return Sizes(tuple(counts.tolist()), effective, bool(degenerate))


def guard_size(n: int, clusters: int) -> float:
    """The size that a cluster of n objects must have by default, against strange single ones.

    5 % of the objects, or a quarter of an average cluster if that is less, and at least 2 objects.
    """
    return max(_FEWEST, min(_SHARE_OF_ALL, _SHARE_OF_AVERAGE / max(1, clusters)) * n)


def pareto_front(values: Array) -> Array:
    """Places of the rows on the front: no other is as good in all columns and better in one.

    Rows with equal values are all on the front, or none is.
    """
    no_worse = (values[:, None] >= values).all(axis=2)
    better = (values[:, None] > values).any(axis=2)
    return np.flatnonzero(~(no_worse & better).any(axis=0))


QualityChoice = str | Callable[[Any, Any], float]


def score(
    X: Any,
    given: Array,
    labels: Array,
    quality: QualityChoice,
    dissimilarity: Dissimilarity,
    parameters: Mapping[str, Any],
) -> DQ:
    """DQ and its parts against given codes (m × n), by the estimator's metric or missing values."""
    options = {}
    if isinstance(quality, str):
        option = "missing" if quality == "entropy" else "metric"
        options = {option: parameters[option]} if option in parameters else {}
    return dq_parts(X, given.T, labels, dissimilarity=dissimilarity, quality=quality, **options)


def describe_found(
    seen: Any, model: Any, labels: Array, quality: QualityChoice, kind: Dissimilarity
) -> FoundClustering:
    """An alternative that a fitted estimator found, by the objects as qualities see them."""
    name, parameters = type(model).__name__, model.get_params()
    return describe_labels(seen, model.given_, labels, quality, kind, name, parameters)


def describe_labels(
    seen: Any,
    given: Array,
    labels: Array,
    quality: QualityChoice,
    kind: Dissimilarity,
    method: str,
    parameters: Mapping[str, Any],
) -> FoundClustering:
    """Labels with what they are worth, and who found them."""
    scores = score(seen, given, labels, quality, kind, parameters)
    sizes = describe_sizes(labels)
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
