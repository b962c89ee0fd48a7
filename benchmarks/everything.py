"""All measures of ``compare``, and one of them: they share one pass over the labels."""

from collections.abc import Sequence
from typing import Any

import clusterwise
from benchmarks.adjusted_rand import ours
from benchmarks.measuring import OURS, Entry, Function, disagreement, make_labels, race
from benchmarks.report import Report, count, milliseconds, power, times

ONE = f"{OURS}, one measure"
# Its expected value takes longer than all other measures together.
LEFT_OUT = "adjusted_mutual_info_score"
TARGETS = 3.0


def run(report: Report) -> None:
    everything = [one.name for one in clusterwise.list_measures() if not one.needs_data]
    most = [name for name in everything if name != LEFT_OUT]
    table = report.table(
        "compare and one adjusted_rand_score, int64 labels, one thread",
        {
            "labels": str,
            "n": power,
            "K": count,
            "one ms": milliseconds,
            f"{len(most)} measures ms": milliseconds,
            "to one": times,
            f"all {len(everything)} ms": milliseconds,
            "all to one": times,
        },
        [
            f"{len(most)} measures: all except {LEFT_OUT}.",
            "The optimal matching of unrelated labels takes longer to compute.",
            "At n = 10^6, K = 1,000 the contingency table has one cell per object: iterating over "
            "its cells for each family of measures costs as much as the pass over the objects.",
        ],
    )
    sizes = (1_000_000,) if report.quick else (1_000_000, 10_000_000)
    for n in sizes:
        for k in (10, 100, 1000):
            for kind, agreement in (("two thirds agree", 2 / 3), ("unrelated", 0.0)):
                report.step(f"{n:,} objects, {k:,} clusters, {kind}")
                a, b = make_labels(n, k, agreement=agreement)
                result = race(
                    {
                        ONE: Entry(ours(1), a, b),
                        OURS: Entry(_compare(most), a, b),
                        "everything": Entry(_compare(everything), a, b),
                    },
                    report.pace,
                )
                one, several, complete = (timed.milliseconds for timed in result.values())
                table.add(
                    kind, n, k, one, several, several / one, complete, complete / one,
                    difference=disagreement(result),
                )  # fmt: skip
                what = f"compare against one measure, n = {n:,}, K = {k:,}, {kind}"
                report.require_at_most(what, TARGETS, several / one)


def _compare(measures: Sequence[str]) -> Function:
    def function(a: Any, b: Any) -> float:
        with clusterwise.threads(1):
            values = clusterwise.compare(a, b, measures=measures).values
        return values["adjusted_rand_score"]

    return function
