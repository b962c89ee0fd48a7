"""Sentences on single changes: splits, merges, clusters that dissolved or appeared, noise."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from clusterwise._utils.tables import (
    format_amount,
    format_count,
    format_list,
    format_share,
    shorten,
)
from clusterwise.comparing.events import Event, Kind, NoiseFlow, Part

# The largest number of parts of a cluster in a sentence, and the longest name in characters.
_MAX_PARTS, _NAME = 4, 60


def _split(event: Event) -> str:
    parts = _listed(event.parts)
    total = sum(part.objects for part in event.parts)
    rest = event.objects - total
    others = f"; the other {format_amount(rest)} went elsewhere" if rest > 0 else ""
    size = say_objects(event.objects)
    return f"Cluster {say_name(event.cluster)} ({size}) split into {parts}{others}."


def _merged(event: Event) -> str:
    names = format_list([say_name(part.cluster) for part in event.parts], _MAX_PARTS)
    if all(part.share == 1 for part in event.parts):
        size = say_objects(event.objects)
        return f"Clusters {names} merged into {say_name(event.cluster)} ({size})."
    shares = format_list([format_share(part.share) for part in event.parts], _MAX_PARTS)
    return f"Clusters {names} merged into {say_name(event.cluster)} ({shares} of their objects)."


def _dissolved(event: Event, a: str) -> str:
    if not event.parts:
        every = "The only object" if event.objects == 1 else f"All {say_objects(event.objects)}"
        return f"{every} of cluster {say_name(event.cluster)} of {a} became noise."
    where = f"{_its_objects(event)} went to {_where(event.parts)}"
    return f"Cluster {say_name(event.cluster)} of {a} dissolved: {where}."


def _appeared(event: Event, b: str) -> str:
    if not event.parts:
        size = say_objects(event.objects)
        every = "its only object was" if event.objects == 1 else f"all its {size} were"
        return f"Cluster {say_name(event.cluster)} of {b} is new: {every} noise."
    come = _verb(sum(part.objects for part in event.parts), "comes", "come")
    where = f"{_its_objects(event)} {come} from {_where(event.parts)}"
    return f"Cluster {say_name(event.cluster)} of {b} is new: {where}."


def _its_objects(event: Event) -> str:
    """Return "its 33 objects", or "10 of its 71 objects" if the others are noise."""
    total = sum(part.objects for part in event.parts)
    if total == event.objects == 1:
        return "its only object"
    which = "its" if total == event.objects else f"{format_amount(total)} of its"
    return f"{which} {say_objects(event.objects)}"


def say_noise(noise: NoiseFlow, names: tuple[str, str], n: float) -> Iterator[str]:
    """Say how many objects are noise, and where those come from that became noise."""
    a, b = names
    if not noise.before and not noise.after:
        return
    if noise.after:
        before = format_amount(noise.before) if noise.before else "none"
        yield (
            f"{b} calls {say_objects(noise.after)} noise ({format_share(noise.after / n)}; "
            f"{a}: {before})."
        )
    else:
        yield f"{a} calls {say_objects(noise.before)} noise, {b} none."
    if any(part.share < 1 for part in noise.sources):  # otherwise said of whole clusters
        yield _say_sources(noise)
    if noise.targets:
        total = sum(part.objects for part in noise.targets)
        yield (
            f"{say_objects(total)} that {_verb(total, 'was', 'were')} noise in {a} "
            f"{_verb(total, 'is', 'are')} now in {_where(noise.targets)}."
        )


def _say_sources(noise: NoiseFlow) -> str:
    """Say where the objects come from that became noise."""
    first, total = noise.sources[0], sum(part.objects for part in noise.sources)
    lost = f"{say_name(first.cluster)}, which lost {format_share(first.share)} of its objects"
    some = f"{format_amount(first.objects)} of them"
    if total < noise.after:
        of_them = "all" if len(noise.sources) == 1 else some
        return f"{say_objects(total)} became noise, {of_them} from {lost}."
    if total == 1:
        return f"It comes from {lost}."
    some += f" {_verb(first.objects, 'comes', 'come')}"
    return f"{'All come' if len(noise.sources) == 1 else some} from {lost}."


def _where(parts: Sequence[Part]) -> str:
    """Name clusters that are all objects together, with numbers if there are several."""
    return say_name(parts[0].cluster) if len(parts) == 1 else _listed(parts)


def _listed(parts: Sequence[Part]) -> str:
    shown = [
        f"{say_name(part.cluster)} ({format_amount(part.objects)})" for part in parts[:_MAX_PARTS]
    ]
    rest = parts[_MAX_PARTS:]
    if rest:
        objects = format_amount(sum(part.objects for part in rest))
        shown.append(f"{format_count(len(rest), 'other')} ({objects})")
    return format_list(shown, len(shown))


def say_name(cluster: Any) -> str:
    """Return the name of a cluster for a sentence, which may be shortened."""
    return shorten(str(cluster), _NAME)


def say_objects(n: float) -> str:
    """Return a number with its noun: 1 object, 1,000 objects."""
    return f"{format_amount(n)} {plural('object', n)}"


def plural(noun: str, n: float) -> str:
    """Return a noun as it is counted."""
    return noun if n == 1 else f"{noun}s"


def _verb(n: float, one: str, many: str) -> str:
    return one if n == 1 else many


def say_event(event: Event, names: tuple[str, str]) -> str:
    """Describe what became of a cluster that was not kept."""
    a, b = names
    sayings: dict[Kind, Callable[[], str]] = {
        "split": lambda: _split(event),
        "merged": lambda: _merged(event),
        "dissolved": lambda: _dissolved(event, a),
        "appeared": lambda: _appeared(event, b),
    }
    return sayings[event.kind]()
