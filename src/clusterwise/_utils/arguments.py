"""Check the arguments of public functions and classes: their names and their values."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar, overload

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Anything, Constraint
from clusterwise._utils.parameters import constraints_of, declared_by

R = TypeVar("R")
T = TypeVar("T", bound=Callable[..., Any])


@overload
def check_arguments(target: T, /) -> T: ...
@overload
def check_arguments(**declared: Constraint) -> Callable[[T], T]: ...
def check_arguments(target: Any = None, /, **declared: Constraint) -> Any:
    """Make a public function or class check its arguments.

    Values that a parameter does not accept raise an :class:`InputError` that names it, and unknown
    keyword arguments a ``TypeError`` with the nearest parameter. ``target`` is a function, or a
    class, of which it concerns the constructor and the public methods; constructors of estimators
    store all values, as scikit-learn requires. The constraints are those of
    :mod:`clusterwise._utils.parameters`, and of a function also those ``declared`` here.
    """
    if target is None:
        return lambda function: check_arguments(function, **declared)
    if not isinstance(target, type):
        return _checked(target, constraints_of(target, declared))
    cls: Any = target
    if cls.__init__ is not object.__init__ and not hasattr(cls.__init__, "__wrapped__"):
        stores = hasattr(cls, "get_params")
        constraints = {} if stores else constraints_of(cls.__init__, declared_by(cls))
        cls.__init__ = _checked(cls.__init__, constraints)
    check_methods(cls)
    return target


def check_methods(cls: type) -> None:
    """Make the public methods of a class check their arguments."""
    own = declared_by(cls)
    for name, member in list(vars(cls).items()):
        function = member.__func__ if isinstance(member, classmethod) else member
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        constraints = constraints_of(function, own)
        if isinstance(member, classmethod):
            setattr(cls, name, classmethod(_checked(function, constraints)))
        elif any(not isinstance(one, Anything) for one in constraints.values()):
            setattr(cls, name, _checked(function, constraints))


def _checked(function: Callable[..., R], constraints: Mapping[str, Constraint]) -> Callable[..., R]:
    # Everything is looked up once: small measures are called thousands of times.
    parameters = inspect.signature(function).parameters
    any_keyword = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    known = frozenset(keywords_of(function))
    checks = {
        name: (parameters[name].default, one.accepts, one.check)
        for name, one in constraints.items()
        if not isinstance(one, Anything)
    }
    by_position = [
        (position, name, *checks[name])
        for position, (name, one) in enumerate(parameters.items())
        if name in checks and one.kind is not one.KEYWORD_ONLY
    ]

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> R:
        for name, value in kwargs.items():
            if name in checks:
                default, accepts, check = checks[name]
                if value is not default and not accepts(value):
                    check(name, value)
            elif name not in known and not any_keyword:
                is_init = function.__name__ == "__init__"
                caller = type(args[0]).__name__ if is_init else function.__qualname__
                raise TypeError(unknown_keyword(kwargs, keywords_of(function), f"{caller}()"))
        for position, name, default, accepts, check in by_position:
            if position < len(args):
                value = args[position]
                if value is not default and not accepts(value):
                    check(name, value)
        return function(*args, **kwargs)

    vars(call)["_parameter_constraints"] = constraints
    return call


def keywords_of(function: Callable[..., object]) -> list[str]:
    """Return the names of the parameters that can be passed by keyword."""
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and name not in ("self", "cls")
    ]


def unknown_keyword(given: Iterable[str], known: Sequence[str], caller: str) -> str | None:
    """Return the message for the first given keyword that is not known; None if all are."""
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(known)}."
            return f"{caller} got an unexpected keyword argument {name!r}; {hint}"
    return None


def check_parameters(
    params: Iterable[str], known: Iterable[str], function: Callable[..., object], owner: str
) -> None:
    """Raise an error for a parameter that ``function`` passes on and ``owner`` does not have.

    ``known`` are the parameters of ``owner``.
    """
    own, known = keywords_of(function), list(known)
    for name in params:
        if name in known:
            continue
        if name in own:
            raise InputError(f"{owner} has no parameter {name!r}; leave it out.")
        close = get_close_matches(name, [*own, *known], n=1, cutoff=0.5)
        other = f"use one of {', '.join(known)}." if known else "name the method that has it."
        hint = f"did you mean {close[0]!r}?" if close else other
        raise InputError(
            f"neither {function.__name__} nor {owner} has a parameter {name!r}; {hint}"
        )
