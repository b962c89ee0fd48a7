"""The members of the portfolio: which of them run, and with which parameters."""

import warnings

import numpy as np
import pytest

from clusterwise import InputError, cluster_again
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.portfolio import sample_search as search
from clusterwise.alternatives.portfolio.members import Deadline, Member, list_members, run_members
from clusterwise.alternatives.problem import AlternativeProblem

# Objects at the corners of a cube, in equal numbers.
OBJECTS = 64
CORNERS = np.array(np.unravel_index(np.arange(OBJECTS) % 8, (2, 2, 2)))
PLACES = 9.0 * CORNERS.T + 0.3 * np.random.default_rng(0).normal(size=(OBJECTS, 3))
LEFT, TOP, FRONT = CORNERS
PARAMETERS = {"n_clusters": 2, "n_alternatives": 1, "min_cluster_size": 2, "random_state": 5}
SOON, LATER = Deadline.after(-1.0), Deadline.after(3600.0)


class CutAlternative(Alternative):
    """A member that cuts features in two halves, or raises an error."""

    def __init__(
        self,
        features=(),
        refusal=None,
        n_clusters=None,
        n_alternatives=1,
        min_cluster_size=None,
        random_state=None,
        progress=None,
    ):
        self.features = features
        self.refusal = refusal
        self.n_clusters = n_clusters
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
        self.random_state = random_state
        self.progress = progress

    def fit(self, X, y=None):
        raise NotImplementedError

    def _fit(self, problem):
        if self.refusal:
            raise InputError(self.refusal)
        warnings.warn("stopped early", UserWarning, stacklevel=2)
        points = problem.points
        self.given_ = problem.given.codes
        self._store([(points[:, r] > points[:, r].mean()).astype(np.int64) for r in self.features])
        return self


def member(*features, refusal=None, **options):
    return Member(CutAlternative, {"features": features, "refusal": refusal}, **options)


def run(*members, deadline=LATER, is_clear=lambda _: False, **parameters):
    problem = AlternativeProblem(PLACES, OBJECTS, read_given(LEFT, OBJECTS))
    return run_members(
        problem, PARAMETERS | parameters, deadline, members=members, is_clear=is_clear
    )


def labels_of(found):
    return [one.labels.tolist() for one in found]


@pytest.fixture
def choose(monkeypatch):
    """Replace the members of the portfolio."""

    def replace(*members):
        monkeypatch.setattr(search, "list_members", lambda *_: members)

    return replace


def test_all_that_is_found():
    one, other = member(1, 2), member(0)
    found = run(one, other)
    assert labels_of(found) == [TOP.tolist(), FRONT.tolist(), LEFT.tolist()]
    assert [each.member for each in found] == [one, one, other]
    assert {each.method for each in found} == {"CutAlternative"}
    assert found[0].parameters["features"] == (1, 2)


def test_members_that_raise_are_skipped():
    refusing = member(refusal="not me"), member(refusal="nor me")
    assert labels_of(run(refusing[0], member(1), refusing[1])) == [TOP.tolist()]
    with pytest.raises(InputError, match="nor me"):
        run(*refusing)


def test_without_time_the_first_member_that_does_not_raise_runs():
    members = member(refusal="not me"), member(1), member(2)
    assert labels_of(run(*members, deadline=SOON)) == [TOP.tolist()]
    assert labels_of(run(*members)) == [TOP.tolist(), FRONT.tolist()]


@pytest.mark.parametrize(
    ("clear", "wanted", "runs"),
    [([], 1, True), ([TOP], 1, False), ([TOP], 2, True), ([TOP, LEFT], 2, False)],
)
def test_some_members_run_only_until_enough_is_clear(clear, wanted, runs):
    """Of two forms of the same alternative, one counts."""
    names = [one.tolist() for one in clear]
    found = run(
        member(1),
        member(1),
        member(0),
        member(2, if_unclear=True),
        is_clear=lambda one: one.labels.tolist() in names,
        n_alternatives=wanted,
    )
    assert (FRONT.tolist() in labels_of(found)) == runs


def test_parameters():
    (found,) = run(member(1, n_alternatives=2))
    expected = PARAMETERS | {"n_alternatives": 2, "progress": False}
    assert expected.items() <= found.parameters.items()
    (found,) = run(member(1, n_alternatives=2), n_alternatives=3)
    assert found.parameters["n_alternatives"] == 3


@pytest.mark.parametrize(
    ("n", "width", "scaled"),
    [
        (500, 3, [3]),
        (500, 10, [10]),
        (500, 11, [10, 11]),
        (500, 20, [10, 20]),
        (500, 300, [10, 20, 50]),
        (120, 300, [10, 12]),
        (10, 300, [2]),
    ],
)
def test_the_portfolio(n, width, scaled):
    members = list_members(n, width)
    assert members[0].fast
    assert not any(one.fast and one.if_unclear for one in members)
    # The first one always runs.
    assert not members[0].if_unclear
    options = [one.options for one in members if one.options.get("scale_components")]
    assert [one["n_components"] for one in options] == scaled
    fast = [one.options.get("n_components") for one in members if one.fast]
    assert [one for one in fast if one] == [max(one for one in scaled if one <= 20)]


# --- in cluster_again


@pytest.mark.parametrize("quality", ["canonical", "dunn", "silhouette"])
def test_clearness_does_not_depend_on_the_quality_that_is_passed(choose, quality):
    choose(member(1, fast=True), member(2, if_unclear=True))
    options = {"n_clusters": 2, "quality": quality, "random_state": 0}
    assert labels_of(cluster_again(PLACES, LEFT, **options)) == [TOP.tolist()]
    both = cluster_again(PLACES, LEFT, n_alternatives=2, **options)
    assert sorted(labels_of(both)) == sorted([TOP.tolist(), FRONT.tolist()])


def test_degenerate_alternatives_are_not_clear(choose):
    far = np.vstack([PLACES, [[4.5, 4.5, 5000.0]]])
    left, top = np.append(LEFT, 0), np.append(TOP, 0)
    choose(member(2, fast=True), member(1, if_unclear=True))
    found = cluster_again(far, left, n_clusters=2, guard=False, random_state=0)
    assert not any(one.degenerate for one in found)
    assert (found[0].labels[:-1] == top[:-1]).all()


def test_fewer_alternatives_than_requested_are_warned_of(choose):
    choose(member(1, fast=True), member(1))
    with pytest.warns(UserWarning, match="found 1 of 3 alternatives: no others") as caught:
        found = cluster_again(PLACES, LEFT, n_alternatives=3, n_clusters=2, random_state=0)
    assert labels_of(found) == [TOP.tolist()]
    # The warning points to the call; those of the methods are not passed on.
    assert [warning.filename for warning in caught] == [__file__]


def test_members_get_the_parameters_of_the_call(choose):
    choose(member(1, 2, fast=True))
    options = {"n_alternatives": 2, "n_clusters": 2}
    one = cluster_again(PLACES, LEFT, min_cluster_size=3, random_state=5, **options)[0]
    expected = {"n_alternatives": 2, "n_clusters": 2, "min_cluster_size": 3}
    assert expected.items() <= one.parameters.items()
    again = cluster_again(PLACES, LEFT, guard=False, random_state=5, **options)[0]
    assert again.parameters["random_state"] == one.parameters["random_state"]
    assert again.parameters["min_cluster_size"] is None
    other = cluster_again(PLACES, LEFT, random_state=6, **options)[0]
    assert other.parameters["random_state"] != one.parameters["random_state"]
    assert other.parameters["min_cluster_size"] == 4
