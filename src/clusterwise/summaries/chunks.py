"""Chunks of objects, which summaries add up."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words


def read_chunks(
    chunks: Iterable[Sequence[Any]], least: int, most: int, form: str
) -> Iterator[tuple[Any, ...]]:
    """Yield chunks as tuples of ``most`` parts, of which those that are left out are None.

    Raises
    ------
    InputError
        If a chunk does not have from ``least`` to ``most`` parts, in the given form.
    """
    for i, chunk in enumerate(chunks):
        if not isinstance(chunk, list | tuple | np.ndarray):
            raise InputError(f"chunk {i} is {type_words(chunk)}; pass tuples of the form {form}.")
        if not least <= len(chunk) <= most:
            raise InputError(f"chunk {i} has {len(chunk)} parts; pass tuples of the form {form}.")
        yield (*chunk, *[None] * (most - len(chunk)))
