"""The clusterings that ``compare`` compares, in memory or on disk."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from clusterwise.cli.tables.load import LoadedClusterings
from clusterwise.comparing.applicable import (
    applicable_measures,
    check_measures,
    default_measures,
)
from clusterwise.comparing.compare import compare
from clusterwise.comparing.compare_all import ComparisonMatrix, compare_each, refuse_features
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.corrections import CorrectedChance
from clusterwise.comparing.significance import N_PERMUTATIONS, SEED, ChanceOptions
from clusterwise.inputs.clusterings import SoftClustering
from clusterwise.inputs.features import has_means

if TYPE_CHECKING:
    from clusterwise.comparing.matches import MatchBy
    from clusterwise.inputs.binning.binning import Method


def chance_options(*, significance: bool) -> ChanceOptions | None:
    """Return how chance levels are computed, None if they are not."""
    return ChanceOptions(N_PERMUTATIONS, SEED) if significance else None


def corrected_chance(measures: list[str], *, significance: bool) -> CorrectedChance | None:
    """Return how p-values of all pairs are computed and corrected, None if they are not."""
    chance = chance_options(significance=significance)
    if chance is None:
        return None
    refuse_features(measures)
    return CorrectedChance(chance, "holm")


class ClusteringCollection(ABC):
    """Two or more clusterings of the same objects, in memory or on disk.

    Attributes
    ----------
    names
        The names of the clusterings.
    soft
        The names of the soft clusterings.
    objects
        The number of objects.
    has_data
        Whether there are features.
    fractional_weights
        Whether objects have weights that are not integers.
    """

    names: list[str]
    soft: list[str]
    objects: int
    has_data: bool
    fractional_weights: bool

    @abstractmethod
    def has_means(self) -> bool:
        """Return whether the features have means."""

    @abstractmethod
    def compare(
        self, measures: list[str], match: "MatchBy", chance: ChanceOptions | None
    ) -> Comparison:
        """Compare two clusterings."""

    @abstractmethod
    def compare_each(
        self, measures: list[str], match: "MatchBy" = "auto", chance: CorrectedChance | None = None
    ) -> list[ComparisonMatrix]:
        """Compare all pairs of clusterings, and return a matrix for each measure."""

    def choose_measures(self, measures: list[str]) -> list[str]:
        """Check the given measures; if there are none, return those that apply."""
        soft = self.soft[0] if self.soft else None
        check_measures(measures, soft=soft, hard_labels="compare columns of labels")
        if measures:
            return measures
        if len(self.names) > 2:
            return default_measures(soft=bool(self.soft), with_profiles=self.has_data)
        return applicable_measures(
            soft=bool(self.soft),
            with_profiles=self.has_data,
            with_centroids=self.has_data and self.has_means(),
            fractional_weights=self.fractional_weights,
        )


class MemoryCollection(ClusteringCollection):
    """Clusterings in memory; features are binned when they are first needed."""

    def __init__(self, loaded: LoadedClusterings, method: "Method", n_bins: int) -> None:
        self._loaded = loaded
        self._bins = method, n_bins
        clusterings = loaded.clusterings
        self.names = list(clusterings)
        self.soft = [name for name, one in clusterings.items() if isinstance(one, SoftClustering)]
        self.objects = len(clusterings[self.names[0]])
        self.has_data = loaded.features is not None
        weights = loaded.label_options.get("sample_weight")
        self.fractional_weights = weights is not None and not np.array_equal(
            np.rint(weights), weights
        )

    def has_means(self) -> bool:
        return has_means(self._data["X"])

    def compare(
        self, measures: list[str], match: "MatchBy", chance: ChanceOptions | None
    ) -> Comparison:
        (a, first), (b, second) = self._loaded.clusterings.items()
        options = {} if chance is None else {"significance": True, **chance._asdict()}
        return compare(
            first,
            second,
            measures=measures,
            names=(a, b),
            match=match,
            **options,
            **self._data,
            **self._loaded.label_options,
        )

    def compare_each(
        self, measures: list[str], match: "MatchBy" = "auto", chance: CorrectedChance | None = None
    ) -> list[ComparisonMatrix]:
        loaded = self._loaded
        return compare_each(
            loaded.clusterings, measures, match=match, chance=chance, **self._data,
            **loaded.label_options,
        )  # fmt: skip

    @cached_property
    def _data(self) -> dict[str, Any]:
        """The features and their bins as arguments of a comparison; empty without features."""
        features = self._loaded.features
        if features is None:
            return {}
        reference = next(iter(self._loaded.clusterings.values()))
        return {"X": features.values, "binning": features.fit_bins(*self._bins, reference)}
