"""The study of all methods as tables and sentences, all computed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clusterwise._utils.tables import TextTable
from experiments.alternatives.methods import AUTO
from experiments.alternatives.peers import NRKMEANS
from experiments.alternatives.recovery import Comparison, Outcome, Row, compare_all
from experiments.common.maximus_datasets import MAXIMUS_DATASETS
from experiments.common.published_maximus import published_seconds

_TITLE = """# All methods for alternative clusterings

Written by `python -m experiments.alternatives --seeds {seeds} --contests {contests}
--markdown docs/results/alternatives.md`. All methods of `cluster_again` run with its guard against
small clusters and with their defaults. `auto` is the first clustering of the front that it returns;
`auto, not refined` is the same with `refine=False`. Seconds are those of the whole call, including
the scoring of the result. Features are not scaled (`scale=False`): all of them have the same unit.
`whiten` and `project and k-means` are `OrthogonalAlternative`, the
latter with `approach="project"` and `explained_variance=1.0`. `k-means` is scikit-learn's with ten
restarts; it does not see the given clustering and is the baseline. DQ is the harmonic mean of
dissimilarity (1 - the Jaccard index of pairs with the given clustering) and quality (Dunn index by
centroids)."""
_PEERS = """\
NrKmeans (ten restarts), Orth1 and Orth2 are ClustPy's. They do not see the given clustering
either, but get the number of clusters of every planted clustering. Of the clusterings they return,
the one with the highest NMI with the given clustering is dropped; the first of the others
counts."""
# Verdicts by the difference in standard errors.
_CLOSE = {"within one error": 1.0, "within two errors": 2.0}
_NO_PEERS = "ClustPy is not installed: its NrKmeans, Orth1 and Orth2 are missing here."
_PLANTED = """## Planted data: is the hidden clustering found?

Each data set has two or three independent clusterings with K clusters each. One is given. The
values are the mean NMI with the hidden one, or with the more similar one if two are hidden."""
_SUMMARY = """## Over all settings

Means over all settings that a method applies to, and over their seeds."""
_VERDICT = """## auto and the best single method

The best of NrKmeans, Orth1, Orth2 and project and k-means is chosen for each setting, after the
fact and by its mean NMI, which favours it. The error is the standard error of the paired difference
over the seeds. `Bayes` is the Bayes classifier: it knows all centres, category probabilities,
cluster proportions and the noise, and predicts the most probable cluster of each object (the first
one if several are equally probable, which happens with categorical features). No method that
assumes independent clusterings can expect a lower error rate; a higher NMI is luck, or errors that
NMI punishes less (it is larger if all objects between two clusters go to the same one). With and
without rotation, the data sets with three clusterings differ by a rotation only, so they are no
independent evidence for methods that are invariant to rotation."""
_INDEPENDENT = """## Independent clusterings without a balanced design

Above, every combination of planted clusters occurs exactly as often as the cluster sizes imply, as
in a balanced experimental design. The refinement can detect and use that, so it can exceed the
Bayes classifier. Here every object draws its clusters at random (`crossed=False`); all else is the
same."""
_REAL = """## The data sets of the MAXIMUS paper

