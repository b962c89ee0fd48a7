"""Misspelled keyword arguments of public functions name the function and the nearest parameter."""

import inspect

import pytest

import clusterwise as cw
from clusterwise import datasets
from clusterwise._utils.arguments import suggest_keywords


@suggest_keywords
def sample(a, b=None, *, sample_weight=None, noise="cluster"):
    """Return the arguments."""
    if a == "wrong":
        raise TypeError("got an unexpected keyword argument of another function")
    return a, b, sample_weight, noise


def explicit_functions():
    """All public functions with parameters that take no further keyword arguments."""
    for module, name in [(cw, name) for name in cw.__all__] + [
        (datasets, name) for name in datasets.__all__
    ]:
        function = getattr(module, name)
        if inspect.isfunction(function):
            parameters = inspect.signature(function).parameters.values()
            if parameters and not any(one.kind is one.VAR_KEYWORD for one in parameters):
                yield function


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


@pytest.mark.parametrize(
    "function", list(explicit_functions()), ids=lambda function: function.__name__
)
def test_every_public_function_suggests(function):
    parameters = inspect.signature(function).parameters
    near = max(parameters, key=len)
    required = [one for one in parameters.values() if one.default is one.empty]
    message = rf"^{function.__name__}\(\) got an unexpected keyword argument '{near}_x'; did you "
    with pytest.raises(TypeError, match=message + f"mean '{near}'"):
        function(*[None for one in required], **{f"{near}_x": None})


def test_qualities_suggest_their_options():
    with pytest.raises(TypeError, match=r"quality 'silhouette' got .* 'metrics'; .* 'metric'"):
        cw.quality_score([[0], [1], [2]], [0, 0, 1], "silhouette", metrics="cosine")
