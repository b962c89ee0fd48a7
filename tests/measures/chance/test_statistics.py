"""The formulas on arrays against the measures themselves."""

import numpy as np
import pytest
from hypothesis import given

import clusterwise as cw
from clusterwise.measures.catalogue import OF_LABELS, find_measure
from clusterwise.measures.chance.statistics import (
    FORMULAS,
    MOST_CELLS,
    similarity,
    statistics_of,
    wanted_statistics,
)
from helpers.strategies import tables


def test_every_measure_of_labels_has_a_formula():
    assert list(FORMULAS) == OF_LABELS


@given(table=tables())
def test_formulas_are_the_measures(table):
    table = cw.Contingency.from_table(table)
    statistics = statistics_of(table, wanted_statistics(FORMULAS))
    statistics = statistics._replace(expected_information=table.expected_information)
    for name, formula in FORMULAS.items():
        expected = find_measure(name).function(table)
        assert formula.value(statistics) == pytest.approx(expected, rel=1e-9, abs=1e-9), name


def test_large_tables_have_the_statistics_of_nonzero_cells():
    labels = np.arange(MOST_CELLS) % 300
    table = cw.Contingency.from_labels(labels, labels // 2 + 200 * (labels % 2))
    assert table.shape[0] * table.shape[1] > MOST_CELLS
    statistics = statistics_of(table, wanted_statistics(FORMULAS))
    for name in ("adjusted_rand_score", "mutual_info_score", "v_measure_score"):
        expected = find_measure(name).function(table)
        assert FORMULAS[name].value(statistics) == pytest.approx(expected, rel=1e-9)
    assert np.isnan(FORMULAS["purity_score"].value(statistics))


def test_similarity_turns_distances():
    assert similarity("rand_score", 0.5) == 0.5
    assert similarity("clustering_error", 0.5) == -0.5