The classes are the given clustering, and the alternative has as many clusters. Numeric features are
standardised, categorical ones are one-hot encoded. There is no hidden clustering to recover: DQ and
its parts score the alternatives. The paper's seconds (Table 10) are those of its own programs, in
2010; for MetaClusterer they are for two alternatives. Every method runs once, with one seed. `auto`
chooses by other measures (canonical quality and adjusted mutual information), not by this DQ."""
# DQs that differ by less are equal.
_SAME = 1e-3
# Limits in seconds on Mushroom.
LIMITS = {"CIB": 60.0, "CondEns": 10.0, "MetaClusterer": 120.0}


class Study(NamedTuple):
    """Results of the study.

    ``rows`` have all methods on ``seeds`` data sets of every setting; ``crossed`` and
    ``independent`` only the portfolio and the references, on ``contests`` data sets. ``real`` is by
    data set and method; ``footprints`` are bytes by method on ``objects`` objects.
    """

    seeds: int
    contests: int
    methods: Sequence[str]
    rows: Sequence[Row]
    crossed: Sequence[Row]
    independent: Sequence[Row]
    real: Mapping[str, Mapping[str, Outcome]]
    footprints: Mapping[str, int]
    objects: int = 0


def list_sections(study: Study) -> Iterator[str | TextTable]:
    """Return the texts and tables of the page, in order."""
    methods = study.methods
    yield _TITLE.format(seeds=study.seeds, contests=study.contests)
    yield _PEERS if NRKMEANS in methods else _NO_PEERS
    yield f"{_PLANTED} Seeds per setting: {study.seeds}."
    yield show_recovered(study.rows, methods)
    yield _SUMMARY
    if study.footprints:
        yield (
            f"Memory is the peak resident memory during one call minus that before it, in MB, for "
            f"{study.objects:,} objects of the setting overlapping, K = 3; memory that was used "
            "and freed before is not counted."
        )
    yield show_summary(study, methods)
    for words, rows in ((_VERDICT, study.crossed), (_INDEPENDENT, study.independent)):
        yield f"{words} Seeds per setting: {study.contests}."
        comparisons = compare_all(rows)
        yield show_comparisons(comparisons)
        lines = list_verdicts(comparisons)
        if rows is study.crossed:
            lines += [*list_fewer(study.rows, study.seeds), *list_times(study.rows)]
        yield "\n".join(f"- {line}" for line in lines)
    if study.real:
        yield _REAL
        yield show_real(study.real)
        yield "\n".join(f"- {line}" for line in list_limits(study.real))


def show_recovered(rows: Sequence[Row], methods: Sequence[str]) -> TextTable:
    """Return the mean NMI by setting and method."""
    lines = []
    for row in rows:
        means = [_mean(row, name, "nmi") for name in methods]
        lines.append([row.setting.name, str(row.setting.clusterings[0]), *means])
    return TextTable(["setting", "K", *methods], lines)


def show_summary(study: Study, methods: Sequence[str]) -> TextTable:
    """Return means over all settings, by method."""
    header = ["method", "NMI", "ARI", "least NMI", "DQ", "seconds", "refusals", "memory"]
    lines = []
    for name in methods:
        mine = [row for row in study.rows if name in row.outcomes]
        nmi, ari, dq, seconds = (
            float(np.mean([row.mean(name, what) for row in mine]))
            for what in ("nmi", "ari", "dq", "seconds")
        )
        least = min(row.mean(name, "nmi") for row in mine)
        refused = sum(int(row.values(name, "refused").sum()) for row in mine)
        used = study.footprints.get(name)
        lines.append(
            [
                name,
                *(f"{value:.3f}" for value in (nmi, ari, least, dq, seconds)),
                str(refused),
                "" if used is None else f"{used / 1e6:.1f}",
            ]
        )
    return TextTable(header, lines)


def show_comparisons(comparisons: Sequence[Comparison]) -> TextTable:
    """Compare the portfolio with the best reference, by setting."""
    header = [
        *("setting", "best of the others", "its NMI", "not refined", "auto", "Bayes"),
        *("difference", "error", "verdict"),
    ]
    lines = [
        [
            one.title,
            one.best,
            f"{one.other:.3f}",
            f"{one.unrefined:.3f}",
            f"{one.auto:.3f}",
            f"{one.bayes:.3f}",
            f"{one.difference:+.4f}",
            f"{one.error:.4f}",
            _judge(one),
        ]
        for one in comparisons
    ]
    return TextTable(header, lines, left=frozenset({0, 1, 8}))


def _judge(one: Comparison) -> str:
    if one.as_good:
        return "at least as good"
    return next((words for words, errors in _CLOSE.items() if one.within(errors)), "worse")


def list_verdicts(comparisons: Sequence[Comparison]) -> list[str]:
    """Count settings by verdict."""
    total = len(comparisons)
    close = [one.title for one in comparisons if one.within(1) and not one.as_good]
    chance = [one.title for one in comparisons if one.within(2) and not one.within(1)]
    worse = [one.title for one in comparisons if not one.within(2)]
    lucky = [one.title for one in comparisons if one.bayes < one.other and not one.as_good]
    slight = [one.title for one in comparisons if 0 < one.difference < one.error]
    gained = np.mean([one.auto - one.unrefined for one in comparisons])
    return [
        f"auto is at least as good on {sum(one.as_good for one in comparisons)} of {total} "
        "settings.",
        f"It is better by less than one standard error, which may be chance, on {_name(slight)}.",
        f"It is worse by no more than one standard error on {_name(close)}.",
        f"It is worse by one to two standard errors on {_name(chance)}.",
        f"It is worse by more than two standard errors on {_name(worse)}.",
        f"Of these, the Bayes classifier is worse than the best of the others too on "
        f"{_name(lucky)}.",
        f"Refinement gains {gained:.4f} on average.",
    ]


def list_fewer(rows: Sequence[Row], seeds: int) -> list[str]:
    """Count settings on the data sets of the first table."""
    comparisons = compare_all(rows)
    if not comparisons:
        return []
    below = [one.title for one in comparisons if not one.as_good]
    return [
        f"On the {seeds} seeds of the first table alone it is at least as good on "
        f"{len(comparisons) - len(below)} of {len(comparisons)} settings, and worse on "
        f"{_name(below)}."
    ]


def list_times(rows: Sequence[Row]) -> list[str]:
    """Compare the seconds of auto and NrKmeans."""
    timed = [row for row in rows if NRKMEANS in row.outcomes]
    if not timed:
        return []
    pairs = [(row.mean(AUTO, "seconds"), row.mean(NRKMEANS, "seconds")) for row in timed]
    slower = [
        row.setting.title
        for row, (ours, theirs) in zip(timed, pairs, strict=True)
        if ours >= theirs
    ]
    ours, theirs = np.mean(pairs, axis=0)
    where = f"It is not faster on {_name(slower)}." if slower else "It is faster on all settings."
    return [f"auto takes {ours:.3f} s on average, NrKmeans {theirs:.3f} s. {where}"]


def _name(titles: Sequence[str]) -> str:
    return f"{len(titles)}: {'; '.join(titles)}" if titles else "none"


def show_real(real: Mapping[str, Mapping[str, Outcome]]) -> TextTable:
    """Return DQ, its parts and seconds, by data set and method."""
    header = ["set", "method", "DQ", "dissimilarity", "quality", "seconds", "paper's seconds"]
    lines = []
    for name, outcomes in real.items():
        for i, (method, one) in enumerate(outcomes.items()):
            values = (
                ["refused", "", ""]
                if one.refused
                else [f"{value:.3f}" for value in (one.dq, one.dissimilarity, one.quality)]
            )
            printed = published_seconds(name, method)
            lines.append(
                [
                    "" if i else MAXIMUS_DATASETS[name],
                    method,
                    *values,
                    f"{one.seconds:.2f}",
                    "" if printed is None else f"{printed:g}",
                ]
            )
    return TextTable(header, lines, left=frozenset({0, 1}))


def list_limits(real: Mapping[str, Mapping[str, Outcome]]) -> list[str]:
    """State whether methods keep their time limits, and which have the largest DQ."""
    lines = []
    for method, limit in LIMITS.items():
        if "mushroom" in real:
            seconds = real["mushroom"][method].seconds
            kept = "kept" if seconds < limit else "not kept"
            lines.append(f"{method} on Mushroom: {seconds:.2f} s, limit {limit:g} s {kept}.")
    alone: Counter[str] = Counter()
    shared = 0
    for outcomes in real.values():
        sound = {name: one.dq for name, one in outcomes.items() if not one.refused}
        best = [name for name, dq in sound.items() if dq >= max(sound.values()) - _SAME]
        if len(best) == 1:
            alone.update(best)
        shared += len(best) > 1
    ranked = sorted(alone.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{name} on {count}" for name, count in ranked) or "none"
    lines.append(
        f"The largest DQ of all, alone, to 0.001: {shown}; several methods share it on {shared}."
    )
    return lines


def _mean(row: Row, name: str, what: str) -> str:
    return f"{row.mean(name, what):.3f}" if name in row.outcomes else ""
