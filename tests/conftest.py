"""Shared settings of the test run."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Compiling a kernel in the middle of an example is not a slow example, and a few assumptions in
# turn that do not hold are no defect.
_LENIENT = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
for name, examples in {"quick": 10, "full": 100, "thorough": 2000}.items():
    settings.register_profile(name, parent=_LENIENT, max_examples=examples)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


# Tests whose names say so start a cluster of this engine.
_CLUSTERS = ("spark", "dask")
# Ibis repeats what DuckDB does.
_SLOW_ENGINES = (*_CLUSTERS, "ibis")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of slow engines, and the experiments, as slow."""
    for item in items:
        slow_engine = any(name in item.nodeid for name in _SLOW_ENGINES)
        if slow_engine or "tests/experiments/" in item.nodeid:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run the tests of one file, and all that start the same cluster, in one process.

    So a kernel is compiled and a cluster started in one process, not in each. Marks would do, but
    pytest-xdist 3.8 loses them under pytest 9.2 (its issue 1386).
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class ByFile(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((name for name in _CLUSTERS if name in nodeid), nodeid.split("::")[0])

    return ByFile(config, log)


@pytest.fixture(scope="session", autouse=True)
def _stop_clusters() -> Iterator[None]:
    """Leave no cluster running that a test has started."""
    yield
    if "helpers.clusters" in sys.modules:
        sys.modules["helpers.clusters"].stop()
