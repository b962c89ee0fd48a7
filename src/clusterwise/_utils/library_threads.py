"""Threads of the libraries that estimators call, which on small data only wait for each other."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

# Work on so few objects, or numbers, is done before other threads have woken up.
_FEW = 20_000


def few_threads(n: int) -> AbstractContextManager[Any]:
    """One thread for BLAS and OpenMP if there are few objects, or numbers."""
    return _pools().limit(limits=1) if n < _FEW else nullcontext()


@cache
def _pools() -> ThreadpoolController:
    # Looked for once: that takes longer than what is to be done.
    import sklearn.cluster  # noqa: F401  (its threads must be there)

    return ThreadpoolController()
