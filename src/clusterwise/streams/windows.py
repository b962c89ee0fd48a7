"""Windows put together from panes: what comes is added, what leaves is taken away."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning
from clusterwise.streams.batches import Batch, joined
from clusterwise.streams.panes import Pane, PaneRun
from clusterwise.streams.window_report import Span, WindowReport, WindowRule
from clusterwise.summaries.profile.profile import DensityProfile


@dataclass
class Windowing:
    """All that is known of a stream's objects; see :class:`clusterwise.ClusteringStream`.

    ``waiting`` are the first objects, until there is a window on which ``chosen`` can be fitted to
    become ``binning``. ``n`` objects are counted, ``n_windows`` windows reported. ``now`` are the
    panes of the next window, ``before`` those right before it, ``pane`` is the one being filled.
    """

    window: int | None
    step: int
    rule: WindowRule
    chosen: Binning
    binning: Binning | None
    reference: DensityProfile | None
    reference_stop: int = 0
    waiting: list[Batch] = field(default_factory=list)
    n: int = 0
    n_windows: int = 0
    last_stop: int = 0
    pane: Pane | None = None
    now: PaneRun = field(default_factory=PaneRun)
    before: PaneRun = field(default_factory=PaneRun)
    previous: DensityProfile | None = None

    @property
    def n_seen(self) -> int:
        """Objects, counted or waiting."""
        return self.n + sum(len(batch.labels) for batch in self.waiting)

    def feed(self, batch: Batch) -> list[WindowReport]:
        """Take objects, and report on the windows that they complete."""
        if not len(batch.labels):
            return []
        if self.binning is None and self.window is not None:
            if self.waiting:
                batch = batch.with_columns_of(self.waiting[0])
            if self.n_seen + len(batch.labels) < self.window:
                # Nobody could take back a batch that is found to be wrong only later.
                deepcopy(self.chosen).fit(batch.X, batch.labels)
                self.waiting.append(batch.kept())
                return []
        return self._take([*self.waiting, batch])

    def finish(self) -> WindowReport | None:
        """A report on the objects that came after the last window, if there are any."""
        if self.waiting:
            self._take(self.waiting)
        if self.n == self.last_stop:
            return None
        self._end_pane()
        return self._end_window()

    def _take(self, batches: list[Batch]) -> list[WindowReport]:
        """All of the batches or, where one is refused, none of them."""
        saved = replace(self, now=self.now.copy(), before=self.before.copy())
        try:
            batch = joined(batches)
            if self.binning is None:
                first = batch.slice(0, self.window)
                self.binning = deepcopy(self.chosen).fit(first.X, first.labels)
            self.waiting = []
            return list(self._add(batch, self.binning))
        except BaseException:
            self.__dict__.update(saved.__dict__)
            raise

    def _add(self, batch: Batch, binning: Binning) -> Iterator[WindowReport]:
        at, size = 0, len(batch.labels)
        while at < size:
            until_cut = size - at if self.window is None else self._until_cut(self.window)
            part = batch.slice(at, at + until_cut)
            try:
                profile = DensityProfile.from_data(part.X, part.labels, binning=binning)
            except InputError:
                binning.bins(batch.X)  # its error names the position in the batch
                raise
            if self.pane is None:
                self.pane = Pane(self.n, profile)
            else:
                self.pane = Pane(self.pane.start, self.pane.profile + profile)
            at += len(part.labels)
            self.n += len(part.labels)
            if len(part.labels) == until_cut:
                self._end_pane()
                if self.window is None or self.n == self.n_windows * self.step + self.window:
                    yield self._end_window()

    def _until_cut(self, window: int) -> int:
        """Objects until a window, or one of those right before a window, begins or ends."""
        cuts = (0, window % self.step, -window % self.step)
        return min((cut - self.n - 1) % self.step + 1 for cut in cuts)

    def _end_pane(self) -> None:
        if self.pane is not None:
            self.now.add(self.pane)
            self.pane = None

    def _end_window(self) -> WindowReport:
        start, stop, now = self.now.panes[0].start, self.n, self.now.profile
        assert now is not None
        begun = self.window is not None and start < self.window
        report = self.rule.report(
            Span(self.n_windows, start, stop),
            now,
            previous=self.previous,
            before=None if begun else self.before.profile,
            reference=self.reference,
            reference_is_apart=start >= self.reference_stop,
        )
        if self.reference is None:
            self.reference, self.reference_stop = now, stop
        self.previous, self.last_stop = now, stop
        self.n_windows += 1
        next_start = stop if self.window is None else self.n_windows * self.step
        for pane in self.now.take_before(next_start):
            self.before.add(pane)
        self.before.take_before(start if self.window is None else next_start - self.window)
        return report


def window_and_step(window: int | None, step: int | None) -> tuple[int | None, int]:
    """Numbers of objects, checked; a window of None has a step of 0."""
    if window is None:
        if step is not None:
            raise InputError("step needs a window; with window=None every batch is a window.")
        return None, 0
    for name, value in (("window", window), ("step", window if step is None else step)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise InputError(f"{name}={value!r} is no number of objects; pass 1 or more.")
    step = window if step is None else step
    if step > window:
        raise InputError(
            f"step={step} is more than window={window}, so objects would be in no window; pass "
            f"{window} at most."
        )
    return int(window), int(step)
