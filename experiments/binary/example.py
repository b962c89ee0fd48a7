"""Figs. 1 and 2 with Example 4.1: eight objects, and the equations on them."""

from math import isclose

import numpy as np

from clusterwise.consensus.phi.objective import inter_cluster_similarity, intra_cluster_similarity
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.ensemble.packed import pack_ensemble
from experiments.binary.implementations import (
    count_votes,
    inter_by_bits,
    inter_from_votes,
    intra_by_bits,
    intra_from_votes,
    pack_candidate,
)
from experiments.binary.published import CANDIDATE, ENSEMBLE, SHARED
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

_PRINTED, _ONCE = "Eq. 3, as printed", "Eq. 3, each pair once"
_ORDERED = (
    "Eq. 3 as printed counts each pair twice, and each object with itself: it is twice Eq. 6 plus "
    "the number of clusterings divided by each cluster's size."
)


def run_example(_: Setup) -> Outcome:
    """Compute the counts of the example, and ICS and ECS by every equation."""
    ensemble, labels = np.array(ENSEMBLE).T, np.array(CANDIDATE)
    table = EnsembleTable.from_labels(labels, ensemble)
    intra, inter = find_values(ensemble, labels)
    counts = [
        Line((f"C*{k}", f"C{i}{j}"), _shared(table, k, i, j), printed)
        for (k, i, j), printed in SHARED.items()
    ]
    values = [
        Line((measure, way), value, None, _remark(way))
        for measure, some in (("ICS", intra), ("ECS", inter))
        for way, value in some.items()
    ]
    return Outcome(
        [
            Table("Objects that clusters share", ("cluster", "with"), counts, digits=0),
            Table("ICS and ECS of Fig. 2", ("measure", "by"), values, digits=4),
        ],
        judge_example(intra, inter),
        (
            "The paper prints no ICS or ECS. A sentence of its sec. 4 swaps the equations: Eqs. 6 "
            "and 7 are the efficient ones.",
        ),
    )


def find_values(ensemble: Array, labels: Array) -> tuple[dict[str, float], dict[str, float]]:
    """Return ICS and ECS by each equation."""
    votes, packed = count_votes(ensemble), pack_ensemble(ensemble)
    bits = pack_candidate(labels)
    intra = {
        _PRINTED: intra_from_votes(votes, labels, ordered=True),
        _ONCE: intra_from_votes(votes, labels),
        "Eq. 6": intra_by_bits(packed.words, bits),
        "ours": intra_cluster_similarity(labels, packed),
    }
    inter = {
        "Eq. 4": inter_from_votes(votes, labels),
        "Eq. 7": inter_by_bits(packed.words, bits),
        "ours": inter_cluster_similarity(labels, packed),
    }
    return intra, inter


def judge_example(intra: dict[str, float], inter: dict[str, float]) -> list[Claim]:
    """Check the equations that the paper calls equivalent."""
    printed, once = (isclose(intra[way], intra["Eq. 6"]) for way in (_PRINTED, _ONCE))
    same = isclose(inter["Eq. 4"], inter["Eq. 7"])
    once_note = " With each pair counted once they are equal." if once else ""
    return [
        Claim(
            "Eqs. 6 and 7 give the same values as Eqs. 3 and 4.",
            int(printed) + int(same),
            2,
            "" if printed else f"{_ORDERED}{once_note}",
        )
    ]


def _shared(table: EnsembleTable, cluster: int, clustering: int, other: int) -> float:
    """Return the number of common objects; empty clusters have no column."""
    names = table.column_names[clustering - 1].tolist()
    if other not in names:
        return 0.0
    column = int(np.flatnonzero(table.owners == clustering - 1)[0]) + names.index(other)
    return float(table.counts[table.row_names.tolist().index(cluster), column])


def _remark(way: str) -> str:
    return "pairs twice, and objects with themselves" if way == _PRINTED else ""


EXAMPLE = Experiment(
    "binary-example", "Eight objects, all equations", "Figs. 1 and 2, sec. 4", run_example
)
