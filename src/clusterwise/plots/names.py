"""Names from data as they appear in pictures."""

from collections.abc import Sequence
from typing import Any

from clusterwise.grids import visible


def show_name(name: Any, width: int = 24) -> str:
    """A name on one line, cut in its middle if it is long, and never read as a formula."""
    return as_plain(cut_name(str(name), width))


def show_names(names: Sequence[Any], width: int = 24) -> list[str]:
    """Several names; those that look the same once cut keep the whole difference in a number."""
    shown = [cut_name(str(name), width) for name in names]
    seen: dict[str, int] = {}
    for text in shown:
        seen[text] = seen.get(text, 0) + 1
    counts = dict.fromkeys(seen, 0)
    found = []
    for text in shown:
        counts[text] += 1
        found.append(as_plain(f"{text} ({counts[text]})" if seen[text] > 1 else text))
    return found


def cut_name(name: str, width: int) -> str:
    """At most so many characters: the beginning, which tells most, and the end."""
    name = visible(name)
    if len(name) <= width:
        return name
    end = max(1, (width - 1) // 3)
    return f"{name[: width - 1 - end]}…{name[-end:]}"


def as_plain(text: str) -> str:
    """A text that matplotlib does not take for mathematics."""
    return text.replace("$", r"\$")
