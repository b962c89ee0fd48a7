"""Where results go, and in which format: the terminal, a pipe, or a file."""

import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import finite_or_none
from clusterwise._utils.files import check_target, identify, not_written, write_atomically
from clusterwise._utils.tables import TextTable
from clusterwise._utils.visible import escape_in_json, visible, visible_lines
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.input_files import STANDARD_INPUT, list_files
from clusterwise.cli.options import Format

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

# Endings of formats in which labels are not written.
_NOT_FOR_LABELS = (".json", ".parquet", ".pq", ".gz", ".xlsx")


class Printout:
    """Tables and the sentences below them."""

    def __init__(self, tables: Sequence[TextTable], sentences: Iterable[str] = ()) -> None:
        self.tables = tables
        self.sentences = [visible(sentence) for sentence in sentences]

    def __str__(self) -> str:
        texts = [table.text() for table in self.tables]
        return "\n\n".join([*texts, "\n".join(self.sentences)] if self.sentences else texts)

    def markdown(self) -> str:
        """Return the same in Markdown."""
        return "\n\n".join([*(table.markdown() for table in self.tables), *self.sentences])

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        yield from self.tables
        yield from (Text(sentence) for sentence in self.sentences)


def say(note: str, name: str = "clusterwise") -> None:
    """Print a note or an error, which is not part of the result, to standard error."""
    print_error(f"{name}: {visible(note)}")


def print_error(text: str) -> None:
    """Print to standard error, if it is open."""
    if sys.stderr is None:  # print would write to standard output
        return
    try:
        print(visible_lines(text), file=sys.stderr)
    except OSError:
        silence(sys.stderr)


def check_outputs(inputs: Iterable[str], outputs: Mapping[str, str | None]) -> None:
    """Raise an error for files that cannot be written, before any work is done.

    Parameters
    ----------
    inputs : iterable of str
        The files that are read; none of them is overwritten, not even through a link.
    outputs : mapping of str to str or None
        The files to write by their options, among them ``--output``.
    """
    if outputs["--output"] is None:
        _check_standard_output()
    written = {option: output for option, output in outputs.items() if output is not None}
    for option, output in written.items():
        check_target(Path(output), f"{option} {output}")
    if not written:
        return
    known = {_identify_input(file): path for path in inputs for file in list_files(path)}
    options: dict[Any, str] = {}
    for option, output in written.items():
        target = identify(Path(output))
        if target is None:
            continue
        if target in known:
            read = "standard input" if known[target] == STANDARD_INPUT else known[target]
            raise InputError(
                f"{option} {output} would overwrite an input ({read}); name another file."
            )
        if target in options:
            raise InputError(
                f"{options[target]} and {option} are the same file; use two different files."
            )
        options[target] = option


def _identify_input(path: str) -> tuple[int, int, str] | None:
    """Return the identifier of a file, or of the file that is redirected to standard input."""
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or no file at all
        if path != STANDARD_INPUT:
            return identify(Path(path))
        found = os.fstat(sys.stdin.fileno())
        return (found.st_dev, found.st_ino, "") if stat.S_ISREG(found.st_mode) else None
    return None


def _check_standard_output() -> None:
    if sys.stdout is None:
        raise InputError("standard output is closed; use --output to write to a file.")


@contextmanager
def flushed_stdout() -> Iterator[None]:
    """Flush standard output at the end; name it in errors of writing, which name no file."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in (ENOSPC, EDQUOT, EFBIG, EIO):
            raise
        silence(sys.stdout)
        raise not_written("standard output", error) from error


def silence(stream: TextIO) -> None:
    """Redirect what a stream has buffered, so that it does not fail again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def check_label_file(output: str | None) -> None:
    """Raise an error for formats in which labels are not written."""
    if output is not None and Path(output).suffix.lower() in _NOT_FOR_LABELS:
        raise InputError(
            f"--output {output}: labels cannot be written in this format; use .csv, .tsv or .jsonl."
        )


def write(text: str, output: str | None) -> None:
    """Print a string, or write it to the file of ``--output``.

    A terminal shows control characters as escapes; a file or a pipe gets the data as they are.
    """
    text = text if text.endswith("\n") else text + "\n"
    if output is None:
        _check_standard_output()
        sys.stdout.write(visible_lines(text) if sys.stdout.isatty() else text)
    else:
        data = text.encode("utf-8", "backslashreplace")
        write_atomically(Path(output), data, f"--output {output}")


def write_table(table: Any, output: str | None, text: str | None = None) -> None:
    """Print with rich on a terminal; otherwise write plain text of any width."""
    if output is not None or sys.stdout is None or not sys.stdout.isatty():
        write(str(table) if text is None else text, output)
        return
    from rich.console import Console

    Console().print(table)


def write_printout(printout: Printout, output_format: Format, output: str | None = None) -> None:
    """Write tables and sentences as Markdown, or for the terminal."""
    if output_format == "markdown":
        write(printout.markdown(), output)
    else:
        write_table(printout, output)


def write_columns(
    columns: Mapping[str, Sequence[Any]], output: str, *, excel_safe: bool = False
) -> None:
    """Write a row per object in the format of :func:`columns_text`."""
    write(columns_text(columns, output, excel_safe=excel_safe), output)


def columns_text(
    columns: Mapping[str, Sequence[Any]],
    output: str,
    *,
    header: bool = True,
    excel_safe: bool = False,
) -> str:
    """Return a row per object as CSV, TSV or JSON Lines, as the name of the output says.

    None is an empty field, or null.
    """
    rows = zip(*columns.values(), strict=True)
    suffix = Path(output).suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        lines = (dict(zip(columns, row, strict=True)) for row in rows)
        return "".join(json_text(line, indent=None) + "\n" for line in lines)
    delimiter = "\t" if suffix in (".tsv", ".tab") else ","
    return csv_text(tuple(columns) if header else None, rows, delimiter, excel_safe=excel_safe)


def json_text(value: Any, indent: int | None = 2) -> str:
    """Return a value as JSON, in which control characters are escaped and letters are not.

    Infinity and NaN, which JSON does not have, are null.
    """
    text = json.dumps(
        _finite(value), indent=indent, ensure_ascii=False, default=str, allow_nan=False
    )
    return escape_in_json(text)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return finite_or_none(value) if isinstance(value, float) else value
