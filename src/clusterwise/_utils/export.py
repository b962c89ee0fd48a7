"""Results as a frame of the caller's own dataframe library."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from clusterwise._utils.errors import InputError, MissingExtraError

_LIBRARIES = ("pandas", "polars", "pyarrow")


def to_frame(columns: dict[str, Any], library: str | None) -> Any:
    """A frame of ``library``, or of the first dataframe library that is installed."""
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


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row ready for JSON: names that it does not know become texts."""
    return {
        key: value if isinstance(value, str | int | float | bool) else str(value)
        for key, value in row.items()
    }
