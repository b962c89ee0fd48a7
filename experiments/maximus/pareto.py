"""The Pareto front of dissimilarity and quality."""

from collections.abc import Sequence
from typing import NamedTuple

# Scores that differ by less are the same.
_SAME = 1e-9


class Point(NamedTuple):
    """The dissimilarity and the quality of an answer."""

    dissimilarity: float
    quality: float


def dominates(one: Point, other: Point) -> bool:
    """Whether one is at least as good in both scores, and better in one of them."""
    return covers(one, other) and any(a > b + _SAME for a, b in zip(one, other, strict=True))


def covers(one: Point, other: Point) -> bool:
    """Whether one is at least as good as the other in both scores."""
    return all(a >= b - _SAME for a, b in zip(one, other, strict=True))


def pareto_front(points: Sequence[Point]) -> list[Point]:
    """Return the nondominated points, each once, in the order of increasing dissimilarity."""
    best: list[Point] = []
    for point in sorted(set(points), reverse=True):
        if not best or point.quality > best[-1].quality + _SAME:
            best.append(point)
    return best[::-1]


def most_different(points: Sequence[Point], quality: float) -> Point | None:
    """Return the most different point that is at least this good."""
    return max((point for point in points if point.quality >= quality - _SAME), default=None)


def best(points: Sequence[Point], dissimilarity: float) -> Point | None:
    """Return the best point that is at least this different."""
    enough = (point for point in points if point.dissimilarity >= dissimilarity - _SAME)
    return max(enough, key=lambda point: point[::-1], default=None)


def count_unbeaten(points: Sequence[Point], others: Sequence[Point]) -> int:
    """Count the points of a Pareto front that none of the others dominates."""
    return sum(not any(dominates(o, point) for o in others) for point in pareto_front(points))
