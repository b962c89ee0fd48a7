"""Warnings show the line of the user's code."""

import numpy as np
import pytest

import clusterwise as cw
from clusterwise._utils.warnings import warn_user


def test_warnings_point_outside_the_package():
    X = np.repeat(np.eye(2), 4, axis=0)
    with pytest.warns(UserWarning, match="distinct objects") as caught:
        cw.COALA(n_clusters=3).fit(X)
    assert {one.filename for one in caught} == {__file__}


def test_names_in_warnings_are_visible():
    with pytest.warns(UserWarning, match=r"^column \\x1b is empty\.$") as caught:
        warn_user("column \x1b is empty.")
    assert caught[0].filename == __file__
