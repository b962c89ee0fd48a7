"""What tests and doctests share."""

import os
import sys
from collections.abc import Iterator

import pytest

# Pictures are drawn in memory, whatever screens there are.
os.environ["MPLBACKEND"] = "Agg"


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Leave no picture open: matplotlib warns when there are many."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
