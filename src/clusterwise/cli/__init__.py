"""The command ``clusterwise``: one package per verb."""

import os


def main() -> int:
    """Run the command with the arguments of the process, and return the exit status."""
    _open_closed_streams()
    try:
        from clusterwise.cli.app import run
    except KeyboardInterrupt:  # while still loading
        return 130
    return run()


def _open_closed_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file that is opened takes their number, and what libraries print is written
    into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
