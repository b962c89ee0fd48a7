"""Density profiles: how the objects of each cluster spread over the bins of each feature."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.tables import TableRepr, TextTable, format_count, format_number
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import LabelOptions, Noise
from clusterwise.inputs.encoding import Array, name_list, union_of_names
from clusterwise.inputs.labels import read_labels
from clusterwise.summaries.profile.bin_counts import Spread, count_bins

_SHOWN = 3


class DensityProfile(TableRepr):
    r"""Counts of every cluster in every bin of every feature.

    All that density measures need to know of a clustering: they compare profiles, so the
    clusterings may be of different objects, as long as both profiles share their
    :class:`~clusterwise.Binning`. Profiles add up: the sum of two is the profile
    of all objects, with clusters merged by name, and ``-`` takes objects out again.

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
        binning: Binning | Method = "width",
        n_bins: int = 10,
        **label_options: Unpack[LabelOptions],
    ) -> "DensityProfile":
        """Count the bins of each cluster.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects' features. Missing values have a bin of their own.
        labels : array-like of shape (n,), or memberships of shape (n, K)
            The clustering. Soft memberships give expected counts.
        binning : Binning or {"width", "frequency", "mdl", "nominal"}, default="width"
            A fitted binning, or how to fit one to ``X`` (``"mdl"`` to the labels too).
        n_bins : int, default=10
            Bins per feature, if one is fitted.
        **label_options
            ``sample_weight``, ``noise`` and ``noise_label``, as in every measure.
        """
        if not isinstance(binning, Binning):
            binning = Binning(binning, n_bins).fit(X, labels if binning == "mdl" else None)
        spread = count_bins(X, read_labels(labels, **label_options), binning)
        return cls.from_spread(spread, binning)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        labels: str | Sequence[str],
        features: Sequence[str] | None = None,
        *,
        binning: Binning | Method = "width",
        n_bins: int = 10,
        weights: str | None = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
    ) -> "DensityProfile":
        """Count the bins of each cluster where the frame is: one scan by its engine.

        A binning that is fitted takes another scan, or a few (see
        :meth:`~clusterwise.Binning.fit_frames`).

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy one nothing but the profile leaves the engine.
        labels : str or list of str
            The column with the clustering, in which no label may be missing; or the columns
            of memberships, one for each cluster, which take a scan each.
        features : list of str, optional
            The columns with the features; by default those that the binning was fitted
            on, or all but the labels and weights.
        binning : Binning or {"width", "frequency", "nominal"}, default="width"
            A fitted binning, or how to fit one to the frame.
        n_bins : int, default=10
            Bins per feature, if one is fitted.
        weights : str, optional
            A column that says how many objects each row stands for.
        noise : {"cluster", "drop"}, default="cluster"
            What becomes of objects labelled ``noise_label``.
        noise_label : default=-1
            The label that means noise.

        Examples
        --------
        >>> import polars as pl
        >>> from clusterwise import DensityProfile
        >>> frame = pl.LazyFrame({"age": [20, 25, 70, 80], "segment": ["x", "x", "y", "y"]})
        >>> DensityProfile.from_frame(frame, "segment", ["age"], n_bins=2).counts
        array([[2, 0, 0],
               [0, 2, 0]])
        """
        from clusterwise.summaries.frames.profiles import profile_frame

        return profile_frame(frame, labels, features, binning, n_bins, weights, noise, noise_label)

    @classmethod
    def from_spread(cls, spread: Spread, binning: Binning) -> "DensityProfile":
        """A profile of counts that were made; clusters without objects are left out."""
        filled = np.flatnonzero(spread.counts.any(axis=1))
        names = spread.names[filled]
        return cls(spread.counts[filled], names, binning, spread.below, spread.above)

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Sequence[Any]],
        binning: Binning,
        **label_options: Unpack[LabelOptions],
    ) -> "DensityProfile":
        """Add up ``(X, labels)`` or ``(X, labels, sample_weight)`` chunks, one at a time."""
        profile = cls.empty(binning)
        for chunk in chunks:
            options = label_options
            if len(chunk) == 3:
                options = {**label_options, "sample_weight": chunk[2]}
            profile = profile + cls.from_data(chunk[0], chunk[1], binning=binning, **options)
        return profile

    @classmethod
    def empty(cls, binning: Binning) -> "DensityProfile":
        """A profile without objects, to add others to."""
        outside = np.zeros(len(binning.features), np.int64)
        counts = np.zeros((0, binning.total), np.int64)
        return cls(counts, np.empty(0, object), binning, outside, outside)

    @cached_property
    def sizes(self) -> Array:
        """Objects (or their weight) in each cluster."""
        return self.counts[:, : self.binning.offsets[1]].sum(axis=1)

    @property
    def n(self) -> int | float:
        """Number of objects, or their total weight."""
        return self.sizes.sum().item()

    @property
    def outside(self) -> dict[str, int]:
        """Values outside of the fitted range, by feature; they are in the end bins."""
        beyond = (self._below + self._above).tolist()
        return {
            name: count for name, count in zip(self.binning.names, beyond, strict=True) if count
        }

    def feature(self, r: int) -> Array:
        """The counts of one feature: clusters × its bins."""
        return self.counts[:, self.binning.offsets[r] : self.binning.offsets[r + 1]]

    @cached_property
    def lift(self) -> Array:
        """How many times denser each cluster is in each bin than all objects together."""
        whole = self.counts.sum(axis=0) / self.n
        with np.errstate(invalid="ignore"):
            shares = self.counts / self.sizes[:, None]
            return np.where(whole > 0, shares / np.where(whole > 0, whole, 1), 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: one entry per cluster, feature and bin."""
        features, bins = zip(*self.binning.bin_names(), strict=True)
        return {
            "cluster": [str(name) for name in name_list(self.names) for _ in bins],
            "feature": list(features) * len(self.names),
            "bin": list(bins) * len(self.names),
            "count": self.counts.ravel().tolist(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """The same as a frame."""
        return to_frame(self.to_dict(), library)

    def __add__(self, other: "DensityProfile") -> "DensityProfile":
        if not isinstance(other, DensityProfile):
            return NotImplemented
        return self._merged(other, 1)

    def __sub__(self, other: "DensityProfile") -> "DensityProfile":
        if not isinstance(other, DensityProfile):
            return NotImplemented
        return self._merged(other, -1)

    def _merged(self, other: "DensityProfile", sign: int) -> "DensityProfile":
        require_same_binning(self, other)
        names = union_of_names(self.names, other.names)
        kind = np.result_type(self.counts, other.counts)
        counts = np.zeros((names.size, self.binning.total), kind)
        place = names.positions()
        counts[place[: len(self.names)]] += self.counts
        counts[place[len(self.names) :]] += sign * other.counts
        if sign < 0:
            _settle(counts, self.n)
        filled = np.flatnonzero(counts.any(axis=1))
        return DensityProfile(
            counts[filled],
            names.names_at(filled),
            self.binning,
            self._below + sign * other._below,
            self._above + sign * other._above,
        )

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
        """Clusters, their sizes, and where they are dense."""
        size = format_count(self.n, "object") if isinstance(self.n, int) else f"weight {self.n:g}"
        features = format_count(len(self.binning.features), "feature")
        clusters = format_count(len(self.names), "cluster")
        rows = [
            [str(name), format_number(float(self.sizes[k])), self._densest(k)]
            for k, name in enumerate(name_list(self.names))
        ]
        title = f"Density profile: {size}, {clusters}, {features}"
        return TextTable(
            ["cluster", "size", "densest, against all objects"], rows, title, frozenset({0, 2})
        )

    def _densest(self, k: int) -> str:
        """The bins where the cluster's objects are most, weighed by how much denser they are."""
        bins = self.binning.bin_names()
        weight = self.counts[k] * np.log(np.maximum(self.lift[k], 1.0))
        best = [i for i in np.argsort(-weight, kind="stable")[:_SHOWN] if weight[i] > 0]
        return "; ".join(
            f"{bins[i][0]} in {bins[i][1]} ({self.lift[k, i]:.1f} times)" for i in best
        )


def require_same_binning(a: DensityProfile, b: DensityProfile) -> None:
    """Profiles are comparable only if their bins are the same."""
    if a.binning is not b.binning and a.binning != b.binning:
        raise InputError(
            "the two profiles have different bins; fit one Binning and pass it to both."
        )


def _settle(counts: Array, n: int | float) -> None:
    """What rounding leaves behind is nothing; what is below nothing is an error."""
    if counts.dtype.kind == "f":
        counts[np.abs(counts) <= 1e-12 * n] = 0
    if counts.size and counts.min() < 0:
        raise InputError("the profile to take away holds objects that this profile does not.")
