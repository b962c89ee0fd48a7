"""Where results go, and in which format: the terminal, a pipe, or a file."""

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterwise._utils.errors import InputError
from clusterwise._utils.files import write_atomically
from clusterwise._utils.tables import TextTable, visible
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


def say(note: str) -> None:
    """Print a note, which is not part of the result, to standard error."""
    print(f"clusterwise: {note}", file=sys.stderr)


def check_output(output: str | None, option: str = "--output") -> None:
    """Raise an error for a file that cannot be written, before any work is done."""
    if output is None:
        return
    path = Path(output)
    if path.is_dir():
        raise InputError(f"{option} {output} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise InputError(f"{option} {output}: there is no folder {path.parent}; create it first.")


def check_label_file(output: str | None) -> None:
    """Raise an error for formats in which labels are not written."""
    if output is not None and Path(output).suffix.lower() in _NOT_FOR_LABELS:
        raise InputError(
            f"--output {output}: labels cannot be written in this format; use .csv, .tsv or .jsonl."
        )


def write(text: str, output: str | None) -> None:
    """Print a string, or write it to the file of ``--output``."""
    text = text if text.endswith("\n") else text + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        try:
            write_atomically(Path(output), text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise InputError(
                f"--output {output} cannot be written ({error.strerror}); name another file."
            ) from error


def write_table(table: Any, output: str | None, text: str | None = None) -> None:
    """Print with rich on a terminal; otherwise write plain text of any width."""
    if output is not None or not sys.stdout.isatty():
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


def write_columns(columns: Mapping[str, Sequence[Any]], output: str) -> None:
    """Write a row per object as CSV, TSV or JSON Lines; None is an empty field, or null."""
    rows = zip(*columns.values(), strict=True)
    suffix = Path(output).suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        lines = (dict(zip(columns, row, strict=True)) for row in rows)
        text = "".join(json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in lines)
    else:
        text = csv_text(tuple(columns), rows, "\t" if suffix in (".tsv", ".tab") else ",")
    write(text, output)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]], delimiter: str = ",") -> str:
    """Return rows as CSV, with a header and full precision."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def json_text(value: Any) -> str:
    """Return a value as indented JSON, without escaping letters that are not ASCII."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)
