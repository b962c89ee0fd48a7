"""Threads: Python threads for kernels on large inputs, and limits on the threads of libraries.

Kernels release the GIL, so Python threads suffice. Compared with numba's own
parallel loops this starts no OpenMP team (whose spinning barrier can cost tens
of milliseconds when the machine is shared), leaves ``NUMBA_*`` and ``OMP_*``
alone, and works with any threading layer that other libraries have chosen.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from clusterwise._utils.arguments import suggest_keywords
from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# Below this many objects starting threads costs more than it saves.
SERIAL_BELOW = 8_000_000

# Below this many objects (or values) the threads of BLAS and OpenMP only wait for each other.
_LIBRARIES_SERIAL_BELOW = 20_000

_limit: ContextVar[int | None] = ContextVar("clusterwise_threads", default=None)
_pools: dict[int, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def _forget_pools() -> None:
    """Drop the pools in a forked child, which has none of its parent's threads."""
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
    """Return the number of threads that kernels may use.

    It is set by the innermost :func:`threads` block, else by the environment variable
    ``CLUSTERWISE_THREADS``, else it is the number of processors this process may use.
    """
    limit = _limit.get()
    if limit is not None:
        return limit
    setting = os.environ.get("CLUSTERWISE_THREADS")
    if setting:
        if not setting.isdecimal() or int(setting) < 1:
            raise InputError(
                f"CLUSTERWISE_THREADS is {setting!r}; set it to an integer of at least 1."
            )
        return int(setting)
    return _available()


@contextmanager
@suggest_keywords
def threads(count: int) -> Iterator[None]:
    """Use at most ``count`` threads inside the ``with`` block.

    The number of threads changes the run time, never the results.

    Examples
    --------
    >>> import clusterwise as cw
    >>> with cw.threads(1):
    ...     cw.rand_score([0, 0, 1], [0, 1, 1])
    0.3333333333333333
    """
    if count < 1:
        raise InputError(f"threads={count!r} is invalid; pass at least 1.")
    token = _limit.set(int(count))
    try:
        yield
    finally:
        _limit.reset(token)


def parts_for(n: int) -> int:
    """Return the number of parts to split a loop over ``n`` objects into."""
    return 1 if n < SERIAL_BELOW else thread_count()


def run_parts(task: Callable[[int], None], parts: int) -> None:
    """Run ``task(0) … task(parts - 1)`` in at most :func:`thread_count` threads, and wait.

    The calling thread is one of them.
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
    """Run ``task(0) … task(count - 1)`` with a progress bar, one task per thread at a time.

    It can be interrupted between these rounds.
    """
    step = thread_count()

    def work(start: int, part: int) -> None:
        task(start + part)

    for start in track(range(0, count, step), -(-count // step), what, progress):
        run_parts(partial(work, start), min(step, count - start))


def one_library_thread_if_small(n: int) -> AbstractContextManager[Any]:
    """Limit BLAS and OpenMP to one thread if there are few objects (or values)."""
    if n >= _LIBRARIES_SERIAL_BELOW:
        return nullcontext()
    return _library_pools().limit(limits=1)


@cache
def _library_pools() -> "ThreadpoolController":
    # Cached: looking for the pools takes longer than small work. Imported here, because
    # kernels use this module and must not load scikit-learn.
    import sklearn.cluster  # noqa: F401  (its pools must exist to be found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
