"""Signals that end the command: what it has begun is cleaned up first, as after Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

# SIGHUP is sent when a terminal is closed; not all systems have it.
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Terminated(KeyboardInterrupt):
    """The process was asked to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def terminable() -> Iterator[None]:
    """Raise :class:`Terminated` for signals that would end the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ending = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in ending:
        signal.signal(number, _terminate)
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def held_signals() -> Iterator[list[int]]:
    """Record Ctrl-C and the like in a list, and let them take effect at the end of the block.

    An exception while a thread is started or waited for would leave the thread running, or leave
    a lock acquired that the thread needs to end.
    """
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return
    found = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ENDING)}
    handlers = {number: handler for number, handler in found.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield received
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if received:
        handlers[received[0]](received[0], None)


def _terminate(number: int, _: FrameType | None) -> NoReturn:
    raise Terminated(number)
