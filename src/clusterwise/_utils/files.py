"""Write files atomically."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file beside the target and rename it: no reader sees half a file."""
    target = path.resolve()
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        target.write_bytes(data)
        return
    # A random part: a killed process may have left a draft, and process ids are reused.
    draft = target.with_name(f".clusterwise.{os.getpid()}.{token_hex(4)}.part")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
