"""The label options of every measure: spelled out, with one set of defaults, in one order."""

import inspect

import numpy as np
import pandas as pd
import pytest

import clusterwise as cw
from clusterwise.inputs.clusterings import LabelOptions, align_clusterings
from clusterwise.measures._label_options import DEFAULTS
from clusterwise.measures.catalogue import CATALOGUE

FUNCTIONS = [measure.function for measure in CATALOGUE.values()]
FUNCTIONS += [cw.pair_confusion_matrix, cw.transport_plan]
every_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)


def test_the_defaults_are_those_of_the_inputs():
    parameters = inspect.signature(align_clusterings).parameters
    assert list(DEFAULTS) == list(LabelOptions.__annotations__)
    assert {name: parameters[name].default for name in DEFAULTS} == DEFAULTS


@every_function
def test_label_options_are_spelled_out(function):
    parameters = list(inspect.signature(function, follow_wrapped=True).parameters.values())
    last = parameters[-len(DEFAULTS) :]
    assert {one.name: one.default for one in last} == DEFAULTS
    assert [one.name for one in last] == list(DEFAULTS)
    assert all(one.kind is one.KEYWORD_ONLY for one in last)
    assert function.__wrapped__.__code__.co_varnames[: len(parameters)]
    assert not any(one.kind is one.VAR_KEYWORD for one in parameters)


@every_function
def test_no_boolean_is_positional(function):
    for one in inspect.signature(function).parameters.values():
        if isinstance(one.default, bool):
            assert one.kind is one.KEYWORD_ONLY


@pytest.mark.parametrize("option", DEFAULTS)
def test_a_ready_table_takes_defaults_only(option):
    table = cw.Contingency.from_labels([0, 0, 1], [0, 1, 1])
    assert cw.rand_score(table, **{option: DEFAULTS[option]}) == cw.rand_score(table)
    other = {"sample_weight": np.ones(3), "noise": "drop", "noise_label": -2, "align": "index"}
    with pytest.raises(cw.InputError, match=f"leave {option} out"):
        cw.rand_score(table, **{option: other.get(option, "other")})
    with pytest.raises(cw.InputError, match=f"leave {option} out"):
        cw.mutual_info_score(None, None, contingency=[[3]], **{option: other.get(option, "other")})


def test_a_warning_points_to_the_callers_line():
    a, b = pd.Series([0, 0, 1]), pd.Series([0, 1, 1, 1])
    for measure in (cw.rand_score, cw.purity_score):
        with pytest.warns(UserWarning, match="matched by index") as caught:
            measure(a, b, align="index")
        assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="matched by index") as caught:
        cw.css_distance(a, b, [[0.0], [1.0], [2.0]], align="index")
    assert caught[0].filename == __file__
