"""Data sets in a folder of gzipped CSV files."""

import csv
import gzip
import json
import os
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise.datasets.toy import Dataset, Kind
from clusterwise.inputs.encoding import Array

FOLDER_VARIABLE = "CLUSTERWISE_DATA"
_SCHEMA = "schema.json"


@check_arguments
def load_dataset(name: str, folder: str | os.PathLike[str] | None = None) -> Dataset:
    r"""Read a data set from a folder of gzipped CSV files.

    The folder contains ``<name>.csv.gz``, with a header and the cluster of each object in the
    column ``class``, and ``schema.json``, with the number of ``rows`` of each data set and the kind
    of its ``columns``, "numeric" or "nominal". Empty fields are missing values.

    Parameters
    ----------
    name : str
        The name of the data set, such as "sonar".
    folder : path, optional
        The folder of the files; by default that in the environment variable CLUSTERWISE_DATA.

    Returns
    -------
    Dataset
        Objects in the order of the file; labels are strings, or None where they are missing.

    Raises
    ------
    InputError
        If the folder or the data set is missing, or a file is damaged.

    Examples
    --------
    A folder with one data set of two objects:

    >>> import gzip, json, pathlib, tempfile
    >>> from clusterwise.datasets import load_dataset
    >>> temporary = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(temporary.name)
    >>> columns = {"weight": "numeric", "colour": "nominal", "class": "nominal"}
    >>> schema = json.dumps({"fruit": {"rows": 2, "columns": columns}})
    >>> _ = (folder / "schema.json").write_text(schema)
    >>> text = b"weight,colour,class\n0.2,red,apple\n,green,pear\n"
    >>> _ = (folder / "fruit.csv.gz").write_bytes(gzip.compress(text))
    >>> fruit = load_dataset("fruit", folder)
    >>> fruit.X.tolist(), fruit.labels.tolist()
    ([[0.2, 'red'], [nan, 'green']], ['apple', 'pear'])
    >>> temporary.cleanup()
    """
    found = folder or os.environ.get(FOLDER_VARIABLE)
    if not found:
        raise InputError(
            f"no folder is known for the data set {name!r}; pass folder, or set {FOLDER_VARIABLE} "
            f"to the folder of {name}.csv.gz and {_SCHEMA}."
        )
    home = Path(found)
    schema = _read_schema(home)
    file = home / f"{name}.csv.gz"
    if name not in schema or not file.is_file():
        present = [known for known in schema if (home / f"{known}.csv.gz").is_file()]
        raise InputError(
            f"there is no data set {name!r} in {home}; add {name}.csv.gz and its entry in "
            f"{_SCHEMA}, or pass one of: {', '.join(present) or '(none)'}."
        )
    kinds: dict[str, Kind] = schema[name]["columns"]
    rows = _read_rows(file, list(kinds))
    if not rows or len(rows) != schema[name]["rows"]:
        raise InputError(
            f"{file} has {len(rows)} rows, but {_SCHEMA} says {schema[name]['rows']}; get the "
            "file again."
        )
    columns = {
        column: _read_column(values, kind, f"column {column!r} of {file}")
        for (column, kind), values in zip(kinds.items(), zip(*rows, strict=True), strict=True)
    }
    labels = columns.pop("class")
    kept = tuple(kinds[column] for column in columns)
    return Dataset(name, np.column_stack(list(columns.values())), labels, tuple(columns), kept)


def _read_schema(folder: Path) -> dict[str, Any]:
    try:
        return json.loads((folder / _SCHEMA).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"there is no {_SCHEMA} in {folder}; pass the folder of the data sets."
        ) from None
    except ValueError as error:
        raise InputError(f"{folder / _SCHEMA} is not JSON ({error}); repair it.") from None


def _read_rows(file: Path, columns: list[str]) -> list[list[str]]:
    try:
        with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
            # Interned strings are stored once, however often they occur.
            header, *rows = ([sys.intern(value) for value in row] for row in csv.reader(lines))
    except (EOFError, OSError, ValueError, csv.Error, zlib.error) as error:
        raise InputError(f"{file} cannot be read ({error}); get the file again.") from None
    if header != columns:
        raise InputError(
            f"{file} has the columns {', '.join(header)}, but {_SCHEMA} has {', '.join(columns)}; "
            "make them the same."
        )
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise InputError(
                f"row {number} of {file} has {len(row)} values, but there are {len(columns)} "
                "columns; repair the file."
            )
    return rows


def _read_column(values: Sequence[str], kind: Kind, where: str) -> Array:
    """Return floats with NaN for missing values, or strings with None for them."""
    if kind == "nominal":
        return np.array([value or None for value in values], dtype=object)
    try:
        return np.array([value or "nan" for value in values], dtype=np.float64)
    except ValueError as error:
        raise InputError(
            f"{where} is numeric in {_SCHEMA}, but is not ({error}); make it nominal, or repair "
            "the file."
        ) from None
