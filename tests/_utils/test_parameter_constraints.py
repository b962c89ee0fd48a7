"""Constraints accept what they describe."""

from collections import OrderedDict
from math import inf, nan

import numpy as np
import pytest

import clusterwise as cw
from clusterwise._utils.parameter_constraints import (
    Flag,
    Function,
    HasMethod,
    InstanceOf,
    Integer,
    Label,
    Numbers,
    Real,
    Seed,
    Several,
    Values,
    one_of,
    show,
)
from clusterwise._utils.parameters import constraints_of

ARRAY = np.arange(3)


@pytest.mark.parametrize(
    ("constraint", "words", "accepted", "refused"),
    [
        (Integer(1), "an integer of at least 1", [1, np.int8(5), 2**63 - 1], [0, True, 1.0, "1"]),
        (Integer(0, 9), "an integer from 0 to 9", [0, np.uint64(9)], [-1, 10, ARRAY, None]),
        (Integer(), "an integer", [-3, 0], [nan, 2**63, -(2**63)]),
        (Real(), "a number", [-1.5, np.float32(2), 3], [nan, inf, -inf, 10**400, "1", True, 1j]),
        (Real(0), "a number of at least 0", [0, 0.0, 1e308], [-1e-300, inf, np.float64(nan)]),
        (Real(0, inf), "a number of at least 0", [0, inf], [-inf, nan]),
        (Real(0, 1), "a number from 0 to 1", [0, 1, 0.5], [-0.1, 1.1]),
        (Real(0, 1, above=True), "a number above 0 and at most 1", [1e-300, 1], [0, 2]),
        (Real(0, 1, above=True, below=True), "a number above 0 and below 1", [0.5], [0, 1]),
        (Real(-inf, inf, nan=True), "a number or NaN", [nan, inf, -inf, 0], ["0", None]),
        (Real(high=3), "a number at most 3", [3, -5], [4]),
        (Flag(), "True or False", [True, np.False_], [0, 1, None, "yes"]),
        (one_of("a", "b") | None, "'a', 'b' or None", ["a", np.str_("b"), None], ["c", b"a", 0]),
        (one_of("a", False), "'a' or False", ["a", False], [0, True, np.False_]),
        (Seed(), None, [None, 0, 2**32 - 1, np.random.default_rng(0)], [-1, 2**32, 1.0, [1]]),
        (Label(), "a single one", [-1, "noise", nan, None, b"x"], [[1], (1,), {1}, {}, ARRAY]),
        (Function(), "a function", [len, lambda: 0], ["len", None]),
        (InstanceOf(dict, "a dict"), "a dict", [{}, OrderedDict()], [[], dict]),
        (HasMethod("keys", "a mapping"), "a mapping", [{}], [dict, []]),
        (Several(), "an iterable", [[], iter([]), {}, ARRAY], ["ab", b"ab", 3]),
        (Numbers(), "a list of numbers", [[], [1.5], ARRAY, [[1]]], [1, "12", ["a"], None, {}]),
        (Numbers(1), "a list of 1 or more numbers", [[1]], [[], [10**400], [1j]]),
        (Values(Integer(1)), "a list (each an integer of at least 1)", [[], [1], ARRAY[1:]], [[0]]),
        (
            Values(Flag(), length=2),
            "a pair (each True or False)",
            [(True, False)],
            [[True], {0, 1}],
        ),
        (Values(Real(), least=1), "a list of 1 or more values (each a number)", [[0]], [[], "ab"]),
    ],
)
def test_what_is_accepted(constraint, words, accepted, refused):
    assert words is None or constraint.describe() == words
    assert all(map(constraint.accepts, accepted))
    for value in refused:
        assert not constraint.accepts(value)
        with pytest.raises(cw.InputError, match=r"^option=.*; use .*\.$"):
            constraint.check("option", value)


def test_advice_depends_on_the_value():
    with pytest.raises(cw.InputError, match=r"^n=99; use an integer of at most 9 or None\.$"):
        (Integer(1, 9) | None).check("n", 99)
    with pytest.raises(cw.InputError, match=r"^tol=inf; use a finite number of at least 0\.$"):
        Real(0).check("tol", inf)


def test_values_are_shown_on_one_short_line():
    assert show("a\nb\x1b") == r"'a\nb\x1b'"
    assert show(np.zeros((50, 50))).startswith("array([[0., 0.,")
    assert len(show("x" * 1000)) == 61
    assert show(10**5000) == "an int"


def test_types_come_from_annotations_and_ranges_from_names():
    def function(n_init: int, share: "float | None" = None, *, result: "Result" = None, **more):  # noqa: F821
        """Only its signature matters."""

    found = constraints_of(function, {})
    assert list(found) == ["n_init", "share", "result"]
    assert found["n_init"].describe() == "an integer from 1 to 100000"
    assert found["share"].describe() == "a number from 0 to 1 or None"
    assert found["result"].describe() == "a Result or None"
    assert constraints_of(function, {"share": Integer(2)})["share"].describe() == (
        "an integer of at least 2 or None"
    )
