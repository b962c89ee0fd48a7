"""The windows of a file, continued where an interrupted run stopped."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.streams.report_serialization import read_window_report, write_window_report
from clusterwise.streams.serialization import read_list, refuse_damage
from clusterwise.streams.stream import ClusteringStream
from clusterwise.streams.window_report import WindowReport

# The proportion of the run time that saving may take.
_SAVING_TIME = 0.05


class StreamRows:
    """Objects in the order of a file, and a digest of those that were read so far."""

    def __init__(self, columns: list[str], X: Array, names: Array) -> None:
        self._X, self._names = X, names
        self._hashes = sha256(repr(columns).encode("utf-8", "surrogatepass")), sha256()
        self._position = 0

    def __len__(self) -> int:
        return len(self._names)

    def take(self, stop: int) -> tuple[Array, Array]:
        """Return the next objects, up to the position ``stop``."""
        X, names = self._X[self._position : stop], self._names[self._position : stop]
        self._hashes[0].update(_lines(X.tolist()) if X.dtype == object else X.tobytes())
        self._hashes[1].update(_lines(name_list(names)))
        self._position = stop
        return X, names

    def digest(self) -> str:
        """Return a hash of the objects read so far, which does not depend on the batches."""
        return "".join(one.hexdigest() for one in self._hashes)


def resume_stream(checkpoint: Path, options: dict[str, Any], rows: StreamRows) -> ClusteringStream:
    """Return the stream of a checkpoint, or a new one; options and rows must be the same."""
    if checkpoint.exists():
        saved = ClusteringStream.load(checkpoint)
        if not {"reports", "digest"} <= saved.notes.keys():
            raise InputError(
                f"{checkpoint} was not written by clusterwise stream; name another file."
            )
        rows.take(min(saved.n_seen, len(rows)))
        if saved.n_seen > len(rows) or saved.notes["digest"] != rows.digest():
            raise InputError(
                f"{checkpoint} was made from other rows, labels or features; use the same ones, "
                "or remove it to start again."
            )
    return ClusteringStream.resume(checkpoint, **options)


def window_reports(
    stream: ClusteringStream, rows: StreamRows, checkpoint: Path | None
) -> Iterator[WindowReport]:
    """Yield the report on each window of a file; those of an interrupted run come first.

    Rows may be appended to the file before the next run, so the last checkpoint is saved before
    the stream is finished. There is none before the first window is complete, because the bins
    depend on it.
    """
    window = stream.window
    assert window is not None
    reports: list[Any] = stream.notes.setdefault("reports", [])
    if checkpoint is not None:
        with refuse_damage(checkpoint):
            known = [read_window_report(written) for written in read_list(reports)]
        yield from known
    saved, cost = perf_counter(), 0.0
    while stream.n_seen < len(rows):
        stop = min(len(rows), (stream.n_seen // window + 1) * window)
        found = stream.feed(*rows.take(stop))
        yield from found
        if checkpoint is None:
            continue
        reports += map(write_window_report, found)
        begun = perf_counter()
        if stop >= window and (stop == len(rows) or begun - saved >= cost / _SAVING_TIME):
            stream.notes["digest"] = rows.digest()
            stream.save(checkpoint)
            saved = perf_counter()
            cost = saved - begun
    last = stream.finish()
    if last is not None:
        yield last


def _lines(values: list[Any]) -> bytes:
    return "".join(f"{value!r}\n" for value in values).encode("utf-8", "surrogatepass")
