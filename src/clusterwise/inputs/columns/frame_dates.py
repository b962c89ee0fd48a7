"""Columns of dates in frames."""

from typing import Any

from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import as_eager


def is_date(dtype: Any) -> bool:
    """Return whether a narwhals type is that of dates, with or without time."""
    import narwhals as nw

    return isinstance(dtype, nw.Date | nw.Datetime)


def as_days(series: Any) -> Array:
    """Return a narwhals series of dates as days since 1970-01-01 (UTC), NaN if missing."""
    import narwhals as nw

    moments = series.cast(nw.Datetime("us")) if isinstance(series.dtype, nw.Date) else series
    return moments.dt.timestamp("us").cast(nw.Float64).to_numpy() / 86_400e6


def date_columns(X: Any) -> list[str]:
    """Return the names of the columns of a frame that are dates; none of other objects."""
    frame = as_eager(X)
    if frame is None or len(set(map(str, frame.columns))) < len(frame.columns):
        return []  # repeated names are refused where the frame is read
    return [name for name, dtype in frame.schema.items() if is_date(dtype)]


def dates_as_days(X: Any) -> Any:
    """Return a frame with days since 1970-01-01 in place of dates; other objects as they are."""
    import narwhals.stable.v2 as nw

    names = date_columns(X)
    if not names:
        return X
    frame = as_eager(X)
    days = [
        nw.new_series(
            name, as_days(frame.get_column(name)), nw.Float64, backend=frame.implementation
        )
        for name in names
    ]
    return frame.with_columns(*days).to_native()
