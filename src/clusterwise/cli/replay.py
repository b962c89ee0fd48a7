"""The command that was run, as one would type it again."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter as Argument, signature
from typing import Any, get_args

from cyclopts import Parameter


def command_line(verb: Callable[..., None], asked: Mapping[str, Any]) -> str:
    """Files first, then the options that are not as they are by default."""
    words = ["clusterwise", verb.__name__]
    for name, argument in signature(verb).parameters.items():
        if argument.kind is Argument.VAR_POSITIONAL:
            words += asked[name]
        elif asked[name] != argument.default:
            words += _spelt(_flag(name, argument.annotation), asked[name])
    return shlex.join(words)


def _spelt(flag: str, value: Any) -> Iterator[str]:
    if value is True:
        yield flag
    elif value is False:
        yield flag.replace("--", "--no-", 1)
    else:
        for one in value if isinstance(value, list) else [value]:
            text = str(one)
            yield from [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _flag(name: str, annotation: Any) -> str:
    for extra in get_args(annotation)[1:]:
        if isinstance(extra, Parameter) and extra.name:
            return next(iter(extra.name))
    return "--" + name.replace("_", "-")
