"""Comparison of two density profiles: matched clusters, and the bins in which they differ."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.export import json_row, to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import Result
from clusterwise._utils.tables import (
    TextTable,
    format_list,
    format_number,
    format_percent,
    format_score,
    format_share,
)
from clusterwise.comparing.matches import ClusterMatching, MatchBy, match_cells
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures._profile_products import products
from clusterwise.measures.density import match_profiles
from clusterwise.summaries.contingency.cells import DenseCells
from clusterwise.summaries.profile.profile import DensityProfile

_MAX_ROWS = 10
_MAX_MATCHES = 5
# The cosine, as it is printed, from which the words apply. ADCO also depends on the numbers of
# objects, so that it does not say whether clusters are dense in the same places.
_PLACES = (
    (0.9, "the same places"),
    (0.5, "partly the same places"),
    (-1.0, "different places"),
)
# Names seem to have changed meaning if matching by density raises the cosine by at least this.
_RENAMED = 0.1
# Sums of the same products in another order differ by less.
_ROUNDING = 1e-9


class ProfileMatch(NamedTuple):
    """Two clusters with matched density profiles.

    ``share`` is the proportion of the similarity of the clusterings that the pair accounts for.
    """

    a: Any
    b: Any
    cosine: float
    share: float


class Region(NamedTuple):
    """A bin in which two matched clusters differ: the proportion of each in the bin."""

    a: Any
    b: Any
    feature: str
    bin: str
    share_of_a: float
    share_of_b: float
    difference: float


class ProfileComparison(Result):
    """The result of :func:`compare_profiles`: prints the bins that differ most.

    Attributes
    ----------
    adco, cosine : float
        The ADCO similarity of the two profiles, and the cosine, which ignores their sizes.
    names : tuple of str
        The names of the two clusterings.
    rows, columns : ndarray of int
        The indices of matched clusters in ``a`` and in ``b``; noise is never matched.
    by : {"name", "overlap"}
        What the clusters are matched by.
    cluster_counts : tuple of two int
        The numbers of clusters of ``a`` and ``b``, without noise.
    shown : tuple of two DensityProfile
        The profiles in whose bins differences are shown: ``a`` and ``b``, unless there are better
        bins (see :attr:`clusterwise.Comparison.density`).
    """

    def __init__(
        self,
        a: DensityProfile,
        b: DensityProfile,
        names: tuple[str, str],
        *,
        match: MatchBy = "auto",
        noise_label: Any = -1,
        cluster_matching: ClusterMatching | None = None,
        shown: tuple[DensityProfile, DensityProfile] | None = None,
    ) -> None:
        self.a, self.b, self.names = a, b, names
        self.match: MatchBy = match
        self.noise_label = noise_label
        self.shown = (a, b) if shown is None else shown
        found = match_profiles(a, b)
        largest, norm = max(found.own_a, found.own_b), np.sqrt(found.own_a * found.own_b)
        self.adco = min(1.0, found.similarity / largest) if largest else 1.0
        self.cosine = min(1.0, found.similarity / norm) if norm else self.adco
        cells = DenseCells(products(a, b).cross)
        clusters = name_list(a.names), name_list(b.names)
        if cluster_matching is None:
            cluster_matching = match_cells(
                clusters, cells, match, noise_label=noise_label, keep_names=True
            )
        order = np.argsort(cluster_matching.rows, kind="stable")
        rows, columns = cluster_matching.rows[order], cluster_matching.columns[order]
        # A cluster of weight zero has no proportions.
        known = (a.sizes[rows] > 0) & (b.sizes[columns] > 0)
        self.rows: Array = rows[known]
        self.columns: Array = columns[known]
        self.by = cluster_matching.by
        self._noise = cluster_matching.noise_rows, cluster_matching.noise_columns
        self.cluster_counts = tuple(int(np.count_nonzero(~noise)) for noise in self._noise)
        # The part of the similarity that is in these pairs, and in noise as a cluster.
        noisy = (np.flatnonzero(noise) for noise in self._noise)
        listed = float(cells.at(self.rows, self.columns).sum() + cells.select(*noisy).counts.sum())
        self._part = listed / found.similarity if found.similarity else 1.0

    @property
    def binning(self) -> Binning:
        """The bins in which differences are shown."""
        return self.shown[0].binning

    @cached_property
    def proportions(self) -> tuple[Array, Array]:
        """The proportion of each matched cluster in every bin, for a and b."""
        return _proportions(self.shown[0], self.rows), _proportions(self.shown[1], self.columns)

    @cached_property
    def _products(self) -> Array:
        """The contribution of every bin of every matched pair to the similarity."""
        return self.a.counts[self.rows].astype(float) * self.b.counts[self.columns]

    @cached_property
    def matches(self) -> list[ProfileMatch]:
        """The matched clusters, largest contribution to the similarity first."""
        both = _proportions(self.a, self.rows), _proportions(self.b, self.columns)
        first, second = (one / np.linalg.norm(one, axis=1)[:, None] for one in both)
        cosines = (first * second).sum(axis=1)
        parts = self._products.sum(axis=1)
        parts /= parts.sum() or 1.0
        names = name_list(self.a.names[self.rows]), name_list(self.b.names[self.columns])
        found = map(ProfileMatch, *names, cosines.tolist(), parts.tolist())
        return sorted(found, key=lambda match: -match.share)

    @cached_property
    def feature_proportions(self) -> dict[str, float]:
        """The proportion of the similarity that each feature accounts for."""
        parts = np.add.reduceat(self._products.sum(axis=0), self.a.binning.offsets[:-1])
        parts /= parts.sum() or 1.0
        return dict(zip(self.a.binning.names, parts.tolist(), strict=True))

    @cached_property
    def regions(self) -> list[Region]:
        """The bins in which matched clusters differ, largest difference first."""
        first, second = self.proportions
        difference = second - first
        order = np.argsort(-np.abs(difference), axis=None, kind="stable")
        bins = self.binning.bin_names()
        names = name_list(self.a.names[self.rows]), name_list(self.b.names[self.columns])
        found = []
        for at in order[: np.count_nonzero(difference)]:
            k, i = divmod(int(at), first.shape[1])
            feature, name = bins[i]
            in_a, in_b = float(first[k, i]), float(second[k, i])
            clusters = names[0][k], names[1][k]
            found.append(Region(*clusters, feature, name, in_a, in_b, in_b - in_a))
        return found

    def _sentences(self) -> list[str]:
        """State the matched clusters, their similarity and what changed most."""
        a, b = self.names
        noisy = any(noise.any() for noise in self._noise)
        cosine = self.cosine * min(1.0, self._part)
        scores = f"ADCO {format_score(self.adco)}, cosine {format_score(self.cosine)}"
        if self._part < 1 - _ROUNDING:
            # Pairs by name may be less similar than those by which the measures are defined.
            scores += f" by the best matching; cosine {format_score(cosine)} of these pairs"
        scores += f"{' with noise as a cluster' * noisy}; 1 is identical"
        if not self.matches:
            return [f"No cluster of {a} matches one of {b} ({scores})."]
        matched = [f"{match.a} → {match.b}" for match in self.matches]
        are = "is" if len(matched) == 1 else "are"
        where = next(words for least, words in _PLACES if round(cosine, 2) >= least)
        how = "Matched by name, " * (self.by == "name")
        sentences = [
            f"{how}{format_list(matched, _MAX_MATCHES)} {are} dense in {where} ({scores}).",
            *self._changed_names(),
            *self._unmatched(),
        ]
        if not self.regions:
            return [*sentences, "The matched clusters have equal proportions in every bin."]
        r = self.regions[0]
        return [
            *sentences,
            f"What changed most: {format_share(r.share_of_a)} of {r.a} in {a} have "
            f"{self._say_first_bin()}, against {format_share(r.share_of_b)} of {r.b} in {b}.",
        ]

    def _changed_names(self) -> list[str]:
        """Say so if clusters of the same name seem to be different clusters."""
        if self.by != "name" or self.cosine * (1 - self._part) < _RENAMED:
            return []
        best = ProfileComparison(
            self.a, self.b, self.names, match="overlap", noise_label=self.noise_label
        )
        known = set(name_list(self.b.names))
        renamed = [
            f"{one.a} → {one.b}" for one in best.matches if one.a != one.b and one.a in known
        ]
        if not renamed:
            return []
        cosine = format_score(best.cosine * min(1.0, best._part))
        return [
            "The names seem to have changed meaning: by density, "
            f"{format_list(renamed, _MAX_MATCHES)} match better (cosine {cosine}). If they only "
            'number the clusters of two runs, compare with match="overlap".'
        ]

    def _unmatched(self) -> list[str]:
        """State how many clusters are not matched."""
        sentences = []
        for name, clusters, matched in zip(
            self.names, self.cluster_counts, (self.rows, self.columns), strict=True
        ):
            count = clusters - matched.size
            if count:
                are = "1 cluster is" if count == 1 else f"{count} clusters are"
                sentences.append(f"Of {name}, {are} not matched.")
        return sentences

    def _say_first_bin(self) -> str:
        """Return feature and bin of the first region: "age 30 to 60", "colour red", "no age".

        The end bins also have the values outside of the fitted range: "age 60 or more".
        """
        first, second = self.proportions
        column = int(np.abs(second - first).argmax()) % first.shape[1]
        binning = self.binning
        feature = int(np.searchsorted(binning.offsets, column, side="right")) - 1
        bins, place = binning.features[feature], column - int(binning.offsets[feature])
        region = self.regions[0]
        if place == bins.size - 1:
            return f"no {region.feature}"
        if place == bins.regular:
            return f"another {region.feature}"
        if bins.edges is None or bins.edges[place] == bins.edges[place + 1]:
            return f"{region.feature} {region.bin}"
        low, high = region.bin[1:-1].split(", ")
        outside = any(bins.name in profile.outside for profile in self.shown)
        if outside and place == 0 and bins.regular > 1:
            return f"{region.feature} {'before' if bins.date else 'below'} {high}"
        if outside and place == bins.regular - 1 and bins.regular > 1:
            return f"{region.feature} {low} or {'later' if bins.date else 'more'}"
        return f"{region.feature} {low} to {high}"

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Plot the density profiles of matched clusters (needs the extra ``plots``).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Options of :class:`~clusterwise.plots.ProfileDisplay`.

        Returns
        -------
        ProfileDisplay
        """
        options.setdefault("noise_label", self.noise_label)
        return load_display("ProfileDisplay")(self, **options).plot(ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Return similarity, matches, features and regions as plain values."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "adco": self.adco,
            "cosine": self.cosine,
            "matched_by": self.by,
            "matches": [json_row(match._asdict()) for match in self.matches],
            "features": self.feature_proportions,
            "regions": [json_row(region._asdict()) for region in self.regions],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row per region."""
        rows = self.to_dict()["regions"]
        return to_frame({name: [row[name] for row in rows] for name in Region._fields}, library)

    def text_table(self) -> TextTable:
        """Return the regions with the largest differences as a table."""
        a, b = self.names
        rows = [
            [
                f"{r.a} → {r.b}",
                r.feature,
                r.bin,
                format_percent(r.share_of_a),
                format_percent(r.share_of_b),
            ]
            for r in self.regions[:_MAX_ROWS]
        ]
        title = (
            f"Where {a} and {b} differ (ADCO {format_number(self.adco)}, cosine "
            f"{format_number(self.cosine)})"
        )
        return TextTable(["clusters", "feature", "bin", a, b], rows, title, frozenset(range(3)))


def _proportions(profile: DensityProfile, rows: Array) -> Array:
    return profile.counts[rows] / profile.sizes[rows][:, None]


@check_arguments
def compare_profiles(
    a: DensityProfile,
    b: DensityProfile,
    *,
    names: tuple[str, str] = ("a", "b"),
    match: MatchBy = "auto",
    noise_label: Any = -1,
) -> ProfileComparison:
    """Compare the density profiles of two clusterings, which may be of different objects.

    Parameters
    ----------
    a, b : DensityProfile
        Two profiles with the same binning. ADCO is defined with bins of equal width ("width").
    names : tuple of two str, default=("a", "b")
        The names of the clusterings.
    match : {"auto", "name", "overlap"}, default="auto"
        How clusters are matched: ``"overlap"`` maximises the similarity of the density profiles
        of matched clusters, as ADCO does; ``"name"`` and ``"auto"`` are as in :func:`compare`.
    noise_label : default=-1
        The label of noise, which is never matched. ADCO and the cosine take it as a cluster.

    Returns
    -------
    ProfileComparison
        The matched clusters, the contribution of each feature to the similarity, and the bins in
        which the clusters differ most.

    Examples
    --------
    Customers of two years, by age; one segment has grown younger:

    >>> import clusterwise as cw
    >>> binning = cw.Binning.from_edges({"age": [0, 30, 60, 90]})
    >>> last = cw.DensityProfile.from_data([[20], [25], [70], [80]], list("xxyy"), binning=binning)
    >>> this = cw.DensityProfile.from_data([[22], [27], [50], [75]], list("ppqq"), binning=binning)
    >>> found = cw.compare_profiles(last, this, names=("last", "this"))
    >>> [(match.a, match.b) for match in found.matches]
    [('x', 'p'), ('y', 'q')]
    >>> region = found.regions[0]
    >>> region.feature, region.bin, region.difference
    ('age', '[30, 60)', 0.5)
    """
    return ProfileComparison(a, b, names, match=match, noise_label=noise_label)
