"""``compare`` for files larger than memory: only tables and profiles are fetched."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.compare.collection import ClusteringCollection
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.columns import Column, label_of
from clusterwise.cli.tables.disk_clusterings import (
    NOISE,
    ClusteringFrame,
    DiskClustering,
    DiskLabels,
)
from clusterwise.cli.tables.disk_columns import MOST, on_disk
from clusterwise.cli.tables.disk_joining import open_objects
from clusterwise.cli.tables.disk_memberships import membership_clusterings
from clusterwise.cli.tables.distinct_labels import (
    MOST_PAIRS,
    count_distinct_rows,
    count_unlabelled,
    rows_to_keep,
    weight_of,
)
from clusterwise.cli.tables.engine import Engine
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.load import ColumnChoice, LoadOptions, choose
from clusterwise.cli.tables.membership_columns import with_own_names
from clusterwise.cli.tables.object_view import ObjectView
from clusterwise.cli.tables.selection import (
    drops_per_pair,
    noise_fraction_error,
    note_dropped_per_pair,
    note_if_no_noise,
)
from clusterwise.cli.tables.sources import LocalFile
from clusterwise.comparing.applicable import needs_centroids, wants_profiles
from clusterwise.comparing.compare_all import ComparisonMatrix, make_matrices
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.corrections import CorrectedChance
from clusterwise.comparing.frames import FrameData
from clusterwise.comparing.matches import MatchBy
from clusterwise.comparing.significance import ChanceOptions, pair_p_values
from clusterwise.inputs.binning.binning import Method
from clusterwise.inputs.clusterings import (
    Clustering,
    DroppedObjects,
    LabelOptions,
    align_clusterings,
)
from clusterwise.inputs.encoding import Array, as_names, name_list
from clusterwise.measures.catalogue import find_measure
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap


class DistinctRows(NamedTuple):
    """Distinct rows of labels, and the number or total weight of the objects in each."""

    columns: list[Column]
    weights: Array


class DiskCollection(ClusteringCollection):
    """Clusterings and features of objects that stay on disk."""

    def __init__(
        self,
        objects: ObjectView,
        choice: ColumnChoice,
        options: LoadOptions,
        method: Method,
        n_bins: int,
    ) -> None:
        self._all = objects
        self._options = options
        self._bins = method, n_bins
        self._features = choice.features
        self._noise_label = label_of(options.noise_label)
        self._weight = weight_of(objects, choice.weight)
        n_labels, n_soft = len(choice.labels), len(choice.memberships)
        self._per_pair = drops_per_pair(n_labels, n_soft, options.missing)
        if self._per_pair:
            self._where, self.objects = "TRUE", objects.rows
            note_dropped_per_pair(count_unlabelled(objects, choice.labels), objects.rows)
        else:
            self._where, self.objects = rows_to_keep(
                objects, choice.labels, choice.memberships, options.missing
            )
        noise = self._noise_label
        labels = [
            DiskLabels(one.name, column.sql, column.is_label(noise), column.facts)
            for one in choice.labels
            for column in [on_disk(one)]
        ]
        soft = with_own_names(choice.soft, [one.name for one in labels])
        self._clusterings: list[DiskClustering] = [
            *labels,
            *membership_clusterings(objects, soft, self._where, noise),
        ]
        self.names = [one.name for one in self._clusterings]
        self.soft = [one.name for one in self._clusterings if not isinstance(one, DiskLabels)]
        self.has_data = bool(choice.features)
        self.fractional_weights = self._weight is not None and objects.engine.row(
            f"SELECT coalesce(bool_or({self._weight} <> round({self._weight})), FALSE) "
            f"FROM {objects.view} WHERE {self._where}"
        ) == (True,)
        self._hard = [i for i, one in enumerate(self._clusterings) if isinstance(one, DiskLabels)]
        self._check_singletons(choice.weight)
        self._distinct_rows = self._count(self._hard, MOST) if self._hard else None
        if self._distinct_rows is not None:
            labels_read = [self._distinct_rows.columns[i] for i in range(len(labels))]
            note_if_no_noise(labels_read, options.noise, self._noise_label)

    def has_means(self) -> bool:
        return self._data.has_means()

    def compare(
        self, measures: list[str], match: MatchBy, chance: ChanceOptions | None
    ) -> Comparison:
        found = self._compare_pair(0, 1, measures, match, chance)
        found.dropped = self._count_noise()
        return found

    def compare_each(
        self, measures: list[str], match: MatchBy = "auto", chance: CorrectedChance | None = None
    ) -> list[ComparisonMatrix]:
        chosen = [find_measure(measure) for measure in measures]
        one_way = [one.name for one in chosen if not one.symmetric]
        size = len(self.names)
        values = np.empty((len(chosen), size, size))
        p_values = None if chance is None else np.full(values.shape, np.nan)
        for i, j in combinations_with_replacement(range(size), 2):
            try:
                comparison = self._compare_pair(i, j, measures)
                found = comparison.values
                if chance is not None and p_values is not None and i != j:
                    p_values[:, i, j], p_values[:, j, i] = pair_p_values(
                        comparison.table, measures, chance.options
                    )
                back = self._compare_pair(j, i, one_way).values if one_way and i != j else {}
            except InputError as error:
                raise InputError(f"{self.names[i]} (a) and {self.names[j]} (b): {error}") from None
            for matrix, measure in zip(values, measures, strict=True):
                matrix[i, j] = found[measure]
                matrix[j, i] = back.get(measure, found[measure])
        named: dict[str, Any] = dict.fromkeys(self.names)
        return make_matrices(named, measures, values, p_values, chance, {}, match)

    def _compare_pair(
        self,
        i: int,
        j: int,
        measures: list[str],
        match: MatchBy = "auto",
        chance: ChanceOptions | None = None,
    ) -> Comparison:
        table = self._table(i, j)
        if table.n == 0:
            raise InputError("there are no objects to compare; check --noise and --weight.")
        sides = [self._frame.columns[position] for position in (i, j)] if self._needs_frame else []
        overlap = profiles = None
        if any(needs_centroids(find_measure(name)) for name in measures):
            overlap = self._data_of(sides).overlap(sides[0], sides[1])
        if wants_profiles(measures):
            if self._data.binning is None:
                self._data.fit(*self._bins)
            profiles = self._data_of(sides).profiles(sides[0], sides[1])
        names = self.names[i], self.names[j]
        options: LabelOptions = {
            "noise_label": self._noise_label,
            "noise": self._options.noise,
        }
        return Comparison(
            table, measures, names, profiles, overlap, options=options, match=match, chance=chance
        )

    def _table(self, i: int, j: int) -> Contingency | SoftOverlap:
        if i in self._hard and j in self._hard:
            return self._contingency(i, j)
        found = self._data.table(self._frame.columns[i], self._frame.columns[j])
        assert isinstance(found, SoftOverlap)
        return found.rename(
            self._cluster_names(i, found.row_names), self._cluster_names(j, found.column_names)
        )

    def _cluster_names(self, i: int, names: Any) -> Any:
        return as_names([self._frame.clusters[i][name] for name in name_list(names)])

    def _contingency(self, i: int, j: int) -> Contingency:
        if self._distinct_rows is not None:
            distinct, positions = self._distinct_rows, [self._hard.index(i), self._hard.index(j)]
        else:
            pair = list(dict.fromkeys([i, j]))
            found = self._count(pair, MOST_PAIRS)
            if found is None:
                raise InputError(
                    f"the clusterings have more than {MOST_PAIRS} distinct rows of labels, too "
                    "many to fetch; name other columns with --column."
                )
            distinct, positions = found, [pair.index(i), pair.index(j)]
        first, second = (
            self._clustering(side, distinct, position)
            for side, position in zip((i, j), positions, strict=True)
        )
        label_options: LabelOptions = {
            "sample_weight": distinct.weights,
            "noise": self._options.noise,
            "noise_label": self._noise_label,
        }
        if self._per_pair:
            label_options["missing"] = "drop"
        return Contingency.from_pair(align_clusterings(first, second, **label_options))

    def _clustering(self, side: int, distinct: DistinctRows, position: int) -> Clustering:
        one = self._clusterings[side]
        assert isinstance(one, DiskLabels)
        return one.clustering(distinct.columns[position], self._noise_label)

    def _count(self, hard: Sequence[int], most: int) -> DistinctRows | None:
        sides = [one for i in hard if isinstance(one := self._clusterings[i], DiskLabels)]
        labels = [one.sql for one in sides]
        singleton = self._noise_condition(hard) if self._options.noise == "singletons" else None
        found = count_distinct_rows(self._all, labels, self._weight, self._where, most, singleton)
        if found is None:
            return None
        rows, weights = found
        missing = self._options.missing
        return DistinctRows(
            [one.column(raw, missing) for one, raw in zip(sides, rows, strict=True)], weights
        )

    @property
    def _needs_frame(self) -> bool:
        return self.has_data or bool(self.soft)

    @cached_property
    def _frame(self) -> ClusteringFrame:
        drop = self._noise_label if self._options.noise == "drop" else None
        return ClusteringFrame(
            self._all, self._clusterings, self._features, self._weight, self._where,
            self._options.missing, drop,
        )  # fmt: skip

    @cached_property
    def _data(self) -> FrameData:
        label_options: LabelOptions = {"noise": self._options.noise, "noise_label": NOISE}
        if self._frame.weight is not None:
            label_options["sample_weight"] = self._frame.weight
        features = self._frame.features if self.has_data else None
        return FrameData(self._frame.native, features, label_options)

    def _data_of(self, sides: Sequence[str | list[str]]) -> FrameData:
        """Return the data of the objects that have a label in both columns."""
        if not self._per_pair:
            return self._data
        there = " AND ".join(f"{side} IS NOT NULL" for side in sides)
        label_options: LabelOptions = {"noise": self._options.noise, "noise_label": NOISE}
        if self._frame.weight is not None:
            label_options["sample_weight"] = self._frame.weight
        found = FrameData(self._frame.native.filter(there), self._frame.features, label_options)
        found.binning = self._data.binning
        return found

    def _check_singletons(self, weight: LocatedColumn | None) -> None:
        if self._options.noise != "singletons":
            return
        for option, given in (("--data", self.has_data), ("--soft", bool(self.soft))):
            if given:
                raise InputError(
                    f"--noise singletons cannot be combined with {option} for files that DuckDB "
                    "reads from disk; use --noise cluster or --noise drop."
                )
        if weight is not None and self._weight == on_disk(weight).number:
            column = on_disk(weight)
            fraction = f"({self._noise_condition(self._hard)}) AND {column.number} % 1 <> 0"
            (found,) = self._all.engine.row(
                f"SELECT count(*) FROM {self._all.view} WHERE {fraction} AND {self._where}"
            )
            if found:
                where, value = self._all.first(column, fraction, self._where)
                raise noise_fraction_error(weight, value, where)

    def _count_noise(self) -> DroppedObjects:
        """Return how many objects are left out as noise."""
        if self._options.noise != "drop" or not self._hard:
            return DroppedObjects(0, self.objects)
        condition = f"({self._where}) AND ({self._noise_condition(self._hard)})"
        query = f"SELECT count(*) FROM {self._all.view} WHERE {condition}"
        return DroppedObjects(self._all.engine.row(query)[0], self.objects)

    def _noise_condition(self, hard: Sequence[int]) -> str:
        """Return the condition that one of these clusterings labels an object as noise."""
        sides = [one for i in hard if isinstance(one := self._clusterings[i], DiskLabels)]
        return " OR ".join(one.is_noise for one in sides)


def open_collection(
    engine: Engine,
    found: Sequence[LocalFile],
    files: Sequence[str],
    reading: FileOptions,
    options: LoadOptions,
    bins: tuple[Method, int],
) -> DiskCollection:
    """Open the files, and choose the columns to compare."""
    if bins[0] == "mdl" and options.data:
        raise_for_mdl()
    objects = open_objects(engine, found, reading)
    titles = [one.file.title for one in found]
    choice = choose(objects.located, objects.tables, titles, files, options)
    return DiskCollection(objects, choice, options, *bins)


def raise_for_mdl() -> None:
    """Raise an error for mdl, which needs all values at once."""
    raise InputError(
        "--binning mdl needs all values in memory, but DuckDB reads these files from disk; use "
        "--binning width or --binning frequency."
    )
