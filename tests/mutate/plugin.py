"""A plugin of pytest: records how long tests take, and runs those that are chosen, in order."""

import json
import os
from pathlib import Path

import pytest

# Files that say where to write the durations, and what to run.
RECORD = "MUTATE_RECORD"
CHOICE = "MUTATE_CHOICE"

_durations: dict[str, float] = {}
_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _durations[report.nodeid] = _durations.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if RECORD in os.environ and not hasattr(session.config, "workerinput"):
        passed = {test: time for test, time in _durations.items() if test not in _failed}
        text = json.dumps({"passed": passed, "known": sorted(_durations)})
        Path(os.environ[RECORD]).write_text(text, encoding="utf-8")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that are chosen, and new ones: nobody knows yet what those run."""
    if CHOICE not in os.environ:
        return
    choice = json.loads(Path(os.environ[CHOICE]).read_text(encoding="utf-8"))
    places = {test: i for i, test in enumerate(choice["chosen"])}
    known = set(choice["known"])
    kept, left_out = [], []
    for item in items:
        new = item.nodeid not in known and item.get_closest_marker("slow") is None
        (kept if new or item.nodeid in places else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = sorted(kept, key=lambda item: places.get(item.nodeid, -1))
