"""DuckDB with a memory limit; data that do not fit are written to a temporary folder."""

import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from clusterwise._utils.errors import InputError, MissingExtraError
from clusterwise._utils.files import owned_prefix, remove_abandoned
from clusterwise._utils.progress import track
from clusterwise.cli.signals import held_signals
from clusterwise.inputs.encoding import Array

Found = TypeVar("Found")

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]i?b)", re.IGNORECASE)
# Seconds between two updates of the progress of a query.
_PAUSE = 0.1
# Rows of a record batch.
_BATCH = 1 << 17


def check_memory(memory: str | None) -> str | None:
    """Return an amount of memory as DuckDB spells it."""
    if memory is None:
        return None
    found = _AMOUNT.fullmatch(memory.strip())
    if found is None or not float(found[1]):
        raise InputError(
            f"--memory {memory} is not an amount of memory; use a number and a unit, such as 512MB "
            "or 1GB."
        )
    return found[1] + found[2]


class Engine:
    """A connection to DuckDB, as a context manager.

    Queries run in a thread of their own, so that the main thread can show the progress and
    react to Ctrl-C and other signals, which stop the query.
    """

    def __init__(self, path: str, memory: str | None = None, *, spill: bool = True) -> None:
        self.memory = check_memory(memory)
        self._spill = spill
        self._path = path
        self._made = 0
        self._stopped = threading.Event()

    def __enter__(self) -> Self:
        remove_abandoned(Path(tempfile.gettempdir()))
        self._folder = tempfile.TemporaryDirectory(
            prefix=owned_prefix(), ignore_cleanup_errors=True
        )
        import duckdb

        self._duckdb = duckdb
        self.out_of_memory = duckdb.OutOfMemoryException
        # What DuckDB may raise for a file that it cannot read.
        self.refusals = (
            duckdb.InvalidInputException, duckdb.ConversionException, duckdb.IOException,
            duckdb.NotImplementedException,
        )  # fmt: skip
        self.connection = duckdb.connect(
            config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
        )
        self.execute("SET enable_progress_bar_print = false")
        self.execute("SET enable_progress_bar = true")
        self.execute("SET progress_bar_time = 0")
        self.execute(f"SET temp_directory = {quoted(self._folder.name)}")
        if self.memory is not None:
            self.execute(f"SET memory_limit = '{self.memory}'")
        if not self._spill:  # the columns have to be in memory in the end
            self.execute("SET max_temp_directory_size = '0KB'")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.connection.close()
        self._folder.cleanup()

    @property
    def temporary(self) -> str:
        """The folder of temporary folders."""
        return tempfile.gettempdir()

    def fresh_path(self) -> Path:
        """Return a path in the temporary folder at which there is no file yet."""
        return Path(self._folder.name) / self.fresh("copy")

    def readable(self, path: Path) -> str:
        """Return the path of a file for DuckDB, which is a link if its name is not text."""
        try:
            str(path).encode()
        except UnicodeEncodeError:
            link = self.fresh_path()
            link.symlink_to(path.absolute())
            path = link
        return str(path)

    def check_stopped(self) -> None:
        """Raise an error if the main thread waits for the end of the work."""
        if self._stopped.is_set():
            raise KeyboardInterrupt

    def fresh(self, name: str) -> str:
        """Return a name that is not used yet."""
        self._made += 1
        return f"{name}{self._made}"

    def execute(self, query: str) -> Any:
        """Run a query."""
        return self.connection.execute(query)

    def row(self, query: str) -> tuple[Any, ...]:
        """Return the one row of a query."""
        (found,) = self.connection.execute(query).fetchall()
        return tuple(found)

    def column(self, query: str) -> list[Any]:
        """Return the one column of a query, as Python values."""
        relation = self.connection.sql(query)
        if str(relation.types[0]) == "VARCHAR":  # this is faster
            (found,) = relation.fetchnumpy().values()
            return list(found.tolist())
        return [value for (value,) in relation.fetchall()]

    def relation(self, query: str) -> Any:
        """Return a query as a lazy frame."""
        return self.connection.sql(query)

    def batches(self, query: str) -> Any:
        """Return the result of a query as Arrow record batches, which are computed when read.

        Files are written from these and not by a COPY, which may wait forever in DuckDB 2.0 once
        it is interrupted.
        """
        if find_spec("pyarrow") is None:
            raise MissingExtraError(
                "--output of files on disk is written with pyarrow, which is not installed; run "
                "pip install 'clusterwise[engines]', or leave out --output."
            )
        return self.connection.sql(query).to_arrow_reader(_BATCH)

    def keep(
        self, name: str, columns: dict[str, Array], query: str = "SELECT * FROM given"
    ) -> None:
        """Store arrays, or the result of ``query`` on them, as a table of the engine."""
        self.connection.register("given", columns)
        self.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")
        self.connection.unregister("given")

    def run(self, work: Callable[[], Found]) -> Found:
        """Run a function; errors of the engine become input errors."""
        done: Future[Found] = Future()
        with held_signals() as received:
            threading.Thread(target=_fill, args=(done, work), daemon=True).start()
            while not (received or done.done()):  # with a bar for each query that takes a while
                for _ in track(self._percents(done, received), 100, "reading files"):
                    pass
                wait([done], _PAUSE)
            if not done.done():
                self._stopped.set()
            while not done.done():  # more than once, as it may be between two queries
                self.connection.interrupt()
                wait([done], _PAUSE)
        try:
            return done.result()
        except self._duckdb.Error as error:
            raise self._refusal(error) from error

    def _percents(self, done: "Future[Any]", received: list[int]) -> Iterator[None]:
        """Yield an item for each percent of the query that is done."""
        passed = 0
        while not (received or done.done()):
            now = self.connection.query_progress()
            if now < passed:  # -1 if there is no query, less than before if it is the next one
                return
            while passed < int(now):
                passed += 1
                yield
            wait([done], _PAUSE)

    def _refusal(self, error: Exception) -> Exception:
        said = " ".join(str(error).split()).partition("Possible solutions")[0]
        if self._spill and ("max_temp_directory_size" in said or self._folder.name in said):
            return InputError(
                "the data do not fit into memory, nor into the temporary folder "
                f"{tempfile.gettempdir()}; free some space on its disk, set the environment "
                "variable TMPDIR to a folder on another one, or allow more with --memory."
            )
        if isinstance(error, self._duckdb.OutOfMemoryException):
            if not self._spill:
                return InputError(
                    f"{self._path} does not fit into the machine's memory; compare, combine and "
                    "profile can leave it on disk with --memory, such as --memory 4GB."
                )
            limit = "the machine's memory" if self.memory is None else f"--memory {self.memory}"
            return InputError(
                f"{limit} is not enough for these columns (DuckDB: {said[:200]}); allow more with "
                "--memory, or name fewer columns."
            )
        if isinstance(error, self._duckdb.InternalException | self._duckdb.ProgrammingError):
            bad = "Parquet" in said or "magic" in said
            if not bad:
                return error
        return InputError(
            f"{self._path} cannot be read by DuckDB ({said[:300]}); check that its files are "
            "complete."
        )


def quoted(text: str) -> str:
    """Return a string as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _fill(done: "Future[Found]", work: Callable[[], Found]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:
        done.set_exception(error)
