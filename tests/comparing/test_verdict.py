"""The sentences: the stories as a statistician would tell them, and every number in them."""

import re
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

from clusterwise import compare
from clusterwise._utils.tables import format_amount, format_share
from clusterwise.comparing.verdict import AGREEMENT, UNRELATED, agreement_words
from reference.changes import crosstab


def objects(*cells):
    """Labels of both clusterings from (label of a, label of b, number of objects)."""
    a = [x for x, _, n in cells for _ in range(n)]
    b = [y for _, y, n in cells for _ in range(n)]
    return a, b


STORIES = {
    "nothing changed": (
        objects((0, 0, 5), (1, 1, 5)),
        "a and b are the same clustering.",
    ),
    "other numbers": (
        objects((0, 1, 5), (1, 0, 5)),
        "a and b are the same clustering, up to the names of the clusters.",
    ),
    "renamed": (
        objects(("gold", "A", 5), ("basic", "B", 5)),
        "a and b are the same clustering, up to the names of the clusters.",
    ),
    "names swapped": (
        objects(("gold", "silver", 5), ("silver", "gold", 5), ("basic", "basic", 9)),
        'a and b are the same clustering, but the names have changed meaning: "gold" is now called '
        '"silver" and "silver" is now called "gold".',
    ),
    "two runs that agree": (
        objects(("barolo", 2, 59), ("grignolino", 0, 65), ("grignolino", 1, 3),
                ("grignolino", 2, 3), ("barbera", 1, 48)),
        "a and b agree well (adjusted Rand index 0.90; 0 is chance, 1 is identical). 172 of 178 "
        "objects (97%) are in matching clusters. 6 objects moved: 3 from grignolino to 1 and 3 "
        "from grignolino to 2.",
    ),
    "the same numbers are other clusters": (
        objects((0, 1, 50), (1, 0, 48), (1, 1, 2)),
        "a and b agree well (adjusted Rand index 0.92; 0 is chance, 1 is identical). 98 of 100 "
        "objects (98%) are in matching clusters. 2 objects moved from cluster 1 of a to cluster 1 "
        "of b.",
    ),
    "a number that is another cluster": (
        objects((1, 1, 190), (1, 2, 10), (2, 3, 300), (3, 2, 300)),
        "a and b are almost the same (adjusted Rand index 0.97; 0 is chance, 1 is identical). 790 "
        "of 800 objects (99%) are in matching clusters. 10 objects moved from cluster 1 of a to "
        "cluster 2 of b.",
    ),
    "the same numbers are the same clusters": (
        objects((0, 0, 50), (0, 1, 2), (1, 1, 50), (1, 2, 3), (2, 2, 50)),
        "a and b agree well (adjusted Rand index 0.91; 0 is chance, 1 is identical). 150 of 155 "
        "objects (97%) are in matching clusters. 5 objects moved: 3 from 1 to 2 and 2 from 0 to 1.",
    ),
    "the same segments a year later": (
        objects(("gold", "gold", 190), ("gold", "silver", 10), ("silver", "silver", 252),
                ("silver", "basic", 48), ("basic", "basic", 370), ("basic", "silver", 96),
                ("basic", "gold", 34)),
        "a and b agree moderately (adjusted Rand index 0.49; 0 is chance, 1 is identical). "
        "Matched by name, 812 of 1,000 objects (81%) stay: basic 74%, silver 84% and gold 95%. "
        "188 objects moved; the largest group: 96 from basic to silver.",
    ),
    "names that changed meaning": (
        objects(("gold", "silver", 30), ("gold", "gold", 20), ("silver", "gold", 50),
                ("basic", "basic", 100)),
        "a and b agree well (adjusted Rand index 0.83; 0 is chance, 1 is identical). Matched by "
        "name, 120 of 200 objects (60%) stay: basic 100%, gold 40% and silver 0%. 80 objects "
        "moved: 50 from silver to gold and 30 from gold to silver. The names seem to have changed"
        ' meaning: most of "gold" is now called "silver" (60%) and "silver" is now called "gold" '
        '(100%). If they only number the clusters of two runs, compare with match="overlap"; by '
        "overlap, 90% of the objects stay.",
    ),
    "names changed meaning for a few": (
        objects(("gold", "silver", 5), ("gold", "gold", 2), ("silver", "gold", 6),
                ("silver", "silver", 1), ("basic", "basic", 186)),
        "a and b are almost the same (adjusted Rand index 0.99; 0 is chance, 1 is identical). a "
        "puts 93% of the objects in one cluster. b puts 93% of the objects in one cluster. Matched "
        "by name, 189 of 200 objects (94%) stay: basic 100%, gold 29% and silver 14%. 11 objects "
        "moved: 6 from silver to gold and 5 from gold to silver.",
    ),
    "a segment got another name": (
        objects(("gold", "gold", 20), ("silver", "silver", 50), ("basic", "standard", 90),
                ("basic", "silver", 10)),
        "a and b agree well (adjusted Rand index 0.80; 0 is chance, 1 is identical). Matched by "
        "name, and others by overlap, 160 of 170 objects (94%) stay: basic 90%, silver 100% and "
        "gold 100%. 10 objects moved from basic to silver. 90% of basic is now in standard.",
    ),
    "a split": (
        objects((0, 0, 30), (0, 2, 30), (1, 1, 50)),
        "a and b agree well (adjusted Rand index 0.70; 0 is chance, 1 is identical). Cluster 0 (60 "
        "objects) split into 0 (30) and 2 (30). Everything else is unchanged. b is a refinement of "
        "a: each cluster of b lies inside one of a.",
    ),
    "a merge, and something new": (
        objects((2, 2, 75), (4, 4, 90), (6, 6, 94), (3, 5, 98), (3, 2, 2), (7, 5, 95), (7, 4, 5),
                (2, 9, 25), (4, 9, 10), (6, 9, 6)),
        "a and b agree moderately (adjusted Rand index 0.67; 0 is chance, 1 is identical). 357 of"
        " 500 objects (71%) are in matching clusters. 7 objects moved: 5 from 7 to 4 and 2 from 3"
        " to 2. Clusters 3 and 7 merged into 5 (98% and 95% of their objects). Cluster 9 of b is "
        "new: its 41 objects come from 2 (25), 4 (10) and 6 (6).",
    ),
    "a clean merge": (
        objects((0, 0, 30), (2, 0, 30), (1, 1, 50)),
        "a and b agree well (adjusted Rand index 0.70; 0 is chance, 1 is identical). Clusters 0 "
        "and 2 merged into 0 (60 objects). Everything else is unchanged. a is a refinement of b: "
        "each cluster of a lies inside one of b.",
    ),
    "a cluster dissolved": (
        objects((0, 0, 90), (1, 1, 90), (2, 2, 90), (3, 0, 12), (3, 1, 11), (3, 2, 10)),
        "a and b agree well (adjusted Rand index 0.83; 0 is chance, 1 is identical). 270 of 303 "
        "objects (89%) are in matching clusters. Cluster 3 of a dissolved: its 33 objects went to"
        " 0 (12), 1 (11) and 2 (10).",
    ),
    "more noise": (
        objects(("barolo", 0, 57), ("barolo", -1, 2), ("barbera", 1, 42), ("barbera", -1, 6),
                ("grignolino", -1, 61), ("grignolino", 0, 6), ("grignolino", 1, 4)),
        "a and b agree well (adjusted Rand index 0.71 with noise as a cluster"
        "; 0 is chance, 1 is identical). 99 of 178 "
        "objects (56%) are in matching clusters. Cluster grignolino of a dissolved: 10 of its 71 "
        "objects went to 0 (6) and 1 (4). The remaining clusters match: 97% of barolo is in 0 and "
        "88% of barbera is in 1. b calls 69 objects noise (39%; a: none). 61 of them "
        "come from grignolino, which lost 86% of its objects.",
    ),
    "less noise": (
        objects((-1, 0, 5), (-1, 1, 1), (-1, -1, 4), (0, 0, 40), (1, 1, 50)),
        "a and b agree well (adjusted Rand index 0.89 with noise as a cluster"
        "; 0 is chance, 1 is identical). 90 of 100 "
        "objects (90%) are in matching clusters. b calls 4 objects noise (4%; a: 10). 6 objects "
        "that were noise in a are now in 0 (5) and 1 (1).",
    ),
    "no more noise": (
        objects((-1, 0, 1), (0, 0, 40), (1, 1, 50)),
        "a and b are almost the same (adjusted Rand index 0.98 with noise as a cluster"
        "; 0 is chance, 1 is identical). 90 "
        "of 91 objects (99%) are in matching clusters. a calls 1 object noise, b none. 1 object "
        "that was noise in a is now in 0.",
    ),
    "a cluster became noise": (
        objects((0, 0, 40), (1, -1, 9), (2, 2, 40)),
        "a and b are almost the same (adjusted Rand index 1.00 with noise as a cluster"
        "; 0 is chance, 1 is identical). 80 "
        "of 89 objects (90%) are in matching clusters. All 9 objects of cluster 1 of a became "
        "noise. b calls 9 objects noise (10%; a: none).",
    ),
    "a cluster of one object became noise": (
        objects((0, 0, 40), ("1", "-1", 1), (2, 2, 40)),
        "a and b are almost the same (adjusted Rand index 1.00 with noise as a cluster"
        "; 0 is chance, 1 is identical). 80 of 81 objects (99%) are in matching clusters. The only "
        "object of cluster 1 of a became noise. b calls 1 object noise (1%; a: none).",
    ),
    "noise became a cluster of one object": (
        objects((0, 0, 40), (-1, 1, 1), (2, 2, 40)),
        "a and b are almost the same (adjusted Rand index 1.00 with noise as a cluster"
        "; 0 is chance, 1 is identical). 80 of 81 objects (99%) are in matching clusters. Cluster "
        "1 of b is new: its only object was noise. a calls 1 object noise, b none. 1 object that "
        "was noise in a is now in 1.",
    ),
    "a new cluster of one object": (
        objects((0, 0, 40), (0, 1, 1), (2, 2, 40)),
        "a and b are almost the same (adjusted Rand index 0.98; 0 is chance, 1 is identical). 80 "
        "of 81 objects (99%) are in matching clusters. Cluster 1 of b is new: its only object "
        "comes from 0. b is a refinement of a: each cluster of b lies inside one of a.",
    ),
    "a cluster lost most of its objects to noise": (
        objects((-1, -1, 12), (0, 0, 48), (1, 1, 10), (1, -1, 50), (2, 2, 60)),
        "a and b agree well (adjusted Rand index 0.84 with noise as a cluster"
        "; 0 is chance, 1 is identical). 118 of 180 "
        "objects (66%) are in matching clusters. b calls 62 objects noise (34%; a: 12). 50 objects "
        "became noise, all from 1, which lost 83% of its objects.",
    ),
    "many splits": (
        objects(*((x, 2 * x + y, 20) for x in range(5) for y in range(2)), (9, 10, 20)),
        "a and b agree moderately (adjusted Rand index 0.63; 0 is chance, 1 is identical). 120 of "
        "220 objects (55%) are in matching clusters. Cluster 0 (40 objects) split into 0 (20) and "
        "1 (20). Cluster 1 (40 objects) split into 2 (20) and 3 (20). Cluster 2 (40 objects) split "
        "into 4 (20) and 5 (20). 2 more clusters of a split. Everything else is unchanged. b is a "
        "refinement of a: each cluster of b lies inside one of a.",
    ),
    "nested resolutions": (
        objects((0, 0, 20), (0, 1, 20), (1, 2, 20), (1, 3, 20)),
        "a and b agree moderately (adjusted Rand index 0.49; 0 is chance, 1 is identical). Cluster "
        "0 (40 objects) split into 0 (20) and 1 (20). Cluster 1 (40 objects) split into 2 (20) and "
        "3 (20). b is a refinement of a: each cluster of b lies inside one of a.",
    ),
    "unrelated": (
        objects(*((x, y, 25) for x in range(3) for y in "pqr")),
        "a and b agree no more than chance (adjusted Rand index -0.01; 0 is chance, 1 is "
        "identical). Each cluster of a is spread over all clusters of b.",
    ),
    "one cluster of nearly all": (
        objects((0, 0, 95), (0, 1, 1), (1, 1, 4)),
        "a and b agree well (adjusted Rand index 0.87; 0 is chance, 1 is identical). a puts 96% of "
        "the objects in one cluster. b puts 95% of the objects in one cluster. 99 of 100 objects "
        "(99%) are in matching clusters. 1 object moved from 0 to 1.",
    ),
    "only noise": (
        objects((0, -1, 2), (1, -1, 3)),
        "b has no cluster but noise, so there is nothing to agree on. b calls 5 objects noise "
        "(100%; a: none).",
    ),
    "a cluster for each object": (
        (list(range(6)), [0, 0, 0, 1, 1, 1]),
        "Each object is a cluster of its own in a, so there is nothing to agree on.",
    ),
    "a single cluster": (
        objects((0, 0, 6), (0, 1, 4)),
        "a has a single cluster, so there is nothing to agree on.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"noise": "drop"}, "1 of 6 objects (17%) was left out as noise."),
        ({"missing": "drop"}, "1 of 6 objects (17%) was left out without a label."),
        (
            {"noise": "drop", "missing": "drop"},
            "2 of 6 objects (33%) were left out as noise or without a label.",
        ),
    ],
)
def test_objects_that_are_left_out_are_counted(options, told):
    a = [0, 0, 1, 1, -1 if "noise" in options else 1, None if "missing" in options else 1]
    comparison = compare(a, [0, 0, 1, 1, 1, 1], names=("a", "b"), **options)
    assert comparison.summary() == f"a and b are the same clustering. {told}"
    assert comparison.dropped == (len(options), 6)


