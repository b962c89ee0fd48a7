"""Tables of one clustering beside many, on every engine."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import EnsembleTable
from clusterwise.summaries.frames import distinct_rows
from helpers.engine_data import columns_of
from helpers.engine_frames import frame_of


def _ensemble_cells(table: EnsembleTable) -> dict[Any, float]:
    columns = [(j, name) for j, names in enumerate(table.column_names) for name in names.tolist()]
    rows = table.row_names.tolist()
    cells = {(rows[k], *columns[c]): v for (k, c), v in np.ndenumerate(table.counts) if v}
    return {**cells, **dict(zip(rows, table.sizes.tolist(), strict=True))}


@pytest.mark.parametrize(
    ("weights", "most"),
    [
        (None, distinct_rows.MAX_DISTINCT_ROWS),
        ("share", distinct_rows.MAX_DISTINCT_ROWS),
        ("whole", 5),
    ],
)
def test_ensemble_table(
    engine: str, weights: str | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distinct_rows, "MAX_DISTINCT_ROWS", most)
    columns = columns_of()
    members = ["km", "third", "colour", "flag"]
    frame = frame_of(engine, pa.table(columns))
    found = EnsembleTable.from_frame(frame, "em", members, weights=weights)
    expected = EnsembleTable.from_labels(
        columns["em"],
        {name: columns[name] for name in members},
        sample_weight=None if weights is None else columns[weights],
    )
    cells = _ensemble_cells(expected)
    assert _ensemble_cells(found).keys() == cells.keys()
    assert _ensemble_cells(found) == pytest.approx(cells, rel=1e-12)
