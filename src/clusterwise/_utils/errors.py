"""What bad input gets: one sentence that says what was wrong, where, and what to do."""


class InputError(ValueError):
    """The caller's data or options are wrong; the message says what to change."""


class EngineError(RuntimeError):
    """The engine could not finish its work; the message says what was lost and what helps."""


class MissingExtraError(ImportError):
    """An optional package is needed; the message names the extra that brings it."""
