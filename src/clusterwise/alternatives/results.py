"""Alternatives that were found, and what they are worth."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clusterwise._utils.lazy import choose_display, write_report
from clusterwise._utils.tables import TableRepr, TextTable, format_count, format_number
from clusterwise.inputs.encoding import Array

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
