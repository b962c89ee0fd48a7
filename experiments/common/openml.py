"""Download the papers' data sets from OpenML into a folder of data sets."""

import csv
import gzip
import io
import json
import warnings
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.files import write_atomically
from clusterwise.datasets.toy import Kind
from clusterwise.inputs.encoding import Array

_SCHEMA = "schema.json"
_CLASS = "class"


class Source(NamedTuple):
    """A data set of OpenML with its expected shape, to be sure that it is the papers' one.

    It is identified by its data id or, if that is None, by name and version. The class
    is OpenML's default target unless ``target`` names another column.
    """

    name: str
    data_id: int | None
    rows: int
    numeric: int
    nominal: int
    classes: int
    version: int = 1
    target: str = "default-target"

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of rows, features and classes."""
        return self.rows, self.numeric + self.nominal, self.classes


SOURCES = {
    "australian": Source("Australian", 40981, 690, 6, 8, 2),
    "breast-cancer": Source("breast-cancer", 13, 286, 0, 9, 2),
    "bupa": Source("liver-disorders", 8, 345, 6, 0, 2, target="selector"),
    "car": Source("car", 40975, 1_728, 0, 6, 4),
    "colic": Source("colic", 27, 368, 7, 15, 2),
    "diabetes": Source("diabetes", 37, 768, 8, 0, 2),
    "esl": Source("ESL", 1027, 488, 4, 0, 9),
    "eucalyptus": Source("eucalyptus", 188, 736, 14, 5, 5),
    "german": Source("credit-g", 31, 1_000, 7, 13, 2),
    "glass": Source("glass", 41, 214, 9, 0, 6),
    "heart-statlog": Source("heart-statlog", 53, 270, 13, 0, 2),
    "hepatitis": Source("hepatitis", 55, 155, 6, 13, 2),
    "ionosphere": Source("ionosphere", 59, 351, 34, 0, 2),
    "iris": Source("iris", 61, 150, 4, 0, 3),
    "kr-vs-kp": Source("kr-vs-kp", 3, 3_196, 0, 36, 2),
    "mushroom": Source("mushroom", 24, 8_124, 0, 22, 2),
    "new-thyroid": Source("thyroid-new", None, 215, 5, 0, 3),
    "postoperative": Source("postoperative-patient-data", 34, 90, 0, 8, 3),
    "sick": Source("sick", 38, 3_772, 7, 22, 2),
    "sonar": Source("sonar", 40, 208, 60, 0, 2),
    "spect": Source("SPECT", 336, 267, 0, 22, 2),
    "splice": Source("splice", 46, 3_190, 0, 60, 3),
    "tic-tac-toe": Source("tic-tac-toe", 50, 958, 0, 9, 2),
    "titanic": Source("Titanic", 40704, 2_201, 0, 3, 2),
    "vehicle": Source("vehicle", 54, 846, 18, 0, 4),
    "vote": Source("vote", 56, 435, 0, 16, 2),
    "waveform-5000": Source("waveform-5000", 60, 5_000, 40, 0, 3),
    "wine": Source("wine", 187, 178, 13, 0, 3),
}
# Data sets that are not known to be on OpenML, and their sources.
ELSEWHERE = {
    "cars-statlib": "the cars of the ASA exposition of 1983, in StatLib",
    "kddcup99_corrected": "the file corrected.gz of the KDD Cup 1999, in the UCI repository",
    "lenses": "the lenses of the UCI repository, which Weka has as contact-lenses.arff",
    "sequoia": "the points of the Sequoia 2000 benchmark, 62,556 places in California",
}


class Columns(NamedTuple):
    """A data set as strings, empty for missing values, and the kind of each feature."""

    features: Mapping[str, Sequence[str]]
    kinds: Mapping[str, Kind]
    labels: Sequence[str]


def fetch_dataset(name: str, folder: Path) -> None:
    """Download a data set from OpenML and write it into the folder (atomically)."""
    if name in ELSEWHERE:
        raise InputError(
            f"OpenML is not known to have the data set {name!r} ({ELSEWHERE[name]}); bring it into "
            f"the form of {name}.csv.gz and {_SCHEMA}, and pass its folder with --data."
        )
    if name not in SOURCES:
        raise InputError(f"unknown data set {name!r}; use one of: {', '.join(SOURCES)}.")
    source = SOURCES[name]
    columns = read_bunch(_fetch(name, source))
    write_set(name, check_columns(name, columns, source), folder)


def read_bunch(bunch: Any) -> Columns:
    """Return the columns of the result of fetch_openml with ``as_frame=False``."""
    nominal: Mapping[str, Sequence[Any]] = bunch.categories or {}
    features = {
        name: _as_strings(column, nominal.get(name))
        for name, column in zip(bunch.feature_names, np.asarray(bunch.data).T, strict=True)
    }
    kinds: dict[str, Kind] = {
        name: "nominal" if name in nominal else "numeric" for name in features
    }
    return Columns(features, kinds, _as_strings(np.asarray(bunch.target)))


def check_columns(name: str, columns: Columns, source: Source) -> Columns:
    """Raise an error unless the data set is the papers' one; correct the kinds of features."""
    found = len(columns.labels), len(columns.features), len(set(columns.labels) - {""})
    kinds = dict(columns.kinds)
    if not source.nominal:
        kinds = dict.fromkeys(kinds, "numeric")
    elif not source.numeric:
        kinds = dict.fromkeys(kinds, "nominal")
    numeric = sum(kind == "numeric" for kind in kinds.values())
    if found != source.shape or numeric != source.numeric:
        raise InputError(
            f"OpenML's {_which(source)} is not the {name!r} of the papers: it has "
            f"{_shape(*found)}, {numeric} of them numeric, in place of {_shape(*source.shape)}, "
            f"{source.numeric} of them numeric; pass the folder of the data sets with --data."
        )
    return columns._replace(kinds=kinds)