def test_nothing_is_said_of_options_that_leave_nothing_out():
    options = {"noise": "drop", "missing": "drop"}
    assert compare([0, 1], [0, 1], **options).summary() == "a and b are the same clustering."
    weighted = compare([0, 0, 1], [0, 0, -1], noise="singletons", sample_weight=[1, 1, 5])
    assert weighted.dropped == (0, 3)


def test_objects_left_out_of_a_lazy_frame_are_not_counted():
    frame = pl.LazyFrame({"a": [0, 0, 1, -1], "b": [0, 0, 1, 1]})
    assert compare("a", "b", frame=frame, noise="drop").summary() == (
        "a and b are the same clustering. Noise objects were left out."
    )


@pytest.mark.parametrize("story", STORIES)
def test_stories(story):
    (a, b), told = STORIES[story]
    assert compare(a, b, names=("a", "b")).summary() == told


def check_sentence(  # noqa: C901 (a case for each sentence)
    sentence, a, b, names=("a", "b"), noise="-1"
):
    """Check every number of a sentence by counting objects; return how many there are."""
    table, in_a, in_b, n = crosstab(a, b), Counter(a), Counter(b), len(a)
    checked = 0
    for count, source, target in re.findall(r"([\d,]+) from (\w+) to (\w+)", sentence):
        assert count == format_amount(table[source, target])
        checked += 1
    if found := re.match(
        r"([\d,]+) objects? moved from (?!clusters)(?:cluster )?(\w+)(?: of a)? to "
        r"(?:cluster )?(\w+)",
        sentence,
    ):
        assert found[1] == format_amount(table[found[2], found[3]])
        checked += 1
    if found := re.match(r"The remaining clusters match: (.*)\.", sentence):
        for share, source, target in re.findall(r"(\S+%) of (\w+) is in (\w+)", found[1]):
            assert share == format_share(table[source, target] / in_a[source])
            checked += 1
    if found := re.match(r"Cluster (\w+) \((\d+) objects?\) split into (.*?)(;|\.$)", sentence):
        assert int(found[2]) == in_a[found[1]]
        checked += check_parts(found[3], lambda part: table[found[1], part])
    if found := re.match(r"Cluster (\w+) of a dissolved: (.*\d) objects? went to (.*)\.", sentence):
        checked += check_parts(found[3], lambda part: table[found[1], part], found[2])
    if found := re.match(
        r"Cluster (\w+) of b is new: (.*\d) objects? comes? from (.*)\.", sentence
    ):
        checked += check_parts(found[3], lambda part: table[part, found[1]], found[2])
    if found := re.match(r"Cluster (\w+) of b is new: its only object (was noise|.*)\.", sentence):
        source = noise if found[2] == "was noise" else found[2].removeprefix("comes from ")
        assert in_b[found[1]] == table[source, found[1]] == 1
        checked += 1
    if found := re.match(r"Cluster (\w+) of a dissolved: its only object went to (.*)\.", sentence):
        assert in_a[found[1]] == table[found[1], found[2]] == 1
        checked += 1
    if found := re.match(r"The only object of cluster (\w+) of a became noise\.", sentence):
        assert in_a[found[1]] == table[found[1], noise] == 1
        checked += 1
    if found := re.match(r"([\d,]+) of ([\d,]+) objects? \((\S+%)\) are in matching", sentence):
        assert found[2] == format_amount(n)
        assert found[3] == format_share(int(found[1]) / n)
        checked += 1
    if found := re.match(
        r"Matched by name,(?: and others by overlap,)? (\d+) of (\d+) objects? \((.*?)\) stay: "
        r"(.*)",
        sentence,
    ):
        stay = sum(count for (x, y), count in table.items() if x == y != noise)
        assert int(found[1]) == stay or ("others" in sentence and int(found[1]) > stay)
        assert int(found[2]) == n
        assert found[3] == format_share(int(found[1]) / n)
        for name, share in re.findall(r"(\w+) ([\d.]+%)", found[4]):
            if name in in_b:
                assert share == format_share(table[name, name] / in_a[name])
            checked += 1
    if found := re.match(r"b calls (\d+) objects? noise \((.*%); a: (\w+)\)", sentence):
        before = 0 if found[3] == "none" else int(found[3])
        assert (int(found[1]), before) == (in_b[noise], in_a[noise])
        assert found[2] == format_share(in_b[noise] / n)
        checked += 1
    if found := re.match(
        r"(All|It|\d+)(?: of them)? comes? from (\w+), which lost (.*%) of", sentence
    ):
        lost = table[found[2], noise]
        assert not table[noise, noise]
        assert (found[1] in ("All", "It")) == (lost == in_b[noise])
        assert found[1] in ("It" if lost == 1 else "All", str(lost))
        assert found[3] == format_share(lost / in_a[found[2]])
        checked += 1
    if found := re.match(r"(\d+) objects? became noise, (\w+)", sentence):
        assert int(found[1]) == in_b[noise] - table[noise, noise]
        source, share = re.search(r"from (\w+), which lost (.*%) of", sentence).groups()
        assert share == format_share(table[source, noise] / in_a[source])
        if found[2] != "all":
            assert int(found[2]) == table[source, noise]
        checked += 1
    return checked


