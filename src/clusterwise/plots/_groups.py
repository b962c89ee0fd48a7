"""Clusterings of the same objects for scatter plots: one cluster per object."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.comparing.verdict import count_clusters
from clusterwise.inputs.clusterings import (
    Clustering,
    LabelOptions,
    Missing,
    Pair,
    Singleton,
    align_clusterings,
    as_clustering,
    find_noise,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import used_categories
from clusterwise.measures._label_options import summarise
from clusterwise.plots._annotations import show_name
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap

_ROWS = 1 << 16
# The largest numbers of clusters that are named in the plot, in general and with short names.
_WRITTEN, _WRITTEN_SHORT, _SHORT = 10, 30, 4
_TINY = float(np.finfo(np.float64).tiny)


class PanelClustering(NamedTuple):
    """A clustering as it is drawn: a cluster per object, and its membership if it is soft."""

    title: str
    codes: Array
    names: list[Any]
    noise: Array
    largest: Array | None = None

    @property
    def certainty(self) -> Array | None:
        """The largest membership, scaled from 0 (all equal) to 1; None if hard."""
        if self.largest is None:
            return None
        least = 1 / max(2, len(self.names))
        return np.clip((self.largest - least) / (1 - least), 0.0, 1.0)

    @property
    def heading(self) -> str:
        """The name and the number of clusters."""
        sizes = np.bincount(self.codes, minlength=len(self.names))
        used = sizes > 0
        clusters = count_clusters(np.flatnonzero(used), self.noise[used], sizes[used])
        soft = "; paler is less certain" if self.largest is not None else ""
        return f"{show_name(self.title)}: {clusters}{soft}"

    @property
    def is_written(self) -> bool:
        """Whether the names are few and short enough to be written on the clusters."""
        used = [str(self.names[k]) for k in self.largest_first()]
        if len(used) <= _WRITTEN:
            return True
        return len(used) <= _WRITTEN_SHORT and max(map(len, used)) <= _SHORT

    def largest_first(self) -> list[int]:
        """Return the clusters that have objects, largest first."""
        sizes = np.bincount(self.codes, minlength=len(self.names))
        return [k for k in np.argsort(-sizes, kind="stable").tolist() if sizes[k]]

    def anchors(self, points: Array) -> dict[int, Array]:
        """Return for each cluster its object nearest to the median."""
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
    """Read two clusterings, or those of a mapping, by name."""
    if isinstance(a, Mapping):
        if b is not None:
            raise InputError("a is a mapping with all clusterings; leave out b.")
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


def align_all(
    ones: list[AnyClustering], label_options: LabelOptions
) -> tuple[list[AnyClustering], list[Contingency | SoftOverlap], Array | None]:
    """Align clusterings; return them, the tables of neighbours, and the objects kept."""
    if len(ones) == 2:
        pair: Pair[AnyClustering] = align_clusterings(ones[0], ones[1], **label_options)
        return [pair.a, pair.b], [summarise(pair)], pair.kept
    if "drop" in (label_options.get("noise"), label_options.get("missing")) or (
        label_options.get("align") == "index"
    ):
        raise InputError(
            "noise='drop', missing='drop' and align='index' need two clusterings; leave them out, "
            "or pass two."
        )
    tables = [
        summarise(align_clusterings(one, other, **label_options)) for one, other in pairwise(ones)
    ]
    return ones, tables, None


def group_objects(title: str, one: AnyClustering, noise_label: Any = -1) -> PanelClustering:
    """Return a clustering as it is drawn; a soft one by its largest memberships."""
    if isinstance(one, Clustering):
        codes, names = used_categories(one.codes)
        single = np.array([isinstance(name, Singleton) for name in names], bool)
        if single.any():  # drawn in one colour, as one cluster
            first = int(np.argmax(single))
            codes = np.where(single[codes], first, codes)
        return PanelClustering(title, codes, names, find_noise(names, noise_label))
    memberships = one.memberships.check()
    n = len(memberships)
    codes, largest = np.empty(n, np.int64), np.empty(n)
    for at in range(0, n, _ROWS):
        rows = memberships.rows(at, min(at + _ROWS, n))
        codes[at : at + _ROWS] = rows.argmax(axis=1)
        largest[at : at + _ROWS] = rows.max(axis=1)
    names = list(memberships.names.tolist())
    return PanelClustering(title, codes, names, find_noise(names, noise_label), largest)
