"""Worked examples of the paper, and its statements on ADCO as a distance."""

import numpy as np

from clusterwise.inputs.binning.binning import Binning
from clusterwise.measures.density import adco_distance, adco_score, profile_cosine_score
from clusterwise.measures.pairs import rand_score
from clusterwise.summaries.profile.profile import DensityProfile
from experiments.common.experiment import Claim, Line, Table

_TRIPLES = 500
PRINTED_TRIPLE = ((3, 0, 0, 4), (3, 3, 0, 1), (1, 0, 2, 4))
OUR_TRIPLE = ((0, 1, 1, 5), (0, 0, 4, 3), (1, 1, 5, 0))


def profile_of(vectors: tuple[tuple[int, ...], ...], features: int = 1) -> DensityProfile:
    """Return the profile with these counts; no object is in two clusters."""
    bins = len(vectors[0]) // features
    counts = np.array(vectors).reshape(len(vectors), features, bins)
    columns = [
        np.concatenate([np.repeat(np.arange(bins), counts[k, i]) for k in range(len(vectors))])
        for i in range(features)
    ]
    labels = np.repeat(np.arange(len(vectors)), counts[:, 0].sum(axis=1))
    binning = Binning.from_edges({f"x{i}": range(bins + 1) for i in range(features)})
    return DensityProfile.from_data(np.column_stack(columns), labels, binning=binning)


def make_table() -> Table:
    """Return the worked examples of the text."""
    first = profile_of(((8, 0, 5, 3), (0, 6, 3, 3)), 2)
    second = profile_of(((5, 2, 2, 5), (3, 4, 6, 1)), 2)
    names = [["Bob"], ["Bob"], ["Alice"], ["Alice"]]
    here, there = [1, 2, 1, 2], [2, 1, 1, 2]
    small, large = profile_of(((1, 1),)), profile_of(((100, 100),))
    values = [
        ("Fig. 3", "ADCO", adco_score(first, second), 0.72),
        ("Bob and Alice", "ADCO", adco_score(here, there, names), 1.0),
        ("Bob and Alice", "RI", float(rand_score(here, there)), 0.33),
        ("(1, 1) and (100, 100)", "ADCO", adco_score(small, large), 0.01),
        ("(1, 1) and (100, 100)", "cosine", profile_cosine_score(small, large), 1.0),
    ]
    lines = [Line((what, name), ours, printed) for what, name, ours, printed in values]
    return Table("Examples of Sections 3.1, 3.4 and 3.5", ("example", "measure"), lines)


def make_claims() -> list[Claim]:
    """Check the statements on ADCO as a distance, and against the cosine."""
    rng = np.random.default_rng(0)
    triples = [
        [profile_of((tuple(vector),)) for vector in vectors]
        for vectors in rng.multinomial(7, [0.25] * 4, size=(_TRIPLES, 3)).tolist()
    ]
    excess = _excess([profile_of((vector,)) for vector in PRINTED_TRIPLE])
    ours = _excess([profile_of((vector,)) for vector in OUR_TRIPLE])
    kept = [_excess(triple, metric=True) <= 1e-12 for triple in triples]
    below = [
        adco_score(a, b) <= profile_cosine_score(a, b) + 1e-12
        for triple in triples
        for a, b in [triple[:2]]
    ]
    return [
        Claim(
            "1 - ADCO breaks the triangle inequality on the profiles (3, 0, 0, 4), (3, 3, 0, 1) "
            "and (1, 0, 2, 4).",
            int(excess > 0),
            1,
            f"The longest side is {-excess:.2f} shorter than the sum of the other two. The general "
            f"statement is right: {OUR_TRIPLE[0]}, {OUR_TRIPLE[1]} and {OUR_TRIPLE[2]} "
            f"violate it by {ours:.2f}.",
        ),
        Claim("2 - ADCO, set to 0 for equal profiles, satisfies it.", sum(kept), len(kept)),
        Claim("ADCO never exceeds the cosine of the profiles.", sum(below), len(below)),
    ]


def _excess(triple: list[DensityProfile], *, metric: bool = False) -> float:
    """Return the longest side minus the sum of the other two."""
    a, b, c = triple
    sides = sorted(adco_distance(*pair, metric=metric) for pair in ((a, b), (b, c), (a, c)))
    return sides[2] - sides[0] - sides[1]
