"""Names of clusters in a scatter plot: on the clusters where they fit, the others in a legend."""

from typing import TYPE_CHECKING, Any

import numpy as np

from clusterwise.comparing.matches import name_noise
from clusterwise.inputs.encoding import Array
from clusterwise.plots._annotations import key_of, keys_below, show_names
from clusterwise.plots._groups import PanelClustering
from clusterwise.plots._palette import mark, paint
from clusterwise.plots._point_labels import write_fitting_texts, write_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

_WIDTH = 18
# The largest number of names in a legend, and the length of short ones.
_LISTED, _SHORT = 24, 12
# Up to this number of objects, names avoid covering any.
_FEW = 60


def write_names(panel: "Axes", group: PanelClustering, points: Array, numbers: Array) -> list[Any]:
    """Write the names on the clusters, the largest first; ``numbers`` are those of the colours.

    If there are many clusters, only those that cover no other name are written, and the legend
    lists the others.
    """
    anchors = group.anchors(points)
    order = [k for k in group.largest_first() if k in anchors]
    names = show_names(name_noise(group.names, group.noise), width=_WIDTH)
    positions = np.array([anchors[k] for k in order]).reshape(-1, 2)
    texts = [names[k] for k in order]
    edges = [paint(int(numbers[k])) for k in order]
    if not group.is_written:
        written = write_fitting_texts(panel, positions, texts, edges=edges)
        done = {k for k, text in zip(order, written, strict=True) if text is not None}
        list_names(panel, group, numbers, [k for k in group.largest_first() if k not in done])
        return [text for text in written if text is not None]
    few = group.codes.size <= _FEW
    return list(
        write_texts(
            panel,
            positions,
            texts,
            obstacles=points[np.isfinite(points).all(axis=1)] if few else None,
            gap=5.0 if few else 0.0,
            centred=not few,
            edges=edges,
        )
    )


def list_names(
    panel: "Axes", group: PanelClustering, numbers: Array, clusters: "Sequence[int]"
) -> None:
    """List the names of clusters beside their markers below the panel, if they are not too many."""
    if panel.legend_ is not None:
        panel.legend_.remove()
    if not clusters:
        return
    names = show_names(name_noise(group.names, group.noise), width=_WIDTH)
    listed = list(clusters[:_LISTED])
    keys = [
        key_of(mark(number), names[k], fill=paint(number), edge="none")
        for k, number in zip(listed, numbers[listed].tolist(), strict=True)
    ]
    if len(clusters) > len(listed):
        keys.append(key_of("", f"and {len(clusters) - len(listed)} more"))
    short = max(len(names[k]) for k in listed) < _SHORT
    keys_below(panel, keys, columns=4 if short else 3)
