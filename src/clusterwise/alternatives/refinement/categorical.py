"""How likely the names of each object are in each cluster.

A name hangs on nothing, on what is given, on the cluster or on both. All those that hang on the
cluster alone may be of a simpler kind together: each cluster has one value, and there are errors.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.refinement.likelihoods import Likelihoods
from clusterwise.inputs.encoding import Array

# What each value of a name is seen more often than it was.
_UNSEEN = 0.5


def judge_names(names: Sequence[Array], given: Given, shares: Array) -> Likelihoods:
    """A model fitted to objects that have shares of clusters, K × n."""
    joint = given.joint
    found, followers = Likelihoods(np.zeros_like(shares), 0.0), []
    for codes in names:
        guess = _guess(codes, joint, shares)
        if guess.follows:
            followers.append((codes, guess.counts[0]))
        else:
            found = found.plus(guess.judge(codes, joint))
    return found.plus(_judge_followers(followers)) if followers else found


class _Guess(NamedTuple):
    """How often a feature has its values, by what is given and by cluster, unless it is all one.

    ``chances`` are logarithms of how likely they are thought to be.
    """

    counts: Array
    chances: Array
    price: float

    @property
    def cost(self) -> float:
        """How unlikely it makes the feature, and its price."""
        return self.price - float(np.vdot(self.counts, self.chances))

    @property
    def follows(self) -> bool:
        """Whether it hangs on the cluster alone."""
        cells, clusters, _ = self.counts.shape
        return cells == 1 < clusters

    def judge(self, codes: Array, joint: Array) -> Likelihoods:
        """How likely the value of each object is."""
        cells = joint if len(self.chances) > 1 else np.zeros_like(joint)
        return Likelihoods(self.chances[cells, :, codes].T, self.price)


def _guess(codes: Array, joint: Array, shares: Array) -> _Guess:
    """What a feature hangs on, by BIC."""
    n, size, cells = codes.size, int(codes.max()) + 1, int(joint.max()) + 1
    if cells * size > n:
        joint, cells = np.zeros_like(joint), 1
    places = joint * size + codes
    tables = [np.bincount(places, share, minlength=cells * size) for share in shares]
    table = np.stack([each.reshape(cells, size) for each in tables], axis=1)
    guesses = []
    for axes in ((0, 1), (1,), (0,), ()):
        counts = table.sum(axis=axes, keepdims=True) if axes else table
        price = 0.5 * counts.shape[0] * counts.shape[1] * (size - 1) * np.log(n)
        guesses.append(_Guess(counts, _expect(counts), price))
    return min(guesses, key=lambda guess: guess.cost)


def _expect(counts: Array) -> Array:
    """Chances of values (logarithms) that were seen so often."""
    seen = counts + _UNSEEN
    return np.asarray(np.log(seen / seen.sum(axis=-1, keepdims=True)))


class _Kind(NamedTuple):
    """Chances of values in clusters (logarithms), K × values for each feature.

    What all clusters have in common is apart, so that equal ones stay equal to the last digit.
    """

    tables: list[Array]
    common: float
    price: float


def _judge_followers(followers: Sequence[tuple[Array, Array]]) -> Likelihoods:
    """Features that hang on the cluster alone, all of one kind, as BIC has it.

    For each there are the codes of objects, and how often clusters have its values.
    """
    n = followers[0][0].size
    counts = [table for _, table in followers]
    wrong = np.array([n - table.max(axis=1).sum() for table in counts])
    each = (wrong + _UNSEEN) / (n + 2 * _UNSEEN)
    all_one = (wrong.sum() + _UNSEEN) / (n * wrong.size + 2 * _UNSEEN)
    unit = 0.5 * np.log(n)
    kinds = [
        _with_errors(counts, np.full(wrong.size, all_one), unit),
        _with_errors(counts, each, unit * wrong.size),
        _with_chances(counts, unit),
    ]

    def cost(kind: _Kind) -> float:
        pairs = zip(counts, kind.tables, strict=True)
        return kind.price - n * kind.common - sum(float(np.vdot(*pair)) for pair in pairs)

    kind = min(kinds, key=cost)
    values = np.zeros((len(counts[0]), n))
    for (codes, _), table in zip(followers, kind.tables, strict=True):
        values += table[:, codes]
    return Likelihoods(values + kind.common, kind.price)


def _with_errors(counts: Sequence[Array], errors: Array, price: float) -> _Kind:
    """Every cluster has a value of its own, and errors are any other one."""
    tables, common = [], 0.0
    for table, error in zip(counts, errors, strict=True):
        size = table.shape[1]
        other = float(np.log(error / (size - 1)))
        common += other
        tables.append((np.log1p(-error) - other) * np.eye(size)[table.argmax(axis=1)])
    return _Kind(tables, common, price)


def _with_chances(counts: Sequence[Array], unit: float) -> _Kind:
    """Every value has a chance of its own in every cluster."""
    numbers = sum(table.shape[0] * (table.shape[1] - 1) for table in counts)
    return _Kind([_expect(table) for table in counts], 0.0, unit * numbers)
