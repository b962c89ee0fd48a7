"""Constraints on the values of parameters, which say in an error message what they accept."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Set
from math import inf, isinf, isnan
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError

# The largest integer that fits into 64 bits, and the largest that seeds a RandomState.
LARGEST_INTEGER = 2**63 - 1
LARGEST_SEED = 2**32 - 1
# Longer values are shortened in error messages.
_MOST_CHARACTERS = 60


class Constraint(ABC):
    """The values that a parameter accepts."""

    # What is said of another value, between the value and the advice.
    verdict = ""

    @abstractmethod
    def accepts(self, value: Any) -> bool:
        """Return whether the parameter may have this value."""

    @abstractmethod
    def options(self, value: Any) -> list[str]:
        """Return what can be used in place of ``value``, such as "an integer of at least 1"."""

    def describe(self, value: Any = None) -> str:
        """Return all that can be used in place of ``value``."""
        *others, last = self.options(value)
        return f"{', '.join(others)} or {last}" if others else last

    def check(self, name: str, value: Any) -> None:
        """Raise an error that names the parameter, unless it accepts the value."""
        if not self.accepts(value):
            raise InputError(f"{name}={show(value)}{self.verdict}; use {self.describe(value)}.")

    def __or__(self, other: "Constraint | None") -> "Constraint":
        return AnyOf([self, NOTHING if other is None else other])

    def __repr__(self) -> str:
        return f"<{self.describe()}>"


class Anything(Constraint):
    """Any value: data, which the function reads and checks itself."""

    def accepts(self, value: Any) -> bool:  # noqa: ARG002
        return True

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return ["any value"]


class Constant(Constraint):
    """One value, such as None or the name of a method."""

    def __init__(self, constant: Any) -> None:
        self.constant = constant
        self.verdict = " is unknown" if isinstance(constant, str) else ""

    def accepts(self, value: Any) -> bool:
        if isinstance(self.constant, str):
            return isinstance(value, str) and value == self.constant
        return value is self.constant

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return [repr(self.constant)]


class AnyOf(Constraint):
    """A value that meets one of several constraints."""

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        self.members: list[Constraint] = []
        for one in constraints:
            self.members += one.members if isinstance(one, AnyOf) else [one]
        self.verdict = max(one.verdict for one in self.members)

    def accepts(self, value: Any) -> bool:
        for one in self.members:  # noqa: SIM110 (any() takes twice as long)
            if one.accepts(value):
                return True
        return False

    def options(self, value: Any) -> list[str]:
        # Names of choices come first, and None last.
        members = sorted(self.members, key=lambda one: (one is NOTHING, not one.verdict))
        return [option for one in members for option in one.options(value)]


class Integer(Constraint):
    """An integer within bounds; neither a boolean nor a float."""

    def __init__(self, low: int = -LARGEST_INTEGER, high: int = LARGEST_INTEGER) -> None:
        self.low, self.high = low, high

    def accepts(self, value: Any) -> bool:
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole and bool(self.low <= value <= self.high)

    def options(self, value: Any) -> list[str]:
        if isinstance(value, int) and value > self.high:
            return [f"an integer of at most {self.high}"]
        if self.high < LARGEST_INTEGER:
            return [f"an integer from {self.low} to {self.high}"]
        return ["an integer" if self.low < 0 else f"an integer of at least {self.low}"]


class Real(Constraint):
    """A number within bounds. NaN is none, and it is finite unless infinity is a bound."""

    def __init__(
        self,
        low: float | None = None,
        high: float | None = None,
        *,
        above: bool = False,
        below: bool = False,
        nan: bool = False,
    ) -> None:
        """Set the bounds; ``above`` excludes the lower one, ``below`` the upper one."""
        self.low, self.high, self.above, self.below, self.nan = low, high, above, below, nan

    def accepts(self, value: Any) -> bool:
        if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
            return False
        try:
            number = float(value)
        except OverflowError:
            return False
        if isnan(number):
            return self.nan
        if isinf(number) and number not in (self.low, self.high):
            return False
        if self.low is not None and (number <= self.low if self.above else number < self.low):
            return False
        return self.high is None or (number < self.high if self.below else number <= self.high)

    def options(self, value: Any) -> list[str]:
        bounds = []
        if self.low is not None and self.low != -inf:
            bounds.append(f"{'above' if self.above else 'of at least'} {self.low}")
        if self.high is not None and self.high != inf:
            bounds.append(f"{'below' if self.below else 'at most'} {self.high}")
        if len(bounds) == 2 and not (self.above or self.below):
            bounds = [f"from {self.low} to {self.high}"]
        infinite = isinstance(value, int | float | np.floating) and not -inf < value < inf
        kind = "a finite number" if infinite and value == value else "a number"
        words = " ".join([kind, " and ".join(bounds)]).rstrip()
        return [words, "NaN"] if self.nan else [words]


class Flag(Constraint):
    """True or False."""

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool | np.bool_)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return ["True", "False"]


class Seed(Constraint):
    """A seed of random numbers, or a generator."""

    verdict = " is not a seed"
    _integer = Integer(0, LARGEST_SEED)

    def accepts(self, value: Any) -> bool:
        if value is None or isinstance(value, np.random.RandomState | np.random.Generator):
            return True
        return self._integer.accepts(value)

    def options(self, value: Any) -> list[str]:
        generators = ["a RandomState", "a numpy.random.Generator", "None"]
        return [*self._integer.options(value), *generators]


class Label(Constraint):
    """One label: any value but a collection."""

    verdict = " is not one label"

    def accepts(self, value: Any) -> bool:
        return not isinstance(value, list | tuple | Set | Mapping) and not np.ndim(value)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return ["a single one"]


class Function(Constraint):
    """A callable."""

    def accepts(self, value: Any) -> bool:
        return callable(value)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return ["a function"]


class InstanceOf(Constraint):
    """An object of a class, or of one of several; ``words`` say what that is."""

    def __init__(self, classes: type | tuple[type, ...], words: str) -> None:
        self.classes, self.words = classes, words

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self.classes)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return [self.words]


class ClassNamed(Constraint):
    """An object of a class that is imported on first use only."""

    def __init__(self, name: str) -> None:
        self.name = name

    def accepts(self, value: Any) -> bool:
        return any(one.__name__ == self.name for one in type(value).__mro__)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return [with_article(self.name)]


class HasMethod(Constraint):
    """An object with a method; ``words`` say what it is."""

    def __init__(self, method: str, words: str) -> None:
        self.method, self.words = method, words

    def accepts(self, value: Any) -> bool:
        return callable(getattr(value, self.method, None)) and not isinstance(value, type)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return [self.words]


class Several(Constraint):
    """An iterable of several things, which a string is not."""

    def accepts(self, value: Any) -> bool:
        return hasattr(value, "__iter__") and not isinstance(value, str | bytes)

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return ["an iterable"]


class Numbers(Constraint):
    """An array of numbers, or what NumPy makes one of; not a single number."""

    def __init__(self, least: int = 0) -> None:
        """Set the smallest number of numbers."""
        self.least = least

    def accepts(self, value: Any) -> bool:
        try:
            return np.ndim(value) > 0 and np.asarray(value, np.float64).size >= self.least
        except Exception:  # of NumPy, or of the library of a series
            return False

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        return [f"a list of {self.least} or more numbers" if self.least else "a list of numbers"]


class Values(Constraint):
    """A list, tuple or array; every value meets a constraint."""

    def __init__(self, each: Constraint, *, least: int = 0, length: int | None = None) -> None:
        """Set the constraint of each value, and the smallest or the only number of values."""
        self.each, self.least, self.length = each, least, length

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str | bytes | Mapping | Set) or not hasattr(value, "__iter__"):
            return False
        try:
            size = len(value)
        except TypeError:  # a generator, or an array of no dimensions
            return False
        if size < self.least or self.length not in (None, size):
            return False
        return isinstance(self.each, Anything) or all(map(self.each.accepts, value))

    def options(self, value: Any) -> list[str]:  # noqa: ARG002
        if self.length is not None:
            many = "a pair" if self.length == 2 else f"{self.length} values"
        else:
            many = f"a list of {self.least} or more values" if self.least else "a list"
        if isinstance(self.each, Anything):
            return [f"{many} of values" if self.length == 2 else many]
        return [f"{many} (each {self.each.describe()})"]


def one_of(*constants: Any) -> Constraint:
    """Return the constraint to one of some constants."""
    return AnyOf(Constant(one) for one in constants)


def show(value: Any) -> str:
    """Return a short form of a value on one line, for an error message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # integers of more than 4300 digits, and objects that cannot be shown
        return type_words(value)
    if len(text) <= _MOST_CHARACTERS:
        return text
    half = _MOST_CHARACTERS // 2
    return f"{text[:half]}…{text[-half:]}"


def type_words(value: Any) -> str:
    """Return the type of a value with its indefinite article."""
    return with_article(type(value).__name__)


def with_article(name: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


NOTHING = Constant(None)
TEXT = InstanceOf(str, "a string")
