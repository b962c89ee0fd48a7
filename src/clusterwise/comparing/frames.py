"""Comparison of clusterings in columns of a frame, computed by the engine of the frame."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.binning.frame_fitting import column_kind
from clusterwise.inputs.clusterings import LabelOptions
from clusterwise.inputs.frames import (
    as_eager,
    collect_query,
    column_names,
    eager_column,
    integers,
    nan_to_null,
    require_columns,
    require_frame,
    select_columns,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.frames.distinct_rows import (
    MAX_DISTINCT_ROWS,
    check_noise_weights,
    column_labels,
    count_distinct_rows,
    refuse_missing_labels,
)
from clusterwise.summaries.frames.noise import check_noise, drop_noise_rows
from clusterwise.summaries.overlap.overlap import SoftOverlap
from clusterwise.summaries.profile.profile import DensityProfile

# A column of labels, or several columns of memberships.
Side = str | Sequence[str]


class EagerColumns(NamedTuple):
    """Clusterings and features from columns of an eager frame, with the label options."""

    columns: dict[str, Any]
    features: Any
    label_options: LabelOptions


class FrameData:
    """Contingency tables, overlaps and profiles of the columns of a lazy frame.

    The bins are fitted on all objects, including those left out as noise.
    """

    def __init__(
        self, frame: Any, features: Sequence[str] | None, label_options: LabelOptions
    ) -> None:
        if label_options.get("align") == "index":
            raise InputError("the columns of a frame are already aligned; leave align out.")
        self.frame = require_frame(frame).to_native()
        self.features = None if features is None else list(features)
        self.noise = label_options.get("noise", "cluster")
        self.noise_label = label_options.get("noise_label", -1)
        self.weights = label_options.get("sample_weight")
        if self.weights is not None and not isinstance(self.weights, str):
            raise InputError("sample_weight must be a column of the frame; pass its name.")
        self.missing = label_options.get("missing", "error")
        if self.missing != "error" and features is not None:
            raise InputError(
                f"missing={self.missing!r} needs the features of a lazy frame in memory; collect "
                "it, or leave its rows without a label out."
            )
        self.binning: Binning | None = None
        self._profiles: dict[str, DensityProfile] = {}

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Fit the bins of the features."""
        if isinstance(binning, Binning):
            self.binning = binning
        else:
            self.binning = Binning(binning, n_bins).fit_frames(self.frame, features=self.features)

    def has_means(self) -> bool:
        """Whether all features are numeric and none is missing, so that they have means."""
        import narwhals.stable.v2 as nw

        assert self.features is not None
        picked = select_columns(self.frame, self.features)
        types = map(column_kind, picked.names, picked.dtypes)
        if any(one == "nominal" for one in types):
            return False
        names = [f"c{i}" for i in range(len(self.features))]
        numbers = [
            nan_to_null(nw.col(name), dtype).alias(name)
            for name, dtype in zip(names, picked.dtypes, strict=True)
        ]
        rows = picked.frame.select(*numbers)
        found = collect_query(
            rows.select(*(nw.col(name).count() for name in names), nw.len().alias("n"))
        )
        total = integers(found.get_column("n"))[0]
        return all(integers(found.get_column(name))[0] == total for name in names)

    def table(self, a: Side, b: Side) -> Contingency | SoftOverlap:
        """Return the contingency table of two clusterings, or the overlap if one is soft."""
        if isinstance(a, str) and isinstance(b, str):
            return Contingency.from_frame(
                self.frame, a, b, weights=self.weights, noise=self.noise,
                noise_label=self.noise_label, missing=self.missing,
            )  # fmt: skip
        return SoftOverlap.from_frame(
            self.compared_rows(a, b), a, b, weights=self.weights, noise_label=self.noise_label
        )

    def overlap(self, a: Side, b: Side) -> SoftOverlap:
        """Return the overlap of two clusterings with the centroids of their clusters."""
        return SoftOverlap.from_frame(
            self.compared_rows(a, b), a, b, features=self.features, weights=self.weights
        )

    def profiles(self, a: Side, b: Side) -> tuple[DensityProfile, DensityProfile]:
        """Return the density profiles of two clusterings, of the objects compared."""
        assert self.binning is not None
        if self.noise == "cluster":  # the profile of a clustering is the same in all pairs
            return self._profile(a), self._profile(b)
        frame = self.compared_rows(a, b)
        from_frame = DensityProfile.from_frame
        return (
            from_frame(frame, a, binning=self.binning, weights=self.weights),
            from_frame(frame, b, binning=self.binning, weights=self.weights),
        )

    def compared_rows(self, a: Side, b: Side) -> Any:
        """Return the frame without the noise of either clustering if ``noise="drop"``."""
        check_noise(self.noise)
        if self.noise == "cluster":
            return self.frame
        hard = [side for side in (a, b) if isinstance(side, str)]
        return drop_noise_rows(self.frame, hard, self.noise_label)

    def _profile(self, side: Side) -> DensityProfile:
        key = repr(side)
        if key not in self._profiles:
            self._profiles[key] = DensityProfile.from_frame(
                self.frame, side, binning=self.binning or "width", weights=self.weights
            )
        return self._profiles[key]


