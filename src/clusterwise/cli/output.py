"""Where results go: the terminal, a pipe, or a file that is written whole or not at all."""

import sys
from pathlib import Path
from typing import Any, Literal

from clusterwise._utils.errors import InputError
from clusterwise._utils.files import write_atomically

Format = Literal["table", "csv", "json", "markdown"]


def say(note: str) -> None:
    """Tell the user something that is not the result."""
    print(f"clusterwise: {note}", file=sys.stderr)


def check_output(output: str | None, option: str = "--output") -> None:
    """Refuse a place that cannot be written before any work is done."""
    if output is None:
        return
    path = Path(output)
    if path.is_dir():
        raise InputError(f"{option} {output} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise InputError(f"{option} {output}: there is no folder {path.parent}; create it first.")


def write(text: str, output: str | None) -> None:
    """Print a text, or write it to the file that ``--output`` names."""
    text = text if text.endswith("\n") else text + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        try:
            write_atomically(Path(output), text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise InputError(
                f"--output {output} cannot be written ({error.strerror}); choose another place."
            ) from error


def write_table(shown: Any, output: str | None, text: str | None = None) -> None:
    """Rich on a terminal; elsewhere plain text as wide as it needs to be."""
    if output is not None or not sys.stdout.isatty():
        write(str(shown) if text is None else text, output)
        return
    from rich.console import Console

    Console().print(shown)
