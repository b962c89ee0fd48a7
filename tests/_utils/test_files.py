"""Files are written whole or not at all, and drafts of killed processes are removed."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from clusterwise import ClusteringStream, InputError, compare
from clusterwise._utils.files import (
    drafted,
    identify,
    owned_prefix,
    remove_abandoned,
    write_atomically,
)
from helpers.disks import file_size_limit, full_device
from helpers.processes import started

# A process that is in the middle of writing until its standard input is closed.
WRITING = """
import sys
from pathlib import Path
from clusterwise._utils.files import drafted
with drafted(Path(sys.argv[1])) as draft:
    draft.write_bytes(b"half")
    print(draft.name, flush=True)
    sys.stdin.read()
"""


@contextmanager
def writing(path):
    """A process that is writing to ``path``, and the name of its draft."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with started([sys.executable, "-c", WRITING, path], **pipes) as process:
        yield process, process.stdout.readline().strip()


def save_stream(path):
    ClusteringStream(2).save(path)


def write_report(path):
    compare([0, 0, 1, 1], [0, 1, 1, 1]).report(path)


def write_plainly(path):
    write_atomically(Path(path), b"data" * 100)


@pytest.mark.parametrize("write", [write_plainly, save_stream, write_report])
def test_paths_at_which_there_can_be_no_file(tmp_path, write):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("kept")
    for name, message in {
        "": f"{tmp_path} is a folder; name a file in it.",
        "no/file": f"{tmp_path}/no/file: there is no folder {tmp_path}/no; create it first.",
        "loop": f"{tmp_path}/loop cannot be written (Too many levels of symbolic links); "
        "name another file.",
        "file/file": f"{tmp_path}/file/file cannot be written (Not a directory); "
        "name another file.",
    }.items():
        with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
            write(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "loop"]


@pytest.mark.parametrize("write", [write_plainly, save_stream, write_report])
@pytest.mark.parametrize("name", ["null\0.html", "surrogate\ud800.html"])
def test_names_that_no_file_can_have(tmp_path, write, name):
    with pytest.raises(InputError, match=r"\.html cannot be written \(.*\); name another file\.$"):
        write(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_link_into_a_folder_that_is_missing(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "no" / "file")
    with pytest.raises(InputError, match=f"there is no folder {tmp_path}/no; create it first"):
        write_plainly(tmp_path / "link")


@pytest.mark.parametrize("write", [write_plainly, save_stream])
@pytest.mark.parametrize(
    ("earlier", "kept"),
    [(b"earlier", "the earlier file is unchanged"), (None, "no file was left behind")],
)
def test_a_file_that_does_not_fit(tmp_path, write, earlier, kept):
    path = tmp_path / "out"
    if earlier is not None:
        path.write_bytes(earlier)
    message = f"{path} cannot be written (File too large); {kept}; name another file."
    with file_size_limit(100), pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        write(path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([earlier] if earlier else [])


@pytest.mark.parametrize("write", [write_plainly, save_stream])
def test_a_full_disk(write):
    path = full_device()
    message = f"{path} cannot be written (the disk is full); free some space, or name another file."
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        write(path)


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    with writing(tmp_path / "one") as (dead, left), writing(tmp_path / "two") as (alive, draft):
        dead.kill()
        dead.wait()
        others = [
            f".clusterwise.00000000.{dead.pid}.00000000.part",  # of another machine
            f".clusterwise.{2**64}.part",
            f".{owned_prefix()}00000000.part",  # of this process
            left.replace(str(dead.pid), str(2**64)),
            "data.part",
        ]
        for name in others:
            (tmp_path / name).write_text("")
        folder = tmp_path / left.removeprefix(".")
        folder.mkdir()
        (folder / "spilled").write_text("")
        assert {path.name for path in tmp_path.iterdir()} == {*others, left, draft, folder.name}
        write_plainly(tmp_path / "three")
        assert {path.name for path in tmp_path.iterdir()} == {*others, draft, "three"}
        alive.communicate("", timeout=60)
    assert {path.name for path in tmp_path.iterdir()} == {*others, "two", "three"}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
def test_a_killed_process_that_nobody_waits_for_has_ended(tmp_path):
    with writing(tmp_path / "one") as (dead, left):
        dead.kill()
        os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)  # it stays as it is
        assert [path.name for path in tmp_path.iterdir()] == [left]
        write_plainly(tmp_path / "two")
        assert [path.name for path in tmp_path.iterdir()] == ["two"]


def test_drafts_of_other_users_are_left(tmp_path, monkeypatch):
    with writing(tmp_path / "one") as (process, draft):
        process.kill()
        process.wait()
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    remove_abandoned(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [draft]


def test_links_to_folders_are_not_followed(tmp_path):
    """Somebody else may put such a link into a folder for temporary files."""
    with writing(tmp_path / "one") as (process, draft):
        process.kill()
        process.wait()
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("")
    (tmp_path / draft.removeprefix(".")).symlink_to(kept)
    remove_abandoned(tmp_path)
    assert list(tmp_path.rglob("*")) == [kept, kept / "file"]


def test_identity_of_files(tmp_path):
    file, link, copy, hard = (tmp_path / name for name in ("file", "link", "copy", "hard"))
    file.write_text("same")
    copy.write_text("same")
    link.symlink_to(file)
    hard.hardlink_to(file)
    assert identify(file) == identify(link) == identify(hard) != identify(copy)
    (tmp_path / "folder").symlink_to(tmp_path)
    new = tmp_path / "folder" / "new"
    assert identify(new) == identify(tmp_path / "new") != identify(tmp_path / "other")
    assert identify(Path(os.devnull)) is None


def test_a_draft_is_removed_after_any_error(tmp_path):
    def fail(draft):
        draft.write_text("half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), drafted(tmp_path / "out") as draft:
        fail(draft)
    assert list(tmp_path.iterdir()) == []
