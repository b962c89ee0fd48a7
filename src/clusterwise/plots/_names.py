"""Names from data as they appear in pictures."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from clusterwise._utils.tables import visible


def show_name(name: Any, width: int = 24) -> str:
    """A name on one line, cut in its middle if it is long, and never read as a formula."""
    return as_plain(cut_name(str(name), width))


def show_names(names: Sequence[Any], width: int = 24) -> list[str]:
    """Several names, cut so that those which differ look different: at worst by a number."""
    whole = [visible(str(name)) for name in names]
    shown = [cut_name(name, width) for name in whole]
    alike = [shown.count(text) > 1 for text in shown]
    same = [name for name, is_alike in zip(whole, alike, strict=True) if is_alike]
    start = sum(takewhile(bool, (len(set(letters)) == 1 for letters in zip(*same, strict=False))))
    shown = [
        cut_name(f"{name[: width // 3]}…{name[start:]}", width) if is_alike else text
        for name, text, is_alike in zip(whole, shown, alike, strict=True)
    ]
    times = Counter(shown)
    seen: Counter[str] = Counter()
    found = []
    for text in shown:
        seen[text] += 1
        found.append(as_plain(f"{text} ({seen[text]})" if times[text] > 1 else text))
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
