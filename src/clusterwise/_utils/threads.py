"""Threads: Python threads for kernels on large inputs, and limits on the threads of libraries.

Kernels release the GIL, so Python threads suffice. Compared with numba's own
parallel loops this starts no OpenMP team (whose spinning barrier can cost tens
of milliseconds when the machine is shared), leaves ``NUMBA_*`` and ``OMP_*``
alone, and works with any threading layer that other libraries have chosen.

Python answers Ctrl-C in the main thread, between its own instructions, and so not while a kernel
runs there. Kernels that may take long therefore run in other threads, and the calling thread waits.
These are daemon threads: what is left running after Ctrl-C does not keep the process alive.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# Below this many objects starting threads costs more than it saves.
SERIAL_BELOW = 8_000_000

# Below this many objects (or values) the threads of BLAS and OpenMP only wait for each other.
_LIBRARIES_SERIAL_BELOW = 20_000

# Kernels of fewer steps than this, a few tenths of a second, run in the calling thread.
_LONG = 1 << 26

# More threads than this are a mistake.
_MOST = 1024

# Seconds between looks at a thread that is waited for, where signals do not end the wait.
_PATIENCE = 0.1

Result = TypeVar("Result")

_limit: ContextVar[int | None] = ContextVar("clusterwise_threads", default=None)


def _available() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count() -> int:
    """Return the number of threads that kernels may use.

    It is set by the innermost :func:`threads` block, else by the environment variable
    ``CLUSTERWISE_THREADS``, and at most the number of processors this process may use.
    """
    limit = _limit.get()
    if limit is not None:
        return limit
    setting = os.environ.get("CLUSTERWISE_THREADS")
    if setting:
        # The first digits are enough to tell whether there are fewer processors.
        count = int(setting.lstrip("0")[:9] or 0) if setting.isdecimal() else 0
        if count < 1:
            raise InputError(
                f"CLUSTERWISE_THREADS is {setting!r}; set it to an integer of at least 1."
            )
        return min(count, _available())
    return _available()


@contextmanager
@check_arguments
def threads(count: int, *, oversubscribe: bool = False) -> Iterator[None]:
    """Use at most ``count`` threads inside the ``with`` block.

    The number of threads changes the run time, never the results.

    Parameters
    ----------
    count : int
        The largest number of threads; more than there are processors count as that many.
    oversubscribe : bool, default=False
        Whether there may be more threads than processors, up to 1024.

    Examples
    --------
    >>> import clusterwise as cw
    >>> with cw.threads(1):
    ...     cw.rand_score([0, 0, 1], [0, 1, 1])
    0.3333333333333333
    """
    if oversubscribe and count > _MOST:
        raise InputError(f"count={count!r}; use at most {_MOST} threads.")
    token = _limit.set(int(count) if oversubscribe else min(int(count), _available()))
    try:
        yield
    finally:
        _limit.reset(token)


def parts_for(n: int) -> int:
    """Return the number of parts to split a loop over ``n`` objects into."""
    return 1 if n < SERIAL_BELOW else max(2, thread_count())


def run_parts(task: Callable[[int], None], parts: int) -> None:
    """Run ``task(0) … task(parts - 1)`` in at most :func:`thread_count` threads, and wait.

    A single part runs in the calling thread. After an error or Ctrl-C no further part begins.
    """
    if parts <= 1:
        for part in range(parts):
            task(part)
        return
    workers = min(parts, thread_count())
    stopped = threading.Event()

    def work(worker: int) -> None:
        for part in range(worker, parts, workers):
            if stopped.is_set():
                return
            task(part)

    _run_in_threads([partial(work, worker) for worker in range(workers)], stopped)


def run_interruptibly(
    steps: float, kernel: Callable[..., Result], *arguments: Any, **options: Any
) -> Result:
    """Call a kernel of about this many steps, such that Ctrl-C interrupts it.

    If there are many, it runs in a thread of its own. After Ctrl-C it continues in the background,
    where nobody reads what it computes, until it or the process ends.
    """
    if steps < _LONG or threading.current_thread() is not threading.main_thread():
        return kernel(*arguments, **options)
    results: list[Result] = []
    _run_in_threads([lambda: results.append(kernel(*arguments, **options))], threading.Event())
    return results[0]


def _run_in_threads(tasks: list[Callable[[], None]], stopped: threading.Event) -> None:
    """Run each task in a thread and wait; ``stopped`` is set after an error or Ctrl-C."""
    errors: list[BaseException] = []

    def run(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:
            errors.append(error)
            stopped.set()

    # The limit on threads and NumPy's error handling are those of the calling thread.
    threads = [
        threading.Thread(target=copy_context().run, args=(run, task), daemon=True) for task in tasks
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(_PATIENCE)
    except BaseException:
        stopped.set()
        raise
    if errors:
        raise errors[0]


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


def one_openmp_thread() -> AbstractContextManager[Any]:
    """Limit OpenMP to one thread for what the calling thread starts.

    The limit of OpenMP belongs to a thread, that of BLAS to the process: a thread among others must
    not change the latter.
    """
    return _library_pools().limit(limits={"openmp": 1})


@cache
def _library_pools() -> "ThreadpoolController":
    # Cached: looking for the pools takes longer than small work. Imported here, because
    # kernels use this module and must not load scikit-learn.
    import sklearn.cluster  # noqa: F401  (its pools must exist to be found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
