"""``compare`` of Parquet files on disk gives the same results as in memory."""

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

OPTIONS = {
    "all": ["--missing", "drop"],
    "label": ["--missing", "label"],
    "two": ["-c", "kmeans", "-c", "em"],
    "gaps": ["-c", "whole", "-c", "gone", "--missing", "label"],
    "gaps dropped": ["-c", "whole", "-c", "gone", "--missing", "drop", "--noise", "drop"],
    "weights": ["-c", "kmeans", "-c", "em", "--weight", "weight"],
    "noise": ["-c", "kmeans", "-c", "em", "-c", "whole", "--noise", "drop", "--missing", "label"],
    "alone": ["-c", "kmeans", "-c", "em", "--noise", "singletons"],
    "alone and weighed": [
        "-c", "kmeans", "-c", "em", "--noise", "singletons", "--weight", "weight",
    ],
    "other noise": ["-c", "colour", "-c", "em", "--noise", "drop", "--noise-label", "red"],
    "no noise": ["-c", "colour", "-c", "flag", "--noise", "drop"],
    "measures": ["--columns", "em,colour,flag", "-m", "rand_score", "-m", "wallace_score"],
    "significance": ["-c", "kmeans", "-c", "em", "--significance"],
    "p-values": ["-c", "kmeans", "-c", "em", "-c", "whole", "--missing", "label", "--significance"],
    "memberships of one": ["--soft", "h_*", "-c", "em", "-c", "kmeans", "--noise", "drop"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("options", [pytest.param(one, id=name) for name, one in OPTIONS.items()])
def test_labels(same, options):
    assert same("compare", "FILE", *options, "-f", "json").out


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [pytest.param(OPTIONS[name], id=name) for name in ("two", "all")]
)
@pytest.mark.parametrize("output_format", ["table", "csv", "markdown"])
def test_other_formats(same, options, output_format):
    assert same("compare", "FILE", *options, "-f", output_format).out


DATA = {
    "features by looks": ["--missing", "drop"],
    "names and numbers": ["-c", "em", "-c", "kmeans", "--features", "x,y,colour,flag,price"],
    "centres": ["-c", "em", "-c", "kmeans", "--features", "x,price,number"],
    "frequency": ["-c", "em", "-c", "kmeans", "--features", "x,y", "--binning", "frequency"],
    "nominal": ["-c", "em", "-c", "kmeans", "--features", "colour,flag", "--binning", "nominal"],
    "noise": ["-c", "em", "-c", "kmeans", "--features", "x,y", "--noise", "drop"],
    "gaps": ["-c", "gone", "-c", "whole", "--features", "x,y", "--missing", "label"],
    "gaps dropped": [
        "-c", "gone", "-c", "whole", "--features", "y", "--missing", "drop", "--noise", "drop",
    ],
    "many": ["-c", "em", "-c", "kmeans", "-c", "colour", "--features", "x,y", "--bins", "5"],
    "weights": ["-c", "em", "-c", "kmeans", "--features", "x", "--weight", "weight"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("options", [pytest.param(one, id=name) for name, one in DATA.items()])
def test_features(both, close, options):
    """Counts are equal to those in memory, and sums up to rounding."""
    in_memory, on_disk = both("compare", "FILE", *options, "--data", "FILE", "-f", "json")
    assert (in_memory.status, on_disk.status) == (0, 0), on_disk.err
    assert on_disk.err == in_memory.err
    close(json.loads(on_disk.out), json.loads(in_memory.out))


SOFT = {
    "with labels": ["--soft", "p_*", "-c", "em"],
    "by looks": ["--soft", "p_*", "--missing", "drop"],
    "two": ["--soft", "p_*", "h_*"],
    "three": ["--soft", "p_*", "h_*", "-c", "em"],
    "noise and weights": [
        "--soft", "p_*", "-c", "em", "--noise", "drop", "--weight", "weight", "--data", "FILE",
        "--features", "x,number",
    ],
    "features": ["--soft", "p_*", "-c", "kmeans", "--data", "FILE", "--features", "x,y,colour"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("options", [pytest.param(one, id=name) for name, one in SOFT.items()])
def test_memberships(both, close, options):
    in_memory, on_disk = both("compare", "FILE", *options, "-f", "json")
    assert (in_memory.status, on_disk.status) == (0, 0), on_disk.err
    assert on_disk.err == in_memory.err
    assert "were rescaled" in on_disk.err
    close(json.loads(on_disk.out), json.loads(in_memory.out))


def test_many_distinct_rows_are_compared_in_pairs(same, monkeypatch):
    """The distinct rows of all columns exceed the limit, those of two columns do not."""
    monkeypatch.setattr("clusterwise.cli.compare.on_disk.MOST", 20)
    options = [
        "-c",
        "em",
        "-c",
        "kmeans",
        "-c",
        "colour",
        "-m",
        "rand_score",
        "-m",
        "wallace_score",
    ]
    same("compare", "FILE", *options, "-f", "json")


def test_too_many_kinds_for_a_pair(both, monkeypatch):
    monkeypatch.setattr("clusterwise.cli.compare.on_disk.MOST", 20)
    monkeypatch.setattr("clusterwise.cli.compare.on_disk.MOST_PAIRS", 50)
    _, on_disk = both("compare", "FILE", "-c", "em", "-c", "id")
    assert on_disk.status == 2
    assert "have more than 50 distinct rows of labels, too many to fetch" in on_disk.err


def test_columns_with_too_many_values_are_left_out(both, monkeypatch):
    """Numbers of values are estimated for long files; columns with too many are not labels."""
    monkeypatch.setattr("clusterwise.cli.tables.disk_columns.MOST", 50)
    _, on_disk = both("compare", "FILE", "--missing", "drop", "-f", "json")
    assert "not taken as labels: id, number (too many different values for labels)" in on_disk.err
    labels = ["kmeans", "em", "whole", "gone", "flag", "colour", "weight", "h_a", "h_b", "h_c"]
    assert json.loads(on_disk.out)["names"] == labels


@pytest.mark.parametrize("pattern", ["runs", "./runs/*.parquet", "r*/part-?.parquet", "**/part*"])
def test_folders_and_patterns(run, files, pattern):
    files()
    options = ["-c", "kmeans", "-c", "em", "-f", "csv"]
    found = run("compare", pattern, *options)
    assert found.status == 0, found.err
    assert found.out == run("compare", "whole.parquet", *options).out


def test_one_small_file_with_a_limit(run, files):
    files()
    options = ["compare", "whole.parquet", "-c", "kmeans", "-c", "em", "-f", "json"]
    assert run(*options, "--memory", "100MB").out == run(*options).out


def test_one_large_file(run, files, monkeypatch):
    """An error that only DuckDB raises shows whether it reads the file."""
    files()
    options = ["compare", "whole.parquet", "-c", "kmeans", "-c", "em", "--data", "whole.parquet"]
    options += ["--features", "x", "--binning", "mdl"]
    assert run(*options).status == 0
    monkeypatch.setattr("clusterwise.cli.tables.named_files.LARGE", 1000)
    result = run(*options)
    assert (result.status, result.out) == (2, "")
    assert "--binning mdl needs all values in memory" in result.err


def test_output_is_a_file(run, files, tmp_path):
    files()
    options = ["-c", "kmeans", "-c", "em", "-f", "json"]
    run("compare", "runs", *options, "-o", "found.json")
    assert (tmp_path / "found.json").read_text() == run("compare", "whole.parquet", *options).out
    assert [path.name for path in tmp_path.iterdir() if "clusterwise" in path.name] == []


def test_rows_of_several_files_are_matched_by_key(run, close, files, rows, tmp_path):
    """The files have different orders, and keys of different types."""
    files()
    numbers = pa.array(np.arange(400))
    first = rows.select(["kmeans", "x"]).append_column("key", numbers)
    second = rows.select(["em"]).append_column("key", numbers.cast(pa.float64()))
    second = second.take(pa.array(np.random.default_rng(0).permutation(390)))
    for name, table in (("first", first), ("second", second)):
        (tmp_path / name).mkdir()
        parquet.write_table(table.slice(0, 100), f"{name}/0.parquet")
        parquet.write_table(table.slice(100), f"{name}/1.parquet")
        parquet.write_table(table, f"{name}.parquet")
    options = ["--key", "key", "-f", "json"]
    found = run("compare", "first/*.parquet", "second", *options)
    whole = run("compare", "first.parquet", "second.parquet", *options)
    assert found.out == whole.out
    assert "390 objects matched by key; not matched: 10 of 400 in first/*.parquet" in found.err
    data = ["--data", "first", "--features", "x", "-c", "kmeans", "-c", "em"]
    by_data = run("compare", "second", "first", *options, *data)
    in_memory = run(
        "compare", "second.parquet", "first.parquet", *options, "--data", "first.parquet", *data[2:]
    )
    assert by_data.status == 0, by_data.err
    close(json.loads(by_data.out), json.loads(in_memory.out))


def test_columns_of_the_same_name_get_their_files_titles(run, files, rows, tmp_path):
    files()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        parquet.write_table(rows.select(["id", "em", "colour"]), f"{name}/0.parquet")
    found = json.loads(run("compare", "a/*.parquet", "b", "-k", "id", "-f", "json").out)
    assert found["names"] == ["a.em", "a.colour", "b.em", "b.colour"]
