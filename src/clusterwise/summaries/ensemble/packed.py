"""Counts of common objects of clusters and an ensemble, by bit counting or by labels."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.threads import run_parts, thread_count
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble, read_ensemble
from clusterwise.kernels import ensemble as kernels

Route = Literal["bits", "labels"]

# With more pairs of clusters per clustering of the ensemble (on average), counting labels is
# faster than AND. The crossover depends on n, since bits leave the cache: about 230 with 500,000
# objects, about 450 with 20,000 (see benchmarks/ensembles.py).
CROSSOVER = 250
# Below this many labels, threads cost more than they save.
_SERIAL_BELOW = 20_000_000
# Objects per word, and the largest number of codes that fit in a signed byte.
_WORD = 64
_BYTE = 127


class Shared(NamedTuple):
    """Common objects of clusters and the clusters of an ensemble, and the sizes of the former."""

    counts: Array
    sizes: Array


class PackedEnsemble(NamedTuple):
    """An ensemble with a bit for each object and cluster.

    ``words`` has a row for each cluster of the ensemble, with 64 objects per word.
    """

    ensemble: Ensemble
    words: Array


@check_arguments
def pack_ensemble(ensemble: Any) -> PackedEnsemble:
    """Pack an ensemble into bits, to evaluate its objective for many candidates.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.

    Returns
    -------
    PackedEnsemble
        It can be passed in place of the ensemble.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import pack_ensemble
    >>> pack_ensemble(np.array([[0, 0], [0, 1], [1, 1]])).words
    array([[3],
           [4],
           [1],
           [6]], dtype=uint64)
    """
    if isinstance(ensemble, PackedEnsemble):
        return ensemble
    read = read_ensemble(ensemble)
    words = np.empty((sum(read.sizes), -(-read.n // _WORD)), np.uint64)
    ends = np.cumsum(read.sizes)

    def pack(j: int) -> None:
        _pack(read.codes[j], words[ends[j] - read.sizes[j] : ends[j]])

    _run(pack, read)
    return PackedEnsemble(read, words)


def count_shared(
    codes: Array,
    size: int,
    ensemble: Ensemble | PackedEnsemble,
    weights: Array | None = None,
    route: Route | None = None,
) -> Shared:
    """Count the common objects (or sum their weights) of clusters and an ensemble's clusters.

    ``codes`` are the clusters from zero, -1 where an object has none. Bits are used if the
    ensemble is packed and objects have no weights; both routes give the same counts.
    """
    plain, words = (
        ensemble if isinstance(ensemble, PackedEnsemble) else PackedEnsemble(ensemble, _NOTHING)
    )
    if route is None:
        few = size * sum(plain.sizes) <= CROSSOVER * plain.m
        route = "bits" if few and words.size and weights is None else "labels"
    if route == "labels":
        return _count_labels(codes, size, plain, weights)
    ours = np.empty((size, words.shape[1]), np.uint64)
    _pack(codes, ours)
    table = np.zeros((size, words.shape[0]), np.int64)
    sizes = np.zeros((size, 1), np.int64)
    kernels.count_bits(ours, np.full((1, words.shape[1]), ~np.uint64(0)), sizes)
    ends = np.cumsum(plain.sizes)

    def count(j: int) -> None:
        mine = slice(ends[j] - plain.sizes[j], ends[j])
        kernels.count_bits(ours, words[mine], table[:, mine])

    if plain.n * plain.m < _SERIAL_BELOW or thread_count() == 1:
        kernels.count_bits(ours, words, table)
    else:
        run_parts(count, plain.m)
    return Shared(table, sizes[:, 0])


def count_raw(codes: Array, size: int, labels: Array) -> tuple[Array, Array, Array] | None:
    """Count from raw labels (n × m) in one pass, without a copy of the labels.

    Returns the counts of the labels that occur, their clusterings and their values; None if
    labels are not integers of a small range, which is estimated from the first rows.
    """
    low, high = labels[:1000].min(axis=0), labels[:1000].max(axis=0)
    widest = max(int(b) - int(a) for a, b in zip(low.tolist(), high.tolist(), strict=True))
    if widest >= kernels.FEW:
        return None
    width = 1 << widest.bit_length()
    counts = np.zeros((size, labels.shape[1] * width), np.uint32)
    largest = kernels.count_raw_labels(codes, labels, low.astype(np.uint64), width, counts)
    if largest >= width:
        return None
    used = counts.any(axis=0)
    owners, offsets = np.divmod(np.flatnonzero(used), width)
    return counts[:, used].astype(np.int64), owners, low[owners] + offsets.astype(labels.dtype)


_NOTHING = np.empty((0, 0), np.uint64)


def _pack(codes: Array, words: Array) -> None:
    """Set the bits of codes 0, 1, …, one row of words per code."""
    if len(words) > _BYTE:
        for first in range(0, len(words), _BYTE):
            here = (codes >= first) & (codes < first + _BYTE)
            _pack(np.where(here, codes - first, -1), words[first : first + _BYTE])
        return
    filled = np.full(words.shape[1] * _WORD, -1, np.int8)
    filled[: codes.size] = codes
    kernels.pack_bits(filled.view(np.uint64), words)


def _count_labels(codes: Array, size: int, ensemble: Ensemble, weights: Array | None) -> Shared:
    sizes = np.bincount(codes + 1, weights, size + 1)[1:]
    codes = codes.astype(np.min_scalar_type(-size), copy=False)
    kind = np.int64 if weights is None else weights.dtype
    table = np.empty((size, sum(ensemble.sizes)), kind)
    ends = np.cumsum(ensemble.sizes)

    def count(j: int) -> None:
        wide = ensemble.sizes[j]
        if weights is None:
            counts = np.zeros((2, size + 1, wide + 1), np.uint32)
            kernels.count_label_pairs(codes, ensemble.codes[j], counts)
            sums = counts.sum(axis=0, dtype=np.int64)
        else:
            sums = np.zeros((size + 1, wide + 1), kind)
            kernels.add_label_pairs(codes, ensemble.codes[j], weights, sums)
        table[:, ends[j] - wide : ends[j]] = sums[1:, 1:]

    _run(count, ensemble)
    return Shared(table, sizes.astype(kind, copy=False))


def _run(task: Callable[[int], None], ensemble: Ensemble) -> None:
    if ensemble.n * ensemble.m >= _SERIAL_BELOW:
        run_parts(task, ensemble.m)
        return
    for j in range(ensemble.m):
        task(j)
