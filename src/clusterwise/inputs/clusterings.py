"""Read clusterings: labels in any form, one-hot matrices or soft memberships.

Every comparison uses :func:`read_pair` or :func:`read_any_pair`, which read two clusterings of the
same objects, align them, handle noise and missing labels, and check the weights.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, Self, TypedDict, TypeVar, Unpack, cast

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.inputs.encoding import (
    LARGEST_TOTAL,
    LARGEST_WEIGHT,
    MISSING_LABEL,
    Array,
    Codes,
    MissingLabelsError,
    as_names,
    encode_array,
    encode_sequence,
    is_missing,
    name_list,
    read_only,
    refuse_missing,
    smallest_unsigned,
    to_array,
)
from clusterwise.inputs.memberships import Memberships, as_memberships, harden
from clusterwise.inputs.series import (
    encode_series,
    filter_series,
    index_of,
    library_of,
    match_by_index,
    require_unique,
)

_NOT_WEIGHTS = "sample_weight must be a 1D array of numbers, one per object."

Noise = Literal["cluster", "singletons", "drop"]
Align = Literal["position", "index"]
Missing = Literal["error", "drop", "label"]

# The most clusters that noise objects with weights become.
MOST_SINGLETONS = 10_000_000


class LabelOptions(TypedDict, total=False):
    """Options of every comparison: weights, noise, alignment and missing labels."""

    sample_weight: Any
    noise: Noise
    noise_label: Any
    align: Align | None
    missing: Missing


@dataclass(frozen=True, slots=True)
class Clustering:
    """Labels as codes, with the index and library that they came with.

    ``missing`` is true for objects without a label, whose codes are meaningless;
    :func:`align_clusterings` handles them. None if every object has a label.
    """

    codes: Codes
    index: Any = None
    library: str | None = None
    missing: Array | None = None

    def __len__(self) -> int:
        return len(self.codes.values)

    def take(self, objects: Array) -> Self:
        """Return the clustering of some of the objects."""
        index = None if self.index is None else self.index[objects]
        codes = replace(self.codes, values=read_only(self.codes.values[objects]))
        missing = None if self.missing is None else self.missing[objects]
        if missing is not None and not missing.any():
            missing = None
        return replace(self, codes=codes, index=index, missing=missing)


@dataclass(frozen=True, slots=True)
class SoftClustering:
    """Memberships of every object, with the index and library that they came with."""

    memberships: Memberships
    index: Any = None
    library: str | None = None

    def __len__(self) -> int:
        return len(self.memberships)

    def take(self, objects: Array) -> Self:
        """Return the clustering of some of the objects."""
        index = None if self.index is None else self.index[objects]
        return replace(self, memberships=self.memberships.take(objects), index=index)


C = TypeVar("C", bound=Clustering | SoftClustering)


@dataclass(frozen=True, slots=True)
class IndexMatch:
    """The numbers of objects in common and of each clustering, when matched by index."""

    common: int
    in_a: int
    in_b: int

    def __str__(self) -> str:
        return (
            f"{self.common} objects in common: {self.common / self.in_a:.1%} of the {self.in_a} "
            f"in a, {self.common / self.in_b:.1%} of the {self.in_b} in b"
        )


class DroppedObjects(NamedTuple):
    """The number of objects that were left out of a comparison, and of all objects."""

    objects: int
    total: int


@dataclass(frozen=True, slots=True)
class Pair(Generic[C]):
    """Two aligned clusterings of the same objects, with weights.

    ``kept`` are the positions in a of the objects that are left; None if all are, in order. Noise
    objects that count as several singletons are repeated.
    """

    a: C
    b: C
    weights: Array | None = None
    matched: IndexMatch | None = None
    kept: Array | None = None
    whole: int | None = None

    @property
    def n(self) -> int:
        """The number of objects of a before any were left out."""
        return len(self.a) if self.whole is None else self.whole

    @property
    def dropped(self) -> "DroppedObjects":
        """The objects left out as noise or without a label, of those that both have."""
        total = self.n if self.matched is None else self.matched.common
        return DroppedObjects(0 if self.kept is None else total - np.unique(self.kept).size, total)


class Singleton:
    """The name of the cluster of a single noise object."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "noise"


