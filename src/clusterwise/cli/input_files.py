"""The files that a FILE of the command stands for: itself, a pattern or a folder."""

import glob
import os
import re
from pathlib import Path

STANDARD_INPUT = "-"
PARQUET_ENDINGS = (".parquet", ".pq")
WILDCARDS = re.compile(r"[*?\[\]]+")


def is_pattern(path: str) -> bool:
    """Return whether a FILE is a pattern; an existing file may have such a name too."""
    return WILDCARDS.search(path) is not None and not Path(path).exists()


def list_files(path: str) -> list[str]:
    """Return the files of a pattern, the Parquet files of a folder, or the FILE itself."""
    if is_pattern(path):
        matching = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 (also of folders)
        return _each_once([one for one in matching if Path(one).is_file()])
    if not Path(path).is_dir():
        return [path]
    inside = [one for one in sorted(Path(path).rglob("*")) if _is_data(one, path)]
    return _each_once(list(map(str, inside)))


def _is_data(path: Path, folder: str) -> bool:
    """Return whether a path in a folder is a Parquet file, and not marked as something else."""
    # Other programs mark files that are not data by a leading underscore or dot.
    parts = path.relative_to(folder).parts
    if path.suffix.lower() not in PARQUET_ENDINGS or any(p.startswith(("_", ".")) for p in parts):
        return False
    return path.is_file()


def _each_once(paths: list[str]) -> list[str]:
    """Leave out files that are there already; links to a folder above lead to all once more."""
    first: dict[str, str] = {}
    for path in sorted(paths, key=len):
        first.setdefault(os.path.realpath(path), path)
    kept = {*first.values()}
    return [path for path in paths if path in kept]
