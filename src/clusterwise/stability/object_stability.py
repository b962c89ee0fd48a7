"""How often each object stays with its cluster."""

from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.results import Described
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_number,
    format_share,
)
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.stability.clusterers import NOISE, Clusters

# An object is ambiguous if it is with its cluster in a smaller proportion of the copies.
STAYS = 2 / 3


class ObjectStability(Described, TableRepr):
    """How often each object stays with its cluster: prints a row per cluster.

    An object is with its cluster in a copy if that is the cluster of the data most similar (by the
    Jaccard index) to the one that the object has in the copy.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The clusters.
    agreement : ndarray of shape (n,)
        The proportion of the copies with the object in which it is with its cluster. NaN for noise,
        and for objects that no copy has.
    other : list of labels
        The cluster (or noise) that it is with most often otherwise; None if there is none.
    copies : ndarray of shape (n,)
        The number of copies with the object.
    """

    def __init__(
        self, clusters: Clusters, votes: Array, noise_label: Any = NOISE, index: Any = None
    ) -> None:
        self._codes, self._index = clusters.codes, index
        names = [*name_list(clusters.names), noise_label]
        self._names, self._other = names, np.full(len(votes), -1)
        self.copies = votes.sum(axis=1)
        rows = np.arange(len(votes))
        others = votes.copy()
        others[rows, self._codes] = 0  # noise is the last column
        most = others.argmax(axis=1)
        moved = others[rows, most] > 0
        self._other[moved] = most[moved]
        stayed = votes[rows, self._codes]
        known = (self.copies > 0) & (self._codes != NOISE)
        self.agreement = np.where(known, stayed / np.maximum(self.copies, 1), np.nan)

    @cached_property
    def labels(self) -> Array:
        """The clusters."""
        named = np.empty(len(self._names), object)
        named[:] = self._names
        return np.array(named[self._codes].tolist())

    @cached_property
    def other(self) -> list[Any]:
        """The cluster that each object is with most often otherwise; None if there is none."""
        return [None if code < 0 else self._names[code] for code in self._other.tolist()]

    @property
    def ambiguous(self) -> Array:
        """Positions of the objects that are with their cluster too rarely, the rarest first."""
        found = np.flatnonzero(self.agreement < STAYS)
        return found[np.argsort(self.agreement[found], kind="stable")]

    def _sentences(self) -> list[str]:
        """Describe how many objects are ambiguous."""
        n = int((~np.isnan(self.agreement)).sum())
        ambiguous = self.ambiguous.size
        if not ambiguous:
            return ["Every object is with its cluster in at least two thirds of the resamples."]
        are, their = ("is", "its cluster") if ambiguous == 1 else ("are", "their clusters")
        return [
            f"{ambiguous:,} of {format_count(n, 'object')} ({format_share(ambiguous / n)}) {are} "
            f"ambiguous: not with {their} in more than a third of the resamples."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON; NaN becomes None."""
        agreement = [None if one != one else one for one in self.agreement.tolist()]
        return {
            "n_ambiguous": int(self.ambiguous.size),
            "labels": [_plain(one) for one in name_list(self.labels)],
            "agreement": agreement,
            "other": [_plain(one) for one in self.other],
            "copies": self.copies.tolist(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per object."""
        columns = {
            "cluster": name_list(self.labels),
            "agreement": self.agreement.tolist(),
            "other": self.other,
            "copies": self.copies.tolist(),
        }
        return to_frame(columns, library, index=self._index)

    def text_table(self) -> TextTable:
        """Return the objects, their mean agreement and the ambiguous ones of each cluster."""
        rows = []
        for code, name in enumerate(self._names[:-1]):
            own = self.agreement[(self._codes == code) & (self.copies > 0)]
            if own.size:
                values = map(format_number, (own.mean(), own.min()))
                rows.append([str(name), str(own.size), *values, str(int((own < STAYS).sum()))])
        header = ["cluster", "objects", "agreement", "least", "ambiguous"]
        return TextTable(header, rows, format_count(self.ambiguous.size, "ambiguous object"))


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
