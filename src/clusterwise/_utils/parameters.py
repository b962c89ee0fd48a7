"""The constraints of parameters: their types from annotations, their ranges by their names.

A parameter has the type of its annotation. Numbers are within the range that their name has here,
in every function and class, unless the function or class declares its own.
"""

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache, reduce
from math import inf
from operator import or_
from types import UnionType
from typing import Any, ClassVar, Literal, Union, cast, get_args, get_origin, is_typeddict

from clusterwise._utils.limits import MOST_ALTERNATIVES
from clusterwise._utils.parameter_constraints import (
    NOTHING,
    TEXT,
    Anything,
    ClassNamed,
    Constraint,
    Flag,
    Function,
    HasMethod,
    InstanceOf,
    Integer,
    Label,
    Numbers,
    Real,
    Seed,
    Several,
    Values,
    one_of,
    with_article,
)

# The most bins of a feature, and the most objects in a window.
MOST_BINS = 1_000_000
_LONGEST_WINDOW = 10**12
# More need gigabytes even for a few objects.
_MOST_CLUSTERINGS = 100_000
# More pairs need gigabytes, and change a proportion by less than 0.001.
_MOST_PAIRS = 10_000_000
# With fewer data sets of a null model, no p-value is as small as 5 %.
_FEWEST_NULL = 19
# More starts take days and find nothing more.
_MOST_STARTS = 100_000

# The ranges of numbers.
RANGES: dict[str, Constraint] = {
    "alpha": Real(0, 1, above=True, below=True),
    "balance": Real(0, 1, above=True),
    "beta": Real(0),
    "budget": Real(0, inf),
    "count": Integer(1),
    "every": Integer(1),
    "explained_variance": Real(0, 1, above=True),
    "extra_features": Integer(0),
    "feature_fraction": Real(0, 1, above=True),
    "gamma": Real(0),
    "imbalance": Real(0, 1000, above=True),
    "last": Integer(1),
    "lower": Real(0, 1),
    "max_iter": Integer(1),
    "max_objects": Integer(1),
    "min_cluster_size": Real(0),
    "marks": Integer(1),
    "most": Integer(1),
    "most_features": Integer(1),
    "most_pairs": Integer(1),
    "n": Integer(1),
    "n_alternatives": Integer(1, MOST_ALTERNATIVES),
    "n_base": Integer(2, _MOST_CLUSTERINGS),
    "n_bins": Integer(1, MOST_BINS),
    "n_centre": Integer(1),
    "n_clusterings": Integer(1, _MOST_CLUSTERINGS),
    "n_clusters": Integer(1),
    "n_clusters_local": Integer(1),
    "n_init": Integer(1, _MOST_STARTS),
    "n_landmarks": Integer(1),
    "n_meta": Integer(1),
    "n_null": Integer(_FEWEST_NULL, _MOST_CLUSTERINGS),
    "n_pairs": Integer(1, _MOST_PAIRS),
    "n_resamples": Integer(10, _MOST_CLUSTERINGS),
    "n_runs": Integer(1, _MOST_CLUSTERINGS),
    "n_permutations": Integer(0),
    "n_sample": Integer(1),
    "n_satellite": Integer(1),
    "n_temperatures": Integer(1),
    "noise": Real(0),
    "noise_scale": Real(0, above=True),
    "object_fraction": Real(0, 1, above=True),
    "omega": Real(0, inf),
    "p": Real(1),
    "penalty": Real(0),
    "prototypes": Integer(1),
    "reliability": Real(0, 1),
    "separation": Real(0),
    "share": Real(0, 1),
    "step": Integer(1, _LONGEST_WINDOW),
    "theta": Real(0, inf, above=True),
    "tol": Real(0),
    "tolerance": Real(0),
    "upper": Real(0, 1),
    "values": Integer(1),
    "width": Real(0, above=True),
    "window": Integer(1, _LONGEST_WINDOW),
}
# Parameters of which the annotation does not say all.
WHOLE: dict[str, Constraint] = {
    "colours": Values(ClassNamed("Colours")),
    "exponents": Values(Real(0), least=1),
    "omegas": Values(Real(0, inf), least=1),
}
# Parameters of any type; others of any type are data, which the function reads.
UNANNOTATED: dict[str, Constraint] = {
    "base": HasMethod("fit_predict", "a clusterer with fit_predict") | None,
    "degenerate": Numbers(),
    "distances": Numbers(),
    "front": Numbers(),
    "metric": TEXT | Function() | Numbers(),
    "noise_label": Label(),
    "path": TEXT | InstanceOf(os.PathLike, "a path"),
    "random_state": Seed(),
    "source": Label(),
    "target": Label(),
    "values": Numbers(),
    "weights": Numbers(1),
}
_TYPES: dict[Any, Constraint] = {
    None: NOTHING,
    type(None): NOTHING,
    bool: Flag(),
    str: TEXT,
    date: InstanceOf(date, "a date"),
    os.PathLike: InstanceOf(os.PathLike, "a path"),
    Mapping: InstanceOf(Mapping, "a mapping"),
    Callable: Function(),
}
ANYTHING = Anything()


