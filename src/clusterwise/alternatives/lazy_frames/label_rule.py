"""The rule that labels objects, as expressions which every dataframe engine computes.

A mixture model with a residual covariance in common to all clusters assigns an object to the
cluster of the largest score. The scores are linear in the numeric features, plus a term for each
given cluster and each category.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

from clusterwise.alternatives.given import LEFT_OUT
from clusterwise.inputs.clusterings import Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import SelectedColumns, as_names, nan_to_null
from clusterwise.summaries.frames.noise import noise_condition

# Larger numbers count as missing, so that scores are finite.
_LARGEST = 1e100


class NumericColumn(NamedTuple):
    """A numeric feature, and its mean, which replaces missing values."""

    name: str
    mean: float


class CodedColumn(NamedTuple):
    """A column of labels or categories, and the values that have the codes 0, 1, ….

    If ``has_missing``, missing values have the code after them. All other values have ``other``.
    """

    name: str
    values: tuple[Any, ...]
    has_missing: bool

    @property
    def other(self) -> int:
        """The code of values that are not known."""
        return len(self.values) + self.has_missing


class LeftOut(NamedTuple):
    """Which objects have no label: those that are noise or have no given label, if dropped."""

    noise: Noise = "cluster"
    noise_label: Any = -1
    missing: Missing = "error"

    def condition(self, column: Any, dtype: Any) -> Any:
        """Return the expression that an object is left out; None if no object is."""
        found = [column.is_null()] if self.missing == "drop" else []
        if self.noise == "drop":
            noise = noise_condition(column, dtype, self.noise_label)
            found += [] if noise is None else [noise & ~column.is_null()]
        return reduce(or_, found) if found else None


@dataclass(frozen=True)
class RuleInputs:
    """The columns of a frame that rules use.

    ``cells`` are the codes of the given clusters in each combination of them that is known.
    """

    given: tuple[CodedColumn, ...]
    cells: tuple[tuple[int, ...], ...]
    numeric: tuple[NumericColumn, ...]
    categorical: tuple[CodedColumn, ...]
    left_out: LeftOut

    @property
    def names(self) -> list[str]:
        """The names of the columns, each once."""
        coded = [one.name for one in (*self.given, *self.categorical)]
        return [*coded, *(one.name for one in self.numeric)]

    def compute(self, selected: SelectedColumns, *, by_cell: bool) -> Any:
        """Return the frame with deviations of numbers from their means, and codes of categories.

        The deviations are x0, …, which are 0 where a number is missing. The codes of given
        clusterings are g0, …, those of categories k0, …, and those of combinations of given
        clusters ``cell``.
        """
        import narwhals.stable.v2 as nw

        columns = []
        for r, number in enumerate(self.numeric):
            value = _source(selected, number.name)[0].cast(nw.Float64)
            # One comparison is false for NaN, which some engines take for the largest number.
            known = (value <= _LARGEST) & (value >= -_LARGEST)
            deviation = nw.when(known).then(value - number.mean).otherwise(nw.lit(0.0))
            columns.append(deviation.alias(f"x{r}"))
        for prefix, several in (("g", self.given), ("k", self.categorical)):
            for i, one in enumerate(several):
                columns.append(_code(one, *_source(selected, one.name)).alias(f"{prefix}{i}"))
        frame = selected.frame.with_columns(*columns)
        if not by_cell:
            return frame
        if len(self.given) == 1:
            return frame.with_columns(nw.col("g0").alias("cell"))
        found = [
            nw.when(reduce(and_, [nw.col(f"g{j}") == c for j, c in enumerate(cell)]))
            .then(nw.lit(i))
            for i, cell in enumerate(self.cells)
        ]  # fmt: skip
        return frame.with_columns(nw.coalesce(*found, nw.lit(len(self.cells))).alias("cell"))

    def is_left_out(self, selected: SelectedColumns) -> Any:
        """Return the expression that an object has no label; None if all have one."""
        conditions = []
        for one in self.given:
            column, dtype = _source(selected, one.name)
            found = self.left_out.condition(as_label(column, dtype), dtype)
            conditions += [] if found is None else [found]
        return reduce(or_, conditions) if conditions else None


@dataclass(frozen=True)
class LabelRule:
    """The scores of K clusters; the label is the cluster of the largest one.

    ``weights`` are those of numbers minus their means, R × K. Terms by the code of a column are
    (codes + 1) × K, the last row for values that are not known: ``given`` those of each given
    clustering, ``categorical`` those of categorical features by their index. Those of features
    that depend on the given clusters are in ``by_cell``: (cells + 1) × (codes + 1) × K.
    """

    constants: Array
    weights: Array
    given: tuple[Array, ...]
    categorical: dict[int, Array]
    by_cell: dict[int, Array]

    def relative_scores(self) -> list[Any]:
        """Return the scores of all clusters but the first, minus that of the first.

        They are expressions of the columns that the inputs compute.
        """
        import narwhals.stable.v2 as nw

        codes = [(nw.col(f"g{j}"), table) for j, table in enumerate(self.given)]
        codes += [(nw.col(f"k{i}"), table) for i, table in self.categorical.items()]
        for i, table in self.by_cell.items():
            cells, size, clusters = table.shape
            place = nw.col("cell") * size + nw.col(f"k{i}")
            codes.append((place, table.reshape(cells * size, clusters)))
        scores = []
        for k in range(1, self.constants.size):
            weights = (self.weights[:, k] - self.weights[:, 0]).tolist()
            terms = [nw.col(f"x{r}") * weight for r, weight in enumerate(weights) if weight]
            terms += [_look_up(code, (table[:, k] - table[:, 0]).tolist()) for code, table in codes]
            constant = nw.lit(float(self.constants[k] - self.constants[0]))
            scores.append(_add_up([constant, *terms]))
        return scores


def label_rows(
    selected: SelectedColumns, inputs: RuleInputs, rules: Sequence[LabelRule]
) -> SelectedColumns:
    """Return the columns c0, c1, … with the labels by each rule as l0, l1, …."""
    import narwhals.stable.v2 as nw

    frame = inputs.compute(selected, by_cell=any(rule.by_cell for rule in rules))
    scores = [rule.relative_scores() for rule in rules]
    frame = frame.with_columns(
        *(one.alias(f"s{i}_{k}") for i, each in enumerate(scores) for k, one in enumerate(each))
    )
    left_out = inputs.is_left_out(selected)
    labels = []
    for i, each in enumerate(scores):
        label = _largest([nw.col(f"s{i}_{k}") for k in range(len(each))])
        if left_out is not None:
            label = nw.when(left_out).then(nw.lit(LEFT_OUT)).otherwise(label)
        labels.append(label.cast(nw.Int64).alias(f"l{i}"))
    own = [f"c{i}" for i in range(len(selected.names))]
    frame = frame.with_columns(*labels).select(*own, *(f"l{i}" for i in range(len(rules))))
    return SelectedColumns(frame, selected.names, selected.dtypes)


def as_label(column: Any, dtype: Any) -> Any:
    """Return a column of labels or categories whose values can be compared and be null."""
    import narwhals.stable.v2 as nw

    if dtype.is_float() or isinstance(dtype, nw.Decimal):
        return nan_to_null(column, dtype)
    if isinstance(dtype, nw.Int128 | nw.UInt128):  # which Arrow does not have
        return column.cast(nw.Int64)
    return as_names(column, dtype)


def _add_up(terms: Sequence[Any]) -> Any:
    """Return the sum of expressions; the depth of an expression is limited in engines."""
    half = len(terms) // 2
    return _add_up(terms[:half]) + _add_up(terms[half:]) if half else terms[0]


def _largest(scores: Sequence[Any]) -> Any:
    """Return the index of the largest of 0 and these scores, the first of equal ones."""
    import narwhals.stable.v2 as nw

    if not scores:
        return nw.lit(0)
    top = nw.max_horizontal(*scores) if len(scores) > 1 else scores[0]
    conditions = [top <= 0.0, *(one >= top for one in scores[:-1])]
    return _first(conditions, len(scores))


def _source(selected: SelectedColumns, name: str) -> tuple[Any, Any]:
    """Return a column of the frame and its type."""
    import narwhals.stable.v2 as nw

    index = selected.names.index(name)
    return nw.col(f"c{index}"), selected.dtypes[index]


def _code(one: CodedColumn, column: Any, dtype: Any) -> Any:
    """Return the code of each value."""
    value = as_label(column, dtype)
    conditions = [value == known for known in one.values]
    if one.has_missing:
        conditions.append(value.is_null())
    return _first(conditions, one.other)


def _first(conditions: Iterable[Any], otherwise: int) -> Any:
    """Return the index of the first condition that holds."""
    import narwhals.stable.v2 as nw

    found = [nw.when(one).then(nw.lit(i)) for i, one in enumerate(conditions)]
    return nw.coalesce(*found, nw.lit(otherwise)) if found else nw.lit(otherwise)


def _look_up(code: Any, values: Sequence[float], first: int = 0) -> Any:
    """Return the value of each code, by bisection."""
    import narwhals.stable.v2 as nw

    if len(set(values)) == 1:
        return nw.lit(values[0])
    half = len(values) // 2
    low, high = _look_up(code, values[:half], first), _look_up(code, values[half:], first + half)
    return nw.when(code < first + half).then(low).otherwise(high)
