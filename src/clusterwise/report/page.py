"""The parts of a report, and its rendering as one HTML page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterwise._utils.errors import MissingExtraError
from clusterwise._utils.tables import TextTable, shorten
from clusterwise._utils.visible import visible, visible_lines

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

# Strings from the data are shown as they are, but cut if very long.
_LONGEST_CELL = 1_000
_LONG_CELL = 40
# Longer cells than this wrap on small screens.
_WIDE_CELL = 20
_LONGEST_TEXT = 20_000
# Hebrew, Arabic and other right-to-left scripts.
_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT}]+(?: [{_RIGHT}]+)*")


@dataclass(frozen=True)
class Plot:
    """A plot: its markup, which is trusted, and its caption."""

    markup: str
    caption: str


@dataclass(frozen=True)
class Code:
    """Lines of code to copy and run."""

    text: str


class Tile(NamedTuple):
    """A number at the top of the page, and its label."""

    value: str
    label: str


Block = str | TextTable | Plot | Code


@dataclass(frozen=True)
class Section:
    """A heading, and the blocks below it."""

    title: str
    blocks: Sequence[Block]

    @property
    def anchor(self) -> str:
        """The id that links refer to."""
        return re.sub("[^a-z]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True)
class Page:
    """A report. The first sentence of the verdict is shown large."""

    title: str
    subject: str
    verdict: Sequence[str]
    tiles: Sequence[Tile]
    sections: Sequence[Section]
    footer: str


class PageOptions(NamedTuple):
    """The options of every report: title, further parameters to list, code, and footer."""

    title: str | None
    parameters: Mapping[str, Any]
    code: str | None
    footer: str


def render(page: Page) -> str:
    """Return the page as HTML without external resources."""
    return _environment().get_template("report.html").render(page=page)


@cache
def _environment() -> "Environment":
    try:
        from jinja2 import Environment, FunctionLoader
    except ModuleNotFoundError:
        raise MissingExtraError(
            "reports need jinja2, which is not installed; install clusterwise[report]."
        ) from None
    environment = Environment(
        autoescape=True,
        finalize=_shown,
        loader=FunctionLoader(_template),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "kind": _kind, "cell": _cell, "code": _code, "look": _look, "prose": _prose
    }  # fmt: skip
    return environment


def _template(name: str) -> str:
    return (files("clusterwise.report") / "templates" / name).read_text(encoding="utf-8")


def _shown(value: Any) -> Any:
    """Return what a template prints: markup as it is, and all other text visible."""
    return value if hasattr(value, "__html__") else visible(str(value))


def _code(text: str) -> "Markup":
    """Return lines of code."""
    from markupsafe import escape

    return escape(visible_lines(text))


def _kind(block: Block) -> str:
    return type(block).__name__.lower()


def _cell(text: str) -> "Markup":
    """Return a cell; names on both sides of an arrow are isolated by text direction."""
    from markupsafe import Markup

    parts = shorten(str(text), _LONGEST_CELL).split(" → ")
    return Markup(" → ").join(Markup("<bdi>{}</bdi>").format(part) for part in parts)


def _look(text: str, left: bool) -> "Markup":
    """Return the CSS classes of a cell: numbers align right, names wrap if they are long."""
    from markupsafe import Markup

    looks = [
        *([] if left else ["number"]),
        *(["wide"] if left and len(text) > _WIDE_CELL else []),
        *(["long"] if len(text) > _LONG_CELL else []),
    ]
    return Markup(' class="{}"').format(" ".join(looks)) if looks else Markup()


def _prose(text: str) -> "Markup":
    """Return a sentence in which right-to-left names do not reorder what follows."""
    from markupsafe import Markup, escape

    safe = str(escape(shorten(text, _LONGEST_TEXT)))
    return Markup(RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", safe))  # noqa: S704 (escaped above)