def write_set(name: str, columns: Columns, folder: Path) -> None:
    """Write a data set for load_dataset; the schema before the data, which needs it.

    A feature named "class" gets an underscore, since that is the name of the labels.
    """
    names = [feature + "_" * (feature == _CLASS) for feature in columns.features]
    kinds = dict(zip(names, columns.kinds.values(), strict=True)) | {_CLASS: "nominal"}
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(kinds)
    writer.writerows(zip(*columns.features.values(), columns.labels, strict=True))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        schema = _read_schema(folder / _SCHEMA)
    except OSError as error:
        raise InputError(
            f"the data set {name!r} cannot be written to {folder} ({error.strerror}); set the "
            "environment variable SCIKIT_LEARN_DATA to another folder."
        ) from error
    schema[name] = {"rows": len(columns.labels), "columns": kinds}
    write_atomically(folder / _SCHEMA, json.dumps(schema, indent=1).encode())
    # Without a time stamp the same data set gives the same bytes.
    data = gzip.compress(text.getvalue().encode(), mtime=0)
    write_atomically(folder / f"{name}.csv.gz", data)


def _fetch(name: str, source: Source) -> Any:
    from sklearn.datasets import fetch_openml

    which: dict[str, Any] = (
        {"name": source.name, "version": source.version}
        if source.data_id is None
        else {"data_id": source.data_id}
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on retries and old versions
            return fetch_openml(
                **which, target_column=source.target, as_frame=False, parser="liac-arff"
            )
    except (OSError, ValueError, LookupError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise InputError(
            f"the data set {name!r} cannot be downloaded from OpenML ({_which(source)}: {reason}); "
            "try again with a connection, or pass its folder with --data."
        ) from error


def _as_strings(column: Array, categories: Sequence[Any] | None = None) -> list[str]:
    """Return values as strings; numbers may be codes of categories, NaN is missing."""
    if categories is not None:
        return ["" if np.isnan(code) else str(categories[int(code)]) for code in column]
    if column.dtype.kind in "OUS":
        return ["" if value is None else str(value) for value in column]
    return ["" if np.isnan(value) else repr(float(value)).removesuffix(".0") for value in column]


def _read_schema(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); delete it and fetch again.") from None
    return schema


def _which(source: Source) -> str:
    if source.data_id is None:
        return f"{source.name}, version {source.version}"
    return f"{source.name}, data id {source.data_id}"


def _shape(rows: int, features: int, classes: int) -> str:
    return f"{rows} rows, {classes} classes and {features} features"
