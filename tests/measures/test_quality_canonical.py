"""The quality "canonical", by its definition and by what it should not depend on."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, strategies as st

import clusterwise as cw
from clusterwise.measures._canonical import canonical_score
from clusterwise.measures.quality import QUALITIES, quality_score


def canonical(X, labels, **options):
    return quality_score(X, labels, "canonical", **options)


def naive(X, labels):
    """Eigenvalues of the spread between clusters, in units of all spread, beyond chance."""
    X, labels = np.asarray(X, float), np.asarray(labels)
    n = len(X)
    if not 1 < len(set(labels.tolist())) < n or np.ptp(X, axis=0).max() == 0:
        return 0.0
    centred = X - X.mean(axis=0)
    varying = np.ptp(X, axis=0) > 0
    seen = strongest(centred[:, varying] / X[:, varying].std(axis=0))
    between = np.zeros((seen.shape[1], seen.shape[1]))
    for label in set(labels.tolist()):
        mean = seen[labels == label].mean(axis=0)
        between += (labels == label).sum() * np.outer(mean, mean)
    squares = np.linalg.eigvals(np.linalg.pinv(seen.T @ seen, rcond=1e-10) @ between).real
    chance = np.linalg.matrix_rank(seen) / (n - 1)
    beyond = [min(1.0, (square - chance) / (1 - chance)) for square in squares if square > chance]
    # What is left of a square that equals chance is rounding.
    return sum(b * b for b in beyond) / sum(beyond) if sum(beyond) > 1e-9 else 0.0


def strongest(scaled):
    """Objects in all directions, or if there are too many for them, in the strongest."""
    most = (len(scaled) - 1) // 2
    turned, lengths, _ = np.linalg.svd(scaled, full_matrices=False)
    if np.linalg.matrix_rank(scaled) <= most:
        return scaled
    kept = lengths > lengths[most] * (1 + 1e-9)
    return turned[:, kept] * lengths[kept]


@st.composite
def cases(draw, most=3, enough=False):
    """Whole numbers, in which what depends on what is known but for rounding."""
    width = draw(st.integers(1, most))
    n = draw(st.integers(2 * width + 1 if enough else 2, 14))
    row = st.lists(st.integers(-3, 3), min_size=width, max_size=width)
    X = draw(st.lists(row, min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    return np.array(X, float), np.array(labels)


@given(cases(most=5))
def test_canonical_by_its_definition(case):
    X, labels = case
    found = canonical(X, labels)
    assert 0 <= found <= 1
    assert found == pytest.approx(naive(X, labels), abs=1e-7)


@pytest.mark.parametrize("clusters", [2, 3, 6])
def test_canonical_of_real_numbers_by_its_definition(clusters):
    random = np.random.default_rng(clusters)
    labels = random.integers(0, clusters, 80)
    X = random.normal(size=(80, 4))
    X[:, 1] += labels
    X[:, 2] *= 1e6
    found = canonical(X, labels)
    assert 0.2 < found < 0.95
    assert found == pytest.approx(naive(X / [1, 1, 1e6, 1], labels), rel=1e-9)


@given(cases(enough=True), st.data())
def test_any_invertible_map_of_the_features_leaves_it_alone(case, data):
    X, labels = case
    width = X.shape[1]
    row = st.lists(st.integers(-3, 3), min_size=width, max_size=width)
    turn = np.array(data.draw(st.lists(row, min_size=width, max_size=width)), float)
    assume(abs(np.linalg.det(turn)) > 0.5)
    shift = data.draw(st.sampled_from([0.0, 7.0, -1e4]))
    assert canonical(X @ turn + shift, labels) == pytest.approx(canonical(X, labels), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e150])
def test_units_do_not_matter(scale):
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 60)
    X = random.normal(size=(60, 3)) + labels[:, None]
    wanted = canonical(X, labels)
    assert canonical(X * scale, labels) == pytest.approx(wanted)


@pytest.mark.parametrize("scale", [1e-14, 1e-9, 1e9, 1e14])
def test_units_of_one_feature_do_not_matter(scale):
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 60)
    X = random.normal(size=(60, 3)) + labels[:, None]
    assert canonical(X * [scale, 1, 1], labels) == pytest.approx(canonical(X, labels))


def test_a_feature_far_below_the_others_is_constant():
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 60)
    X = random.normal(size=(60, 3)) + labels[:, None]
    with pytest.warns(UserWarning, match=r"^column 'x0' of X varies by rounding errors only"):
        found = canonical(X * [1e-16, 1, 1], labels)
    assert found == pytest.approx(canonical(X * [0, 1, 1], labels))


@given(cases(), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(case, names, random):
    X, labels = case
    order = list(range(len(X)))
    random.shuffle(order)
    renamed = np.array(list("abcd"))[np.array(names)[labels]]
    assert canonical(X[order], renamed[order]) == pytest.approx(canonical(X, labels), abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "width", "clusters", "most"), [
    (2000, 5, 2, 0.01), (2000, 5, 8, 0.01), (200, 50, 2, 0.1), (200, 50, 8, 0.25),
    (200, 300, 2, 0.1), (200, 300, 8, 0.35),
])  # fmt: skip
def test_labels_by_chance_are_worth_next_to_nothing(n, width, clusters, most):
    random = np.random.default_rng(n + width + clusters)
    found = [
        canonical(random.normal(size=(n, width)), random.integers(0, clusters, n))
        for _ in range(20)
    ]
    assert 0 <= np.mean(found) < most


@pytest.mark.parametrize("width", [40, 59, 60, 61, 200])
def test_of_more_features_than_objects_the_strongest_directions_tell(width):
    random = np.random.default_rng(width)
    labels, others = random.permutation(np.arange(60) % 3), random.permutation(np.arange(60) % 3)
    X = random.normal(size=(3, width))[labels] + random.normal(size=(60, width))
    assert canonical(X, labels) == pytest.approx(naive(X, labels))
    assert canonical(X, labels) > 0.9
    assert canonical(X, others) < 0.4


@pytest.mark.parametrize("clusters", [2, 3, 5])
def test_objects_that_equal_their_clusters_are_worth_one(clusters):
    labels = np.arange(40) % clusters
    random = np.random.default_rng(clusters)
    centres = random.normal(size=(clusters, 3))
    assert canonical(centres[labels], labels) == pytest.approx(1)
    # Features that have nothing to do with the clusters take little of it.
    noisy = np.column_stack([centres[labels], random.normal(size=(40, 2))])
    assert canonical(noisy, labels) > 0.99


def test_clusters_in_some_of_the_features_are_as_good_as_in_all():
    random = np.random.default_rng(1)
    labels = np.arange(600) % 3
    own = np.eye(3)[labels] * 6 + random.normal(size=(600, 3))
    others = np.column_stack([own, random.normal(0, 20, (600, 6))])
    assert canonical(others, labels) == pytest.approx(canonical(own, labels), abs=0.01)
    assert quality_score(others, labels, "silhouette") < 0.1 < 0.5 < canonical(others, labels)


@pytest.mark.parametrize(
    ("X", "labels"),
    [
        ([[0.0], [1.0], [5.0]], [0, 0, 0]),
        ([[0.0], [1.0], [5.0]], [0, 1, 2]),
        ([[2.0, 0.1]] * 6, [0, 0, 0, 1, 1, 1]),
        ([[0.0], [5.0]], [0, 1]),
        ([[1.0]], [0]),
        # As many directions as objects less one, all alike: any labels would fit.
        (np.eye(6), [0, 0, 0, 1, 1, 1]),
    ],
)
def test_what_says_nothing_is_worth_nothing(X, labels):
    assert canonical(X, labels) == 0


def test_constant_features_and_copies_do_not_count():
    random = np.random.default_rng(2)
    labels = random.integers(0, 3, 50)
    X = random.normal(size=(50, 2)) + labels[:, None]
    wanted = canonical(X, labels)
    assert 0.2 < wanted < 0.9
    for more in (np.full(50, 0.1), np.full(50, 1e12), X[:, 0], 3 * X[:, 1] - 7, X.sum(axis=1)):
        assert canonical(np.column_stack([X, more]), labels) == pytest.approx(wanted)


def test_noise_is_read_as_by_the_other_qualities():
    random = np.random.default_rng(3)
    labels = random.integers(-1, 3, 60)
    X = random.normal(size=(60, 2)) + labels[:, None]
    there = labels >= 0
    assert canonical(X, labels, noise="drop") == pytest.approx(naive(X[there], labels[there]))
    assert canonical(X, labels) == pytest.approx(naive(X, labels))
    alone = np.where(there, labels, 100 + np.arange(60))
    assert canonical(X, labels, noise="singletons") == pytest.approx(naive(X, alone))
    chosen = canonical(X, labels, noise="drop", noise_label=2)
    assert chosen == pytest.approx(naive(X[labels != 2], labels[labels != 2]))


def test_frames_and_other_metrics():
    X, labels = [[0.0, 1.0], [1.0, 0.0], [5.0, 4.0], [6.0, 7.0], [9.0, 2.0]], [0, 0, 1, 1, 1]
    assert canonical(pd.DataFrame(X, columns=["a", "b"]), labels) == canonical(X, labels)
    assert canonical(X, labels, metric="euclidean") == canonical(X, labels)
    for metric in ("cityblock", "gower"):
        with pytest.raises(cw.InputError, match=f"canonical.*not by metric='{metric}'"):
            canonical(X, labels, metric=metric)
    assert QUALITIES["canonical"].higher_is_better


def test_codes_without_objects_do_not_count():
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 60)
    X = random.normal(size=(60, 3)) + labels[:, None]
    assert canonical_score(X, 2 * labels) == canonical_score(X, labels)


def test_blocks_of_objects_give_the_same_as_all_at_once(monkeypatch):
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 60)
    X = random.normal(size=(60, 4)) + labels[:, None]
    wanted = canonical_score(X, labels)
    monkeypatch.setattr("clusterwise.measures._canonical._BLOCK", 28)
    assert canonical_score(X, labels) == pytest.approx(wanted, rel=1e-12)
