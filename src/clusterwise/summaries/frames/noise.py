"""Treatment of noise labels in lazy frames."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.frames import SelectedColumns, as_names, column_names, select_columns


def check_noise(noise: Noise) -> None:
    """Refuse treatments of noise that engines cannot compute."""
    if noise == "singletons":
        raise InputError(
            "noise='singletons' makes a cluster of each object, which the engine cannot count; "
            "use 'cluster' or 'drop', or collect the frame first."
        )


def drop_noise(
    selected: SelectedColumns, indices: Iterable[int], noise_label: Any
) -> SelectedColumns:
    """Drop rows that one of these columns labels as noise; rows without a label stay."""
    import narwhals.stable.v2 as nw

    frame = selected.frame
    for index in indices:
        dtype, label = selected.dtypes[index], noise_label
        if isinstance(dtype, nw.Boolean) and label in (0, 1):
            label = bool(label)
        elif dtype.is_numeric() != isinstance(label, int | float | np.number):
            continue  # labels of another type than the noise label
        column = as_names(nw.col(f"c{index}"), dtype)
        frame = frame.filter((column != label) | column.is_null())
    return replace(selected, frame=frame)


def drop_noise_rows(frame: Any, columns: Sequence[str], noise_label: Any) -> Any:
    """Return the native lazy frame without rows that one of these columns labels as noise."""
    names = column_names(frame)
    selected = select_columns(frame, names)
    left = drop_noise(selected, [names.index(name) for name in columns], noise_label).frame
    return left.rename({f"c{i}": name for i, name in enumerate(names)}).to_native()
