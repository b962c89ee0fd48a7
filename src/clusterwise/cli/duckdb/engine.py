"""DuckDB with a memory limit: what it needs beyond that goes to a folder that is removed."""

import re
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self, TypeVar

from clusterwise._utils.errors import InputError, MissingExtraError
from clusterwise._utils.progress import track

Found = TypeVar("Found")

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]i?b)", re.IGNORECASE)
# How often a query is asked how far it is, in seconds.
_PAUSE = 0.1


def check_memory(memory: str | None) -> str | None:
    """An amount of memory as DuckDB writes it."""
    if memory is None:
        return None
    found = _AMOUNT.fullmatch(memory.strip())
    if found is None or not float(found[1]):
        raise InputError(
            f"--memory {memory} is no amount of memory; write a number and a unit, such as 512MB "
            "or 1GB."
        )
    return found[1] + found[2]


def require_duckdb(path: str) -> Any:
    """DuckDB itself, or the extra that brings it."""
    try:
        import duckdb
        import pyarrow as pa  # noqa: F401 (DuckDB's tables come as those of Arrow)
    except ImportError:
        raise MissingExtraError(
            f"{path} is read by DuckDB and pyarrow, which are not both installed; "
            "run pip install 'clusterwise[engines]'."
        ) from None
    return duckdb


class Engine:
    """A connection to DuckDB, for as long as the block lasts.

    Work runs in a thread of its own, so that the main one can show how far it is and hear
    Ctrl-C, which stops the query.
    """

    def __init__(self, path: str, memory: str | None) -> None:
        self.memory = check_memory(memory)
        self._duckdb = require_duckdb(path)
        self._path = path
        self._made = 0

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory(prefix="clusterwise-", ignore_cleanup_errors=True)
        self.connection = self._duckdb.connect()
        self.execute("SET enable_progress_bar_print = false")
        self.execute("SET enable_progress_bar = true")
        self.execute("SET progress_bar_time = 0")
        self.execute(f"SET temp_directory = {quoted(self._folder.name)}")
        if self.memory is not None:
            self.execute(f"SET memory_limit = '{self.memory}'")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.connection.close()
        self._folder.cleanup()

    def fresh(self, name: str) -> str:
        """A name that nothing has yet."""
        self._made += 1
        return f"{name}{self._made}"

    def execute(self, query: str) -> Any:
        """Run a query at once."""
        return self.connection.execute(query)

    def row(self, query: str) -> tuple[Any, ...]:
        """The one row that a query finds."""
        (found,) = self.connection.execute(query).fetchall()
        return tuple(found)

    def table(self, query: str) -> Any:
        """What a query finds, as a table of Arrow."""
        return self.connection.sql(query).to_arrow_table()

    def relation(self, query: str) -> Any:
        """What a query would find, as a frame that is not computed yet."""
        return self.connection.sql(query)

    def keep(self, name: str, table: Any, query: str = "SELECT * FROM given") -> None:
        """A table of Arrow (or what ``query`` makes of it) as one of the engine."""
        self.connection.register("given", table)
        self.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")
        self.connection.unregister("given")

    def run(self, work: Callable[[], Found]) -> Found:
        """Do this work; what the engine complains about becomes a sentence."""
        done: Future[Found] = Future()
        with _held_interrupt() as pressed:
            threading.Thread(target=_fill, args=(done, work), daemon=True).start()
            while not (pressed or done.done()):  # with a bar for each query that takes a while
                for _ in track(self._percents(done, pressed), 100, "reading files"):
                    pass
                wait([done], _PAUSE)
            while not done.done():  # more than once, as it may be between two queries
                self.connection.interrupt()
                wait([done], _PAUSE)
        try:
            return done.result()
        except self._duckdb.Error as error:
            raise self._refusal(error) from error

    def _percents(self, done: "Future[Any]", pressed: list[int]) -> Iterator[None]:
        """An item for each hundredth that the query is further; it ends with the query."""
        passed = 0
        while not (pressed or done.done()):
            now = self.connection.query_progress()
            if now < passed:  # -1 if there is no query, less than before if it is the next one
                return
            while passed < int(now):
                passed += 1
                yield
            wait([done], _PAUSE)

    def _refusal(self, error: Exception) -> Exception:
        said = " ".join(str(error).split()).partition("Possible solutions")[0]
        if isinstance(error, self._duckdb.OutOfMemoryException):
            limit = "the machine's memory" if self.memory is None else f"--memory {self.memory}"
            return InputError(
                f"{limit} is too little for these columns (DuckDB: {said[:200]}); allow more with "
                "--memory, or name fewer columns."
            )
        if isinstance(error, self._duckdb.InternalException | self._duckdb.ProgrammingError):
            bad = "Parquet" in said or "magic" in said
            if not bad:
                return error
        return InputError(
            f"{self._path} cannot be read by DuckDB ({said[:300]}); check that its files are "
            "whole and that the disk is not full."
        )


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def _held_interrupt() -> Iterator[list[int]]:
    """Note Ctrl-C in a list, and let it take effect at the end of the block.

    An exception that comes while a thread is started or waited for would leave it running, with
    the connection, or leave a lock closed that it needs to end.
    """
    handler = signal.getsignal(signal.SIGINT)
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield pressed
        return
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed:
        handler(pressed[0], None)


def _fill(done: "Future[Found]", work: Callable[[], Found]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:
        done.set_exception(error)
