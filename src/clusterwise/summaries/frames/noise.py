"""Treatment of noise labels in lazy frames."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise, as_integer_label, is_integer_label
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
        column = as_names(nw.col(f"c{index}"), selected.dtypes[index])
        noise = noise_condition(column, selected.dtypes[index], noise_label)
        if noise is not None:
            frame = frame.filter(~noise | column.is_null())
    return replace(selected, frame=frame)


def noise_condition(column: Any, dtype: Any, noise_label: Any) -> Any:
    """Return the expression that a label is noise; None for labels of another type."""
    import narwhals.stable.v2 as nw

    noise_label = as_integer_label(noise_label)
    if isinstance(dtype, nw.Boolean) and noise_label in (0, 1):
        return column == bool(noise_label)
    if isinstance(dtype, nw.String | nw.Categorical | nw.Enum) and is_integer_label(noise_label):
        return column == str(noise_label)
    if dtype.is_numeric() != isinstance(noise_label, int | float | np.number):
        return None
    return column == noise_label


def drop_noise_rows(frame: Any, columns: Sequence[str], noise_label: Any) -> Any:
    """Return the native lazy frame without rows that one of these columns labels as noise."""
    names = column_names(frame)
    selected = select_columns(frame, names)
    left = drop_noise(selected, [names.index(name) for name in columns], noise_label).frame
    return left.rename({f"c{i}": name for i, name in enumerate(names)}).to_native()
