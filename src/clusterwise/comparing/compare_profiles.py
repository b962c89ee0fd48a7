"""Two density profiles side by side: who matches whom, and where they differ."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import TableRepr, TextTable, format_number, format_percent
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures.density import match_profiles
from clusterwise.summaries.profile.profile import DensityProfile

_SHOWN = 10


class ProfileMatch(NamedTuple):
    """Two clusters that are dense in the same places."""

    a: Any
    b: Any
    cosine: float
    share: float


class Region(NamedTuple):
    """A bin in which two matched clusters differ: the share of each one's objects in it."""

    a: Any
    b: Any
    feature: str
    bin: str
    share_of_a: float
    share_of_b: float
    difference: float


class ProfileComparison(TableRepr):
    """The result of :func:`compare_profiles`: prints the regions that differ most.

    Attributes
    ----------
    adco, cosine : float
        The similarity of the two profiles, with and without regard to sizes.
    names : tuple of str
        What the two clusterings are called.
    rows, columns : ndarray of int
        Places of matched clusters in ``a`` and in ``b``.
    """

    def __init__(self, a: DensityProfile, b: DensityProfile, names: tuple[str, str]) -> None:
        self.a, self.b, self.names = a, b, names
        found = match_profiles(a, b)
        whole = max(found.own_a, found.own_b)
        self.adco = min(1.0, found.similarity / whole) if whole else 1.0
        lengths = np.sqrt(found.own_a * found.own_b)
        self.cosine = min(1.0, found.similarity / lengths) if lengths else self.adco
        self.rows, self.columns = np.nonzero(found.plan)

    @cached_property
    def shares(self) -> tuple[Array, Array]:
        """Each matched cluster's objects, as shares of it in every bin."""
        first, second = self.a.counts[self.rows], self.b.counts[self.columns]
        return (
            first / self.a.sizes[self.rows][:, None],
            second / self.b.sizes[self.columns][:, None],
        )

    @cached_property
    def _products(self) -> Array:
        """What every bin of every matched pair adds to the similarity."""
        return self.a.counts[self.rows].astype(float) * self.b.counts[self.columns]

    @cached_property
    def matches(self) -> list[ProfileMatch]:
        """Matched clusters, those that carry most of the similarity first."""
        first, second = (shares / np.linalg.norm(shares, axis=1)[:, None] for shares in self.shares)
        cosines = (first * second).sum(axis=1)
        carried = self._products.sum(axis=1)
        carried /= carried.sum() or 1.0
        names = name_list(self.a.names[self.rows]), name_list(self.b.names[self.columns])
        found = map(ProfileMatch, *names, cosines.tolist(), carried.tolist())
        return sorted(found, key=lambda match: -match.share)

    @cached_property
    def feature_shares(self) -> dict[str, float]:
        """The share of the similarity that each feature carries."""
        carried = np.add.reduceat(self._products.sum(axis=0), self.a.binning.offsets[:-1])
        carried /= carried.sum() or 1.0
        return dict(zip(self.a.binning.names, carried.tolist(), strict=True))

    @cached_property
    def regions(self) -> list[Region]:
        """Bins of matched clusters in which the shares differ, most first."""
        first, second = self.shares
        difference = second - first
        order = np.argsort(-np.abs(difference), axis=None, kind="stable")
        bins = self.a.binning.bin_names()
        names = name_list(self.a.names[self.rows]), name_list(self.b.names[self.columns])
        found = []
        for at in order[: np.count_nonzero(difference)]:
            k, i = divmod(int(at), first.shape[1])
            feature, where = bins[i]
            in_a, in_b = float(first[k, i]), float(second[k, i])
            clusters = names[0][k], names[1][k]
            found.append(Region(*clusters, feature, where, in_a, in_b, in_b - in_a))
        return found

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Draw the matched clusters over each other, with the extra ``plots``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of :class:`~clusterwise.plots.ProfileDisplay`.

        Returns
        -------
        ProfileDisplay
            Drawn.
        """
        return load_display("ProfileDisplay")(self, **options).plot(ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "adco": self.adco,
            "cosine": self.cosine,
            "matches": [{**m._asdict(), "a": str(m.a), "b": str(m.b)} for m in self.matches],
            "features": self.feature_shares,
            "regions": [{**r._asdict(), "a": str(r.a), "b": str(r.b)} for r in self.regions],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """The regions as a frame."""
        rows = self.to_dict()["regions"]
        return to_frame({name: [row[name] for row in rows] for name in Region._fields}, library)

    def text_table(self) -> TextTable:
        """The regions with the largest differences."""
        a, b = self.names
        rows = [
            [
                f"{r.a} → {r.b}",
                r.feature,
                r.bin,
                format_percent(r.share_of_a),
                format_percent(r.share_of_b),
            ]
            for r in self.regions[:_SHOWN]
        ]
        title = (
            f"Where {a} and {b} differ (ADCO {format_number(self.adco)}, cosine "
            f"{format_number(self.cosine)})"
        )
        return TextTable(["clusters", "feature", "bin", a, b], rows, title, frozenset(range(3)))


def compare_profiles(
    a: DensityProfile, b: DensityProfile, *, names: tuple[str, str] = ("a", "b")
) -> ProfileComparison:
    """Compare where two clusterings are dense; they may be of different objects.

    Parameters
    ----------
    a, b : DensityProfile
        Two profiles with the same binning.
    names : tuple of two str, default=("a", "b")
        What to call the clusterings.

    Returns
    -------
    ProfileComparison
        Matched clusters, what each feature adds to the similarity, and the regions that
        differ most.

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
    return ProfileComparison(a, b, names)
