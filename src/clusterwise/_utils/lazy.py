"""Load plots and reports from results on first use: both need optional packages."""

from importlib import import_module
from pathlib import Path
from typing import Any

from clusterwise._utils.errors import InputError, MissingExtraError


def load_display(name: str) -> Any:
    """Return the display class of this name."""
    try:
        import_module("matplotlib")
    except ModuleNotFoundError:
        raise MissingExtraError(
            "plots need matplotlib, which is not installed; install clusterwise[plots]."
        ) from None
    return getattr(import_module("clusterwise.plots"), name)


def choose_display(kind: str, displays: dict[str, str]) -> Any:
    """Return the display class for a kind of plot; ``displays`` has the class of each kind."""
    if kind not in displays:
        *others, last = displays
        known = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"unknown plot kind {kind!r}; use {known}.")
    return load_display(displays[kind])


def write_report(result: Any, path: Any, **options: Any) -> Path:
    """Write a report of a result to one HTML file, and return its path."""
    return import_module("clusterwise.report").write_report(result, path, **options)
