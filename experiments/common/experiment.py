"""What an experiment of a paper is: how to run it, and what comes of it."""

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
    """How an experiment is to be run.

    ``seeds`` is how often what is random is repeated, ``full`` asks for everything that the paper
    did, however long it takes, and ``fetch`` allows to get missing data from OpenML.
    """

    seeds: int
    folder: str | PathLike[str] | None = None
    full: bool = False
    fetch: bool = False
    progress: bool | None = None

    def load(self, name: str) -> Dataset:
        """One of the papers' data sets."""
        return find_dataset(name, self.folder, fetch=self.fetch)


class Line(NamedTuple):
    """One number beside the one that was published; None where there is none."""

    what: tuple[str, ...]
    ours: float | None
    published: float | None = None
    remark: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less the published one."""
        if self.ours is None or self.published is None:
            return None
        return self.ours - self.published


@dataclass(frozen=True, repr=False)
class Table(TableRepr):
    """Numbers of ours beside published ones; ``keys`` says what the first columns are."""

    title: str
    keys: tuple[str, ...]
    lines: Sequence[Line]
    digits: int = 3

    def records(self) -> list[dict[str, Any]]:
        """A row for each line, with full precision."""
        return [
            dict(zip(self.keys, line.what, strict=True))
            | {name: getattr(line, name) for name in _NUMBERS}
            | {_REMARK: line.remark}
            for line in self.lines
        ]

    def text_table(self) -> TextTable:
        """The lines as texts; columns in which nothing stands are left out."""
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
    """A sentence of the paper, on how many of how many counts it holds, and if not, why."""

    sentence: str
    holds: int
    of: int = 1
    why: str = ""

    @property
    def verdict(self) -> str:
        """In words."""
        if self.holds == self.of:
            return "holds"
        return f"holds on {self.holds} of {self.of}" if self.holds else "does not hold"


@dataclass(frozen=True)
class Outcome:
    """What came of an experiment: tables, what the paper claims, and remarks."""

    tables: Sequence[Table]
    claims: Sequence[Claim]
    remarks: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper.

    ``name`` begins with the paper's number; ``where`` says which table or figure it is, on which
    page; ``sets`` are the data sets that it needs, and ``seeds`` how often it is repeated unless
    the user says it, ``full_seeds`` if everything that the paper did is asked for.
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
        """The paper's number."""
        return self.name.partition("-")[0]
