"""Tables that the engine writes, whole or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import Engine, quoted
from clusterwise.cli.tables.label_files import check_label_file

_FORMATS = {
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
    ".pq": "FORMAT parquet, COMPRESSION zstd",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".tab": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
}
_CSV = "FORMAT csv, HEADER"


def check_target(output: str | None) -> None:
    """Refuse names of formats that are not written, and what is no file."""
    if output is None:
        return
    if Path(output).suffix.lower() not in _FORMATS:
        check_label_file(output)
    if Path(output).exists() and not Path(output).is_file():
        raise InputError(f"--output {output} is no file that can be replaced; name another one.")


def write_query(engine: Engine, query: str, output: str) -> None:
    """What a query finds, written beside the target and renamed when it is whole."""
    target = Path(output).resolve()
    how = _FORMATS.get(target.suffix.lower(), _CSV)
    draft = target.with_name(f".clusterwise.{os.getpid()}.{token_hex(4)}.part")
    try:
        engine.execute(f"COPY ({query}) TO {quoted(str(draft))} ({how})")
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except OSError as error:
        raise InputError(
            f"--output {output} cannot be written ({error.strerror}); choose another place."
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