def read_eager_columns(
    frame: Any,
    sides: Mapping[str, Side],
    features: Sequence[str] | None,
    label_options: LabelOptions,
) -> EagerColumns | None:
    """Return clusterings and features from an eager frame; None if the frame is lazy."""
    eager = as_eager(require_frame(frame).to_native())
    if eager is None:
        return None
    columns = {name: _column(eager, side) for name, side in sides.items()}
    X = None if features is None else _column(eager, list(features))
    weights = label_options.get("sample_weight")
    if isinstance(weights, str):
        label_options = {**label_options, "sample_weight": np.asarray(eager_column(eager, weights))}
    return EagerColumns(columns, X, label_options)


def read_distinct_rows(
    data: FrameData, columns: Sequence[str]
) -> tuple[dict[str, Any], LabelOptions]:
    """Return label columns with one row per distinct row, and the options with its weights."""
    rows = count_distinct_rows(data.frame, columns, data.weights, MAX_DISTINCT_ROWS)
    if rows is None:
        raise InputError(
            f"the clusterings have more than {MAX_DISTINCT_ROWS} distinct rows of labels, too many "
            "to fetch; compare them in pairs, or fewer at a time."
        )
    if data.missing == "error":
        refuse_missing_labels(rows, columns)
    if data.noise == "singletons":
        check_noise_weights(rows, columns, data.weights, data.noise_label, data.missing)
    read = {name: column_labels(rows, i, name, data.missing) for i, name in enumerate(columns)}
    label_options: LabelOptions = {
        "sample_weight": rows.weights, "noise": data.noise, "noise_label": data.noise_label,
        "missing": data.missing,
    }  # fmt: skip
    return read, label_options


def list_label_columns(frame: Any, features: Sequence[str] | None, sample_weight: Any) -> list[str]:
    """Return the columns of a frame that are neither features nor weights."""
    others = {*(features or ()), *([sample_weight] if isinstance(sample_weight, str) else [])}
    return [name for name in column_names(frame) if name not in others]


def with_string_names(frame: Any) -> Any:
    """Return the frame with strings as column names; pandas allows others, such as 0, 1, …."""
    if type(frame).__module__.startswith("pandas"):
        import pandas as pd

        # As objects: not every string of Python can be encoded.
        return frame.set_axis(pd.Index(map(str, frame.columns), dtype=object), axis="columns")
    return frame


def name_columns(clusterings: Any) -> dict[str, Side]:
    """Return the columns by the names of the clusterings, from a list or a mapping."""
    if isinstance(clusterings, Mapping):
        return {str(name): side for name, side in clusterings.items()}
    if isinstance(clusterings, str) or not all(isinstance(one, str) for one in clusterings):
        raise InputError("clusterings must be a list of column names if frame is given.")
    return {name: name for name in clusterings}


def _column(eager: Any, side: Side) -> Any:
    if isinstance(side, str):
        return eager_column(eager, side)
    require_columns(eager, side)
    return eager.select(list(side)).to_native()
