"""Fit bins to data in chunks: ranges, distinct values and quantile sketches."""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.sums import Summable
from clusterwise.inputs.binning.edges import (
    FeatureBins,
    bin_categorical,
    bin_numeric,
    count_even_bins,
    even_edges,
    frequency_edges,
    has_even_bins,
    is_skewed,
    mdl_edges,
    value_ranges,
)
from clusterwise.inputs.encoding import Array, encode_array, encode_sequence
from clusterwise.inputs.features import Column, Features, refuse_infinite, used_categories
from clusterwise.inputs.series import encode_series

# With this many values per level, the quantiles of 10^9 values are off by at most 0.5%.
CAPACITY = 4096


class QuantileSketch(Summable):
    """A weighted sample of all values seen, with approximately the same quantiles.

    Values of level h represent 2^h values each. A level that has reached its capacity
    is sorted and every second value moves one level up, the odd and the even ones
    alternately, so that the sketch is deterministic.

    The error of ranks is at most :attr:`rank_error`: 0 (exact) below ``capacity``
    values, and never above n/c·(1 + log2(n/c)) for n values and capacity c, for any
    number of sketches that were added.

    Parameters
    ----------
    capacity : int
        The number of values per level, at least 2.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise.inputs.binning.fitting import QuantileSketch
    >>> halves = [QuantileSketch(64).update(np.arange(start, 10_000, 2)) for start in (0, 1)]
    >>> both = halves[0] + halves[1]
    >>> both.n, both.low, both.high
    (10000, 0.0, 9999.0)
    >>> values, counts = both.values()
    >>> int(counts.sum()), values.size < 1000
    (10000, True)
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self.capacity = capacity
        self.n = 0
        self.low = np.inf
        self.high = -np.inf
        self.rank_error = 0
        self._levels: list[list[Array]] = [[]]
        self._odd: list[bool] = [False]

    def update(self, values: Array) -> "QuantileSketch":
        """Add values, none of them missing, and return the sketch."""
        if values.size:
            values = values.astype(np.float64)
            self.n += values.size
            self.low = min(self.low, float(values.min()))
            self.high = max(self.high, float(values.max()))
            self._levels[0].append(values)
            self._compact()
        return self

    def __add__(self, other: "QuantileSketch") -> "QuantileSketch":
        if not isinstance(other, QuantileSketch):
            return NotImplemented
        both = QuantileSketch(min(self.capacity, other.capacity))
        both.n = self.n + other.n
        both.low, both.high = min(self.low, other.low), max(self.high, other.high)
        both.rank_error = self.rank_error + other.rank_error
        height = max(len(self._levels), len(other._levels))
        both._levels = [[] for _ in range(height)]
        both._odd = [False] * height
        for sketch in (self, other):
            for h, parts in enumerate(sketch._levels):
                both._levels[h] += parts
                both._odd[h] ^= sketch._odd[h]
        both._compact()
        return both

    def values(self) -> tuple[Array, Array]:
        """Return the distinct values, sorted, and the number of values each represents."""
        parts = [np.concatenate(parts) if parts else np.empty(0) for parts in self._levels]
        values = np.concatenate(parts)
        weights = np.repeat(1 << np.arange(len(parts)), [part.size for part in parts])
        distinct, inverse = np.unique(values, return_inverse=True)
        counts = np.zeros(distinct.size, np.int64)
        np.add.at(counts, inverse, weights)
        return distinct, counts

    def _compact(self) -> None:
        """Halve every full level; each halving changes a rank by at most the level's weight."""
        h = 0
        while h < len(self._levels):
            parts = self._levels[h]
            if sum(part.size for part in parts) >= max(self.capacity, 2):
                values = np.sort(np.concatenate(parts))
                paired = values.size // 2 * 2
                if h + 1 == len(self._levels):
                    self._levels.append([])
                    self._odd.append(False)
                self._levels[h] = [values[paired:]] if paired < values.size else []
                self._levels[h + 1].append(values[int(self._odd[h]) : paired : 2])
                self._odd[h] = not self._odd[h]
                self.rank_error += 1 << h
            h += 1


