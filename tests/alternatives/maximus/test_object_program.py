"""Which runs there are: one from each start, and one of all objects if starts saw a sample."""

import pytest

from clusterwise.alternatives.maximus import object_program
from clusterwise.alternatives.maximus.object_program import solve_object_program
from helpers.maximus_cases import Case

N = 30


@pytest.mark.parametrize(("sample", "more"), [(N - 1, 1), (N, 0), (N + 1, 0)])
def test_runs(monkeypatch, sample, more):
    monkeypatch.setattr(object_program, "_SAMPLE", sample)
    runs = solve_object_program(Case(0, (2,), 2, n=N).program(), 3, 20)
    assert len(runs) == 3 + more
    assert [len(run.labels) for run in runs[:3]] == [min(sample, N)] * 3
    assert len(runs[-1].labels) == N


def test_one_run_without_time():
    assert len(solve_object_program(Case(0, (2,), 2).program(), 3, 20, time_limit=-1.0)) == 1
