"""Data to try things on: generators, and the papers' data sets from a folder.

DS1 and DS2 are described in D. Zhou, J. Li and H. Zha (2005), A new Mallows distance based metric
for comparing clusterings, ICML, section 5, https://doi.org/10.1145/1102351.1102481
"""

import csv
import gzip
import json
import os
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise.encoding import Array
from clusterwise.errors import InputError

FOLDER_VARIABLE = "CLUSTERWISE_DATA"
_SCHEMA = "schema.json"

Kind = Literal["numeric", "nominal"]
Seed = int | np.random.Generator | None


class Dataset(NamedTuple):
    """Objects and their true clusters.

    ``X`` has a row per object: floats if all attributes are numeric, with NaN where a value is
    missing; else objects, floats and texts, with None where a text is missing. ``labels`` names
    the cluster of each object. ``feature_names`` and ``kinds`` ("numeric" or "nominal") belong to
    the columns of ``X``.
    """

    name: str
    X: Array
    labels: Array
    feature_names: tuple[str, ...]
    kinds: tuple[Kind, ...]


class _Group(NamedTuple):
    name: str
    size: int
    centre: tuple[float, float]
    spread: float


def make_ds1(random_state: Seed = None) -> Dataset:
    """Three clusters A, B and C of 400 points, of which C lies twice as far from A as B does.

    The paper gives the sizes, two dimensions and the ratio of the distances between centroids. It
    prints no positions and no spreads. Chosen are, so that its Table 2 nearly comes out: A and B
    0.3 apart, C 0.6 from A at a right angle, normal distributions with a standard deviation of
    0.11 along each axis. A and B overlap, so that k-means errs as often as the table says.
    Centroids are exact, not only on average.

    Parameters
    ----------
    random_state : int or Generator, optional
        The source of chance.

    Returns
    -------
    Dataset
        1200 objects, clusters in the order A, B, C.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise.datasets import make_ds1
    >>> data = make_ds1(random_state=0)
    >>> a, b, c = (data.X[data.labels == name].mean(axis=0) for name in "ABC")
    >>> round(float(np.linalg.norm(a - c) / np.linalg.norm(a - b)), 9)
    2.0
    """
    places = {"A": (0.0, 0.0), "B": (0.3, 0.0), "C": (0.0, 0.6)}
    groups = [_Group(name, 400, place, 0.11) for name, place in places.items()]
    return _make("DS1", groups, random_state)


def make_ds2(random_state: Seed = None, *, n_centre: int = 1000, n_satellite: int = 250) -> Dataset:
    """A large cluster and four small ones around it, which lie in its outskirts.

    The paper gives 2000 points in two dimensions, 1000 in the centre and around 250 in each
    satellite. It prints no positions and no spreads. Chosen are normal distributions: the centre
    with a standard deviation of 0.2 along each axis, and satellites with 0.03 at a distance of
    0.2, to the north, east, south and west. Farther out, one cluster for all is no longer nearer
    to the truth than k-means by the CSS distance, which the paper finds. Centroids are exact.

    The printed sizes and the paper's Table 3 do not go together. One cluster for all has the Rand
    index 0.57 and the normalised variation of information 0.58 only if the centre holds three
    quarters of the objects, as with ``n_centre=1488, n_satellite=128``; with the printed sizes they
    are 0.31 and 0.86.

    Parameters
    ----------
    random_state : int or Generator, optional
        The source of chance.
    n_centre, n_satellite : int
        The objects in the centre, and in each satellite; at least one.

    Returns
    -------
    Dataset
        Clusters in the order centre, north, east, south, west.

    Examples
    --------
    >>> from clusterwise.datasets import make_ds2
    >>> labels = make_ds2(random_state=0).labels.tolist()
    >>> {name: labels.count(name) for name in dict.fromkeys(labels)}
    {'centre': 1000, 'north': 250, 'east': 250, 'south': 250, 'west': 250}
    """
    if min(n_centre, n_satellite) < 1:
        raise InputError(f"n_centre={n_centre}, n_satellite={n_satellite}: pass at least 1 each.")
    places = {"north": (0.0, 0.2), "east": (0.2, 0.0), "south": (0.0, -0.2), "west": (-0.2, 0.0)}
    groups = [_Group("centre", n_centre, (0.0, 0.0), 0.2)]
    groups += [_Group(name, n_satellite, place, 0.03) for name, place in places.items()]
    return _make("DS2", groups, random_state)


