"""Objects with categorical features, and entropy linkage between clusters of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.memory import allocate_table
from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.inputs.features import Features
from clusterwise.kernels import coalacat as kernels
from clusterwise.measures.internal import MissingValues


@dataclass(frozen=True)
class CategoricalObjects:
    """Objects with categorical features, and the columns of counts that their values belong to.

    A cluster's row of counts has a column for every value that several objects have (a value of a
    single object changes no cost), then columns with the number of objects that have a value: one
    for all features without missing values, and one for each of the others. The description
    length of a cluster, n·H, is the sum of weight · x·log2 x over its row.
    """

    codes: Array
    columns: Array
    weights: Array
    unit: float
    logs: Array

    @classmethod
    def read(cls, features: Features, missing_values: MissingValues) -> "CategoricalObjects":
        codes = np.empty((len(features.names), features.n), np.int32)
        columns = np.empty_like(codes)
        width = 0
        for r, column in enumerate(features.columns):
            named = column.categories()
            codes[r] = named.codes
            if missing_values == "category":
                codes[r, named.codes < 0] = len(named.values)
            shared = np.bincount(codes[r] + 1, minlength=1)[1:] > 1
            column_of = np.append(np.where(shared, width + np.cumsum(shared) - 1, -1), -1)
            columns[r] = column_of[codes[r]]
            width += int(shared.sum())
        whole = (codes >= 0).all(axis=1)
        _, some, times = np.unique(
            np.where(whole, -1, np.arange(whole.size)), return_index=True, return_counts=True
        )
        present = np.where(codes[some] < 0, -1, width + np.arange(some.size)[:, None])
        weights = np.concatenate([np.full(width, -1), times])
        n = features.n
        # No description length exceeds this many bits, so that sums of parts stay below 2^62.
        unit = 2.0 ** (62 - np.ceil(np.log2(max(2, codes.size * np.log2(n)))))
        logs = kernels.scaled_logs(n, unit)
        return cls(codes, np.vstack([columns, present]), weights, unit, logs)

    @property
    def n(self) -> int:
        return self.codes.shape[1]

    @property
    def scale(self) -> kernels.EntropyScale:
        return kernels.EntropyScale(self.weights, self.logs, self.unit)

    def table(self, dtype: Any) -> Array:
        """Return the costs of merging two single objects, in the row of the later one."""
        table: Array = allocate_table(self.n, dtype, "use a sample")
        steps = float(self.codes.size) * len(table)
        run_interruptibly(steps, kernels.fill_differences, self.codes, table)
        return table

    def counts(self, labels: Array) -> Array:
        """Return the rows of counts of all clusters."""
        shape = (int(labels.max()) + 1, self.weights.size)
        counts = np.zeros(shape, np.uint16 if self.n < 1 << 16 else np.uint32)
        for column in self.columns:
            here = column >= 0
            np.add.at(counts, (labels[here], column[here]), 1)
        return counts

    def join_small(self, labels: Array, large: Array) -> Array:
        """Merge every small cluster into the large one with the least cost."""
        counts = self.counts(labels)
        into = np.empty(len(counts), np.int64)
        into[large] = np.arange(large.size)
        costs, alive = np.empty(large.size), np.zeros(large.size, np.int64)
        for small in np.setdiff1d(np.arange(len(counts)), large):
            own = counts[small]
            kernels.merge_costs(own, np.flatnonzero(own), counts[large], alive, self.scale, costs)
            into[small] = costs.argmin()
        return relabel_by_appearance(into[labels])


class EntropyLinkage:
    """Entropy linkage: the counts of all remaining clusters."""

    def __init__(self, objects: CategoricalObjects) -> None:
        self.counts = objects.counts(np.arange(objects.n))
        self.scale = objects.scale

    def keep(self, left: Array) -> None:
        """Drop the counts of all other clusters."""
        self.counts = self.counts[left]

    def merge(self, *part: Any) -> None:
        """Make some merges."""
        arguments = [*part, self.counts, self.scale]
        kernels.merge_entropies(*arguments)
