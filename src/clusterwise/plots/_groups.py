"""Clusterings of the same objects as they are drawn: one cluster per object."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.inputs.clusterings import (
    Clustering,
    LabelOptions,
    Missing,
    Pair,
    Singleton,
    align_clusterings,
    as_clustering,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import in_use
from clusterwise.measures._label_options import summarise
from clusterwise.plots._names import show_name
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap

_ROWS = 1 << 16
# So many clusters have their names written on them; of short names, more.
_WRITTEN, _WRITTEN_SHORT, _SHORT = 10, 30, 4
_TINY = float(np.finfo(np.float64).tiny)


class Grouped(NamedTuple):
    """One clustering as it is drawn: a cluster per object, and how much of it that one has."""

    title: str
    codes: Array
    names: list[Any]
    shares: Array | None = None

    @property
    def certainty(self) -> Array | None:
        """The largest share, from 0 (all clusters alike) to 1; None if all are whole."""
        if self.shares is None:
            return None
        least = 1 / max(2, len(self.names))
        return np.clip((self.shares - least) / (1 - least), 0.0, 1.0)

    @property
    def heading(self) -> str:
        """What the clustering is called, and how many clusters it has."""
        clusters = format_count(len(self.largest_first()), "cluster")
        soft = "; the paler, the less certain" if self.shares is not None else ""
        return f"{show_name(self.title)}: {clusters}{soft}"

    @property
    def is_written(self) -> bool:
        """Whether there is room to write the names on the clusters."""
        used = [str(self.names[k]) for k in self.largest_first()]
        if len(used) <= _WRITTEN:
            return True
        return len(used) <= _WRITTEN_SHORT and max(map(len, used)) <= _SHORT

    def largest_first(self) -> list[int]:
        """The clusters that have objects."""
        sizes = np.bincount(self.codes, minlength=len(self.names))
        return [k for k in np.argsort(-sizes, kind="stable").tolist() if sizes[k]]

    def anchors(self, points: Array) -> dict[int, Array]:
        """For each cluster its object nearest to the median of its objects."""
        found = {}
        order = np.argsort(self.codes, kind="stable")
        ends = np.searchsorted(self.codes[order], np.arange(len(self.names) + 1))
        for k in range(len(self.names)):
            own = points[order[ends[k] : ends[k + 1]]]
            own = own[np.isfinite(own).all(axis=1)]
            if len(own):
                off = (own - np.median(own, axis=0)) / (np.ptp(own, axis=0) + _TINY)
                found[k] = own[int((off**2).sum(axis=1).argmin())]
        return found


def read_clusterings(
    a: Any, b: Any, names: Sequence[str] | None, missing: Missing = "error"
) -> dict[str, AnyClustering]:
    """Two clusterings, or those of a mapping, by name."""
    if isinstance(a, Mapping):
        if b is not None:
            raise InputError("a is a mapping that stands for all clusterings; leave b out.")
        if not a:
            raise InputError("there is no clustering to draw; pass at least one.")
        return {
            str(name): as_clustering(one, str(name), missing=missing) for name, one in a.items()
        }
    given = [a] if b is None else [a, b]
    titles = ["a", "b"][: len(given)] if names is None else [str(name) for name in names]
    if len(set(titles)) != len(given):
        raise InputError(f"names={names!r} for {len(given)} clusterings; pass a name for each.")
    return {
        title: as_clustering(one, title, missing=missing)
        for title, one in zip(titles, given, strict=True)
    }


def line_up_all(
    ones: list[AnyClustering], label_options: LabelOptions
) -> tuple[list[AnyClustering], list[Contingency | SoftOverlap], Array | None]:
    """Clusterings of the same objects, tables of neighbours, and which objects are left."""
    if len(ones) == 2:
        pair: Pair[AnyClustering] = align_clusterings(ones[0], ones[1], **label_options)
        return [pair.a, pair.b], [summarise(pair)], pair.kept
    if "drop" in (label_options.get("noise"), label_options.get("missing")) or (
        label_options.get("align") == "index"
    ):
        raise InputError(
            "noise='drop', missing='drop' and align='index' choose objects by pairs; leave them "
            "out, or pass two clusterings."
        )
    tables = [
        summarise(align_clusterings(one, other, **label_options)) for one, other in pairwise(ones)
    ]
    return ones, tables, None


def group_objects(title: str, one: AnyClustering) -> Grouped:
    """A clustering as it is drawn; a soft one by the cluster with the largest share."""
    if isinstance(one, Clustering):
        codes, names = in_use(one.codes)
        single = np.array([isinstance(name, Singleton) for name in names], bool)
        if single.any():  # drawn alike, so they are one
            first = int(np.argmax(single))
            codes = np.where(single[codes], first, codes)
        return Grouped(title, codes, names)
    memberships = one.memberships.check()
    n = len(memberships)
    codes, shares = np.empty(n, np.int64), np.empty(n)
    for at in range(0, n, _ROWS):
        rows = memberships.rows(at, min(at + _ROWS, n))
        codes[at : at + _ROWS] = rows.argmax(axis=1)
        shares[at : at + _ROWS] = rows.max(axis=1)
    return Grouped(title, codes, list(memberships.names.tolist()), shares)
