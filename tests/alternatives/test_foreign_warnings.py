"""No method lets warnings of other libraries through, on small, degenerate and wide data."""

import warnings

import numpy as np
import pytest

import clusterwise as cw

RANDOM = np.random.default_rng(0)
DATA = {
    "three objects": RANDOM.normal(size=(3, 2)),
    "repeated objects": np.repeat(RANDOM.normal(size=(3, 2)), 10, axis=0),
    "two values": RANDOM.integers(0, 2, (30, 3)).astype(float),
    "constant features": np.hstack([RANDOM.normal(size=(30, 2)), np.full((30, 2), 0.1)]),
    "an outlier": np.vstack([RANDOM.normal(size=(29, 2)), [[1e9, -1e9]]]),
    "more features than objects": RANDOM.normal(size=(12, 60)),
}
METHODS = {
    "CIB": cw.CIB(random_state=0),
    "COALA": cw.COALA(random_state=0),
    "COALA by prototypes": cw.COALA(prototypes=10, random_state=0),
    "COALACat": cw.COALACat(),
    "CondEns": cw.CondEns(5, n_clusters_local=4, random_state=0),
    "MAXIMUS": cw.MAXIMUS(random_state=0),
    "MetaClusterer": cw.MetaClusterer(n_base=6, random_state=0),
    "MinCEntropy": cw.MinCEntropy(random_state=0),
    "NaiveAlternative": cw.NaiveAlternative(5, random_state=0),
    "OrthogonalAlternative": cw.OrthogonalAlternative(random_state=0),
}
# What our own warnings say.
OURS = (
    "stopped after",
    "distinct objects",
    "clusters: ",
    "is degenerate",
    "are degenerate",
    "deviation from balance",
)


def foreign_warnings(call, X):
    """The messages of all warnings but ours."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(X, np.arange(len(X)) % 2)
    messages = [str(one.message) for one in caught]
    return [one for one in messages if not any(words in one for words in OURS)]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", METHODS)
def test_warnings_are_ours(name, data):
    try:
        assert not foreign_warnings(METHODS[name].fit, DATA[data])
    except cw.InputError:
        assert data == "three objects"  # fewer than clusters or prototypes


@pytest.mark.parametrize("data", ["repeated objects", "more features than objects"])
def test_warnings_of_the_portfolio_are_ours(data):
    assert not foreign_warnings(cw.cluster_again, DATA[data])
