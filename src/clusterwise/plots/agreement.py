"""Margins of the objects in the clusters of a consensus."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_amount, format_count, format_share
from clusterwise.consensus.diagnostics import ObjectAgreement, object_agreement
from clusterwise.inputs.clusterings import encode
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import used_categories
from clusterwise.plots._annotations import show_names, text_width, write_title
from clusterwise.plots._palette import FAINT, INK, Colours, find_colours
from clusterwise.plots.base import Display, styled

# Larger clusters are drawn by this number of quantiles, smaller ones object by object.
_QUANTILES = 200
# The least height of a cluster and the gap between two, as fractions of the whole height.
_LEAST, _BETWEEN = 0.024, 0.01
# The largest number of clusters; if there are more, those with the most ambiguous objects.
_SHOWN = 40
# The distance of the marks of ambiguous objects from the left of the margins.
_ASIDE = 0.05
# The size of a letter in inches.
_LETTER = 0.11


class _Band(NamedTuple):
    """A cluster: its colour, its margins in descending order, its size and ambiguous objects."""

    name: Any
    paint: str
    margins: Array
    size: int
    ambiguous: int


class AgreementDisplay(Display):
    """The margins of all objects by cluster, like a silhouette plot.

    The margin of an object is its mean co-association with its own cluster minus that with the
    nearest other one. Objects whose margin is 0 or less are ambiguous; a bar at the left marks
    them. The height of a cluster is proportional to its size, with a minimum for small clusters.

    Parameters
    ----------
    agreement : ObjectAgreement
        Margins and clusters; objects without a label in all clusterings are left out.
    colours : list of one Colours, optional
        The colours of the clusters of the consensus.

    Attributes
    ----------
    bands_ : list of StepPatch
        The margins of each cluster, in the order of names from top to bottom.
    ambiguous_ : LineCollection
        Bars that mark the ambiguous objects of clusters that have any.

    Examples
    --------
    >>> from clusterwise import object_agreement
    >>> ensemble = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]]
    >>> display = object_agreement([0, 0, 0, 1, 1], ensemble).plot()
    >>> display.ax_.get_title(loc="left").split(":")[0]
    '1 of 5 objects (20%) is ambiguous'
    """

    def __init__(
        self, agreement: ObjectAgreement, *, colours: Sequence[Colours] | None = None
    ) -> None:
        self.agreement = agreement
        known = ~np.isnan(agreement.margin)
        if not known.any():
            raise InputError("all labels are missing, so there are no margins to draw.")
        read = used_categories(encode(agreement.labels, "labels"))
        own = find_colours(agreement.labels, colours[0] if colours else None)
        self.bands = []
        for code, (name, paint) in enumerate(zip(own.names, own.paints, strict=True)):
            margins = agreement.margin[known & (read.codes == code)]
            if margins.size:
                ambiguous = int((margins <= 0).sum())
                band = _Band(name, paint, _shorten(margins), margins.size, ambiguous)
                self.bands.append(band)

    @classmethod
    def from_clusterings(
        cls,
        labels: Any,
        ensemble: Any,
        *,
        weights: Any = None,
        colours: Sequence[Colours] | None = None,
    ) -> Self:
        """Create the display from the arguments of :func:`clusterwise.object_agreement`."""
        return cls(object_agreement(labels, ensemble, weights=weights), colours=colours)

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        bands = self.bands
        if len(bands) > _SHOWN:
            worst = sorted(range(len(bands)), key=lambda k: -bands[k].ambiguous)[:_SHOWN]
            bands = [bands[k] for k in sorted(worst)]
        ax = self._axes(ax, (7.5, float(np.clip(1.8 + 0.34 * len(bands), 3.2, 12.0))))
        sizes = np.array([band.size for band in bands], np.float64)
        heights = np.maximum(sizes / sizes.sum(), _LEAST)
        tops = -np.cumsum(heights + _BETWEEN) + heights
        self.bands_ = []
        marked = []
        for band, top, height in zip(bands, tops.tolist(), heights.tolist(), strict=True):
            edges = np.linspace(top, top - height, band.margins.size + 1)
            self.bands_.append(
                ax.stairs(
                    band.margins, edges, orientation="horizontal", fill=True, color=band.paint
                )
            )
            if band.ambiguous:
                bottom = top - height
                marked.append((bottom, bottom + height * band.ambiguous / band.size))
        least = min(float(band.margins.min()) for band in bands)
        left = min(least, 0.0) - _ASIDE
        low, high = np.array(marked).reshape(-1, 2).T
        self.ambiguous_ = ax.vlines(np.full(low.size, left), low, high, color=INK, linewidth=5)
        ax.axvline(0.0, color=INK, linewidth=0.8)
        ax.set_xlim(left - _ASIDE / 2, 1.02)
        ax.set_ylim(float(tops[-1] - heights[-1]) - _BETWEEN, _BETWEEN)
        names = show_names([band.name for band in bands], 20)
        texts = [
            f"{name} · {format_amount(band.size)}" for name, band in zip(names, bands, strict=True)
        ]
        ax.set_yticks(tops - heights / 2, texts, fontsize="small")
        ax.tick_params(left=False)
        ax.grid(axis="x", color=FAINT, linewidth=0.5)
        ax.set_axisbelow(True)
        ax.set(
            xlabel="margin: co-association of an object with its own\n"
            "cluster, minus that with the nearest other one",
            ylabel="objects by cluster",
        )
        # Tick labels reduce the size of the axes once the figure is laid out.
        width = ax.get_window_extent().width / ax.figure.dpi
        write_title(ax, self._title(len(bands)), width - _LETTER * max(map(text_width, texts)))
        return self

    def _title(self, shown: int) -> str:
        total = sum(band.size for band in self.bands)
        found = sum(band.ambiguous for band in self.bands)
        share = format_share(found / total)
        what = "is" if found == 1 else "are"
        objects = "object" if total == 1 else "objects"
        text = (
            f"{format_amount(found)} of {format_amount(total)} {objects} ({share}) {what} ambiguous"
        )
        if found:
            text += ": grouped as often with another cluster (marked at the left)"
        unknown = self.agreement.margin.size - total
        if unknown:
            text += f"; {format_count(unknown, 'object')} without labels left out"
        if shown < len(self.bands):
            text += f"; the {shown} of {len(self.bands)} clusters with the most of them"
        return text


def _shorten(margins: Array) -> Array:
    """Return margins in descending order, or midpoint quantiles if there are many."""
    ordered = np.sort(margins)[::-1]
    if ordered.size <= _QUANTILES:
        return ordered
    positions = (np.arange(_QUANTILES) + 0.5) / _QUANTILES * ordered.size
    return ordered[positions.astype(np.int64)]
