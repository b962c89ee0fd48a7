"""The part of every measure that is the same: reading the two clusterings.

``**label_options: Unpack[LabelOptions]`` keeps signatures short in the code and exact for
type checkers; :func:`documented` spells the options out in ``help()``.
"""

import inspect
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, Unpack, cast

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import (
    Clustering,
    LabelOptions,
    Matched,
    Pair,
    align_clusterings,
    as_clustering,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
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


def contingency(a: Any, b: Any = None, **label_options: Unpack[LabelOptions]) -> Contingency:
    """The table of two clusterings, or the ready one that was passed."""
    if isinstance(a, SoftOverlap):
        raise InputError(
            "this measure takes one label per object, not a SoftOverlap; pass labels or a "
            "Contingency."
        )
    if _is_ready(a, b, label_options):
        return cast("Contingency", a)
    table = Contingency.from_labels(a, b, **label_options)
    _warn_of_matching(table.matched)
    return table


def overlap(
    a: Any, b: Any = None, *, p: float = 1.0, **label_options: Unpack[LabelOptions]
) -> Contingency | SoftOverlap:
    """The same for clusterings that may be soft: labels give their contingency table."""
    if _is_ready(a, b, label_options):
        return cast("Contingency | SoftOverlap", a)
    return summarise(read_clusterings(a, b, **label_options), p=p)


def read_clusterings(a: Any, b: Any, **label_options: Unpack[LabelOptions]) -> Pair[AnyClustering]:
    """Two clusterings, hard or soft, lined up."""
    pair = align_clusterings(as_clustering(a, "a"), as_clustering(b, "b"), **label_options)
    _warn_of_matching(pair.matched)
    return pair


def summarise(pair: Pair[AnyClustering], *, p: float = 1.0) -> Contingency | SoftOverlap:
    """The contingency table of two hard clusterings, the overlap of others."""
    if isinstance(pair.a, Clustering) and isinstance(pair.b, Clustering):
        return Contingency.from_pair(Pair(pair.a, pair.b, pair.weights, pair.matched))
    return SoftOverlap.from_pair(pair, p=p)


def _is_ready(a: Any, b: Any, label_options: LabelOptions) -> bool:
    """Whether a stands for both clusterings."""
    if isinstance(a, Contingency | SoftOverlap):
        if b is not None or label_options:
            extra = "b" if b is not None else next(iter(label_options))
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
        .replace("{label_options}", _READING)
    )
    options = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(align_clusterings).parameters.items()
        if name in LabelOptions.__annotations__
    ]
    signature = inspect.signature(function)
    own = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    function.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return function
