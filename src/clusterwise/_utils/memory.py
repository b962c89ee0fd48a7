"""The memory of the machine, and tables of all pairs that do not fit into it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError

# Files with the limit of a container on Linux, of both versions of control groups.
_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
_GIB = 2**30


def machine_memory() -> int | None:
    """Return the bytes of memory of the machine or container; None if they are not known."""
    limits = []
    with suppress(AttributeError, OSError, ValueError):  # not known on this system
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in _CONTAINER_LIMITS:
        with suppress(OSError, ValueError):  # no such file, or no limit
            limits.append(int(Path(path).read_text()))
    return min(limits, default=None)


def check_table(n: int, remedy: str, *, dtype: Any = np.float64, tables: int = 1) -> None:
    """Raise an error if tables of n × n do not fit into memory.

    The system may allocate more memory than it has, and kill the process once it is used.
    """
    memory = machine_memory()
    if memory is not None and tables * n**2 * np.dtype(dtype).itemsize > memory:
        raise table_too_large(n, remedy, dtype=dtype, tables=tables)


def allocate_table(n: int, dtype: Any, remedy: str) -> Any:
    """Return an empty table of n × n, or raise an error if it does not fit into memory."""
    check_table(n, remedy, dtype=dtype)
    try:
        return np.empty((n, n), dtype)
    except MemoryError:
        raise table_too_large(n, remedy, dtype=dtype) from None


def table_too_large(n: int, remedy: str, *, dtype: Any = np.float64, tables: int = 1) -> InputError:
    """Return the error for a table of n × n distances that does not fit into memory."""
    size = tables * n**2 * np.dtype(dtype).itemsize / _GIB
    return InputError(
        f"the distances of {n} objects need {size:.3g} GiB, more than the machine's memory; "
        f"{remedy}."
    )
