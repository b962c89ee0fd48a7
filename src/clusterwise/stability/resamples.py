"""Copies of data that differ by chance: bootstrap, subsamples, added noise."""

from typing import Literal, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

Resampling = Literal["bootstrap", "subsample", "noise"]


class Resample(NamedTuple):
    """The distinct objects that were drawn, in ascending order, and their points."""

    objects: Array
    points: Array


class Resampler(NamedTuple):
    """Draws copies of data; see :func:`~clusterwise.assess` for the parameters."""

    method: Resampling
    object_fraction: float
    noise_scale: float
    most_objects: int | None = None

    def draw(self, points: Array, random: np.random.RandomState) -> Resample:
        """Draw a copy."""
        n = len(points)
        if self.method == "noise":
            objects = np.arange(n)
        elif self.method == "bootstrap":
            objects = np.flatnonzero(np.bincount(random.randint(n, size=n)))
        else:
            size = min(n, max(2, round(self.object_fraction * n)))
            objects = np.sort(random.permutation(n)[:size])
        objects = take_some(objects, self.most_objects, random)
        drawn = points[objects]
        if self.method == "noise":
            drawn = drawn + self.noise_scale * points.std(axis=0) * random.normal(size=drawn.shape)
        return Resample(objects, drawn)


def take_some(objects: Array, most: int | None, random: np.random.RandomState) -> Array:
    """Return at most this many of the objects, in their order."""
    if most is None or objects.size <= most:
        return objects
    return objects[np.sort(random.permutation(objects.size)[:most])]
