"""Tables of results are cut at a known size, and say so: "…" or "first 12 of 13"."""

import numpy as np
import pytest

import clusterwise as cw
from clusterwise._utils.tables import list_sizes
from clusterwise.comparing.text import match_tables
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.overlap.overlap import SoftOverlap

SHOWN = 12
both_sides_of_the_limit = pytest.mark.parametrize(
    ("height", "width"), [(12, 12), (13, 12), (12, 13), (13, 14)]
)


def check_cells(table, height, width, counts):
    """The first rows and columns of ``counts``, with dots where there are more of them."""
    more_rows, more_columns = height > SHOWN, width > SHOWN
    assert table.header == ["", *map(str, range(SHOWN)), *["…"] * more_columns]
    assert len(table.rows) == SHOWN + more_rows
    for name, row in enumerate(table.rows[:SHOWN]):
        assert row == [str(name), *(f"{n:g}" for n in counts[name, :SHOWN]), *["…"] * more_columns]
    if more_rows:
        assert table.rows[-1] == ["…"] * len(table.header)
    assert f"{height} x {width} clusters" in table.title


@both_sides_of_the_limit
@pytest.mark.parametrize("weight", [None, 0.5])
def test_contingency_tables(height, width, weight):
    a, b = np.divmod(np.arange(height * width), width)
    counts = np.arange(1, height * width + 1).reshape(height, width) % 7 + 1
    weights = counts.ravel() * (weight or 1)
    table = Contingency.from_labels(a, b, sample_weight=weights).text_table()
    check_cells(table, height, width, weights.reshape(counts.shape))


@both_sides_of_the_limit
def test_soft_overlaps(height, width):
    a, b = np.divmod(np.arange(height * width), width)
    table = SoftOverlap.from_memberships(np.eye(height)[a], np.eye(width)[b]).text_table()
    check_cells(table, height, width, np.ones((height, width)))


def test_sparse_tables_show_the_same_cells():
    labels = np.arange(3000)
    table = Contingency.from_labels(labels, labels)
    assert table.cells.is_sparse
    check_cells(table.text_table(), 3000, 3000, np.eye(SHOWN))
    assert table.text_table().title.endswith(", sparse")


@both_sides_of_the_limit
def test_ensemble_tables(height, width):
    """Rows are clusters of a consensus; the columns of both clusterings follow each other."""
    n = height * width
    consensus, last = np.divmod(np.arange(n), width)
    members = np.column_stack([np.zeros(n, int), np.maximum(last - 1, 0)])
    table = EnsembleTable.from_labels(consensus, members).text_table()
    more_rows, more_columns = height > SHOWN, width > SHOWN
    columns = ["0:0", *(f"1:{j}" for j in range(SHOWN - 1))]
    assert table.header == ["", "objects", *columns, *["…"] * more_columns]
    counts = [width, 2, *[1] * (SHOWN - 2)]
    expected = [str(width), *map(str, counts), *["…"] * more_columns]
    assert [row[1:] for row in table.rows[:SHOWN]] == [expected] * SHOWN
    assert [row[0] for row in table.rows[:SHOWN]] == [str(i) for i in range(SHOWN)]
    assert table.rows[SHOWN:] == [["…"] * len(table.header)] * more_rows


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [((3, 2, 1), "3, 2, 1"), ((6, 5, 4, 3, 2, 1), "6, 5, 4, 3, 2, 1"),
     ((7, 6, 5, 4, 3, 2, 1), "7, 6, 5, 4, 3, 2, …")],
)  # fmt: skip
def test_sizes_of_clusters(sizes, shown):
    assert list_sizes(sizes) == shown


@pytest.mark.parametrize(
    ("edges", "shown"),
    [(8, "0 1 2 3 4 5 6 7"), (9, "0 1 2 3 4 5 … 8"), (20, "0 1 2 3 4 5 … 19")],
)
def test_edges_of_bins(edges, shown):
    (row,) = cw.Binning.from_edges({"x": range(edges)}).text_table().rows
    assert row == ["x", "edges", str(edges - 1), shown]


@pytest.mark.parametrize(("clusters", "more"), [(10, ""), (11, " (first 10 of 11)")])
def test_matched_clusters(clusters, more):
    a = np.arange(4 * clusters) % clusters
    b = np.where(np.arange(a.size) < clusters, (a + 1) % clusters, a)
    comparison = cw.compare(a, b, names=("one", "two"))
    matched, moved = match_tables(comparison)
    assert matched.title == f"Matched clusters, by overlap{more}"
    assert moved.title == f"Moved objects{more}"
    for table, rows in ((matched, comparison.matches), (moved, comparison.moves)):
        assert [row[:2] for row in table.rows] == [[str(one[0]), str(one[1])] for one in rows[:10]]


@pytest.mark.parametrize(("clusters", "more"), [(10, ""), (11, ", first 10 of 11 matches")])
def test_transport_plans(clusters, more):
    labels = np.arange(2 * clusters) % clusters
    plan = cw.transport_plan(labels, labels)
    table = plan.text_table()
    assert table.title.endswith(f"){more}")
    assert len(table.rows) == 10
