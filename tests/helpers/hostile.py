"""Names that would act on a terminal, a page or a plot if they were sent to it as they are."""

from unicodedata import category

NAMES = [
    "\x1b]52;c;aGk=\x07",  # writes to the clipboard
    "\x9b31m red \x1b[0m",  # C1 and C0 control sequences
    "\u202eevil\u2066",  # reverses what follows
    "a\nb\r\tc\u2028\u2029\x85",  # breaks lines
    "[bold]loud[/bold] [link=https://a.example]b[/link]",  # rich's markup
    r"$\frac{",  # unfinished mathematics
    "<b>&amp;",  # markup of pages
    "_private",  # left out of matplotlib's legends
]
UNREADABLE = "\ud800"  # half a character, which no file can have


def controls(text: str) -> set[str]:
    """Return the characters of a text that act instead of being seen, except line feeds."""
    return {char for char in text if category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
