"""The clusterings that are known already, and what they forbid."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import encode
from clusterwise.inputs.encoding import Array, is_sequence_label
from clusterwise.inputs.features import in_use

_WORD = 64


class Given(NamedTuple):
    """Known clusterings of n objects: codes of each, m × n, and their numbers of clusters."""

    codes: Array
    sizes: tuple[int, ...]

    def with_labels(self, labels: Array) -> "Given":
        """These and one more."""
        codes = np.vstack([self.codes, labels[None, :]])
        return Given(codes, (*self.sizes, int(labels.max()) + 1))

    @property
    def joint(self) -> Array:
        """A code for each combination of clusters that some object has."""
        if len(self.codes) == 1:
            return np.asarray(self.codes[0])
        _, codes = np.unique(self.codes, axis=1, return_inverse=True)
        return codes

    @property
    def indicators(self) -> sparse.csr_array:
        """Which objects are in which cluster, n × clusters, those of each clustering together."""
        n = self.codes.shape[1]
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        columns = (self.codes + starts[:-1, None]).T.ravel()
        rows = np.repeat(np.arange(n), len(self.sizes))
        shape = (n, int(starts[-1]))
        return sparse.csr_array((np.ones(columns.size), (rows, columns)), shape=shape)

    def masks(self) -> Array:
        """For each object the given clusters that it is in, one bit each: n × words."""
        bits = sum(self.sizes)
        masks = np.zeros((self.codes.shape[1], max(1, -(-bits // _WORD))), np.uint64)
        begin = 0
        for codes, size in zip(self.codes, self.sizes, strict=True):
            words, places = np.divmod(begin + codes, _WORD)
            masks[np.arange(codes.size), words] |= np.uint64(1) << places.astype(np.uint64)
            begin += size
        return masks


def read_given(y: Any, n: int) -> Given:
    """One clustering of n objects, or several side by side (n × m).

    Raises
    ------
    InputError
        If there is not one label per object, or a label is missing.
    """
    codes, sizes = [], []
    for name, column in _columns(y):
        named = in_use(encode(column, name))
        if named.codes.size != n:
            raise InputError(
                f"{name} has {named.codes.size} labels for {n} objects; pass one per object."
            )
        codes.append(named.codes.astype(np.int64))
        sizes.append(len(named.values))
    if not codes:
        raise InputError("y holds no clustering; pass at least one, or None to make one first.")
    return Given(np.array(codes), tuple(sizes))


def _columns(y: Any) -> Sequence[tuple[str, Any]]:
    """Label columns with a name for errors."""
    if isinstance(y, list | tuple) and y and is_sequence_label(y[0]):
        y = np.asarray(y, object)
    if len(getattr(y, "shape", ())) != 2:
        return [("y", y)]
    if isinstance(y, np.ndarray):
        return [(f"column {i} of y", y[:, i]) for i in range(y.shape[1])]
    if hasattr(y, "columns") and not callable(y.columns):
        names = getattr(y, "column_names", list(y.columns))
        return [(f"column {name!r} of y", y[name]) for name in names]
    values = np.asarray(y)
    return [(f"column {i} of y", values[:, i]) for i in range(values.shape[1])]
