"""The stability of the clusters of one clustering."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import choose_display
from clusterwise._utils.results import RemembersData, Result
from clusterwise._utils.tables import TextTable, format_count, format_number
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.stability.assessment_sentences import (
    ClusterStability,
    say_clusters,
    say_overall,
    say_rule,
)
from clusterwise.stability.beyond_null import (
    LEVEL,
    NullStability,
    find_interval,
    hardest,
)
from clusterwise.stability.clusterers import NOISE, Clusters
from clusterwise.stability.null_models import WORDS, Null
from clusterwise.stability.object_stability import ObjectStability
from clusterwise.stability.recovery import (
    LOST,
    NO_PARTNER,
    RECOVERED,
    Recovery,
)
from clusterwise.stability.repeated_clustering import Runs
from clusterwise.stability.resamples import Resampling

_DISPLAYS = {"clusters": "ClusterStabilityDisplay", "objects": "ObjectStabilityDisplay"}


class Assessed(NamedTuple):
    """What was assessed and how: the clusters of all objects, and the clusterer of the copies.

    ``rule`` and ``reproduces`` are the rule that stands in for an unknown clusterer, and its
    adjusted Rand index with the labels.
    """

    clusters: Clusters
    clusterer: str
    resampling: Resampling
    rule: str | None = None
    reproduces: float | None = None
    noise_label: Any = NOISE
    index: Any = None
    library: str | None = None
    data: Any = None


class Assessment(RemembersData, Result):
    """The result of :func:`assess`: prints a row per cluster, and the null models.

    Attributes
    ----------
    stability : tuple of ClusterStability
        The stability of each cluster.
    labels : ndarray of shape (n,)
        The clusters that were assessed.
    ari : float
        The mean adjusted Rand index of the clustering with those of the resamples.
    ari_interval : tuple of two floats
        The interval that has 95 % of the resamples' adjusted Rand indices.
    aris : ndarray of shape (m,)
        The adjusted Rand index of each resample.
    nulls : dict of str to NullStability
        The same for the null models.
    jaccards : ndarray of shape (K, m)
        The largest Jaccard index of each cluster in each resample.
    objects : ObjectStability
        How often each object stays with its cluster.
    pac : float
        The proportion of ambiguous pairs of objects over all resamples.
    relative_pac : float
        PAC divided by that of the null model; both of as many resamples as the null model has.
        NaN if the latter is 0.
    n_resamples : int
        The number of resamples.
    resampling : str
        How they were drawn.
    clusterer : str
        The clusterer.
    rule : str or None
        If labels were assessed: the rule by which resamples were clustered.
    reproduces : float or None
        The adjusted Rand index of that rule's clusters with the labels.
    data : array-like, frame or None
        The features, as they were passed; they are not pickled.
    """

    _print_summary = True

    def __init__(
        self, assessed: Assessed, runs: Runs, recovery: Recovery, nulls: dict[Null, NullStability]
    ) -> None:
        clusters = assessed.clusters
        self.clusterer, self.resampling = assessed.clusterer, assessed.resampling
        self.rule, self.reproduces = assessed.rule, assessed.reproduces
        self.aris, self.jaccards, self.nulls = runs.aris, recovery.jaccards, nulls
        self.ari, self.ari_interval = float(runs.aris.mean()), find_interval(runs.aris)
        self.pac, self._few_pac = runs.pac, runs.few_pac
        self.data, self._library = assessed.data, assessed.library
        self.objects = ObjectStability(
            clusters, recovery.votes, assessed.noise_label, assessed.index
        )
        names = [*name_list(clusters.names), assessed.noise_label]
        sizes = np.bincount(clusters.codes[clusters.codes != NOISE], minlength=clusters.size)
        self.stability = tuple(
            _describe(names, k, int(sizes[k]), recovery) for k in range(clusters.size)
        )

    @property
    def labels(self) -> Array:
        """The clusters that were assessed."""
        return self.objects.labels

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return len(self.stability)

    @property
    def n_resamples(self) -> int:
        """The number of resamples."""
        return int(self.aris.size)

    @property
    def clusters(self) -> Any:
        """The stability of each cluster as a frame."""
        return self.to_frame()

    @property
    def null(self) -> NullStability:
        """The null model that is as stable as the data most often, or else most stable."""
        return hardest(self.nulls)

    @property
    def null_ari(self) -> float:
        """The mean adjusted Rand index of that null model."""
        return self.null.ari

    @property
    def stable(self) -> bool:
        """Whether the clustering is more stable than the null models, at a level of 5 %."""
        return all(one.p_value <= LEVEL for one in self.nulls.values())

    @property
    def relative_pac(self) -> float:
        """PAC divided by that of the null model."""
        expected = self.null.pac
        return self._few_pac / expected if expected else float("nan")

    def _sentences(self) -> list[str]:
        """Describe the clusters, the clustering, the objects and the rule."""
        clusters = say_clusters(self.stability, self.n_resamples, beyond=self.stable)
        overall = say_overall(self.ari, self.null, self.stable)
        sentences = [*clusters, overall] if self.stable else [overall, *clusters]
        if self.objects.ambiguous.size:
            sentences += self.objects._sentences()
        if self.rule is not None and self.reproduces is not None:
            sentences.append(say_rule(self.rule, self.reproduces))
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON; NaN becomes None."""
        ratio = self.relative_pac
        return {
            "stable": self.stable,
            "ari": self.ari,
            "ari_interval": list(self.ari_interval),
            "null_ari": self.null_ari,
            "nulls": [one._asdict() for one in self.nulls.values()],
            "pac": self.pac,
            "relative_pac": None if ratio != ratio else ratio,
            "n_resamples": self.n_resamples,
            "resampling": self.resampling,
            "clusterer": self.clusterer,
            "rule": self.rule,
            "reproduces": self.reproduces,
            "clusters": self.rows(),
            "objects": self.objects.to_dict(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the stability of each cluster as plain Python values."""
        return [
            {name: _plain(value) for name, value in one._asdict().items()} for one in self.stability
        ]

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per cluster."""
        columns = dict(
            zip(ClusterStability._fields, map(list, zip(*self.stability, strict=True)), strict=True)
        )
        return to_frame(columns, library or self._library)

    def text_tables(self) -> list[TextTable]:
        """Return the stability of each cluster, and that of the whole and of the null models."""
        return [self.text_table(), self._table_of_nulls()]

    def text_table(self) -> TextTable:
        """Return a row per cluster."""
        rows = [
            [
                str(one.cluster),
                str(one.size),
                *map(format_number, (one.jaccard, one.low, one.high)),
                str(one.recovered),
                str(one.dissolved),
                "" if one.merges_with is None else str(one.merges_with),
            ]
            for one in self.stability
        ]
        header = [name.replace("_", " ") for name in ClusterStability._fields]
        title = (
            f"Stability of {format_count(self.n_clusters, 'cluster')} over "
            f"{format_count(self.n_resamples, 'resample')}"
        )
        return TextTable(header, rows, title, left=frozenset({0, 7}))

    def _table_of_nulls(self) -> TextTable:
        values = map(format_number, (self.ari, *self.ari_interval))
        rows = [["the data", *values, "", format_number(self._few_pac)]]
        for one in self.nulls.values():
            values = map(format_number, (one.ari, one.low, one.high, one.p_value, one.pac))
            rows.append([WORDS[one.null], *values])
        header = ["", "adjusted Rand", "low", "high", "p-value", "PAC"]
        found = "more stable" if self.stable else "not more stable"
        return TextTable(header, rows, f"The whole clustering is {found} than chance")

    def plot(self, kind: str = "clusters", *, ax: Any = None, **options: Any) -> Any:
        """Plot the stability of the clusters, or of the objects.

        Parameters
        ----------
        kind : {"clusters", "objects"}, default="clusters"
            The clusters as bars with intervals, or the objects as a map.
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            Further options of the display: ``colours``; for objects also ``axes`` and
            ``coordinates``.

        Returns
        -------
        ClusterStabilityDisplay or ObjectStabilityDisplay
        """
        return choose_display(kind, _DISPLAYS)(self, **options).plot(ax=ax)


def _describe(names: list[Any], k: int, size: int, recovery: Recovery) -> ClusterStability:
    jaccards = recovery.jaccards[k]
    low, high = find_interval(jaccards)
    lost = jaccards < LOST
    partners, counts = np.unique(recovery.partners[k, lost], return_counts=True)
    most = counts > lost.sum() / 2
    most &= partners != NO_PARTNER
    return ClusterStability(
        names[k],
        size,
        float(jaccards.mean()),
        low,
        high,
        int((jaccards >= RECOVERED).sum()),
        int(lost.sum()),
        names[int(partners[most][0])] if most.any() else None,  # noise is the last
    )


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float) or value is None else str(value)
