"""Sums of products over the rows of a lazy frame, from which an overlap follows."""

import operator
from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.frame_fitting import kind_of
from clusterwise.inputs.clusterings import Clustering, align_clusterings
from clusterwise.inputs.encoding import Array, as_names
from clusterwise.inputs.frames import (
    WEIGHT,
    SelectedColumns,
    fetch,
    floats,
    integers,
    select_columns,
    without_nan,
)
from clusterwise.kernels.overlap import TOLERANCE
from clusterwise.summaries.contingency.cells import DenseCells
from clusterwise.summaries.frames.labels import (
    DistinctRows,
    as_kinds,
    labels_of,
    refuse_missing_labels,
    totals,
)
from clusterwise.summaries.overlap.centroid_sums import CentreSums
from clusterwise.summaries.overlap.membership_sums import AnyClustering, Shares, sum_shares, turned
from clusterwise.summaries.overlap.overlap import SoftOverlap

Side = str | Sequence[str]


class FrameProducts:
    """The columns of both sides and of the features, called c0, c1 and so on."""

    def __init__(
        self, frame: Any, a: Side, b: Side, features: Any, weights: str | None, p: float
    ) -> None:
        self.sides = (a, b)
        self.exponent = p
        self.features = list(features or ())
        self.width_a, self.width_b = len(columns_of(a)), len(columns_of(b))
        self.picked: SelectedColumns = select_columns(
            frame, [*columns_of(a), *columns_of(b), *self.features], weights
        )
        self.first_feature = self.width_a + self.width_b

    def run(self) -> SoftOverlap:
        """Sum, and read what was summed."""
        a, b = (isinstance(side, str) for side in self.sides)
        if a and b:
            return self._both_hard()
        keys = [] if not a and not b else ["c0"] if a else [f"c{self.width_a}"]
        found = self._fetch(keys, self._products(hard_first=a, hard_second=b))
        if not keys:
            return self._both_soft(found)
        return self._one_hard(found, first=a)

    def _values(self) -> Any:
        """Labels as they are; shares and features as floats."""
        import narwhals.stable.v2 as nw

        columns = []
        for place, name in enumerate(self.picked.names):
            column, dtype = nw.col(f"c{place}"), self.picked.dtypes[place]
            if self._is_label(place):
                columns.append(column)
                continue
            if kind_of(name, dtype) == "nominal":
                what = "centre" if place >= self.first_feature else "shares"
                raise InputError(
                    f"column {name!r} of X holds names, which have no {what}; leave it out, or "
                    "turn it into numbers."
                )
            columns.append(without_nan(column, dtype).alias(f"c{place}"))
        if self.picked.weighting is not None:
            columns.append(nw.col(WEIGHT))
        return self.picked.frame.select(*columns)

    def _is_label(self, place: int) -> bool:
        if place < self.width_a:
            return isinstance(self.sides[0], str)
        return place < self.first_feature and isinstance(self.sides[1], str)

    def _weighed(self, value: Any) -> Any:
        import narwhals.stable.v2 as nw

        return value if self.picked.weighting is None else value * nw.col(WEIGHT)

    def _shares(self, side: int) -> list[Any]:
        import narwhals.stable.v2 as nw

        start, width = (0, self.width_a) if side == 0 else (self.width_a, self.width_b)
        return [nw.col(f"c{place}") for place in range(start, start + width)]

    def _vectors(self) -> list[Any]:
        import narwhals.stable.v2 as nw

        return [nw.col(f"c{self.first_feature + r}") for r in range(len(self.features))]

    def _products(self, *, hard_first: bool, hard_second: bool) -> dict[str, Any]:
        """What is multiplied in every row, by the names that its sums get."""
        import narwhals.stable.v2 as nw

        soft = [side for side, hard in ((0, hard_first), (1, hard_second)) if not hard]
        made: dict[str, Any] = {}
        squares = {}
        for side in soft:
            shares = self._shares(side)
            total = reduce(operator.add, shares)
            right = reduce(operator.and_, [one >= 0 for one in shares])
            right = right & ((total - 1.0).abs() <= TOLERANCE)
            made[f"right{side}"] = nw.when(right).then(1).otherwise(0)
            squares[side] = reduce(operator.add, [one * one for one in shares])
            made[f"own{side}"] = self._weighed(squares[side])
            for k, one in enumerate(shares):
                made[f"mass{side}_{k}"] = self._weighed(one)
                made[f"power{side}_{k}"] = self._weighed(self._power(one))
                if len(soft) == 1:
                    made[f"left{side}_{k}"] = self._weighed(self._power(1.0 - one))
                for r, vector in enumerate(self._vectors()):
                    made[f"centre{side}_{k}_{r}"] = self._weighed(one * vector)
        if len(soft) == 2:
            made["both"] = self._weighed(squares[0] * squares[1])
            pairs = product(enumerate(self._shares(0)), enumerate(self._shares(1)))
            for (k, first), (j, second) in pairs:
                made[f"product_{k}_{j}"] = self._weighed(first * second)
                made[f"apart_{k}_{j}"] = self._weighed(self._power((first - second).abs()))
        return made

    def _power(self, value: Any) -> Any:
        return value if self.exponent == 1 else value**self.exponent

    def _fetch(self, keys: list[str], made: dict[str, Any]) -> Any:
        """The sums, for each value of the keys or for all rows."""
        import narwhals.stable.v2 as nw

        made = dict(made)
        for r, vector in enumerate(self._vectors()):
            made[f"vector_{r}"] = self._weighed(vector)
            made[f"there_{r}"] = nw.when(~vector.is_null()).then(1).otherwise(0)
        kept = [*keys, *([] if self.picked.weighting is None else [WEIGHT])]
        columns = [one.alias(name) for name, one in made.items()]
        if not keys and not kept:
            columns.append(nw.lit(1).alias("one"))
        rows = self._values().select(*kept, *columns)
        sums = [*totals(self.picked), *(nw.col(name).sum() for name in made)]
        found = fetch(rows.group_by(*keys).agg(*sums) if keys else rows.select(*sums))
        self._check(found)
        return found

    def _check(self, found: Any) -> None:
        """Refuse memberships that are none, and vectors with gaps."""
        rows = int(integers(found.get_column("n")).sum())
        for side in (0, 1):
            if f"right{side}" not in found.columns:
                continue
            wrong = rows - _whole(found, f"right{side}")
            if wrong:
                names = ", ".join(columns_of(self.sides[side]))
                raise InputError(
                    f"the memberships in {names} are missing, negative or do not sum to 1 in "
                    f"{wrong} of {rows} rows; rows of a membership matrix sum to 1."
                )
        for r, name in enumerate(self.features):
            gaps = rows - _whole(found, f"there_{r}")
            finite = np.isfinite(floats(found.get_column(f"vector_{r}"))).all() or not rows
            if gaps or not finite:
                where = f"in {gaps} of {rows} rows" if gaps else "somewhere"
                raise InputError(
                    f"column {name!r} of X is missing or not finite {where}, but a centre needs "
                    "numbers; fill it in, or leave the rows out."
                )

    def _both_hard(self) -> SoftOverlap:
        found = self._fetch(["c0", f"c{self.width_a}"], {})
        found = found.rename({f"c{self.width_a}": "c1"})
        kinds = as_kinds(self.picked, found)
        refuse_missing_labels(kinds, list(self.picked.names[:2]))
        labels = [labels_of(kinds, side, self.picked.names[side]) for side in (0, 1)]
        first: AnyClustering = labels[0]
        pair = align_clusterings(first, labels[1], sample_weight=kinds.weights)
        shares = sum_shares(pair, None, self.exponent)
        if self.features:
            sums = [self._by_code(found, one, "vector") for one in labels]
            shares = shares._replace(centres=self._centres(sums[0], sums[1], found, kinds))
        names = [_names(one) for one in labels]
        total = shares.cells.total
        return SoftOverlap.from_shares(shares, names[0], names[1], total, p=self.exponent)

    def _one_hard(self, found: Any, *, first: bool) -> SoftOverlap:
        """Labels against memberships; the other way round if the labels come second."""
        label, side = (0, 1) if first else (self.width_a, 0)
        found = found.rename({f"c{label}": "c0"}) if label else found
        kinds = as_kinds(self.picked, found)
        refuse_missing_labels(kinds, [self.picked.names[label]])
        labels = labels_of(kinds, 0, self.picked.names[label])
        weights = kinds.weights.astype(np.float64)
        products = self._by_code(found, labels, f"mass{side}")
        powers = self._by_code(found, labels, f"power{side}")
        masses = _by_code(labels, weights[:, None])[:, 0]
        own, square = float(weights.sum()), float(floats(found.get_column(f"own{side}")).sum())
        differences = None
        if self.exponent != 1:
            left = self._by_code(found, labels, f"left{side}")
            differences = np.maximum(0.0, left + powers.sum(axis=0) - powers)
        centres = None
        if self.features:
            sums = self._by_code(found, labels, "vector")
            centres = self._centres(sums, self._soft_centres(found, side), found, kinds)
        shares = Shares(
            DenseCells(products), differences, masses, products.sum(axis=0), masses,
            powers.sum(axis=0), np.array([square, own, square]), centres,
        )  # fmt: skip
        names = _names(labels), as_names(list(columns_of(self.sides[side])))
        if not first:
            shares, names = turned(shares), names[::-1]
        total = kinds.weights.sum().item()
        return SoftOverlap.from_shares(shares, *names, total, p=self.exponent)

    def _both_soft(self, found: Any) -> SoftOverlap:
        kinds = as_kinds(self.picked, found)
        shape = self.width_a, self.width_b
        products, apart = np.empty(shape), np.empty(shape)
        for k, j in product(range(shape[0]), range(shape[1])):
            products[k, j] = _number(found, f"product_{k}_{j}")
            apart[k, j] = _number(found, f"apart_{k}_{j}")
        sides = [
            np.array([_number(found, f"{what}{side}_{k}") for k in range(shape[side])])
            for what, side in product(("mass", "power"), (0, 1))
        ]
        own = np.array([_number(found, name) for name in ("both", "own0", "own1")])
        centres = None
        if self.features:
            sums = (self._soft_centres(found, 0), self._soft_centres(found, 1))
            centres = self._centres(*sums, found, kinds)
        shares = Shares(
            DenseCells(products), apart, sides[0], sides[1], sides[2], sides[3], own, centres
        )
        names = [as_names(list(columns_of(side))) for side in self.sides]
        total = kinds.weights.sum().item()
        return SoftOverlap.from_shares(shares, names[0], names[1], total, p=self.exponent)

    def _by_code(self, found: Any, labels: Clustering, what: str) -> Array:
        """Sums of several columns for each cluster."""
        count = len(self.features) if what == "vector" else len(_soft_columns(found, what))
        columns = [floats(found.get_column(f"{what}_{i}")) for i in range(count)]
        return _by_code(labels, np.column_stack(columns))

    def _soft_centres(self, found: Any, side: int) -> Array:
        shape = (self.width_a, self.width_b)[side], len(self.features)
        sums = np.empty(shape)
        for k, r in product(range(shape[0]), range(shape[1])):
            sums[k, r] = floats(found.get_column(f"centre{side}_{k}_{r}")).sum()
        return sums

    def _centres(self, sums_a: Array, sums_b: Array, found: Any, kinds: DistinctRows) -> CentreSums:
        """With the spread of all objects around their mean, which takes another scan."""
        import narwhals.stable.v2 as nw

        weight = float(kinds.weights.sum())
        if not weight:
            return CentreSums(sums_a, sums_b, 0.0, np.zeros(len(self.features)), 0.0)
        total = [floats(found.get_column(f"vector_{r}")).sum() for r in range(len(self.features))]
        mean = np.array(total) / weight
        vectors = self._vectors()
        squares = [
            self._weighed((one - middle) * (one - middle)).alias(f"spread_{r}")
            for r, (one, middle) in enumerate(zip(vectors, mean.tolist(), strict=True))
        ]
        rows = self._values().select(*squares)
        spread = fetch(rows.select(*(nw.col(f"spread_{r}").sum() for r in range(len(vectors)))))
        return CentreSums(
            sums_a, sums_b, weight, mean, sum(_number(spread, name) for name in spread.columns)
        )


def columns_of(side: Side) -> list[str]:
    """The columns of labels or memberships."""
    return [side] if isinstance(side, str) else list(side)


def _soft_columns(found: Any, what: str) -> list[str]:
    return [name for name in found.columns if name.startswith(f"{what}_")]


def _by_code(labels: Clustering, columns: Array) -> Array:
    codes = labels.codes.exact()
    sums = np.zeros((codes.size, columns.shape[1]))
    np.add.at(sums, codes.positions().astype(np.int64), columns)
    return sums


def _names(labels: Clustering) -> Array:
    codes = labels.codes.exact()
    return codes.names_at(np.arange(codes.size))


def _whole(found: Any, name: str) -> int:
    """A sum of ones, which is missing if there was nothing to add."""
    return int(np.nansum(floats(found.get_column(name))))


def _number(found: Any, name: str) -> float:
    return float(np.nansum(floats(found.get_column(name))))
