"""Shared settings of the test run."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Compiling a kernel in the middle of an example is not a slow example.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# Tests whose names say so start a cluster of this engine.
_CLUSTERS = ("spark", "dask")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that start a cluster, and the experiments, as slow."""
    for item in items:
        starts_cluster = any(name in item.nodeid for name in _CLUSTERS)
        if starts_cluster or "tests/experiments/" in item.nodeid:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give tests whose names say Spark or Dask to one process each, so that it starts only once.

    Marks would do, but pytest-xdist 3.8 loses them under pytest 9.2 (its issue 1386).
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class ByCluster(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((name for name in _CLUSTERS if name in nodeid), nodeid)

    return ByCluster(config, log)


@pytest.fixture(scope="session", autouse=True)
def _stop_clusters() -> Iterator[None]:
    """Leave no cluster running that a test has started."""
    yield
    if "helpers.clusters" in sys.modules:
        sys.modules["helpers.clusters"].stop()
