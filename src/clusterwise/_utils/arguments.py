"""Error messages for calls with a misspelled keyword argument."""

import inspect
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def suggest_keywords(function: Callable[P, R]) -> Callable[P, R]:
    """Make calls with an unknown keyword argument name the nearest parameter.

    Python raises a ``TypeError`` for such a call before the function runs; it is raised again
    with a suggestion. Other errors pass through, and a correct call costs one more frame.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            traceback = error.__traceback__
            if traceback is None or traceback.tb_next is not None:  # raised inside the function
                raise
            message = unknown_keyword(function, kwargs)
            if message is None:
                raise
            raise TypeError(message) from None

    return call


def unknown_keyword(
    function: Callable[..., object], given: Iterable[str], caller: str | None = None
) -> str | None:
    """Return the message for the first given keyword that is no parameter; None if all are."""
    signature = inspect.signature(function)
    known = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(known)}."
            who = caller or f"{function.__name__}()"
            return f"{who} got an unexpected keyword argument {name!r}; {hint}"
    return None
