"""Find the files that DuckDB reads: patterns, folders and large Parquet files."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from clusterwise._utils.errors import InputError
from clusterwise.cli.input_files import (
    PARQUET_ENDINGS,
    STANDARD_INPUT,
    WILDCARDS,
    is_pattern,
    list_files,
)
from clusterwise.cli.options import InputFormat, LargeFileOptions
from clusterwise.cli.output import say
from clusterwise.cli.tables.read_file import title

# From this size on, in bytes, a Parquet file is left on disk.
LARGE = 1 << 30


@dataclass(frozen=True)
class LargeFile:
    """A FILE of the command: its name there, a short title, and the files that it stands for."""

    path: str
    title: str
    parts: tuple[str, ...]


def find_large_files(paths: Sequence[str], options: LargeFileOptions) -> list[LargeFile] | None:
    """Return the files that DuckDB reads; None if all are read into memory.

    If one is a pattern, a folder or a large file, or ``--memory`` is given, DuckDB reads all.
    """
    input_format, memory = options.input_format, options.memory
    if memory is None and not any(_is_large(path, input_format) for path in paths):
        return None
    for option, given in (("--as", options.types), ("--null", options.null)):
        if given:
            raise InputError(
                f"{option} is for files in memory, but DuckDB reads these from disk, with their "
                f"own types; leave out {option}, or convert the column."
            )
    for path, count in Counter(paths).items():
        if count > 1:
            raise InputError(f"{path} is named {count} times; name each file once.")
        _require_parquet(path, input_format, memory)
    titles = [_title(path) for path in paths]
    counts = Counter(titles)
    return [
        LargeFile(path, short if counts[short] == 1 else path, _parts(path, input_format))
        for path, short in zip(paths, titles, strict=True)
    ]


def _is_large(path: str, input_format: InputFormat | None) -> bool:
    """Return whether a FILE is left on disk."""
    if path == STANDARD_INPUT:
        return False
    if is_pattern(path) or Path(path).is_dir():
        return True
    if not (Path(path).is_file() and _is_parquet(path, input_format)):
        return False
    if Path(path).stat().st_size < LARGE:
        return False
    if find_spec("duckdb") is None:  # it is then read into memory
        say(f"{path} is large; after pip install 'clusterwise[engines]' it can stay on disk.")
        return False
    return True


def _is_parquet(path: str, input_format: InputFormat | None) -> bool:
    if input_format is not None:
        return input_format == "parquet"
    return Path(path).suffix.lower() in PARQUET_ENDINGS


def _require_parquet(path: str, input_format: InputFormat | None, memory: str | None) -> None:
    """Raise an error for files that are not Parquet; those of a pattern are checked later."""
    name = "standard input" if path == STANDARD_INPUT else path
    if path == STANDARD_INPUT:
        fits = False
    elif is_pattern(path) or Path(path).is_dir():
        fits = input_format in (None, "parquet")
    else:
        fits = _is_parquet(path, input_format)
    if fits:
        return
    if memory is not None:
        raise InputError(
            f"--memory is for Parquet files, but {name} is not one; leave out --memory, or convert "
            "the file to Parquet."
        )
    raise InputError(
        f"{name} is not a Parquet file; with a pattern, a folder or a large file, all files must "
        "be: convert it to Parquet, or name small files one by one."
    )


def _parts(path: str, input_format: InputFormat | None) -> tuple[str, ...]:
    """Return the files that a FILE stands for, in the order of their names."""
    found = list_files(path)
    if Path(path).is_dir():
        if not found:
            raise InputError(f"{path} is a folder without Parquet files; name a file in it.")
    elif is_pattern(path):
        if not found:
            raise InputError(f"no file matches {path}; check the pattern and the folder.")
        for one in found:
            if not _is_parquet(one, input_format):
                raise InputError(
                    f"{path} matches {one}, which is not a Parquet file; use a longer pattern."
                )
    elif not Path(path).exists():
        raise InputError(f"there is no file {path}; check the name and the folder.")
    return tuple(found)


def _title(path: str) -> str:
    """Return the prefix of the columns of a FILE: its name, or that of its folder."""
    if not is_pattern(path):
        return title(path)
    plain = WILDCARDS.sub("", Path(path).stem).strip("-_. ")
    folders = [part for part in Path(path).parent.parts if not WILDCARDS.search(part)]
    return plain or (folders[-1] if folders else "files")
