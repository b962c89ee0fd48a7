"""Progress bars yield every item and end with the work."""

import io
import threading

from clusterwise._utils.progress import track


def test_progress_passes_everything_on(monkeypatch) -> None:
    monkeypatch.setattr("clusterwise._utils.progress._DELAY", -1.0)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert list(track(range(5), 5, "counting", show=True)) == [0, 1, 2, 3, 4]
    assert list(track(range(5), 5, "counting")) == [0, 1, 2, 3, 4]


def test_progress_ends_when_the_work_is_interrupted(monkeypatch) -> None:
    monkeypatch.setattr("clusterwise._utils.progress._DELAY", -1.0)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    before = set(threading.enumerate())
    work = track(range(5), 5, "counting", show=True)
    next(work), next(work)
    work.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)  # the bar's own thread ends a moment later
        assert not thread.is_alive()
