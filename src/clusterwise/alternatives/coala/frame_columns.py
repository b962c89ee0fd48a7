"""Features and given clusterings of COALA that are columns of a frame."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.lattice_cells import LatticeCells, find_cells
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.named_columns import FrameColumns
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import fill_masked
from clusterwise.inputs.frames import as_eager, as_lazy, require_columns


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
    return np.asarray(check_array(fill_masked(X), dtype=np.float64, ensure_min_samples=0))


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
