"""The only module that sets numba's options.

``nogil``: kernels run in plain Python threads (see ``threads.py``), so no OpenMP
or TBB layer is ever started and no process-wide setting is touched.
``error_model="numpy"``: division does not raise, which keeps loops free of branches.
``cache``: the second process on a machine does not compile again.
``reassoc`` and ``contract`` (of :func:`jit_sum` only): the compiler may vectorise sums, and use
fused multiply-add.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile a kernel with the project's options."""
    compiled: Any = numba.njit(nogil=True, cache=True, error_model="numpy")(function)
    return cast("Function", compiled)


def jit_sum(function: Function) -> Function:
    """Compile a sum over many numbers, whose order the compiler may choose."""
    compiled: Any = numba.njit(
        nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "nsz", "contract"}
    )(function)
    return cast("Function", compiled)
