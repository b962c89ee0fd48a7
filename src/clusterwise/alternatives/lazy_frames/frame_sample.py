"""A random sample of the objects of a lazy frame, with their given clusters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_list
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.given import refuse_singletons
from clusterwise.alternatives.lazy_frames.label_rule import CodedColumn, LeftOut, as_label
from clusterwise.alternatives.named_columns import FrameColumns
from clusterwise.alternatives.portfolio.sampling import FEWEST_OF_CLUSTER, sample_size
from clusterwise.inputs.binning.frame_fitting import column_kind
from clusterwise.inputs.columns.column_notes import why_no_feature
from clusterwise.inputs.columns.typed_columns import type_series
from clusterwise.inputs.encoding import Array, is_missing
from clusterwise.inputs.frame_samples import sample_rows
from clusterwise.inputs.frames import (
    SelectedColumns,
    integers,
    nan_to_null,
    select_columns,
)
from clusterwise.summaries.frames.distinct_rows import DistinctRows, refuse_missing_labels
from clusterwise.summaries.frames.scans import scan

# The most labels of a given clustering, and the most combinations of labels of several.
_MOST_LABELS = 1_000
_MOST_COMBINATIONS = 10_000
# The most values of a categorical feature.
_MOST_CATEGORIES = 100
# Objects of rare given clusters are drawn from these clusters alone, at most this many times.
_ROUNDS = 3


@dataclass(frozen=True)
class FrameSample:
    """A sample of the objects of a lazy frame.

    Attributes
    ----------
    frame : lazy frame
        All objects.
    n : int
        Their number, without those that are left out.
    rows : DataFrame of narwhals
        The columns of the sample: given clusterings, then features.
    codes : ndarray of shape (size, m)
        The codes of their given clusters.
    given : tuple of CodedColumn
        The columns of the given clusterings, and the labels that have these codes.
    features : list of str
        The columns of the features.
    left_out : LeftOut
        Which objects are left out.
    """

    frame: Any
    n: int
    rows: Any
    codes: Array
    given: tuple[CodedColumn, ...]
    features: list[str]
    left_out: LeftOut

    @property
    def objects(self) -> Any:
        """The features as a frame in memory."""
        return self.rows.select(self.features).to_native()


def draw_frame_sample(
    frame: Any, columns: FrameColumns, left_out: LeftOut, random: np.random.RandomState
) -> FrameSample:
    """Count the objects of each given cluster, and draw a random sample as in memory.

    The counts are one scan of the given columns, the sample is one scan of all columns. Rare given
    clusters take a few more, of their own objects.
    """
    m = len(columns.given)
    if not m:
        raise InputError(
            "given is None, but a lazy frame needs the column of a given clustering; pass its "
            "name, or cluster a sample first and add the labels as a column."
        )
    refuse_singletons(left_out.noise)
    for name, times in Counter([*columns.given, *columns.features]).items():
        if times > 1:
            raise InputError(f"column {name!r} is named {times} times; use it once.")
    selected = select_columns(frame, [*columns.given, *columns.features])
    kinds = list(map(column_kind, columns.features, selected.dtypes[m:]))
    counts = _count_labels(frame, columns.given, left_out)
    n = int(counts.rows.sum())
    if not n:
        raise InputError(
            "no object is left: the frame has no rows, or all given labels are noise or missing; "
            "keep them."
        )
    labels = _labels_of_columns(counts, columns.given)
    size = sample_size(sum(map(len, labels)), kinds.count("numeric"))
    kept = _without_left_out(selected, m, left_out)
    rows = _convert(sample_rows(kept.frame, n, size, random.randint(1 << 30)), m)
    if n > size:
        rows = _add_rare(rows, kept, m, labels, random)
    features = _check_features(rows, columns.features, m)
    sampled = [labels_of(rows.get_column(f"c{j}")) for j in range(m)]
    given = tuple(map(_coded, columns.given, sampled))
    codes = np.column_stack(list(map(_codes, sampled, given)))
    names = dict(zip(rows.columns, selected.names, strict=True))
    named = rows.rename(names).select([*columns.given, *features])
    return FrameSample(frame, n, named, codes, given, features, left_out)


def _count_labels(frame: Any, given: Sequence[str], left_out: LeftOut) -> DistinctRows:
    """Return the combinations of given labels, and the number of objects in each."""
    keys = [f"c{j}" for j in range(len(given))]

    def rows(some: SelectedColumns) -> Any:
        import narwhals.stable.v2 as nw

        kept = _without_left_out(some, len(given), left_out)
        return kept.frame.select(
            *(as_label(nw.col(key), kept.dtypes[j]).alias(key) for j, key in enumerate(keys))
        )

    found = scan(frame, select_columns(frame, given), rows, keys, {}, _MOST_COMBINATIONS)
    if found is None:
        raise InputError(
            f"{_columns(given)} more than {_MOST_COMBINATIONS:,} distinct labels, too many for a "
            "sample; name columns with fewer clusters as given."
        )
    counts = integers(found.get_column("n"))
    distinct = DistinctRows(found, counts, counts)
    if left_out.missing == "error":
        refuse_missing_labels(distinct, given)
    return distinct


def _columns(names: Sequence[str]) -> str:
    named = format_list([repr(name) for name in names])
    return f"column {named} has" if len(names) == 1 else f"columns {named} have"


def _labels_of_columns(counts: DistinctRows, given: Sequence[str]) -> list[dict[Any, int]]:
    """Return the labels of each given clustering and the numbers of their objects."""
    found = []
    for j, name in enumerate(given):
        sizes: dict[Any, int] = {}
        values = labels_of(counts.frame.get_column(f"c{j}"))
        for label, rows in zip(values, counts.rows.tolist(), strict=True):
            sizes[label] = sizes.get(label, 0) + rows
        if len(sizes) > _MOST_LABELS:
            raise InputError(
                f"column {name!r} has {len(sizes)} distinct labels, more than {_MOST_LABELS:,}; "
                "name a column with fewer clusters as given."
            )
        found.append(sizes)
    return found


def _without_left_out(selected: SelectedColumns, m: int, left_out: LeftOut) -> SelectedColumns:
    """Drop the objects that are left out by one of the first columns."""
    import narwhals.stable.v2 as nw

    frame = selected.frame
    for j in range(m):
        dtype = selected.dtypes[j]
        condition = left_out.condition(as_label(nw.col(f"c{j}"), dtype), dtype)
        if condition is not None:
            frame = frame.filter(~condition)
    return replace(selected, frame=frame)


def _convert(rows: Any, m: int) -> Any:
    """Return numbers as floats with nulls, and categories as strings that all engines have."""
    import narwhals.stable.v2 as nw

    columns = []
    for i, (name, dtype) in enumerate(rows.schema.items()):
        column = nw.col(name)
        number = i >= m and dtype.is_numeric()
        value = nan_to_null(column, dtype) if number else as_label(column, dtype)
        columns.append(value.alias(name))
    return rows.select(*columns)


def _add_rare(
    rows: Any, kept: SelectedColumns, m: int, sizes: Sequence[dict[Any, int]], random: Any
) -> Any:
    """Draw a few objects of each given cluster that has fewer in the sample."""
    import narwhals.stable.v2 as nw

    for j in range(m):
        for _ in range(_ROUNDS):
            labels = labels_of(rows.get_column(f"c{j}"))
            there = Counter(labels)
            lacking = {
                label: size
                for label, size in sizes[j].items()
                if there[label] < min(size, FEWEST_OF_CLUSTER)
            }
            if not lacking:
                break
            frame = kept.frame.filter(_is_in(as_label(nw.col(f"c{j}"), kept.dtypes[j]), lacking))
            size = sample_size(len(lacking), 0)
            drawn = sample_rows(frame, sum(lacking.values()), size, random.randint(1 << 30))
            found = _convert(drawn, m)
            firsts = _first_of_each(labels_of(found.get_column(f"c{j}")))
            others = [i for i, label in enumerate(labels) if label not in lacking]
            rows = nw.concat([rows[others], found[firsts]])
    return rows


def _is_in(column: Any, labels: Iterable[Any]) -> Any:
    """Return the expression that a column has one of these labels, of which None is missing."""
    present = [label for label in labels if label is not None]
    conditions = [column.is_in(present)] if present else []
    conditions += [column.is_null()] if None in labels else []
    return reduce(or_, conditions)


def _first_of_each(labels: Sequence[Any]) -> list[int]:
    """Return the positions of the first few objects of each label."""
    counts: Counter[Any] = Counter()
    positions = []
    for i, label in enumerate(labels):
        counts[label] += 1
        if counts[label] <= FEWEST_OF_CLUSTER:
            positions.append(i)
    return positions


def labels_of(column: Any) -> list[Any]:
    """Return the values of a column of labels; those that are missing are None."""
    return [None if is_missing(value) else value for value in column.to_list()]


def _coded(name: str, labels: Sequence[Any]) -> CodedColumn:
    """Return the column with codes for the labels in the sample, in their order."""
    present = {label for label in labels if label is not None}
    return CodedColumn(name, tuple(sorted(present)), None in labels)


def _codes(labels: Sequence[Any], column: CodedColumn) -> Array:
    """Return the code of each label."""
    known: dict[Any, int] = {label: code for code, label in enumerate(column.values)}
    return np.array([known.get(label, len(known)) for label in labels], np.int64)


def _check_features(rows: Any, names: Sequence[str], m: int) -> list[str]:
    """Return the features without identifiers and text, which are warned of as in memory."""
    import narwhals.stable.v2 as nw

    used = []
    for r, name in enumerate(names):
        column = rows.get_column(f"c{m + r}")
        if isinstance(column.dtype, nw.String) and not column.is_null().all():
            typed = type_series(name, column).typed
            if typed.type in ("identifier", "text"):
                warn_user(f"{name} is not a feature: {why_no_feature(typed)}.")
                continue
            if typed.type in ("numeric", "date"):
                raise InputError(
                    f"column {name!r} of X has {typed.type} values as strings; convert it in the "
                    "engine, or leave it out of features."
                )
        if not column.dtype.is_numeric() and column.n_unique() > _MOST_CATEGORIES:
            raise InputError(
                f"column {name!r} of X has more than {_MOST_CATEGORIES} categories in a sample of "
                f"{len(rows):,} objects; leave it out of features, or merge rare categories."
            )
        used.append(name)
    if not used:
        raise InputError("X has no features besides identifiers and text; name others.")
    return used
