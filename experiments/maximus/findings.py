"""The findings of the study of MAXIMUS, in sentences with computed numbers."""

from collections.abc import Iterator, Sequence
from statistics import mean

from experiments.common.published_maximus import SECONDS
from experiments.maximus.pareto import Point, count_unbeaten, pareto_front
from experiments.maximus.results import STAGES, SetResult
from experiments.maximus.scores import QUALITIES, Answer


def list_findings(studied: Sequence[SetResult]) -> Iterator[str]:
    """Yield the findings, each in one or two sentences."""
    yield _default(studied)
    for quality, name in QUALITIES.items():
        yield _front(studied, quality, name)
    yield _curve(studied)
    yield _degenerate(studied)
    yield _profiles(studied)
    yield _compare_assignments(studied)
    yield _binnings(studied)
    yield _times(studied)


def _of(studied: Sequence[SetResult]) -> str:
    return f"of {len(studied)} sets"


def _default(studied: Sequence[SetResult]) -> str:
    more = sum(one.sweep[0].dissimilarity >= one.methods["COALA"].dissimilarity for one in studied)
    dq = sum(one.sweep[0].dq >= one.methods["COALA"].dq for one in studied)
    won, lost = (
        ", ".join(str(sum(scored(STAGES[0], q, "COALA") for scored in verdicts)) for q in QUALITIES)
        for verdicts in ([one.wins for one in studied], [one.loses for one in studied])
    )
    return (
        f"The default answer of `objects` is at least as different as COALA's on {more} "
        f"{_of(studied)}, and has at least its DQ on {dq}. By GDI, centroids and silhouette it "
        f"wins on {won} and loses on {lost}; on the others each is ahead in one score."
    )


def _front(studied: Sequence[SetResult], quality: str, name: str) -> str:
    parts = []
    for against in ("COALA", "published"):
        missed = [one.title for one in studied if not one.wins(STAGES[-1], quality, against)]
        rest = f" (not {', '.join(missed)})" if missed else ""
        parts.append(f"{against} on {len(studied) - len(missed)}{rest}")
    many = sorted(len(one.sweep) for one in studied)
    return (
        f"By {name} some answer of `objects`, the best of {many[0]} to {many[-1]} against one, "
        f"wins against {' and against '.join(parts)} {_of(studied)}."
    )


def _curve(studied: Sequence[SetResult]) -> str:
    ours, theirs = [], []
    for quality, name in QUALITIES.items():
        both = [
            (one.points(STAGES[-1], quality), [answer.point(quality) for answer in one.curve])
            for one in studied
        ]
        theirs.append(
            f"{_count_dominated([(coala, objects) for objects, coala in both])} by {name}"
        )
        ours.append(f"{_count_dominated(both)} by {name}")
    return (
        f"Of the front of COALA's own thresholds, `objects` beats {', '.join(theirs)}; of the "
        f"front of `objects`, they beat {', '.join(ours)}."
    )


def _count_dominated(pairs: Sequence[tuple[Sequence[Point], Sequence[Point]]]) -> str:
    """Return how many points of the first fronts the second ones dominate."""
    whole = sum(len(pareto_front(points)) for points, _ in pairs)
    return f"{whole - sum(count_unbeaten(*pair) for pair in pairs)} of {whole}"


def _degenerate(studied: Sequence[SetResult]) -> str:
    ours = sum(answer.degenerate for one in studied for answer in one.sweep)
    of_coala = sum(answer.degenerate for one in studied for answer in one.curve)
    named = [
        f"{method} on {one.title}"
        for one in studied
        for method, answer in one.methods.items()
        if answer.degenerate
    ]
    return (
        f"Degenerate are {ours} of {sum(len(one.sweep) for one in studied)} answers of `objects` "
        f"and {of_coala} of {sum(len(one.curve) for one in studied)} of COALA, and among those of "
        f"the first table: {', '.join(named) or 'none'}."
    )


def _profiles(studied: Sequence[SetResult]) -> str:
    def mean_dq(method: str) -> float:
        return mean(one.methods[method].dq for one in studied)

    ahead = sum(one.methods["profile"].dq > one.methods["published"].dq for one in studied)
    means = ", ".join(f"{name} {mean_dq(name):.3f}" for name in studied[0].methods)
    return (
        f"Mean DQ: {means}. A profile of least inertia has a higher DQ than the published one on "
        f"{ahead} {_of(studied)}."
    )


def _compare_assignments(studied: Sequence[SetResult]) -> str:
    pairs = [
        (one.methods[program], greedy) for one in studied for program, greedy in one.greedy.items()
    ]
    better = sum(exact.dq > greedy.dq for exact, greedy in pairs)
    worse = sum(exact.dq < greedy.dq for exact, greedy in pairs)

    def seconds(answers: Sequence[Answer]) -> float:
        return sum(answer.found.seconds for answer in answers)

    exact, greedy = zip(*pairs, strict=True)
    return (
        f"The exact assignment has the higher DQ {better} times of {len(pairs)}, the "
        f"greedy one {worse} times; all of it takes {seconds(exact):.1f} s and "
        f"{seconds(greedy):.1f} s."
    )


def _binnings(studied: Sequence[SetResult]) -> str:
    ranges: dict[str, list[float]] = {}
    for one in studied:
        for program in {program for program, _ in one.binned}:
            scores = [answer.dq for (name, _), answer in one.binned.items() if name == program]
            if len(scores) > 1:
                ranges.setdefault(program, []).append(max(scores) - min(scores))
    if not ranges:
        return "No set here has numeric features."
    parts = [f"{mean(values):.3f} for {program}" for program, values in sorted(ranges.items())]
    return f"Between the three binnings DQ ranges over, on average, {', '.join(parts)}."


def _times(studied: Sequence[SetResult]) -> str:
    slowest = max(studied, key=lambda one: one.sweep[0].found.seconds)
    text = (
        f"The slowest default answer of `objects` took {slowest.sweep[0].found.seconds:.1f} s "
        f"({slowest.title})."
    )
    known = [one for one in studied if one.name in SECONDS]
    if known:
        faster = sum(one.sweep[0].found.seconds < SECONDS[one.name].maximus for one in known)
        text += f" On {faster} of {len(known)} sets that is less than MAXIMUS took in the paper."
    return text
