"""Planted data in mixed units, scaled in several ways, and how well they are recovered."""

import warnings
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score
from experiments.alternatives.settings import Setting, list_settings

METHODS = ("auto", "coala", "maximus")
# Units are powers of ten with exponents up to this.
_EXPONENT = 3.0
_OUTLIERS = 0.02
_OUTLIER_SIZE = 10.0
# The interquartile range of a standard normal variable.
_NORMAL_IQR = 1.349
# Winsorised values lie within the whiskers of a box plot.
_WHISKER = 1.5

Transform = Callable[[Array, np.random.Generator], Array]
Scaling = Callable[[Array], Array]


class Recovery(NamedTuple):
    """The NMI with the hidden clustering: setting, seed, data, scaling, method and value."""

    setting: str
    seed: int
    data: str
    scaling: str
    method: str
    nmi: float


def in_random_units(X: Array, random: np.random.Generator) -> Array:
    """Multiply every column by a random power of ten."""
    return np.asarray(X * 10.0 ** random.uniform(-_EXPONENT, _EXPONENT, X.shape[1]))


def with_heavy_tails(X: Array, random: np.random.Generator) -> Array:
    """Append a column of Student's t with 1.5 degrees of freedom, and a log-normal one."""
    n = len(X)
    return np.column_stack([X, random.standard_t(1.5, n), random.lognormal(0.0, 2.0, n)])


def with_outliers(X: Array, random: np.random.Generator) -> Array:
    """Add normal noise of ten standard deviations to 2 % of the values."""
    chosen = random.random(X.shape) < _OUTLIERS
    noise = random.normal(0.0, _OUTLIER_SIZE, X.shape) * X.std(axis=0)
    return np.asarray(X + chosen * noise)


def standardise(X: Array) -> Array:
    """Scale columns to mean 0 and standard deviation 1."""
    return _divide(X - X.mean(axis=0), X.std(axis=0))


def scale_by_quartiles(X: Array) -> Array:
    """Scale columns to median 0 and the interquartile range of a normal distribution."""
    low, high = np.quantile(X, [0.25, 0.75], axis=0)
    return _divide(X - np.median(X, axis=0), (high - low) / _NORMAL_IQR)


def winsorise(X: Array) -> Array:
    """Move values beyond the whiskers of a box plot to the whiskers, and standardise."""
    low, high = np.quantile(X, [0.25, 0.75], axis=0)
    reach = _WHISKER * (high - low)
    return standardise(np.clip(X, low - reach, high + reach))


def _divide(X: Array, scale: Array) -> Array:
    return np.asarray(X / np.where(scale > 0, scale, 1.0))


DATA: Mapping[str, Transform] = {
    "as planted": lambda X, _: X,
    "random units": in_random_units,
    "random units, heavy tails": lambda X, random: in_random_units(
        with_heavy_tails(X, random), random
    ),
    "random units, outliers": lambda X, random: in_random_units(with_outliers(X, random), random),
}
SCALINGS: Mapping[str, Scaling] = {
    "none": lambda X: X,
    "standard": standardise,
    "quartiles": scale_by_quartiles,
    "winsorised": winsorise,
}


def numeric_settings(*, quick: bool = False) -> list[Setting]:
    """Return the settings of numeric features with two and three clusters."""
    return [
        one
        for one in list_settings(quick=quick)
        if not one.categorical and one.name != "mixed" and one.clusterings[0] <= 3
    ]


def recover(setting: Setting, seed: int) -> list[Recovery]:
    """Run every method on one planted data set, in all units and with all scalings."""
    planted = setting.draw(seed)
    given, hidden = planted.labels[:, 0], planted.labels[:, 1:]
    found = []
    for data, transform in DATA.items():
        X = transform(planted.X, np.random.default_rng(seed))
        for scaling, scale in SCALINGS.items():
            for method in METHODS:
                labels = _search(scale(X), given, method, setting, seed)
                nmi = max(normalized_mutual_info_score(true, labels) for true in hidden.T)
                found.append(Recovery(setting.title, seed, data, scaling, method, nmi))
    return found


def _search(X: Array, given: Array, method: str, setting: Setting, seed: int) -> Array:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", UserWarning)
        found = cluster_again(
            X, given, method, n_clusters=setting.clusterings[1], random_state=seed,
            progress=False, scale=False,
        )  # fmt: skip
    # Recovery counts even if it is not convincing.
    return (found or found.unconvincing)[0].labels
