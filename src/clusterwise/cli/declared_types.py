"""The types of columns that --as declares."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import get_args

from clusterwise._utils.errors import InputError
from clusterwise.inputs.columns.declared import DeclaredType


def declared_types(texts: Sequence[str] | None) -> dict[str, DeclaredType]:
    """Return the type of each column, by its name."""
    return dict(_split(text) for text in texts or ())


def _split(text: str) -> tuple[str, DeclaredType]:
    """Split column=type."""
    column, equals, kind = text.rpartition("=")
    if not (equals and column):
        raise InputError(f"--as {text} is not column=type; use one such as --as age=numeric.")
    for known in get_args(DeclaredType):
        if known == kind:
            return column, known
    close = get_close_matches(kind, get_args(DeclaredType), n=1)
    hint = f"did you mean {close[0]}?" if close else f"use {', '.join(get_args(DeclaredType))}."
    raise InputError(f"--as {text} has an unknown type; {hint}")
