"""The verbs of the command, and how errors are reported.

Nothing heavy is imported here: ``clusterwise --help`` is quick because every verb
imports what it needs when it runs.
"""

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from cyclopts import App, CycloptsError, Parameter

from clusterwise import __version__
from clusterwise._utils.errors import EngineError, InputError, MissingExtraError
from clusterwise.cli.again.command import again
from clusterwise.cli.assess.command import assess
from clusterwise.cli.combine.command import combine
from clusterwise.cli.compare.command import compare
from clusterwise.cli.input_files import FORMATS, without_compression
from clusterwise.cli.measures.command import measures
from clusterwise.cli.output import flushed_stdout, print_error, say, silence
from clusterwise.cli.profile.command import profile
from clusterwise.cli.report.command import report
from clusterwise.cli.signals import Terminated, terminable
from clusterwise.cli.stream.command import stream

_DEBUG = "--debug"
_SOFT = ("--soft", "-s")
FAILED, MISUSED, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141
_BY_SIGNAL = 128  # the status of shells for a process that a signal ended, less its number
_EXPECTED = (CycloptsError, EngineError, InputError, MissingExtraError, OSError, MemoryError)

app = App(
    name="clusterwise",
    version=__version__,
    help="Compare clusterings, find alternatives to a given one, combine many, assess clusters.",
    help_epilogue="Add --debug to any command to see where an error comes from.",
    default_parameter=Parameter(negative=()),
    suppress_keyboard_interrupt=False,
)
app.command(compare, usage="Usage: clusterwise compare FILE [FILE …] [OPTIONS]")
app.command(again, usage="Usage: clusterwise again FILE [FILE …] [--given COLUMN] [OPTIONS]")
app.command(combine, usage="Usage: clusterwise combine FILE [FILE …] [OPTIONS]")
app.command(assess, usage="Usage: clusterwise assess FILE [FILE …] [--labels COLUMN] [OPTIONS]")
app.command(report, usage="Usage: clusterwise report FILE [FILE …] [OPTIONS]")
app.command(profile, usage="Usage: clusterwise profile FILE [FILE …] --labels COLUMN [OPTIONS]")
app.command(stream, usage="Usage: clusterwise stream FILE [FILE …] --labels COLUMN [OPTIONS]")
app.command(measures, usage="Usage: clusterwise measures [NAME] [OPTIONS]")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``clusterwise`` and return its exit status."""
    tokens, debug = take_debug(sys.argv[1:] if arguments is None else arguments)
    return run_app(app, _repeat_soft(tokens), debug=debug)


def run_app(command: App, tokens: list[str], *, debug: bool = False) -> int:
    """Run a command-line app; print an error as one line on stderr and return the exit status."""
    name = command.name[0]
    for output in (sys.stdout, sys.stderr):
        if hasattr(output, "reconfigure"):
            output.reconfigure(errors="backslashreplace")
    try:
        with terminable(), flushed_stdout():
            command(tokens, exit_on_error=False, print_error=False, result_action="return_none")
    except KeyboardInterrupt as signal:
        return _end_by(signal, name)
    except BrokenPipeError:
        silence(sys.stdout)
        return BROKEN_PIPE
    except Exception as error:
        interruption = _interruption_behind(error)
        if interruption is not None:
            return _end_by(interruption, name)
        return _fail(name, error, debug)
    return 0


def _end_by(signal: KeyboardInterrupt, name: str) -> int:
    if isinstance(signal, Terminated):
        say("terminated.", name)
        return _BY_SIGNAL + signal.number
    say("interrupted.", name)
    return INTERRUPTED


def _interruption_behind(error: BaseException | None) -> KeyboardInterrupt | None:
    """Return the signal that an error comes from.

    Compiled modules that are interrupted while they are imported raise an ImportError from it.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error


def _fail(name: str, error: Exception, debug: bool) -> int:
    if debug:
        print_error(traceback.format_exc().rstrip())
    if isinstance(error, _EXPECTED):
        message, status = _sentence(error), MISUSED
    else:
        what = f"{type(error).__name__}: {error}"
        hint = "please report it" if debug else "run it again with --debug and report the output"
        message, status = f"this is a bug in {name} ({what}); {hint}.", FAILED
    say(" ".join(message.split()), name)
    return status


def _sentence(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "there is not enough memory; choose fewer columns with --column."
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}; check the path and its permissions."
    return str(error)


def take_debug(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """Return the arguments without --debug, and whether it was among them."""
    tokens = list(arguments)
    end = tokens.index("--") if "--" in tokens else len(tokens)
    kept = [argument for argument in tokens[:end] if argument != _DEBUG]
    return [*kept, *tokens[end:]], len(kept) < end


def _repeat_soft(tokens: list[str]) -> list[str]:
    """Return ``--soft 'p_*' 'q_*' FILE`` as ``--soft 'p_*' --soft 'q_*' FILE``."""
    spelled: list[str] = []
    within = False
    for i, argument in enumerate(tokens):
        if argument == "--":
            return [*spelled, *tokens[i:]]
        is_value = bool(spelled) and spelled[-1] in _SOFT
        if within and not is_value and _is_pattern(argument):
            spelled.append(_SOFT[0])
        within = is_value or argument.startswith(_SOFT) or (within and _is_pattern(argument))
        spelled.append(argument)
    return spelled


def _is_pattern(argument: str) -> bool:
    """Return whether an argument is a pattern of columns; one of files ends as files do."""
    if argument.startswith("-") or without_compression(Path(argument)).suffix.lower() in FORMATS:
        return False
    return "*" in argument or "?" in argument
