"""Results as CSV and JSON texts."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Comma-separated, with a header and full precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def json_text(value: Any) -> str:
    """Indented JSON that keeps letters of all languages readable."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)
