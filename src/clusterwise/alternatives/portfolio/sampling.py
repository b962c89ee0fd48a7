"""Search in a sample, and extend the clusters to all objects by the mixture model."""

from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.refinement.categorical import (
    CategoricalModel,
    fit_categorical_model,
)
from clusterwise.alternatives.refinement.gaussian import GaussianModel, GaussianSums
from clusterwise.alternatives.refinement.model import MixedData, MixedObjects, ModelData, project
from clusterwise.inputs.encoding import Array, relabel_by_value

# The smallest sample, and the numbers of objects for each given cluster and for each feature that
# make it larger, up to a limit.
_FEWEST = 2_000
_PER_GIVEN_CLUSTER = 20
_PER_FEATURE = 20
_MOST = 10_000
# The fewest objects of a given cluster in the sample, unless it has fewer.
FEWEST_OF_CLUSTER = 3
_CHUNK = 1 << 16


def sample_size(clusters: int, width: int) -> int:
    """Return the size of a sample for numbers of given clusters and of numeric features."""
    return min(_MOST, max(_FEWEST, _PER_GIVEN_CLUSTER * clusters, _PER_FEATURE * width))


def draw_sample(given: Given, width: int, random: np.random.RandomState) -> Array | None:
    """Return the indices of a random sample, in increasing order; None for all objects."""
    n, size = given.codes.shape[1], sample_size(sum(given.sizes), width)
    if n <= size:
        return None
    drawn = random.permutation(n)
    rows = drawn[:size]
    rare = []
    for codes, count in zip(given.codes, given.sizes, strict=True):
        lacking = np.flatnonzero(np.bincount(codes[rows], minlength=count) < FEWEST_OF_CLUSTER)
        rare += [drawn[codes[drawn] == cluster][:FEWEST_OF_CLUSTER] for cluster in lacking]
    return np.unique(np.concatenate([rows, *rare]))


class Extension:
    """The clusters of a sample, extended to all objects.

    Objects are assigned by the mixture model that is fitted to the sample. Its numeric part is
    then fitted to all objects with these labels, by sums, and they are assigned once more.

    Parameters
    ----------
    objects : MixedObjects or MixedData
        All objects, read in parts.
    given : Given
        The given clusterings of all objects.
    rows : ndarray
        The indices of the sample.
    axes : ndarray or None
        The axes that many numeric features are projected on.
    """

    def __init__(
        self, objects: MixedObjects | MixedData, given: Given, rows: Array, axes: Array | None
    ) -> None:
        self._objects, self._given, self._axes = objects, given, axes
        self._sample = project(objects.take(rows), axes)
        self._sampled = given.take(rows)
        # The cells of the sample; -1 for those that it lacks.
        cells = np.full(int(given.joint.max()) + 1, -1)
        cells[given.joint[rows]] = self._sampled.joint
        self._cells = cells[given.joint]

    def extend(self, labels: Array) -> Array:
        """Return labels of all objects for labels of the sample; no cluster is empty."""
        found = self._extend(labels)
        return found if np.bincount(found).all() else relabel_by_value(found)

    def _extend(self, labels: Array) -> Array:
        responsibilities = np.eye(int(labels.max()) + 1)[:, labels]
        sample, given = self._sample, self._sampled
        rule = _Rule(
            GaussianSums.of(ModelData(sample, given), responsibilities).fit()
            if sample.numeric.shape[1]
            else None,
            fit_categorical_model(
                sample.categorical, given, responsibilities, self._objects.n_values
            ),
            np.log(responsibilities.mean(axis=1))[:, None],
        )
        found, sums = self._assign(rule)
        sizes = np.bincount(found, minlength=len(responsibilities))
        if sums is None or not sizes.all():
            return found
        log_sizes = np.log(sizes / found.size)[:, None]
        found, _ = self._assign(rule._replace(numeric=sums.fit(), log_proportions=log_sizes))
        return found

    def _assign(self, rule: "_Rule") -> tuple[Array, GaussianSums | None]:
        """Return the most likely cluster of each object, and the sums of the new clusters."""
        clusters = len(rule.log_proportions)
        found = np.empty(self._given.codes.shape[1], np.int64)
        sums: GaussianSums | None = None
        for start in range(0, found.size, _CHUNK):
            rows = slice(start, start + _CHUNK)
            part, given = project(self._objects.take(rows), self._axes), self._given.take(rows)
            labels = rule.assign(part, given, self._cells[rows])
            found[rows] = labels
            if rule.numeric is not None:
                new = GaussianSums.of(ModelData(part, given), np.eye(clusters)[:, labels])
                sums = new if sums is None else sums + new
        return found, sums


class _Rule(NamedTuple):
    """A mixture model that assigns objects to clusters."""

    numeric: GaussianModel | None
    categorical: CategoricalModel
    log_proportions: Array

    def assign(self, data: MixedData, given: Given, cells: Array) -> Array:
        """Return the most likely cluster of each object; ``cells`` are those of the sample."""
        values = self.categorical.log_likelihoods(data.categorical, cells).values
        if self.numeric is not None:
            values = values + self.numeric.log_likelihoods(data.numeric, given)
        return np.asarray((values + self.log_proportions).argmax(axis=0))
