"""Columns of dates in frames."""

from typing import Any

from clusterwise.inputs.encoding import Array


def is_date(dtype: Any) -> bool:
    """Return whether a narwhals type is that of dates, with or without time."""
    import narwhals as nw

    return isinstance(dtype, nw.Date | nw.Datetime)


def as_days(series: Any) -> Array:
    """Return a narwhals series of dates as days since 1970-01-01 (UTC), NaN if missing."""
    import narwhals as nw

    moments = series.cast(nw.Datetime("us")) if isinstance(series.dtype, nw.Date) else series
    return moments.dt.timestamp("us").cast(nw.Float64).to_numpy() / 86_400e6
