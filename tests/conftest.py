"""Shared settings of the test run."""

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Compiling a kernel in the middle of an example is not a slow example.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", autouse=True)
def _stop_clusters() -> Iterator[None]:
    """Leave no cluster running that a test has started."""
    yield
    if "clusters" in sys.modules:
        sys.modules["clusters"].stop()
