"""Few weighted prototypes in place of many objects, none of them mixing given clusters."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.progress import track

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


def make_prototypes(
    X: Array, given: Given, count: int, random_state: Any, progress: bool | None = None
) -> Prototypes:
    """About so many prototypes, by k-means within each combination of given clusters."""
    from sklearn.cluster import KMeans

    joint = given.joint
    sizes = np.bincount(joint)
    if not sizes.size <= count <= len(X):
        raise InputError(
            f"prototypes={count!r} for {len(X)} objects in {sizes.size} combinations of given "
            f"clusters; use a number from {sizes.size} to {len(X)}."
        )
    shares = _allot(sizes, count)
    order = np.argsort(joint, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
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
        found = model.fit(X[objects]).labels_
        _, found = np.unique(found, return_inverse=True)
        of[objects] = begin + found
        begin += int(found.max()) + 1
    weights = np.bincount(of).astype(np.float64)
    centres = np.zeros((begin, X.shape[1]))
    np.add.at(centres, of, X)
    centres /= weights[:, None]
    spreads = np.bincount(of, ((X - centres[of]) ** 2).sum(axis=1)) / weights
    first = np.unique(of, return_index=True)[1]
    return Prototypes(centres, weights, spreads, of, Given(given.codes[:, first], given.sizes))


def _allot(sizes: Array, count: int) -> Array:
    """Prototypes of each combination: by its share of the objects, at least one each."""
    shares = np.maximum(1, np.floor(sizes * (count / sizes.sum())).astype(np.int64))
    while shares.sum() > count:
        shares[np.argmax(shares)] -= 1
    for cell in np.argsort(shares / sizes, kind="stable"):
        extra = min(count - int(shares.sum()), int(sizes[cell] - shares[cell]))
        shares[cell] += min(max(extra, 0), 1)
    return np.minimum(shares, sizes)
