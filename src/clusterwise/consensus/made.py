"""What an ensemble is made of, and how it shows itself."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.tables import TableRepr, TextTable, format_number, format_percent
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Ensemble

Way = Literal["plain", "subsample", "subspace", "zipf"]


class Member(NamedTuple):
    """How a clustering was made.

    ``objects`` is the share of objects that k-means saw, ``features`` are the features that it
    saw, and ``exponent`` is that of Zipf's law by which these were weighted.
    """

    way: Way
    n_clusters: int
    objects: float
    features: tuple[int, ...]
    exponent: float


class MadeEnsemble(TableRepr):
    """The result of :func:`make_ensemble`: prints how its clusterings were made.

    Attributes
    ----------
    ensemble : Ensemble
        The clusterings as codes, m × n, with -1 where a label is missing; estimators take it
        as ``X``.
    members : tuple of Member
        How each was made.
    """

    def __init__(self, ensemble: Ensemble, members: Sequence[Member]) -> None:
        self.ensemble = ensemble
        self.members = tuple(members)

    @property
    def labels(self) -> Array:
        """Labels, n × m: whole numbers, or floats with NaN if some are missing."""
        codes = self.ensemble.codes.T
        missing = codes == MISSING
        return np.where(missing, np.float32(np.nan), codes) if missing.any() else codes

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row per clustering."""
        columns = zip(*self.members, strict=True)
        named = dict(zip(Member._fields, map(list, columns), strict=True))
        named["features"] = [len(one) for one in named["features"]]
        return to_frame(named, library)

    def text_table(self) -> TextTable:
        """A row for each way in which clusterings were made."""
        rows = []
        for way in dict.fromkeys(one.way for one in self.members):
            some = [one for one in self.members if one.way == way]
            rows.append(
                [
                    way,
                    str(len(some)),
                    _range([one.n_clusters for one in some], format_number),
                    _range([one.objects for one in some], format_percent),
                    _range([len(one.features) for one in some], format_number),
                    _range([one.exponent for one in some], format_number),
                ]
            )
        header = ["way", "clusterings", "clusters", "objects", "features", "exponent"]
        n, m = self.ensemble.n, self.ensemble.m
        return TextTable(header, rows, f"{m} clusterings of {n} objects")


def _range(values: Sequence[float], show: Callable[[float], str]) -> str:
    low, high = min(values), max(values)
    return show(low) if low == high else f"{show(low)} to {show(high)}"
