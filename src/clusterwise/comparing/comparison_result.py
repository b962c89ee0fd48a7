"""The result of a comparison of two clusterings."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import json_row, to_frame
from clusterwise._utils.lazy import choose_display
from clusterwise._utils.results import Result
from clusterwise._utils.tables import TextTable
from clusterwise.comparing.applicable import (
    check_measures,
    needs_centroids,
    needs_profiles,
)
from clusterwise.comparing.compare_profiles import ProfileComparison
from clusterwise.comparing.contributions import Contribution, contributions
from clusterwise.comparing.events import Changes, Event, Move, NoiseFlow, find_changes
from clusterwise.comparing.matches import (
    ClusterMatching,
    Match,
    MatchBy,
    find_matches,
    find_unmatched,
    match_clusters,
)
from clusterwise.comparing.significance import (
    ChanceOptions,
    FeatureData,
    Significance,
    find_significance,
)
from clusterwise.comparing.text import match_tables, measure_table
from clusterwise.comparing.verdict import sentences
from clusterwise.inputs.clusterings import (
    DroppedObjects,
    LabelOptions,
    Pair,
    find_noise,
)
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.features import take_rows
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.density import read_profiles
from clusterwise.measures.transport import mallows_plan
from clusterwise.measures.transport_plans import TransportPlan
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap
from clusterwise.summaries.profile.profile import DensityProfile

_DISPLAYS = {
    "flow": "FlowDisplay",
    "contingency": "ContingencyDisplay",
    "profiles": "ProfileDisplay",
    "scatter": "ScatterPairDisplay",
}


class Comparison(Result):
    """The result of :func:`compare`.

    Attributes
    ----------
    values : dict of str to float
        The value of each measure.
    table : Contingency or SoftOverlap
        The contingency table, or the overlap if a clustering is soft.
    names : tuple of str
        The names of the two clusterings.
    profiles : tuple of DensityProfile or None
        The density profiles of both, if density measures were computed.
    overlap : SoftOverlap or None
        The overlap with the centroids of the clusters, if ``css_distance`` was computed.
    pair : Pair or None
        The aligned clusterings; None for a ready table or a lazy frame.
    data : object or None
        ``X`` as it was passed, with all rows (``pair.kept`` are the indices of those compared).
    options : dict
        The label options of the comparison.
    match : {"auto", "name", "overlap"}
        How clusters are matched.
    dropped : DroppedObjects or None
        How many objects were left out as noise or without a label; None if it is not known.
    chance : ChanceOptions or None
        With ``significance=True``, the number of random tables and their seed.
    significance : dict of str to Significance, or None
        With ``significance=True``, the ``expected`` value, the ``p_value`` and its standard error
        ``p_error`` (0 unless it is estimated from random tables), and the ends ``low`` and ``high``
        of the interval of each measure, and of the adjusted Rand index. NaN is what is not
        defined, or not computed: see :func:`compare`.
    """

    _print_summary = True

    def __init__(
        self,
        table: Contingency | SoftOverlap,
        measures: Sequence[str],
        names: tuple[str, str],
        profiles: tuple[DensityProfile, DensityProfile] | None = None,
        overlap: SoftOverlap | None = None,
        pair: Pair[AnyClustering] | None = None,
        *,
        data: Any = None,
        options: LabelOptions | None = None,
        match: MatchBy = "auto",
        dropped: DroppedObjects | None = None,
        chance: ChanceOptions | None = None,
    ) -> None:
        self.table = table
        self.dropped = dropped if pair is None else pair.dropped
        self.match = match
        self.names = names
        self.profiles = profiles
        self.overlap = overlap
        self.pair = pair
        self.data = data
        self.options: LabelOptions = {} if options is None else options
        chosen = check_measures(
            measures,
            soft="a clustering" if self.is_soft else None,
            with_profiles=profiles is not None,
            with_centroids=overlap is not None,
        )
        self.values: dict[str, float] = {}
        for measure in chosen:
            if needs_profiles(measure):
                assert profiles is not None
                self.values[measure.name] = measure.function(*profiles)
            else:
                summary = overlap if needs_centroids(measure) else table
                self.values[measure.name] = measure.function(summary)
        self.chance = chance
        self.significance: dict[str, Significance] | None = None
        if chance is not None:
            features = None
            if pair is not None and data is not None:
                features = FeatureData(pair, data, profiles, overlap)
            self.significance = find_significance(table, self.values, features, chance)

    @property
    def noise_label(self) -> Any:
        """The label of noise."""
        return self.options.get("noise_label", -1)

    @property
    def is_soft(self) -> bool:
        """Whether objects may be members of several clusters."""
        return isinstance(self.table, SoftOverlap)

    @cached_property
    def density(self) -> ProfileComparison:
        """The comparison of the density profiles (with ``X``).

        Clusters are matched as in ``matches``. With ``binning="width"``, the default of ADCO,
        differences of skewed features are shown in bins of equal counts (``"auto"``, see
        :class:`~clusterwise.Binning`). Those of a lazy frame, and of a binning that was fitted to
        other data, are shown in the bins of the measures.
        """
        if self.profiles is None:
            raise InputError("density needs the features of the objects; pass X to compare.")
        a, b = self.profiles
        matching = replace(
            self.matching,
            rows=_indices(a, self.table.row_names[self.matching.rows]),
            columns=_indices(b, self.table.column_names[self.matching.columns]),
            noise_rows=find_noise(name_list(a.names), self.noise_label),
            noise_columns=find_noise(name_list(b.names), self.noise_label),
        )
        return ProfileComparison(
            a, b, self.names, match=self.match, noise_label=self.noise_label,
            cluster_matching=matching, shown=self._shown_profiles(),
        )  # fmt: skip

    def _shown_profiles(self) -> tuple[DensityProfile, DensityProfile] | None:
        assert self.profiles is not None
        if self.pair is None or self.data is None:
            return None
        binning = self.profiles[0].binning.with_skewed_features(self.data)
        if binning is None:
            return None
        rows = self.data if self.pair.kept is None else take_rows(self.data, self.pair.kept)
        return read_profiles(
            self.pair.a, self.pair.b, rows, binning=binning, sample_weight=self.pair.weights
        )

    @cached_property
    def transport(self) -> TransportPlan:
        """The optimal transport plan between the clusters, weighted by size."""
        return mallows_plan(self.table, "size")

    def contributors(self, count: int = 10) -> list[Contribution]:
        """Return the objects that contribute most to the CSS distance (with ``X``)."""
        if self.overlap is None or self.pair is None:
            raise InputError("contributors needs the features of the objects; pass X to compare.")
        return contributions(self.pair, self.overlap, count)

    @cached_property
    def matching(self) -> ClusterMatching:
        """The matched clusters as indices, which all tables, sentences and plots use."""
        return match_clusters(self.table, self.match, noise_label=self.noise_label)

    @cached_property
    def matches(self) -> list[Match]:
        """The matched clusters, largest overlap first."""
        return find_matches(self.table, self.matching)

    @cached_property
    def unmatched(self) -> tuple[list[Any], list[Any]]:
        """The clusters of a and of b that are neither matched nor noise."""
        return find_unmatched(self.table, self.matching)

    @cached_property
    def changes(self) -> Changes:
        """What became of the clusters; see ``events``, ``moves`` and ``noise``."""
        if isinstance(self.table, Contingency):
            return find_changes(self.table, self.matching)
        return Changes([], [], NoiseFlow(0, 0, 0, (), ()))

    @property
    def events(self) -> list[Event]:
        """The clusters that were kept, split, merged, dissolved or appeared.

        - **kept**: matched clusters with a Jaccard index of at least 1/3, the value of two
          clusters of equal size that share half of their objects; objects that are noise in the
          other clustering do not count, if at least half of the smaller cluster is shared;
        - **split**: a cluster of a with at least 80% of its objects in two or more clusters of b
          that each have at least 5% of it and consist of its objects for at least two thirds;
        - **merged**: the reverse, for a cluster of b;
        - **dissolved**, **appeared**: the other clusters of a, and those of b.

        Noise is no cluster. Empty for soft clusterings.
        """
        return self.changes.events

    @property
    def moves(self) -> list[Move]:
        """The groups of objects that moved between clusters, largest first.

        These are the objects that are neither in matched clusters, nor in the parts of a cluster
        that was split or merged, nor noise. Empty for soft clusterings, where ``transport`` has the
        flow between the clusters.
        """
        return self.changes.moves

    @property
    def noise(self) -> NoiseFlow:
        """The number of noise objects, and where they come from."""
        return self.changes.noise

    def _sentences(self) -> list[str]:
        return sentences(self)

    def plot(self, kind: str = "flow", *, ax: Any = None, **options: Any) -> Any:
        """Plot the comparison (needs the extra ``plots``).

        Parameters
        ----------
        kind : {"flow", "contingency", "profiles", "scatter"}, default="flow"
            The flow of objects between the clusters, the contingency table with matched clusters
            on the diagonal, the density profiles of matched clusters, or a scatter plot of the
            objects in the colours of both clusterings. The last two need ``X``.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Options of ``from_comparison`` of the display.

        Returns
        -------
        Display
            A display of :mod:`clusterwise.plots`.
        """
        return choose_display(kind, _DISPLAYS).from_comparison(self, **options).plot(ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Return names, sizes, measures, matches, moves and transport as plain values."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "objects": self.table.n,
            "clusters": list(self.table.shape),
            "measures": dict(self.values),
            **self._significance_dict(),
            "matched_by": self.matching.by,
            "matches": [json_row(match._asdict()) for match in self.matches],
            "events": [
                {**event._asdict(), "parts": [json_row(part._asdict()) for part in event.parts]}
                for event in self.events
            ],
            "noise": {
                "before": self.noise.before,
                "after": self.noise.after,
                "both": self.noise.both,
            },
            "moves": [json_row(move._asdict()) for move in self.moves],
            "transport": self.transport.to_dict()["matches"],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row per measure.

        With ``significance`` it has the columns ``expected``, ``p_value``, ``p_error``, ``low`` and
        ``high``.
        """
        columns = {
            "measure": list(self.values),
            "value": list(self.values.values()),
            **self._significance_columns(),
            "family": [CATALOGUE[name].family for name in self.values],
            "range": [CATALOGUE[name].range for name in self.values],
        }
        return to_frame(columns, library or self.table.library)

    def _significance_columns(self) -> dict[str, list[float]]:
        if self.significance is None:
            return {}
        rows = [self.significance[name] for name in self.values]
        return {field: [getattr(row, field) for row in rows] for field in Significance._fields}

    def _significance_dict(self) -> dict[str, Any]:
        """Return the significance as plain values, None for NaN."""
        if self.significance is None:
            return {}
        plain = {
            name: {key: value if isfinite(value) else None for key, value in row._asdict().items()}
            for name, row in self.significance.items()
        }
        return {"significance": plain}

    def text_table(self) -> TextTable:
        """Return the table of measures."""
        return measure_table(self)

    def text_tables(self) -> list[TextTable]:
        """Return the tables of measures, matched clusters and moved objects."""
        return [self.text_table(), *match_tables(self)]


def _indices(profile: DensityProfile, names: Array) -> Array:
    """Return the rows of clusters in a profile."""
    index = {name: k for k, name in enumerate(name_list(profile.names))}
    return np.array([index[name] for name in name_list(names)], np.int64)
