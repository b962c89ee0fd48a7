"""What leaves a task on Dask's workers is a summary, whose size has nothing to do with the rows."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from clusterwise import Binning, Contingency, DensityProfile, SoftOverlap
from helpers import clusters

PARTS = 10
BINNING = Binning(n_bins=5).fit(pd.DataFrame({name: [-6.0, 6.0] for name in "xy"}))
SUMMARIES: dict[str, Callable[[Any], Any]] = {
    "contingency": lambda frame: Contingency.from_frame(frame, "a", "a"),
    "profile": lambda frame: DensityProfile.from_frame(frame, "a", binning=BINNING),
    "overlap": lambda frame: SoftOverlap.from_frame(frame, "a", ["p", "q"], features=["x", "y"]),
}


def _frame(rows: int) -> Any:
    """A frame whose parts have so many rows and are made by the workers themselves."""
    dd = pytest.importorskip("dask.dataframe")

    # Inside, so that workers get it by value: they do not know this module.
    def make(number: int) -> pd.DataFrame:
        random = np.random.default_rng(number)
        numbers = {name: random.normal(size=rows).clip(-6, 6) for name in "xy"}
        share = random.random(rows)
        return pd.DataFrame({"a": np.arange(rows) % 4, **numbers, "p": share, "q": 1 - share})

    return dd.from_map(make, range(PARTS), meta=make(0).head(0))


@pytest.fixture
def client() -> Iterator[Any]:
    """The cluster, whose workers note how long each result of a task is once it is sent."""
    distributed = pytest.importorskip("distributed")

    class Sizes(distributed.WorkerPlugin):
        name = "sizes"

        def setup(self, worker: Any) -> None:
            self.worker = worker
            worker.result_sizes = {}

        def transition(self, key: Any, start: Any, finish: Any, **kwargs: Any) -> None:
            import pickle

            if finish == "memory" and key in self.worker.data:
                self.worker.result_sizes[str(key)] = len(pickle.dumps(self.worker.data[key]))

    client = clusters.dask_client()
    client.register_plugin(Sizes())
    yield client
    client.unregister_worker_plugin("sizes")


def _result_sizes(client: Any) -> list[int]:
    """The bytes of all results so far, which are then forgotten."""

    def take(dask_worker: Any) -> list[int]:
        sizes, dask_worker.result_sizes = list(dask_worker.result_sizes.values()), {}
        return sizes

    return [size for sizes in client.run(take).values() for size in sizes]


@pytest.mark.parametrize("summary", SUMMARIES)
def test_what_leaves_a_part_of_dask_does_not_grow_with_its_rows(client: Any, summary: str) -> None:
    largest = []
    for rows in (100, 10_000):
        SUMMARIES[summary](_frame(rows))
        sizes = _result_sizes(client)
        assert len(sizes) > PARTS
        largest.append(max(sizes))
    # Names that are one object or two make some bytes of difference, a row of a part 40.
    assert abs(largest[0] - largest[1]) < 200
    assert max(largest) < 100 * 40
