"""Temporary copies of what DuckDB cannot read as it is: pipes, other encodings, odd line ends."""

import codecs
import glob
import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from clusterwise._utils.errors import InputError
from clusterwise.cli.input_files import STANDARD_INPUT
from clusterwise.cli.tables.engine import Engine, quoted

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_PIECE = 1 << 20
_UTF8 = ("utf-8", "utf8", "utf-8-sig")
# What is called Latin-1 is mostly Windows-1252, which has characters such as the euro sign in place
# of control characters; browsers read it so, too.
_WINDOWS = {
    code: character
    for code in range(0x80, 0xA0)
    if (character := bytes([code]).decode("cp1252", "ignore"))
}


def local_copy(engine: Engine, path: str, name: str) -> Path:
    """Return a file that can be read more than once: standard input and pipes are copied.

    Call it in the main thread, where Ctrl-C is noticed while there is nothing to read.
    """
    if path != STANDARD_INPUT and Path(path).is_file():
        return Path(path)
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError("standard input is closed; pipe a file into the command.")
        stream: Any = sys.stdin.buffer
        # In pieces, because Ctrl-C may be noticed only between calls.
        return copy_bytes(engine, name, iter(lambda: stream.read1(_PIECE), b""))
    try:
        with Path(path).open("rb") as pipe:
            return copy_bytes(engine, name, iter(lambda: pipe.read(_PIECE), b""))
    except OSError as error:
        raise _unreadable(name, error) from error


def copy_bytes(engine: Engine, name: str, pieces: Iterator[bytes]) -> Path:
    """Write pieces to a temporary file."""
    target = engine.fresh_path()
    with _writing(engine, name), target.open("xb") as file:
        while True:
            engine.check_stopped()
            try:
                piece = next(pieces, b"")
            except OSError as error:
                raise _unreadable(name, error) from error
            if not piece:
                return target
            file.write(piece)


def copy_lines(engine: Engine, name: str, write: Callable[[IO[str]], None]) -> Path:
    """Write a temporary text file in UTF-8 with line feeds."""
    target = engine.fresh_path()
    with _writing(engine, name), target.open("x", encoding="utf-8", newline="\n") as file:
        write(file)
    return target


def as_utf8(engine: Engine, path: Path, name: str, encoding: str) -> Path:
    """Return a file in UTF-8 that Python can open: the file itself, or a copy."""
    if _starts_with(path, name, ZSTD):
        path = _unpack(engine, path, name)
    if encoding.lower().replace("_", "-") in _UTF8:
        return path
    lines = 0
    control_characters = _WINDOWS if _is_latin1(encoding) else {}

    def transcode(file: IO[str]) -> None:
        nonlocal lines
        with open_bytes(path, name) as stream:
            reader = io.TextIOWrapper(stream, encoding, newline=None)
            while piece := reader.read(_PIECE):
                engine.check_stopped()
                file.write(piece.translate(control_characters))
                lines += piece.count("\n")

    try:
        return copy_lines(engine, name, transcode)
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(encoding, "ignore")
        raise not_encoded(name, lines + before.count("\n") + 1, encoding, path) from None
    except (LookupError, ValueError):  # also for encodings of something else than text
        raise InputError(
            f"--encoding {encoding} is unknown, or not an encoding of text; use one such as "
            "latin-1 or utf-16."
        ) from None


def _is_latin1(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "iso8859-1"
    except (LookupError, ValueError):
        return False


@contextmanager
def open_bytes(path: Path, name: str) -> Iterator[IO[bytes]]:
    """Open a file that may be gzipped."""
    try:
        with gzip.open(path) if _starts_with(path, name, GZIP) else path.open("rb") as file:
            yield file  # type: ignore[misc]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{name} is truncated or damaged ({error}); compress or copy it again."
        ) from None


@contextmanager
def open_lines(path: Path, name: str) -> Iterator[IO[str]]:
    """Open a text file in UTF-8, without byte order mark and with line feeds."""
    with open_bytes(path, name) as stream:
        try:
            yield io.TextIOWrapper(stream, "utf-8-sig", newline=None)
            return
        except UnicodeDecodeError:
            pass
    with open_bytes(path, name) as stream:
        raise not_encoded(name, _first_not_utf8(stream), "utf-8", path)


def not_encoded(name: str, line: int, encoding: str, path: Path) -> InputError:
    """Return the error for a file in another encoding."""
    with open_bytes(path, name) as stream:
        other = "utf-16" if stream.read(2) in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
    return InputError(
        f"{name} is not {encoding.upper()} on line {line}; save it as UTF-8, or try "
        f"--encoding {other}."
    )


def ends_in_long_line(path: Path, name: str, longest: int) -> bool:
    """Return whether the last line of a file is so long; of a gzipped file, whether any line is."""
    with open_bytes(path, name) as file:
        if compression(path, name) == "none":
            file.seek(max(0, path.stat().st_size - longest))
        length = 0
        while piece := file.read(_PIECE):
            end = max(piece.rfind(b"\n", 0, -2), piece.rfind(b"\r", 0, -2))
            length = length + len(piece) if end < 0 else len(piece) - end
            if length >= longest:
                return True
    return False


def compression(path: Path, name: str) -> str:
    """Return the compression of a file as DuckDB names it."""
    if _starts_with(path, name, ZSTD):
        return "zstd"
    return "gzip" if _starts_with(path, name, GZIP) else "none"


def _unpack(engine: Engine, path: Path, name: str) -> Path:
    """Decompress a file by DuckDB, whose codec Python lacks; its lines are read as one column."""
    readable = quoted(glob.escape(engine.readable(path)))
    lines = engine.execute(
        f"SELECT line FROM read_csv({readable}, auto_detect = false, "  # noqa: S608
        "columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', escape = '', header = false, "
        "compression = 'zstd', max_line_size = 16777216, buffer_size = 33554432)"
    )

    def write(file: IO[str]) -> None:
        while batch := lines.fetchmany(1 << 14):
            engine.check_stopped()
            file.writelines(f"{line or ''}\n" for (line,) in batch)

    return copy_lines(engine, name, write)


def _first_not_utf8(stream: IO[bytes]) -> int:
    for number, line in enumerate(stream, 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return number
    return 1


def _starts_with(path: Path, name: str, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise _unreadable(name, error) from error


@contextmanager
def _writing(engine: Engine, name: str) -> Iterator[None]:
    """Name the file and the folder in errors of writing a copy."""
    try:
        yield
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            raise
        raise InputError(
            f"{name} cannot be copied to the temporary folder {engine.temporary} "
            f"({error.strerror}); free some space on its disk, or set the environment variable "
            "TMPDIR to a folder on another one."
        ) from error


def _unreadable(name: str, error: OSError) -> InputError:
    remedy = "pipe a file into the command" if name == "standard input" else "check its permissions"
    return InputError(f"{name} cannot be read ({error.strerror}); {remedy}.")
