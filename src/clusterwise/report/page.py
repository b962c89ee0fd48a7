"""What a report is made of, and how it becomes one page of HTML."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from clusterwise._utils.errors import MissingExtraError
from clusterwise._utils.tables import TextTable
from clusterwise.plots._names import cut_name

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

# Texts from data are shown as they are, but a label may be a whole book.
_LONGEST_CELL = 1_000
_LONG_CELL = 40
_LONGEST_TEXT = 20_000
# Words in Hebrew, Arabic and their neighbours.
_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT}]+(?: [{_RIGHT}]+)*")


@dataclass(frozen=True)
class Picture:
    """A figure: its markup, which is trusted, what it shows, and how to read it."""

    markup: str
    caption: str


@dataclass(frozen=True)
class Code:
    """Lines to copy and run."""

    text: str


class Tile(NamedTuple):
    """A number that is seen first, and what it is."""

    value: str
    label: str


Block = str | TextTable | Picture | Code


@dataclass(frozen=True)
class Section:
    """A heading and what is below it."""

    title: str
    blocks: Sequence[Block]

    @property
    def anchor(self) -> str:
        """Where links lead."""
        return re.sub("[^a-z]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True)
class Page:
    """A whole report. The first sentence of the verdict is the one that people remember."""

    title: str
    subject: str
    verdict: Sequence[str]
    tiles: Sequence[Tile]
    sections: Sequence[Section]
    made: str


def render(page: Page) -> str:
    """The page as HTML that needs nothing else."""
    return _environment().get_template("report.html").render(page=page)


@cache
def _environment() -> "Environment":
    try:
        from jinja2 import Environment, FunctionLoader
    except ModuleNotFoundError:
        raise MissingExtraError(
            "reports need jinja2, which is not installed; install clusterwise[report]."
        ) from None
    made = Environment(
        autoescape=True, loader=FunctionLoader(_template), trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"kind": _kind, "cell": _cell, "look": _look, "prose": _prose}
    return made


def _template(name: str) -> str:
    return (files("clusterwise.report") / "templates" / name).read_text(encoding="utf-8")


def _kind(block: Block) -> str:
    return type(block).__name__.lower()


def _cell(text: str) -> "Markup":
    """A name, or two with an arrow between them, each in its own direction."""
    from markupsafe import Markup

    parts = cut_name(str(text), _LONGEST_CELL).split(" → ")
    return Markup(" → ").join(Markup("<bdi>{}</bdi>").format(part) for part in parts)


def _look(text: str, left: bool) -> "Markup":
    """How a cell looks: numbers on the right, and long names in several lines."""
    from markupsafe import Markup

    looks = [*([] if left else ["number"]), *(["long"] if len(text) > _LONG_CELL else [])]
    return Markup(' class="{}"').format(" ".join(looks)) if looks else Markup()


def _prose(text: str) -> "Markup":
    """A sentence, in which names that are written from right to left do not turn what follows."""
    from markupsafe import Markup, escape

    safe = str(escape(cut_name(text, _LONGEST_TEXT)))
    return Markup(RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", safe))  # noqa: S704 (escaped above)
