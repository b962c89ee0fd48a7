"""Tests here run on every engine, on those in memory, or on those that compute when asked."""

import pytest

from helpers.engine_frames import EAGER, ENGINES, LAZY


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=LAZY)
def lazy_engine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=EAGER)
def eager_engine(request: pytest.FixtureRequest) -> str:
    return request.param
