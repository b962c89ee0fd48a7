"""Checkpoints: the state of a stream in a file, from which it continues exactly."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.encoding import read_only
from clusterwise.inputs.features import Column, Features
from clusterwise.streams.batches import Batch
from clusterwise.streams.drift import Change
from clusterwise.streams.serialization import (
    damaged,
    read_array,
    read_document,
    read_value,
    write_array,
    write_document,
    write_value,
)
from clusterwise.streams.window_report import WindowMatch, WindowReport
from clusterwise.streams.windows import Block, BlockRun, Windowing
from clusterwise.summaries.profile.profile import DensityProfile

_KIND, _VERSION = "checkpoint of a stream", 1
_RUNS = ("now", "before")
_NUMBERS = ("reference_stop", "n", "n_windows", "last_stop")
_NAMES, _CHANGES = ("births", "deaths"), ("change", "reference_change")

Json = dict[str, Any]


@dataclass(frozen=True)
class Checkpoint:
    """The options and the state of a stream, and the notes of its user."""

    options: Json
    windows: Json
    n_batches: int
    finished: bool
    notes: Json


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint atomically."""
    try:
        json.dumps(checkpoint.notes, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"notes cannot be written as JSON ({error}); use strings, numbers, lists and dicts."
        ) from error
    write_document(path, _KIND, _VERSION, vars(checkpoint))


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint; raise an InputError if the file is not one or is damaged."""
    body = read_document(path, _KIND, _VERSION)
    with refuse_damage(path):
        return Checkpoint(**body)


@contextmanager
def refuse_damage(path: Path) -> Iterator[None]:
    """Raise an InputError that names the file if its contents are not as expected."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise damaged(path) from error


def write_windows(windows: Windowing) -> Json:
    """Return the state of the windows as JSON; shared profiles are written once."""
    profiles: list[DensityProfile] = []
    positions: dict[int, int] = {}

    def position(profile: DensityProfile | None) -> int | None:
        if profile is None:
            return None
        if id(profile) not in positions:
            positions[id(profile)] = len(profiles)
            profiles.append(profile)
        return positions[id(profile)]

    def block(one: Block) -> list[int | None]:
        return [one.start, position(one.profile)]

    written: Json = {name: getattr(windows, name) for name in _NUMBERS}
    written |= {
        "reference": position(windows.reference),
        "previous": position(windows.previous),
    }
    written["block"] = None if windows.block is None else block(windows.block)
    for name in _RUNS:
        run: BlockRun = getattr(windows, name)
        written[name] = [[block(one) for one in run.blocks], position(run.profile)]
    written["profiles"] = [_write_profile(profile) for profile in profiles]
    written["binning"] = None if windows.binning is None else _write_binning(windows.binning)
    written["waiting"] = [_write_batch(batch) for batch in windows.waiting]
    return written


def read_windows(written: Json, windows: Windowing) -> None:
    """Restore the state of windows with the same options."""
    windows.binning = None if written["binning"] is None else _read_binning(written["binning"])
    windows.waiting = [_read_batch(batch) for batch in written["waiting"]]
    assert windows.binning is not None or not written["profiles"]
    binning = windows.binning or windows.unfitted
    profiles = [_read_profile(one, binning) for one in written["profiles"]]

    def profile(position: int | None) -> DensityProfile | None:
        return None if position is None else profiles[position]

    def block(one: list[int]) -> Block:
        return Block(one[0], profiles[one[1]])

    for name in _NUMBERS:
        setattr(windows, name, written[name])
    windows.reference = profile(written["reference"])
    windows.previous = profile(written["previous"])
    windows.block = None if written["block"] is None else block(written["block"])
    for name in _RUNS:
        blocks, total = written[name]
        setattr(windows, name, BlockRun(map(block, blocks), profile(total)))


def write_options(options: Json) -> Json:
    """Return the options of a stream as JSON, which can be compared."""
    return {name: _write_option(value) for name, value in options.items()}


def read_options(written: Json) -> Json:
    """Return the options that were written."""
    return {name: _read_option(value) for name, value in written.items()}


def _write_binning(binning: Binning) -> Json:
    """Return a binning, fitted or not, as JSON."""
    features = None
    if hasattr(binning, "features"):
        features = [
            {
                "name": one.name,
                "even": bool(one.even),
                "edges": None if one.edges is None else write_array(one.edges),
                "values": None if one.values is None else write_array(one.values),
            }
            for one in binning.features
        ]
    return {"method": binning.method, "n_bins": binning.n_bins, "features": features}


def _read_binning(written: Json) -> Binning:
    """Return the binning that was written."""
    binning = Binning(n_bins=written["n_bins"])
    binning.method = written["method"]
    if written["features"] is not None:
        binning.features = tuple(
            FeatureBins(
                one["name"],
                None if one["edges"] is None else read_only(read_array(one["edges"])),
                one["even"],
                None if one["values"] is None else read_only(read_array(one["values"])),
            )
            for one in written["features"]
        )
    return binning


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
        **{name: None if one is None else asdict(one) for name, one in changes.items()},
    }


def read_window_report(written: Json) -> WindowReport:
    """Return the report that was written."""
    names = {name: tuple(map(read_value, written[name])) for name in _NAMES}
    changes = {
        name: None if written[name] is None else Change(**written[name]) for name in _CHANGES
    }
    matches = tuple(
        WindowMatch(read_value(before), read_value(now), contribution, cosine)
        for before, now, contribution, cosine in written["matches"]
    )
    sizes = {read_value(name): size for name, size in written["sizes"]}
    return WindowReport(**{**written, **names, **changes, "matches": matches, "sizes": sizes})


def _write_option(value: Any) -> Json:
    if isinstance(value, Binning):
        return {"binning": _write_binning(value)}
    if isinstance(value, DensityProfile):
        return {"profile": _write_profile(value), "binning": _write_binning(value.binning)}
    return {"value": write_value(value)}


def _read_option(written: Json) -> Any:
    if "profile" in written:
        return _read_profile(written["profile"], _read_binning(written["binning"]))
    if "binning" in written:
        return _read_binning(written["binning"])
    return read_value(written["value"])


def _write_profile(profile: DensityProfile) -> Json:
    arrays = profile.counts, profile.names, profile._below, profile._above
    return {"arrays": [write_array(array) for array in arrays]}


def _read_profile(written: Json, binning: Binning) -> DensityProfile:
    counts, names, below, above = map(read_array, written["arrays"])
    return DensityProfile(counts, names, binning, below, above)


def _write_batch(batch: Batch) -> Json:
    X: Features = batch.X
    columns = None
    if X.matrix is None:
        columns = [[one.kind, write_array(one.data)] for one in X.columns]
    return {
        "labels": write_array(batch.labels),
        "names": X.names,
        "labelled": X.labelled,
        "matrix": None if X.matrix is None else write_array(X.matrix),
        "columns": columns,
    }


def _read_batch(written: Json) -> Batch:
    labels, names = read_array(written["labels"]), written["names"]
    if written["matrix"] is not None:
        matrix = read_array(written["matrix"])
        return Batch(Features(labels.size, names, matrix, written["labelled"]), labels)
    columns = [
        Column(name, read_array(data), kind)
        for name, (kind, data) in zip(names, written["columns"], strict=True)
    ]
    return Batch(Features(labels.size, names, None, written["labelled"], columns), labels)
