"""Numba loops over plain arrays. Nothing here validates: callers do."""
