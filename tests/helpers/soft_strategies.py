"""Random soft clusterings for hypothesis, in every form in which users have them."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

# Shares are eighths: exact in 32 bits, and so are their sums.
EIGHTHS = 8

FORMS = {
    "float64": np.array,
    "float32": lambda matrix: np.array(matrix, np.float32),
    "column by column": np.asfortranarray,
    "lists": np.ndarray.tolist,
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
}


class Case(NamedTuple):
    """A clustering as it is passed, and its memberships without empty clusters."""

    given: Any
    matrix: list[list[float]]


@st.composite
def shares(draw: st.DrawFn, n: int, *, clusters: int = 4) -> np.ndarray:
    """A membership matrix, some of whose rows or clusters may be hard or empty."""
    width = draw(st.integers(1, clusters))
    cuts = st.lists(st.integers(0, EIGHTHS), min_size=width - 1, max_size=width - 1).map(sorted)
    rows = [np.diff([0, *draw(cuts), EIGHTHS]) for _ in range(n)]
    return np.array(rows).reshape(n, width) / EIGHTHS


def filled(matrix: np.ndarray, weights: Any = None) -> list[list[float]]:
    """The matrix without clusters that nobody has a share in."""
    rows = matrix if weights is None else matrix[np.array(weights) > 0]
    return matrix[:, rows.sum(axis=0) > 0].tolist()


def one_hot(labels: Any) -> np.ndarray:
    names = sorted(set(labels))
    return np.array([[float(label == name) for name in names] for label in labels])


@st.composite
def either(draw: st.DrawFn, n: int, *, clusters: int = 4) -> Case:
    """Labels or memberships."""
    form = draw(st.sampled_from(["labels", *FORMS]))
    if form == "labels":
        label = st.integers(0, clusters - 1)
        labels = draw(st.lists(label, min_size=n, max_size=n))
        return Case(labels, one_hot(labels).tolist())
    matrix = draw(shares(n, clusters=clusters))
    return Case(FORMS[form](matrix), filled(matrix))


@st.composite
def several(draw: st.DrawFn, how_many: int, *, largest: int = 7, clusters: int = 4) -> list[Case]:
    """So many clusterings of the same objects, hard, soft or mixed."""
    n = draw(st.integers(1, largest))
    return [draw(either(n, clusters=clusters)) for _ in range(how_many)]
