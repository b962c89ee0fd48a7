"""The number of threads that kernels use, and the limits on those of libraries."""

import threading

import pytest

import clusterwise as cw
from clusterwise._utils import threads as thread_module
from clusterwise._utils.threads import (
    one_library_thread_if_small,
    one_openmp_thread,
    parts_for,
    run_all,
    run_interruptibly,
    run_parts,
    thread_count,
)


def test_threads_innermost_block_decides(monkeypatch) -> None:
    monkeypatch.setenv("CLUSTERWISE_THREADS", "3")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(4)), raising=False)
    assert thread_count() == 3
    with cw.threads(5, oversubscribe=True):
        assert thread_count() == 5
        with cw.threads(1):
            assert thread_count() == 1
        assert thread_count() == 5
    assert thread_count() == 3
    monkeypatch.delenv("CLUSTERWISE_THREADS")
    assert thread_count() >= 1


def test_threads_are_as_many_as_the_processors_that_may_be_used(monkeypatch) -> None:
    monkeypatch.delenv("CLUSTERWISE_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert thread_count() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    assert thread_count() == 8
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert thread_count() == 1


def test_more_threads_than_processors_are_asked_for_twice(monkeypatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 3}, raising=False)
    monkeypatch.setenv("CLUSTERWISE_THREADS", "1000000")
    assert thread_count() == 2
    monkeypatch.setenv("CLUSTERWISE_THREADS", "9" * 5000)  # more digits than Python converts
    assert thread_count() == 2
    monkeypatch.setenv("CLUSTERWISE_THREADS", "0000000000001")
    assert thread_count() == 1
    with cw.threads(10**6):
        assert thread_count() == 2
    with cw.threads(1024, oversubscribe=True):
        assert thread_count() == 1024
    too_many = cw.threads(1025, oversubscribe=True)
    with pytest.raises(cw.InputError, match=r"^count=1025; use at most 1024 threads\.$"), too_many:
        pass


def test_threads_refuse_nonsense(monkeypatch) -> None:
    with pytest.raises(cw.InputError, match="at least 1"), cw.threads(0):
        pass
    monkeypatch.setenv("CLUSTERWISE_THREADS", "many")
    with pytest.raises(cw.InputError, match="CLUSTERWISE_THREADS is 'many'"):
        thread_count()
    monkeypatch.setenv("CLUSTERWISE_THREADS", "00")
    with pytest.raises(cw.InputError, match="CLUSTERWISE_THREADS is '00'"):
        thread_count()


def test_small_work_stays_serial() -> None:
    with cw.threads(4, oversubscribe=True):
        assert parts_for(thread_module.SERIAL_BELOW - 1) == 1
        assert parts_for(thread_module.SERIAL_BELOW) == 4


def test_parts_run_in_threads_of_their_own_and_errors_come_back() -> None:
    seen = {}
    gate = threading.Barrier(3)

    def task(part: int) -> None:
        gate.wait(10)
        seen[part] = threading.get_ident()

    with cw.threads(3, oversubscribe=True):
        run_parts(task, 3)
    assert len(set(seen.values())) == 3

    def fail(part: int) -> None:
        raise ZeroDivisionError(part)

    with cw.threads(3, oversubscribe=True), pytest.raises(ZeroDivisionError, match=r"^[012]$"):
        run_parts(fail, 3)


def test_more_parts_than_threads_are_all_run():
    seen = []
    with cw.threads(2):
        run_parts(seen.append, 9)
    assert sorted(seen) == list(range(9))


def test_rounds_of_tasks_run_each_of_them_once():
    seen = []
    with cw.threads(3, oversubscribe=True):
        run_all(seen.append, 7, "counting", False)
    assert sorted(seen) == list(range(7))


def test_parts_have_the_limit_of_the_calling_thread():
    seen = []
    with cw.threads(2):
        run_parts(lambda _: seen.append(thread_count()), 3)
    assert seen == [2, 2, 2]


def test_no_part_begins_after_an_error():
    begun = []

    def fail_at_second(part: int) -> None:
        begun.append(part)
        if part == 1:
            raise ZeroDivisionError

    with cw.threads(1), pytest.raises(ZeroDivisionError):
        run_parts(fail_at_second, 9)
    assert begun == [0, 1]


def test_only_long_kernels_leave_the_main_thread():
    assert run_interruptibly(10, threading.get_ident) == threading.get_ident()
    assert run_interruptibly(1e12, threading.get_ident) != threading.get_ident()
    assert run_interruptibly(1e12, int, "11", base=2) == 3
    with pytest.raises(ValueError, match="invalid literal"):
        run_interruptibly(1e12, int, "x")


def test_kernels_of_other_threads_stay_there():
    seen = []

    def call() -> None:
        seen.extend([threading.get_ident(), run_interruptibly(1e12, threading.get_ident)])

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert seen[0] == seen[1]


def test_libraries_have_one_thread_for_small_work():
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_info

    with one_library_thread_if_small(19_999):
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    before = threadpool_info()
    with one_library_thread_if_small(20_000):
        assert threadpool_info() == before


def test_openmp_is_limited_in_the_thread_that_asks() -> None:
    from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

    outside = _openmp_effective_n_threads()
    seen = []

    def work() -> None:
        with one_openmp_thread():
            seen.append(_openmp_effective_n_threads())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [1]
    assert _openmp_effective_n_threads() == outside
