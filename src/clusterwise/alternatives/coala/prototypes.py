"""Few weighted prototypes in place of many objects, none of them mixing given clusters."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array

_ROUNDS = 5


class Prototypes(NamedTuple):
    """Centres with the number of objects that they stand for and how far these spread.

    ``spreads`` are mean squared distances from the centre, ``of`` the prototype of each object.
    """

    centres: Array
    weights: Array
    spreads: Array
    of: Array
    given: Given

    def sums(self, dtype: Any) -> Array:
        """Distances between prototypes, times both weights.

        The root of the mean squared distance between their objects, which is known
        from centres and spreads alone: distances between centres would make clusters of
        near prototypes too tight.
        """
        squares = (self.centres**2).sum(axis=1)
        apart = squares[:, None] + squares - 2 * self.centres @ self.centres.T
        apart = np.maximum(apart, 0.0) + self.spreads[:, None] + self.spreads
        np.sqrt(apart, out=apart)
        apart *= self.weights[:, None] * self.weights
        np.fill_diagonal(apart, 0.0)
        return apart.astype(dtype, copy=False)

    def dunn(self, codes: Array) -> float:
        """Dunn's index with mean distances, of clusters of prototypes, as far as these tell.

        Distances are as in :meth:`sums`, also of two objects of one prototype.
        """
        into = np.zeros((codes.size, int(codes.max()) + 1))
        into[np.arange(codes.size), codes] = 1.0
        total = into.T @ self.sums("float64") @ into
        own = np.sqrt(2 * self.spreads * self.weights * np.maximum(self.weights - 1, 0.0))
        total[np.diag_indices_from(total)] += (own * np.sqrt(self.weights)) @ into
        sizes = self.weights @ into
        pairs = sizes[:, None] * sizes - np.diag(sizes)
        means = np.divide(total, pairs, out=np.zeros_like(total), where=pairs > 0)
        between = means[np.triu_indices_from(means, 1)].min(initial=np.inf)
        width = means.diagonal().max()
        if not np.isfinite(between) or not between:
            return 0.0
        return float(between / width) if width else np.inf


def nearest_prototypes(centres: Array, X: Array) -> Array:
    """The place of the nearest centre, for each object."""
    from sklearn.metrics import pairwise_distances_argmin

    if not len(X):
        return np.empty(0, np.int64)
    # Far from zero, squares would leave no digits for distances.
    middle = centres.mean(axis=0)
    return np.asarray(pairwise_distances_argmin(X - middle, centres - middle), np.int64)


def make_prototypes(
    X: Array,
    given: Given,
    count: int,
    random_state: Any,
    progress: bool | None = None,
    counts: Array | None = None,
    spreads: Array | None = None,
) -> Prototypes:
    """About so many prototypes, by k-means within each combination of given clusters.

    A row of ``X`` may be the mean of several objects: then ``counts`` are their numbers and
    ``spreads`` their mean squared distances from it. Never more prototypes are made than rows.
    """
    from sklearn.cluster import KMeans

    joint = given.joint
    share = np.ones(len(X)) if counts is None else counts.astype(np.float64)
    rows, sizes = np.bincount(joint), np.bincount(joint, share).astype(np.int64)
    if not sizes.size <= count <= sizes.sum():
        raise InputError(
            f"prototypes={count!r} for {sizes.sum()} objects in {sizes.size} combinations of given "
            f"clusters; use a number from {sizes.size} to {sizes.sum()}."
        )
    shares = _allot(sizes, rows, count)
    order = np.argsort(joint, kind="stable")
    starts = np.concatenate([[0], np.cumsum(rows)])
    of = np.empty(len(X), np.int64)
    begin = 0
    for cell in track(range(sizes.size), sizes.size, "making prototypes", progress):
        objects = order[starts[cell] : starts[cell + 1]]
        model = KMeans(
            int(shares[cell]),
            init="random",
            n_init=1,
            max_iter=_ROUNDS,
            tol=0.0,
            random_state=random_state,
        )
        weighing = None if counts is None else share[objects]
        found = model.fit(X[objects], sample_weight=weighing).labels_
        _, found = np.unique(found, return_inverse=True)
        of[objects] = begin + found
        begin += int(found.max()) + 1
    weights = np.bincount(of, share)
    centres = np.zeros((begin, X.shape[1]))
    np.add.at(centres, of, X if counts is None else X * share[:, None])
    centres /= weights[:, None]
    apart = ((X - centres[of]) ** 2).sum(axis=1) + (0.0 if spreads is None else spreads)
    first = np.unique(of, return_index=True)[1]
    return Prototypes(
        centres,
        weights,
        np.bincount(of, apart * share) / weights,
        of,
        Given(given.codes[:, first], given.sizes),
    )


def _allot(sizes: Array, rows: Array, count: int) -> Array:
    """Prototypes of each combination: by its share of the objects, from one to all its rows."""
    shares = np.maximum(1, np.floor(sizes * (count / sizes.sum())).astype(np.int64))
    while shares.sum() > count:
        shares[np.argmax(shares)] -= 1
    shares = np.minimum(shares, rows)
    count = min(count, int(rows.sum()))
    while shares.sum() < count:
        for cell in np.argsort(shares / sizes, kind="stable"):
            shares[cell] += shares[cell] < rows[cell] and shares.sum() < count
    return shares
