"""The cells of the tests for drift: clusters × bins, with rare values pooled on both sides."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.streams.window_counts import (
    N_BUCKETS,
    Unseen,
    WindowCounts,
    bucket_of,
    unseen_column,
)
from clusterwise.summaries.profile.profile import DensityProfile

SIZES = "(cluster sizes)"
# Cochran's rule for the chi-square approximation, which holds for samples of the same size; more
# objects are needed if one is much smaller (python -m experiments.drift measures it).
_MIN_EXPECTED = 5.0
_MORE_IF_UNEQUAL = 2.0
# Buckets of rare values have this many times the smallest expected number, on average.
_BUCKET_SIZE = 2.0


class Cells(NamedTuple):
    """A test: its name, and the objects of both samples in each cell.

    ``varies`` is true if there were several cells before rare ones were pooled.
    """

    name: str
    a: Array
    b: Array
    varies: bool


def list_cells(
    before: WindowCounts, now: WindowCounts, *, by_cluster: bool, features_by_cluster: bool
) -> Iterator[Cells]:
    """Yield the cells of each test: one for the sizes of the clusters, one for each feature."""
    if not before.n or not now.n:
        return
    if by_cluster:
        clusters = _Tables(before, now, by_cluster=True)
        sizes = [side.profile.sizes[:, np.newaxis] for side in (before, now)]
        a, b = clusters.align(*sizes)
        yield clusters.pool(SIZES, a.ravel(), b.ravel())
    tables = _Tables(before, now, by_cluster=by_cluster and features_by_cluster)
    for r, feature in enumerate(before.profile.binning.features):
        a, b = tables.align(before.profile.feature(r), now.profile.feature(r))
        if feature.values is None:
            yield tables.pool(feature.name, a.ravel(), b.ravel())
        else:
            a, b, varies = tables.bucket_rare(r, feature, a, b)
            yield tables.pool(feature.name, a, b, varies=varies)


def list_cluster_cells(
    before: WindowCounts, now: WindowCounts, feature: str
) -> Iterator[tuple[object, Cells]]:
    """Yield the clusters of both samples, each with its own cells of a feature."""
    r = before.profile.binning.names.index(feature)
    others = set(name_list(now.profile.names))
    for name in name_list(before.profile.names):
        if name in others:
            parts = [_of_cluster(side, name) for side in (before, now)]
            cells = list_cells(*parts, by_cluster=False, features_by_cluster=False)
            yield name, next(islice(cells, r, None))


def _of_cluster(sample: WindowCounts, name: object) -> WindowCounts:
    """Return the counts of one cluster."""
    profile = sample.profile
    rows = [name_list(profile.names).index(name)]
    own = DensityProfile(
        profile.counts[rows], profile.names[rows], profile.binning, profile._below, profile._above
    )
    unseen = sample.unseen
    if unseen is not None:
        unseen = Counter({key: n for key, n in unseen.items() if key[1] == name})
    return WindowCounts(own, unseen)


@dataclass(frozen=True)
class _Tables:
    """Two samples whose clusters are in common rows; in one row if not ``by_cluster``."""

    before: WindowCounts
    now: WindowCounts
    by_cluster: bool

    @cached_property
    def smallest(self) -> float:
        """The smallest number of objects, in both samples together, of a cell."""
        totals = self.before.n, self.now.n
        proportion = min(totals) / sum(totals)
        more = _MORE_IF_UNEQUAL * (1 - 2 * proportion) ** 2
        return _MIN_EXPECTED * (1 + more) / proportion

    @cached_property
    def rows(self) -> dict[object, int]:
        """The row of each cluster."""
        names = [*name_list(self.before.profile.names), *name_list(self.now.profile.names)]
        return {
            name: row if self.by_cluster else 0 for row, name in enumerate(dict.fromkeys(names))
        }

    def align(self, a: Array, b: Array) -> tuple[Array, Array]:
        """Return the counts of both samples in common rows."""
        n_rows = max(self.rows.values()) + 1
        aligned = np.zeros((2, n_rows, a.shape[1]), np.result_type(a, b))
        for side, counts, sample in zip(aligned, (a, b), (self.before, self.now), strict=True):
            np.add.at(side, [self.rows[name] for name in name_list(sample.profile.names)], counts)
        return aligned[0], aligned[1]

    def bucket_rare(
        self, r: int, feature: FeatureBins, a: Array, b: Array
    ) -> tuple[Array, Array, bool]:
        """Return cells of a categorical feature: common values, and buckets of the others.

        What is rare follows from both samples together, and the bucket of a value from its hash.
        The binning may have been fitted on one of the samples: that it does not contain a value
        must make no difference, so its unseen values are in buckets with the other rare ones.
        The third result tells whether there are several cells before this.
        """
        assert feature.values is not None
        regular, both = feature.regular, a + b
        common = both[:, :regular] >= self.smallest
        used = np.flatnonzero(((both[:, :regular] > 0) & ~common).any(axis=0))
        values = name_list(feature.values)
        known = all(map(_is_known, (self.before, self.now), (r, r)))
        buckets = np.array([bucket_of(values[i]) if known else 0 for i in used], np.int64)
        sides = []
        for counts, sample in zip((a, b), (self.before, self.now), strict=True):
            rare = np.zeros((len(counts), N_BUCKETS), counts.dtype)
            if known:
                self._add_unseen(rare, r, sample.unseen)
            else:
                rare[:, 0] = counts[:, regular]
            sides.append(rare)
        # Cells before rare ones are pooled.
        n_cells = np.count_nonzero(np.delete(both, regular, axis=1)) + np.count_nonzero(sum(sides))
        for counts, rare in zip((a, b), sides, strict=True):
            np.add.at(rare.T, buckets, np.where(common, 0, counts[:, :regular])[:, used].T)
        cells = [
            [counts[:, :regular][common], counts[:, regular + 1]] for counts in (a, b)
        ]  # common values, and missing ones
        for pair in zip(*sides, strict=True):
            for cell, folded in zip(cells, self._fold(*pair), strict=True):
                cell.append(folded)
        return np.concatenate(cells[0]), np.concatenate(cells[1]), bool(n_cells > 1)

    def _add_unseen(self, rare: Array, r: int, unseen: Unseen | None) -> None:
        for (feature, name, bucket), count in (unseen or {}).items():
            if feature == r:
                rare[self.rows[name], bucket] += count

    def _fold(self, a: Array, b: Array) -> list[Array]:
        """Keep full buckets, and merge the others to a number that they have enough objects for."""
        full = a + b >= self.smallest
        rest = np.where(full, 0, [a, b])
        wanted = int(rest.sum()) / (_BUCKET_SIZE * self.smallest)
        number = N_BUCKETS
        while number > max(wanted, 1):
            number //= 2
        merged = rest.reshape(2, -1, number).sum(axis=1)
        return [np.append(side[full], others) for side, others in zip((a, b), merged, strict=True)]

    def pool(self, name: str, a: Array, b: Array, *, varies: bool = False) -> Cells:
        """Pool rare cells into one with enough objects; leave out empty cells."""
        both = a + b
        order = np.argsort(both, kind="stable")[np.count_nonzero(both == 0) :]
        ordered = both[order]
        rare = int(np.count_nonzero(ordered < self.smallest))
        if 0 < rare < ordered.size and ordered[:rare].sum() < self.smallest:
            if np.count_nonzero(ordered == ordered[rare]) == 1:
                rare += 1
            else:  # which of several to pool them with would depend on names, so they are left out
                order, rare = order[rare:], 0
        starts = np.concatenate([[0], np.arange(max(rare, 1), order.size)])
        pooled = [np.add.reduceat(side[order], starts) for side in (a, b)]
        return Cells(name, pooled[0], pooled[1], varies or order.size > 1)


def _is_known(sample: WindowCounts, r: int) -> bool:
    """Whether the values in the bin of unseen ones can be told apart."""
    return sample.unseen is not None or not unseen_column(sample.profile, r).any()
