"""What all measures share: label options, their documentation, and the table they imply."""

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar, cast, overload

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Constraint
from clusterwise._utils.warnings import warn_user
from clusterwise.inputs.clusterings import (
    Align,
    Clustering,
    IndexMatch,
    LabelOptions,
    Missing,
    Noise,
    Pair,
    read_any_pair,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap

P = ParamSpec("P")
R = TypeVar("R")

# The defaults of every measure's label options.
DEFAULTS: LabelOptions = {
    "sample_weight": None,
    "noise": "cluster",
    "noise_label": -1,
    "align": None,
    "missing": "error",
}

_HARD = """\
array-like of shape (n,)
        Labels of the same objects in clusterings a and b: lists, arrays or series of numbers,
        strings or categories, or one-hot membership matrices. A ready
        :class:`~clusterwise.Contingency` as the first argument stands for both."""

_HARD_OR_SOFT = """\
array-like of shape (n,), or memberships of shape (n, K)
        Labels of the same objects in clusterings a and b: lists, arrays or series of numbers,
        strings or categories; or membership matrices, rows summing to 1, dense or SciPy sparse;
        or one of each. A ready :class:`~clusterwise.Contingency` or
        :class:`~clusterwise.SoftOverlap` as the first argument stands for both."""

_LABEL_OPTIONS = """\
sample_weight : array-like of shape (n,), optional
        Weights of the objects: an object of weight 2 counts as two objects.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Treat objects labelled ``noise_label`` as one cluster, as singleton clusters (as many as
        their weight, a whole number), or drop objects that either clustering labels as noise.
    noise_label : default=-1
        The label of noise.
    align : {"position", "index"}, optional
        For pandas series: match objects by index, or compare by position even if the indexes
        differ. By default, differing indexes raise an error.
    missing : {"error", "drop", "label"}, default="error"
        Objects without a label (None, NaN, NaT or ``pandas.NA``) raise an error, are dropped if
        either clustering has no label for them, or become one cluster of their own."""


@overload
def documented(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def documented(**declared: Constraint) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def documented(function: Any = None, /, **declared: Constraint) -> Any:
    """Fill the shared parameters into the docstring, and check the arguments.

    ``declared`` are constraints of parameters that are particular to the function.
    """
    if function is None:
        return lambda target: documented_with(target, declared)
    return documented_with(function, declared)


def documented_with(function: Callable[P, R], declared: Mapping[str, Constraint]) -> Callable[P, R]:
    """Fill the shared parameters into the docstring, and check the arguments."""
    function.__doc__ = (
        (function.__doc__ or "")
        .replace("{hard}", _HARD)
        .replace("{hard_or_soft}", _HARD_OR_SOFT)
        .replace("{label_options}", _LABEL_OPTIONS)
    )
    return check_arguments(**declared)(function) if declared else check_arguments(function)


def label_options(
    sample_weight: Any, noise: Noise, noise_label: Any, align: Align | None, missing: Missing
) -> LabelOptions:
    """Collect the label options of a measure."""
    return {
        "sample_weight": sample_weight,
        "noise": noise,
        "noise_label": noise_label,
        "align": align,
        "missing": missing,
    }


def first_changed(options: LabelOptions) -> str | None:
    """Return the name of the first option that is not at its default."""
    for name, default in DEFAULTS.items():
        value: Any = options.get(name, default)
        if value is not default and (np.ndim(value) or value != default):
            return name
    return None


def contingency(a: Any, b: Any, options: LabelOptions) -> Contingency:
    """Return the contingency table of two hard clusterings, or the ready one that was passed."""
    if isinstance(a, SoftOverlap):
        raise InputError(
            "this measure takes one label per object, not a SoftOverlap; pass labels or a "
            "Contingency."
        )
    if _is_ready(a, b, options):
        return cast("Contingency", a)
    table = Contingency.from_labels(a, b, **options)
    warn_of_matching(table.matched)
    return table


def overlap(a: Any, b: Any, options: LabelOptions, *, p: float = 1.0) -> Contingency | SoftOverlap:
    """Return the contingency table of hard clusterings, or the overlap of soft ones."""
    if _is_ready(a, b, options):
        return cast("Contingency | SoftOverlap", a)
    pair = read_any_pair(a, b, **options)
    warn_of_matching(pair.matched)
    return summarise(pair, p=p)


def summarise(pair: Pair[AnyClustering], *, p: float = 1.0) -> Contingency | SoftOverlap:
    """Return the contingency table of two hard clusterings, or the overlap of soft ones."""
    if isinstance(pair.a, Clustering) and isinstance(pair.b, Clustering):
        return Contingency.from_pair(Pair(pair.a, pair.b, pair.weights, pair.matched))
    return SoftOverlap.from_pair(pair, p=p)


def _is_ready(a: Any, b: Any, options: LabelOptions) -> bool:
    """Whether the first argument is a table that stands for both clusterings."""
    if isinstance(a, Contingency | SoftOverlap):
        extra = "the second clustering" if b is not None else first_changed(options)
        if extra is not None:
            raise InputError(
                f"the first argument is a ready {type(a).__name__} that stands for both "
                f"clusterings; leave {extra} out."
            )
        return True
    if b is None or isinstance(b, Contingency | SoftOverlap):
        raise InputError("pass two clusterings, or one ready Contingency.")
    return False


def warn_of_matching(matched: IndexMatch | None) -> None:
    """Warn if matching by index left objects out."""
    if matched is not None and matched.common < max(matched.in_a, matched.in_b):
        warn_user(f"matched by index: {matched}.")
