"""Conversions between seeds and random number generators."""

from typing import Any

import numpy as np

from clusterwise._utils.parameter_constraints import Seed

_SEED = Seed()


def as_random_state(random_state: Any) -> np.random.RandomState:
    """Convert ``random_state`` to a RandomState.

    None, an int and a RandomState mean what they mean in scikit-learn. A
    ``numpy.random.Generator`` shares its bit generator with the RandomState, so that drawing
    from one advances the other.
    """
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    from sklearn.utils import check_random_state

    _SEED.check("random_state", random_state)
    return check_random_state(random_state)


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
        random_state = draw_seed(random_state)
    _SEED.check("random_state", random_state)
    return np.random.default_rng(random_state)


def draw_seed(random: np.random.RandomState) -> int:
    """Draw a seed for another generator."""
    return int(random.randint(np.iinfo(np.int32).max))
