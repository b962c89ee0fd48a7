"""Random clusterings for hypothesis: small enough to check by hand, odd enough to matter."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import NamedTuple

import pytest
from hypothesis import assume, settings, strategies as st


def max_examples(count: int) -> settings:
    """Limit the examples of an expensive test; ``count`` is for a profile with 100 examples."""
    return settings(max_examples=max(1, count * settings.default.max_examples // 100))


class LabelPair(NamedTuple):
    """Two clusterings of the same objects, labels counted from zero."""

    a: list[int]
    b: list[int]


@st.composite
def label_pairs(
    draw: st.DrawFn, *, min_size: int = 1, max_size: int = 30, clusters: int = 5
) -> LabelPair:
    """Unrelated labels, or nearly equal ones, or one clustering inside the other."""
    n = draw(st.integers(min_size, max_size))
    a = draw(st.lists(st.integers(0, clusters - 1), min_size=n, max_size=n))
    kind = draw(st.sampled_from(["unrelated", "equal", "nearly", "coarser", "constant", "single"]))
    if kind == "equal":
        b = [clusters - 1 - label for label in a]
    elif kind == "coarser":
        b = [label // 2 for label in a]
    elif kind == "constant":
        b = [0] * n
    elif kind == "single":
        # Objects beyond the number of clusters share the last one.
        b = [min(i, clusters - 1) for i in range(n)]
    else:
        b = draw(st.lists(st.integers(0, clusters - 1), min_size=n, max_size=n))
    if kind == "nearly":
        changed = draw(st.sets(st.integers(0, n - 1), max_size=2)) if n else set()
        b = [b[i] if i in changed else a[i] for i in range(n)]
    return LabelPair(a, b)


@st.composite
def tables(draw: st.DrawFn, *, largest: int = 20, clusters: int = 5) -> list[list[int]]:
    """A table of counts, some of them zero, with at least one object."""
    height, width = draw(st.integers(1, clusters)), draw(st.integers(1, clusters))
    count = st.one_of(st.just(0), st.integers(0, largest))
    cells = draw(st.lists(count, min_size=height * width, max_size=height * width))
    cells[draw(st.integers(0, height * width - 1))] += 1
    return [cells[row * width : (row + 1) * width] for row in range(height)]


@contextmanager
def forced(route: str) -> Iterator[None]:
    """Count by the dense or the sparse route, whatever the size of the table."""
    with pytest.MonkeyPatch.context() as patch:
        cells = {"dense": 1 << 30, "sparse": 0}[route]
        patch.setattr("clusterwise.summaries.contingency.tabulate.DENSE_CELLS", cells)
        patch.setattr("clusterwise.summaries.contingency.tabulate.FEW_CELLS", cells)
        yield


def each(measures):
    """A test for every one of these measures, named after it."""
    return pytest.mark.parametrize("measure", measures, ids=lambda measure: measure.__name__)


def on_each(**values):
    """Run a property for each of these values on the same example, which is drawn only once.

    Placed below ``@given``. Drawing takes most of the time of a small example, so that this is
    many times as fast as one test for each value.
    """
    ((name, items),) = values.items()

    def decorate(test):
        signature = inspect.signature(test)
        drawn = [parameter for parameter in signature.parameters.values() if parameter.name != name]

        @wraps(test)
        def run(*args, **kwargs):
            example = run.__signature__.bind(*args, **kwargs).arguments
            for item in items:
                try:
                    test(**{name: item}, **example)
                except Exception as error:
                    error.add_note(f"{name} = {item}")
                    raise

        run.__signature__ = signature.replace(parameters=drawn)
        return run

    return decorate


def require_several_clusters(pair):
    """Where a clustering is trivial the packages choose values of their own."""
    for side in pair:
        assume(1 < len(set(side)) < len(side))
