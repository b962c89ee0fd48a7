"""The catalogue of measures: their ranges, properties and meanings, which the tests verify."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from importlib import import_module
from math import inf, log
from typing import Any, Literal, overload

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.tables import TableRepr, TextTable

# Upper ends of ranges, as functions of the number of objects.
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

    Clusterings that are equal up to labels have the best value according to ``identity``:
    ``"always"``, or the exception.
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
        """Return the largest value for n objects."""
        return UPPER_ENDS[self.high](n)

    @property
    def range(self) -> str:
        """The range as text."""
        if self.low == -inf:
            return f"≤ {self.high}"
        return f"{self.low:g} … {self.high}"


_ALL = (
    Measure(
        "rand_score", "pairs", "proportion of object pairs on which both agree",
        soft=True, reference="Rand 1971",
    ),
    Measure(
        "adjusted_rand_score", "pairs", "Rand index adjusted for chance",
        low=-0.5, adjusted=True, soft=True, reference="Hubert and Arabie 1985",
    ),
    Measure(
        "pair_jaccard_score", "pairs", "Jaccard index of the pairs within clusters",
        soft=True, reference="Ben-Hur et al. 2002",
    ),
    Measure(
        "fowlkes_mallows_score", "pairs", "geometric mean of pairwise precision and recall",
        identity="unless no pair is within a cluster", soft=True,
        reference="Fowlkes and Mallows 1983",
    ),
    Measure(
        "wallace_score", "pairs", "proportion of a's pairs that are within clusters of b",
        symmetric=False, soft=True, reference="Wallace 1983",
    ),
    Measure(
        "mirkin_distance", "pairs", "number of ordered pairs on which both disagree",
        direction="distance", high="n(n-1)", metric=True, soft=True, reference="Mirkin 1996",
    ),
    Measure(
        "mutual_info_score", "information", "mutual information, in nats",
        high="log n", identity="the entropy is the best value", soft=True,
        reference="Cover and Thomas 2006",
    ),
    Measure(
        "normalized_mutual_info_score", "information",
        "mutual information divided by the mean entropy", soft=True, reference="Vinh et al. 2010",
    ),
    Measure(
        "adjusted_mutual_info_score", "information", "mutual information adjusted for chance",
        low=-inf, adjusted=True, weights="whole", cost="n + √(nKJ)", reference="Vinh et al. 2010",
    ),
    Measure(
        "variation_of_information", "information", "sum of both conditional entropies, in nats",
        direction="distance", high="log n", metric=True, soft=True, reference="Meilă 2007",
    ),
    Measure(
        "homogeneity_score", "information", "whether each cluster of b is in one class of a",
        symmetric=False, soft=True, reference="Rosenberg and Hirschberg 2007",
    ),
    Measure(
        "completeness_score", "information", "whether each class of a is in one cluster of b",
        symmetric=False, soft=True, reference="Rosenberg and Hirschberg 2007",
    ),
    Measure(
        "v_measure_score", "information", "harmonic mean of homogeneity and completeness",
        soft=True, reference="Rosenberg and Hirschberg 2007",
    ),
    Measure(
        "cluster_accuracy_score", "matching", "proportion of objects in matched clusters",
        cost="n + K³", reference="Meilă and Heckerman 2001",
    ),
    Measure(
        "clustering_error", "matching", "1 − cluster_accuracy_score",
        direction="distance", metric=True, cost="n + K³", reference="Meilă 2005",
    ),
    Measure(
        "van_dongen_distance", "matching", "objects outside the clusters' largest overlaps",
        direction="distance", high="2n", metric=True, reference="van Dongen 2000",
    ),
    Measure(
        "matching_f_score", "matching", "mean best F-score of a's classes",
        symmetric=False, reference="Larsen and Aone 1999",
    ),
    Measure(
        "purity_score", "matching", "proportion of objects in the majority class of their cluster",
        symmetric=False, reference="Manning et al. 2008",
    ),
    Measure(
        "irm_score", "matching", "mean similarity of greedily matched clusters",
        soft=True, cost="n + KJ log KJ", reference="Rajasekhara and Pujari 2010",
    ),
    Measure(
        "mallows_distance", "transport", "transport distance of memberships",
        direction="distance", high="n", metric=True, soft=True, cost="n + K³; soft nKJ + K³",
        reference="Zhou, Li and Zha 2005",
    ),
    Measure(
        "css_distance", "transport", "moves weighted by the distance of cluster centroids",
        direction="distance", high="∞", soft=True, needs_data=True, cost="nR + K³; soft nKJ + K³",
        reference="Zhou, Li and Zha 2005",
    ),
    Measure(
        "adco_score", "density", "similarity of density profiles",
        needs_data=True, soft=True, cost="nR + K³", reference="Bae, Bailey and Dong 2010",
    ),
    Measure(
        "adco_distance", "density", "1 − adco_score",
        direction="distance", needs_data=True, soft=True, cost="nR + K³",
        reference="Bae, Bailey and Dong 2010",
    ),
    Measure(
        "profile_cosine_score", "density", "cosine of density profiles",
        needs_data=True, soft=True, cost="nR + K³", reference="Bae, Bailey and Dong 2010",
    ),
)  # fmt: skip

CATALOGUE: dict[str, Measure] = {measure.name: measure for measure in _ALL}
OF_LABELS = [measure.name for measure in _ALL if not measure.needs_data]


class MeasureTable(TableRepr, Sequence[Measure]):
    """The catalogue as a sequence that prints as a table."""

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
        """Return a dictionary per measure."""
        return [{**asdict(m), "low": None if m.low == -inf else m.low} for m in self._measures]

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per measure."""
        rows = self.to_dict()
        return to_frame({f.name: [row[f.name] for row in rows] for f in fields(Measure)}, library)

    def text_table(self) -> TextTable:
        """Return name, family, range, properties and meaning as text."""
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
        properties = ["metric", "symmetric", "adjusted", "soft"]
        header = ["measure", "family", "range", *properties, "meaning"]
        return TextTable(header, rows, left=frozenset(range(8)), spare=7)


@check_arguments
def list_measures() -> MeasureTable:
    """List all measures, with their ranges and properties.

    Returns
    -------
    MeasureTable
        A sequence of :class:`Measure` that prints as a table.

    Examples
    --------
    The distances that are metrics:

    >>> from clusterwise import list_measures
    >>> [measure.name for measure in list_measures() if measure.metric]
    ['mirkin_distance', 'variation_of_information', 'clustering_error', 'van_dongen_distance',
     'mallows_distance']
    """
    return MeasureTable(_ALL)


def find_measure(name: str, parameter: str = "measure") -> Measure:
    """Return the measure of this name; suggest the nearest names for an unknown one."""
    measure = CATALOGUE.get(name)
    if measure is None:
        close = get_close_matches(name, CATALOGUE, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else "see list_measures()."
        raise InputError(f"unknown {parameter} {name!r}; {hint}")
    return measure


def _mark(yes: bool) -> str:
    return "yes" if yes else "–"
