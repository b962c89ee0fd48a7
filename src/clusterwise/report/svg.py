"""Render displays as markup: SVG in the colours and fonts of the page, or PNG if large."""

import io
import re
import warnings
from base64 import b64encode
from collections.abc import Callable
from html import escape
from typing import Any

# Only the SVG of our own displays is parsed here.
from xml.etree import ElementTree as ET

from clusterwise._utils.errors import MissingExtraError
from clusterwise._utils.visible import visible
from clusterwise.plots._palette import FAINT, INK, PAPER
from clusterwise.report.page import RIGHT_TO_LEFT, Plot

_LARGEST_SVG = 400_000
_PNG_DPI = 130
_PER_INCH = 96
_COLOURS = {INK: "var(--ink)", FAINT: "var(--faint)", PAPER: "var(--paper)"}
_FONT = re.compile(r"'DejaVu Sans'.*sans-serif")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_LINK = "{http://www.w3.org/1999/xlink}href"
_NAMESPACE = "{http://www.w3.org/2000/svg}"
_SETTINGS: dict[Any, Any] = {
    # Text is not converted to paths: it can be searched, and the page's fonts have all characters.
    "svg.fonttype": "none",
    "svg.hashsalt": "clusterwise",
    "figure.dpi": 100,
}


class PlotRenderer:
    """Renders the plots of one page, with ids that are unique on it."""

    def __init__(self) -> None:
        try:
            import matplotlib as mpl
            from matplotlib import pyplot as plt
        except ModuleNotFoundError:
            raise MissingExtraError(
                "reports need matplotlib, which is not installed; install clusterwise[report]."
            ) from None
        self._mpl, self._plt = mpl, plt
        self._count = 0

    def draw(self, plot: Callable[[], Any], what: str, caption: str) -> Plot:
        """Return the display that ``plot()`` draws as markup; ``what`` is its text alternative."""
        self._count += 1
        with self._mpl.rc_context(), self._plt.ioff(), warnings.catch_warnings():
            # The fonts of the page have the characters that the font of the plot lacks.
            warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
            self._mpl.rcdefaults()
            self._mpl.rcParams.update(_SETTINGS)
            figure = plot().figure_.get_figure(root=True)
            try:
                description = visible(f"{what}. {_title(figure)}".strip())
                return Plot(self._markup(figure, description), caption)
            finally:
                self._plt.close(figure)

    def _markup(self, figure: Any, description: str) -> str:
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        width = round(figure.get_figwidth() * _PER_INCH)
        markup = _as_element(buffer.getvalue(), f"plot{self._count}", description, width)
        return (
            markup
            if len(markup.encode()) <= _LARGEST_SVG
            else _as_image(figure, description, width)
        )


def _as_element(svg: str, prefix: str, description: str, width: int) -> str:
    """Return an SVG file as an element of the page."""
    root = ET.fromstring(svg)  # noqa: S314
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_NAMESPACE}metadata", f"{_NAMESPACE}style"):
                parent.remove(child)
    used = _references(root)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_NAMESPACE)
        _adapt(element, used, prefix)
    for name in ("version", "width", "height"):
        root.attrib.pop(name, None)
    style = f"--width: {width}px; max-width: {width}px"
    root.attrib |= {"role": "img", "aria-label": description, "style": style}
    return ET.tostring(root, encoding="unicode")


def _references(root: ET.Element) -> set[str]:
    """Return the ids that elements of the plot refer to."""
    found = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == _LINK and value.startswith("#"):
                found.add(value[1:])
            found.update(_REFERENCE.findall(value))
    return found


def _adapt(element: ET.Element, used: set[str], prefix: str) -> None:
    """Make ids unique on the page, and use its colours and fonts."""
    if element.text:
        # Isolate right-to-left text, so that it does not reorder the numbers beside it.
        element.text = RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", element.text)
    attributes = dict(element.attrib)
    element.attrib.clear()
    for name, value in attributes.items():
        if name == "id":
            if value in used:
                element.set("id", f"{prefix}-{value}")
        elif name == _LINK:
            element.set("href", f"#{prefix}-{value[1:]}" if value.startswith("#") else value)
        elif name == "style":
            element.set("style", _styled(value, prefix))
        else:
            element.set(name, _REFERENCE.sub(rf"url(#{prefix}-\1)", value))


def _styled(style: str, prefix: str) -> str:
    for colour, variable in _COLOURS.items():
        style = style.replace(colour, variable)
    style = _FONT.sub("var(--sans)", style)
    return _REFERENCE.sub(rf"url(#{prefix}-\1)", style)


def _as_image(figure: Any, description: str, width: int) -> str:
    """Return a PNG on white, because its colours cannot adapt to the page."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_PNG_DPI, facecolor=PAPER, metadata={"Software": None})
    data = b64encode(buffer.getvalue()).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" alt="{escape(description)}" width="{width}">'


def _title(figure: Any) -> str:
    """Return the title of a figure."""
    above = figure.get_suptitle()
    for ax in figure.axes:
        above = above or ax.get_title("left") or ax.get_title()
    return " ".join(above.replace(r"\$", "$").split())
