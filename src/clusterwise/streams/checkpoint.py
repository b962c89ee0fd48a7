"""Checkpoints: the state of a stream in a file, from which it continues exactly."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.binning.edges import FeatureBins, bin_categorical, bin_numeric
from clusterwise.inputs.encoding import LARGEST_TOTAL, Array, encode_array, name_list
from clusterwise.inputs.features import Column, Features, used_categories
from clusterwise.streams.batches import Batch
from clusterwise.streams.serialization import (
    read_array,
    read_boolean,
    read_count,
    read_dict,
    read_document,
    read_list,
    read_string,
    read_value,
    refuse_damage,
    write_array,
    write_document,
    write_value,
)
from clusterwise.streams.window_counts import N_BUCKETS, WindowCounts, unseen_column
from clusterwise.streams.windows import Block, BlockRun, Windowing
from clusterwise.summaries.profile.profile import DensityProfile

_KIND, _VERSION = "checkpoint of a stream", 1
_RUNS = ("now", "before")
_NUMBERS = ("reference_stop", "n", "n_windows", "last_stop")
_COUNTS = ("reference", "previous")
# The relative difference that sums of weights may have.
_ROUNDING = 1e-9

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
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"notes cannot be written as JSON ({error}); use strings, numbers, lists and dicts."
        ) from error
    write_document(path, _KIND, _VERSION, vars(checkpoint))


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint; raise an InputError if the file is not one or is damaged."""
    body = read_document(path, _KIND, _VERSION)
    with refuse_damage(path):
        found = Checkpoint(**body)
        read_dict(found.options)
        read_dict(found.windows)
        read_count(found.n_batches)
        read_boolean(found.finished)
        read_dict(found.notes)
        return found


def require_same(read: Checkpoint, written: Checkpoint) -> None:
    """Refuse a checkpoint that is not what its stream would write."""
    if json.dumps(vars(read)) != json.dumps(vars(written)):
        raise ValueError("a checkpoint that no stream writes")


def write_windows(windows: Windowing) -> Json:
    """Return the state of the windows as JSON; shared counts are written once."""
    counts: list[WindowCounts] = []
    positions: dict[int, int] = {}

    def position(one: WindowCounts | None) -> int | None:
        if one is None:
            return None
        if id(one) not in positions:
            positions[id(one)] = len(counts)
            counts.append(one)
        return positions[id(one)]

    def block(one: Block) -> list[int | None]:
        return [one.start, position(one.counts)]

    written: Json = {name: getattr(windows, name) for name in _NUMBERS}
    written |= {name: position(getattr(windows, name)) for name in _COUNTS}
    written["block"] = None if windows.block is None else block(windows.block)
    for name in _RUNS:
        run: BlockRun = getattr(windows, name)
        written[name] = [[block(one) for one in run.blocks], position(run.counts)]
    written["counts"] = [_write_counts(one) for one in counts]
    written["binning"] = None if windows.binning is None else _write_binning(windows.binning)
    written["waiting"] = [_write_batch(batch) for batch in windows.waiting]
    return written


def read_windows(written: Json, windows: Windowing) -> None:
    """Restore the state of windows with the same options."""
    given = windows.binning, windows.reference
    if written["binning"] is not None:
        windows.binning = _read_binning(written["binning"])
    binning = windows.binning or windows.unfitted
    known = [_read_counts(one, binning) for one in read_list(written["counts"])]

    def counts(position: Any) -> WindowCounts | None:
        return None if position is None else known[read_count(position)]

    def block(one: Any) -> Block:
        start, position = read_list(one)
        return Block(read_count(start), known[read_count(position)])

    for name in _NUMBERS:
        setattr(windows, name, read_count(written[name]))
    for name in _COUNTS:
        setattr(windows, name, counts(written[name]))
    windows.block = None if written["block"] is None else block(written["block"])
    for name in _RUNS:
        blocks, total = read_list(written[name])
        setattr(windows, name, BlockRun(map(block, read_list(blocks)), counts(total)))
    for ours, now in zip(given, (windows.binning, windows.reference), strict=True):
        if ours is not None and ours != now:
            raise ValueError("a binning or reference that differs from the options")
    windows.check()
    if any(map(windows.feed, map(_read_batch, read_list(written["waiting"])))):
        raise ValueError("more objects than wait for the first window")


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
                "date": one.date,
                "edges": None if one.edges is None else write_array(one.edges),
                "values": None if one.values is None else write_array(one.values),
            }
            for one in binning.features
        ]
    return {"method": binning.method, "n_bins": binning.n_bins, "features": features}


def _read_binning(written: Any) -> Binning:
    """Return the binning that was written."""
    read_dict(written, "method", "n_bins", "features")
    binning = Binning(n_bins=read_count(written["n_bins"]))
    binning.method = read_string(written["method"])
    if binning.method != "edges":
        Binning(written["method"])  # raises an error for an unknown method
    if written["features"] is not None:
        features = tuple(map(_read_feature, read_list(written["features"])))
        if len({one.name for one in features}) < max(1, len(features)):
            raise ValueError("no features, or two with the same name")
        binning.features = features
    return binning


def _read_feature(written: Any) -> FeatureBins:
    """Return the bins of a feature."""
    read_dict(written, "name", "even", "date", "edges", "values")
    name = read_string(written["name"])
    if written["edges"] is None:
        return bin_categorical(name, _read_names(written["values"]).tolist())
    edges = read_array(written["edges"])
    if edges.ndim != 1 or edges.size < 2 or edges.dtype != np.float64:
        raise ValueError("no edges")
    constant = edges.size == 2 and edges[0] == edges[1]
    if not (constant or (edges[1:] > edges[:-1]).all()):
        raise ValueError("edges that do not increase")
    return bin_numeric(name, edges, date=read_boolean(written["date"]))


