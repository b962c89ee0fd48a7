"""Experiments of papers: their setup, tables, claims and outcome."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, NamedTuple

from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.datasets.toy import Dataset
from experiments.common.datasets import find_dataset

_NUMBERS = ("ours", "published", "difference")
_REMARK = "remark"


class Setup(NamedTuple):
    """How to run an experiment.

    ``seeds`` is the number of repetitions, ``full`` runs everything that the paper ran, however
    long it takes, and ``fetch`` downloads missing data sets from OpenML.
    """

    seeds: int
    folder: str | PathLike[str] | None = None
    full: bool = False
    fetch: bool = False
    progress: bool | None = None

    def load(self, name: str) -> Dataset:
        """Load one of the papers' data sets."""
        return find_dataset(name, self.folder, fetch=self.fetch)


class Line(NamedTuple):
    """Our value and the published one; None if there is none."""

    what: tuple[str, ...]
    ours: float | None
    published: float | None = None
    remark: str = ""

    @property
    def difference(self) -> float | None:
        """Our value minus the published one."""
        if self.ours is None or self.published is None:
            return None
        return self.ours - self.published


@dataclass(frozen=True, repr=False)
class Table(TableRepr):
    """Our values next to the published ones; ``keys`` are the names of the first columns."""

    title: str
    keys: tuple[str, ...]
    lines: Sequence[Line]
    digits: int = 3

    def records(self) -> list[dict[str, Any]]:
        """Return a record for each line, with full precision."""
        return [
            dict(zip(self.keys, line.what, strict=True))
            | {name: getattr(line, name) for name in _NUMBERS}
            | {_REMARK: line.remark}
            for line in self.lines
        ]

    def text_table(self) -> TextTable:
        """Return the table as text; empty columns are left out."""
        shown = [
            name
            for name in (*_NUMBERS, _REMARK)
            if any(getattr(line, name) not in (None, "") for line in self.lines)
        ]
        rows = [
            [*line.what, *(self._cell(getattr(line, name)) for name in shown)]
            for line in self.lines
        ]
        header = [*self.keys, *shown]
        left = [i for i, name in enumerate(header) if name not in _NUMBERS]
        return TextTable(header, rows, self.title, frozenset(left))

    def _cell(self, value: float | str | None) -> str:
        if value is None:
            return ""
        return value if isinstance(value, str) else f"{value:.{self.digits}f}"


class Claim(NamedTuple):
    """A claim of the paper: in how many of how many cases it holds, and the reason if not."""

    sentence: str
    holds: int
    of: int = 1
    why: str = ""

    @property
    def verdict(self) -> str:
        """A description."""
        if not self.of:
            return "cannot be decided"
        if self.holds == self.of:
            return "holds"
        return f"holds on {self.holds} of {self.of}" if self.holds else "does not hold"


@dataclass(frozen=True)
class Outcome:
    """The outcome of an experiment: tables, verdicts on claims, and remarks."""

    tables: Sequence[Table]
    claims: Sequence[Claim]
    remarks: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper.

    ``name`` begins with the paper's name; ``where`` is the table or figure and its page; ``sets``
    are the data sets that it needs, ``seeds`` is the default number of repetitions, and
    ``full_seeds`` that of the full form.
    """

    name: str
    title: str
    where: str
    run: Callable[[Setup], Outcome]
    sets: tuple[str, ...] = ()
    seeds: int = 1
    full_seeds: int | None = None

    @property
    def paper(self) -> str:
        """The paper's name."""
        return self.name.partition("-")[0]
