"""Table 1: three partitions of eight objects."""

from collections.abc import Iterator
from math import isclose

from clusterwise.measures.catalogue import find_measure
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from experiments.irm.published import INDICES, P1, P2, P3, TABLE_1

_REMARKS = {
    ("Rand", 1): "2 of 28 pairs differ: 26/28",
    ("NMI", 0): "1/(2n) of it by the printed formula",
    ("NMI", 1): "1/(2n) of it by the printed formula",
}
_FORMULA = "NMI, formula as printed"
_PAIRS = ("P1, P2", "P1, P3")
Values = dict[str, tuple[float, float]]


def run_table1(_: Setup) -> Outcome:
    """Compute all indices of P1 with P2 and with P3."""
    values: Values = {name: (_index(name, P1, P2), _index(name, P1, P3)) for name in TABLE_1}
    lowest = find_lowest(4)
    table = Table("Similarity of partitions", ("index", "pair"), list(_lines(values)), digits=4)
    return Outcome(
        [table, _table_of_lowest(lowest)],
        judge_table1(values, lowest),
        (
            "By the printed formula, NMI is 1/(2n) of the standard one. This gives the second "
            "printed value (1/18) but not the first one (5/84, printed 5/66).",
        ),
    )


def find_lowest(n: int) -> dict[str, float]:
    """Return the lowest AR and NMI of any two partitions of n objects."""
    every = list(_partitions(n))
    return {name: min(_index(name, a, b) for a in every for b in every) for name in ("AR", "NMI")}


def judge_table1(values: Values, lowest: dict[str, float]) -> list[Claim]:
    """Check the claims on the example."""
    alike = [name for name in ("Jaccard", "Wallace", "AR") if isclose(*values[name], rel_tol=1e-9)]
    listed = ", ".join(
        f"{name} is {values[name][0]:.4g} and {values[name][1]:.4g}, also in the paper."
        for name in ("Jaccard", "Wallace", "AR")
        if name not in alike
    )
    negative = [name for name, value in lowest.items() if value < -1e-12]
    return [
        Claim("By IRM, P1 is more similar to P2 than to P3.", _falls(values["IRM"])),
        Claim(
            "By Jaccard, Wallace and AR, P2 and P3 are equally far from P1.", len(alike), 3, listed
        ),
        Claim("Rand distinguishes P2 from P3.", _falls(values["Rand"])),
        Claim(
            "AR and NMI can be negative.",
            len(negative),
            2,
            ""
            if len(negative) == 2
            else "Mutual information is never negative, and neither is NMI.",
        ),
    ]


def _falls(pair: tuple[float, float]) -> int:
    return int(pair[0] > pair[1])


def _lines(values: Values) -> Iterator[Line]:
    for name, printed in TABLE_1.items():
        for i, pair in enumerate(_PAIRS):
            remark = _REMARKS.get((name, i), "")
            yield Line((name, pair), values[name][i], printed[i], remark)
    for i, pair in enumerate(_PAIRS):
        ours = values["NMI"][i] / (2 * len(P1))
        remark = (
            "" if isclose(ours, TABLE_1["NMI"][i], abs_tol=1e-4) else "not reached by it either"
        )
        yield Line((_FORMULA, pair), ours, TABLE_1["NMI"][i], remark)


def _table_of_lowest(lowest: dict[str, float]) -> Table:
    lines = [Line((name,), value) for name, value in lowest.items()]
    return Table("Lowest value of any two partitions of four objects", ("index",), lines, digits=4)


def _index(name: str, a: tuple[int, ...], b: tuple[int, ...]) -> float:
    return find_measure(INDICES[name]).function(a, b)


def _partitions(n: int) -> Iterator[tuple[int, ...]]:
    """Return all partitions of n objects as restricted growth strings."""
    if n == 0:
        yield ()
        return
    for start in _partitions(n - 1):
        for label in range(max(start, default=-1) + 2):
            yield (*start, label)


TABLE1 = Experiment(
    "irm-table1", "Three partitions of eight objects", "Table 1, sec. 3", run_table1
)
