"""Clusters in a subset of the features."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.maximus.constraints import BalanceConstraints, SizeBounds
from clusterwise.alternatives.maximus.multipliers import group_by_given
from clusterwise.alternatives.maximus.object_program import (
    ObjectProgram,
    optimise_from,
    solve_object_program,
)
from clusterwise.alternatives.maximus.subspaces import (
    _draw_discrete,
    _screen_features,
    find_independent_components,
    search_subspaces,
)
from clusterwise.datasets import make_alternatives
from helpers.strategies import max_examples


def pose(X, known, clusters, seed=0):
    """The object-level program of MAXIMUS."""
    old, n = read_given(known, len(X)), len(X)
    bounds = SizeBounds(np.ones(clusters), np.full(clusters, float(n)))

    def constrain(groups):
        return BalanceConstraints(groups, bounds.scaled(len(groups.codes) / n), 0.05)

    points = np.ascontiguousarray(X - X.mean(axis=0))
    groups, joint = group_by_given(old.codes, old.sizes), old.joint.ravel()
    return ObjectProgram(points, groups, constrain, joint, clusters, np.random.RandomState(seed))


def look(X, known, clusters, owners=None, seed=0):
    """The run with equal weights, and all runs in subspaces."""
    program = pose(X, known, clusters, seed)
    owners = np.arange(X.shape[1]) if owners is None else owners
    plain = solve_object_program(program, 2, 40)[-1]
    return plain, search_subspaces(program, owners, plain, 40)


def naive_score(X, owners, labels):
    """The root of the sum over features of the squared fraction of explained variance."""
    total = 0.0
    for owner in set(owners.tolist()):
        own = X[:, owners == owner]
        whole = ((own - own.mean(axis=0)) ** 2).sum()
        left = sum(
            ((own[labels == k] - own[labels == k].mean(axis=0)) ** 2).sum()
            for k in set(labels.tolist())
        )
        total += (1 - left / whole) ** 2 if whole else 0.0
    return np.sqrt(total)


def best_score(labels, planted):
    return max(cw.adjusted_rand_score(labels, one) for one in planted.T)


@pytest.mark.parametrize(("clusters", "seed"), [(2, 0), (3, 0), (3, 2), (4, 1)])
def test_one_of_two_hidden_clusterings_is_found(clusters, seed):
    data = make_alternatives(480, (clusters,) * 3, separation=6, random_state=seed)
    how = {"subspaces": True, "random_state": 0}
    model = cw.MAXIMUS(**how).fit(data.X, data.labels[:, 0])
    assert best_score(model.labels_, data.labels[:, 1:]) >= 0.95
    (outcome,) = model.outcomes_
    assert outcome.status == "feasible"
    assert outcome.weights.shape == (6,)
    assert outcome.weights.max() == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_mixture_of_both_is_not_returned(seed):
    """With equal weights, a mixture of both hidden clusterings has less inertia."""
    data = make_alternatives(480, (3, 3, 3), separation=6, random_state=seed)
    known, hidden = data.labels[:, 0], data.labels[:, 1:]
    plain = cw.MAXIMUS(subspaces=False, random_state=0).fit(data.X, known)
    assert best_score(plain.labels_, hidden) < 0.8
    assert plain.outcomes_[0].weights is None
    model = cw.MAXIMUS(subspaces=True, random_state=0).fit(data.X, known)
    assert best_score(model.labels_, hidden) >= 0.95
    own = np.argmax([cw.adjusted_rand_score(model.labels_, one) for one in hidden.T])
    inside = np.char.startswith(data.feature_names, data.names[1 + own])
    weights = model.outcomes_[0].weights
    assert weights[inside].min() > 10 * weights[~inside].max()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_rotated_clusterings_are_found_in_components(seed):
    data = make_alternatives(480, (3, 3, 3), separation=6, rotated=True, random_state=seed)
    known, hidden = data.labels[:, 0], data.labels[:, 1:]
    plain = cw.MAXIMUS(subspaces=False, random_state=0).fit(data.X, known)
    assert best_score(plain.labels_, hidden) < 0.8
    parts = cw.MAXIMUS(subspaces="components", random_state=0).fit(data.X, known)
    assert best_score(parts.labels_, hidden) >= 0.95
    assert abs(cw.adjusted_rand_score(parts.labels_, known)) < 0.05


def test_both_hidden_clusterings_are_found_in_components():
    data = make_alternatives(480, (2, 2, 2), separation=6, rotated=True, random_state=0)
    model = cw.MAXIMUS(subspaces="components", n_alternatives=2, random_state=0)
    model.fit(data.X, data.labels[:, 0])
    scores = [
        [cw.adjusted_rand_score(found, one) for found in model.alternatives_]
        for one in data.labels.T[1:]
    ]
    assert np.max(scores, axis=1).min() >= 0.9


@st.composite
def clouds(draw):
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, clusters = draw(st.integers(8, 60)), draw(st.integers(2, 4))
    widths = draw(st.lists(st.integers(1, 2), min_size=1, max_size=5))
    owners = np.repeat(np.arange(len(widths)), widths)
    shape = (n, owners.size)
    X = random.normal(size=shape) if draw(st.booleans()) else random.integers(0, 3, shape) * 1.0
    if draw(st.booleans()):
        X[:, owners == 0] = 5.0
    return X, owners, random.integers(0, 3, n), clusters, int(random.integers(1 << 30))


@max_examples(30)
@given(clouds())
def test_runs_in_subspaces_follow_their_definition(cloud):
    X, owners, known, clusters, seed = cloud
    plain, found = look(X, known, clusters, owners, seed)
    last = found[-1]
    assert last.score == pytest.approx(naive_score(X, owners, last.run.labels))
    assert last.run.violation <= plain.violation
    for one in found:
        assert one.run.labels.shape == known.shape
        assert set(one.run.labels.tolist()) <= set(range(clusters))
        assert one.weights.shape == (owners.max() + 1,)
        assert (one.weights > 0).all()
        assert one.weights.max() == pytest.approx(1)


@pytest.mark.slow
def test_clusters_that_explain_less_than_plain_ones_do_not_replace_them():
    for seed in range(8):
        data = make_alternatives(240, (3, 3, 3), separation=6, random_state=seed)
        plain, found = look(data.X, data.labels[:, 0], 3, seed=seed)
        owners = np.arange(6)
        assert found[-1].score >= naive_score(data.X, owners, plain.labels) - 1e-9


@pytest.mark.slow
def test_clusters_of_noise_that_explain_less_than_plain_ones_do_not_replace_them():
    worse = []
    for seed in range(12):
        random = np.random.default_rng(seed)
        X, known = random.normal(size=(30, 4)), random.integers(0, 3, 30)
        plain, found = look(X, known, 3, seed=seed)
        lost = naive_score(X, np.arange(4), plain.labels) - found[-1].score
        worse += [seed] if lost > 1e-9 else []
    assert worse == []


def test_one_feature_has_no_subspaces():
    random = np.random.default_rng(0)
    plain, found = look(random.normal(size=(40, 1)), np.arange(40) % 2, 2)
    assert [one.run for one in found] == [plain]
    model = cw.MAXIMUS(subspaces=True, random_state=0)
    model.fit(random.normal(size=(40, 1)), np.arange(40) % 2)
    assert model.outcomes_[0].weights.tolist() == [1.0]


@pytest.mark.parametrize("subspaces", [True, "components"])
def test_constant_features_change_nothing(subspaces):
    data = make_alternatives(240, (2, 2, 2), separation=6, random_state=1)
    X = np.column_stack([data.X[:, :3], np.full(240, 0.1), data.X[:, 3:], np.full(240, 1e6)])
    model = cw.MAXIMUS(subspaces=subspaces, random_state=0).fit(X, data.labels[:, 0])
    assert best_score(model.labels_, data.labels[:, 1:]) >= 0.9
    assert model.outcomes_[0].status == "feasible"


@pytest.mark.parametrize("subspaces", [True, "components"])
def test_identical_objects(subspaces):
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clusters are"):
        model = cw.MAXIMUS(subspaces=subspaces, random_state=0).fit(np.ones((20, 3)), [0, 1] * 10)
    assert len(set(model.labels_.tolist())) == 2
    assert cw.adjusted_rand_score(model.labels_, [0, 1] * 10) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("subspaces", [True, "components"])
@pytest.mark.parametrize(("n", "features"), [(30, 25), (60, 40), (100, 40), (40, 60), (50, 320)])
def test_many_features_of_few_objects(n, features, subspaces):
    data = make_alternatives(n, (2, 2), features=features, separation=10, random_state=0)
    model = cw.MAXIMUS(subspaces=subspaces, random_state=0).fit(data.X, data.labels[:, 0])
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) >= 0.95


@pytest.mark.slow
def test_only_some_of_many_features_are_paired():
    """Some features are paired, those of the hidden clusters among them."""
    data = make_alternatives(400, (3, 3, 3), separation=8, random_state=1)
    noise = np.random.default_rng(1).normal(size=(400, 340))
    X = np.hstack([noise[:, :170], data.X, noise[:, 170:]])
    model = cw.MAXIMUS(subspaces=True, random_state=0, n_init=1).fit(X, data.labels[:, 0])
    assert best_score(model.labels_, data.labels[:, 1:]) >= 0.9
    weights = model.outcomes_[0].weights
    assert 170 <= weights.argmax() < 176


@given(st.integers(0, 99), st.integers(301, 320))
@max_examples(20)
def test_features_of_least_kurtosis_are_paired(seed, count):
    random = np.random.default_rng(seed)
    owners = np.repeat(np.arange(count), random.integers(1, 4, count))
    points = random.standard_t(3, size=(25, owners.size))
    points[:, random.permutation(owners.size)[:5]] = 7.0
    kurtosis = []
    for r in range(count):
        apart = [float(((x - points.mean(axis=0)) ** 2)[owners == r].sum()) for x in points]
        whole = sum(apart) / 25
        kurtosis.append(sum(a * a for a in apart) / 25 / whole**2 if whole > 1e-20 else np.inf)
    expected = sorted(sorted(range(count), key=kurtosis.__getitem__)[:300])
    np.testing.assert_array_equal(_screen_features(points, owners), expected)
    few = owners < 300
    np.testing.assert_array_equal(_screen_features(points[:, few], owners[few]), np.arange(300))


@pytest.mark.parametrize("subspaces", [True, "components"])
def test_distinct_categories_in_every_object(subspaces):
    model = cw.MAXIMUS(subspaces=subspaces, random_state=0).fit(np.eye(20), [0, 1] * 10)
    assert len(set(model.labels_.tolist())) == 2


@pytest.mark.parametrize("subspaces", [True, "components"])
def test_categorical_and_numeric_features(subspaces):
    data = make_alternatives(200, (2, 2), separation=8, features=1, random_state=0)
    rows = [[float(x), "ab"[k], "cd"[i % 2]] for i, (x, k) in
            enumerate(zip(data.X[:, 0], data.labels[:, 1], strict=True))]  # fmt: skip
    model = cw.MAXIMUS(subspaces=subspaces, random_state=0).fit(rows, data.labels[:, 0])
    planted = np.column_stack([data.labels[:, 1], np.arange(200) % 2])
    assert best_score(model.labels_, planted) >= 0.95
    if subspaces is True:
        assert model.outcomes_[0].weights.shape == (3,)


@pytest.mark.parametrize(
    ("unit", "subspaces"),
    [
        (1e-5, False), (1e6, False), (1e-8, True), (1e6, True),
        (1e-8, False),
        (1e25, False),
        (1e25, True),
    ],
)  # fmt: skip
def test_the_unit_of_all_features_together_does_not_matter(unit, subspaces):
    data = make_alternatives(200, (2, 2), separation=6, random_state=0)
    model = cw.MAXIMUS(subspaces=subspaces, random_state=0)
    model.fit(data.X * unit, data.labels[:, 0])
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) >= 0.95


def test_components_have_unit_variance_and_span_the_points():
    data = make_alternatives(300, (2, 3), rotated=True, random_state=0)
    program = pose(np.column_stack([data.X, data.X[:, 0], np.ones(300)]), data.labels[:, 0], 2)
    parts = find_independent_components(program)
    assert parts.shape == (300, 4)
    np.testing.assert_allclose(parts.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(parts.T @ parts / 300, np.eye(4), atol=1e-9)
    # The points are linear in them.
    left = program.points - parts @ np.linalg.lstsq(parts, program.points)[0]
    np.testing.assert_allclose(left, 0, atol=1e-8)


def test_components_are_few():
    random = np.random.default_rng(0)
    many = pose(random.normal(size=(600, 40)), np.arange(600) % 2, 2)
    assert find_independent_components(many).shape == (600, 20)
    few = pose(random.normal(size=(12, 40)), np.arange(12) % 2, 2)
    assert 1 <= find_independent_components(few).shape[1] < 12
    alike = pose(np.ones((12, 3)), np.arange(12) % 2, 2)
    assert find_independent_components(alike) is alike.points


def test_approximate_runs_take_fewer_steps_from_the_same_start():
    data = make_alternatives(400, (3, 3), separation=3, random_state=0)
    start = data.X[:3] - data.X.mean(axis=0)
    rough = optimise_from(pose(data.X, data.labels[:, 0], 3), start, 40, approximate=True)
    fine = optimise_from(pose(data.X, data.labels[:, 0], 3), start, 40)
    assert rough.n_iter <= fine.n_iter
    assert rough.evaluations < fine.evaluations
    assert fine.ratio <= 1
    assert rough.ratio < 2
    assert cw.adjusted_rand_score(rough.labels, fine.labels) > 0.8
    short = optimise_from(pose(data.X, data.labels[:, 0], 3), start, 1)
    assert short.n_iter == 1


@pytest.mark.parametrize(("n_features", "drawn"), [(7, 7), (8, 8), (9, 8)])
def test_at_most_eight_discrete_features_are_starts(n_features, drawn):
    X = np.random.default_rng(0).integers(0, 3, (60, n_features)).astype(float)
    program = pose(X, np.arange(60) % 2, 2)
    found = _draw_discrete(program, np.arange(n_features))
    assert len(found) == len(set(found)) == drawn
