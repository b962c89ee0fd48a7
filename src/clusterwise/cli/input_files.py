"""The files that a FILE of the command stands for: itself, a pattern or a folder."""

import glob
import os
import re
from pathlib import Path
from typing import Literal

InputFormat = Literal["csv", "tsv", "jsonl", "parquet"]

STANDARD_INPUT = "-"
PARQUET_ENDINGS = (".parquet", ".pq")
COMPRESSED_ENDINGS = (".gz", ".zst")
FORMATS: dict[str, InputFormat] = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
WILDCARDS = re.compile(r"[*?\[\]]+")


def is_pattern(path: str) -> bool:
    """Return whether a FILE is a pattern; an existing file may have such a name too."""
    return WILDCARDS.search(path) is not None and not Path(path).exists()


def list_files(path: str) -> list[str]:
    """Return the files of a pattern, the data files of a folder, or the FILE itself."""
    if is_pattern(path):
        matching = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 (also of folders)
        return _each_once([one for one in matching if Path(one).is_file()])
    if not Path(path).is_dir():
        return [path]
    inside = [one for one in sorted(Path(path).rglob("*")) if _is_data(one, path)]
    tables = [one for one in inside if one.suffix.lower() in PARQUET_ENDINGS]
    return _each_once(list(map(str, tables or inside)))


def without_compression(path: Path) -> Path:
    """Return the name of a file without the ending of its compression."""
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED_ENDINGS else path


def _is_data(path: Path, folder: str) -> bool:
    """Return whether a path in a folder is a file of data, and not marked as something else."""
    # Other programs mark files that are not data by a leading underscore or dot; a .txt file in a
    # folder of data is rather a description of them.
    parts = path.relative_to(folder).parts
    ending = without_compression(path).suffix.lower()
    if ending not in FORMATS or ending == ".txt" or any(p.startswith(("_", ".")) for p in parts):
        return False
    return path.is_file()


def _each_once(paths: list[str]) -> list[str]:
    """Leave out files that are there already; links to a folder above lead to all once more."""
    first: dict[str, str] = {}
    for path in sorted(paths, key=len):
        first.setdefault(os.path.realpath(path), path)
    kept = {*first.values()}
    return [path for path in paths if path in kept]
