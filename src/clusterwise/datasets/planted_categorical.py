"""Data with several true clusterings that objects show by names, or by names and numbers."""

from collections.abc import Sequence

import numpy as np

from clusterwise._utils.arguments import suggest_keywords
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.datasets.planted import (
    Planted,
    check_numbers,
    check_plan,
    name_clusterings,
    name_features,
    place,
    plant,
    spread_widths,
)
from clusterwise.datasets.toy import Seed
from clusterwise.inputs.encoding import Array


@suggest_keywords
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
    """Categorical data with several independent clusterings, each as good as the others.

    Each clustering has categorical features of its own, so it says nothing about the others. In
    each of them every cluster has a value, and objects have that of their cluster with a
    given reliability; else any value, uniformly at random.

    Parameters
    ----------
    n : int, default=400
        The objects; at least as many as there are combinations of clusters.
    clusterings : sequence of int, default=(2, 2)
        The number of clusters of each clustering.
    features : int or sequence of int, default=4
        The features of each clustering.
    values : int, optional
        How many values features have; as many as their clustering has clusters by default, and no
        fewer. The values of extra features are as many as those of the others have at most.
    reliability : float, default=0.8
        From 0, where features say nothing, to 1, where each tells the cluster.
    extra_features : int, default=0
        Features whose values are all equally likely; they come last.
    balance : float, default=1.0
        The size of the last cluster of each clustering, as a share of the first one's, as in
        :func:`make_alternatives`.
    crossed : bool, default=True
        Whether combinations of clusters occur as often as sizes ask for, as in
        :func:`make_alternatives`.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Planted
        Objects in random order; ``X`` holds strings: "a1" is the first value.

    Raises
    ------
    InputError
        If a number is out of range, or there are fewer objects than combinations.

    See Also
    --------
    make_alternatives : Numeric data of this kind.

    Examples
    --------
    Features that always tell the cluster, one for each clustering:

    >>> from clusterwise.datasets import make_categorical_alternatives
    >>> data = make_categorical_alternatives(4, features=1, reliability=1, random_state=0)
    >>> data.feature_names
    ('c1_1', 'c2_1')
    >>> sorted(data.X.tolist())
    [['a1', 'a1'], ['a1', 'a2'], ['a2', 'a1'], ['a2', 'a2']]
    """
    counts = [int(count) for count in clusterings]
    widths = spread_widths(features, counts)
    check_plan(n, counts, balance, extra_features)
    sizes = _count_values(values, counts, reliability)
    random = as_generator(random_state)
    labels = plant(n, counts, balance, random, crossed=crossed)
    blocks = [
        _follow(labels[:, i], width, size, reliability, random)
        for i, (width, size) in enumerate(zip(widths, sizes, strict=True))
    ]
    extra = random.integers(max(sizes), size=(n, extra_features))
    names = name_clusterings(counts)
    X = _as_texts(np.column_stack([*blocks, extra]))
    return Planted(X, labels, names, name_features(names, widths, extra_features))


@suggest_keywords
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
    """Mixed data with several independent clusterings.

    Each clustering has numeric features, as in :func:`make_alternatives`, and as many categorical
    ones, as in :func:`make_categorical_alternatives`; so have the extra features.

    Parameters
    ----------
    n : int, default=400
        The objects; at least as many as there are combinations of clusters.
    clusterings : sequence of int, default=(2, 2)
        The number of clusters of each clustering.
    features : int or sequence of int, default=2
        The numeric features of each clustering, which come first, and the categorical ones.
    separation : float, default=10.0
        The distance between neighbouring centres of a clustering, in its numbers.
    noise : float, default=1.0
        The standard deviation of each number around the centre.
    values : int, optional
        The number of values of a categorical feature; that of the clusters by default.
    reliability : float, default=0.8
        How often a categorical value is that of the cluster; else it is random.
    extra_features : int, default=0
        Features of each kind that belong to no clustering; they come last.
    balance : float, default=1.0
        The size of the last cluster of each clustering, as a share of the first one's.
    crossed : bool, default=True
        Whether combinations of clusters occur as often as sizes ask for.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Planted
        Objects in random order; ``X`` holds floats and strings.

    Raises
    ------
    InputError
        If a number is out of range, or there are fewer objects than combinations.

    Examples
    --------
    >>> from clusterwise.datasets import make_mixed_alternatives
    >>> data = make_mixed_alternatives(4, features=1, noise=0, reliability=1, random_state=0)
    >>> data.feature_names
    ('c1_1', 'c1_2', 'c2_1', 'c2_2')
    >>> [type(value).__name__ for value in data.X[0]]
    ['float', 'str', 'float', 'str']
    """
    counts = [int(count) for count in clusterings]
    widths = spread_widths(features, counts)
    check_plan(n, counts, balance, extra_features)
    check_numbers(separation=separation, noise=noise)
    sizes = _count_values(values, counts, reliability)
    random = as_generator(random_state)
    labels = plant(n, counts, balance, random, crossed=crossed)
    blocks = []
    for i, (count, width, size) in enumerate(zip(counts, widths, sizes, strict=True)):
        centres = place(labels[:, i], count, width, separation, random)
        numbers = centres + random.normal(0.0, noise, centres.shape)
        texts = _as_texts(_follow(labels[:, i], width, size, reliability, random))
        blocks += [numbers.astype(object), texts]
    blocks.append(random.normal(0.0, noise, (n, extra_features)).astype(object))
    blocks.append(_as_texts(random.integers(max(sizes), size=(n, extra_features))))
    names = name_clusterings(counts)
    columns = name_features(names, [2 * width for width in widths], 2 * extra_features)
    return Planted(np.hstack(blocks), labels, names, columns)


def _count_values(values: int | None, counts: Sequence[int], reliability: float) -> list[int]:
    """How many values the features of each clustering have."""
    if not 0 <= reliability <= 1:
        raise InputError(f"reliability={reliability}; pass a number from 0 to 1.")
    if values is not None and values < max(counts):
        raise InputError(
            f"values={values} for {max(counts)} clusters; pass at least one for each cluster."
        )
    return [count if values is None else int(values) for count in counts]


def _follow(
    labels: Array, width: int, size: int, reliability: float, random: np.random.Generator
) -> Array:
    """Return codes of values: those of the clusters with the given reliability, else random."""
    own = random.permuted(np.tile(np.arange(size), (width, 1)), axis=1).T
    chance = random.integers(size, size=(labels.size, width))
    return np.where(random.random((labels.size, width)) < reliability, own[labels], chance)


def _as_texts(codes: Array) -> Array:
    texts = np.array([f"a{value + 1}" for value in range(int(codes.max(initial=0)) + 1)], object)
    return np.asarray(texts[codes])