def find_noise(names: Sequence[Any], noise_label: Any) -> Array:
    """Return which names of clusters are those of noise."""
    noise_label = as_integer_label(noise_label)
    return np.array(
        [isinstance(name, Singleton) or is_label(name, noise_label) for name in names], bool
    )


def is_label(name: Any, label: Any) -> bool:
    """Return whether the name of a cluster is a label; among strings, -1 is "-1"."""
    if isinstance(name, str) and is_integer_label(label):
        return name == str(label)
    return bool(name == label)


def as_hard_clustering(
    labels: Any, where: str = "labels", *, missing: Missing = "error"
) -> Clustering:
    """Read labels, a one-hot membership matrix, or a clustering read before.

    ``where`` names them in errors. Missing labels are an error, or marked for
    :func:`align_clusterings` to handle.
    """
    found = as_clustering(labels, where, missing=missing)
    if isinstance(found, SoftClustering):
        return Clustering(harden(found.memberships))  # raises: the memberships are soft
    return found


def as_clustering(
    labels: Any, where: str = "labels", *, missing: Missing = "error"
) -> Clustering | SoftClustering:
    """Read a clustering as :func:`as_hard_clustering` does, but keep soft memberships."""
    if isinstance(labels, Clustering | SoftClustering):
        if missing == "error":
            _require_labels(labels, where)
        return labels
    matrix = as_memberships(labels, where)
    index, library = index_of(labels), library_of(labels)
    if matrix is None and missing == "error":
        return Clustering(encode(labels, where), index, library)
    if matrix is None:
        codes, unlabelled = _encode_present(labels, where)
        return Clustering(codes, index, library, unlabelled)
    if matrix.is_hard:
        return Clustering(harden(matrix), index, library)
    if missing == "drop":
        unlabelled = matrix.missing_rows()
        present = matrix.take(~unlabelled)
        if present.is_hard:
            return Clustering(_expand(harden(present), unlabelled), index, library, unlabelled)
    return SoftClustering(matrix, index, library)


def _encode_present(labels: Any, where: str) -> tuple[Codes, Array | None]:
    """Return the codes of labels of which some may be missing, and a mask of those or None."""
    if isinstance(labels, Iterator):
        labels = list(labels)
    try:
        return encode(labels, where), None
    except MissingLabelsError as error:
        missing = error.mask.astype(bool)
    codes, more = _encode_present(_where_true(labels, ~missing), where)
    codes = _expand(codes.exact(), missing)
    if more is not None:  # a column of floats: nulls are found first, then NaN
        missing[np.flatnonzero(~missing)[more]] = True
    return codes, missing


def _expand(present: Codes, missing: Array) -> Codes:
    """Return codes for all objects, with 0 for those that are missing."""
    values = np.zeros(missing.size, smallest_unsigned(present.size))
    values[~missing] = present.positions()
    return Codes(read_only(values), 0, present.size, present.all_names())


def _where_true(labels: Any, kept: Array) -> Any:
    """Return the labels at which ``kept`` is true, as a container of the same kind."""
    if isinstance(labels, np.ndarray):
        return labels[kept]
    if isinstance(labels, Sequence):
        return [label for label, keep in zip(labels, kept.tolist(), strict=True) if keep]
    series = filter_series(labels, kept)
    if series is not None:
        return series
    if hasattr(labels, "__array__"):
        return np.asarray(labels)[kept]
    return _where_true(list(labels), kept)