def _read_names(written: Any) -> Array:
    """Return an array of different names, of which none is missing."""
    names = read_array(written)
    if len(used_categories(encode_array(names, "names")).values) < names.size:
        raise ValueError("a name occurs twice")
    return names


def _write_option(value: Any) -> Json:
    if isinstance(value, Binning):
        return {"binning": _write_binning(value)}
    if isinstance(value, DensityProfile):
        return {"profile": _write_profile(value), "binning": _write_binning(value.binning)}
    return {"value": write_value(value)}


def _read_option(written: Any) -> Any:
    match read_dict(written):
        case {"profile": profile, "binning": binning}:
            return _read_profile(profile, _read_binning(binning))
        case {"binning": binning}:
            return _read_binning(binning)
        case _:
            return read_value(written["value"])


def _write_profile(profile: DensityProfile) -> Json:
    arrays = profile.counts, profile.names, profile._below, profile._above
    return {"arrays": [write_array(array) for array in arrays]}


def _read_profile(written: Any, binning: Binning) -> DensityProfile:
    counts, names, below, above = read_list(read_dict(written, "arrays")["arrays"])
    profile = DensityProfile(
        read_array(counts), _read_names(names), binning, read_array(below), read_array(above)
    )
    counts, outside = profile.counts, np.array([profile._below, profile._above])
    if counts.dtype not in (np.int64, np.float64) or outside.dtype != np.int64:
        raise ValueError("counts of another type")
    if (
        counts.shape != (profile.names.size, binning.total)
        or outside.shape != (2, len(binning.features))
        or not np.isfinite(counts).all()
        or min(counts.min(initial=0), outside.min()) < 0
        or counts.sum(dtype=np.float64) >= LARGEST_TOTAL
    ):
        raise ValueError("counts that are not those of objects")
    # Each object is in one bin of every feature.
    sizes = np.add.reduceat(counts, binning.offsets[:-1], axis=1)
    rounding = 0 if counts.dtype == np.int64 else _ROUNDING * sizes[:, :1]
    if (sizes <= 0).any() or (np.abs(sizes - sizes[:, :1]) > rounding).any():
        raise ValueError("features of different objects")
    return profile


def _write_counts(counts: WindowCounts) -> Json:
    unseen = None
    if counts.unseen is not None:
        rows = {name: k for k, name in enumerate(name_list(counts.profile.names))}
        items = [(r, rows[name], bucket, n) for (r, name, bucket), n in counts.unseen.items()]
        unseen = write_array(np.array(sorted(items), np.int64).reshape(-1, 4))
    return {**_write_profile(counts.profile), "unseen": unseen}


def _read_counts(written: Any, binning: Binning) -> WindowCounts:
    read_dict(written, "arrays", "unseen")
    profile = _read_profile({"arrays": written["arrays"]}, binning)
    if written["unseen"] is None:
        return WindowCounts(profile, None)
    items = read_array(written["unseen"])
    if items.dtype != np.int64 or items.shape[1:] != (4,):
        raise ValueError("counts of another type")
    names, unseen, sums = name_list(profile.names), Counter(), Counter()  # type: ignore[var-annotated]
    for r, k, bucket, n in items.tolist():
        if not (0 <= r < len(binning.features) and 0 <= k < len(names) and n > 0):
            raise ValueError("unseen values of no feature or cluster")
        if not 0 <= bucket < N_BUCKETS or (r, names[k], bucket) in unseen:
            raise ValueError("unseen values in no bucket, or twice in one")
        unseen[r, names[k], bucket] = n
        sums[r, k] += n
    for r, feature in enumerate(binning.features):
        counts = 0 if feature.values is None else unseen_column(profile, r)
        if (np.array([sums[r, k] for k in range(len(names))]) != counts).any():
            raise ValueError("unseen values of other objects")
    return WindowCounts(profile, unseen)


def _write_batch(batch: Batch) -> Json:
    X: Features = batch.X
    columns = None
    if X.matrix is None:
        columns = [[one.kind, one.date, write_array(one.data)] for one in X.columns]
    return {
        "labels": write_array(batch.labels),
        "names": X.names,
        "labelled": X.labelled,
        "matrix": None if X.matrix is None else write_array(X.matrix),
        "columns": columns,
    }


def _read_batch(written: Any) -> Batch:
    read_dict(written, "labels", "names", "labelled", "matrix", "columns")
    labels = read_array(written["labels"])
    encode_array(labels, "labels")  # raises an error for missing labels
    names = list(map(read_string, read_list(written["names"])))
    if len(set(names)) < max(1, len(names)):
        raise ValueError("no features, or two with the same name")
    labelled, matrix, columns = read_boolean(written["labelled"]), None, []
    if written["matrix"] is not None:
        matrix = read_array(written["matrix"])
        if matrix.shape != (labels.size, len(names)) or not _is_numeric(matrix):
            raise ValueError("no features of these objects")
    else:
        columns = [
            _read_column(name, column, labels.size)
            for name, column in zip(names, read_list(written["columns"]), strict=True)
        ]
    return Batch(Features(labels.size, names, matrix, labelled, columns), labels)


def _read_column(name: str, written: Any, n: int) -> Column:
    kind, date, data = read_list(written)
    values = read_array(data)
    if values.shape != (n,) or (kind, _is_numeric(values)) not in (
        ("numeric", True),
        ("nominal", False),
    ):
        raise ValueError("no feature of these objects")
    return Column(name, values, kind, read_boolean(date))


def _is_numeric(values: Array) -> bool:
    return values.dtype.kind in "iuf" and values.dtype.itemsize <= 8
