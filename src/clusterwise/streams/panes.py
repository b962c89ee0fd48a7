"""Parts of a stream that windows are put together from."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from clusterwise.summaries.profile.profile import DensityProfile


class Pane(NamedTuple):
    """Objects that every window holds all or none of."""

    start: int
    profile: DensityProfile


class PaneRun:
    """Panes one after the other, and their sum."""

    def __init__(self, panes: Iterable[Pane] = (), profile: DensityProfile | None = None) -> None:
        self.panes = deque(panes)
        self.profile = profile

    def add(self, pane: Pane) -> None:
        """Put a pane at the end."""
        self.panes.append(pane)
        self.profile = pane.profile if self.profile is None else self.profile + pane.profile

    def take_before(self, start: int) -> list[Pane]:
        """Take out the panes before this position."""
        taken = []
        while self.panes and self.panes[0].start < start:
            pane = self.panes.popleft()
            assert self.profile is not None
            self.profile = self.profile - pane.profile if self.panes else None
            taken.append(pane)
        return taken

    def copy(self) -> "PaneRun":
        """Another run of the same panes."""
        return PaneRun(self.panes, self.profile)
