"""Whole figures: their sizes, which grow with what they show, and all words on them."""

# ruff: noqa: E501 (sentences as they are drawn)

import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import clusterwise as cw
from clusterwise import ClusteringStream
from clusterwise.alternatives.coala.merging import Merges
from clusterwise.plots import (
    AgreementDisplay,
    ClusteringMapDisplay,
    DendrogramDisplay,
    FlowDisplay,
    ProfileDisplay,
    ScatterPairDisplay,
    SimilarityDisplay,
    TimelineDisplay,
    TradeoffDisplay,
)


def flow(clusterings, clusters):
    labels = np.arange(clusters * 2) % clusters
    return FlowDisplay.from_clusterings([labels] * clusterings)


def profiles(features, clusters):
    labels = np.arange(clusters * 6) % clusters
    columns = {f"x{i}": np.arange(labels.size) * 1.0 for i in range(features)}
    data = cw.DensityProfile.from_data(pd.DataFrame(columns), labels, n_bins=3)
    return ProfileDisplay.from_profiles(data, data)


def timeline(windows):
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(20 * windows, 1)), np.arange(20 * windows) % 2
    return TimelineDisplay.from_stream(ClusteringStream(20), [(X, labels)])


def scatter():
    X = np.random.default_rng(0).normal(size=(20, 2))
    return ScatterPairDisplay.from_clusterings(np.arange(20) % 2, np.arange(20) % 3, X)


def agreement(clusters):
    labels = np.arange(clusters * 2) % clusters
    return AgreementDisplay.from_clusterings(labels, [labels, labels])


def dendrogram(objects, strips):
    pairs = np.array([(0 if i == 0 else objects + i - 1, i + 1) for i in range(objects - 1)])
    rising = np.arange(1.0, objects)
    merges = Merges(pairs, rising, np.zeros(objects - 1, bool), rising + 1)
    labels = np.arange(objects) % 2
    return DendrogramDisplay(merges, **dict.fromkeys(["labels", "given"][:strips], labels))


def similarity(clusterings):
    names = [str(i) for i in range(clusterings)]
    return SimilarityDisplay(np.eye(clusterings), names, "rand_score")


def contingency():
    return cw.compare([0, 0, 1, 1, 2], [0, 0, 1, 0, 1], names=("old", "new")).plot("contingency")


def consensus():
    ensemble = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]]
    return cw.consensus_matrix(ensemble, ["y", "y", "y", "x", "x", "x"]).plot()


def co_association():
    return cw.co_association_curve(
        [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 0]], random_state=0
    ).plot()


def tradeoff():
    names = ["coala", "cib", "meta"]
    return TradeoffDisplay([1.0, np.inf, 0.5], [0.5, 0.2, 0.1], names, front=[0, 1])


