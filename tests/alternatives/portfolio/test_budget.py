"""The budget: what begins once it is spent, by a clock that counts steps."""

import warnings
from collections import Counter

import pytest

from clusterwise import cluster_again
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.portfolio import members
from clusterwise.alternatives.portfolio.sampling import Extension
from clusterwise.datasets import make_alternatives

# Steps: a method, a fit of the evidence, and an extension to all objects.
STEPS = {"method": (Alternative, "_find_all"), "fit": (EvidenceModel, "_fit"),
         "extension": (Extension, "extend")}  # fmt: skip

# One alternative and three attempts are extended; some twenty clusterings are fitted in two views.
MOST_EXTENSIONS, MOST_FITS = 4, 50


@pytest.fixture
def steps(monkeypatch):
    """The steps of a search so far, each of which takes a second."""
    done = []

    def count(name, function):
        def counted(*args, **kwargs):
            done.append(name)
            return function(*args, **kwargs)

        return counted

    for name, (owner, attribute) in STEPS.items():
        monkeypatch.setattr(owner, attribute, count(name, getattr(owner, attribute)))
    monkeypatch.setattr(members, "perf_counter", lambda: float(len(done)))
    return done


@pytest.mark.parametrize("budget", [0, 3, 12, 20, 40, 70])
def test_little_begins_once_the_budget_is_spent(steps, budget):
    data = make_alternatives(100_000, (3, 3), features=2, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cluster_again(data.X, data.labels[:, 0], budget=budget, random_state=0)
    # It is said that nobody knows whether they are stable.
    assert ["no time to search again" in str(one.message) for one in caught] == [True] * bool(found)
    assert len(found) + len(found.unconvincing)
    late = Counter(steps[budget + 1 :])
    # What was found is compared once, and labels are refined and extended to all objects. No method
    # begins, nor does a search on some of the objects.
    assert late["method"] == 0
    assert late["fit"] <= MOST_FITS
    assert late["extension"] <= MOST_EXTENSIONS
    assert {one.found_again for one in found} <= {None}
