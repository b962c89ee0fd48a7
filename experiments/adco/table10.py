"""Table 10: seconds to find one alternative, and two."""

from clusterwise._utils.progress import track
from experiments.adco.methods import (
    KIND_REMARK,
    KINDS,
    PUBLISHED,
    SETS,
    SEVERAL,
    SINGLE,
    find,
    load_case,
    name_sets,
)
from experiments.adco.published_alternatives import COLIC, TWO_ALTERNATIVES
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, Case
from experiments.common.published_maximus import OTHERS, SECONDS, published_seconds

ONE, TWO = "one", "two"
# By data set, kind, number of alternatives, and method.
Times = dict[tuple[str, str, str, str], float]
_MUCH, _MORE = 100, 10
_SMALLEST = "postoperative"
_REMARK = (
    "Our seconds are those of one run after compilation, with one BLAS thread; the published ones "
    "are from 2010, on an unspecified machine. The table omits Eucalyptus and Sonar."
)


def run(setup: Setup) -> Outcome:
    """Run everything once, after a run on the smallest data set to compile."""
    measure(load_case(setup, _SMALLEST))
    times: Times = {}
    sizes = {}
    for name in track(SETS, len(SETS), "data sets", setup.progress):
        case = load_case(setup, name)
        times |= measure(case)
        sizes[name] = (case.n, case.clusters)
    table = Table("Table 10, seconds", ("data set", "kind", "alternatives", "by"), _lines(times), 2)
    claims = [*make_claims(times), *print_claims(), size_claim(sizes)]
    return Outcome((table,), claims, (_REMARK, KIND_REMARK))


def measure(case: Case) -> Times:
    """Return the seconds of every method on one data set."""
    times: Times = {}
    for kind in KINDS:
        for method in SINGLE:
            times[case.name, kind, ONE, method] = find(case, method, kind, 0).seconds
        for method in SEVERAL:
            answer = find(case, method, kind, 0, n_alternatives=2, quality_floor=0.0)
            times[case.name, kind, TWO, method] = answer.seconds
    return times


def _lines(times: Times) -> list[Line]:
    lines = []
    for (name, kind, count, method), seconds in times.items():
        printed, remark = None, ""
        if kind == PUBLISHED:
            printed = _printed(name, count, method)
            if name == "colic" and count == ONE and method in COLIC:
                printed = COLIC[method]
                remark = "the number of " + ("objects" if method == "CIB" else "classes")
            elif name in _shorter() and method == "MAXIMUS" and count == TWO:
                remark = f"printed for one alternative: {SECONDS[name].maximus:g}"
        lines.append(Line((MAXIMUS_DATASETS[name], kind, count, method), seconds, printed, remark))
    return lines


def _printed(name: str, count: str, method: str) -> float | None:
    if count == TWO and method == "MAXIMUS":
        return TWO_ALTERNATIVES.get(name)
    return published_seconds(name, method)


def _shorter() -> list[str]:
    """Return the data sets with a smaller printed time for two alternatives than for one."""
    return [name for name, two in TWO_ALTERNATIVES.items() if two < SECONDS[name].maximus]


def make_claims(times: Times) -> list[Claim]:
    """Check the claims on the table with our seconds; the printed ones are in the reasons."""
    names = list(dict.fromkeys(name for name, *_ in times))

    def slower(method: str, factor: float) -> int:
        return sum(
            times[name, PUBLISHED, ONE, method] >= factor * times[name, PUBLISHED, ONE, "MAXIMUS"]
            for name in names
        )

    coala = sum(one.coala >= _MUCH * one.maximus for one in SECONDS.values())
    known = {name: one.cib for name, one in OTHERS.items() if one.cib is not None}
    cib = sum(value >= _MORE * SECONDS[name].maximus for name, value in known.items())
    total = sum(times[name, PUBLISHED, ONE, "COALA"] for name in names)
    return [
        Claim(
            f"COALA is at least {_MUCH} times as slow as MAXIMUS.",
            slower("COALA", _MUCH),
            len(names),
            f"By the printed times, on {coala} of {len(SECONDS)}. This depends on the "
            f"implementation: average linkage takes quadratic time, and the constraints one bit "
            f"test per pair. COALA takes {total:.0f} s here.",
        ),
        Claim(
            f"CIB is slow (at least {_MORE} times as slow as MAXIMUS).",
            slower("CIB", _MORE),
            len(names),
            f"By the printed times, on {cib} of {len(known)}. One iteration visits every object "
            f"once.",
        ),
    ]


def print_claims() -> list[Claim]:
    """Check the claims on the printed values."""
    fastest = [
        name
        for name, one in OTHERS.items()
        if one.condens is not None
        and one.condens < min(SECONDS[name].coala, SECONDS[name].maximus, one.cib or 0.0)
    ]
    known = [name for name, one in OTHERS.items() if one.condens is not None]
    shorter = _shorter()
    small = [name for name in known if name not in fastest]
    return [
        Claim(
            "CondEns is the fastest of the four (by the printed times).",
            len(fastest),
            len(known),
            f"Not on {name_sets(small)}." if small else "",
        ),
        Claim(
            "MAXIMUS takes longer for two alternatives than for one (by the printed times).",
            len(TWO_ALTERNATIVES) - len(shorter),
            len(TWO_ALTERNATIVES),
            "; ".join(
                f"{MAXIMUS_DATASETS[name]}: {TWO_ALTERNATIVES[name]:g} s for two and "
                f"{SECONDS[name].maximus:g} s for one, which is impossible."
                for name in shorter
            ),
        ),
    ]


def size_claim(cases: dict[str, tuple[int, int]]) -> Claim:
    """Check whether the printed values are seconds, not the numbers of objects and classes."""
    odd = [name for name, sizes in cases.items() if _first_two(name) == sizes]
    return Claim(
        "All entries of the table are seconds.",
        len(OTHERS) - len(odd),
        len(OTHERS),
        "; ".join(
            f"{MAXIMUS_DATASETS[name]}: CIB and CondEns have {cases[name][0]} and "
            f"{cases[name][1]}, the numbers of its objects and classes."
            for name in odd
        ),
    )


def _first_two(name: str) -> tuple[float | None, float | None]:
    if name == "colic":
        return COLIC["CIB"], COLIC["CondEns"]
    return (OTHERS[name].cib, OTHERS[name].condens) if name in OTHERS else (None, None)


TABLE10 = Experiment(
    "adco-table10",
    "Seconds to find one alternative and two",
    "Table 10, section 7.1",
    run,
    SETS,
)
