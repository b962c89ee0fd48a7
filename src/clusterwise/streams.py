"""Clusterings that change over time: windows of a stream, compared as they come."""

from collections import deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise.batches import Batch, joined, read_batch
from clusterwise.binning import Binning, Method
from clusterwise.errors import InputError
from clusterwise.pictures import display
from clusterwise.summaries.profile import DensityProfile
from clusterwise.windows import Names, Size, Span, WindowReport, WindowRule


class _Pane(NamedTuple):
    """Objects that every window holds all or none of."""

    start: int
    profile: DensityProfile


class _Run:
    """Panes one after the other, and their sum."""

    def __init__(self) -> None:
        self.panes: deque[_Pane] = deque()
        self.profile: DensityProfile | None = None

    def add(self, pane: _Pane) -> None:
        self.panes.append(pane)
        self.profile = pane.profile if self.profile is None else self.profile + pane.profile

    def take_before(self, start: int) -> list[_Pane]:
        """Take out the panes before this position."""
        taken = []
        while self.panes and self.panes[0].start < start:
            pane = self.panes.popleft()
            assert self.profile is not None
            self.profile = self.profile - pane.profile if self.panes else None
            taken.append(pane)
        return taken

    def copy(self) -> "_Run":
        copied = _Run()
        copied.panes, copied.profile = self.panes.copy(), self.profile
        return copied


