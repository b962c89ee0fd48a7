"""Sums of products over the rows of a lazy frame, from which an overlap follows.

Rows are grouped by labels; columns of memberships are multiplied row by row and summed.
"""

import operator
from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.frame_fitting import column_kind
from clusterwise.inputs.clusterings import Clustering, align_clusterings
from clusterwise.inputs.encoding import Array, as_names
from clusterwise.inputs.frames import (
    WEIGHT,
    SelectedColumns,
    collect_query,
    floats,
    integers,
    nan_to_null,
    select_columns,
)
from clusterwise.kernels.overlap import TOLERANCE
from clusterwise.summaries.contingency.cells import DenseCells
from clusterwise.summaries.frames.distinct_rows import (
    DistinctRows,
    as_distinct_rows,
    column_labels,
    refuse_missing_labels,
    totals,
)
from clusterwise.summaries.overlap.centroid_sums import CentroidSums
from clusterwise.summaries.overlap.membership_sums import (
    AnyClustering,
    MembershipSums,
    sum_memberships,
)
from clusterwise.summaries.overlap.overlap_sums import OverlapSums

Side = str | Sequence[str]


class OverlapQuery:
    """A query over the columns of both clusterings and of the features: c0, c1 and so on."""

    def __init__(
        self, frame: Any, a: Side, b: Side, features: Any, weights: str | None, p: float
    ) -> None:
        self.sides = (a, b)
        self.exponent = p
        self.features = list(features or ())
        self.width_a, self.width_b = len(columns_of(a)), len(columns_of(b))
        self.selected: SelectedColumns = select_columns(
            frame, [*columns_of(a), *columns_of(b), *self.features], weights
        )
        self.first_feature = self.width_a + self.width_b

    def run(self) -> OverlapSums:
        """Run the query and return the sums."""
        a, b = (isinstance(side, str) for side in self.sides)
        if a and b:
            return self._both_hard()
        keys = [] if not a and not b else ["c0"] if a else [f"c{self.width_a}"]
        found = self._fetch(keys, self._products(hard_first=a, hard_second=b))
        if not keys:
            return self._both_soft(found)
        return self._one_hard(found, first=a)

    def _values(self) -> Any:
        """Select labels unchanged, and memberships and features as floats."""
        import narwhals.stable.v2 as nw

        columns = []
        for index, name in enumerate(self.selected.names):
            column, dtype = nw.col(f"c{index}"), self.selected.dtypes[index]
            if self._is_label(index):
                columns.append(column)
                continue
            if column_kind(name, dtype) == "nominal":
                what = "mean" if index >= self.first_feature else "memberships"
                raise InputError(
                    f"column {name!r} of X is categorical and has no {what}; leave it out, or "
                    "convert it to numbers."
                )
            columns.append(nan_to_null(column, dtype).alias(f"c{index}"))
        if self.selected.weighting is not None:
            columns.append(nw.col(WEIGHT))
        return self.selected.frame.select(*columns)

    def _is_label(self, index: int) -> bool:
        if index < self.width_a:
            return isinstance(self.sides[0], str)
        return index < self.first_feature and isinstance(self.sides[1], str)

    def _weighted(self, value: Any) -> Any:
        import narwhals.stable.v2 as nw

        return value if self.selected.weighting is None else value * nw.col(WEIGHT)

    def _memberships(self, side: int) -> list[Any]:
        import narwhals.stable.v2 as nw

        start, width = (0, self.width_a) if side == 0 else (self.width_a, self.width_b)
        return [nw.col(f"c{index}") for index in range(start, start + width)]

    def _vectors(self) -> list[Any]:
        import narwhals.stable.v2 as nw

        return [nw.col(f"c{self.first_feature + r}") for r in range(len(self.features))]

    def _products(self, *, hard_first: bool, hard_second: bool) -> dict[str, Any]:
        """Return the terms that are summed over rows, by the names of their sums."""
        import narwhals.stable.v2 as nw

        soft = [side for side, hard in ((0, hard_first), (1, hard_second)) if not hard]
        terms: dict[str, Any] = {}
        squares = {}
        for side in soft:
            memberships = self._memberships(side)
            total = reduce(operator.add, memberships)
            valid = reduce(operator.and_, [one >= 0 for one in memberships])
            valid = valid & ((total - 1.0).abs() <= TOLERANCE)
            terms[f"valid{side}"] = nw.when(valid).then(1).otherwise(0)
            squares[side] = reduce(operator.add, [one * one for one in memberships])
            terms[f"square{side}"] = self._weighted(squares[side])
            for k, one in enumerate(memberships):
                terms[f"size{side}_{k}"] = self._weighted(one)
                terms[f"power{side}_{k}"] = self._weighted(self._power(one))
                if len(soft) == 1:
                    terms[f"rest{side}_{k}"] = self._weighted(self._power(1.0 - one))
                for r, vector in enumerate(self._vectors()):
                    terms[f"centroid{side}_{k}_{r}"] = self._weighted(one * vector)
        if len(soft) == 2:
            terms["both"] = self._weighted(squares[0] * squares[1])
            pairs = product(enumerate(self._memberships(0)), enumerate(self._memberships(1)))
            for (k, first), (j, second) in pairs:
                terms[f"product_{k}_{j}"] = self._weighted(first * second)
                terms[f"difference_{k}_{j}"] = self._weighted(self._power((first - second).abs()))
        return terms

    def _power(self, value: Any) -> Any:
        return value if self.exponent == 1 else value**self.exponent

    def _fetch(self, keys: list[str], terms: dict[str, Any]) -> Any:
        """Collect the sums of the terms, for each value of the keys or for all rows."""
        import narwhals.stable.v2 as nw

        terms = dict(terms)
        for r, vector in enumerate(self._vectors()):
            terms[f"vector_{r}"] = self._weighted(vector)
            terms[f"present_{r}"] = nw.when(~vector.is_null()).then(1).otherwise(0)
        kept = [*keys, *([] if self.selected.weighting is None else [WEIGHT])]
        columns = [one.alias(name) for name, one in terms.items()]
        if not keys and not kept:
            columns.append(nw.lit(1).alias("one"))
        rows = self._values().select(*kept, *columns)
        sums = [*totals(self.selected), *(nw.col(name).sum() for name in terms)]
        found = collect_query(rows.group_by(*keys).agg(*sums) if keys else rows.select(*sums))
        self._check(found)
        return found

    def _check(self, found: Any) -> None:
        """Refuse invalid memberships and missing features."""
        rows = int(integers(found.get_column("n")).sum())
        for side in (0, 1):
            if f"valid{side}" not in found.columns:
                continue
            invalid = rows - _count(found, f"valid{side}")
            if invalid:
                names = ", ".join(columns_of(self.sides[side]))
                raise InputError(
                    f"the memberships in {names} are missing, negative or do not sum to 1 in "
                    f"{invalid} of {rows} rows; rows of a membership matrix sum to 1."
                )
        for r, name in enumerate(self.features):
            missing = rows - _count(found, f"present_{r}")
            finite = np.isfinite(floats(found.get_column(f"vector_{r}"))).all() or not rows
            if missing or not finite:
                where = f"in {missing} of {rows} rows" if missing else "in some row"
                raise InputError(
                    f"column {name!r} of X is missing or not finite {where}, but a centroid "
                    "needs finite numbers; fill it in, or leave the rows out."
                )

    def _both_hard(self) -> OverlapSums:
        found = self._fetch(["c0", f"c{self.width_a}"], {})
        found = found.rename({f"c{self.width_a}": "c1"})
        distinct = as_distinct_rows(self.selected, found)
        refuse_missing_labels(distinct, list(self.selected.names[:2]))
        labels = [column_labels(distinct, side, self.selected.names[side]) for side in (0, 1)]
        first: AnyClustering = labels[0]
        pair = align_clusterings(first, labels[1], sample_weight=distinct.weights)
        sums = sum_memberships(pair, None, self.exponent)
        if self.features:
            vectors = [self._sum_by_cluster(found, one, "vector") for one in labels]
            centroids = self._centroid_sums(vectors[0], vectors[1], found, distinct)
            sums = sums._replace(centroids=centroids)
        return self._result(sums, _names(labels[0]), _names(labels[1]), sums.cells.total)

    def _one_hard(self, found: Any, *, first: bool) -> OverlapSums:
        """Return the sums of labels and memberships; ``first`` if the labels are of a."""
        label, side = (0, 1) if first else (self.width_a, 0)
        found = found.rename({f"c{label}": "c0"}) if label else found
        distinct = as_distinct_rows(self.selected, found)
        refuse_missing_labels(distinct, [self.selected.names[label]])
        labels = column_labels(distinct, 0, self.selected.names[label])
        weights = distinct.weights.astype(np.float64)
        products = self._sum_by_cluster(found, labels, f"size{side}")
        powers = self._sum_by_cluster(found, labels, f"power{side}")
        sizes = _sum_by_code(labels, weights[:, None])[:, 0]
        total, square = float(weights.sum()), float(floats(found.get_column(f"square{side}")).sum())
        differences = None
        if self.exponent != 1:
            rest = self._sum_by_cluster(found, labels, f"rest{side}")
            differences = np.maximum(0.0, rest + powers.sum(axis=0) - powers)
        centroids = None
        if self.features:
            vectors = self._sum_by_cluster(found, labels, "vector")
            centroids = self._centroid_sums(
                vectors, self._sum_vectors(found, side), found, distinct
            )
        sums = MembershipSums(
            DenseCells(products), differences, sizes, products.sum(axis=0), sizes,
            powers.sum(axis=0), np.array([square, total, square]), centroids,
        )  # fmt: skip
        names = _names(labels), as_names(list(columns_of(self.sides[side])))
        if not first:
            sums, names = sums.transpose(), names[::-1]
        return self._result(sums, *names, distinct.weights.sum().item())

    def _both_soft(self, found: Any) -> OverlapSums:
        distinct = as_distinct_rows(self.selected, found)
        shape = self.width_a, self.width_b
        products, differences = np.empty(shape), np.empty(shape)
        for k, j in product(range(shape[0]), range(shape[1])):
            products[k, j] = _number(found, f"product_{k}_{j}")
            differences[k, j] = _number(found, f"difference_{k}_{j}")
        sides = [
            np.array([_number(found, f"{what}{side}_{k}") for k in range(shape[side])])
            for what, side in product(("size", "power"), (0, 1))
        ]
        squares = np.array([_number(found, name) for name in ("both", "square0", "square1")])
        centroids = None
        if self.features:
            vectors = (self._sum_vectors(found, 0), self._sum_vectors(found, 1))
            centroids = self._centroid_sums(*vectors, found, distinct)
        sums = MembershipSums(
            DenseCells(products), differences, sides[0], sides[1], sides[2], sides[3], squares,
            centroids,
        )  # fmt: skip
        names = [as_names(list(columns_of(side))) for side in self.sides]
        return self._result(sums, names[0], names[1], distinct.weights.sum().item())

    def _result(
        self, sums: MembershipSums, row_names: Array, column_names: Array, total: int | float
    ) -> OverlapSums:
        named = OverlapSums(sums, row_names, column_names, total, float(self.exponent))
        return named.without_empty()

    def _sum_by_cluster(self, found: Any, labels: Clustering, what: str) -> Array:
        """Sum several columns for each cluster."""
        count = len(self.features) if what == "vector" else len(_columns_like(found, what))
        columns = [floats(found.get_column(f"{what}_{i}")) for i in range(count)]
        return _sum_by_code(labels, np.column_stack(columns))

    def _sum_vectors(self, found: Any, side: int) -> Array:
        """Return the sums of the feature vectors of every cluster of a soft clustering."""
        shape = (self.width_a, self.width_b)[side], len(self.features)
        sums = np.empty(shape)
        for k, r in product(range(shape[0]), range(shape[1])):
            sums[k, r] = floats(found.get_column(f"centroid{side}_{k}_{r}")).sum()
        return sums

    def _centroid_sums(
        self, sums_a: Array, sums_b: Array, found: Any, distinct: DistinctRows
    ) -> CentroidSums:
        """Add the spread of all objects around their mean, which takes another scan."""
        import narwhals.stable.v2 as nw

        weight = float(distinct.weights.sum())
        if not weight:
            return CentroidSums(sums_a, sums_b, 0.0, np.zeros(len(self.features)), 0.0)
        total = [floats(found.get_column(f"vector_{r}")).sum() for r in range(len(self.features))]
        mean = np.array(total) / weight
        vectors = self._vectors()
        squares = [
            self._weighted((one - middle) * (one - middle)).alias(f"spread_{r}")
            for r, (one, middle) in enumerate(zip(vectors, mean.tolist(), strict=True))
        ]
        rows = self._values().select(*squares)
        spread = collect_query(
            rows.select(*(nw.col(f"spread_{r}").sum() for r in range(len(vectors))))
        )
        squared = sum(_number(spread, name) for name in spread.columns)
        return CentroidSums(sums_a, sums_b, weight, mean, sqrt(squared))


def columns_of(side: Side) -> list[str]:
    """Return the columns of labels or memberships."""
    return [side] if isinstance(side, str) else list(side)


def _columns_like(found: Any, what: str) -> list[str]:
    return [name for name in found.columns if name.startswith(f"{what}_")]


def _sum_by_code(labels: Clustering, columns: Array) -> Array:
    codes = labels.codes.exact()
    sums = np.zeros((codes.size, columns.shape[1]))
    np.add.at(sums, codes.positions().astype(np.int64), columns)
    return sums


def _names(labels: Clustering) -> Array:
    return labels.codes.exact().all_names()


def _count(found: Any, name: str) -> int:
    """Return a sum of ones, which is missing if there were no rows."""
    return int(np.nansum(floats(found.get_column(name))))


def _number(found: Any, name: str) -> float:
    return float(np.nansum(floats(found.get_column(name))))
