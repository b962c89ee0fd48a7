"""The objects as a map: how often each stays with its cluster."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count, format_share
from clusterwise.inputs.clusterings import encode
from clusterwise.inputs.features import used_categories
from clusterwise.plots._annotations import write_title
from clusterwise.plots._groups import PanelClustering
from clusterwise.plots._palette import INK, Colours, find_colours
from clusterwise.plots._projection import Axes as AxesChoice, project
from clusterwise.plots.base import Display, styled
from clusterwise.plots.scatter import ScatterPairDisplay
from clusterwise.stability.assessment import Assessment

# More ambiguous objects than this are not ringed one by one.
_MOST_RINGS = 2_000


class ObjectStabilityDisplay(Display):
    """The objects in the plane, coloured by cluster; paler ones leave their cluster more often.

    Ambiguous objects, which are not with their cluster in more than a third of the resamples, are
    ringed.

    Parameters
    ----------
    assessment : Assessment
        The result of :func:`clusterwise.assess`, with the features of the objects.
    axes : sequence of two features, optional
        The features to plot; by default the first two principal components of the standardised
        features.
    coordinates : array-like or frame of shape (n, 2), optional
        The positions of the objects, such as an embedding.
    colours : sequence of one Colours, optional
        The colours of the clusters.

    Attributes
    ----------
    objects_ : ScatterPairDisplay
        The objects.
    rings_ : PathCollection
        The rings around ambiguous objects.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import assess
    >>> X = np.repeat([[0.0, 0], [0, 9], [9, 0]], 30, axis=0)
    >>> X += np.random.default_rng(0).normal(size=X.shape)
    >>> labels = np.repeat([0, 1, 2], 30)
    >>> found = assess(X, labels, n_resamples=10, n_null=19, random_state=0)
    >>> found.plot("objects").ax_.get_title(loc="left").split(":")[0]
    'None of 90 objects is ambiguous'
    """

    def __init__(
        self,
        assessment: Assessment,
        *,
        axes: AxesChoice | None = None,
        coordinates: Any = None,
        colours: Sequence[Colours] | None = None,
    ) -> None:
        if assessment.data is None and coordinates is None:
            raise InputError(
                "the assessment has no features, which are not pickled; pass coordinates."
            )
        self.objects = assessment.objects
        labels = self.objects.labels
        self.projection = project(
            assessment.data, axes=axes, coordinates=coordinates, n=labels.size
        )
        codes, names = used_categories(encode(labels, "labels"))
        own = find_colours(labels, colours[0] if colours else None)
        # Objects that are noise, or in no resample, are not pale.
        agreement = np.nan_to_num(self.objects.agreement, nan=1.0)
        self._group = PanelClustering("clusters", codes, names, own.numbers < 0, agreement)
        self._colours = own

    @styled
    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes or on a new figure."""
        drawn = ScatterPairDisplay(self.projection, [self._group], [self._colours]).plot(ax)
        self.objects_ = drawn
        self.ax_, self.axes_, self.figure_ = drawn.ax_, drawn.axes_, drawn.figure_
        ambiguous = self.objects.ambiguous
        ringed = ambiguous if ambiguous.size <= _MOST_RINGS else ambiguous[:0]
        points = self.projection.points[ringed]
        self.rings_ = self.ax_.scatter(
            points[:, 0], points[:, 1], s=48, facecolors="none", edgecolors=INK, linewidths=0.9
        )
        n = int((~np.isnan(self.objects.agreement)).sum())
        found = f"{ambiguous.size:,}" if ambiguous.size else "None"
        share = f" ({format_share(ambiguous.size / n)})" if ambiguous.size else ""
        are = "is" if ambiguous.size <= 1 else "are"
        rings = " (ringed)" if ringed.size else ""
        write_title(
            self.ax_,
            f"{found} of {format_count(n, 'object')}{share} {are} ambiguous{rings}: not with "
            f"{'its cluster' if are == 'is' else 'their clusters'} in more than a third of the "
            "resamples; paler ones leave theirs more often",
        )
        return self
