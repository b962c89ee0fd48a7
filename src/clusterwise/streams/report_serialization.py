"""Reports of windows as JSON, and back."""

from collections.abc import Callable
from typing import Any

from clusterwise.streams.drift import Change
from clusterwise.streams.serialization import (
    read_count,
    read_dict,
    read_list,
    read_number,
    read_string,
    read_value,
    write_value,
)
from clusterwise.streams.window_report import WindowMatch, WindowReport

_NAMES, _CHANGES = ("births", "deaths"), ("change", "reference_change")

Json = dict[str, Any]


def write_window_report(report: WindowReport) -> Json:
    """Return a report as JSON; :func:`read_window_report` is the inverse."""
    changes = {name: getattr(report, name) for name in _CHANGES}
    return {
        **{name: getattr(report, name) for name in ("index", "start", "stop", "outside")},
        **{name: getattr(report, name) for name in ("similarity", "reference_similarity")},
        "sizes": [[write_value(name), size] for name, size in report.sizes.items()],
        **{name: [write_value(one) for one in getattr(report, name)] for name in _NAMES},
        "matches": [
            [write_value(one.before), write_value(one.now), one.contribution, one.cosine]
            for one in report.matches
        ],
        **{name: None if one is None else one.to_dict() for name, one in changes.items()},
    }


def read_window_report(written: Any) -> WindowReport:
    """Return the report that was written."""
    read_dict(written, *_REPORT)
    return WindowReport(**{name: read(written[name]) for name, read in _REPORT.items()})


def _read_optional_number(written: Any) -> float | None:
    return None if written is None else read_number(written)


def _read_sizes(written: Any) -> dict[Any, int]:
    return {read_value(name): read_count(n) for name, n in map(read_list, read_list(written))}


def _read_values(written: Any) -> tuple[Any, ...]:
    return tuple(map(read_value, read_list(written)))


def _read_matches(written: Any) -> tuple[WindowMatch, ...]:
    return tuple(
        WindowMatch(read_value(before), read_value(now), read_number(part), read_number(cosine))
        for before, now, part, cosine in map(read_list, read_list(written))
    )


def _read_change(written: Any) -> Change | None:
    if written is None:
        return None
    read_dict(written, *_CHANGE)
    return Change(**{name: read(written[name]) for name, read in _CHANGE.items()})


def _read_outside(written: Any) -> dict[str, int]:
    return {name: read_count(n) for name, n in read_dict(written).items()}


def _read_strings(written: Any) -> tuple[str, ...]:
    return tuple(map(read_string, read_list(written)))


Reader = Callable[[Any], Any]
_CHANGE: dict[str, Reader] = {
    "p_value": read_number,
    "alpha": read_number,
    "feature": read_string,
    "statistic": read_number,
    "degrees": read_count,
    "untested": _read_strings,
    "clusters": _read_strings,
}
_REPORT: dict[str, Reader] = {
    "index": read_count,
    "start": read_count,
    "stop": read_count,
    "sizes": _read_sizes,
    "similarity": _read_optional_number,
    "reference_similarity": _read_optional_number,
    "births": _read_values,
    "deaths": _read_values,
    "matches": _read_matches,
    "change": _read_change,
    "reference_change": _read_change,
    "outside": _read_outside,
}
