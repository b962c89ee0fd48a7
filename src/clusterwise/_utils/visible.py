"""Text from data, made safe to show: every string that people read passes through ``visible``."""

from collections.abc import Callable
from unicodedata import category

_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    r"""Show control characters as escapes, so that they act on neither terminals nor other text.

    Line breaks, escape sequences, bidirectional controls, lone surrogates and characters without
    a meaning become ``\n``, ``\x1b``, ``\u202e``, …. Letters, emoji and spaces of all scripts stay
    as they are, and so do the joiners between them.
    """
    return _escape_controls(text, lambda char: repr(char)[1:-1])


def visible_lines(text: str) -> str:
    """Make each line visible, and keep the line feeds between them."""
    return "\n".join(map(visible, text.split("\n")))


def escape_in_json(text: str) -> str:
    """Write control characters in the strings of a JSON text as its own escapes."""
    return "\n".join(_escape_controls(line, _escape_utf16) for line in text.split("\n"))


def _escape_controls(text: str, escape: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    return "".join(
        char if _is_shown(char) or (char in _JOINERS and _joins(text, i)) else escape(char)
        for i, char in enumerate(text)
    )


def _is_shown(char: str) -> bool:
    return char.isprintable() or category(char) == "Zs"


def _joins(text: str, i: int) -> bool:
    """Return whether the joiner at ``i`` is between two letters or emoji that it can join."""
    around = text[i - 1 : i], text[i + 1 : i + 2]
    return all(char > "\x7f" and char.isprintable() for char in around)


def _escape_utf16(char: str) -> str:
    r"""Return ``\uXXXX`` for a character, twice for those beyond 16 bits."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
