"""The table that justifies the words for the adjusted Rand index."""

import numpy as np
import pytest
from experiments.agreement.__main__ import draw, list_sections, main
from sklearn.metrics import adjusted_rand_score

from clusterwise.comparing.verdict import agreement_words


@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("clusters", [2, 5, 30])
def test_the_given_proportion_moves(balanced, clusters):
    labels, others = draw(1000, clusters, 0.3, 0, balanced=balanced)
    assert np.count_nonzero(labels != others) == round(0.3 * labels.size)
    assert set(others) <= set(range(clusters))


@pytest.mark.parametrize(
    ("moved", "words"),
    [(0.01, "are almost the same"), (0.1, "agree well"), (0.3, "agree moderately"),
     (0.5, "agree weakly"), (0.8, "agree no more than chance")],
)  # fmt: skip
def test_words_for_five_equal_clusters(moved, words):
    """70 % of the objects in matching clusters are moderate agreement."""
    labels, others = draw(3000, 5, moved, 0, balanced=True)
    assert agreement_words(adjusted_rand_score(labels, others)) == words


def test_the_page(tmp_path, capsys):
    assert main(["--objects", "200", "--seeds", "2", "--markdown", str(tmp_path / "page.md")]) == 0
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("# Words for agreement")
    assert page.count("| 30%") == 2
    _, equal, unequal = list_sections(200, 2)
    assert len(equal.rows) == len(unequal.rows) == 9
    assert "Clusters of unequal size" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--objects", "3"])
