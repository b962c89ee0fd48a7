"""Join several files on disk by key."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.engine import Engine, quoted
from clusterwise.cli.tables.joining import note_common_objects
from clusterwise.cli.tables.object_view import ObjectView
from clusterwise.cli.tables.selection import check_types
from clusterwise.cli.tables.sources import LocalFile, Source, open_source
from clusterwise.cli.tables.value_expressions import key_string, missing_condition, string_of


def open_objects(engine: Engine, files: Sequence[LocalFile], reading: FileOptions) -> ObjectView:
    """Return the objects that are in every FILE, matched by key."""
    sources = [open_source(engine, file, reading) for file in files]
    objects = _join(engine, sources, reading)
    check_types(objects.tables, [one.file.title for one in files], reading)
    return objects


def _join(engine: Engine, sources: Sequence[Source], reading: FileOptions) -> ObjectView:
    key = reading.key
    if key is None:
        if len(sources) > 1:
            paths = " and ".join(source.path for source in sources)
            raise InputError(
                f"DuckDB cannot match the rows of {paths} by position; use --key to match them by "
                "a column that identifies the objects."
            )
        return ObjectView(engine, sources, reading, sources[0].query)
    keys = [_key(engine, source, key) for source in sources]
    joined = sources[0].query + "".join(
        f" JOIN {source.query} ON {keys[0]} = {own}"
        for source, own in zip(sources[1:], keys[1:], strict=True)
    )
    if len(sources) == 1:
        return ObjectView(engine, sources, reading, joined)
    objects = ObjectView(engine, sources, reading, joined, kept=True)
    note_common_objects([(source.path, source.rows) for source in sources], key, objects.rows)
    return objects


def _key(engine: Engine, source: Source, key: str) -> str:
    """Return the key as a string that is equal in all files; check that it is unique."""
    if key not in source.names:
        raise InputError(
            f"{source.path} has no column {key!r} for --key; it has {', '.join(source.names)}."
        )
    position = source.names.index(key)
    kind = source.types[position]
    if kind == "nested":
        raise InputError(f"--key {key} contains lists or objects; name another column.")
    column = f"{source.query}.c{position}"
    missing = missing_condition(column, kind, (None, ()))
    (n_missing,) = engine.row(f"SELECT count(*) FROM {source.query} WHERE {missing}")
    if n_missing:
        (where,) = _locations(engine, source, missing, 1)
        raise InputError(
            f"{source.path} has no {key} on {where} ({n_missing} of {source.rows} rows); fill it "
            "in, or remove those rows."
        )
    text = string_of(column, kind)
    text = text if kind == "integer" else key_string(f"trim({text})")
    twice = engine.execute(
        f"SELECT {text} AS k FROM {source.query} GROUP BY k HAVING count(*) > 1 ORDER BY k LIMIT 1"
    ).fetchall()
    if twice:
        name = twice[0][0]
        first, second = _locations(engine, source, f"{text} = {quoted(name)}", 2)
        raise InputError(
            f"{source.path} has the {key} {name!r} twice, on {first} and {second}; a key must be "
            "unique."
        )
    return text


def _locations(engine: Engine, source: Source, condition: str, count: int) -> list[str]:
    found = engine.execute(
        f"SELECT g FROM {source.query} WHERE {condition} ORDER BY g LIMIT {count}"
    ).fetchall()
    return [source.location(row) for (row,) in found]
