"""Generated data with correlated features and two clusterings."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter

from clusterwise.inputs.encoding import Array

# Apart from the seeds of the other studies.
_FIRST_SEED = 9000
_SIDE = 24


class WideData(NamedTuple):
    """Objects, and two clusterings of them."""

    X: Array
    first: Array
    second: Array


class WideSetting(NamedTuple):
    """A generator, and the number of clusters of the given and of the hidden clustering."""

    name: str
    draw: Callable[[np.random.Generator], WideData]
    given: int
    hidden: int
    swapped: bool = False

    def make(self, seed: int) -> tuple[Array, Array, Array]:
        """Return the features, the given labels and the hidden labels."""
        data = self.draw(np.random.default_rng([_FIRST_SEED, seed]))
        pair = data.first, data.second
        given, hidden = pair[::-1] if self.swapped else pair
        return data.X, given, hidden


def _cross(first: int, second: int, each: int) -> tuple[Array, Array]:
    """Return the labels of a balanced design."""
    labels = np.indices((first, second, each)).reshape(3, -1)
    return labels[0], labels[1]


def _fields(random: np.random.Generator, count: int, smoothness: float) -> Array:
    """Return smooth random images of unit variance, one per row."""
    white = random.normal(size=(count, _SIDE, _SIDE))
    smooth = gaussian_filter(white, (0, smoothness, smoothness), mode="wrap").reshape(count, -1)
    return np.asarray(smooth / smooth.std(axis=1, keepdims=True))


def _draw_images(random: np.random.Generator, pose_size: float) -> WideData:
    """Draw pictures of 20 persons in 4 poses under changing light, with pixels that correlate.

    A pose looks a little different for each person, as the shadow of a head does.
    """
    persons, poses, each = 20, 4, 8
    person, pose = _cross(persons, poses, each)
    n = person.size
    face = _fields(random, persons, 2.0)
    turned = _fields(random, poses, 2.0)
    shadow = _fields(random, persons * poses, 2.0)
    light = _fields(random, 3, 6.0)
    X = face[person] + pose_size * turned[pose] + 0.4 * shadow[person * poses + pose]
    X += random.normal(size=(n, 3)) @ light * 0.5
    X += 0.5 * _fields(random, n, 1.0) + 0.3 * random.normal(size=X.shape)
    return WideData(X, person, pose)


def _draw_genes(random: np.random.Generator) -> WideData:
    """Draw log counts of 1,000 genes in cells of 3 batches and 6 types, of any sequencing depth."""
    batches, types, genes = 3, 6, 1000
    n = 600
    batch, kind = random.integers(0, batches, n), random.integers(0, types, n)
    level = random.normal(0.0, 1.2, genes)
    of_batch = random.normal(0.0, 0.4, (batches, genes))
    of_type = random.normal(0.0, 1.0, (types, genes)) * (random.random((types, genes)) < 0.05)
    depth = random.lognormal(0.0, 0.5, n)
    cycle = random.normal(size=(n, 2)) @ random.normal(0.0, 0.2, (2, genes))
    counts = random.poisson(
        np.exp(level + of_batch[batch] + of_type[kind] + cycle) * depth[:, None]
    )
    return WideData(np.log1p(counts), batch, kind)


def _draw_embeddings(random: np.random.Generator) -> WideData:
    """Draw unit vectors of texts in 4 languages on 8 topics, with a spectrum that decays."""
    languages, topics, each, width = 4, 8, 20, 384
    language, topic = _cross(languages, topics, each)
    n = language.size
    spectrum = (1.0 + np.arange(width)) ** -0.5
    rotation = np.linalg.qr(random.normal(size=(width, width)))[0]
    X = 0.8 * random.normal(size=(languages, width))[language]
    X += 0.8 * random.normal(size=(topics, width))[topic]
    X = (X + random.normal(size=(n, width)) * 1.5) * spectrum @ rotation
    return WideData(X / np.linalg.norm(X, axis=1, keepdims=True), language, topic)


def _draw_factors(random: np.random.Generator, width: int, factors: int, size: float) -> WideData:
    """Draw two clusterings in two directions each, beside factors of larger variance.

    They are rotated, so that each feature is a little of everything.
    """
    n, clusters = 600, 3
    first, second = random.integers(0, clusters, (2, n))
    X = random.normal(size=(n, width))
    corners = 4.0 * np.eye(clusters, clusters - 1)
    X[:, :2] += corners[first]
    X[:, 2:4] += corners[second]
    X[:, 4 : 4 + factors] *= size
    rotation = np.linalg.qr(random.normal(size=(width, width)))[0]
    return WideData(X @ rotation, first, second)


SETTINGS = [
    WideSetting("images, poses of persons", lambda r: _draw_images(r, 0.5), 20, 4),
    WideSetting("images, fainter poses", lambda r: _draw_images(r, 0.3), 20, 4),
    WideSetting("images, persons", lambda r: _draw_images(r, 0.5), 4, 20, swapped=True),
    WideSetting("genes, types of cells", _draw_genes, 3, 6),
    WideSetting("genes, batches", _draw_genes, 6, 3, swapped=True),
    WideSetting("embeddings, topics", _draw_embeddings, 4, 8),
    WideSetting("embeddings, languages", _draw_embeddings, 8, 4, swapped=True),
    WideSetting("6 features, 1 factor", lambda r: _draw_factors(r, 6, 1, 8.0), 3, 3),
    WideSetting("10 features, 3 factors", lambda r: _draw_factors(r, 10, 3, 5.0), 3, 3),
    WideSetting("20 features, 4 factors", lambda r: _draw_factors(r, 20, 4, 8.0), 3, 3),
    WideSetting("50 features, 5 factors", lambda r: _draw_factors(r, 50, 5, 8.0), 3, 3),
]
