"""Results as dataframes and as rows for JSON."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from clusterwise._utils.errors import InputError, MissingExtraError

_LIBRARIES = ("pandas", "polars", "pyarrow")


def to_frame(columns: dict[str, Any], library: str | None) -> Any:
    """Return a dataframe of ``library``, or of the first one that is installed."""
    if library is None:
        library = next((name for name in _LIBRARIES if find_spec(name)), None)
        if library is None:
            raise MissingExtraError(
                "to_frame needs a dataframe library; install pandas, polars or pyarrow."
            )
    elif library not in _LIBRARIES:
        raise InputError(f"library={library!r} is unknown; use 'pandas', 'polars' or 'pyarrow'.")
    import narwhals as nw

    return nw.from_dict(columns, backend=import_module(library)).to_native()


def json_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row that JSON can hold: values of other types become strings."""
    return {
        key: value if isinstance(value, str | int | float | bool) else str(value)
        for key, value in row.items()
    }
