"""Streams of clustered objects: windows are compared as they are completed."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display, write_report
from clusterwise._utils.random import as_random_state
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.streams.batches import read_batch, unpack_batch
from clusterwise.streams.checkpoint import (
    Checkpoint,
    read_checkpoint,
    read_options,
    read_windows,
    require_same,
    write_checkpoint,
    write_options,
    write_windows,
)
from clusterwise.streams.serialization import refuse_damage
from clusterwise.streams.window_counts import WindowCounts
from clusterwise.streams.window_report import Names, Size, WindowReport, WindowRule
from clusterwise.streams.windows import Windowing, check_window
from clusterwise.summaries.profile.profile import DensityProfile


@check_arguments
class ClusteringStream:
    """Compare the windows of a stream of clustered objects, in constant memory.

    Objects come in batches of any size, each with its features and the label of its cluster. A
    window contains the last ``window`` objects; every ``step`` objects there is a report: the
    similarity of the clustering to that of the window one step before and to a reference window;
    which clusters are new, gone or matched; and whether the change is significant.

    Only the density profile of a window is stored (and a few counts of values that have no bin), as
    the sum over a few blocks of consecutive objects. A step adds the new blocks and subtracts the
    old ones, so its cost does not depend on the length of the window, and memory not on the length
    of the stream.

    **Drift.** A window is compared with the ``window`` objects right before it (not with the window
    one step before, which may contain the same objects) by
    :func:`clusterwise.streams.drift.change_between`: ``report.drift`` is true if the p-value is at
    most ``alpha``. For independent objects the probability of a false alarm is at most ``alpha``
    per window, for columns of all types (``docs/results/drift.md`` has simulations); features
    whose values are too rare are not tested, and are listed in ``report.change.untested``. Objects
    that arrive in bursts are not independent, and cause more alarms. Overlapping windows raise
    alarms in runs, since they have objects in common. Slow drift shows in
    ``report.reference_change``, the same test against the reference.

    Parameters
    ----------
    window : int or None
        The number of objects in a window. None makes every batch a window, such as a day.
    step : int, optional
        The number of objects between the ends of two windows, at most ``window``, which is the
        default.
    binning : Binning or {"width", "auto", "frequency", "mdl", "nominal"}
        Bins of the features. A method, or an unfitted binning, is fitted on the first window, whose
        objects are kept until it is complete; later values outside its range are reported as
        ``outside``.
    n_bins : int
        The number of bins per feature, if ``binning`` is a method.
    reference : "first" or DensityProfile
        The reference with which every window is compared: the first window, or a given profile,
        whose binning is then used.
    size : {"as-is", "cosine", "sample"}
        How windows of different sizes, such as the last one, are compared: "as-is" uses
        :func:`adco_score`, which decreases with the size of a window; "cosine" uses
        :func:`profile_cosine_score`, which does not depend on sizes; "sample" draws a stratified
        sample of the larger window.
    names : {"kept", "fresh"}
        Whether a label denotes the same cluster throughout the stream. If every window is clustered
        anew ("fresh"), births and deaths are clusters that are not matched with one whose profile
        has a cosine of at least 0.5, and the test for drift compares the features of all objects,
        regardless of clusters. "fresh" needs windows that do not overlap.
    alpha : float
        The significance level of the tests, i.e. the accepted rate of false alarms.
    random_state : int, RandomState, Generator or None
        Seed of the samples of ``size="sample"``. Pass an int to be able to resume the stream.

    Attributes
    ----------
    n_seen, n_batches, n_windows : int
        The numbers of objects and batches so far, and of windows reported.
    notes : dict
        Values that can be written as JSON, such as a position in the source; they are saved with
        the stream.

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
        random_state: Any = 0,
    ) -> None:
        self.window, self.step = check_window(window, step)
        if names == "fresh" and window is not None and self.step != self.window:
            raise InputError(
                "names='fresh' needs windows that do not overlap; leave out step, or use "
                "names='kept'."
            )
        given = reference if isinstance(reference, DensityProfile) else None
        unfitted = binning if isinstance(binning, Binning) else Binning(binning, n_bins)
        fitted = unfitted if hasattr(unfitted, "features") else None
        if given is not None:
            if fitted is not None and fitted != given.binning:
                raise InputError("binning differs from that of the reference; leave out one.")
            fitted = given.binning
        seed = _as_seed(random_state)
        self.n_batches = 0
        self.notes: dict[str, Any] = {}
        self._options = {
            "window": self.window,
            "step": self.step or None,
            "binning": unfitted,
            "reference": reference,
            "size": size,
            "names": names,
            "alpha": alpha,
            "random_state": seed,
        }
        rule = WindowRule(size, names, alpha, seed)
        start = None if given is None else WindowCounts(given, None)
        self._windows = Windowing(self.window, self.step, rule, unfitted, fitted, start)
        self._finished = False

    @property
    def binning(self) -> Binning | None:
        """Bins of the features; None until the first window is complete."""
        return self._windows.binning

    @property
    def n_seen(self) -> int:
        """The number of objects so far."""
        return self._windows.n_seen

    @property
    def n_windows(self) -> int:
        """The number of windows reported so far."""
        return self._windows.n_windows

    def feed(
        self, X: Any, labels: Any, *, features: str | Sequence[str] | None = None
    ) -> list[WindowReport]:
        """Add a batch of objects, and return reports of the windows that it completes.

        An invalid batch raises an error and leaves the stream unchanged.

        Parameters
        ----------
        X : array-like, frame or Arrow record batch, of shape (n, R)
            Features of the objects, in order of arrival; one row per object.
        labels : array-like of shape (n,), or str
            Their labels, or the name of the label column of X.
        features : str or list of str, optional
            The feature columns of a frame; by default all but the labels.

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
        """End the stream, and return a report of the objects after the last window.

        That window is shorter than the others; see the parameter ``size``.
        """
        last = self._windows.finish()
        self._finished = True
        return last

    def run(
        self,
        batches: Iterable[Any],
        *,
        labels: str | None = None,
        features: str | Sequence[str] | None = None,
        checkpoint: str | PathLike[str] | None = None,
        every: int = 1,
    ) -> Iterator[WindowReport]:
        """Feed batches one by one, then finish; the iterable may be infinite.

        Parameters
        ----------
        batches : iterable of (X, labels), or of frames
            See :meth:`feed`. Frames of pandas, Polars or Arrow, or Arrow record batches, such as
            those of ``ParquetFile.iter_batches``.
        labels : str, optional
            The label column, if batches are frames.
        features : str or list of str, optional
            The feature columns, if batches are frames; by default all but the labels.
        checkpoint : path, optional
            A file to :meth:`save` to after every few batches, and after the last one. It is
            written after all reports of a batch have been consumed: a stream that is resumed
            repeats the reports since the last checkpoint, and none is lost. The end of the stream
            is not saved, so that a source with more batches later can be continued.
        every : int
            The number of batches between two checkpoints.

        Yields
        ------
        WindowReport
            As soon as a batch completes the window.

        Examples
        --------
        Run this again after a crash, and it continues where it stopped:

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
        if checkpoint is not None:
            self._refuse_older_state(Path(checkpoint))
        return self._run(batches, labels, features, checkpoint, int(every))

    def save(self, path: str | PathLike[str]) -> None:
        """Save the state of the stream to a file (atomically).

        The file contains the profiles of clusters and, until the first window is complete, its
        objects. It does not contain the reports that :meth:`feed` returned.

        Parameters
        ----------
        path : path
            The file, which is replaced. Labels must be strings, numbers, dates or tuples of them.
        """
        write_checkpoint(Path(path), self._checkpoint())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "ClusteringStream":
        """Load a stream that was saved; it continues exactly where it stopped.

        Parameters
        ----------
        path : path
            A file that :meth:`save` or :meth:`run` wrote. Loading it never executes code.

        Returns
        -------
        ClusteringStream
            ``n_batches`` and ``n_seen`` are the numbers of batches and objects so far, from which
            the source can be continued.
        """
        found = read_checkpoint(Path(path))
        with refuse_damage(Path(path)):
            stream = cls(**read_options(found.options))
            read_windows(found.windows, stream._windows)
            stream.n_batches, stream._finished = found.n_batches, found.finished
            stream.notes = found.notes
            require_same(found, stream._checkpoint())
        return stream

    @classmethod
    def resume(
        cls, path: str | PathLike[str], *arguments: Any, **options: Any
    ) -> "ClusteringStream":
        """Load a stream that was saved or, if the file does not exist, create a new one.

        Parameters
        ----------
        path : path
            See :meth:`load`.
        *arguments, **options
            Arguments of the stream. They must be those with which the file was saved.
        """
        new = cls(*arguments, **options)
        if not Path(path).exists():
            return new
        stream = cls.load(path)
        saved = write_options(stream._options)
        for name, value in write_options(new._options).items():
            if value != saved[name]:
                raise InputError(
                    f"{path} was saved by a stream with another {name}; pass the same one, or "
                    "remove the file to start again."
                )
        return stream

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(
            write_options(self._options),
            write_windows(self._windows),
            self.n_batches,
            self._finished,
            self.notes,
        )

    def _run(
        self,
        batches: Iterable[Any],
        labels: str | None,
        features: str | Sequence[str] | None,
        checkpoint: str | PathLike[str] | None,
        every: int,
    ) -> Iterator[WindowReport]:
        for batch in batches:
            X, names = (batch, labels) if labels is not None else unpack_batch(batch)
            yield from self.feed(X, names, features=features)
            if checkpoint is not None and self.n_batches % every == 0:
                self.save(checkpoint)
        if checkpoint is not None:
            self.save(checkpoint)
        last = None if self._finished else self.finish()
        if last is not None:
            yield last

    def plot(self, reports: Iterable[WindowReport], *, ax: Any = None, **options: Any) -> Any:
        """Plot reports of this stream; needs the extra ``plots``.

        Parameters
        ----------
        reports : iterable of WindowReport
            The reports that :meth:`run` or :meth:`feed` returned; the stream does not keep them.
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            Options of :class:`clusterwise.plots.TimelineDisplay`. Clusters are followed by their
            labels, or by their matches if every window is clustered anew.

        Returns
        -------
        TimelineDisplay
        """
        options.setdefault("follow", self._follow)
        return load_display("TimelineDisplay").from_reports(reports, **options).plot(ax=ax)

    def report(
        self, reports: Iterable[WindowReport], path: Any, *, title: str | None = None
    ) -> Path:
        """Write a report of windows of this stream; needs the extra ``report``.

        Parameters
        ----------
        reports : iterable of WindowReport
            The reports that :meth:`run` or :meth:`feed` returned; the stream does not keep them.
        path : str or path
            The HTML file to write.
        title : str, optional
            The title of the page.

        Returns
        -------
        Path
            The file that was written.
        """
        names = ("window", "step", "size", "names", "alpha", "random_state")
        parameters = {name: self._options[name] for name in names}
        return write_report(
            list(reports), path, title=title, parameters=parameters, follow=self._follow
        )

    @property
    def _follow(self) -> str:
        return "matches" if self._windows.rule.names == "fresh" else "names"

    def _refuse_older_state(self, path: Path) -> None:
        if path.exists():
            saved = self.load(path).n_seen
            if saved > self.n_seen:
                raise InputError(
                    f"{path} has {saved} objects and this stream {self.n_seen}; continue from it "
                    "with ClusteringStream.resume, or remove it to start again."
                )


def _as_seed(random_state: Any) -> int:
    """Return ``random_state`` if it is an int, otherwise a seed drawn from it."""
    random = as_random_state(random_state)
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(random.randint(np.iinfo(np.int32).max))
