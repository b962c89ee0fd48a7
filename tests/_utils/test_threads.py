"""The number of threads that kernels use, and the limits on those of libraries."""

import threading

import pytest

import clusterwise as cw
from clusterwise._utils import threads as thread_module
from clusterwise._utils.threads import (
    one_library_thread_if_small,
    parts_for,
    run_parts,
    thread_count,
)


def test_threads_innermost_block_decides(monkeypatch) -> None:
    monkeypatch.setenv("CLUSTERWISE_THREADS", "3")
    assert thread_count() == 3
    with cw.threads(5):
        assert thread_count() == 5
        with cw.threads(1):
            assert thread_count() == 1
        assert thread_count() == 5
    assert thread_count() == 3
    monkeypatch.delenv("CLUSTERWISE_THREADS")
    assert thread_count() >= 1


def test_threads_refuse_nonsense(monkeypatch) -> None:
    with pytest.raises(cw.InputError, match="at least 1"), cw.threads(0):
        pass
    monkeypatch.setenv("CLUSTERWISE_THREADS", "many")
    with pytest.raises(cw.InputError, match="CLUSTERWISE_THREADS is 'many'"):
        thread_count()


def test_small_work_stays_serial() -> None:
    with cw.threads(4):
        assert parts_for(thread_module.SERIAL_BELOW - 1) == 1
        assert parts_for(thread_module.SERIAL_BELOW) == 4


def test_parts_run_in_threads_of_their_own_and_errors_come_back() -> None:
    seen = {}
    gate = threading.Barrier(3)

    def task(part: int) -> None:
        gate.wait(10)
        seen[part] = threading.get_ident()

    with cw.threads(3):
        run_parts(task, 3)
    assert len(set(seen.values())) == 3

    def fail(part: int) -> None:
        raise ZeroDivisionError(part)

    with cw.threads(3), pytest.raises(ZeroDivisionError):
        run_parts(fail, 3)


def test_more_parts_than_threads_are_all_run():
    seen = []
    with cw.threads(2):
        run_parts(seen.append, 9)
    assert sorted(seen) == list(range(9))


def test_libraries_have_one_thread_for_small_work():
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_info

    with one_library_thread_if_small(19_999):
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    before = threadpool_info()
    with one_library_thread_if_small(20_000):
        assert threadpool_info() == before
