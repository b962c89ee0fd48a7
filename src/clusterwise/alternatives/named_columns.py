"""Features and given clusterings that are columns of one frame."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.inputs.frames import as_eager, column_names, require_columns


class FrameColumns(NamedTuple):
    """The names of the columns of given clusterings and of features."""

    given: list[str]
    features: list[str]


def resolve_columns(
    frame: Any, given: Any, features: Sequence[str] | None, parameter: str = "y"
) -> FrameColumns:
    """Return the columns of given clusterings and features, by default all others.

    ``parameter`` is the name of the caller's parameter of given clusterings.
    """
    names = [] if given is None else [given] if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"the given clusterings of a lazy frame are columns of it; pass as {parameter} the "
            "name of the column, or a list of names."
        )
    if features is None:
        features = [name for name in column_names(frame) if name not in names]
    if not features:
        raise InputError("features must be a list of column names; pass at least one.")
    return FrameColumns(list(names), list(features))


def select_objects_and_given(
    X: Any, given: Any, features: Sequence[str] | None, parameter: str = "y"
) -> tuple[Any, Any]:
    """Select features and given clusterings, if their names are those of columns of ``X``."""
    if not isinstance(given, str) and features is None:
        return X, given
    eager = as_eager(X)
    if eager is None:
        raise InputError(
            f"X is {type_words(X)}, which has no named columns; pass a frame, or {parameter} as "
            "labels and no features."
        )
    columns = resolve_columns(eager, given, features, parameter)
    require_columns(eager, [*columns.given, *columns.features])
    chosen = eager.select(columns.given).to_native() if columns.given else None
    return eager.select(columns.features).to_native(), chosen
