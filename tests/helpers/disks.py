"""Disks that take no more."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def file_size_limit(n_bytes: int) -> Iterator[None]:
    """Let the system refuse files that are larger, in the middle of writing."""
    resource = pytest.importorskip("resource", reason="limits on file size are a Unix affair")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def full_device() -> Path:
    """A device that is always full."""
    path = Path("/dev/full")
    if not path.exists():
        pytest.skip("this system has no device that is always full")
    return path
