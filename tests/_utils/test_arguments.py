"""Misspelled keyword arguments of public functions name the function and the nearest parameter."""

import inspect
from dataclasses import is_dataclass

import pytest

import clusterwise as cw
from clusterwise import datasets, plots, report
from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.results import Result


@check_arguments
def sample(a, b=None, *, sample_weight=None, noise="cluster"):
    """Return the arguments."""
    if a == "wrong":
        raise TypeError("got an unexpected keyword argument of another function")
    return a, b, sample_weight, noise


RESULTS = (Result, cw.TransportPlan, tuple, Exception)


def public_callables():
    """All public functions, and the constructors and class methods of all but results."""
    for module in (cw, datasets, plots, report):
        for name in module.__all__:
            one = getattr(module, name)
            if not inspect.isclass(one):
                yield name, one
            elif not issubclass(one, RESULTS) and not is_dataclass(one):
                yield name, one
                for key, member in vars(one).items():
                    if isinstance(member, classmethod) and not key.startswith("_"):
                        yield f"{name}.{key}", getattr(one, key)


EXPLICIT = {
    name: function
    for name, function in public_callables()
    if callable(function)
    and (parameters := inspect.signature(function).parameters)
    and all(one.kind is not one.VAR_KEYWORD for one in parameters.values())
}


def test_correct_calls_pass_through():
    assert sample(1, noise="drop") == (1, None, None, "drop")
    assert sample.__name__ == "sample"
    assert list(inspect.signature(sample).parameters) == ["a", "b", "sample_weight", "noise"]


def test_the_nearest_parameter_is_suggested():
    message = r"^sample\(\) got an unexpected keyword argument 'sample_weights'; did you mean "
    with pytest.raises(TypeError, match=message + "'sample_weight'"):
        sample(1, sample_weights=[1])


def test_without_a_near_parameter_all_are_listed():
    with pytest.raises(TypeError, match="'zzz'; it takes a, b, sample_weight, noise"):
        sample(1, zzz=2)


def test_other_errors_are_unchanged():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        sample(noise="drop")
    with pytest.raises(TypeError, match="of another function"):
        sample("wrong")


@pytest.mark.parametrize("name", EXPLICIT)
def test_every_public_callable_suggests(name):
    function = EXPLICIT[name]
    parameters = inspect.signature(function).parameters
    near = max(parameters, key=len)
    required = [one for one in parameters.values() if one.default is one.empty]
    message = rf"^{name}\(\) got an unexpected keyword argument '{near}_x'; did you mean '{near}'"
    with pytest.raises(TypeError, match=message):
        function(*[None for one in required], **{f"{near}_x": None})


def test_estimators_are_among_them():
    names = {"CEM", "CIB", "HBGF", "VotingConsensus", "ClusteringStream", "FlowDisplay"}
    assert names <= EXPLICIT.keys()
    assert cw.COALA().get_params() == cw.COALA(**cw.COALA().get_params()).get_params()


@pytest.mark.parametrize(
    ("call", "caller"),
    [
        (lambda **kw: cw.quality_score([[0], [1]], [0, 1], **kw), "quality_score"),
        (lambda **kw: cw.dq_score([[0], [1]], [0, 1], [0, 1], **kw), "dq_score"),
        (lambda **kw: cw.dq_parts([[0], [1]], [0, 1], [0, 1], **kw), "dq_parts"),
    ],
)
def test_functions_of_qualities_name_themselves(call, caller):
    start = rf"^{caller}\(\) with quality 'dunn' got an unexpected keyword argument "
    for wrong, near in (
        ("qualty", "quality"),
        ("metrc", "metric"),
        ("noise_labels", "noise_label"),
    ):
        with pytest.raises(TypeError, match=f"{start}'{wrong}'; did you mean '{near}'"):
            call(**{wrong: "x"})


def test_qualities_suggest_their_options():
    with pytest.raises(TypeError, match=r"quality 'silhouette' got .* 'metrics'; .* 'metric'"):
        cw.quality_score([[0], [1], [2]], [0, 0, 1], "silhouette", metrics="cosine")
