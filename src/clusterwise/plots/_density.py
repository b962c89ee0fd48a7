"""Many objects as an image: which cluster most of those in a place are in, and how many."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgb

from clusterwise.inputs.encoding import Array
from clusterwise.plots._palette import paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Places along the two axes.
_PLACES = (220, 190)
_FAINTEST = 0.25


def majority_image(
    ax: "Axes",
    points: Array,
    codes: Array,
    numbers: Array,
    certainty: Array | None = None,
) -> Any:
    """Draw the axes' room as an image, the denser the more opaque, and return it.

    ``codes`` are the objects' clusters, ``numbers`` those of the clusters' colours. Uncertain
    objects count less, and make their place paler.
    """
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    across, up = _PLACES
    x = ((points[:, 0] - left) / (right - left) * across).astype(np.int64).clip(0, across - 1)
    y = ((points[:, 1] - low) / (high - low) * up).astype(np.int64).clip(0, up - 1)
    places = y * across + x
    size = len(numbers)
    keys, of = np.unique(places * size + codes, return_inverse=True)
    weights = np.bincount(of, certainty, minlength=keys.size)
    counts = np.bincount(places, minlength=across * up)
    where, which = np.divmod(keys, size)
    # The heaviest of a place comes last, and stays.
    order = np.lexsort((-which, weights, where))
    winner = np.full(across * up, -1)
    winner[where[order]] = which[order]
    weight = np.bincount(where, weights, minlength=across * up)
    full = counts > 0
    tones = np.array([to_rgb(paint(number)) for number in numbers.tolist()])
    image = np.zeros((across * up, 4))
    image[full, :3] = tones[winner[full]]
    most = np.log1p(counts.max())
    dense = np.log1p(counts[full]) / most
    image[full, 3] = (_FAINTEST + (1 - _FAINTEST) * dense) * weight[full] / counts[full]
    return ax.imshow(
        image.reshape(up, across, 4),
        extent=(left, right, low, high),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        zorder=1,
    )
