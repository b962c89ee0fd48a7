"""Categorical and mixed data with several independent true clusterings."""

from collections.abc import Sequence

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.datasets.planted import (
    Planted,
    check_sizes,
    count_features,
    draw_labels,
    grid_centres,
    name_clusterings,
    name_features,
)
from clusterwise.datasets.toy import Seed
from clusterwise.inputs.encoding import Array


@check_arguments
def make_categorical_alternatives(
    n: int = 400,
    clusterings: Sequence[int] = (2, 2),
    *,
    features: int | Sequence[int] = 4,
    values: int | None = None,
    reliability: float = 0.8,
    extra_features: int = 0,
    balance: float = 1.0,
    crossed: bool = True,
    random_state: Seed = None,
) -> Planted:
    """Generate categorical data with several independent clusterings.

    Each clustering has its own features, which do not depend on the other clusterings. In every
    feature each cluster has its own category. With probability ``reliability`` an object has the
    category of its cluster, otherwise one drawn uniformly at random.

    Parameters
    ----------
    n : int, default=400
        The number of objects, at least the number of combinations of clusters.
    clusterings : sequence of int, default=(2, 2)
        The number of clusters of each clustering.
    features : int or sequence of int, default=4
        The number of features of each clustering.
    values : int, optional
        The number of categories of a feature, at least the number of clusters of its clustering,
        which is the default. Extra features have the largest number of them.
    reliability : float, default=0.8
        From 0, independent of the clusters, to 1, determined by them.
    extra_features : int, default=0
        The number of features that belong to no clustering; they come last.
    balance, crossed
        As in :func:`make_alternatives`.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Planted
        Objects in random order, with the categories "a1", "a2", …

    Raises
    ------
    InputError
        If a number is out of range, or there are fewer objects than combinations.

    See Also
    --------
    make_alternatives : Numeric data.
    make_mixed_alternatives : Numeric and categorical features.

    Examples
    --------
    One feature per clustering, which determines the cluster:

    >>> from clusterwise.datasets import make_categorical_alternatives
    >>> data = make_categorical_alternatives(4, features=1, reliability=1, random_state=0)
    >>> data.feature_names
    ('c1_1', 'c2_1')
    >>> sorted(data.X.tolist())
    [['a1', 'a1'], ['a1', 'a2'], ['a2', 'a1'], ['a2', 'a2']]
    """
    counts = [int(count) for count in clusterings]
    widths = count_features(features, counts)
    check_sizes(n, counts)
    sizes = _count_values(values, counts)
    random = as_generator(random_state)
    labels = draw_labels(n, counts, balance, random, crossed=crossed)
    blocks = [
        _draw_categories(labels[:, i], width, size, reliability, random)
        for i, (width, size) in enumerate(zip(widths, sizes, strict=True))
    ]
    extra = random.integers(max(sizes), size=(n, extra_features))
    names = name_clusterings(counts)
    X = _as_strings(np.column_stack([*blocks, extra]))
    return Planted(X, labels, names, name_features(names, widths, extra_features))


@check_arguments
def make_mixed_alternatives(
    n: int = 400,
    clusterings: Sequence[int] = (2, 2),
    *,
    features: int | Sequence[int] = 2,
    separation: float = 10.0,
    noise: float = 1.0,
    values: int | None = None,
    reliability: float = 0.8,
    extra_features: int = 0,
    balance: float = 1.0,
    crossed: bool = True,
    random_state: Seed = None,
) -> Planted:
    """Generate mixed data with several independent clusterings.

    Each clustering has numeric features, as in :func:`make_alternatives`, followed by the same
    number of categorical ones, as in :func:`make_categorical_alternatives`.

    Parameters
    ----------
    n : int, default=400
        The number of objects, at least the number of combinations of clusters.
    clusterings : sequence of int, default=(2, 2)
        The number of clusters of each clustering.
    features : int or sequence of int, default=2
        The number of features of each clustering, of each kind.
    separation, noise
        As in :func:`make_alternatives`, for the numeric features.
    values, reliability
        As in :func:`make_categorical_alternatives`, for the categorical features.
    extra_features : int, default=0
        The number of features of each kind that belong to no clustering; they come last.
    balance, crossed
        As in :func:`make_alternatives`.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Planted
        Objects in random order; ``X`` contains floats and strings.

    Raises
    ------
    InputError
        If a number is out of range, or there are fewer objects than combinations.

    Examples
    --------
    A numeric and a categorical feature per clustering:

    >>> from clusterwise.datasets import make_mixed_alternatives
    >>> data = make_mixed_alternatives(4, features=1, noise=0, reliability=1, random_state=0)
    >>> data.feature_names
    ('c1_1', 'c1_2', 'c2_1', 'c2_2')
    >>> [type(value).__name__ for value in data.X[0]]
    ['float', 'str', 'float', 'str']
    """
    counts = [int(count) for count in clusterings]
    widths = count_features(features, counts)
    check_sizes(n, counts)
    sizes = _count_values(values, counts)
    random = as_generator(random_state)
    labels = draw_labels(n, counts, balance, random, crossed=crossed)
    blocks = []
    for i, (count, width, size) in enumerate(zip(counts, widths, sizes, strict=True)):
        centres = grid_centres(count, width, separation, random)[labels[:, i]]
        numbers = centres + random.normal(0.0, noise, centres.shape)
        categories = _draw_categories(labels[:, i], width, size, reliability, random)
        blocks += [numbers.astype(object), _as_strings(categories)]
    blocks.append(random.normal(0.0, noise, (n, extra_features)).astype(object))
    blocks.append(_as_strings(random.integers(max(sizes), size=(n, extra_features))))
    names = name_clusterings(counts)
    columns = name_features(names, [2 * width for width in widths], 2 * extra_features)
    return Planted(np.hstack(blocks), labels, names, columns)


def _count_values(values: int | None, counts: Sequence[int]) -> list[int]:
    """Return the number of categories of the features of each clustering."""
    if values is not None and values < max(counts):
        raise InputError(
            f"values={values} for {max(counts)} clusters; pass at least one for each cluster."
        )
    return [count if values is None else int(values) for count in counts]


def _draw_categories(
    labels: Array, width: int, size: int, reliability: float, random: np.random.Generator
) -> Array:
    """Return codes of categories: those of the clusters with the given reliability, else random."""
    own = random.permuted(np.tile(np.arange(size), (width, 1)), axis=1).T
    other = random.integers(size, size=(labels.size, width))
    return np.where(random.random((labels.size, width)) < reliability, own[labels], other)


def _as_strings(codes: Array) -> Array:
    names = np.array([f"a{code + 1}" for code in range(int(codes.max(initial=0)) + 1)], object)
    return np.asarray(names[codes])
