"""Files of labels of objects that stay on disk, written in batches."""

from pathlib import Path
from typing import Any, BinaryIO

from clusterwise._utils.errors import InputError
from clusterwise._utils.files import drafted
from clusterwise.cli.input_files import PARQUET_ENDINGS
from clusterwise.cli.output import check_label_file, columns_text


def check_batch_file(output: str | None) -> None:
    """Raise an error for formats that are not written, and for paths that are not files."""
    if output is None:
        return
    if not output.lower().endswith(PARQUET_ENDINGS):
        check_label_file(output)
    if Path(output).exists() and not Path(output).is_file():
        raise InputError(f"--output {output} is not a regular file; name another one.")


def write_batches(batches: Any, output: str, *, excel_safe: bool = False) -> None:
    """Write Arrow record batches as Parquet, CSV, TSV or JSON Lines (atomically)."""
    with drafted(Path(output), f"--output {output}") as draft, draft.open("xb") as file:
        if output.lower().endswith(PARQUET_ENDINGS):
            _write_parquet(batches, file)
            return
        header = True
        for batch in batches:
            text = columns_text(batch.to_pydict(), output, header=header, excel_safe=excel_safe)
            file.write(text.encode())
            header = False


def _write_parquet(batches: Any, file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, batches.schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
