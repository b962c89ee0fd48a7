"""Consensus of the different rows that an engine counts."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

from clusterwise import (
    MCLA,
    EnsembleTable,
    PhiConsensus,
    VotingConsensus,
    combine,
    consensus_objective,
)
from clusterwise._utils.errors import InputError
from clusterwise.summaries.frames import distinct_rows
from helpers.engine_frames import frame_of

CLUSTERINGS = ["one", "two", "three", "four"]


def _ensemble(n: int = 120) -> pa.Table:
    """Four clusterings of three clusters, with some mistakes and gaps."""
    random = np.random.default_rng(4)
    truth = random.integers(0, 3, n)
    columns = {}
    for name in CLUSTERINGS:
        labels = np.where(random.random(n) < 0.15, random.integers(0, 3, n), truth)
        columns[name] = [None if random.random() < 0.05 else int(one) for one in labels]
    table = pa.table(columns)
    return table.sort_by([(name, "ascending") for name in CLUSTERINGS])


@pytest.mark.parametrize(
    "model",
    [VotingConsensus(), MCLA(3, random_state=0), PhiConsensus(3, random_state=0)],
    ids=lambda model: type(model).__name__,
)
def test_consensus_of_kinds(lazy_engine: str, model: Any) -> None:
    table = _ensemble()
    # Engines keep no order, and missing labels come first among kinds.
    first = table.to_pandas().sort_values(CLUSTERINGS, na_position="first")
    expected = clone(model).fit(first)
    found = clone(model).fit(frame_of(lazy_engine, table))
    kinds = pa.table({name: list(found.distinct_rows_[name]) for name in CLUSTERINGS}).to_pandas()
    assert found.distinct_counts_.sum() == len(table)
    assert len(kinds) == len(found.labels_) == len(first.drop_duplicates())
    of = {_row(row): label for row, label in zip(kinds.to_numpy(), found.labels_, strict=True)}
    assert [of[_row(row)] for row in first.to_numpy()] == expected.labels_.tolist()
    assert found.n_features_in_ == 4


def test_combine_of_kinds(lazy_engine: str) -> None:
    table = _ensemble()
    first = table.to_pandas().sort_values(CLUSTERINGS, na_position="first")
    expected = combine(first, random_state=0)
    found = combine(frame_of(lazy_engine, table), random_state=0)
    assert found.method == expected.method
    assert found.confidence == pytest.approx(expected.confidence, rel=1e-12)
    assert found.mutual_agreement == pytest.approx(expected.mutual_agreement, rel=1e-12)
    assert str(found).splitlines()[0] == str(expected).splitlines()[0]
    kinds = pa.table({name: list(found.distinct_rows[name]) for name in CLUSTERINGS}).to_pandas()
    of = {_row(row): label for row, label in zip(kinds.to_numpy(), found.labels, strict=True)}
    assert [of[_row(row)] for row in first.to_numpy()] == expected.labels.tolist()
    assert found.ensemble.counts.sum() == len(table)
    with pytest.raises(InputError, match="distinct rows with counts, but every object is needed"):
        found.plot()


def _row(row: Any) -> tuple[Any, ...]:
    return tuple(None if one is None or one != one else int(one) for one in row)


def test_consensus_objective_of_columns(engine: str) -> None:
    table = _ensemble()
    ours = np.arange(len(table)) % 3
    frame = frame_of(engine, table.append_column("ours", pa.array(ours)))
    found = EnsembleTable.from_frame(frame, "ours", CLUSTERINGS)
    expected = consensus_objective(ours, table.to_pandas(), normalized=False)
    assert consensus_objective(found, normalized=False) == pytest.approx(expected, rel=1e-12)


def test_too_many_distinct_rows_are_refused(
    lazy_engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distinct_rows, "MAX_DISTINCT_ROWS", 3)
    with pytest.raises(InputError, match="more than 3 distinct rows"):
        VotingConsensus().fit(frame_of(lazy_engine, _ensemble()))
