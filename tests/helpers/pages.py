"""Reading the pages that reports are: elements, texts, links, without a browser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

# Half a unit of the last digit: numbers are printed with four decimals.
PRINTED = 5.0001e-5
_LINKS = ("href", "xlink:href")
_LISTS_OF_IDS = ("aria-labelledby", "aria-describedby", "aria-controls", "for")
_URL = re.compile(r"url\(\s*['\"]?#([^'\")\s]*)")
_VOID = {"meta", "img", "br", "link", "input", "hr"}


@dataclass
class Element:
    tag: str
    features: dict[str, str | None]
    parent: "Element | None" = None
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def plot(self) -> "Element | None":
        """The drawing that the element is part of, if any."""
        return self if self.tag == "svg" else self.parent and self.parent.plot

    def within(self, tag: str) -> bool:
        return self.parent is not None and (self.parent.tag == tag or self.parent.within(tag))

    def references(self) -> Iterator[str]:
        """The ids that the element refers to."""
        for name, value in self.features.items():
            if name in _LINKS and value and value.startswith("#"):
                yield value[1:]
            if name in _LISTS_OF_IDS:
                yield from (value or "").split()
            yield from _URL.findall(value or "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs), self.open[-1] if self.open else None)
        self.elements.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append(Element(tag, dict(attrs), self.open[-1] if self.open else None))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        for element in self.open:
            element.texts.append(data)


class Page:
    """A page, read strictly: elements are nested, ids are unique, and references have a target.

    Those of a plot are inside the same plot, because plots of one page share matplotlib's ids.
    """

    def __init__(self, path) -> None:
        self.source = path.read_text(encoding="utf-8")
        reader = _Reader()
        reader.feed(self.source)
        reader.close()
        assert not reader.open, "an element is not closed"
        self.elements = reader.elements
        assert len(set(self.ids)) == len(self.ids), "an id is used twice"
        targets = {e.features["id"]: e for e in self.elements if e.features.get("id")}
        for element in self.elements:
            for target in element.references():
                assert target in targets, f"nothing has the id {target}"
                assert targets[target].plot is element.plot, f"{target} is in another plot"

    def all(self, *tags: str) -> list[Element]:
        return [element for element in self.elements if element.tag in tags]

    def one(self, tag: str) -> Element:
        (found,) = self.all(tag)
        return found

    def of_class(self, name: str) -> list[Element]:
        return [e for e in self.elements if name in (e.features.get("class") or "").split()]

    @property
    def sections(self) -> list[str]:
        return [heading.text for heading in self.all("h2")]

    @property
    def pictures(self) -> list[Element]:
        return [e for e in self.all("svg", "img") if e.within("figure")]

    @property
    def rows(self) -> list[list[str]]:
        """The cells of all rows of all tables."""
        return [
            [e.text for e in self.elements if e.tag in ("th", "td") and e.parent is row]
            for row in self.all("tr")
        ]

    @property
    def ids(self) -> list[str]:
        return [e.features["id"] for e in self.elements if e.features.get("id")]
