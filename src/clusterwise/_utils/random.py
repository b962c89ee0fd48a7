"""Conversions between seeds and random number generators."""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError


def as_random_state(random_state: Any) -> np.random.RandomState:
    """Convert ``random_state`` to a RandomState.

    None, an int and a RandomState mean what they mean in scikit-learn. A
    ``numpy.random.Generator`` shares its bit generator with the RandomState, so that drawing
    from one advances the other.
    """
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    from sklearn.utils import check_random_state

    try:
        return check_random_state(random_state)
    except ValueError:
        raise _seed_error(random_state) from None


def as_sklearn_seed(random_state: Any) -> Any:
    """Return ``random_state`` in a form that scikit-learn accepts.

    A ``numpy.random.Generator`` becomes a RandomState that shares its bit generator; everything
    else is returned unchanged, so that an int seeds every use anew.
    """
    if isinstance(random_state, np.random.Generator):
        return as_random_state(random_state)
    return random_state


def as_generator(random_state: Any) -> np.random.Generator:
    """Convert ``random_state`` to a Generator; a RandomState draws its seed."""
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(np.iinfo(np.int32).max)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise _seed_error(random_state) from None


def _seed_error(random_state: Any) -> InputError:
    return InputError(
        f"random_state={random_state!r} is not a seed; pass None, an int of at least 0, a "
        "RandomState or a numpy.random.Generator."
    )
