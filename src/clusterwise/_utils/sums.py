"""Addition of results of disjoint objects."""

from typing import Any, Self


class Summable:
    """A class with ``+`` whose objects the built-in ``sum`` adds up."""

    def __radd__(self, other: Any) -> Self:
        # What sum starts with.
        return self if isinstance(other, int) and other == 0 else NotImplemented
