"""Batches of a stream: objects in the order in which they came, of any kind of table."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.clusterings import as_clustering
from clusterwise.encoding import Array, as_names, name_list
from clusterwise.errors import InputError
from clusterwise.features import read_features


class Batch(NamedTuple):
    """Objects in the order in which they came."""

    X: Any
    labels: Array

    def slice(self, start: int, stop: int | None) -> "Batch":
        """Some of the objects."""
        return Batch(self.X[start:stop], self.labels[start:stop])

    def with_columns_of(self, first: "Batch") -> "Batch":
        """The same columns in the same order, or an error."""
        names, ours = (read_features(batch.native).names for batch in (first, self))
        if set(names) != set(ours):
            raise InputError(
                f"X has the columns {', '.join(ours)}, but the batch before had "
                f"{', '.join(names)}; pass the same ones."
            )
        return self if names == ours else Batch(self.X.select(names), self.labels)

    @property
    def native(self) -> Any:
        """X as the library that it came from has it."""
        return self.X.to_native() if _is_frame(self.X) else self.X


def read_batch(X: Any, labels: Any) -> Batch:
    """Features that can be sliced by rows, and a name per object."""
    if not isinstance(X, np.ndarray | list):
        import narwhals as nw

        X = nw.from_native(X, eager_only=True, pass_through=True)
        if not isinstance(X, nw.DataFrame):
            X = np.asarray(X)
    codes = as_clustering(labels).codes
    names = codes.names_at(codes.positions())
    if len(X) != names.size:
        raise InputError(f"X has {len(X)} rows for {names.size} labels; pass one label per row.")
    return Batch(X, names)


def joined(batches: list[Batch]) -> Batch:
    """Batches one behind the other."""
    if len(batches) == 1:
        return batches[0]
    parts = [batch.X for batch in batches]
    X: Any
    if all(isinstance(part, np.ndarray) for part in parts):
        X = np.concatenate(parts)
    elif all(map(_is_frame, parts)):
        X = _joined_frames(parts)
    else:
        X = [row for part in parts for row in (part.rows() if _is_frame(part) else part)]
    return Batch(X, as_names([name for batch in batches for name in name_list(batch.labels)]))


def _joined_frames(frames: list[Any]) -> Any:
    import narwhals as nw

    try:
        return nw.concat(frames)
    except Exception as error:  # each library has its own
        raise InputError(
            "the batches of the first window are frames that do not go together "
            f"({error}); give their columns the same types."
        ) from error


def _is_frame(X: Any) -> bool:
    return hasattr(X, "to_native")
