"""Errors for misspelled keyword arguments and for values out of range."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import wraps
from numbers import Integral
from typing import Any, TypeVar, cast

from clusterwise._utils.errors import InputError

R = TypeVar("R")
T = TypeVar("T", bound=Callable[..., Any])


def suggest_keywords(target: T) -> T:
    """Make calls with an unknown keyword argument name the nearest parameter.

    ``target`` is a function, or a class, of which it concerns the constructor and the public class
    methods. Python raises a ``TypeError`` for such a call before the function runs; it is raised
    again with a suggestion. Other errors pass through, and a correct call costs one more frame.
    """
    if not isinstance(target, type):
        return cast("T", _suggest(target))
    cls: Any = target
    if cls.__init__ is not object.__init__ and not hasattr(cls.__init__, "__wrapped__"):
        cls.__init__ = _suggest(cls.__init__)
    for name, member in list(vars(cls).items()):
        if isinstance(member, classmethod) and not name.startswith("_"):
            setattr(cls, name, classmethod(_suggest(member.__func__)))
    return target


def _suggest(function: Callable[..., R]) -> Callable[..., R]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            traceback = error.__traceback__
            if traceback is None or traceback.tb_next is not None:  # raised inside the function
                raise
            is_init = function.__name__ == "__init__"
            caller = type(args[0]).__name__ if is_init else function.__qualname__
            message = unknown_keyword(kwargs, keywords_of(function), f"{caller}()")
            if message is None:
                raise
            raise TypeError(message) from None

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


def check_positive(**values: Any) -> None:
    """Raise an error unless these parameters are integers of at least 1, or None."""
    for name, value in values.items():
        if value is not None and (not isinstance(value, Integral) or int(value) < 1):
            raise InputError(f"{name}={value!r}; use an integer of at least 1.")
