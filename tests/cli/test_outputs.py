"""No verb overwrites what it reads, or writes two results to one file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from clusterwise._utils.errors import InputError
from clusterwise.cli.app import app
from clusterwise.cli.input_files import list_files
from clusterwise.cli.output import check_outputs, write

DATA = "a,b,x\n0,x,1.5\n0,x,2.5\n1,y,3.5\n1,x,4.5\n"
# The verbs that read files, with the options that they need and those that name a file to write.
VERBS = {
    "compare": ((), ("--output",)),
    "again": (("--given", "a"), ("--output", "--report")),
    "combine": ((), ("--output", "--report")),
    "assess": (("--labels", "a"), ("--output", "--report")),
    "report": ((), ("--output",)),
    "profile": (("--labels", "a"), ("--output",)),
    "stream": (("--labels", "a"), ("--output", "--checkpoint")),
}
WRITING = [(verb, option) for verb, (_, options) in VERBS.items() for option in options]
LINKS = {
    "itself": lambda path: path,
    "another path": lambda path: path.parent / "." / ".." / path.parent.name / path.name,
    "symbolic link": lambda path: linked(path, Path.symlink_to),
    "hard link": lambda path: linked(path, Path.hardlink_to),
}


def linked(path, link):
    other = path.with_name("link.csv")
    link(other, path)
    return other


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(DATA)
    return path


def test_all_verbs_are_here():
    assert {*VERBS, "measures"} == {name for name in app if not name.startswith("-")}


@pytest.mark.parametrize("path_to", LINKS.values(), ids=LINKS)
@pytest.mark.parametrize(("verb", "option"), WRITING)
def test_inputs_are_not_overwritten(fails, data, verb, option, path_to):
    output = path_to(data)
    line = fails(verb, data, *VERBS[verb][0], option, output)
    assert line == (
        f"clusterwise: {option} {output} would overwrite an input ({data}); name another file."
    )
    assert data.read_text() == DATA


@pytest.mark.parametrize("verb", VERBS)
def test_nor_is_the_second_file(fails, data, tmp_path, verb):
    second = tmp_path / "second.csv"
    shutil.copy(data, second)
    line = fails(verb, data, second, *VERBS[verb][0], "--output", second)
    assert f"would overwrite an input ({second})" in line


@pytest.mark.parametrize("verb", ["compare", "report"])
def test_nor_is_the_file_of_features(fails, data, tmp_path, verb):
    features = tmp_path / "features.csv"
    shutil.copy(data, features)
    line = fails(verb, data, "--data", features, "--output", features)
    assert f"would overwrite an input ({features})" in line


@pytest.mark.parametrize("verb", ["compare", "combine", "profile"])
@pytest.mark.parametrize("source", ["runs", "runs/*.parquet", "ru?s/**/*.parquet"])
def test_nor_is_a_file_of_a_folder_or_a_pattern(fails, tmp_path, monkeypatch, verb, source):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/1.parquet").write_bytes(b"any")
    line = fails(verb, source, *VERBS[verb][0], "--output", "runs/1.parquet")
    assert f"--output runs/1.parquet would overwrite an input ({source})" in line
    assert Path("runs/1.parquet").read_bytes() == b"any"


@pytest.mark.parametrize("verb", ["again", "combine", "stream"])
@pytest.mark.parametrize("exists", [True, False])
def test_two_outputs_are_two_files(fails, data, tmp_path, verb, exists):
    output, (first, second) = tmp_path / "out", VERBS[verb][1]
    if exists:
        output.write_text("old")
    same = tmp_path / "." / ".." / tmp_path.name / "out"
    line = fails(verb, data, *VERBS[verb][0], first, output, second, same)
    assert line == (
        f"clusterwise: {first} and {second} are the same file; use two different files."
    )
    assert output.exists() == exists


def test_devices_may_be_named_twice():
    check_outputs([os.devnull], {"--output": os.devnull, "--report": os.devnull})


def test_the_file_of_standard_input_is_not_overwritten(data):
    command = [sys.executable, "-m", "clusterwise", "compare", "-", "--output", str(data)]
    with data.open() as stdin:
        done = subprocess.run(
            command, stdin=stdin, capture_output=True, text=True, check=False, timeout=60
        )
    assert (done.returncode, done.stderr) == (
        2,
        f"clusterwise: --output {data} would overwrite an input (standard input); "
        "name another file.\n",
    )
    assert data.read_text() == DATA


def test_links_to_a_folder_above_do_not_repeat_its_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs/deep").mkdir(parents=True)
    for name in ("runs/b.parquet", "runs/deep/a.parquet", "runs/_hidden.parquet"):
        Path(name).write_bytes(b"any")
    Path("runs/again").symlink_to(".")
    Path("runs/loop.parquet").symlink_to("loop.parquet")
    assert list_files("runs") == ["runs/b.parquet", "runs/deep/a.parquet"]
    assert list_files("runs/**/[ab].parquet") == ["runs/b.parquet", "runs/deep/a.parquet"]


def test_a_closed_standard_output_is_refused_before_any_work(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InputError, match=r"^standard output is closed; use --output to write to a"):
        check_outputs([], {"--output": None})
    with pytest.raises(InputError, match=r"^standard output is closed"):
        write("text", None)
