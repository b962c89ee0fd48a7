"""Clusterings that change over time: windows of a stream, compared as they come."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.streams.batches import read_batch, read_pair
from clusterwise.streams.checkpoint import (
    Checkpoint,
    read_checkpoint,
    read_options,
    read_windows,
    whole,
    write_checkpoint,
    write_options,
    write_windows,
)
from clusterwise.streams.window_report import Names, Size, WindowReport, WindowRule
from clusterwise.streams.windows import Windowing, window_and_step
from clusterwise.summaries.profile.profile import DensityProfile


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
    :func:`clusterwise.streams.drift.change_between`: ``report.drift`` is true where the p-value
    is at most ``alpha``. For independent objects a window raises a false alarm with
    probability ``alpha`` at most (``tests/streams/test_drift.py`` measures it on stationary
    streams). Objects that come in bursts are not independent, and raise more. Overlapping windows
    raise their alarms in runs, since they share objects. Slow drift shows in
    ``report.reference_change``, the same test against the reference.

    Parameters
    ----------
    window : int or None
        Objects in a window. None makes every batch a window of its own, such as a day.
    step : int, optional
        Objects between the ends of two windows, at most ``window``, which is the default.
    binning : Binning or {"width", "frequency", "mdl", "nominal"}
        Bins of the features. A method, or a binning that is not fitted, is fitted on the first
        window, whose objects are kept until it is complete; later values that are out of its
        range are reported as ``outside``.
    n_bins : int
        Number of bins per feature, if ``binning`` is a method.
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
        drift looks at the features of all objects together. Fresh names need windows that do not
        overlap.
    alpha : float
        The false-alarm rate that is accepted.
    random_state : int
        Seed of the samples that ``size="sample"`` draws.

    Attributes
    ----------
    n_seen, n_batches, n_windows : int
        Objects and batches taken, and windows reported.
    notes : dict
        Anything that JSON can say, such as the place of a source: it is saved with the stream.

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
        self.window, self.step = window_and_step(window, step)
        if names == "fresh" and window is not None and self.step != self.window:
            raise InputError(
                "names='fresh' needs windows that do not overlap; leave step out, or keep names."
            )
        given = reference if isinstance(reference, DensityProfile) else None
        if given is None and not (isinstance(reference, str) and reference == "first"):
            raise InputError(f"reference={reference!r} is neither 'first' nor a DensityProfile.")
        chosen = binning if isinstance(binning, Binning) else Binning(binning, n_bins)
        fitted = chosen if hasattr(chosen, "features") else None
        if given is not None:
            if fitted is not None and fitted != given.binning:
                raise InputError("binning differs from the binning of reference; leave one out.")
            fitted = given.binning
        self.n_batches = 0
        self.notes: dict[str, Any] = {}
        self._options = {
            "window": self.window,
            "step": self.step or None,
            "binning": chosen,
            "reference": reference,
            "size": size,
            "names": names,
            "alpha": alpha,
            "random_state": random_state,
        }
        rule = WindowRule(size, names, alpha, random_state)
        self._windows = Windowing(self.window, self.step, rule, chosen, fitted, given)
        self._finished = False

    @property
    def binning(self) -> Binning | None:
        """Bins of the features; None until the first window is complete."""
        return self._windows.binning

    @property
    def n_seen(self) -> int:
        """Objects taken so far."""
        return self._windows.n_seen

    @property
    def n_windows(self) -> int:
        """Windows reported so far."""
        return self._windows.n_windows

    def feed(
        self, X: Any, labels: Any, *, features: Sequence[str] | None = None
    ) -> list[WindowReport]:
        """Take a batch of objects, and report on the windows that it completes.

        A batch that is refused leaves the stream as it was.

        Parameters
        ----------
        X : array-like, frame or Arrow record batch, of shape (n, R)
            Features of the objects, in the order in which they came; one object is one row.
        labels : array-like of shape (n,), or str
            The names of their clusters, or the name of the column of X that holds them.
        features : list of str, optional
            Which columns of a frame are features; by default all but the labels.

        Returns
        -------
        list of WindowReport
        """
        if self._finished:
            raise InputError("the stream is finished; start a new ClusteringStream.")
        reports = self._windows.feed(read_batch(X, labels, features))
        self.n_batches += 1
        return reports

    def finish(self) -> WindowReport | None:
        """End the stream, with a report on the objects that came after the last window.

        That window is shorter than the others; see ``size`` for what to make of it.
        """
        last = self._windows.finish()
        self._finished = True
        return last

    def run(
        self,
        batches: Iterable[Any],
        *,
        labels: str | None = None,
        features: Sequence[str] | None = None,
        checkpoint: str | PathLike[str] | None = None,
        every: int = 1,
    ) -> Iterator[WindowReport]:
        """Feed batches one by one, then finish; the batches may never end.

        Parameters
        ----------
        batches : iterable of (X, labels), or of frames
            See :meth:`feed`. Frames may be those of pandas, Polars or Arrow, or Arrow record
            batches, such as a generator makes of messages, or ``ParquetFile.iter_batches``.
        labels : str, optional
            The column that names the clusters, if batches are frames.
        features : list of str, optional
            The columns that are features, if batches are frames; by default all but the labels.
        checkpoint : path, optional
            A file to :meth:`save` to after every few batches, and after the last one. It is
            written once all reports on a batch are taken: those that were taken after the last
            checkpoint come again when the stream goes on from it, and none is lost. It never
            holds the end of the stream, so a source that has more later can go on too.
        every : int
            Batches from one checkpoint to the next.

        Yields
        ------
        WindowReport
            As soon as the batch that completes its window is taken.

        Examples
        --------
        Run this again after a crash, and it goes on where it was:

        >>> from itertools import islice
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import pandas as pd
        >>> from clusterwise import ClusteringStream
        >>> def days():
        ...     for day in range(6):
        ...         yield pd.DataFrame({"income": [1.0, 2.0, 3.0 + day], "segment": [0, 0, 1]})
        >>> def follow(path, source):
        ...     stream = ClusteringStream.resume(path, window=6)
        ...     rest = islice(source, stream.n_batches, None)
        ...     for report in stream.run(rest, labels="segment", checkpoint=path):
        ...         print(report.index, report.sizes)
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "stream.json")
        ...     stream = ClusteringStream(window=6)
        ...     for frame in islice(days(), 3):  # and then the power fails
        ...         _ = stream.feed(frame, "segment")
        ...     stream.save(path)
        ...     follow(path, days())
        1 {0: 4, 1: 2}
        2 {0: 4, 1: 2}
        """
        if isinstance(every, bool) or not isinstance(every, int | np.integer) or every < 1:
            raise InputError(f"every={every!r} is no number of batches; pass 1 or more.")
        if checkpoint is not None:
            self._refuse_to_go_back(Path(checkpoint))
        return self._run(batches, labels, features, checkpoint, int(every))

    def save(self, path: str | PathLike[str]) -> None:
        """Write all that the stream knows to a file, whole or not at all.

        The file holds profiles of clusters and, until the first window is complete, its objects.
        Save between batches: what :meth:`feed` returned is not in the file.

        Parameters
        ----------
        path : path
            The file, which is replaced. Names of clusters may be texts, numbers, dates or
            tuples of them; others are refused.
        """
        checkpoint = Checkpoint(
            write_options(self._options),
            write_windows(self._windows),
            self.n_batches,
            self._finished,
            self.notes,
        )
        write_checkpoint(Path(path), checkpoint)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "ClusteringStream":
        """The stream that was saved: it goes on as if nothing had happened.

        Parameters
        ----------
        path : path
            A file that :meth:`save` or :meth:`run` wrote. Nothing in it is run.

        Returns
        -------
        ClusteringStream
            ``n_batches`` and ``n_seen`` tell how many batches and objects it has taken, so that
            their source can be continued.
        """
        found = read_checkpoint(Path(path))
        with whole(Path(path)):
            stream = cls(**read_options(found.options))
            read_windows(found.windows, stream._windows)
            stream.n_batches, stream._finished = found.n_batches, found.finished
            stream.notes = found.notes
        return stream

    @classmethod
    def resume(
        cls, path: str | PathLike[str], *arguments: Any, **options: Any
    ) -> "ClusteringStream":
        """The stream that was saved or, if there is no such file yet, a new one.

        Parameters
        ----------
        path : path
            See :meth:`load`.
        *arguments, **options
            Those of the stream. A file that was saved with other ones is refused.
        """
        new = cls(*arguments, **options)
        if not Path(path).exists():
            return new
        stream = cls.load(path)
        theirs = write_options(stream._options)
        for name, value in write_options(new._options).items():
            if value != theirs[name]:
                raise InputError(
                    f"{path} was saved by a stream with another {name}; pass the same one, or "
                    "remove the file to begin again."
                )
        return stream

    def _run(
        self,
        batches: Iterable[Any],
        labels: str | None,
        features: Sequence[str] | None,
        checkpoint: str | PathLike[str] | None,
        every: int,
    ) -> Iterator[WindowReport]:
        for batch in batches:
            X, names = (batch, labels) if labels is not None else read_pair(batch)
            yield from self.feed(X, names, features=features)
            if checkpoint is not None and self.n_batches % every == 0:
                self.save(checkpoint)
        if checkpoint is not None:
            self.save(checkpoint)
        last = None if self._finished else self.finish()
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
        options.setdefault("follow", "matches" if self._windows.rule.names == "fresh" else "names")
        return load_display("TimelineDisplay").from_reports(reports, **options).plot(ax=ax)

    def _refuse_to_go_back(self, path: Path) -> None:
        if path.exists():
            saved = self.load(path).n_seen
            if saved > self.n_seen:
                raise InputError(
                    f"{path} knows {saved} objects and this stream {self.n_seen}; go on from it "
                    "with ClusteringStream.resume, or remove it to begin again."
                )
