"""Features of the objects, from which the pairs of :func:`compare_all` are compared."""

from collections.abc import Mapping
from typing import Any, Protocol

from clusterwise.comparing.frames import FrameData
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import LabelOptions, Pair
from clusterwise.inputs.features import take_rows
from clusterwise.measures.density import fit_binning, read_profiles
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap
from clusterwise.summaries.profile.profile import DensityProfile


class Source(Protocol):
    """Features from which the overlaps with centroids and the profiles of pairs are computed."""

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Fit the bins of the features."""

    def overlap(self, a: str, b: str, pair: Pair[AnyClustering]) -> SoftOverlap:
        """Return the overlap of a pair, with centroids."""

    def profiles(self, a: str, b: str, pair: Pair[AnyClustering]) -> tuple[DensityProfile, ...]:
        """Return the density profiles of a pair; none if no bins are fitted."""


class ArraySource:
    """Features in memory, binned once for all clusterings."""

    def __init__(self, read: Mapping[str, AnyClustering], X: Any, options: LabelOptions) -> None:
        self._read = read
        self._X = X
        self._options: LabelOptions = {**options}
        self._options.pop("align", None)
        self._binning: Binning | None = None
        self._profiles: dict[str, DensityProfile] = {}

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Fit the bins, and compute the profile of each clustering."""
        first = next(iter(self._read.values()))
        missing = self._options.get("missing", "error")
        self._binning = fit_binning(self._X, first, binning, n_bins, missing)
        self._profiles = {
            name: DensityProfile.from_data(self._X, one, binning=self._binning, **self._options)
            for name, one in self._read.items()
        }

    def overlap(self, a: str, b: str, pair: Pair[AnyClustering]) -> SoftOverlap:  # noqa: ARG002
        """Return the overlap of a pair, with centroids."""
        return SoftOverlap.from_pair(pair, self._X)

    def profiles(self, a: str, b: str, pair: Pair[AnyClustering]) -> tuple[DensityProfile, ...]:
        """Return the density profiles of a pair; none if no bins are fitted."""
        if self._binning is None:
            return ()
        if pair.kept is None:
            return self._profiles[a], self._profiles[b]
        rows = take_rows(self._X, pair.kept)
        return read_profiles(
            pair.a, pair.b, rows, binning=self._binning, sample_weight=pair.weights
        )


class FrameSource:
    """Features in a lazy frame, which also has the columns of the clusterings."""

    def __init__(self, data: FrameData, columns: Mapping[str, str]) -> None:
        self._data = data
        self._columns = columns

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Fit the bins of the features."""
        self._data.fit(binning, n_bins)

    def overlap(self, a: str, b: str, pair: Any) -> SoftOverlap:  # noqa: ARG002
        """Return the overlap of a pair, with centroids."""
        return self._data.overlap(self._columns[a], self._columns[b])

    def profiles(self, a: str, b: str, pair: Any) -> tuple[DensityProfile, ...]:  # noqa: ARG002
        """Return the density profiles of a pair; none if no bins are fitted."""
        if self._data.binning is None:
            return ()
        return self._data.profiles(self._columns[a], self._columns[b])
