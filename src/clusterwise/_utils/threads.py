"""Threads for kernels: a few plain Python threads, used only for large inputs.

Kernels release the GIL, so Python threads suffice. Compared with numba's own
parallel loops this starts no OpenMP team (whose spinning barrier can cost tens
of milliseconds when the machine is shared), leaves ``NUMBA_*`` and ``OMP_*``
alone, and works whatever threading layer other libraries have chosen.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track

# Below this many objects a hand-over between threads costs more than it saves.
SERIAL_BELOW = 8_000_000

_limit: ContextVar[int | None] = ContextVar("clusterwise_threads", default=None)
_pools: dict[int, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def _forget_pools() -> None:
    """A forked child has none of its parent's threads."""
    global _lock
    _pools.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pools)


def _available() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count() -> int:
    """Threads that kernels may use now.

    The innermost :func:`threads` block decides, then the environment variable
    ``CLUSTERWISE_THREADS``, then the number of processors this process may use.
    """
    limit = _limit.get()
    if limit is not None:
        return limit
    asked = os.environ.get("CLUSTERWISE_THREADS")
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise InputError(
                f"CLUSTERWISE_THREADS is {asked!r}; set it to a whole number of at least 1."
            )
        return int(asked)
    return _available()


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Use at most ``count`` threads inside the ``with`` block.

    Results never depend on it, only the time they take.

    Examples
    --------
    >>> import clusterwise as cw
    >>> with cw.threads(1):
    ...     cw.rand_score([0, 0, 1], [0, 1, 1])
    0.3333333333333333
    """
    if count < 1:
        raise InputError(f"threads={count!r}; ask for at least one thread.")
    token = _limit.set(int(count))
    try:
        yield
    finally:
        _limit.reset(token)


def parts_for(n: int) -> int:
    """Into how many parts to cut a loop over ``n`` objects."""
    return 1 if n < SERIAL_BELOW else thread_count()


def run_parts(task: Callable[[int], None], parts: int) -> None:
    """Run ``task(0) … task(parts - 1)`` in as many threads as are allowed, and wait.

    The calling thread does its share, so that one thread less has to be woken.
    """
    workers = min(parts, thread_count()) if parts > 1 else 1

    def work(worker: int) -> None:
        for part in range(worker, parts, workers):
            task(part)

    if workers == 1:
        work(0)
        return
    with _lock:
        pool = _pools.get(workers - 1)
        if pool is None:
            pool = ThreadPoolExecutor(workers - 1, thread_name_prefix="clusterwise")
            _pools[workers - 1] = pool
    others = [pool.submit(work, worker) for worker in range(1, workers)]
    try:
        work(0)
    finally:
        wait(others)
    for done in others:
        done.result()


def run_all(task: Callable[[int], None], count: int, what: str, progress: bool | None) -> None:
    """Run ``task(0) … task(count - 1)``, a few at a time, with a chance to stop in between."""
    step = thread_count()
    for start in track(range(0, count, step), -(-count // step), what, progress):
        run_parts(partial(_run_one, task, start), min(step, count - start))


def _run_one(task: Callable[[int], None], start: int, part: int) -> None:
    task(start + part)
