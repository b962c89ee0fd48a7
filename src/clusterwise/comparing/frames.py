"""Clusterings that are columns of a frame of any engine, compared where the frame is."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.binning.frame_fitting import kind_of
from clusterwise.inputs.clusterings import LabelOptions
from clusterwise.inputs.frames import (
    as_eager,
    eager_column,
    fetch,
    integers,
    require_columns,
    require_frame,
    select_columns,
    without_nan,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.frames.labels import (
    MAX_DISTINCT_ROWS,
    count_distinct_rows,
    labels_of,
    refuse_missing_labels,
    spelt_out,
)
from clusterwise.summaries.frames.profiles import check_noise, drop_noise_rows
from clusterwise.summaries.overlap.overlap import SoftOverlap
from clusterwise.summaries.profile.profile import DensityProfile

Side = str | Sequence[str]


class FrameData:
    """A lazy frame with features: profiles and overlaps of clusterings in its columns.

    Bins are those of all objects, also of those that are left out as noise.
    """

    def __init__(
        self, frame: Any, features: Sequence[str] | None, label_options: LabelOptions
    ) -> None:
        if label_options.get("align") == "index":
            raise InputError("the columns of a frame are of the same objects; leave align out.")
        self.frame = require_frame(frame).to_native()
        self.features = None if features is None else list(features)
        self.noise = label_options.get("noise", "cluster")
        self.noise_label = label_options.get("noise_label", -1)
        self.weights = label_options.get("sample_weight")
        if self.weights is not None and not isinstance(self.weights, str):
            raise InputError("sample_weight of a frame is one of its columns; pass its name.")
        self.binning: Binning | None = None
        self._profiles: dict[str, DensityProfile] = {}

    def fit(self, binning: Binning | Method, n_bins: int) -> None:
        """Choose the bins."""
        if isinstance(binning, Binning):
            self.binning = binning
        else:
            self.binning = Binning(binning, n_bins).fit_frames(self.frame, features=self.features)

    def has_means(self) -> bool:
        """Whether all features are numbers and none is missing, so that means can be taken."""
        import narwhals.stable.v2 as nw

        assert self.features is not None
        picked = select_columns(self.frame, self.features)
        kinds = map(kind_of, picked.names, picked.dtypes)
        if any(kind == "nominal" for kind in kinds):
            return False
        names = [f"c{i}" for i in range(len(self.features))]
        numbers = [
            without_nan(nw.col(name), dtype).alias(name)
            for name, dtype in zip(names, picked.dtypes, strict=True)
        ]
        rows = picked.frame.select(*numbers)
        found = fetch(rows.select(*(nw.col(name).count() for name in names), nw.len().alias("n")))
        total = integers(found.get_column("n"))[0]
        return all(integers(found.get_column(name))[0] == total for name in names)

    def table(self, a: Side, b: Side) -> Contingency | SoftOverlap:
        """The contingency table of two columns, or the overlap if memberships are among them."""
        if isinstance(a, str) and isinstance(b, str):
            return Contingency.from_frame(
                self.frame, a, b, weights=self.weights, noise=self.noise,
                noise_label=self.noise_label,
            )  # fmt: skip
        return SoftOverlap.from_frame(
            self.left(a, b), a, b, weights=self.weights, noise_label=self.noise_label
        )

    def overlap(self, a: Side, b: Side) -> SoftOverlap:
        """The overlap of two clusterings with their centres."""
        return SoftOverlap.from_frame(self.left(a, b), a, b, self.features, weights=self.weights)

    def profiles(self, a: Side, b: Side) -> tuple[DensityProfile, DensityProfile]:
        """The profiles of the objects that both clusterings keep."""
        assert self.binning is not None
        if self.noise == "cluster":  # the same profile for all the clusterings it meets
            return self._profile(a), self._profile(b)
        frame = self.left(a, b)
        from_frame = DensityProfile.from_frame
        return (
            from_frame(frame, a, binning=self.binning, weights=self.weights),
            from_frame(frame, b, binning=self.binning, weights=self.weights),
        )

    def left(self, a: Side, b: Side) -> Any:
        """The frame without the objects that either clustering calls noise, if they are to go."""
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


def taken_out(
    frame: Any,
    sides: Mapping[str, Side],
    features: Sequence[str] | None,
    label_options: LabelOptions,
) -> tuple[dict[str, Any], Any, LabelOptions] | None:
    """Clusterings, features and reading of an eager frame; None if it is lazy."""
    eager = as_eager(require_frame(frame).to_native())
    if eager is None:
        return None
    columns = {name: _column(eager, side) for name, side in sides.items()}
    X = None if features is None else _column(eager, list(features))
    weights = label_options.get("sample_weight")
    if isinstance(weights, str):
        label_options = {**label_options, "sample_weight": np.asarray(eager_column(eager, weights))}
    return columns, X, label_options


def kinds_of(data: FrameData, columns: Sequence[str]) -> tuple[dict[str, Any], LabelOptions]:
    """Columns of labels, a row for each kind of objects, and how much each weighs."""
    kinds = count_distinct_rows(data.frame, columns, data.weights, MAX_DISTINCT_ROWS)
    if kinds is None:
        raise InputError(
            f"the clusterings have more than {MAX_DISTINCT_ROWS} distinct rows of labels, too many "
            "to fetch; compare them in pairs, or fewer at a time."
        )
    refuse_missing_labels(kinds, columns)
    if data.noise == "singletons":
        kinds = spelt_out(kinds, columns, data.noise_label, weighted=data.weights is not None)
    read = {name: labels_of(kinds, i, name) for i, name in enumerate(columns)}
    label_options: LabelOptions = {
        "sample_weight": kinds.weights, "noise": data.noise, "noise_label": data.noise_label,
    }  # fmt: skip
    return read, label_options


def as_sides(clusterings: Any) -> dict[str, Side]:
    """Columns by the names of the clusterings: a list of columns, or a mapping to them."""
    if isinstance(clusterings, Mapping):
        return {str(name): side for name, side in clusterings.items()}
    if isinstance(clusterings, str) or not all(isinstance(one, str) for one in clusterings):
        raise InputError("name the columns of the frame that hold the clusterings, as a list.")
    return {name: name for name in clusterings}


def _column(eager: Any, side: Side) -> Any:
    if isinstance(side, str):
        return eager_column(eager, side)
    require_columns(eager, side)
    return eager.select(list(side)).to_native()
