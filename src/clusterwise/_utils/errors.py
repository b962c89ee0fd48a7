"""Exceptions. Every message says in one sentence what is wrong, where, and what to do."""


class InputError(ValueError):
    """Invalid data or parameters; the message says what to change."""


class EngineError(RuntimeError):
    """A dataframe engine failed; the message says what was lost and what helps."""


class MissingExtraError(ImportError):
    """An optional package is not installed; the message names the extra that installs it."""
