"""The part of every measure that is the same: reading the two clusterings.

``**reading: Unpack[Reading]`` keeps signatures short in the code and exact for
type checkers; :func:`documented` spells the options out in ``help()``.
"""

import inspect
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, Unpack, cast

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import (
    Clustering,
    Matched,
    Pair,
    Reading,
    as_either,
    line_up,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import Either
from clusterwise.summaries.overlap.overlap import SoftOverlap

P = ParamSpec("P")
R = TypeVar("R")

_CLUSTERINGS = """\
a, b : array-like of shape (n,)
        Labels of the same objects: lists, arrays or series of numbers, texts or
        categories, or one-hot membership matrices. A ready
        :class:`~clusterwise.Contingency` as ``a`` stands for both."""

_EITHER = """\
a, b : array-like of shape (n,), or memberships of shape (n, K)
        Labels of the same objects: lists, arrays or series of numbers, texts or
        categories; or membership matrices, rows summing to 1, dense or SciPy sparse; or
        one of each. A ready :class:`~clusterwise.Contingency` or
        :class:`~clusterwise.SoftOverlap` as ``a`` stands for both."""

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
    if isinstance(a, SoftOverlap):
        raise InputError(
            "this measure takes one label per object, not a SoftOverlap; pass labels or a "
            "Contingency."
        )
    if _is_ready(a, b, reading):
        return cast("Contingency", a)
    table = Contingency.from_labels(a, b, **reading)
    _warn_of_matching(table.matched)
    return table


def overlap(
    a: Any, b: Any = None, *, p: float = 1.0, **reading: Unpack[Reading]
) -> Contingency | SoftOverlap:
    """The same for clusterings that may be soft: labels give their contingency table."""
    if _is_ready(a, b, reading):
        return cast("Contingency | SoftOverlap", a)
    return summarise(read_either(a, b, **reading), p=p)


def read_either(a: Any, b: Any, **reading: Unpack[Reading]) -> Pair[Either]:
    """Two clusterings, hard or soft, lined up."""
    pair = line_up(as_either(a, "a"), as_either(b, "b"), **reading)
    _warn_of_matching(pair.matched)
    return pair


def summarise(pair: Pair[Either], *, p: float = 1.0) -> Contingency | SoftOverlap:
    """The contingency table of two hard clusterings, the overlap of others."""
    if isinstance(pair.a, Clustering) and isinstance(pair.b, Clustering):
        return Contingency.from_pair(Pair(pair.a, pair.b, pair.weights, pair.matched))
    return SoftOverlap.from_pair(pair, p=p)


def _is_ready(a: Any, b: Any, reading: Reading) -> bool:
    """Whether a stands for both clusterings."""
    if isinstance(a, Contingency | SoftOverlap):
        if b is not None or reading:
            extra = "b" if b is not None else next(iter(reading))
            raise InputError(
                f"a is a ready table that stands for both clusterings; leave {extra} out."
            )
        return True
    if b is None or isinstance(b, Contingency | SoftOverlap):
        raise InputError("pass two clusterings, or one ready Contingency.")
    return False


def _warn_of_matching(matched: Matched | None) -> None:
    if matched is not None and matched.common < max(matched.in_a, matched.in_b):
        warnings.warn(f"matched by index: {matched}.", UserWarning, stacklevel=4)


def documented(function: Callable[P, R]) -> Callable[P, R]:
    """Fill in the shared parameters in the docstring and the signature."""
    function.__doc__ = (
        (function.__doc__ or "")
        .replace("{clusterings}", _CLUSTERINGS)
        .replace("{either}", _EITHER)
        .replace("{reading}", _READING)
    )
    options = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(line_up).parameters.items()
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
