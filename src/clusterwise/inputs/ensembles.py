"""Read ensembles: many clusterings of the same objects."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import show
from clusterwise.inputs.clusterings import (
    Missing,
    Noise,
    Singleton,
    as_integer_label,
    is_label,
)
from clusterwise.inputs.encoding import MISSING_LABEL, Array, as_names, name_list
from clusterwise.inputs.features import Categories, Column, has_rows, read_features
from clusterwise.inputs.series import is_wide
from clusterwise.kernels import ensemble as kernels
from clusterwise.kernels.encoding import hash_rows

MISSING = -1
MissingLabels = Missing | Literal["ignore"]

# The rows from which the lowest label of each column is guessed; a wrong guess is detected.
_SAMPLE = 1000


class Ensemble(NamedTuple):
    """m clusterings of n objects.

    ``codes`` is m × n, of the smallest possible integer type, -1 where a label is missing.
    ``sizes`` are the numbers of clusters, ``values`` the labels of the codes. ``counts`` are the
    multiplicities of the objects, if these are distinct rows; else None.
    """

    codes: Array
    sizes: tuple[int, ...]
    names: tuple[str, ...]
    values: tuple[Array, ...] = ()
    counts: Array | None = None

    @property
    def n(self) -> int:
        """The number of objects."""
        return int(self.codes.shape[1])

    @property
    def m(self) -> int:
        """The number of clusterings."""
        return len(self.sizes)

    def collapse(self) -> "Collapsed":
        """Return the distinct rows of labels, in the order of their first occurrences."""
        wide = -(-self.m * self.codes.itemsize // 8)
        rows = np.zeros((self.n, 8 * wide // self.codes.itemsize), self.codes.dtype)
        rows[:, : self.m] = self.codes.T
        of = np.empty(self.n, np.int64)
        first = hash_rows(rows.view(np.uint64), of)
        weights = np.bincount(of, self.counts, first.size).astype(np.int64)
        few = self._replace(codes=np.ascontiguousarray(self.codes[:, first]), counts=None)
        return Collapsed(few, weights, of)


class Collapsed(NamedTuple):
    """The distinct rows of an ensemble, their counts, and the row of each object."""

    ensemble: Ensemble
    weights: Array
    of: Array


def read_ensemble(ensemble: Any, *, counted: bool = False) -> Ensemble:
    """Read clusterings: n × m labels, a frame, a list of label arrays, or a dict of them.

    Labels may be of any type, and may be missing. An :class:`Ensemble` of distinct rows with counts
    is refused unless ``counted``.

    Raises
    ------
    InputError
        If there is no clustering or no object, lengths differ, or a clustering has no labels.
    """
    if isinstance(ensemble, Ensemble):
        if ensemble.counts is not None and not counted:
            raise InputError(
                "the ensemble has distinct rows with counts, but every object is needed; collect "
                "the frame, or a sample of it."
            )
        return ensemble
    if isinstance(ensemble, np.ndarray) and ensemble.ndim == 2 and _is_integer(ensemble):
        narrow = _narrow(ensemble)
        if narrow is not None:
            return narrow
    named = _columns(ensemble)
    if not named:
        raise InputError("the ensemble has no clusterings; pass at least one.")
    names = tuple(name for name, _ in named)
    n = named[0][1].codes.size
    if n == 0:
        raise InputError("the ensemble has no objects; pass at least one.")
    for name, one in named:
        if one.codes.size != n:
            raise InputError(
                f"clustering {name} has {one.codes.size} labels, but {names[0]} has {n}; pass one "
                "label per object in each."
            )
        if not one.values:
            raise InputError(f"clustering {name} has no labels; leave it out.")
    sizes = tuple(len(one.values) for _, one in named)
    kind = np.min_scalar_type(-max(sizes))
    codes = np.array([one.codes.astype(kind, copy=False) for _, one in named])
    return Ensemble(codes, sizes, names, tuple(as_names(one.values) for _, one in named))


def _is_integer(labels: Array) -> bool:
    plain = labels.dtype.kind in "iu" and labels.dtype.isnative
    return plain and labels.size > 0 and not np.ma.isMaskedArray(labels)


def _narrow(labels: Array) -> Ensemble | None:
    """Read integers of a small range in one pass; return None for other labels."""
    n, m = labels.shape
    masks, spread = np.zeros(m, np.uint64), np.zeros(m, np.uint64)
    lows = labels[:_SAMPLE].min(axis=0)
    if labels.flags.c_contiguous and m > 1:
        eights = np.empty((m, -(-n // kernels.BLOCK) * kernels.BLOCK // 8), np.uint64)
        kernels.narrow_rows(labels, lows.astype(np.uint64), eights, masks, spread)
        codes = np.ascontiguousarray(eights.view(np.int8)[:, :n])
    else:
        codes = np.empty((m, n), np.int8)
        for j in range(m):
            masks[j], spread[j] = _narrow_column(labels[:, j], lows[j], codes[j])
    # Columns whose lowest label is not among the first rows.
    for j in np.flatnonzero(spread >= kernels.FEW).tolist():
        lows[j] = labels[:, j].min()
        if int(labels[:, j].max()) - int(lows[j]) >= kernels.FEW:
            return None
        masks[j], _ = _narrow_column(labels[:, j], lows[j], codes[j])
    used = masks[:, None] >> np.arange(kernels.FEW, dtype=np.uint64) & np.uint64(1) > 0
    counts = used.sum(axis=1)
    for j in np.flatnonzero(masks + np.uint64(1) & masks).tolist():  # values that do not occur
        codes[j] = (np.cumsum(used[j], dtype=np.int8) - np.int8(1))[codes[j]]
    owners, offsets = np.nonzero(used)
    values = np.split(lows[owners] + offsets.astype(labels.dtype), np.cumsum(counts)[:-1])
    names = tuple(map(str, range(m)))
    return Ensemble(codes, tuple(counts.tolist()), names, tuple(values))


def _narrow_column(labels: Array, low: Any, codes: Array) -> tuple[int, int]:
    found: tuple[int, int] = kernels.narrow_column(labels, low.astype(np.uint64), codes)
    return found


def _columns(ensemble: Any) -> Sequence[tuple[str, Categories]]:
    if isinstance(ensemble, Mapping):
        return [(str(name), _encode(labels, str(name))) for name, labels in ensemble.items()]
    if isinstance(ensemble, list | tuple):
        return [(str(i), _encode(labels, str(i))) for i, labels in enumerate(ensemble)]
    if not has_rows(ensemble):
        raise InputError(
            f"ensemble={show(ensemble)} is not several clusterings; pass n × m labels, a list or a "
            "dict of label arrays."
        )
    features = read_features(ensemble)
    names = features.names if features.labelled else map(str, range(len(features.names)))
    columns = zip(names, features.columns, strict=True)
    return [(name, column.categories()) for name, column in columns]


def _encode(labels: Any, name: str) -> Categories:
    """Encode the clustering of this name."""
    values = labels if isinstance(labels, np.ndarray) else _as_array(labels)
    if values.ndim != 1:
        raise InputError(
            f"clustering {name} has shape {values.shape}, not one label per object; pass n × m "
            "labels as one array, or a list of m label arrays."
        )
    if _is_integer(values):
        narrow = _narrow(values[:, None])
        if narrow is not None:
            return Categories(narrow.codes[0], narrow.values[0].tolist())
    if values.dtype.kind in "mM":
        texts = values.astype(str).astype(object)
        texts[np.isnat(values)] = None
        values = texts
    elif values.dtype == object and any(map(_is_long, values)):
        return Column(name, values, "nominal").categories()
    return read_features(values[:, None]).columns[0].categories()


def _is_long(label: Any) -> bool:
    return type(label) is int and label.bit_length() > 64


def _as_array(labels: Any) -> Array:
    if isinstance(labels, list | tuple):
        values = np.empty(len(labels), object)
        values[:] = labels
        return values
    if is_wide(labels):
        return _as_array(labels.to_list())
    if hasattr(labels, "to_numpy"):
        return np.asarray(labels.to_numpy())
    return np.asarray(labels)


def apply_label_options(
    ensemble: Ensemble,
    *,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    missing: MissingLabels = "ignore",
) -> Ensemble:
    """Return an ensemble with missing labels and noise treated by these options.

    Parameters
    ----------
    ensemble : Ensemble
        The clusterings.
    noise : {"cluster", "singletons", "drop"}
        Treat the objects that a clustering labels as noise as one cluster, as a cluster each, or
        as missing in this clustering.
    noise_label : label
        The label of noise.
    missing : {"ignore", "error", "drop", "label"}
        Where an object has no label: ignore this clustering for it, raise an error, drop the
        object from all clusterings, or put it into an additional cluster.
    """
    if missing != "ignore":
        ensemble = _treat_missing(ensemble, missing)
    return ensemble if noise == "cluster" else _treat_noise(ensemble, noise, noise_label)


def _treat_missing(ensemble: Ensemble, missing: MissingLabels) -> Ensemble:
    mask = ensemble.codes == MISSING
    if not mask.any():
        return ensemble
    if missing == "error":
        j = int(mask.any(axis=1).argmax())
        raise InputError(
            f"clustering {ensemble.names[j]} has no label for object {int(mask[j].argmax())} "
            f"({int(mask[j].sum())} of {ensemble.n} objects); fill it in, or pass missing='ignore',"
            " 'drop' or 'label'."
        )
    if missing == "label":
        columns = [
            np.where(row == MISSING, size, row) if lacks else row
            for row, size, lacks in zip(
                ensemble.codes, ensemble.sizes, mask.any(axis=1), strict=True
            )
        ]
        return _recode(ensemble, columns, MISSING_LABEL)
    left_out = mask.any(axis=0)
    if left_out.all():
        raise InputError("every object lacks a label in some clustering; missing='drop' drops all.")
    return _recode(ensemble, [np.where(left_out, MISSING, row) for row in ensemble.codes])


def _treat_noise(ensemble: Ensemble, noise: Noise, noise_label: Any) -> Ensemble:
    noise_label = as_integer_label(noise_label)
    columns = list(ensemble.codes)
    for j, (row, size) in enumerate(zip(ensemble.codes, ensemble.sizes, strict=True)):
        labels = name_list(ensemble.values[j]) if ensemble.values else list(range(size))
        found = [i for i, name in enumerate(labels) if is_label(name, noise_label)]
        if not found:
            continue
        here = np.isin(row, found)
        if noise == "drop":
            columns[j] = np.where(here, MISSING, row)
            continue
        if ensemble.counts is not None and (ensemble.counts[here] > 1).any():
            raise InputError(
                "noise='singletons' needs every object, but the ensemble has distinct rows with "
                "counts; collect the frame, or use noise='drop'."
            )
        columns[j] = row.astype(np.int64)
        columns[j][here] = size + np.arange(int(here.sum()))
    return _recode(ensemble, columns, Singleton())


def _recode(ensemble: Ensemble, columns: Sequence[Array], added: Any = None) -> Ensemble:
    """Return the ensemble with new codes, renumbered so that every code occurs.

    ``added`` is the label of additional clusters, whose codes are above those of the old ones.
    """
    codes, values = [], []
    for row, size, name, old in zip(
        columns,
        ensemble.sizes,
        ensemble.names,
        ensemble.values or map(np.arange, ensemble.sizes),
        strict=True,
    ):
        used, ranks = np.unique(row, return_inverse=True)
        lacks = int(used[0] == MISSING)
        if used.size == lacks:
            raise InputError(
                f"clustering {name} has no label left after noise and missing labels are dropped; "
                "leave it out."
            )
        codes.append(ranks - lacks)
        kept = used[lacks:]
        new = [added] * int((kept >= size).sum())
        values.append(as_names([*name_list(old[kept[kept < size]]), *new]))
    sizes = tuple(map(len, values))
    narrow = np.array(codes, np.min_scalar_type(-max(sizes)))
    return ensemble._replace(codes=narrow, sizes=sizes, values=tuple(values))
