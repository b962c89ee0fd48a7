"""Write files atomically, and remove what killed processes left behind.

Names of temporary files begin with the machine and the process that made them, so that a later
process can tell which of them are abandoned.
"""

import os
import platform
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, ENOSPC
from functools import cache
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from clusterwise._utils.errors import InputError

_OWNED = re.compile(r"\.?clusterwise\.([0-9a-f]{8})\.([1-9][0-9]*)\..+")
_FULL = {ENOSPC: "the disk is full", EDQUOT: "the disk quota is used up"}


def check_target(path: Path, name: str | None = None) -> None:
    """Raise an error for a path at which no file can be written.

    Parameters
    ----------
    path : Path
        The file to write.
    name : str, optional
        Its name in errors, such as the option of the command that names it.
    """
    name = name or str(path)
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        is_folder = False
    except OSError as error:  # such as links that lead to themselves
        raise not_written(name, error) from error
    except ValueError as error:  # null characters and lone surrogates
        raise InputError(f"{name} cannot be written ({error}); name another file.") from error
    if is_folder:
        raise InputError(f"{name} is a folder; name a file in it.")
    folder = _target(path).parent
    if not folder.is_dir():
        shown = folder if path.is_symlink() else path.parent
        raise InputError(f"{name}: there is no folder {shown}; create it first.")


def identify(path: Path) -> tuple[int, int, str] | None:
    """Return an identifier of a file, also of one that is yet to be written; None for devices.

    Links lead to the same identifier as the file itself.
    """
    target = _target(path)
    try:
        found = target.stat()
    except FileNotFoundError:
        folder = target.parent.stat()
        return folder.st_dev, folder.st_ino, target.name
    return (found.st_dev, found.st_ino, "") if stat.S_ISREG(found.st_mode) else None


def write_atomically(path: Path, data: bytes, name: str | None = None) -> None:
    """Write a file: no reader sees half of it, and an error leaves an earlier one unchanged."""
    check_target(path, name)
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        try:
            path.write_bytes(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise not_written(name or str(path), error) from error
        return
    with drafted(path, name) as draft, draft.open("xb") as file:
        file.write(data)


@contextmanager
def drafted(path: Path, name: str | None = None) -> Iterator[Path]:
    """Yield a temporary path beside the file, which replaces it at the end of the block.

    After an error the draft is removed, and an earlier file is as it was.
    """
    target = _target(path)
    existed = target.exists()
    remove_abandoned(target.parent)
    draft = target.with_name(f".{owned_prefix()}{token_hex(4)}.part")
    try:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except OSError as error:
        kept = "the earlier file is unchanged" if existed else "no file was left behind"
        raise not_written(name or str(path), error, kept) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def not_written(name: str, error: OSError, kept: str | None = None) -> InputError:
    """Return the error for a file that cannot be written."""
    full = _FULL.get(error.errno or 0)
    said = "; ".join(filter(None, (f"{name} cannot be written ({full or error.strerror})", kept)))
    remedy = "free some space, or name another file" if full else "name another file"
    return InputError(f"{said}; {remedy}.")


def owned_prefix() -> str:
    """Return how the names of temporary files of this process begin."""
    return f"clusterwise.{_machine()}.{os.getpid()}."


@cache  # once for each folder, because a large one takes a while to list
def remove_abandoned(folder: Path) -> None:
    """Remove the temporary files and folders of our own processes that no longer run."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in [one for one in entries if _is_abandoned(one)]:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with suppress(OSError):
                    Path(entry.path).unlink()


def _is_abandoned(entry: "os.DirEntry[str]") -> bool:
    """Return whether a temporary file is certainly of a process of this user that has ended."""
    owner = _OWNED.fullmatch(entry.name)
    if owner is None or owner[1] != _machine() or os.name != "posix":
        return False
    try:
        if entry.stat(follow_symlinks=False).st_uid != os.getuid():
            return False
        os.kill(int(owner[2]), 0)  # sends nothing
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return _has_ended(int(owner[2]))


def _has_ended(process: int) -> bool:
    """Return whether a process has ended although its parent does not know yet, as on Linux.

    In many containers nobody asks for the status of orphans, which stay until the container ends.
    """
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] in ("Z", "X")  # after the name of the program


@cache
def _machine() -> str:
    """Return an identifier of the machine and of its process ids, which containers number anew."""
    parts = [platform.node()]
    with suppress(OSError):
        parts.append(Path("/etc/machine-id").read_text(encoding="ascii"))
    with suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _target(path: Path) -> Path:
    """Return the file behind links; there are no loops (see :func:`check_target`)."""
    return Path(os.path.realpath(path))
