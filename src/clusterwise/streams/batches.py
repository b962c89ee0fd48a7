"""Batches of a stream: objects in order of arrival, from arrays or frames."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.inputs.clusterings import as_hard_clustering
from clusterwise.inputs.encoding import Array, as_names, name_list
from clusterwise.inputs.features import Column, Features, has_rows, read_features, take_rows


class Batch(NamedTuple):
    """Objects in order of arrival."""

    X: Any
    labels: Array

    def slice(self, start: int, stop: int | None) -> "Batch":
        """Return some of the objects."""
        return Batch(take_rows(self.X, slice(start, stop)), self.labels[start:stop])

    def copy(self) -> "Batch":
        """Return a copy without a dataframe library, to be concatenated or saved."""
        read = read_features(self.X)
        if read.matrix is not None:
            features = replace(read, matrix=np.array(read.matrix))
        else:
            features = replace(read, _columns=[_copy_column(column) for column in read.columns])
        return Batch(features, self.labels.copy())

    def align_columns(self, first: "Batch") -> "Batch":
        """Return the batch with its columns in the order of another one."""
        ours, names = read_features(self.X), read_features(first.X).names
        if set(names) != set(ours.names):
            raise InputError(
                f"X has the columns {', '.join(ours.names)}, but the previous batch had "
                f"{', '.join(names)}; pass the same columns."
            )
        return self if names == ours.names else Batch(ours.select(names), self.labels)


def read_batch(X: Any, labels: Any, features: str | Sequence[str] | None = None) -> Batch:
    """Read features, which can be sliced by rows, and a label per object.

    ``labels`` may be the name of a column of X; the other columns, or those listed in
    ``features``, are then the features.
    """
    frame = None if isinstance(X, np.ndarray | list | tuple) else _as_frame(X)
    features = [features] if isinstance(features, str) else features
    where = "labels"
    if isinstance(labels, str):
        if frame is None:
            raise InputError(
                f"labels={labels!r} is the name of a column, but X is {type_words(X)}; pass a "
                "frame, or the labels themselves."
            )
        where = f"column {labels!r} of X"
        column = _select(frame, [labels])
        if features is None:
            features = [name for name in frame.columns if name != labels]
        if not features:
            raise InputError(f"X has no features beside {labels!r}; pass at least one column.")
        labels = column.get_column(labels).to_native()
    if features is not None:
        if frame is None:
            raise InputError(
                f"features lists columns, but X is {type_words(X)}; pass a frame, or leave it out."
            )
        frame = _select(frame, features)
    X = _as_rows(X) if frame is None else frame.to_native()
    codes = as_hard_clustering(labels, where).codes
    names = codes.names_at(codes.positions())
    if len(X) != names.size:
        raise InputError(f"X has {len(X)} rows for {names.size} labels; pass one label per row.")
    return Batch(X, names)


def _as_rows(X: Any) -> Any:
    if not has_rows(X):
        read_features(X)  # raises
    return X if isinstance(X, np.ndarray | list) else np.asarray(X)


def unpack_batch(batch: Any) -> tuple[Any, Any]:
    """Return the features and the labels of a pair."""
    if not isinstance(batch, tuple | list) or len(batch) != 2:
        raise InputError(
            f"a batch is {type_words(batch)}, not a pair (X, labels); pass pairs, or frames "
            "and labels='…', the name of the label column."
        )
    return batch[0], batch[1]


def concatenate(batches: list[Batch]) -> Batch:
    """Return the objects of all batches as one batch."""
    if len(batches) == 1:
        return batches[0]
    parts = [read_features(batch.X) for batch in batches]
    labels = _concatenate_labels([batch.labels for batch in batches])
    matrices = [part.matrix for part in parts if part.matrix is not None]
    if len(matrices) == len(parts):
        return Batch(np.concatenate(matrices), labels)
    strict = any(part.labelled for part in parts)
    columns = [
        _concatenate_column(list(same), strict=strict)
        for same in zip(*(part.columns for part in parts), strict=True)
    ]
    names = [column.name for column in columns]
    return Batch(Features(labels.size, names, None, strict, columns), labels)


def _concatenate_labels(parts: list[Array]) -> Array:
    if len({part.dtype.kind for part in parts}) == 1 and parts[0].dtype != object:
        return np.concatenate(parts)
    return as_names([name for part in parts for name in name_list(part)])


def _as_frame(X: Any) -> Any:
    """Return a narwhals frame; None if X is not a frame."""
    import narwhals as nw

    if hasattr(X, "collect"):
        raise InputError("X is a lazy frame; collect it first.")
    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            return frame
        if hasattr(X, "column_names") and hasattr(X, "__arrow_c_stream__"):  # a record batch
            return nw.from_arrow(X, backend="pyarrow")
    except nw.exceptions.DuplicateError as error:
        raise InputError("X has two columns with the same name; rename one.") from error
    return None


def _select(frame: Any, names: Sequence[str]) -> Any:
    for name in names:
        if name not in frame.columns:
            raise InputError(f"X has no column {name!r}; it has {', '.join(frame.columns)}.")
    return frame.select(list(names))


def _copy_column(column: Column) -> Column:
    if column.kind == "numeric":
        return replace(column, data=np.array(column.numbers()))
    codes, values = column.categories()
    every = np.fromiter([*values, None], object, len(values) + 1)  # code -1: None
    return replace(column, data=every[codes])


def _concatenate_column(parts: list[Column], *, strict: bool) -> Column:
    """Return a numeric column, or a categorical one if any part has categories."""
    name = parts[0].name
    copies = [_copy_column(part) for part in parts]
    categorical = [
        part.kind == "nominal" and any(one is not None for one in part.data) for part in copies
    ]
    if not any(categorical):
        numbers = [
            part.data if part.kind == "numeric" else np.full(len(part.data), np.nan)
            for part in copies
        ]
        if any(part.kind == "numeric" for part in copies):
            date = any(part.date for part in parts)
            return Column(name, np.concatenate(numbers), "numeric", date)
    elif strict and any(
        part.kind == "numeric" and not np.isnan(part.data).all() for part in copies
    ):
        raise InputError(
            f"column {name!r} is numeric in some batches of the first window and categorical in "
            "others; convert it to one type."
        )
    return Column(name, np.concatenate([part.data.astype(object) for part in copies]), "nominal")
