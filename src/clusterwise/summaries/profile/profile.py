"""Density profiles: counts of the objects of each cluster in the bins of each feature."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.sums import Summable
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_number,
    format_objects,
)
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.labels import read_labels
from clusterwise.summaries.chunks import read_chunks
from clusterwise.summaries.contingency.cells import drop_rounding_errors
from clusterwise.summaries.frames.profile import count_frame
from clusterwise.summaries.profile.bin_counts import BinCounts, count_bins

_SHOWN = 3


@check_arguments
class DensityProfile(Summable, TableRepr):
    r"""Density profile: counts of every cluster in every bin of every feature.

    Density measures compare profiles, so the clusterings may be of different objects, as long as
    both profiles have the same :class:`~clusterwise.Binning`. Profiles of disjoint sets of
    objects can be added and subtracted; clusters are merged by name.

    Examples
    --------
    Two clusters of four objects, one feature, two bins:

    >>> import clusterwise as cw
    >>> X = [[1.0], [2.0], [9.0], [10.0]]
    >>> profile = cw.DensityProfile.from_data(X, ["low", "low", "high", "high"], n_bins=2)
    >>> profile.counts
    array([[0, 2, 0],
           [2, 0, 0]])
    >>> profile
    Density profile: 4 objects, 2 clusters, 1 feature
    cluster  size  densest, against all objects
    high        2  x0 in [5.5, 10] (2.0 times)
    low         2  x0 in [1, 5.5) (2.0 times)
    """

    def __init__(
        self, counts: Array, names: Array, binning: Binning, below: Array, above: Array
    ) -> None:
        self.counts = counts
        self.names = names
        self.binning = binning
        self._below = below
        self._above = above

    @classmethod
    def from_data(
        cls,
        X: Any,
        labels: Any,
        *,
        binning: Binning | Method = "auto",
        n_bins: int = 10,
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> "DensityProfile":
        """Count the objects of each cluster in each bin.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects' features. Missing values have a bin of their own.
        labels : array-like of shape (n,), or memberships of shape (n, K)
            The clustering. Soft memberships give expected counts.
        binning : Binning or {"auto", "width", "frequency", "mdl", "nominal"}, default="auto"
            A fitted binning, or how to fit one to ``X`` (``"mdl"`` to the labels too). "auto" has
            bins of equal width, and of equal counts for skewed features; ADCO is defined with
            "width".
        n_bins : int, default=10
            Bins per feature, if one is fitted.
        sample_weight, noise, noise_label, align, missing
            As in every measure, see :func:`~clusterwise.rand_score`.
        """
        if not isinstance(binning, Binning):
            binning = Binning(binning, n_bins).fit(X, labels if binning == "mdl" else None)
        clustering = read_labels(
            labels,
            sample_weight=sample_weight,
            noise=noise,
            noise_label=noise_label,
            align=align,
            missing=missing,
        )
        return cls.from_counts(count_bins(X, clustering, binning), binning)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        labels: str | Sequence[str],
        features: Sequence[str] | None = None,
        *,
        binning: Binning | Method = "auto",
        n_bins: int = 10,
        weights: str | None = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
    ) -> "DensityProfile":
        """Count the objects of each cluster in each bin, in one scan by the frame's engine.

        Fitting a binning takes one or more further scans, see
        :meth:`~clusterwise.Binning.fit_frames`.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy frame only the profile is collected.
        labels : str or list of str
            The column with the clustering, in which no label may be missing; or the columns
            of memberships, one for each cluster, which take a scan each.
        features : list of str, optional
            The columns with the features; by default those of the binning, or all but the
            labels and weights.
        binning : Binning or {"auto", "width", "frequency", "nominal"}, default="auto"
            A fitted binning, or how to fit one to the frame.
        n_bins : int, default=10
            Bins per feature, if one is fitted.
        weights : str, optional
            The column with the weights of the objects.
        noise : {"cluster", "drop"}, default="cluster"
            Treat objects labelled ``noise_label`` as one cluster, or drop them.
        noise_label : default=-1
            The label of noise.

        Examples
        --------
        >>> import polars as pl
        >>> from clusterwise import DensityProfile
        >>> frame = pl.LazyFrame({"age": [20, 25, 70, 80], "segment": ["x", "x", "y", "y"]})
        >>> DensityProfile.from_frame(frame, "segment", ["age"], n_bins=2).counts
        array([[2, 0, 0],
               [0, 2, 0]])
        """
        counts = count_frame(frame, labels, features, binning, n_bins, weights, noise, noise_label)
        return cls.from_counts(*counts)

    @classmethod
    def from_counts(cls, counts: BinCounts, binning: Binning) -> "DensityProfile":
        """Return a profile with these counts, without empty clusters."""
        some = counts.without_empty()
        return cls(some.counts, some.names, binning, some.below, some.above)

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Sequence[Any]],
        binning: Binning,
        *,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        missing: Missing = "error",
    ) -> "DensityProfile":
        """Add up ``(X, labels)`` or ``(X, labels, sample_weight)`` chunks, one at a time."""
        profile = cls.empty(binning)
        form = "(X, labels) or (X, labels, sample_weight)"
        for X, labels, weights in read_chunks(chunks, 2, 3, form):
            profile = profile + cls.from_data(
                X,
                labels,
                binning=binning,
                sample_weight=weights,
                noise=noise,
                noise_label=noise_label,
                missing=missing,
            )
        return profile

    @classmethod
    def empty(cls, binning: Binning) -> "DensityProfile":
        """Return a profile without objects, to which others can be added."""
        return cls.from_counts(BinCounts.empty(binning), binning)

    @cached_property
    def sizes(self) -> Array:
        """Number (or total weight) of the objects in each cluster."""
        return self.counts[:, : self.binning.offsets[1]].sum(axis=1)

    @property
    def n(self) -> int | float:
        """Number of objects, or their total weight."""
        return self.sizes.sum().item()

    @property
    def outside(self) -> dict[str, int]:
        """Number of values outside of the fitted range by feature; they are in the end bins."""
        beyond = (self._below + self._above).tolist()
        return {
            name: count for name, count in zip(self.binning.names, beyond, strict=True) if count
        }

    def feature(self, r: int) -> Array:
        """Return the counts of one feature, clusters × bins."""
        return self.counts[:, self.binning.offsets[r] : self.binning.offsets[r + 1]]

    @cached_property
    def lift(self) -> Array:
        """Lift: the proportion of each cluster in each bin, divided by that of all objects."""
        whole = self.counts.sum(axis=0) / self.n
        with np.errstate(invalid="ignore"):
            proportions = self.counts / self.sizes[:, None]
            return np.where(whole > 0, proportions / np.where(whole > 0, whole, 1), 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with one entry per cluster, feature and bin."""
        features, bins = zip(*self.binning.bin_names(), strict=True)
        return {
            "cluster": [str(name) for name in name_list(self.names) for _ in bins],
            "feature": list(features) * len(self.names),
            "bin": list(bins) * len(self.names),
            "count": self.counts.ravel().tolist(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per cluster, feature and bin."""
        return to_frame(self.to_dict(), library)

    def __add__(self, other: "DensityProfile") -> "DensityProfile":
        if not isinstance(other, DensityProfile):
            return NotImplemented
        return self._combine(other, 1)

    def __sub__(self, other: "DensityProfile") -> "DensityProfile":
        if not isinstance(other, DensityProfile):
            return NotImplemented
        return self._combine(other, -1)

    def _combine(self, other: "DensityProfile", sign: int) -> "DensityProfile":
        require_same_binning(self, other)
        combined = self._bin_counts().combine(other._bin_counts(), sign)
        if sign < 0:
            drop_rounding_errors(combined.counts, self.n, "profile")
        return DensityProfile.from_counts(combined, self.binning)

    def _bin_counts(self) -> BinCounts:
        return BinCounts(self.counts, self.names, self._below, self._above)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DensityProfile):
            return NotImplemented
        return (
            self.binning == other.binning
            and name_list(self.names) == name_list(other.names)
            and np.array_equal(self.counts, other.counts)
        )

    __hash__ = None  # type: ignore[assignment]

    def text_table(self) -> TextTable:
        """Return the clusters, their sizes and their densest bins as text."""
        features = format_count(len(self.binning.features), "feature")
        clusters = format_count(len(self.names), "cluster")
        rows = [
            [str(name), format_number(float(self.sizes[k])), self._densest(k)]
            for k, name in enumerate(name_list(self.names))
        ]
        title = f"Density profile: {format_objects(self.n)}, {clusters}, {features}"
        return TextTable(
            ["cluster", "size", "densest, against all objects"], rows, title, frozenset({0, 2})
        )

    def _densest(self, k: int) -> str:
        """Return the bins with the largest count times log lift."""
        bins = self.binning.bin_names()
        weight = self.counts[k] * np.log(np.maximum(self.lift[k], 1.0))
        best = [i for i in np.argsort(-weight, kind="stable")[:_SHOWN] if weight[i] > 0]
        return "; ".join(
            f"{bins[i][0]} in {bins[i][1]} ({self.lift[k, i]:.1f} times)" for i in best
        )


def require_same_binning(a: DensityProfile, b: DensityProfile) -> None:
    """Refuse profiles with different bins."""
    if a.binning is not b.binning and a.binning != b.binning:
        raise InputError(
            "the two profiles have different bins; fit one Binning and pass it to both."
        )
