"""Tables and targets, and how to print and write them."""

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable
from rich.text import Text

from benchmarks.measuring import NOT_INSTALLED, Pace

PACKAGES = ("numpy", "scipy", "numba", "POT", "scikit-learn", "genieclust", "igraph", "clusim")
NOT_MEASURED = "not measured"
WIDE = 240

Format = Callable[[Any], str]


def count(value: int) -> str:
    return f"{value:,}"


def power(value: int) -> str:
    """Return a power of ten in short form."""
    return f"10^{round(log10(value))}"


def milliseconds(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(value: float) -> str:
    return f"{milliseconds(value)}x"


def error(value: float) -> str:
    return f"{value:.1e}"


def decimal(value: float) -> str:
    return f"{value:.1f}"


@dataclass
class Table:
    """Rows of raw values, with a format for each column."""

    title: str
    columns: Mapping[str, Format]
    notes: list[str] = field(default_factory=list)
    rows: list[Sequence[Any]] = field(default_factory=list)
    difference: float | None = None

    def add(self, *cells: Any, difference: float | None = None) -> None:
        """Append a row, and keep the largest difference between values."""
        self.rows.append(cells)
        if difference is not None:
            self.difference = max(difference, self.difference or 0.0)

    def all_notes(self) -> list[str]:
        if self.difference is None:
            return self.notes
        return [*self.notes, f"Largest difference from our values: {self.difference:.1e}."]

    def to_dict(self) -> dict[str, Any]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "notes": self.all_notes(), "rows": rows}


class Target(NamedTuple):
    """A target and the measured value."""

    what: str
    target: str
    measured: str
    result: str


class Report:
    """All results so far, and the settings of the run."""

    def __init__(self, *, quick: bool) -> None:
        self.quick = quick
        self.pace = Pace(7, 0.2) if quick else Pace(15, 0.5)
        self.tables: list[Table] = []
        self.targets: list[Target] = []
        self.rates: dict[str, float] = {}  # seconds for an object, of what can be scaled up
        self._progress: Progress | None = None
        self._stderr = Console(stderr=True)

    def table(self, title: str, columns: Mapping[str, Format], notes: Sequence[str] = ()) -> Table:
        """Return a new table; its rows are printed even if the run is interrupted."""
        table = Table(title, columns, list(notes))
        self.tables.append(table)
        return table

    def require_at_least(self, what: str, target: float, measured: float | None) -> None:
        """Record a ratio and its lower bound."""
        self._require(what, f">= {target:g}x", measured, times, lambda value: value >= target)

    def require_at_most(
        self, what: str, target: float, measured: float | None, form: Format = times
    ) -> None:
        """Record a value and its upper bound."""
        self._require(what, f"<= {form(target)}", measured, form, lambda value: value <= target)

    def _require(
        self,
        what: str,
        target: str,
        measured: float | None,
        form: Format,
        holds: Callable[[float], bool],
    ) -> None:
        if measured is None:
            self.targets.append(Target(what, target, NOT_MEASURED, NOT_MEASURED))
        else:
            result = "reached" if holds(measured) else "not reached"
            self.targets.append(Target(what, target, form(measured), result))

    def step(self, text: str) -> None:
        """Print on stderr what is being measured."""
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], description=text, refresh=True)
        else:
            self._stderr.print(text, highlight=False, soft_wrap=True)

    @contextmanager
    def progress(self, section: str) -> Iterator[None]:
        """Show a line on stderr while a section runs, without a thread that redraws it."""
        if not self._stderr.is_terminal:
            yield
            return
        columns = (TextColumn(section), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(
            *columns,
            console=self._stderr,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as self._progress:
            self._progress.add_task("", total=None)
            yield
        self._progress = None

    def targets_table(self) -> Table:
        """Return all targets as a table."""
        columns = dict.fromkeys(("what", "target", "measured", "result"), str)
        table = Table("Targets", columns)
        for target in self.targets:
            table.add(*target)
        return table

    def to_dict(self) -> dict[str, Any]:
        return {
            "machine": machine(),
            "tables": [table.to_dict() for table in self.tables],
            "targets": [target._asdict() for target in self.targets],
        }

    def write_json(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_dict(), indent=2) + "\n", encoding="utf-8")


def machine() -> str:
    """Describe the machine and the versions of the libraries."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return f"{model}, {cores} cores, Python {platform.python_version()}, {packages}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return NOT_INSTALLED


class Printer:
    """Print on stdout, and keep a Markdown copy."""

    def __init__(self) -> None:
        self.printed = 0
        self._screen = Console()
        self._copy: list[str] = []

    def line(self, text: str) -> None:
        self._screen.print(text, highlight=False, markup=False, soft_wrap=True)
        self._copy.append(text)

    def table(self, table: Table) -> None:
        """Print a heading, the rows and the notes; as Markdown unless on a terminal."""
        self.printed += 1
        self.line(f"\n## {table.title}\n")
        if not table.rows:
            self.line("Nothing measured.")
        elif self._screen.is_terminal:
            self._screen.print(_drawn(table, box.SIMPLE_HEAD))
            self._copy.append(_markdown(table))
        else:
            self.line(_markdown(table))
        for i, note in enumerate(table.all_notes()):
            self.line(f"- {note}" if i else f"\n- {note}")

    def write_markdown(self, path: Path) -> None:
        path.write_text("\n".join(self._copy) + "\n", encoding="utf-8")


def _markdown(table: Table) -> str:
    console = Console(file=StringIO(), width=WIDE, color_system=None)
    with console.capture() as capture:
        console.print(_drawn(table, box.MARKDOWN))
    lines = (line.rstrip() for line in capture.get().splitlines())
    return "\n".join(line for line in lines if line)


def _drawn(table: Table, edges: box.Box) -> RichTable:
    """Headings wrap on a narrow terminal; Markdown has one line per row."""
    drawn = RichTable(box=edges)
    one_line = edges is box.MARKDOWN
    for name, form in table.columns.items():
        # A ratio is next to its time.
        heading = "ratio" if name.endswith(" ratio") else name
        drawn.add_column(
            Text(heading), justify="left" if form is str else "right", no_wrap=one_line
        )
    for row in table.rows:
        cells = zip(row, table.columns.values(), strict=True)
        drawn.add_row(
            *(Text(cell if isinstance(cell, str) else form(cell)) for cell, form in cells)
        )
    return drawn
