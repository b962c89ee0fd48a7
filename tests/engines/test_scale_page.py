"""The page about large data: what it shows is what happens."""

import doctest
import io
from pathlib import Path

import pytest

from helpers import clusters

PAGE = Path(__file__).parents[2] / "docs" / "results" / "scale.md"


@pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")
def test_examples_run_on_clusters_of_dask_and_spark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for engine in ("duckdb", "distributed", "dask.dataframe"):
        pytest.importorskip(engine)
    clusters.spark()  # which the page then finds running
    monkeypatch.chdir(tmp_path)
    page = doctest.DocTestParser().get_doctest(PAGE.read_text(), {}, "scale.md", str(PAGE), 0)
    assert len(page.examples) > 20
    said = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(page, out=said.write).failed == 0, said.getvalue()
