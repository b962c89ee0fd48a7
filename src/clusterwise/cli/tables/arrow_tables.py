"""Read CSV and Parquet files by pyarrow, as codes and distinct values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.tables.columns import Column, ColumnReading, Table, typed_column
from clusterwise.cli.tables.text_tables import RawColumn, TextFile, check_unique_names, read_rows
from clusterwise.inputs.columns.declared import DeclaredType
from clusterwise.inputs.encoding import Array


def read_rows_fast(text: TextFile, chosen: Sequence[int]) -> list[RawColumn]:
    """Read rows like :func:`read_rows`, by pyarrow; invalid files are passed to that function."""
    import pyarrow as pa
    from pyarrow import csv

    width = len(text.header)
    names = [str(i) for i in range(width)]
    kept = [names[i] for i in chosen]
    encoded = pa.dictionary(pa.int32(), pa.string())
    try:
        table = csv.read_csv(
            pa.BufferReader(text.rows),
            csv.ReadOptions(column_names=names),
            csv.ParseOptions(
                delimiter=text.delimiter,
                newlines_in_values=b'"' in text.rows,
                ignore_empty_lines=width > 1,
            ),
            csv.ConvertOptions(
                column_types=dict.fromkeys(kept, encoded),
                include_columns=kept,
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return read_rows(text, chosen)
    return [_codes_and_values(table[name]) for name in kept]


def read_parquet(
    data: bytes, path: str, selected: frozenset[str] | None, column_options: ColumnReading
) -> Table:
    """Read columns of a Parquet file, with their types."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        schema = file.schema_arrow
        check_unique_names(schema.names, path)
        table = file.read([n for n in schema.names if selected is None or n in selected])
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{path} cannot be read as Parquet ({error}); check that it is complete."
        ) from error
    columns = {
        name: arrow_column(name, table[name], *column_options(name)) for name in table.column_names
    }
    return Table(path, schema.names, columns, table.num_rows, lambda row: f"row {row + 1}")


def arrow_column(
    name: str,
    column: Any,
    declared: DeclaredType | None = None,
    null: Sequence[str] = (),
) -> Column:
    """Return a column of an Arrow table, by the rules for typed values."""
    import pyarrow as pa

    if pa.types.is_nested(column.type):
        return Column(name, np.zeros(len(column), np.int64), [], nested=True)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    return typed_column(name, *_codes_and_values(column), declared, null)


def _codes_and_values(column: Any) -> tuple[Array, list[Any]]:
    joined = column.unify_dictionaries().combine_chunks()
    codes = joined.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return codes, joined.dictionary.to_pylist()
