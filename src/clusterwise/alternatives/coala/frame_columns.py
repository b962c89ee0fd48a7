"""Features and given clusterings that are columns of one frame."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.lattice_cells import LatticeCells, find_cells
from clusterwise.alternatives.given import Given, read_given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import as_eager, as_lazy, column_names, require_columns


class FrameColumns(NamedTuple):
    """The names of the columns of given clusterings and of features."""

    given: list[str]
    features: list[str]


def resolve_columns(frame: Any, y: Any, features: Sequence[str] | None) -> FrameColumns:
    """Return the columns of given clusterings and features, by default all others."""
    names = [] if y is None else [y] if isinstance(y, str) else y
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(
            "the given clusterings of a lazy frame are columns of it; pass as y the name of the "
            "column, or a list of names."
        )
    if features is None:
        features = [name for name in column_names(frame) if name not in names]
    if not features:
        raise InputError("features must be a list of column names; pass at least one.")
    return FrameColumns(list(names), list(features))


def select_objects_and_given(X: Any, y: Any, features: Sequence[str] | None) -> tuple[Any, Any]:
    """Select features and given clusterings, if ``y`` or ``features`` name columns of ``X``."""
    if not isinstance(y, str) and features is None:
        return X, y
    eager = as_eager(X)
    if eager is None:
        raise InputError(
            f"X is a {type(X).__name__}, which has no named columns; pass a frame, or y as labels "
            "and no features."
        )
    columns = resolve_columns(eager, y, features)
    require_columns(eager, [*columns.given, *columns.features])
    given = eager.select(columns.given).to_native() if columns.given else None
    return eager.select(columns.features).to_native(), given


def select_feature_values(X: Any, names: Sequence[str] | None) -> Array:
    """Return objects in memory as an array; of a frame these columns, if names are known."""
    if as_lazy(X) is not None:
        raise InputError(
            "X is a lazy frame, but predict works in memory; pass its partitions, as "
            "map_partitions of Dask and mapInPandas of Spark do."
        )
    eager = None if names is None else as_eager(X)
    if eager is not None and names is not None:
        require_columns(eager, list(names))
        X = eager.select(list(names)).to_numpy()
    return np.asarray(check_array(X, dtype=np.float64, ensure_min_samples=0))


def read_cells(
    frame: Any, columns: FrameColumns, prototypes: int | None
) -> tuple[LatticeCells, Given | None]:
    """Return the cells of a lazy frame, and the given clusters that they are in."""
    if prototypes is None:
        raise InputError(
            "X is a lazy frame, of which only prototypes can be clustered; pass prototypes, such "
            "as prototypes=300, or collect it first."
        )
    cells = find_cells(frame, columns.given, columns.features, int(prototypes))
    given = None
    if cells.labels is not None:
        named = dict(zip(cells.labels.columns, columns.given, strict=True))
        given = read_given(cells.labels.rename(named).to_native(), len(cells.counts))
    return cells, given
