"""Exceptions. Every message says in one sentence what is wrong, where, and what to do."""

from clusterwise._utils.visible import visible


class _VisibleError(Exception):
    """An exception whose message may quote the data: control characters are shown as escapes."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class InputError(_VisibleError, ValueError):
    """Invalid data or parameters; the message says what to change."""


class EngineError(_VisibleError, RuntimeError):
    """A dataframe engine failed; the message says what was lost and what helps."""


class MissingExtraError(_VisibleError, ImportError):
    """An optional package is not installed; the message names the extra that installs it."""
