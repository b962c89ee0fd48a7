"""The FILEs of a command: their formats, titles and parts, and which of them stay on disk."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clusterwise._utils.errors import InputError
from clusterwise.cli.input_files import (
    COMPRESSED_ENDINGS,
    FORMATS,
    STANDARD_INPUT,
    WILDCARDS,
    InputFormat,
    is_pattern,
    list_files,
    without_compression,
)

# From this size on, in bytes, files are left on disk; compressed ones become larger.
LARGE = 1 << 30
_COMPRESSION = 4


@dataclass(frozen=True)
class InputFile:
    """A FILE of the command: its name there, a short title, and the files that it stands for."""

    path: str
    title: str
    parts: tuple[str, ...]
    format: InputFormat

    @property
    def name(self) -> str:
        """The name in messages."""
        return "standard input" if self.path == STANDARD_INPUT else self.path

    def part_name(self, part: int) -> str:
        """Return the name of one of its files in messages."""
        return self.name if len(self.parts) == 1 else self.parts[part]

    def location(self, part: int, where: str) -> str:
        """Return a location in one of its files, which is named if there are several."""
        return where if len(self.parts) == 1 else f"{where} of {self.parts[part]}"


def find_files(paths: Sequence[str], input_format: InputFormat | None) -> list[InputFile]:
    """Return the FILEs with their parts, in the order of their names."""
    for path, count in Counter(paths).items():
        if count > 1:
            raise InputError(f"{path} is named {count} times; name each file once.")
    found = []
    for path, short in zip(paths, file_titles(paths), strict=True):
        parts = _parts(path)
        found.append(InputFile(path, short, parts, input_format or _one_format(path, parts)))
    return found


def stay_on_disk(files: Sequence[InputFile], memory: str | None) -> bool:
    """Return whether the files are left on disk: patterns, folders and large files are."""
    return memory is not None or any(_is_large(file) for file in files)


def are_large(files: Sequence[InputFile]) -> bool:
    """Return whether all files together are large."""
    paths = [part for file in files if file.path != STANDARD_INPUT for part in file.parts]
    return sum(map(_size, paths)) >= LARGE


def file_titles(paths: Sequence[str]) -> list[str]:
    """Return a short name of each file, with its folder if names repeat."""
    names = [title(path) for path in paths]
    for longer in (lambda path: str(Path(path).parent / title(path)), str):
        counts = Counter(names)
        names = [
            longer(path) if counts[name] > 1 else name
            for path, name in zip(paths, names, strict=True)
        ]
    return names


def title(path: str) -> str:
    """Return the name of a file without its endings, which prefixes the names of its columns."""
    if path == STANDARD_INPUT:
        return "stdin"
    stem = without_compression(Path(path)).stem
    if not is_pattern(path):
        return stem
    plain = WILDCARDS.sub("", stem).strip("-_. ")
    folders = [part for part in Path(path).parent.parts if not WILDCARDS.search(part)]
    return plain or (folders[-1] if folders else "files")


def check_same_columns(
    file: InputFile, names: Sequence[Sequence[str]], parts: Sequence[int]
) -> None:
    """Raise an error if one of two files has a column that the other has not."""
    for one, other in ((0, 1), (1, 0)):
        for name in names[one]:
            if name not in names[other]:
                has, lacks = file.parts[parts[one]], file.parts[parts[other]]
                raise InputError(
                    f"{has} has the column {name!r}, but {lacks} has not; all files of "
                    f"{file.path} must have the same columns."
                )


def _is_large(file: InputFile) -> bool:
    if file.path == STANDARD_INPUT:
        return False
    if is_pattern(file.path) or Path(file.path).is_dir():
        return True
    return _size(file.path) >= LARGE


def _size(path: str) -> int:
    """Return the size of a file in bytes, of a compressed one about its size in memory."""
    compressed = Path(path).suffix.lower() in COMPRESSED_ENDINGS
    return Path(path).stat().st_size * (_COMPRESSION if compressed else 1)


def _parts(path: str) -> tuple[str, ...]:
    """Return the files that a FILE stands for."""
    found = list_files(path)
    if path == STANDARD_INPUT:
        return (path,)
    if Path(path).is_dir():
        if not found:
            raise InputError(f"{path} is a folder without data files; name a file in it.")
    elif is_pattern(path):
        if not found:
            raise InputError(f"no file matches {path}; check the pattern and the folder.")
    elif not Path(path).exists():
        raise InputError(f"there is no file {path}; check the name and the folder.")
    return tuple(found)


def _one_format(path: str, parts: Sequence[str]) -> InputFormat:
    """Return the format by the endings of the files, which must have the same."""
    formats = [_format_of(part) for part in parts]
    for part, one in zip(parts, formats, strict=True):
        if one != formats[0]:
            raise InputError(
                f"{path} stands for files of different formats, such as {parts[0]} and {part}; use "
                "a longer pattern."
            )
    return formats[0]


def _format_of(path: str) -> InputFormat:
    if path == STANDARD_INPUT:
        return "csv"
    suffix = without_compression(Path(path)).suffix.lower()
    if suffix not in FORMATS:
        raise InputError(
            f"the format of {path} is unknown; use an ending of {', '.join(FORMATS)}, or "
            "--input-format csv, tsv, jsonl or parquet."
        )
    return FORMATS[suffix]
