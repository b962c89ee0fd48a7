"""Files with a row per object: CSV, TSV or JSON Lines, as the name says."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import write

_NO_TEXT = (".json", ".parquet", ".pq", ".gz", ".xlsx")


def check_label_file(output: str | None) -> None:
    """Refuse names of formats that are not written."""
    if output is not None and Path(output).suffix.lower() in _NO_TEXT:
        raise InputError(f"--output {output}: labels are written as .csv, .tsv or .jsonl.")


def write_columns(columns: Mapping[str, Sequence[Any]], output: str) -> None:
    """A row per object, whole or not at all; None is an empty field, or null."""
    rows = zip(*columns.values(), strict=True)
    suffix = Path(output).suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        lines = (dict(zip(columns, row, strict=True)) for row in rows)
        text = "".join(json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in lines)
    else:
        written = io.StringIO()
        delimiter = "\t" if suffix in (".tsv", ".tab") else ","
        csv.writer(written, delimiter=delimiter, lineterminator="\n").writerows([columns, *rows])
        text = written.getvalue()
    write(text, output)
