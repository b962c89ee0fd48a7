"""Extend the alternatives of a sample to all objects of a lazy frame."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.given import LEFT_OUT
from clusterwise.alternatives.lazy_frames.fit_rule import RuleFitter
from clusterwise.alternatives.lazy_frames.frame_sample import FrameSample
from clusterwise.alternatives.lazy_frames.label_rule import RuleInputs, label_rows
from clusterwise.alternatives.lazy_frames.predictor import ClusterPredictor
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.scoring import Scorer
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.features import read_features
from clusterwise.inputs.frames import integers, select_columns
from clusterwise.summaries.frames.scans import scan


class Extended(NamedTuple):
    """Alternatives and unconvincing attempts, with rules for all objects."""

    found: list[FoundClustering]
    unconvincing: list[FoundClustering]


def extend_alternatives(
    sample: FrameSample,
    problem: AlternativeProblem,
    scorer: Scorer,
    found: Sequence[FoundClustering],
    unconvincing: Sequence[FoundClustering],
) -> Extended:
    """Return the alternatives with a rule for all objects, and the sizes of their clusters.

    Labels and scores are those of the sample by the rule. The sizes of all objects are counted by
    the engine, in one scan for all alternatives; those of attempts only if there are no others.
    """
    fitter = RuleFitter(problem, read_features(sample.objects), sample.given, sample.left_out)
    fitted = [
        [_apply(fitter, sample, scorer, one) for one in several]
        for several in (found, unconvincing)
    ]
    counted = 0 if found else 1
    fitted[counted] = _count_clusters(sample, fitter.inputs, fitted[counted])
    return Extended(*fitted)


def _apply(
    fitter: RuleFitter, sample: FrameSample, scorer: Scorer, one: FoundClustering
) -> FoundClustering:
    """Return an alternative with its rule, and the labels and scores of the sample by it."""
    predictor = ClusterPredictor(fitter.inputs, fitter.fit(one.labels))
    new = scorer.describe(predictor.predict(sample.rows), one.method, one.parameters)
    return replace(
        one,
        labels=new.labels,
        quality=new.quality,
        dissimilarity=new.dissimilarity,
        dq=new.dq,
        sizes=new.sizes,
        effective_n_clusters=new.effective_n_clusters,
        degenerate=new.degenerate,
        predictor=predictor,
    )


def _count_clusters(
    sample: FrameSample, inputs: RuleInputs, found: Sequence[FoundClustering]
) -> list[FoundClustering]:
    """Return the alternatives with the sizes of their clusters of all objects."""
    rules = [one.predictor.rule for one in found if one.predictor is not None]
    if not rules:
        return []
    keys = [f"l{i}" for i in range(len(rules))]
    table = scan(
        sample.frame,
        select_columns(sample.frame, inputs.names),
        lambda some: label_rows(some, inputs, rules).frame.select(*keys),
        keys,
        {},
    )
    counts = integers(table.get_column("n"))
    extended = []
    for one, key in zip(found, keys, strict=True):
        labels = integers(table.get_column(key))
        kept = labels != LEFT_OUT
        sizes = describe_sizes(labels[kept], counts[kept].astype(np.float64))
        extended.append(
            replace(
                one,
                sizes=sizes.sizes,
                effective_n_clusters=sizes.effective,
                degenerate=sizes.degenerate,
            )
        )
    return extended