class ClusteringStream:
    """Compare the windows of a stream of clustered objects, in memory that does not grow.

    Objects come in batches of any size, each with its features and the name of its cluster. A
    window holds the last ``window`` objects; every ``step`` objects there is a report: how alike
    is the clustering to that of the window one step before, and to a reference window; which
    clusters are new, gone, or matched; and whether this is a change or chance.

    What is kept of a window is its density profile. It is the sum of the profiles of a few
    panes: a step adds the objects that came and takes away those that left, so it costs what they
    cost, however long the window. Nothing else is kept, however long the stream.

    **The rule for drift.** A window is compared with the ``window`` objects right before it (not
    with the window one step before, which may hold the same objects) by
    :func:`clusterwise.drift.change_between`: ``report.drift`` is true where the p-value is at most
    ``alpha``. For independent objects a window raises a false alarm with
    probability ``alpha`` at most (``tests/test_drift.py`` measures it on stationary streams).
    Objects that come in bursts are not independent, and raise more. Overlapping windows
    raise their alarms in runs, since they share objects. Slow drift shows in
    ``report.reference_change``, the same test against the reference.

    Parameters
    ----------
    window : int or None
        Objects in a window. None makes every batch a window of its own, such as a day.
    step : int, optional
        Objects between the ends of two windows, at most ``window``, which is the default.
    binning : Binning or {"width", "frequency", "mdl", "nominal"}
        Bins of the attributes. A method, or a binning that is not fitted, is fitted on the first
        window, whose objects are kept until it is complete; later values that are out of its
        range are reported as ``outside``.
    n_bins : int
        Number of bins per attribute, if ``binning`` is a method.
    reference : "first" or DensityProfile
        What every window is compared with besides the one before: the first window, or a profile
        made earlier, whose binning is then used.
    size : {"as-is", "cosine", "sample"}
        What to do about windows of different size, such as the last one: "as-is" takes
        :func:`adco_score`, where a smaller window is less alike; "cosine" takes
        :func:`profile_cosine_score`, which does not look at sizes; "sample" takes a
        stratified sample of the larger window.
    names : {"kept", "fresh"}
        Whether a name means the same cluster throughout the stream. If every window
        is clustered afresh, names mean nothing: then births and deaths are clusters without a
        partner in the matching whose profile is alike (a cosine of 0.5 or more), and the rule for
        drift looks at the attributes of all objects together. Fresh names need windows that do not
        overlap.
    alpha : float
        The false-alarm rate that is accepted.
    random_state : int
        Seed of the samples that ``size="sample"`` draws.

    Examples
    --------
    A cluster appears in the third window:

    >>> import numpy as np
    >>> from clusterwise import ClusteringStream
    >>> rng = np.random.default_rng(0)
    >>> labels = np.arange(3000) % 2 + 2 * (np.arange(3000) >= 2000) * (np.arange(3000) % 4 == 0)
    >>> X = rng.normal(labels, 0.3)[:, None]
    >>> stream = ClusteringStream(window=1000)
    >>> for report in stream.run([(X, labels)]):
    ...     print(report.index, report.births, report.drift)
    0 () False
    1 () False
    2 (2,) True
    """

    def __init__(
        self,
        window: int | None = 1000,
        step: int | None = None,
        *,
        binning: Method | Binning = "width",
        n_bins: int = 10,
        reference: Literal["first"] | DensityProfile = "first",
        size: Size = "as-is",
        names: Names = "kept",
        alpha: float = 0.01,
        random_state: int = 0,
    ) -> None:
        self.window, self.step = _window_and_step(window, step)
        if names == "fresh" and window is not None and self.step != self.window:
            raise InputError(
                "names='fresh' needs windows that do not overlap; leave step out, or keep names."
            )
        self._rule = WindowRule(size, names, alpha, random_state)
        self._reference = reference if isinstance(reference, DensityProfile) else None
        if self._reference is None and not (isinstance(reference, str) and reference == "first"):
            raise InputError(f"reference={reference!r} is neither 'first' nor a DensityProfile.")
        self._chosen = binning if isinstance(binning, Binning) else Binning(binning, n_bins)
        self.binning = self._chosen if hasattr(self._chosen, "attributes") else None
        if self._reference is not None:
            if self.binning is not None and self.binning != self._reference.binning:
                raise InputError("binning differs from the binning of reference; leave one out.")
            self.binning = self._reference.binning
        self.n_seen = 0
        self.n_windows = 0
        self._waiting: list[Batch] = []
        self._pane: _Pane | None = None
        self._now, self._before = _Run(), _Run()
        self._previous: DensityProfile | None = None
        self._reference_stop = 0
        self._last_stop = 0
        self._finished = False

    def feed(self, X: Any, labels: Any) -> list[WindowReport]:
        """Take a batch of objects, and report on the windows that it completes.

        A batch that is refused leaves the stream as it was.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            Features of the objects, in the order in which they came; one object is one row.
        labels : array-like of shape (n,)
            The names of their clusters.

        Returns
        -------
        list of WindowReport
        """
        if self._finished:
            raise InputError("the stream is finished; start a new ClusteringStream.")
        batch = read_batch(X, labels)
        if not len(batch.labels):
            return []
        if self.binning is None and self.window is not None:
            held = sum(len(one.labels) for one in self._waiting) + len(batch.labels)
            if self._waiting:
                batch = batch.with_columns_of(self._waiting[0])
            if held < self.window:
                # Nobody could take back a batch that is found to be wrong only later.
                deepcopy(self._chosen).fit(batch.native, batch.labels)
                self._waiting.append(deepcopy(batch))
                return []
        return self._take([*self._waiting, batch])

    def finish(self) -> WindowReport | None:
        """End the stream, with a report on the objects that came after the last window.

        That window is shorter than the others; see ``size`` for what to make of it.
        """
        if self._waiting:
            self._take(self._waiting)
        last = None
        if self.n_seen > self._last_stop:
            self._end_pane()
            last = self._end_window()
        self._finished = True
        return last

    def run(self, batches: Iterable[tuple[Any, Any]]) -> Iterator[WindowReport]:
        """Feed ``(X, labels)`` batches one by one, then finish.

        Parameters
        ----------
        batches : iterable of (X, labels)
            See :meth:`feed`.

        Yields
        ------
        WindowReport
            As soon as the batch that completes its window is taken.
        """
        for X, labels in batches:
            yield from self.feed(X, labels)
        last = self.finish()
        if last is not None:
            yield last

    def plot(self, reports: Iterable[WindowReport], *, ax: Any = None, **options: Any) -> Any:
        """Draw the reports of this stream, which does not keep them, with the extra ``plots``.

        Parameters
        ----------
        reports : iterable of WindowReport
            Those that :meth:`run` or :meth:`feed` returned.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of :class:`clusterwise.plots.TimelineDisplay`. Clusters are followed by their
            names, or by their matches if every window is clustered afresh.

        Returns
        -------
        TimelineDisplay
            Drawn.
        """
        options.setdefault("follow", "matches" if self._rule.names == "fresh" else "names")
        return display("TimelineDisplay").from_reports(reports, **options).plot(ax=ax)

    def _take(self, batches: list[Batch]) -> list[WindowReport]:
        """All of the batches or, where one is refused, none of them."""
        saved = {**self.__dict__, "_now": self._now.copy(), "_before": self._before.copy()}
        try:
            batch = joined(batches)
            if self.binning is None:
                first = batch.slice(0, self.window)
                self.binning = deepcopy(self._chosen).fit(first.native, first.labels)
            self._waiting = []
            return list(self._add(batch, self.binning))
        except BaseException:
            self.__dict__.update(saved)
            raise

    def _add(self, batch: Batch, binning: Binning) -> Iterator[WindowReport]:
        at, size = 0, len(batch.labels)
        while at < size:
            until_cut = size - at if self.window is None else self._until_cut(self.window)
            part = batch.slice(at, at + until_cut)
            try:
                profile = DensityProfile.from_data(part.native, part.labels, binning=binning)
            except InputError:
                binning.bins(batch.native)  # its error names the position in the batch
                raise
            if self._pane is None:
                self._pane = _Pane(self.n_seen, profile)
            else:
                self._pane = _Pane(self._pane.start, self._pane.profile + profile)
            at += len(part.labels)
            self.n_seen += len(part.labels)
            if len(part.labels) == until_cut:
                self._end_pane()
                if self.window is None or self.n_seen == self.n_windows * self.step + self.window:
                    yield self._end_window()

    def _until_cut(self, window: int) -> int:
        """Objects until a window, or one of those right before a window, begins or ends."""
        cuts = (0, window % self.step, -window % self.step)
        return min((cut - self.n_seen - 1) % self.step + 1 for cut in cuts)

    def _end_pane(self) -> None:
        if self._pane is not None:
            self._now.add(self._pane)
            self._pane = None

    def _end_window(self) -> WindowReport:
        start, stop, now = self._now.panes[0].start, self.n_seen, self._now.profile
        assert now is not None
        begun = self.window is not None and start < self.window
        report = self._rule.report(
            Span(self.n_windows, start, stop),
            now,
            previous=self._previous,
            before=None if begun else self._before.profile,
            reference=self._reference,
            reference_is_apart=start >= self._reference_stop,
        )
        if self._reference is None:
            self._reference, self._reference_stop = now, stop
        self._previous, self._last_stop = now, stop
        self.n_windows += 1
        next_start = stop if self.window is None else self.n_windows * self.step
        for pane in self._now.take_before(next_start):
            self._before.add(pane)
        self._before.take_before(start if self.window is None else next_start - self.window)
        return report


def _window_and_step(window: int | None, step: int | None) -> tuple[int | None, int]:
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
