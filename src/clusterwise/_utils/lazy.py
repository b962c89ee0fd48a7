"""The way from a result to its pictures and its report: both are optional, and loaded late."""

from importlib import import_module
from pathlib import Path
from typing import Any

from clusterwise._utils.errors import InputError, MissingExtraError


def display(name: str) -> Any:
    """A display by its name."""
    try:
        import_module("matplotlib")
    except ModuleNotFoundError:
        raise MissingExtraError(
            "pictures need matplotlib, which is not installed; install clusterwise[plots]."
        ) from None
    return getattr(import_module("clusterwise.plots"), name)


def choose_display(kind: str, kinds: dict[str, str]) -> Any:
    """A display by the kind of picture that the caller asked for."""
    if kind not in kinds:
        raise InputError(f"there is no picture {kind!r}; use one of {', '.join(kinds)}.")
    return display(kinds[kind])


def write_report(result: Any, path: Any, **options: Any) -> Path:
    """A report of a result, as one file of HTML."""
    return import_module("clusterwise.report").write_report(result, path, **options)
