"""Errors of engines: a lost worker is explained, and any other error stays as it is."""

import pytest

from clusterwise._utils.errors import EngineError
from clusterwise.inputs.frames import _explain_lost_workers


class KilledWorker(Exception):
    """Named as Dask's, which is known by its name, so that Dask need not be imported."""


@pytest.mark.parametrize(
    ("error", "engine"),
    [
        (KilledWorker("task", "worker"), "Dask"),
        (RuntimeError("ExecutorLostFailure (executor 1 exited)"), "Spark"),
    ],
)
def test_lost_workers_are_explained(error, engine):
    expected = pytest.raises(EngineError, match=rf"^{engine} lost every worker")
    with expected as caught, _explain_lost_workers():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [ValueError("other"), KeyError("column"), MemoryError()])
def test_other_errors_stay_as_they_are(error):
    with pytest.raises(type(error)) as caught, _explain_lost_workers():
        raise error
    assert caught.value is error
