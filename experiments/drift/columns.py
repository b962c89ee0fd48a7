"""Columns of independent values, of every type, and columns that change."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

MISSING_RATE = 0.2
# The proportion of rows that a new or a growing category takes.
TAKEN = 0.1


class Column(NamedTuple):
    """A type of column: ``draw(random, labels)`` returns independent values for these clusters."""

    name: str
    draw: Callable[[np.random.Generator, Array], Array]


class Drift(NamedTuple):
    """A change: ``apply(random, values)`` returns the changed values of a window."""

    name: str
    columns: tuple[str, ...]
    apply: Callable[[np.random.Generator, Array], Array]


def _normal(random: np.random.Generator, labels: Array) -> Array:
    return random.normal(labels, 1.0)


def _skewed(random: np.random.Generator, labels: Array) -> Array:
    return random.lognormal(10 + 0.3 * labels, 1.0)


def _heavy(random: np.random.Generator, labels: Array) -> Array:
    return random.standard_cauchy(labels.size) + labels


def _integer(random: np.random.Generator, labels: Array) -> Array:
    return random.poisson(3.0 + labels).astype(float)


def _binary(random: np.random.Generator, labels: Array) -> Array:
    return (random.random(labels.size) < 0.1 + 0.1 * labels).astype(float)


def _categories(number: int, exponent: float = 0.0) -> Callable[..., Array]:
    """Categories with equal proportions, or by Zipf's law; each cluster has its own order."""
    values = np.array([f"v{i}" for i in range(number)], object)
    proportions = np.arange(1.0, number + 1) ** -exponent
    cumulative = np.cumsum(proportions / proportions.sum())

    def draw(random: np.random.Generator, labels: Array) -> Array:
        codes = np.searchsorted(cumulative, random.random(labels.size), side="right")
        return values[(np.minimum(codes, number - 1) + 3 * labels) % number]

    return draw


def _ids(random: np.random.Generator, labels: Array) -> Array:
    return random.integers(1 << 62, size=labels.size).astype(str).astype(object)


COLUMNS: dict[str, Column] = {
    name: Column(name, draw)
    for name, draw in {
        "normal": _normal,
        "skewed (lognormal)": _skewed,
        "heavy tails (Cauchy)": _heavy,
        "integer (Poisson)": _integer,
        "binary": _binary,
        "2 categories": _categories(2),
        "20 categories": _categories(20),
        "200 categories": _categories(200),
        "200 categories (Zipf)": _categories(200, 1.0),
        "1,000 categories": _categories(1000),
        "10,000 categories": _categories(10_000),
        "10,000 categories (Zipf)": _categories(10_000, 1.0),
        "unique ids": _ids,
    }.items()
}
_CATEGORICAL = tuple(name for name in COLUMNS if "categories" in name)


def with_missing(random: np.random.Generator, values: Array) -> Array:
    """Return the values, some of them missing."""
    missing = random.random(values.size) < MISSING_RATE
    return np.where(missing, None if values.dtype == object else np.nan, values)


def _take(value: str) -> Callable[[np.random.Generator, Array], Array]:
    def apply(random: np.random.Generator, values: Array) -> Array:
        return np.where(random.random(values.size) < TAKEN, value, values)

    return apply


DRIFTS = (
    Drift("mean + 0.5 sd", ("normal",), lambda _, values: values + 0.5),
    Drift("mean × 1.5", ("skewed (lognormal)",), lambda _, values: values * 1.5),
    Drift("a category takes 10 % of the rows", _CATEGORICAL, _take("v0")),
    Drift("a new category takes 10 % of the rows", (*_CATEGORICAL, "unique ids"), _take("new")),
)
