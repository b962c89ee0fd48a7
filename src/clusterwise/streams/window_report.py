"""What is reported of each window of a stream, beside those before it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TableRepr, TextTable, format_number, format_percent
from clusterwise.inputs.encoding import name_list
from clusterwise.measures._profile_products import products
from clusterwise.measures.density import adco_score, profile_cosine_score
from clusterwise.streams.drift import Change, change_between
from clusterwise.summaries.contingency.assignment import best_matching
from clusterwise.summaries.contingency.cells import DenseCells
from clusterwise.summaries.profile.profile import DensityProfile

Size = Literal["as-is", "cosine", "sample"]
Names = Literal["kept", "fresh"]

# Matched clusters whose profiles are less alike (cosine) are two different ones.
_SAME_CLUSTER = 0.5


class WindowMatch(NamedTuple):
    """A cluster of the window before and one of this window, and how much they say.

    ``share`` is the part of the clusterings' similarity that this pair brings; ``cosine`` tells
    how alike the two are whatever their sizes.
    """

    before: Any
    now: Any
    share: float
    cosine: float


class Span(NamedTuple):
    """The number of a window, and the positions of its first object and of the one after it."""

    number: int
    start: int
    stop: int


@dataclass(frozen=True, repr=False)
class WindowReport(TableRepr):
    """What one window of a stream is like, beside those before it.

    Attributes
    ----------
    index, start, stop : int
        Number of the window; it holds the objects from position ``start`` to before ``stop``.
    sizes : dict
        Objects in each cluster.
    similarity : float or None
        To the window one step before; None for the first.
    reference_similarity : float or None
        To the reference; None for the window that becomes the reference.
    births, deaths : tuple
        Clusters that the window one step before did not have, and those that it alone had.
    matches : tuple of Match
        Which cluster of the window one step before goes with which of this one.
    change : Change or None
        The test against as many objects right before the window; None where there are too few.
    reference_change : Change or None
        The test against the reference; None where they share objects, or objects have weights.
    outside : dict
        Values outside of the range that the binning was fitted on, by feature.
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
        """Number of objects."""
        return self.stop - self.start

    @property
    def drift(self) -> bool:
        """Whether the window differs from the objects before it by more than chance."""
        return self.change is not None and self.change.significant

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        changes = {"change": self.change, "reference_change": self.reference_change}
        return {
            "index": self.index,
            "start": self.start,
            "stop": self.stop,
            "objects": self.n,
            "similarity": self.similarity,
            "reference_similarity": self.reference_similarity,
            "drift": self.drift,
            "sizes": [{"cluster": name, "objects": n} for name, n in self.sizes.items()],
            "births": list(self.births),
            "deaths": list(self.deaths),
            "matches": [match._asdict() for match in self.matches],
            **{name: None if one is None else asdict(one) for name, one in changes.items()},
            "outside": self.outside,
        }

    def text_table(self) -> TextTable:
        """A line per fact."""
        rows = [
            ["clusters", ", ".join(f"{name}: {n}" for name, n in self.sizes.items())],
            ["similarity to the window before", optional(self.similarity)],
            ["similarity to the reference", optional(self.reference_similarity)],
            ["births", listed(self.births)],
            ["deaths", listed(self.deaths)],
            [
                "matches",
                listed(f"{m.before} → {m.now} ({format_percent(m.share)})" for m in self.matches),
            ],
            ["drift", _verdict(self.change)],
            ["change from the reference", _verdict(self.reference_change)],
            ["values out of range", listed(f"{name}: {n}" for name, n in self.outside.items())],
        ]
        title = f"Window {self.index}: objects {self.start} … {self.stop - 1}"
        return TextTable(["", ""], rows, title, left=frozenset({0, 1}))


@dataclass(frozen=True)
class WindowRule:
    """How windows are compared; see :class:`clusterwise.ClusteringStream`."""

    size: Size
    names: Names
    alpha: float
    seed: int

    def __post_init__(self) -> None:
        for option, value, known in (
            ("size", self.size, get_args(Size)),
            ("names", self.names, get_args(Names)),
        ):
            if value not in known:
                choice = ", ".join(map(repr, known[:-1])) + f" or {known[-1]!r}"
                raise InputError(f"{option}={value!r} is unknown; use {choice}.")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha={self.alpha!r} is no rate; pass a number between 0 and 1.")

    def report(
        self,
        span: Span,
        now: DensityProfile,
        *,
        previous: DensityProfile | None,
        before: DensityProfile | None,
        reference: DensityProfile | None,
        reference_is_apart: bool,
    ) -> WindowReport:
        """Compare a window with the one a step before, the objects before it and the reference."""
        ours = name_list(now.names)
        theirs = [] if previous is None else name_list(previous.names)
        matches = () if previous is None else _matches(previous, now)
        if self.names == "kept":
            lost, found = set(ours), set(theirs)
        else:
            close = [match for match in matches if match.cosine >= _SAME_CLUSTER]
            lost, found = {match.before for match in close}, {match.now for match in close}
        return WindowReport(
            *span,
            sizes=dict(zip(ours, now.sizes.tolist(), strict=True)),
            similarity=self._similarity(previous, now, span.number),
            reference_similarity=self._similarity(reference, now, span.number),
            births=tuple(name for name in ours if name not in found) if previous else (),
            deaths=tuple(name for name in theirs if name not in lost),
            matches=matches,
            change=self._change(before, now),
            reference_change=self._change(reference, now) if reference_is_apart else None,
            outside=now.outside,
        )

    def _similarity(
        self, other: DensityProfile | None, now: DensityProfile, index: int
    ) -> float | None:
        if other is None:
            return None
        if self.size == "cosine":
            return profile_cosine_score(other, now)
        if self.size == "sample":
            return adco_score(other, now, size="sample", random_state=[self.seed, index])
        return adco_score(other, now)

    def _change(self, other: DensityProfile | None, now: DensityProfile) -> Change | None:
        if other is None or other.counts.dtype.kind == "f":
            return None
        return change_between(other, now, alpha=self.alpha, by_cluster=self.names == "kept")


def optional(value: float | None) -> str:
    """A number as people read it, or a dash."""
    return "–" if value is None else format_number(value)


def listed(names: Iterable[Any]) -> str:
    """Names one after the other, or a dash."""
    return ", ".join(map(str, names)) or "–"


def _verdict(change: Change | None) -> str:
    if change is None:
        return "–"
    found = f"p = {change.p_value:.3g}, alpha = {change.alpha:g}"
    return f"yes, in {change.feature} ({found})" if change.significant else f"no ({found})"


def _matches(before: DensityProfile, now: DensityProfile) -> tuple[WindowMatch, ...]:
    """The pairs that the similarity comes from, the largest share first."""
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
    return tuple(sorted(map(WindowMatch, *parts), key=lambda match: -match.share))