def check_parts(listed, count, objects=""):
    """Check the parts of a cluster; of a single one, the number of "7 of its 9" or "its 9"."""
    if " " not in listed:
        assert int(re.search(r"\d+", objects)[0]) == count(listed)
        return 1
    found = re.findall(r"(\w+) \((\d+)\)", re.sub(r"(,| and) \d+ others? \(\d+\)", "", listed))
    for part, objects in found:
        assert int(objects) == count(part)
    assert found
    return len(found)


CELLS = st.lists(
    st.tuples(st.integers(-1, 5), st.integers(-1, 5), st.integers(1, 30)), min_size=1, max_size=12
)


@pytest.mark.parametrize("prefixes", [("x", "y"), ("x", "x")])
@given(cells=CELLS)
def test_every_number_in_the_sentences_is_that_of_the_table(prefixes, cells):
    a, b = objects(*cells)
    as_names = [
        [f"{prefix}{label}" if label >= 0 else "-1" for label in labels]
        for prefix, labels in zip(prefixes, (a, b), strict=True)
    ]
    comparison = compare(*as_names, noise_label="-1", measures=["rand_score"])
    for sentence in comparison.sentences():
        checked = check_sentence(sentence, *as_names)
        # Sentences without a number that can be checked are about the whole.
        assert checked or not re.search(
            r"moved|split|dissolved|is new|matching clusters|stay:|calls|became", sentence
        ) or "became noise" in sentence or "more cluster" in sentence or "seem to" in sentence \
            or "were noise" in sentence or "noise, b none" in sentence, sentence  # fmt: skip


@given(cells=CELLS)
def test_sentences_do_not_depend_on_the_order_of_objects(cells):
    a, b = objects(*cells)
    order = np.random.default_rng(len(a)).permutation(len(a))
    shuffled = compare(np.array(a)[order], np.array(b)[order], names=("a", "b"))
    assert shuffled.summary() == compare(a, b, names=("a", "b")).summary()


@pytest.mark.parametrize("score", [-0.5, 0.0, 0.0199, *(least for least, _ in AGREEMENT), 1.0])
def test_words_for_agreement(score):
    words = agreement_words(score)
    scores = [least for least, one in AGREEMENT if one == words]
    assert (not scores and words == UNRELATED and score < 0.02) or scores[0] <= score
    better = [least for least, _ in AGREEMENT if least > (scores[0] if scores else -1)]
    assert all(score < least for least in better)
