"""Progress bars on terminals, for work that takes more than a second."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from clusterwise._utils.visible import visible

Item = TypeVar("Item")

_DELAY = 1.0  # seconds before the bar appears


def track(items: Iterable[Item], total: int, what: str, show: bool | None = None) -> Iterator[Item]:
    """Yield ``items``, with a progress bar on stderr once the work has taken a second.

    ``show=None`` shows it on terminals only; the bar disappears when the work is done
    or interrupted.
    """
    if show is None:
        show = sys.stderr is not None and sys.stderr.isatty()
    if not show:
        yield from items
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    begun = time.monotonic()
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(escape(visible(what)), total=total)
    started = False
    try:
        for item in items:
            yield item
            bar.advance(task)
            if not started and time.monotonic() - begun > _DELAY:
                bar.start()
                started = True
    finally:
        if started:
            bar.stop()
