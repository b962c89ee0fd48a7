"""Sections of a study: printed, and written as a page."""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from clusterwise._utils.tables import TextTable


def show_sections(
    sections: Sequence[str | TextTable], markdown: Path | None, width: int = 200
) -> None:
    """Print text and tables; also write them to a file, if there is one."""
    if markdown is not None:
        parts = [one.markdown() if isinstance(one, TextTable) else one for one in sections]
        markdown.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    console = Console(width=None if sys.stdout.isatty() else width)
    for section in sections:
        console.print(section, markup=False, highlight=False)