def encode(labels: Any, where: str) -> Codes:
    """Return the codes of one-dimensional labels; ``where`` names them in errors."""
    if isinstance(labels, np.ndarray):
        return encode_array(labels, where)
    if isinstance(labels, str | bytes):
        raise InputError(
            f"{where} is one string, not labels; pass a list or array with a label per object."
        )
    if isinstance(labels, Mapping | Set):
        raise InputError(
            f"{where} is {type_words(labels)}, which has no order of objects; pass a list or "
            "array with a label per object."
        )
    if isinstance(labels, Sequence):
        return encode_sequence(labels, where)
    codes = encode_series(labels, where)
    if codes is not None:
        return codes
    if hasattr(labels, "__array__"):
        return encode_array(np.asarray(labels), where)
    if hasattr(labels, "__iter__"):
        return encode_sequence(list(labels), where)
    raise InputError(
        f"{where} is {type_words(labels)}, not labels; "
        "pass a list, an array or a series with a label per object."
    )


def read_pair(a: Any, b: Any, **label_options: Unpack[LabelOptions]) -> Pair[Clustering]:
    """Read two hard clusterings of the same objects, and align them.

    Raises
    ------
    InputError
        One sentence that says what is wrong, where, and what to do.
    """
    missing = label_options.get("missing", "error")
    return align_clusterings(
        as_hard_clustering(a, "a", missing=missing),
        as_hard_clustering(b, "b", missing=missing),
        **label_options,
    )


def read_any_pair(
    a: Any, b: Any, **label_options: Unpack[LabelOptions]
) -> Pair[Clustering | SoftClustering]:
    """Read two clusterings as :func:`read_pair` does, but keep soft memberships."""
    missing = label_options.get("missing", "error")
    first = as_clustering(a, "a", missing=missing)
    return align_clusterings(first, as_clustering(b, "b", missing=missing), **label_options)