class BinFitter:
    """Collects the ranges, values and quantiles of all features, chunk by chunk.

    If ``exact``, all values are kept for quantiles; else a sketch of them.
    """

    def __init__(self, method: str, n_bins: int, *, exact: bool) -> None:
        self.method = method
        self.n_bins = n_bins
        self.exact = exact
        self.n = 0
        self.names: list[str] = []
        self._features: list[_FeatureValues] = []
        self._classes: dict[Any, int] = {}
        self._labels: list[Array] = []

    def add(self, features: Features, y: Any) -> None:
        """Add the features of some objects, and their labels if the method needs them."""
        if not self.names:
            self.names = features.names
            self._features = [_FeatureValues() for _ in self.names]
        features = features.select(self.names)
        self.n += features.n
        if self.method == "mdl":
            self._labels.append(self._classes_of(y, features.n))
        if features.matrix is not None and self.method != "nominal":
            ranges: list[Any] = list(zip(*value_ranges(features.matrix), strict=True))
        else:
            ranges = [None] * len(self.names)
        for feature, column, ends in zip(self._features, features.columns, ranges, strict=True):
            if self.method == "nominal" or column.kind == "nominal":
                feature.add_categories(column)
            else:
                feature.add_range(column, ends)
            if self.method in ("auto", "frequency", "mdl") and feature.kind != "nominal":
                feature.add_numbers(column.numbers(), keep=self.exact or self.method == "mdl")

    def features(self) -> tuple[FeatureBins, ...]:
        """Return the bins of all features."""
        if not self.n:
            raise InputError("X has no objects; pass at least one.")
        return tuple(
            bin_categorical(name, list(feature.values))
            if feature.kind == "nominal"
            else bin_numeric(name, self._edges(feature), date=feature.date)
            for name, feature in zip(self.names, self._features, strict=True)
        )

    def _edges(self, feature: "_FeatureValues") -> Array:
        even = even_edges(feature.low, feature.high, self.n_bins)
        if self.method == "width":
            return even
        if self.method == "mdl":
            values = np.concatenate(feature.numbers).astype(np.float64)
            present = ~np.isnan(values)
            labels = np.concatenate(self._labels)
            return mdl_edges(values[present], labels[present], len(self._classes))
        distinct, counts = self._distinct(feature)
        if self.method == "auto" and not (
            has_even_bins(even) and is_skewed(count_even_bins(distinct, counts, even))
        ):
            return even
        edges = frequency_edges(distinct, counts, self.n_bins)
        if not self.exact and distinct.size:  # the sample may lack the minimum and maximum
            edges[[0, -1]] = feature.low, feature.high
        return edges

    def _distinct(self, feature: "_FeatureValues") -> tuple[Array, Array]:
        """Return the distinct numbers of a feature and their counts, or those of its sketch."""
        if not self.exact:
            return feature.sketch.values()
        values = np.concatenate(feature.numbers).astype(np.float64)
        return np.unique(values[~np.isnan(values)], return_counts=True)

    def _classes_of(self, y: Any, n: int) -> Array:
        """Encode labels as classes that are consistent between chunks."""
        if y is None:
            raise InputError("method='mdl' needs reference labels; pass y.")
        if isinstance(y, np.ndarray):
            codes = encode_array(y, "y")
        elif isinstance(y, list | tuple):
            codes = encode_sequence(y, "y")
        else:
            found = encode_series(y, "y")
            codes = encode_array(np.asarray(y), "y") if found is None else found
        if codes.values.size != n:
            raise InputError(
                f"y has {codes.values.size} labels for the {n} objects of X; pass one per object."
            )
        named = used_categories(codes)
        classes = [self._classes.setdefault(name, len(self._classes)) for name in named.values]
        return np.array(classes, np.int64)[named.codes]


class _FeatureValues:
    """The range, values and sketch of one feature."""

    def __init__(self) -> None:
        self.kind = "numeric"
        self.date = False
        self.certain = False
        self.low = np.inf
        self.high = -np.inf
        self.sketch = QuantileSketch()
        self.numbers: list[Array] = []
        self.values: dict[Any, None] = {}

    def add_categories(self, column: Column) -> None:
        values = column.categories().values
        self._decide("nominal", column.name, empty=not values)
        self.values.update(dict.fromkeys(values))

    def add_range(self, column: Column, ends: tuple[float, float] | None) -> None:
        if ends is None:
            low, high = (item[0] for item in value_ranges(column.numbers()[:, np.newaxis]))
        else:
            low, high = ends
        if low == -np.inf or high == np.inf:
            refuse_infinite(column.name, column.numbers())
        self._decide("numeric", column.name, empty=low > high)
        self.date = self.date or column.date
        self.low, self.high = min(self.low, float(low)), max(self.high, float(high))

    def add_numbers(self, values: Array, *, keep: bool) -> None:
        if keep:
            self.numbers.append(values)
        else:
            self.sketch.update(values[~np.isnan(values)])

    def _decide(self, kind: str, name: str, *, empty: bool) -> None:
        """Set the type of the feature, numeric or categorical, unless the chunk is empty."""
        if not self.certain:
            self.kind = kind
        elif not empty and kind != self.kind:
            raise InputError(
                f"column {name!r} of X is numeric in one chunk and categorical in another; convert "
                "it to one type."
            )
        self.certain = self.certain or not empty
