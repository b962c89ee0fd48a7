"""Processes that end with the test, whatever becomes of it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Test runners in the background may ignore Ctrl-C, and children inherit that.
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from clusterwise.cli import main
sys.exit(main())
"""

# A process that kills itself, at a call of its choice: in which of its drafts, and how many calls
# of built-in functions (open, write, fsync, rename, ...) after that was begun.
KILLED = """
import os, signal, sys
drafts, calls = int(sys.argv.pop(1)), int(sys.argv.pop(1))

def watch(event, arguments):
    global drafts
    if event == "open" and str(arguments[0]).endswith(".part"):
        drafts -= 1
        if drafts == 0:
            sys.setprofile(count)

def count(frame, event, function):
    global calls
    if event == "c_call":
        calls -= 1
        if calls < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
"""


@contextmanager
def started(command: list[Any], **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """A process with UTF-8 on its pipes; it is killed if the block leaves it running.

    The block of ``Popen`` itself would wait for it without end, also when an assertion failed.
    """
    environment = {**os.environ, "PYTHONUTF8": "1", **options.pop("env", {})}
    with subprocess.Popen(
        list(map(str, command)), text=True, encoding="utf-8", env=environment, **options
    ) as process:
        try:
            yield process
        finally:
            process.kill()
