"""The density of many objects as an image, in the colours of their clusters."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgb

from clusterwise.inputs.encoding import Array
from clusterwise.plots._palette import paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Pixels along the two axes.
_IMAGE_SIZE = (220, 190)
_FAINTEST = 0.25


def majority_image(
    ax: "Axes",
    points: Array,
    codes: Array,
    numbers: Array,
    certainty: Array | None = None,
) -> Any:
    """Draw the density of the objects as an image in the colour of the majority, and return it.

    ``codes`` are the clusters of the objects, ``numbers`` those of the colours of the clusters.
    Uncertain objects count less, and make their pixel paler.
    """
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    across, up = _IMAGE_SIZE
    x = ((points[:, 0] - left) / (right - left) * across).astype(np.int64).clip(0, across - 1)
    y = ((points[:, 1] - low) / (high - low) * up).astype(np.int64).clip(0, up - 1)
    pixels = y * across + x
    size = len(numbers)
    keys, of = np.unique(pixels * size + codes, return_inverse=True)
    weights = np.bincount(of, certainty, minlength=keys.size)
    counts = np.bincount(pixels, minlength=across * up)
    where, which = np.divmod(keys, size)
    # The cluster with the largest weight in a pixel comes last, and stays.
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
