"""Every measure, with what it promises: the tests hold it to these promises."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from importlib import import_module
from math import inf, log
from typing import Any, Literal, overload

from clusterwise._utils.arguments import suggest_keywords
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.tables import TableRepr, TextTable

# Upper ends of ranges that depend on the number of objects.
UPPER_ENDS: dict[str, Callable[[float], float]] = {
    "1": lambda _: 1.0,
    "log n": lambda n: log(n) if n else 0.0,
    "n(n-1)": lambda n: n * (n - 1),
    "n": lambda n: n,
    "2n": lambda n: 2 * n,
    "∞": lambda _: inf,
}


@dataclass(frozen=True)
class Measure:
    """One measure of the catalogue.

    ``metric`` promises the triangle inequality (of the measure itself, if it is a
    distance); ``identity`` says when two clusterings that are equal but for names get
    the best value: ``"always"``, or the exception.
    """

    name: str
    family: Literal["pairs", "information", "matching", "transport", "density"]
    meaning: str
    direction: Literal["similarity", "distance"] = "similarity"
    low: float = 0.0
    high: str = "1"
    metric: bool = False
    symmetric: bool = True
    adjusted: bool = False
    identity: str = "always"
    soft: bool = False
    noise: bool = True
    weights: Literal["any", "whole"] = "any"
    needs_data: bool = False
    cost: str = "n"
    reference: str = ""

    @property
    def function(self) -> Callable[..., float]:
        """The public function."""
        module = import_module(f"clusterwise.measures.{self.family}")
        function: Callable[..., float] = getattr(module, self.name)
        return function

    def upper_end(self, n: float) -> float:
        """The largest value for n objects."""
        return UPPER_ENDS[self.high](n)

    @property
    def range(self) -> str:
        """The range as people write it."""
        if self.low == -inf:
            return f"≤ {self.high}"
        return f"{self.low:g} … {self.high}"


_ALL = (
    Measure(
        "rand_score", "pairs", "share of object pairs on which both agree",
        soft=True, reference="Rand 1971",
    ),
    Measure(
        "adjusted_rand_score", "pairs", "agreement on pairs, corrected for chance",
        low=-0.5, adjusted=True, soft=True, reference="Hubert and Arabie 1985",
    ),
    Measure(
        "pair_jaccard_score", "pairs", "pairs together in both, of those together in either",
        soft=True, reference="Ben-Hur et al. 2002",
    ),
    Measure(
        "fowlkes_mallows_score", "pairs", "geometric mean of pairwise precision and recall",
        identity="unless no pair is together", soft=True, reference="Fowlkes and Mallows 1983",
    ),
    Measure(
        "wallace_score", "pairs", "share of a's pairs that b keeps together",
        symmetric=False, soft=True, reference="Wallace 1983",
    ),
    Measure(
        "mirkin_distance", "pairs", "ordered pairs together in one clustering only",
        direction="distance", high="n(n-1)", metric=True, soft=True, reference="Mirkin 1996",
    ),
    Measure(
        "mutual_info_score", "information", "information that both share, in nats",
        high="log n", identity="the entropy is the best value", soft=True,
        reference="Cover and Thomas 2006",
    ),
    Measure(
        "normalized_mutual_info_score", "information", "shared information, of the mean entropy",
        soft=True, reference="Vinh et al. 2010",
    ),
    Measure(
        "adjusted_mutual_info_score", "information", "shared information, corrected for chance",
        low=-inf, adjusted=True, weights="whole", cost="n + √(nKJ)", reference="Vinh et al. 2010",
    ),
    Measure(
        "variation_of_information", "information", "what neither tells of the other, in nats",
        direction="distance", high="log n", metric=True, soft=True, reference="Meilă 2007",
    ),
    Measure(
        "homogeneity_score", "information", "how nearly b's clusters hold one class of a",
        symmetric=False, soft=True, reference="Rosenberg and Hirschberg 2007",
    ),
    Measure(
        "completeness_score", "information", "how nearly a's classes end up in one cluster of b",
        symmetric=False, soft=True, reference="Rosenberg and Hirschberg 2007",
    ),
    Measure(
        "v_measure_score", "information", "harmonic mean of homogeneity and completeness",
        soft=True, reference="Rosenberg and Hirschberg 2007",
    ),
    Measure(
        "cluster_accuracy_score", "matching", "objects in matched clusters, one to one",
        cost="n + K³", reference="Meilă and Heckerman 2001",
    ),
    Measure(
        "clustering_error", "matching", "share of objects to move to get from one to the other",
        direction="distance", metric=True, cost="n + K³", reference="Meilă 2005",
    ),
    Measure(
        "van_dongen_distance", "matching", "objects outside each cluster's best overlap, both ways",
        direction="distance", high="2n", metric=True, reference="van Dongen 2000",
    ),
    Measure(
        "matching_f_score", "matching", "how well a's classes are found as clusters of b",
        symmetric=False, reference="Larsen and Aone 1999",
    ),
    Measure(
        "purity_score", "matching", "objects in the majority class of their cluster of b",
        symmetric=False, reference="Manning et al. 2008",
    ),
    Measure(
        "irm_score", "matching", "how alike clusters are that get credit for each other",
        soft=True, cost="n + KJ log KJ", reference="Rajasekhara and Pujari 2010",
    ),
    Measure(
        "mallows_distance", "transport", "how far memberships are apart, clusters matched",
        direction="distance", high="n", metric=True, soft=True, cost="n + K³; soft nKJ + K³",
        reference="Zhou, Li and Zha 2005",
    ),
    Measure(
        "css_distance", "transport", "moves between clusters, weighed by how far apart they are",
        direction="distance", high="∞", soft=True, needs_data=True, cost="nR + K³; soft nKJ + K³",
        reference="Zhou, Li and Zha 2005",
    ),
    Measure(
        "adco_score", "density", "how alike they are in where they are dense",
        needs_data=True, soft=True, cost="nR + K³", reference="Bae, Bailey and Dong 2010",
    ),
    Measure(
        "adco_distance", "density", "one minus that",
        direction="distance", needs_data=True, soft=True, cost="nR + K³",
        reference="Bae, Bailey and Dong 2010",
    ),
    Measure(
        "profile_cosine_score", "density", "the same, whatever the numbers of objects",
        needs_data=True, soft=True, cost="nR + K³", reference="Bae, Bailey and Dong 2010",
    ),
)  # fmt: skip

CATALOGUE: dict[str, Measure] = {measure.name: measure for measure in _ALL}
OF_LABELS = [measure.name for measure in _ALL if not measure.needs_data]


class MeasureTable(TableRepr, Sequence[Measure]):
    """The catalogue as a table: prints, iterates, converts."""

    def __init__(self, measures: Sequence[Measure]) -> None:
        self._measures = list(measures)

    @overload
    def __getitem__(self, index: int) -> Measure: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Measure]: ...
    def __getitem__(self, index: int | slice) -> Measure | Sequence[Measure]:
        return self._measures[index]

    def __len__(self) -> int:
        return len(self._measures)

    def __iter__(self) -> Iterator[Measure]:
        return iter(self._measures)

    def to_dict(self) -> list[dict[str, Any]]:
        """One plain dictionary per measure."""
        return [{**asdict(m), "low": None if m.low == -inf else m.low} for m in self._measures]

    def to_frame(self, library: str | None = None) -> Any:
        """A frame with a row per measure."""
        rows = self.to_dict()
        return to_frame({f.name: [row[f.name] for row in rows] for f in fields(Measure)}, library)

    def text_table(self) -> TextTable:
        """Name, family, range, laws and meaning, as texts."""
        rows = [
            [
                m.name,
                m.family,
                m.range,
                *map(_mark, (m.metric, m.symmetric, m.adjusted, m.soft)),
                m.meaning,
            ]
            for m in self._measures
        ]
        laws = ["metric", "symmetric", "adjusted", "soft"]
        header = ["measure", "family", "range", *laws, "meaning"]
        return TextTable(header, rows, left=frozenset(range(8)), spare=7)


@suggest_keywords
def list_measures() -> MeasureTable:
    """All measures, with their ranges and laws.

    Returns
    -------
    MeasureTable
        A sequence of :class:`Measure` that prints as a table.

    Examples
    --------
    Names of the distances that obey the triangle inequality:

    >>> from clusterwise import list_measures
    >>> [measure.name for measure in list_measures() if measure.metric]
    ['mirkin_distance', 'variation_of_information', 'clustering_error', 'van_dongen_distance',
     'mallows_distance']
    """
    return MeasureTable(_ALL)


def find_measure(name: str) -> Measure:
    """The measure of this name; unknown names get the closest ones suggested."""
    measure = CATALOGUE.get(name)
    if measure is None:
        close = get_close_matches(name, CATALOGUE, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else "see list_measures()."
        raise InputError(f"unknown measure {name!r}; {hint}")
    return measure


def _mark(yes: bool) -> str:
    return "yes" if yes else "–"
