"""Sliding windows as sums of blocks of objects: new blocks are added, old ones subtracted."""

from collections import deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning
from clusterwise.streams.batches import Batch, concatenate
from clusterwise.streams.window_counts import WindowCounts
from clusterwise.streams.window_report import Span, WindowReport, WindowRule


class Block(NamedTuple):
    """Consecutive objects, which a window contains either all or none of."""

    start: int
    counts: WindowCounts


class BlockRun:
    """Consecutive blocks, and the sum of their counts."""

    def __init__(self, blocks: Iterable[Block] = (), counts: WindowCounts | None = None) -> None:
        self.blocks = deque(blocks)
        self.counts = counts

    def add(self, block: Block) -> None:
        """Append a block."""
        self.blocks.append(block)
        self.counts = block.counts if self.counts is None else self.counts + block.counts

    def remove_before(self, start: int) -> list[Block]:
        """Remove and return the blocks that start before this position."""
        removed = []
        while self.blocks and self.blocks[0].start < start:
            block = self.blocks.popleft()
            assert self.counts is not None
            self.counts = self.counts - block.counts if self.blocks else None
            removed.append(block)
        return removed

    def copy(self) -> "BlockRun":
        """Return a copy with the same blocks."""
        return BlockRun(self.blocks, self.counts)


@dataclass
class Windowing:
    """The state of a stream's windows; see :class:`clusterwise.ClusteringStream`.

    ``waiting`` are the first batches, until the first window is complete and ``unfitted`` can be
    fitted on it to become ``binning``. ``n`` objects are counted and ``n_windows`` windows
    reported. ``now`` are the blocks of the next window, ``before`` those right before it, and
    ``block`` is the one being filled.
    """

    window: int | None
    step: int
    rule: WindowRule
    unfitted: Binning
    binning: Binning | None
    reference: WindowCounts | None
    reference_stop: int = 0
    waiting: list[Batch] = field(default_factory=list)
    n: int = 0
    n_windows: int = 0
    last_stop: int = 0
    block: Block | None = None
    now: BlockRun = field(default_factory=BlockRun)
    before: BlockRun = field(default_factory=BlockRun)
    previous: WindowCounts | None = None

    @property
    def n_seen(self) -> int:
        """The number of objects, counted or waiting."""
        return self.n + sum(len(batch.labels) for batch in self.waiting)

    def feed(self, batch: Batch) -> list[WindowReport]:
        """Add objects, and return reports of the windows that they complete."""
        if not len(batch.labels):
            return []
        if self.binning is None and self.window is not None:
            if self.waiting:
                batch = batch.align_columns(self.waiting[0])
            if self.n_seen + len(batch.labels) < self.window:
                # Check the batch now: an error must not come later, with other batches.
                deepcopy(self.unfitted).fit(batch.X, batch.labels)
                self.waiting.append(batch.copy())
                return []
        return self._add_all([*self.waiting, batch])

    def finish(self) -> WindowReport | None:
        """Return a report of the objects after the last window; None if there are none."""
        if self.waiting:
            self._add_all(self.waiting)
        if self.n == self.last_stop:
            return None
        self._end_block()
        return self._end_window()

    def check(self) -> None:
        """Raise a ValueError for a state that no stream has, which a file may hold."""
        current = [*self.now.blocks, *([] if self.block is None else [self.block])]
        blocks = [*self.before.blocks, *current]
        stops = [*(one.start for one in blocks[1:]), self.n]
        for one, stop in zip(blocks, stops, strict=False):
            whole = one.counts.profile.counts.dtype.kind == "i" and one.counts.unseen is not None
            if not whole or one.start + one.counts.n != stop:
                raise ValueError("blocks that are not consecutive")
        for run in (self.before, self.now):
            size = None if run.counts is None else run.counts.n
            if size != (sum(one.counts.n for one in run.blocks) if run.blocks else None):
                raise ValueError("the sum of other blocks")
        start = current[0].start if current else self.n
        begun = self.n_windows > 0
        if self.window is None:
            valid = start == self.n == self.last_stop
        else:
            next_start = self.n_windows * self.step
            valid = start == next_start or start == self.n < next_start
            valid &= self.n < next_start + self.window
            ends = (next_start - self.step + self.window, self.n) if begun else (0,)
            valid &= self.last_stop in ends
        valid &= begun == (self.previous is not None) and self.reference_stop <= self.n
        if not valid or (begun and self.reference is None) or (self.n and self.binning is None):
            raise ValueError("windows of other objects")

    def _add_all(self, batches: list[Batch]) -> list[WindowReport]:
        """Add all batches; if one is invalid, restore the state and raise."""
        saved = replace(self, now=self.now.copy(), before=self.before.copy())
        try:
            batch = concatenate(batches)
            if self.binning is None:
                first = batch.slice(0, self.window)
                self.binning = deepcopy(self.unfitted).fit(first.X, first.labels)
            self.waiting = []
            return list(self._add(batch, self.binning))
        except BaseException:
            self.__dict__.update(saved.__dict__)
            raise

    def _add(self, batch: Batch, binning: Binning) -> Iterator[WindowReport]:
        at, size = 0, len(batch.labels)
        while at < size:
            capacity = size - at if self.window is None else self._left_in_block(self.window)
            part = batch.slice(at, at + capacity)
            try:
                counts = WindowCounts.from_batch(part, binning)
            except InputError:
                binning.bins(batch.X)  # raises an error with the position in the batch
                raise
            if self.block is None:
                self.block = Block(self.n, counts)
            else:
                self.block = Block(self.block.start, self.block.counts + counts)
            at += len(part.labels)
            self.n += len(part.labels)
            if len(part.labels) == capacity:
                self._end_block()
                if self.window is None or self.n == self.n_windows * self.step + self.window:
                    yield self._end_window()

    def _left_in_block(self, window: int) -> int:
        """Return the number of objects until a window, or the one before it, starts or ends."""
        ends = (0, window % self.step, -window % self.step)
        return min((end - self.n - 1) % self.step + 1 for end in ends)

    def _end_block(self) -> None:
        if self.block is not None:
            self.now.add(self.block)
            self.block = None

    def _end_window(self) -> WindowReport:
        start, stop, now = self.now.blocks[0].start, self.n, self.now.counts
        assert now is not None
        too_early = self.window is not None and start < self.window
        report = self.rule.report(
            Span(self.n_windows, start, stop),
            now,
            previous=self.previous,
            before=None if too_early else self.before.counts,
            reference=self.reference,
            reference_is_disjoint=start >= self.reference_stop,
            bins_fitted_before=any(one.start < self.reference_stop for one in self.before.blocks),
        )
        if self.reference is None:
            self.reference, self.reference_stop = now, stop
        self.previous, self.last_stop = now, stop
        self.n_windows += 1
        next_start = stop if self.window is None else self.n_windows * self.step
        for block in self.now.remove_before(next_start):
            self.before.add(block)
        self.before.remove_before(start if self.window is None else next_start - self.window)
        return report


def check_window(window: int | None, step: int | None) -> tuple[int | None, int]:
    """Check the numbers of objects; the step of a window of None is 0."""
    if window is None:
        if step is not None:
            raise InputError("step needs a window; with window=None every batch is a window.")
        return None, 0
    step = window if step is None else step
    if step > window:
        raise InputError(
            f"step={step} is larger than window={window}, so some objects would be in no window; "
            f"use at most {window}."
        )
    return int(window), int(step)