def clustering_map():
    runs = {f"run {i}": np.arange(12) // (i + 2) for i in range(4)}
    return ClusteringMapDisplay.from_matrix(cw.compare_all(runs))


@pytest.mark.parametrize(
    ("make", "shown", "size"),
    [
        (flow, (2, 2), (7.6, 3.2)),
        (flow, (3, 10), (10.0, 4.3)),
        (profiles, (1, 1), (6.5, 2.55)),
        (profiles, (3, 4), (8.1, 4.45)),
        (timeline, (3,), (7.5, 6.5)),
        (timeline, (50,), (10.0, 6.5)),
        (timeline, (90,), (13.0, 6.5)),
        (scatter, (), (9.6, 4.4)),
        (agreement, (2,), (7.5, 3.2)),
        (agreement, (10,), (7.5, 5.2)),
        (dendrogram, (5, 0), (6.5, 4.5)),
        (dendrogram, (30, 2), (8.3, 5.3)),
        (dendrogram, (90, 1), (13.26, 5.3)),
        (similarity, (3,), (5.6, 4.5)),
        (similarity, (10,), (7.2, 6.1)),
        (similarity, (40,), (13.0, 11.9)),
    ],
)
def test_size(make, shown, size):
    found = make(*shown).plot().figure_.get_size_inches()
    assert found == pytest.approx(size, abs=1e-9)


@pytest.mark.parametrize(
    ("make", "shown", "words"),
    [
        (
            flow,
            (2, 2),
            [
                "0 · 2",
                "1 · 2",
                "Heights are numbers of objects; bands have the colour of the cluster on their left.",
                "a 2 clusters",
                "b 2 clusters",
                "a → b: 100% of 4 objects stay in matched clusters",
            ],
        ),
        (
            profiles,
            (1, 2),
            [
                "0 → 0",
                "x0",
                "33%",
                "1 → 1",
                "Proportion of each cluster per bin; filled: a, line: b.",
                "a and b: matched clusters have equal profiles (ADCO 1.00)",
            ],
        ),
        (
            timeline,
            (4,),
            [
                "similarity",
                "4 windows: drift in 0, 0 births and 0 deaths of clusters; window 1 is least similar to the one before (0.67)",
                "to the window before",
                "to the reference",
                "drift",
                "births",
                "deaths",
                "window",
                "objects by cluster",
            ],
        ),
        (
            scatter,
            (),
            [
                "first principal component (79% of the variance)",
                "second principal component (21%)",
                "40% of 20 objects stay in matched clusters a: 2 clusters",
                "b: 3 clusters",
            ],
        ),
        (
            agreement,
            (3,),
            [
                "margin: co-association of an object with its own cluster, minus that with the nearest other one",
                "objects by cluster",
                "0 · 2",
                "1 · 2",
                "2 · 2",
                "0 of 6 objects (0%) are ambiguous",
            ],
        ),
        (
            dendrogram,
            (5, 2),
            [
                "distance of the merged clusters (never below an earlier merge)",
                "0 of 4 merges are dissimilar",
                "merge of the nearest clusters",
                "dissimilar merge",
                "alternative | given:",
                "0 | 0",
                "1 | 1",
                "objects",
                "alternative",
                "given",
            ],
        ),
        (
            similarity,
            (3,),
            [
                "Most similar of 3 clusterings: 0 and 1 (0.00) least similar: 1 and 2 (0.00)",
                "rand_score (higher is more similar)",
            ],
        ),
        (
            contingency,
            (),
            [
                "2 100%",
                "1 50%",
                "1 100%",
                "cluster of new · size",
                "0 · 3",
                "1 · 2",
                "cluster of old · size",
                "0 · 2",
                "2 · 1",
                "old against new: 60% of 5 objects in matched clusters (outlined)",
                "proportion of the row",
                "0%",
                "20%",
                "40%",
                "60%",
                "80%",
                "100%",
            ],
        ),
        (
            consensus,
            (),
            [
                "objects, in the same order",
                "objects, ordered by cluster",
                "y",
                "x",
                "6 objects in 2 clusters: mean co-association 78% within clusters, 22% across",
                "proportion of clusterings that group two objects",
            ],
        ),
        (
            co_association,
            (),
            [
                "co-association: proportion of clusterings that group a pair",
                "cumulative proportion of pairs",
                "67% of 6 pairs of objects are ambiguous (PAC): in one cluster in more than 10% and less than 90% of the clusterings; 67% by chance",
                "ambiguous",
                "pairs of objects",
            ],
        ),
        (
            tradeoff,
            (),
            [
                "DQ 0.15",
                "DQ 0.3",
                "DQ 0.45",
                "DQ 0.6",
                "DQ 0.75",
                "coala",
                "cib (∞)",
                "meta",
                "dissimilarity to the given clustering →",
                "quality →",
                "None of 3 clusterings is chosen; 0 are degenerate",
                "Pareto front",
                "on the front",
                "not on the front",
            ],
        ),
        (
            clustering_map,
            (),
            [
                "run 0",
                "run 1",
                "run 2",
                "run 3",
                "distance (1 − adjusted_rand_score); directions have no meaning",
                "distance",
                "4 clusterings: nearer is more similar the map shows 59% of the variance of the distances",
                "3 clusters",
                "6 clusters",
            ],
        ),
    ],
)
def test_words(make, shown, words):
    """All texts but the numbers at ticks, which matplotlib chooses."""
    figure = make(*shown).plot().figure_
    figure.canvas.draw()
    texts = dict.fromkeys(" ".join(text.get_text().split()) for text in figure.findobj(Text))
    assert [text for text in texts if text and not re.fullmatch("−?[0-9.]+", text)] == words
