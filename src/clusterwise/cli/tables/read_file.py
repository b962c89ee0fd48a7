"""Read a file of any format as a table."""

import gzip
import io
import sys
import zlib
from pathlib import Path
from typing import Any, Literal

from clusterwise._utils.errors import InputError, MissingExtraError
from clusterwise._utils.memory import machine_memory
from clusterwise.cli.declared_types import declared_types
from clusterwise.cli.input_files import STANDARD_INPUT
from clusterwise.cli.options import FileOptions, InputFormat
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import ColumnReading, Table, is_number, text_column
from clusterwise.cli.tables.text_tables import as_utf8, line_of, prepare, read_rows

Route = Literal["arrow", "plain"]

_PIECE = 1 << 20
# A tab is hard to type in a shell.
_DELIMITERS = {"\\t": "\t", "tab": "\t"}
_FORMATS: dict[str, InputFormat] = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def read_file(
    path: str,
    options: FileOptions,
    selected: frozenset[str] | None = None,
    *,
    route: Route | None = None,
) -> Table:
    """Read columns (all by default) of a file, or of standard input."""
    name = "standard input" if path == STANDARD_INPUT else path
    _require_file(path)
    input_format = options.input_format or _format_of(path)
    data = _read_bytes(path, name)
    column_options = _column_options(path, options)
    if input_format == "parquet":
        _require_pyarrow(name)
        from clusterwise.cli.tables.arrow_tables import read_parquet

        table = read_parquet(data, name, selected, column_options)
    else:
        data = as_utf8(data, name, options.encoding)
        if input_format == "jsonl":
            from clusterwise.cli.tables.json_lines import read_json_lines

            table = read_json_lines(data, name, selected, column_options)
        else:
            delimiter = options.delimiter
            if delimiter is None and input_format == "tsv":
                delimiter = "\t"
            elif delimiter is not None:
                delimiter = _DELIMITERS.get(delimiter, delimiter)
            table = _read_text(data, name, delimiter, route, selected, column_options)
    if not table.rows:
        raise InputError(f"{name} has a header but no rows; it needs one row per object.")
    return table


def title(path: str) -> str:
    """Return the name of a file without its endings, which prefixes the names of its columns."""
    if path == STANDARD_INPUT:
        return "stdin"
    return _without_gz(Path(path)).stem


def _read_text(
    data: bytes,
    name: str,
    delimiter: str | None,
    route: Route | None,
    selected: frozenset[str] | None,
    column_options: ColumnReading,
) -> Table:
    text = prepare(data, name, delimiter)
    if all(is_number(title) for title in text.header):
        first = ", ".join(text.header)
        say(f"{name} seems to have no header: its first line ({first}) is used as column names.")
    chosen = [i for i, title in enumerate(text.header) if selected is None or title in selected]
    read = read_rows
    if (route or ("arrow" if _has_pyarrow() else "plain")) == "arrow":
        from clusterwise.cli.tables.arrow_tables import read_rows_fast as read
    # Without a column there would be no rows to count.
    raw = read(text, chosen or [0])
    columns = [
        text_column(text.header[i], *part, *column_options(text.header[i]))
        for i, part in zip(chosen, raw, strict=False)
    ]
    return Table(
        name,
        text.header,
        {column.name: column for column in columns},
        len(raw[0][0]),
        lambda row: f"line {line_of(text, row)}",
    )


def _column_options(path: str, options: FileOptions) -> ColumnReading:
    """Return how columns are read; --as names a column, also with the title of its file."""
    types, null = declared_types(options.types), tuple(options.null or ())
    prefix = title(path)
    return lambda name: (types.get(name) or types.get(f"{prefix}.{name}"), null)


def _require_file(path: str) -> None:
    if path == STANDARD_INPUT:
        return
    if Path(path).is_dir():
        raise InputError(f"{path} is a folder; name a file in it.")
    if not Path(path).exists():
        raise InputError(f"there is no file {path}; check the name and the folder.")


def _read_bytes(path: str, name: str) -> bytes:
    if path == STANDARD_INPUT:
        data = _read_standard_input()
    else:
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise InputError(
                f"{path} cannot be read ({error.strerror}); check its permissions."
            ) from error
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return _decompress(data, name)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"{name} is truncated or damaged ({error}); compress or copy it again."
        ) from None


def _decompress(data: bytes, name: str) -> bytes:
    """Decompress in pieces, because a small file may become larger than the memory."""
    memory = machine_memory()
    pieces: list[bytes] = []
    size = 0
    with gzip.open(io.BytesIO(data)) as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if memory is not None and size > memory:
                raise InputError(
                    f"{name} decompresses to more than the {memory / 2**30:.3g} GiB of the "
                    "machine's memory; convert it to Parquet, which is read from disk."
                )
    return b"".join(pieces)


def _read_standard_input() -> bytes:
    """Read in pieces, because Ctrl-C may be noticed only between calls."""
    if sys.stdin is None:
        raise InputError("standard input is closed; pipe a file into the command.")
    stream: Any = sys.stdin.buffer
    try:
        return b"".join(iter(lambda: stream.read1(_PIECE), b""))
    except OSError as error:
        raise InputError(
            f"standard input cannot be read ({error.strerror}); pipe a file into the command."
        ) from error


def _format_of(path: str) -> InputFormat:
    if path == STANDARD_INPUT:
        return "csv"
    suffix = _without_gz(Path(path)).suffix.lower()
    if suffix not in _FORMATS:
        raise InputError(
            f"the format of {path} is unknown; use an ending of {', '.join(_FORMATS)}, or "
            "--input-format csv, tsv, jsonl or parquet."
        )
    return _FORMATS[suffix]


def _without_gz(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _has_pyarrow() -> bool:
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError:
        return False
    return True


def _require_pyarrow(name: str) -> None:
    if not _has_pyarrow():
        raise MissingExtraError(
            f"{name} is a Parquet file, which needs pyarrow; "
            "run pip install 'clusterwise[engines]'."
        )
