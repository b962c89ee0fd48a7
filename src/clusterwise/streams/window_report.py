"""Reports of the windows of a stream, compared with the windows before them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import Result
from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_list,
    format_number,
    format_percent,
)
from clusterwise.inputs.encoding import name_list
from clusterwise.measures._profile_products import products
from clusterwise.measures.density import adco_score, profile_cosine_score
from clusterwise.streams.drift import Change, change_between
from clusterwise.streams.drift_cells import SIZES
from clusterwise.streams.window_counts import WindowCounts
from clusterwise.summaries.contingency.assignment import best_matching
from clusterwise.summaries.contingency.cells import DenseCells
from clusterwise.summaries.profile.profile import DensityProfile

Size = Literal["as-is", "cosine", "sample"]
Names = Literal["kept", "fresh"]

# Matched clusters whose profiles have a smaller cosine are considered different.
_MIN_COSINE = 0.5


class WindowMatch(NamedTuple):
    """A cluster of the previous window that is matched with one of this window.

    ``contribution`` is the proportion of the similarity of the clusterings that this pair
    contributes; ``cosine`` is the cosine of their profiles, which does not depend on sizes.
    """

    before: Any
    now: Any
    contribution: float
    cosine: float


class Span(NamedTuple):
    """The number of a window, the position of its first object, and that after its last one."""

    number: int
    start: int
    stop: int


@dataclass(frozen=True, repr=False)
class WindowReport(Result):
    """One window of a stream, compared with the previous window and with the reference.

    Attributes
    ----------
    index, start, stop : int
        The number of the window; it contains the objects from position ``start`` up to but not
        including ``stop``.
    sizes : dict
        The number of objects in each cluster.
    similarity : float or None
        The similarity to the window one step before; None for the first window.
    reference_similarity : float or None
        The similarity to the reference; None for the window that becomes the reference.
    births, deaths : tuple
        Clusters of this window only, and clusters of the window one step before only.
    matches : tuple of WindowMatch
        The matching of the clusters of the window one step before with those of this window.
    change : Change or None
        The test against the same number of objects right before the window; None if there are too
        few.
    reference_change : Change or None
        The test against the reference; None if they have objects in common, or objects have
        weights.
    outside : dict
        The number of values outside the range on which the binning was fitted, by feature.
    """

    index: int
    start: int
    stop: int
    sizes: dict[Any, int]
    similarity: float | None
    reference_similarity: float | None
    births: tuple[Any, ...]
    deaths: tuple[Any, ...]
    matches: tuple[WindowMatch, ...]
    change: Change | None
    reference_change: Change | None
    outside: dict[str, int]

    @property
    def n(self) -> int:
        """The number of objects."""
        return self.stop - self.start

    @property
    def drift(self) -> bool:
        """Whether the window differs significantly from the objects before it."""
        return self.change is not None and self.change.significant

    def _sentences(self) -> list[str]:
        """Describe the window and how it differs from those before it."""
        sentences = [
            f"Window {self.index} has {format_count(self.n, 'object')} "
            f"({self.start:,} to {self.stop - 1:,}) in {format_count(len(self.sizes), 'cluster')}."
        ]
        if self.similarity is not None:
            sentences.append(f"Its similarity to the previous window is {self.similarity:.2f}.")
        if self.births:
            sentences.append(f"New: {', '.join(map(str, self.births))}.")
        if self.deaths:
            sentences.append(f"Gone: {', '.join(map(str, self.deaths))}.")
        tests = {"the objects before it": self.change, "the reference": self.reference_change}
        for other, change in tests.items():
            if change is not None:
                sentences.append(_describe_change(change, other))
        untested = _untested(self.change, self.reference_change)
        if untested:
            sentences.append(f"Not tested, because the values are too rare: {untested}.")
        if self.outside:
            counts = ", ".join(f"{name}: {n}" for name, n in self.outside.items())
            sentences.append(f"Values outside the range of the binning: {counts}.")
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain Python values, ready for JSON."""
        changes = {"change": self.change, "reference_change": self.reference_change}
        return {
            "index": self.index,
            "start": self.start,
            "stop": self.stop,
            "objects": self.n,
            "similarity": self.similarity,
            "reference_similarity": self.reference_similarity,
            "drift": self.drift,
            "sizes": [{"cluster": _plain(name), "objects": n} for name, n in self.sizes.items()],
            "births": list(map(_plain, self.births)),
            "deaths": list(map(_plain, self.deaths)),
            "matches": [
                {**one._asdict(), "before": _plain(one.before), "now": _plain(one.now)}
                for one in self.matches
            ],
            **{name: None if one is None else one.to_dict() for name, one in changes.items()},
            "outside": self.outside,
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per cluster: its size, and its match in the previous window.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the first one that is installed.
        """
        matched = {match.now: match for match in self.matches}
        rows = [matched.get(name) for name in self.sizes]
        columns = {
            "window": [self.index] * len(rows),
            "cluster": list(self.sizes),
            "objects": list(self.sizes.values()),
            "birth": [name in self.births for name in self.sizes],
            "before": [None if one is None else one.before for one in rows],
            "contribution": [None if one is None else one.contribution for one in rows],
            "cosine": [None if one is None else one.cosine for one in rows],
        }
        return to_frame(columns, library)

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Plot the window; :meth:`clusterwise.ClusteringStream.plot` plots several.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            Options of :class:`clusterwise.plots.TimelineDisplay`.

        Returns
        -------
        TimelineDisplay
        """
        return load_display("TimelineDisplay")([self], **options).plot(ax=ax)

    def text_table(self) -> TextTable:
        """Return the report as a table with a row per value."""
        rows = [
            ["clusters", ", ".join(f"{name}: {n}" for name, n in self.sizes.items())],
            ["similarity to the previous window", format_optional(self.similarity)],
            ["similarity to the reference", format_optional(self.reference_similarity)],
            ["births", join_names(self.births)],
            ["deaths", join_names(self.deaths)],
            [
                "matches",
                join_names(
                    f"{m.before} → {m.now} ({format_percent(m.contribution)})" for m in self.matches
                ),
            ],
            ["drift", _verdict(self.change)],
            ["change from the reference", _verdict(self.reference_change)],
            ["not tested (values too rare)", _untested(self.change, self.reference_change) or "–"],
            ["values out of range", join_names(f"{name}: {n}" for name, n in self.outside.items())],
        ]
        title = f"Window {self.index}: objects {self.start:,} … {self.stop - 1:,}"
        return TextTable(["", ""], rows, title, left=frozenset({0, 1}))


@dataclass(frozen=True)
class WindowRule:
    """The options by which windows are compared; see :class:`clusterwise.ClusteringStream`."""

    size: Size
    names: Names
    alpha: float
    seed: int

    def report(
        self,
        span: Span,
        now: WindowCounts,
        *,
        previous: WindowCounts | None,
        before: WindowCounts | None,
        reference: WindowCounts | None,
        reference_is_disjoint: bool,
        bins_fitted_before: bool,
    ) -> WindowReport:
        """Compare a window with the previous one, the objects before it and the reference.

        ``bins_fitted_before``: the bins may have been fitted on some of the objects before it.
        """
        names = name_list(now.profile.names)
        old_names = [] if previous is None else name_list(previous.profile.names)
        matches = () if previous is None else _matches(previous.profile, now.profile)
        if self.names == "kept":
            surviving, known = set(names), set(old_names)
        else:
            close = [match for match in matches if match.cosine >= _MIN_COSINE]
            surviving, known = {match.before for match in close}, {match.now for match in close}
        return WindowReport(
            *span,
            sizes=dict(zip(names, now.profile.sizes.tolist(), strict=True)),
            similarity=self._similarity(previous, now, span.number),
            reference_similarity=self._similarity(reference, now, span.number),
            births=tuple(name for name in names if name not in known) if previous else (),
            deaths=tuple(name for name in old_names if name not in surviving),
            matches=matches,
            change=self._change(before, now, fitted=bins_fitted_before),
            reference_change=(
                self._change(reference, now, fitted=True) if reference_is_disjoint else None
            ),
            outside=now.profile.outside,
        )

    def _similarity(
        self, other: WindowCounts | None, now: WindowCounts, index: int
    ) -> float | None:
        if other is None:
            return None
        profiles = other.profile, now.profile
        if self.size == "cosine":
            return profile_cosine_score(*profiles)
        if self.size == "sample":
            random = np.random.default_rng([self.seed, index])
            return adco_score(*profiles, size="sample", random_state=random)
        return adco_score(*profiles)

    def _change(
        self, other: WindowCounts | None, now: WindowCounts, *, fitted: bool
    ) -> Change | None:
        if other is None or other.profile.counts.dtype.kind == "f":
            return None
        return change_between(
            other,
            now,
            alpha=self.alpha,
            by_cluster=self.names == "kept",
            features_by_cluster=not (fitted and now.profile.binning.method == "mdl"),
        )


def format_optional(value: float | None) -> str:
    """Format a number, or None as a dash."""
    return "–" if value is None else format_number(value)


def join_names(names: Iterable[Any]) -> str:
    """Join names with commas; a dash if there are none."""
    return ", ".join(map(str, names)) or "–"


def _plain(name: Any) -> Any:
    """Return a label as a type of JSON, if necessary as a string."""
    return name if isinstance(name, str | int | float | bool) or name is None else str(name)


def say_change(change: Change) -> str:
    """Say what changed most: a feature, and in which clusters, or the sizes of the clusters."""
    if change.feature == SIZES:
        return "the sizes of the clusters changed most"
    if not change.clusters:
        return f"{change.feature} changed most"
    noun = "cluster" if len(change.clusters) == 1 else "clusters"
    return f"{change.feature} changed most, in {noun} {format_list(change.clusters)}"


def _describe_change(change: Change, other: str) -> str:
    if not change.tested and change.untested:
        return f"It has too few objects to be tested against {other}."
    verb = "differs" if change.significant else "does not differ"
    what = f": {say_change(change)}" if change.significant else ""
    return f"It {verb} significantly from {other} (p = {change.p_value:.2g}){what}."


def _untested(*changes: Change | None) -> str:
    """List the features that were not tested, of the tests that were made."""
    made = [change for change in changes if change is not None and change.tested]
    names = dict.fromkeys(name for change in made for name in change.untested)
    return format_list(list(names)) if names else ""


def _verdict(change: Change | None) -> str:
    if change is None:
        return "–"
    if not change.tested and change.untested:
        return "not tested: too few objects"
    found = f"p = {change.p_value:.3g}, alpha = {change.alpha:g}"
    return f"yes, {say_change(change)} ({found})" if change.significant else f"no ({found})"


def _matches(before: DensityProfile, now: DensityProfile) -> tuple[WindowMatch, ...]:
    """Return the matched pairs of clusters, the largest contribution first."""
    found = products(before, now)
    best = best_matching(DenseCells(found.cross))
    if not best.rows.size:
        return ()
    cosines = best.overlaps / np.sqrt(found.own_a[best.rows] * found.own_b[best.columns])
    parts = (
        [name_list(before.names)[k] for k in best.rows],
        [name_list(now.names)[j] for j in best.columns],
        (best.overlaps / best.overlap).tolist(),
        np.minimum(cosines, 1.0).tolist(),
    )
    return tuple(sorted(map(WindowMatch, *parts), key=lambda match: -match.contribution))
