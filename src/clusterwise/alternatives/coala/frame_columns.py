"""Objects and given clusterings that are columns of one frame."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.lattice_cells import Cells, find_cells
from clusterwise.alternatives.given import Given, read_given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import as_eager, as_lazy, column_names, require_columns


class Columns(NamedTuple):
    """Names of columns: of given clusterings, and of features."""

    given: list[str]
    features: list[str]


def name_columns(frame: Any, y: Any, features: Sequence[str] | None) -> Columns:
    """The columns that are meant: all others are features by default."""
    names = [] if y is None else [y] if isinstance(y, str) else y
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(
            "the given clusterings of a lazy frame stay in its engine; pass as y the name of their "
            "column, or a list of names."
        )
    if features is None:
        features = [name for name in column_names(frame) if name not in names]
    if isinstance(features, str) or not features:
        raise InputError("name the columns of the features as a list of texts.")
    return Columns(list(names), list(features))


def take_columns(X: Any, y: Any, features: Sequence[str] | None) -> tuple[Any, Any]:
    """Objects and given clusterings in memory, where these are columns of the frame ``X``."""
    if not isinstance(y, str) and features is None:
        return X, y
    eager = as_eager(X)
    if eager is None:
        raise InputError(
            f"X is a {type(X).__name__}, which has no columns with names; pass a frame, or y as "
            "labels and X without features."
        )
    columns = name_columns(eager, y, features)
    require_columns(eager, [*columns.given, *columns.features])
    given = eager.select(columns.given).to_native() if columns.given else None
    return eager.select(columns.features).to_native(), given


def take_features(X: Any, names: Sequence[str] | None) -> Array:
    """Objects in memory as numbers; of a frame the columns with these names, if any are known."""
    if as_lazy(X) is not None:
        raise InputError(
            "X is a lazy frame, but objects are predicted in memory; pass its parts, as "
            "map_partitions of Dask and mapInPandas of Spark do."
        )
    eager = None if names is None else as_eager(X)
    if eager is not None and names is not None:
        require_columns(eager, list(names))
        X = eager.select(list(names)).to_numpy()
    return np.asarray(check_array(X, dtype=np.float64, ensure_min_samples=0))


def read_cells(frame: Any, columns: Columns, prototypes: int | None) -> tuple[Cells, Given | None]:
    """The micro-clusters of a lazy frame, and the given clusters that they are in."""
    if prototypes is None:
        raise InputError(
            "X is a lazy frame, whose objects stay in its engine; pass prototypes=300, say, which "
            "stand for them, or collect it first."
        )
    if not isinstance(prototypes, int | np.integer) or prototypes < 1:
        raise InputError(f"prototypes={prototypes!r}; use a whole number of at least 1.")
    cells = find_cells(frame, columns.given, columns.features, int(prototypes))
    given = None
    if cells.labels is not None:
        named = dict(zip(cells.labels.columns, columns.given, strict=True))
        given = read_given(cells.labels.rename(named).to_native(), len(cells.counts))
    return cells, given
