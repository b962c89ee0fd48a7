"""Fixtures of the tests of reports."""

import pytest

from clusterwise.report.page import Plot
from clusterwise.report.svg import PlotRenderer


@pytest.fixture
def undrawn(monkeypatch):
    """Plots are not drawn, which takes longer than all the rest; their description is kept."""
    monkeypatch.setattr(PlotRenderer, "draw", lambda self, plot, what, caption: Plot(what, caption))