def relabel(
    labels: Any, source: Any, target: Any, *, share: float = 1 / 3, random_state: Seed = None
) -> Array:
    """Give some objects of one cluster to another one.

    With a third of A given to B or to C, these are the labellings L_ab and L_ac that the paper
    compares with the truth on DS1 (:func:`make_ds1`). Chance decides which third.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The cluster of each object.
    source, target : label
        The cluster that gives objects, and the one that gets them, which may be a new one.
    share : float
        The part of the source's objects that is given, rounded to whole objects.
    random_state : int or Generator, optional
        The source of chance.

    Returns
    -------
    ndarray of shape (n,)
        New labels.

    Examples
    --------
    >>> from clusterwise.datasets import relabel
    >>> relabel(["A", "A", "A", "B"], "A", "B", random_state=0).tolist().count("A")
    2
    """
    before = np.asarray(labels)
    if before.ndim != 1:
        raise InputError(f"labels have shape {before.shape}; pass one label per object.")
    if not 0 <= share <= 1:
        raise InputError(f"share is {share}; pass a number from 0 to 1.")
    places = np.flatnonzero(before == source)
    if not places.size:
        raise InputError(f"no object has the label {source!r}; pass a source that occurs.")
    label = np.asarray(target)
    dtype = np.result_type(before, label)  # with room for a longer text
    if dtype.kind != before.dtype.kind or (dtype.kind == "U" and label.dtype.kind != "U"):
        raise InputError(
            f"target is {target!r}, but labels are of type {before.dtype}; pass one of that type."
        )
    random = np.random.default_rng(random_state)
    after = before.astype(dtype)
    after[random.choice(places, round(share * places.size), replace=False)] = target
    return after


def load_dataset(name: str, folder: str | os.PathLike[str] | None = None) -> Dataset:
    r"""Read a data set from a folder of gzipped CSV files.

    The folder holds ``<name>.csv.gz``, with a header and the cluster of each object in the column
    ``class``, and ``schema.json``, which says of each set how many ``rows`` it has and whether each
    of its ``columns`` is "numeric" or "nominal". Empty fields are missing values.

    Parameters
    ----------
    name : str
        The name of the set, such as "sonar".
    folder : path, optional
        Where the files are; if None, the environment variable CLUSTERWISE_DATA says it.

    Returns
    -------
    Dataset
        Objects in the order of the file; labels are texts, or None where they are missing.

    Raises
    ------
    InputError
        If the folder or the set is missing, or a file is damaged.

    Examples
    --------
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
            f"to the folder that holds {name}.csv.gz and {_SCHEMA}."
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


def _make(name: str, groups: Sequence[_Group], random_state: Seed) -> Dataset:
    random = np.random.default_rng(random_state)
    parts = []
    for group in groups:
        points = random.normal(0.0, group.spread, (group.size, 2))
        parts.append(points - points.mean(axis=0) + group.centre)
    labels = np.repeat([group.name for group in groups], [group.size for group in groups])
    return Dataset(name, np.concatenate(parts), labels, ("x", "y"), ("numeric", "numeric"))


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
            # Most values occur again and again; interned, each is kept once.
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
    """Floats with NaN for missing values, or texts with None for them."""
    if kind == "nominal":
        return np.array([value or None for value in values], dtype=object)
    try:
        return np.array([value or "nan" for value in values], dtype=np.float64)
    except ValueError as error:
        raise InputError(
            f"{where} is numeric by {_SCHEMA}, but is not ({error}); make it nominal, or repair "
            "the file."
        ) from None
