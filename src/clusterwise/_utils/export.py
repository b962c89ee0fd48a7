"""Results as dataframes and as rows for JSON."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any

from clusterwise._utils.errors import InputError, MissingExtraError

_LIBRARIES = ("pandas", "polars", "pyarrow")


def to_frame(
    columns: dict[str, Any],
    library: str | None,
    *,
    index: Any = None,
    index_name: str | None = None,
) -> Any:
    """Return a data frame of ``library``, or of the first one that is installed.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns by name.
    library : {"pandas", "polars", "pyarrow"} or None
        The dataframe library.
    index : sequence or pandas index, optional
        The index of the rows, for pandas. The other libraries have no index: there it becomes
        the first column if ``index_name`` is given, and is left out otherwise.
    index_name : str, optional
        The name of the index; by default that of ``index`` itself.
    """
    if library is None:
        library = next((name for name in _LIBRARIES if find_spec(name)), None)
        if library is None:
            raise MissingExtraError(
                "to_frame needs a dataframe library; install pandas, polars or pyarrow."
            )
    elif library not in _LIBRARIES:
        raise InputError(f"library={library!r} is unknown; use 'pandas', 'polars' or 'pyarrow'.")
    import narwhals as nw

    if index is not None and library != "pandas" and index_name is not None:
        columns = {index_name: list(index), **columns}
    frame = nw.from_dict(columns, backend=import_module(library)).to_native()
    if index is not None and library == "pandas":
        frame = frame.set_axis(index, axis="index")
        return frame if index_name is None else frame.rename_axis(index_name)
    return frame


def finite_or_none(value: float) -> float | None:
    """Return a number, or None for infinity and NaN, which JSON does not have."""
    return value if isfinite(value) else None


def json_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Convert values that JSON cannot represent to strings."""
    return {
        key: value if isinstance(value, str | int | float | bool) else str(value)
        for key, value in row.items()
    }