class ConstrainedParameters:
    """Mixin of estimators: their parameters are checked by ``_validate_params``.

    ``_parameter_constraints`` are the constraints that annotations and names do not imply.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    def _validate_params(self) -> None:
        """Raise an error that names the first parameter with a value that it does not accept."""
        constraints = constraints_of_class(cast("type", type(self)))
        for name, value in self.get_params(deep=False).items():  # type: ignore[attr-defined]
            constraints[name].check(name, value)


@cache
def constraints_of_class(cls: type) -> dict[str, Constraint]:
    """Return the constraints of the parameters of a constructor."""
    return constraints_of(cls.__init__, declared_by(cls))  # type: ignore[misc]


def declared_by(cls: type) -> dict[str, Constraint]:
    """Return the constraints that a class and its bases declare."""
    declared: dict[str, Constraint] = {}
    for one in reversed(cls.__mro__):
        own = vars(one).get("_parameter_constraints", {})
        # Those of scikit-learn's classes are lists.
        declared |= {name: item for name, item in own.items() if isinstance(item, Constraint)}
    return declared


def constraints_of(
    function: Callable[..., Any], declared: Mapping[str, Constraint]
) -> dict[str, Constraint]:
    """Return the constraint of every parameter of a function, but ``self``, ``*`` and ``**``."""
    found = {}
    for name, one in inspect.signature(function).parameters.items():
        if name in ("self", "cls") or one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            continue
        constraint = declared.get(name) or WHOLE.get(name)
        if constraint is None:
            annotation = _evaluate(one.annotation, function)
            constraint = _from_annotation(annotation, RANGES.get(name))
        if constraint is ANYTHING:
            constraint = UNANNOTATED.get(name, ANYTHING)
        optional = one.default is None and not constraint.accepts(None)
        found[name] = constraint | None if optional else constraint
    return found


def _evaluate(annotation: Any, function: Callable[..., Any]) -> Any:
    """Return an annotation; one in quotes is evaluated, if all its names are imported."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, vars(sys.modules[function.__module__]))  # noqa: S307
    except NameError:
        return ClassNamed(annotation) if annotation.isidentifier() else Any


@cache
def _from_annotation(annotation: Any, number: Constraint | None) -> Constraint:
    """Return the constraint of a type; ``number`` is the range of its numbers."""
    if isinstance(annotation, Constraint):
        return annotation
    origin = get_origin(annotation)
    arguments = get_args(annotation)
    if origin is Literal:
        return one_of(*arguments)
    if origin in (Union, UnionType):
        return _union([_from_annotation(one, number) for one in arguments])
    if origin in (tuple, Sequence):
        each = {_from_annotation(one, number) for one in arguments if one is not ...}
        length = len(arguments) if origin is tuple and ... not in arguments else None
        return Values(each.pop() if len(each) == 1 else ANYTHING, length=length)
    if origin is Iterable:
        return Several()
    known = _TYPES.get(origin or annotation)
    if known is not None:
        return known
    if annotation in (int, float):
        return number or (Integer() if annotation is int else Real())
    if is_typeddict(annotation):
        return _TYPES[Mapping]
    if isinstance(annotation, type) and annotation.__module__.startswith("clusterwise"):
        words = with_article(annotation.__name__)
        return InstanceOf(annotation, f"{words} estimator" if _is_estimator(annotation) else words)
    return ANYTHING


def _is_estimator(cls: type) -> bool:
    return hasattr(cls, "get_params")


def _union(members: Sequence[Constraint]) -> Constraint:
    return ANYTHING if ANYTHING in members else reduce(or_, members)