def align_clusterings(
    first: C,
    second: C,
    *,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> Pair[C]:
    """Align two clusterings, hard or soft; handle noise, missing labels and weights."""
    weights = None if sample_weight is None else as_weights(sample_weight)
    matched = kept = None
    whole = len(first)
    if align == "index":
        kept, in_second = _common(first, second)
        matched = IndexMatch(len(kept), len(first), len(second))
        weights = _align_weights(first, kept, weights, index_of(sample_weight))
        first, second = _take(first, kept), _take(second, in_second)
    else:
        _require_same_objects(first, second, check_index=align is None)
        _require_weights_of(first, weights, index_of(sample_weight) if align is None else None)
    if missing == "label":
        first, second = _label_missing(first), _label_missing(second)
    left = _objects_left(
        first, second, drop_noise=noise == "drop", noise_label=noise_label, missing=missing
    )
    if left is not None:
        first, second = _take(first, left), _take(second, left)
        weights = None if weights is None else read_only(weights[left])
        kept = left if kept is None else kept[left]
    if noise == "singletons":
        if weights is not None:
            noisy = noise_mask(first, noise_label) | noise_mask(second, noise_label)
            copies = copies_of_noise(noisy, weights, kept)
            if copies is not None:
                first, second = _take(first, copies), _take(second, copies)
                weights = read_only(np.where(noisy, 1, weights)[copies])
                kept = copies if kept is None else kept[copies]
        first, second = _split_noise(first, noise_label), _split_noise(second, noise_label)
    return Pair(first, second, weights, matched, kept, whole)


def _take(clustering: C, objects: Array) -> C:
    return cast("C", clustering.take(objects))


def _objects_left(
    a: C, b: C, *, drop_noise: bool, noise_label: Any, missing: Missing
) -> Array | None:
    """Return the objects that are left without noise and missing labels; None if all are."""
    masks = []
    if drop_noise:
        masks += [noise_mask(a, noise_label), noise_mask(b, noise_label)]
    if missing == "drop":
        masks += [mask for mask in map(_missing_mask, (a, b)) if mask is not None]
    else:
        _require_labels(a, "a")
        _require_labels(b, "b")
    if not any(mask.any() for mask in masks):
        return None
    return np.flatnonzero(~np.logical_or.reduce(masks))


def _missing_mask(clustering: Clustering | SoftClustering) -> Array | None:
    """Return a mask of the objects without a label or with a NaN membership, or None."""
    if isinstance(clustering, SoftClustering):
        return clustering.memberships.missing_rows()
    return clustering.missing


def _require_labels(clustering: Clustering | SoftClustering, where: str) -> None:
    if isinstance(clustering, Clustering) and clustering.missing is not None:
        refuse_missing(clustering.missing, where)


def _label_missing(clustering: C) -> C:
    """Put all objects without a label into one additional cluster."""
    if isinstance(clustering, SoftClustering) or clustering.missing is None:
        return clustering
    codes = clustering.codes
    names = name_list(codes.all_names())
    if MISSING_LABEL not in names:
        names.append(MISSING_LABEL)
    values = codes.positions().astype(np.int64)
    values[clustering.missing] = names.index(MISSING_LABEL)
    labelled = Codes(read_only(values), 0, len(names), as_names(names))
    return replace(clustering, codes=labelled, missing=None)


def _require_same_objects(a: C, b: C, *, check_index: bool) -> None:
    if len(a) != len(b):
        raise InputError(
            f"a and b have inconsistent numbers of samples: [{len(a)}, {len(b)}]; "
            "pass labels of the same objects, or pandas series with align='index'."
        )
    if check_index and a.index is not None and b.index is not None and not a.index.equals(b.index):
        raise InputError(
            "a and b are series with different indexes; pass align='index' to match objects by "
            "index, or align='position' to compare them in their present order."
        )


def _require_weights_of(a: C, weights: Array | None, index: Any) -> None:
    if weights is None:
        return
    if len(weights) != len(a):
        raise InputError(
            f"sample_weight has {len(weights)} values for {len(a)} objects; "
            "pass one weight per object."
        )
    if index is not None and a.index is not None and not index.equals(a.index):
        raise InputError(
            "sample_weight is a series with another index than a; pass align='index' to match by "
            "index, or align='position' to use the weights in their present order."
        )


def _common(a: C, b: C) -> tuple[Array, Array]:
    """Return the positions in a and in b of the objects that both have, in the order of a."""
    if a.index is None or b.index is None:
        where = "a" if a.index is None else "b"
        raise InputError(f"align='index' needs two pandas series, but {where} has no index.")
    in_a, in_b = match_by_index(a.index, b.index)
    if not in_a.size:
        raise InputError("a and b have no index value in common, so no object can be matched.")
    return in_a, in_b


def _align_weights(a: C, kept: Array, weights: Array | None, index: Any) -> Array | None:
    """Return the weights of the objects that are kept, by their index if they have one."""
    if weights is None:
        return None
    if index is None:
        if len(weights) == len(a):
            return weights[kept]
        raise InputError(
            f"sample_weight has {len(weights)} values for the {len(a)} objects of a; pass one "
            "weight per object of a, or a series with the same index."
        )
    require_unique(index, "sample_weight")
    positions = index.get_indexer(a.index[kept])
    if np.any(positions < 0):
        lacking = a.index[kept][positions < 0].tolist()[0]
        raise InputError(
            f"sample_weight lacks the index value {lacking!r} that a and b have; add its weight."
        )
    return weights[positions]


def as_weights(sample_weight: Any) -> Array:
    """Return weights as an array; integers stay integers, so that counts are exact."""
    if np.ma.is_masked(sample_weight):
        position = int(np.argmax(np.ma.getmaskarray(sample_weight)))
        raise InputError(f"sample_weight is missing at position {position}; fill it in.")
    weights = to_array(sample_weight, _NOT_WEIGHTS)
    if weights.ndim != 1 or weights.dtype.kind not in "iufb":
        raise InputError(_NOT_WEIGHTS)
    if weights.dtype.kind == "f" and not np.isfinite(weights).all():
        position = int(np.argmin(np.isfinite(weights)))
        value = weights[position]
        raise InputError(f"sample_weight is {value} at position {position}; fill it in.")
    if weights.size and weights.min() < 0:
        position = int(np.argmin(weights))
        value = weights[position]
        raise InputError(
            f"sample_weight is {value} at position {position}; weights cannot be negative."
        )
    return read_only(as_counts(weights, "sample_weight"))


def as_counts(numbers: Array, where: str) -> Array:
    """Return integers as 64-bit integers, others as floats; the total must fit."""
    if numbers.dtype.kind == "f":
        with np.errstate(over="ignore"):
            numbers = numbers.astype(np.float64)
            total = numbers.sum()
        if total > LARGEST_WEIGHT:
            raise InputError(f"{where} adds up to more than 10^307; divide it.")
        return numbers
    if numbers.sum(dtype=np.float64) >= LARGEST_TOTAL:
        raise InputError(
            f"{where} adds up to more than the largest 64-bit integer (9·10^18); divide it, or "
            "pass floating-point numbers."
        )
    return numbers.astype(np.int64)


def is_integer_label(label: Any) -> bool:
    """Return whether a label is an integer, and no truth value."""
    return isinstance(label, int | np.integer) and not isinstance(label, bool)


def as_integer_label(label: Any) -> Any:
    """Return integral floats as integers, other labels unchanged."""
    if isinstance(label, float | np.floating) and label.is_integer():
        return int(label)
    return label


def noise_mask(clustering: Clustering | SoftClustering, noise_label: Any) -> Array:
    """Return a mask of the noise objects; a soft clustering has none."""
    if isinstance(clustering, SoftClustering):
        return np.zeros(len(clustering), bool)
    codes, noise_label = clustering.codes, as_integer_label(noise_label)
    if codes.names is None and isinstance(noise_label, int | np.integer):
        return np.asarray(codes.values == noise_label)
    if codes.names is None or is_missing(noise_label):
        return np.zeros(len(clustering), bool)
    where = [i for i, name in enumerate(name_list(codes.names)) if is_label(name, noise_label)]
    found = np.isin(codes.positions(), where)
    return found if clustering.missing is None else found & ~clustering.missing


def copies_of_noise(noisy: Array, weights: Array, kept: Array | None = None) -> Array | None:
    """Return the objects, those of noise as often as their weight says; None if all count once.

    A noise object of weight w stands for w objects, each of which is a cluster. ``kept`` are the
    positions of the objects in the input, for errors.
    """
    times = weights[noisy]
    if (times == 1).all():
        return None
    whole = np.trunc(times) == times
    if not whole.all():
        first = np.flatnonzero(noisy)[np.argmin(whole)]
        position = int(first if kept is None else kept[first])
        raise InputError(
            f"sample_weight is {weights[first]:g} at position {position}, which is noise, but "
            "noise='singletons' makes w clusters of noise of weight w; use whole numbers, or "
            "noise='cluster' or 'drop'."
        )
    total = times.sum(dtype=np.float64)
    if total > MOST_SINGLETONS:
        raise InputError(
            f"noise='singletons' would make {total:.0f} clusters of noise, more than "
            f"{MOST_SINGLETONS}; use noise='cluster' or 'drop'."
        )
    repeats = np.ones(noisy.size, np.int64)
    repeats[noisy] = times
    return np.repeat(np.arange(noisy.size), repeats)


def _split_noise(clustering: C, noise_label: Any) -> C:
    """Make every noise object a cluster of its own."""
    mask = noise_mask(clustering, noise_label)
    count = int(np.count_nonzero(mask))
    if not count or isinstance(clustering, SoftClustering):
        return clustering
    codes = clustering.codes.exact()
    values = codes.positions().astype(np.int64)
    values[mask] = codes.size + np.arange(count)
    names = name_list(codes.all_names())
    names += [Singleton() for _ in range(count)]
    return replace(
        clustering, codes=Codes(read_only(values), 0, codes.size + count, as_names(names))
    )
