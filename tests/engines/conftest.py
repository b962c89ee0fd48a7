"""Every test here runs on every engine, or on all that compute only when asked."""

import pytest

from engine_frames import ENGINES, LAZY


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=LAZY)
def lazy_engine(request: pytest.FixtureRequest) -> str:
    return request.param
