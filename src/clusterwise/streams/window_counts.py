"""What a stream keeps of the objects of a window: counts that can be added and subtracted."""

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from clusterwise._utils.sums import Summable
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.streams.batches import Batch
from clusterwise.summaries.profile.profile import DensityProfile

# Values without a bin of their own are counted by a hash. The number is a divisor of 256.
N_BUCKETS = 64

# The number of objects by feature, cluster and bucket.
Unseen = Counter[tuple[int, Any, int]]


@dataclass(frozen=True)
class WindowCounts(Summable):
    """The density profile of some objects, and what it leaves out about categorical features.

    A profile has one bin for all values that did not occur when the binning was fitted.
    ``unseen`` divides its objects into buckets, by a hash of the value; None if that is not known,
    as for a profile that the user passed.
    """

    profile: DensityProfile
    unseen: Unseen | None

    @classmethod
    def from_batch(cls, batch: Batch, binning: Binning) -> "WindowCounts":
        """Count the objects of a batch."""
        profile = DensityProfile.from_data(batch.X, batch.labels, binning=binning)
        return cls(profile, _count_unseen(batch, profile))

    @property
    def n(self) -> int:
        """The number of objects."""
        return int(self.profile.n)

    def __add__(self, other: "WindowCounts") -> "WindowCounts":
        if not isinstance(other, WindowCounts):
            return NotImplemented
        both = self.unseen is not None and other.unseen is not None
        unseen = self.unseen + other.unseen if both else None  # type: ignore[operator]
        return WindowCounts(self.profile + other.profile, unseen)

    def __sub__(self, other: "WindowCounts") -> "WindowCounts":
        if not isinstance(other, WindowCounts):
            return NotImplemented
        both = self.unseen is not None and other.unseen is not None
        unseen = self.unseen - other.unseen if both else None  # type: ignore[operator]
        return WindowCounts(self.profile - other.profile, unseen)


def bucket_of(value: Any) -> int:
    """Return the bucket of a value: the same for equal values, in every process.

    >>> bucket_of(1) == bucket_of(1.0) == bucket_of(True)
    True
    """
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    text = value if isinstance(value, str) else repr(value)
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=1).digest()
    return digest[0] % N_BUCKETS


def unseen_column(profile: DensityProfile, r: int) -> Array:
    """Return the number of objects of each cluster with unseen values of a categorical feature."""
    return profile.feature(r)[:, profile.binning.features[r].regular]


def _count_unseen(batch: Batch, profile: DensityProfile) -> Unseen:
    unseen: Unseen = Counter()
    binning = profile.binning
    some = [
        r
        for r, feature in enumerate(binning.features)
        if feature.values is not None and unseen_column(profile, r).any()
    ]
    if not some:
        return unseen
    columns = binning.read(batch.X).columns
    for r in some:
        values = binning.features[r].values
        assert values is not None
        known = set(name_list(values))
        codes, found = columns[r].categories()
        # Code -1 (missing) selects the last entry.
        buckets = np.array([-1 if one in known else bucket_of(one) for one in found] + [-1])[codes]
        rows = buckets >= 0
        names = name_list(batch.labels[rows])
        unseen.update((r, *pair) for pair in zip(names, buckets[rows].tolist(), strict=True))
    return unseen
