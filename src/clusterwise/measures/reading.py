"""The part of every measure that is the same: reading the two clusterings.

``**reading: Unpack[Reading]`` keeps signatures short in the code and exact for
type checkers; :func:`documented` spells the options out in ``help()``.
"""

import inspect
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, Unpack

from clusterwise.clusterings import Reading, read_pair
from clusterwise.errors import InputError
from clusterwise.summaries.contingency import Contingency

P = ParamSpec("P")
R = TypeVar("R")

_CLUSTERINGS = """\
a, b : array-like of shape (n,)
        Labels of the same objects: lists, arrays or series of numbers, texts or
        categories, or one-hot membership matrices. A ready
        :class:`~clusterwise.Contingency` as ``a`` stands for both."""

_READING = """\
sample_weight : array-like of shape (n,), optional
        How many objects each row stands for: 2 counts it twice.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Objects labelled ``noise_label`` are one cluster, a cluster each, or left
        out if either clustering calls them noise.
    noise_label : default=-1
        The label that means noise.
    align : {"position", "index"}, optional
        For pandas series: match objects by index, or compare by position even if
        the indexes differ. By default differing indexes are an error."""


def contingency(a: Any, b: Any = None, **reading: Unpack[Reading]) -> Contingency:
    """The table of two clusterings, or the ready one that was passed."""
    if isinstance(a, Contingency):
        if b is not None or reading:
            extra = "b" if b is not None else next(iter(reading))
            raise InputError(
                f"a is a ready table that stands for both clusterings; leave {extra} out."
            )
        return a
    if b is None or isinstance(b, Contingency):
        raise InputError("pass two clusterings, or one ready Contingency.")
    table = Contingency.from_labels(a, b, **reading)
    if table.matched is not None and table.matched.common < max(
        table.matched.in_a, table.matched.in_b
    ):
        warnings.warn(f"matched by index: {table.matched}.", UserWarning, stacklevel=3)
    return table


def documented(function: Callable[P, R]) -> Callable[P, R]:
    """Fill in the shared parameters in the docstring and the signature."""
    function.__doc__ = (
        (function.__doc__ or "")
        .replace("{clusterings}", _CLUSTERINGS)
        .replace("{reading}", _READING)
    )
    options = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(read_pair).parameters.items()
        if name in Reading.__annotations__
    ]
    signature = inspect.signature(function)
    own = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    function.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return function
