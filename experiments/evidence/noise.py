"""Data without an alternative to the given clustering."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

# Apart from the seeds of planted data and of tests.
_FIRST_SEED = 5000
_GIVEN = 3


class Shape(NamedTuple):
    """A distribution of objects without clusters: ``draw(random)`` returns n × R numbers."""

    name: str
    draw: Callable[[np.random.Generator], Array]


def _correlated(random: np.random.Generator, n: int, width: int) -> Array:
    return random.normal(size=(n, width)) @ random.normal(size=(width, width))


def _factors(random: np.random.Generator, n: int, width: int, factors: int) -> Array:
    common = random.normal(size=(n, factors)) @ random.normal(size=(factors, width))
    return common + random.normal(size=(n, width))


def _counts_with_zeros(random: np.random.Generator) -> Array:
    counts = random.poisson(3, size=(500, 6))
    return np.where(random.random(counts.shape) < 0.3, 0, counts).astype(float)


def _ordinal(random: np.random.Generator) -> Array:
    """Answers from 1 to 7 that depend on one latent trait."""
    trait = random.normal(size=(500, 1)) + random.normal(size=(500, 8))
    return np.clip(np.rint(4 + 1.2 * trait), 1, 7)


def _multivariate_t(random: np.random.Generator) -> Array:
    return random.normal(size=(500, 5)) / np.sqrt(random.chisquare(3, size=(500, 1)) / 3)


SHAPES = [
    Shape("normal, 2000 × 5", lambda r: r.normal(size=(2000, 5))),
    Shape("normal, 100 × 4", lambda r: r.normal(size=(100, 4))),
    Shape("normal, 300 × 2", lambda r: r.normal(size=(300, 2))),
    Shape("uniform, 500 × 5", lambda r: r.random((500, 5))),
    Shape("uniform, 1000 × 2", lambda r: r.random((1000, 2))),
    Shape("lognormal, 500 × 5", lambda r: r.lognormal(0, 1, (500, 5))),
    Shape("lognormal, σ = 1.5, 500 × 4", lambda r: r.lognormal(0, 1.5, (500, 4))),
    Shape("exponential, 1000 × 8", lambda r: r.exponential(size=(1000, 8))),
    Shape("Laplace, 500 × 5", lambda r: r.laplace(size=(500, 5))),
    Shape("t, 3 degrees of freedom, 500 × 5", lambda r: r.standard_t(3, (500, 5))),
    Shape("t, 2 degrees of freedom, 500 × 3", lambda r: r.standard_t(2, (500, 3))),
    Shape("multivariate t, 500 × 5", _multivariate_t),
    Shape("correlated, 500 × 10", lambda r: _correlated(r, 500, 10)),
    Shape("correlated lognormal, 500 × 6", lambda r: np.exp(_correlated(r, 500, 6) / 2.5)),
    Shape("two factors, 500 × 30", lambda r: _factors(r, 500, 30, 2)),
    Shape("integers 0 to 4, 500 × 6", lambda r: r.integers(0, 5, (500, 6)).astype(float)),
    Shape("binary, 500 × 8", lambda r: r.integers(0, 2, (500, 8)).astype(float)),
    Shape("Poisson, 500 × 5", lambda r: r.poisson(2, (500, 5)).astype(float)),
    Shape("counts with many zeros, 500 × 6", _counts_with_zeros),
    Shape("ordinal answers, 500 × 8", _ordinal),
    Shape("wide, 200 × 300", lambda r: r.normal(size=(200, 300))),
    Shape("wide with five factors, 200 × 300", lambda r: _factors(r, 200, 300, 5)),
]


class NoiseData(NamedTuple):
    """Objects and a given clustering."""

    X: Array
    given: Array


def _random_given(X: Array, random: np.random.Generator) -> NoiseData:
    return NoiseData(X, random.integers(0, _GIVEN, len(X)))


def _intervals(X: Array, random: np.random.Generator) -> NoiseData:  # noqa: ARG001
    cuts = np.quantile(X[:, 0], np.arange(1, _GIVEN) / _GIVEN)
    return NoiseData(X, np.digitize(X[:, 0], cuts))


def _separated(X: Array, random: np.random.Generator) -> NoiseData:
    given = random.integers(0, _GIVEN, len(X))
    centres = 4 * X.std(axis=0) * random.normal(size=(_GIVEN, X.shape[1]))
    return NoiseData(X + centres[given], given)


def _different_shapes(X: Array, random: np.random.Generator) -> NoiseData:
    """Separated given clusters, each stretched in its own way."""
    found = _separated(X, random)
    stretch = random.uniform(0.5, 2.0, (_GIVEN, X.shape[1]))
    centres = found.X - X
    return NoiseData(centres + X * stretch[found.given], found.given)


GIVEN = {
    "random": _random_given,
    "intervals of a feature": _intervals,
    "the only clusters": _separated,
    "the only clusters, of different shapes": _different_shapes,
}


def draw_noise(shape: Shape, given: str, seed: int) -> NoiseData:
    """Return one data set."""
    random = np.random.default_rng([_FIRST_SEED, seed])
    return GIVEN[given](shape.draw(random), random)
