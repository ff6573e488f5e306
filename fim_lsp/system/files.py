"""Files put in place of others, locked against other processes, and for this user's eyes alone.

Windows lets no file be replaced while a program has it open, be it a virus scanner that looks at what has
just been written. Those let go within a moment, so it is tried again for a second, and then said.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from fim_lsp.system.kind import is_windows

# Windows' numbers for: no right to it (also of one that is being deleted), in use, and locked in part.
IN_USE = frozenset((5, 32, 33))
# The pauses between attempts, together a second.
PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.32)


def put_in_place(written: Path, path: Path, pause: Callable[[float], object] = time.sleep) -> None:
    """Gives a file the name of another one, which it replaces, whole or not at all."""
    for seconds in PAUSES if is_windows() else ():
        try:
            written.replace(path)
            return
        except OSError as error:
            if not is_in_use(error):
                raise
        pause(seconds)
    try:
        written.replace(path)
    except OSError as error:
        if not is_windows() or not is_in_use(error):
            raise
        # Windows says of folders, too, that there is no right to it.
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path)) from error
        raise PermissionError(errno.EACCES, "another program has it open", str(path)) from error


def is_in_use(error: OSError) -> bool:
    return getattr(error, "winerror", None) in IN_USE


def lock(file: IO[Any]) -> None:
    """Raises `OSError` where another process has it. It is given back with the file, or with the process."""
    if is_windows():
        msvcrt: Any = import_module("msvcrt")
        # Windows locks from where the file stands, and there may be nothing yet.
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl: Any = import_module("fcntl")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(file: IO[Any]) -> bool:
    """Takes the lock that goes with the process, however that ends; False if another process has it."""
    try:
        lock(file)
    except OSError:
        return False
    return True


def is_ours(path: Path, kind: int, mode: int) -> bool:
    """Whether something is no link and this user's; others' rights to it are taken away."""
    state = path.lstat()
    if stat.S_IFMT(state.st_mode) != kind:
        return False
    if is_windows():
        # The folder for local data is the user's alone.
        return True
    if state.st_uid != os.geteuid():
        return False
    if state.st_mode & 0o077:
        path.chmod(mode)
    return True


def is_nowhere(descriptor: int) -> bool:
    """Whether a stream is the null device, as closed ones are by now (`cli.open_missing_streams`)."""
    # Windows' pipes have no numbers of their own.
    return not is_windows() and os.path.samestat(os.fstat(descriptor), Path(os.devnull).stat())
