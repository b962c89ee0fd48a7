"""How to reproduce a result: parameters, code, and versions of packages."""

import platform
from collections.abc import Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from clusterwise import __version__
from clusterwise._utils.tables import TextTable
from clusterwise.report.page import Block, Code, Section

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "matplotlib")
_SHOWN = 300


def make_footer(day: date) -> str:
    """Return the footer of a page: version and date."""
    return f"Written by clusterwise {__version__} on {day.isoformat()}."


def how_it_was_made(
    parameters: Mapping[str, Any], code: str, models: Sequence[TextTable] = ()
) -> Section:
    """Return the section with parameters, code and versions."""
    blocks: list[Block] = []
    if parameters:
        blocks.append(list_parameters(parameters, "Parameters"))
    blocks += models
    blocks += ["To reproduce this report:", Code(code), _versions()]
    return Section("How it was made", blocks)


def list_parameters(parameters: Mapping[str, Any], title: str) -> TextTable:
    """Return a table of the parameters that are set, without ``progress``."""
    rows = [
        [name, _shown(value)]
        for name, value in parameters.items()
        if value is not None and name != "progress"
    ]
    return TextTable(["parameter", "value"], rows, title, frozenset({0, 1}))


def _versions() -> TextTable:
    rows = [["clusterwise", __version__], ["Python", platform.python_version()]]
    for package in _PACKAGES:
        try:
            rows.append([package, version(package)])
        except PackageNotFoundError:
            continue
    return TextTable(["package", "version"], rows, "Versions", frozenset({0, 1}))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
