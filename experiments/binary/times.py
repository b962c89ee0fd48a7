"""Figs. 3 to 6: the time of ICS and ECS, by pairs of objects and by bit vectors."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

from clusterwise._utils.progress import track
from experiments.binary.published import FIGURE_6, MEMBERS
from experiments.binary.timing import (
    BITS,
    ECS,
    ICS,
    LEAST,
    MATRIX,
    OURS,
    PAIRS,
    Case,
    Timings,
    time_case,
)
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

# Numbers of objects that only our implementation is run with.
_LARGE, _LARGEST = (100_000, MEMBERS), (1_000_000, MEMBERS)
_WARM_UP = (500, 5)
# Times vary, so "much faster" is a large factor; exponents are of the memory read, which is exact.
_FASTER = 10.0
_CONSTANT, _QUADRATIC = 0.1, 1.9
_OUT_OF_LINE = 1.5
_COUNTED = ("with the matrix, without packing", "with the matrix and packing", "without either")


def run_figure6(setup: Setup) -> Outcome:
    """Run all cases of Fig. 6, and larger ones with our implementation."""
    return time_cases(setup, list(FIGURE_6), [_LARGE, _LARGEST] if setup.full else [_LARGE])


def time_cases(setup: Setup, cases: Sequence[Case], large: Sequence[Case]) -> Outcome:
    """Time cases with all implementations, and large ones with ours."""
    time_case(_WARM_UP, [0])  # compiles, so that compilation is not timed
    every = [*cases, *large]
    found = {
        case: time_case(case, range(setup.seeds), whole=case in cases)
        for case in track(every, len(every), "times", setup.progress)
    }
    both = {case: found[case] for case in cases}
    times = Table(
        "Milliseconds of the processor",
        ("objects", "clusterings", "way", "step"),
        list(chain.from_iterable(_lines(case, timed) for case, timed in found.items())),
    )
    speeds = Table(
        "Speed-up over the conventional implementation",
        ("objects", "clusterings", "way", "counted"),
        list(chain.from_iterable(_speeds(case, timed) for case, timed in both.items())),
        digits=1,
    )
    read = Table(
        "Memory read for ICS and ECS: cells of the matrix, or words of 64 bits",
        ("objects", "clusterings", "way"),
        [
            Line((*_names(case), way), count)
            for case, timed in both.items()
            for way, count in timed.read.items()
        ],
        digits=0,
    )
    return Outcome([times, speeds, read], judge_times(both), _remarks())


def judge_times(found: Mapping[Case, Timings]) -> list[Claim]:
    """Check the claims on times, for the binary method as printed."""
    speeds = [find_speeds(timed, BITS)[0] for timed in found.values()]
    printed = [(one.matrix + one.conventional) / one.binary for one in FIGURE_6.values()]
    pairs, bits = (find_powers(found, way) for way in (PAIRS, BITS))
    return [
        Claim(
            f"The binary method is much faster (more than {_FASTER:.0f} times).",
            sum(speed > _FASTER for speed in speeds),
            len(speeds),
            f"{min(speeds):,.0f} to {max(speeds):,.0f} times faster by our times, "
            f"{min(printed):,.1f} to "
            f"{max(printed):,.1f} by the published ones.",
        ),
        Claim(
            "Both give the same ICS and ECS.",
            sum(timed.agree for timed in found.values()),
            len(found),
        ),
        Claim(
            "The conventional method is quadratic in the number of objects.",
            int(pairs.read > _QUADRATIC),
            1,
            f"The number of cells read grows with exponent {pairs}.",
        ),
        Claim(
            "The cost of the binary method depends only on the numbers of clusters.",
            int(bits.read < _CONSTANT),
            1,
            f"The length of the bit vectors is the number of objects: the number of words read "
            f"grows with exponent {bits}.",
        ),
    ]


class Exponents(NamedTuple):
    """Exponents of the growth with the number of objects: memory read, time, published time."""

    read: float
    time: float
    printed: float

    def __str__(self) -> str:
        return f"{self.read:.1f} (time: {self.time:.1f}, published {self.printed:.1f})"


def find_powers(found: Mapping[Case, Timings], way: str) -> Exponents:
    """Return the exponents of an implementation for the largest number of clusterings."""
    some = {n: timed for (n, m), timed in found.items() if m == MEMBERS}
    fig6 = {n: one for (n, m), one in FIGURE_6.items() if m == MEMBERS}
    return Exponents(
        find_power({n: timed.read[way] for n, timed in some.items()}),
        find_power({n: timed.judging(way) for n, timed in some.items()}),
        find_power(
            {n: one.conventional if way == PAIRS else one.binary for n, one in fig6.items()}
        ),
    )


def find_speeds(timed: Timings, way: str) -> tuple[float, float, float]:
    """Return the speed-ups: as in Fig. 6, with packing, and for the similarities only."""
    slow, fast = timed.judging(PAIRS), timed.judging(way)
    whole = timed.matrix + slow
    return whole / fast, whole / (timed.packing + fast), slow / fast


def find_power(times: Mapping[int, float]) -> float:
    """Return the exponent of growth from the smallest size to the largest."""
    small, large = min(times), max(times)
    return log(times[large] / times[small]) / log(large / small)


def expect_matrix(n: int) -> float:
    """Return the published time of the matrix, extrapolated from 50 and 100 to 10 clusterings."""
    half, whole = FIGURE_6[n, 50].matrix, FIGURE_6[n, 100].matrix
    return half - (whole - half) * 40 / 50


def _lines(case: Case, timed: Timings) -> Iterator[Line]:
    printed = _printed_steps(case)
    for (way, step), took in timed.steps.items():
        remark = ""
        if (way, step) == (PAIRS, MATRIX) and case in FIGURE_6 and case[1] == 10:
            factor = FIGURE_6[case].matrix / expect_matrix(case[0])
            if factor > _OUT_OF_LINE:
                remark = f"published {factor:.1f} times what 50 and 100 clusterings suggest"
        yield Line((*_names(case), way, step), took, printed.get((way, step)), remark)


def _printed_steps(case: Case) -> dict[tuple[str, str], float]:
    if case not in FIGURE_6:
        return {}
    one = FIGURE_6[case]
    return {
        (PAIRS, MATRIX): one.matrix,
        (PAIRS, ICS): one.ics_conventional,
        (PAIRS, ECS): one.ecs_conventional,
        (BITS, ICS): one.ics_binary,
        (BITS, ECS): one.ecs_binary,
    }


def _speeds(case: Case, timed: Timings) -> Iterator[Line]:
    printed: dict[str, float] = {}
    if case in FIGURE_6:
        one = FIGURE_6[case]
        printed = {
            _COUNTED[0]: (one.matrix + one.conventional) / one.binary,
            _COUNTED[2]: one.conventional / one.binary,
        }
    for way in (BITS, OURS):
        for counted, ratio in zip(_COUNTED, find_speeds(timed, way), strict=True):
            published = printed.get(counted) if way == BITS else None
            yield Line((*_names(case), way, counted), ratio, published)


def _names(case: Case) -> tuple[str, str]:
    return f"{case[0]:,}", str(case[1])


def _remarks() -> tuple[str, ...]:
    alone = [one.conventional / one.binary for one in FIGURE_6.values()]
    return (
        "Published times are those of a Java program on a computer of 2009, so only ratios can be "
        f"compared. Each step is repeated for {LEAST} s of processor time, and the mean is "
        "reported. The matrix is computed row by row with NumPy.",
        "The paper's ratios include the matrix, which is computed once for all candidates. Without "
        f"it the published times are {min(alone):.0f} to {max(alone):.0f} times as fast; the time "
        "of packing bits, which is also done once, is not published.",
        "In the published times ICS takes a third of the time of ECS from the matrix, which "
        "fits each pair of objects being counted once in Eq. 3, not twice as printed.",
    )


FIGURE6 = Experiment(
    "binary-fig6",
    "Time of ICS and ECS, by pairs of objects and by bit vectors",
    "Figs. 3 to 6, sec. 5",
    run_figure6,
)
