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
    other["missing"] = "drop"
    with pytest.raises(cw.InputError, match=f"leave {option} out"):
        cw.rand_score(table, **{option: other[option]})
    with pytest.raises(cw.InputError, match=f"leave {option} out"):
        cw.mutual_info_score(None, None, contingency=[[3]], **{option: other[option]})


@pytest.mark.parametrize("measure", cw.list_measures(), ids=lambda one: one.name)
def test_objects_left_out_by_the_index_are_warned_of(measure):
    a, b = pd.Series([0, 0, 1]), pd.Series([0, 1, 1, 1])
    X = [[0.0], [1.0], [2.0]]
    message = "matched by index: 3 objects in common: 100.0% of the 3 in a, 75.0% of the 4 in b"
    with pytest.warns(UserWarning, match=f"^{message}") as caught:
        getattr(cw, measure.name)(a, b, *[X] * measure.needs_data, align="index")
    assert [one.filename for one in caught] == [__file__]
