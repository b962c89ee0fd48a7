"""``profile`` of Parquet files on disk, and of files with different objects."""

import csv
import io
import json

import pyarrow as pa
import pytest
from pyarrow import parquet

import clusterwise as cw

OPTIONS = {
    "by looks": ["--labels", "em"],
    "gaps": ["--labels", "gone", "--missing", "label"],
    "gaps dropped": ["--labels", "whole", "--missing", "drop", "--binning", "frequency"],
    "noise": ["--labels", "kmeans", "--noise", "drop", "--features", "x,y,price"],
    "noise in a text": ["--labels", "em", "--noise", "drop", "--features", "x,flag"],
    "weights": ["--labels", "em", "--weight", "weight", "--features", "x,colour", "--bins", "4"],
    "nominal": ["--labels", "flag", "--binning", "nominal", "--features", "colour,kmeans"],
    "no noise": ["--labels", "colour", "--noise", "drop", "--features", "x"],
}


@pytest.mark.slow
@pytest.mark.parametrize("options", [pytest.param(one, id=name) for name, one in OPTIONS.items()])
def test_one_table(same, options):
    assert same("profile", "FILE", *options, "-f", "json").out


@pytest.mark.slow
@pytest.mark.parametrize("output_format", ["table", "csv", "markdown"])
def test_formats(same, output_format):
    assert same("profile", "FILE", "--labels", "em", "-f", output_format).out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-l", "em", "--binning", "mdl"], "--binning mdl needs all values in memory"),
        (["-l", "em", "--noise", "singletons"], "use --noise cluster or --noise drop."),
        (["-l", "whole"], "has no value in column 'whole' on row "),
        (["-l", "em", "--features", "nested"], "--features nested contains lists or objects"),
        (["-l", "nothing"], "there is no column 'nothing' for --labels"),
    ],
)
def test_refusals(fails, files, options, words):
    files()
    assert words in fails("profile", "runs", *options)


@pytest.fixture
def years(files, rows, tmp_path):
    """Two tables that share no object: this year has other values, and fewer clusters."""
    files()
    shifted = pa.compute.add(rows["x"], 3.0)
    last, this = rows.slice(0, 250), rows.set_column(6, "x", shifted).slice(250)
    for name, table in (("last", last), ("this", this)):
        (tmp_path / name).mkdir()
        parquet.write_table(table, f"{name}.parquet")
        parquet.write_table(table.slice(0, 70), f"{name}/0.parquet")
        parquet.write_table(table.slice(70), f"{name}/1.parquet")
    return last, this


@pytest.mark.slow
@pytest.mark.parametrize("output_format", ["table", "csv", "json", "markdown"])
@pytest.mark.parametrize("binning", ["width", "auto", "frequency"])
def test_different_objects_share_their_bins(run, years, binning, output_format):
    options = ["-l", "em", "--different-objects", "--features", "x,colour", "--binning", binning]
    on_disk = run("profile", "last/*.parquet", "this", *options, "-f", output_format)
    in_memory = run("profile", "last.parquet", "this.parquet", *options, "-f", output_format)
    assert on_disk.status == 0, on_disk.err
    assert on_disk == in_memory


@pytest.mark.slow
def test_what_is_told_of_different_objects(run, years):
    last, this = (one.select(["em", "x", "colour"]).to_pandas() for one in years)
    features = ["x", "colour"]
    bins = cw.Binning().fit_frames(last, this, features=features)
    profiles = [
        cw.DensityProfile.from_data(one[features], one["em"], binning=bins) for one in (last, this)
    ]
    options = ["-l", "em", "--different-objects", "--features", "x,colour"]
    found = json.loads(run("profile", "last", "this", *options, "-f", "json").out)
    score = cw.adco_score(*profiles)
    said = cw.compare_profiles(*profiles, names=("last", "this"), noise_label="-1").summary()
    assert found["adco_score"] == [{"a": "last", "b": "this", "adco_score": score, "summary": said}]
    assert 0 < score < 1
    assert [(one["file"], one["objects"]) for one in found["files"]] == [
        ("last", 250),
        ("this", 150),
    ]
    lines = csv.DictReader(io.StringIO(run("profile", "last", "this", *options, "-f", "csv").out))
    counts = [int(line["count"]) for line in lines if line["file"] == "this"]
    assert counts == profiles[1].counts.ravel().tolist()
    told = run("profile", "last", "this", *options).out
    assert told.startswith("last: 250 objects\n")
    assert told.endswith(f"\nlast and this: {said}\n")
    assert f"(ADCO {score:.2f}, cosine " in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["last"], "name another file, or leave out --different-objects."),
        (
            ["last", "this", "--key", "id"],
            "whose rows are not matched; leave out --key, or leave out --different-objects.",
        ),
        (
            ["last.parquet", "this.parquet", "--binning", "mdl"],
            "but --different-objects has several",
        ),
        (["last", "this", "--features", "x,z"], "there is no column 'z' for --features"),
    ],
)
def test_refusals_of_different_objects(fails, years, arguments, words):
    assert words in fails("profile", *arguments, "--labels", "em", "--different-objects")


def test_folders_with_the_same_title_keep_their_whole_names(run, years, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "last").rename(tmp_path / "old" / "this")
    found = run("profile", "old/this", "this", "-l", "em", "--different-objects", "--features", "x")
    assert "\nold/this and this: " in found.out
