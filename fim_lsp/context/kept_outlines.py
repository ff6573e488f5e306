"""A cache of outlines on disk, so that files are not parsed again at the next start.

It is one SQLite file in the user's cache folder, for all workspaces and running servers. The key of a row is
a file's content together with the code that made the outline: there is no path and no date, and a row cannot
be out of date. A row holds only a `PythonOutline`, so no line that may hold a secret, and is read only for an
admitted file.

A fault here only costs time. A file that is locked, full or read-only is left alone until the next scan, a
damaged or foreign one is deleted, and each row is checked before use. Everything happens on the scan's
thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from fim_lsp.context.outline import Definition, PythonImport, PythonOutline
from fim_lsp.system.files import is_ours
from fim_lsp.system.user_cache import user_cache

if TYPE_CHECKING:
    from sqlite3 import Connection

NAME = "outlines.sqlite3"
# The most bytes of the file; during a write there are some megabytes beside it.
MOST_BYTES = 64 << 20
# The least recently used rows are removed until the file is less full than this.
FULL = 7 / 8
# The bytes of one transaction, and the longest row. Ending the server loses at most as much.
WRITTEN_BYTES = 1 << 20
# The longest outline. We write none that is longer.
MOST_UNPACKED = 8 << 20
# The seconds to wait for another process's transaction, once in a scan.
LOCKED_SECONDS = 1.0
# The marks in the SQLite file's head: the application ("fimO"), and the version of the table.
APPLICATION, FORM = 0x66696D4F, 1
TABLE = "CREATE TABLE outlines (key BLOB UNIQUE NOT NULL, value BLOB NOT NULL, day INTEGER NOT NULL)"
# The code on which an outline depends, beside the text.
CODE = ("context/outline.py", "context/kept_outlines.py", "context/secrets.py", "sources.py")
LIBRARIES = ("tree-sitter", "tree-sitter-python")
DAY_SECONDS = 86_400
# SQLite's complaints about missing time, room or rights, for which the file may be sound.
PASSING = re.compile("locked|locking|full|readonly|unable to open|I/O|interrupted|permission")


class KeptOutlines:
    """The outlines on disk, for one scan; the file is opened on demand. Not thread-safe."""

    def __init__(self, folder: Path | None) -> None:
        # With None, nothing is cached.
        self._folder = folder
        self._connection: Connection | None = None
        self._new: dict[bytes, bytes] = {}
        self._n_new_bytes = 0
        # The rows used for the first time today.
        self._used: list[bytes] = []
        self._today = today()

    def __enter__(self) -> KeptOutlines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write()
        self._close()

    def find(self, content: bytes) -> PythonOutline | None:
        """The outline of a file with this content, if it is cached."""
        if not self._is_open():
            return None
        assert self._connection is not None
        outline = None
        with self._guarded_operation():
            asked, key = "SELECT value, day FROM outlines WHERE key = ?", key_of(content)
            found = self._connection.execute(asked, (key,)).fetchall()
            if not found:
                return None
            value, day = found[0]
            outline = unpack_outline(key, value)
            if outline is None:
                # The same code wrote it, so the file is damaged, perhaps where a new row cannot repair it.
                raise ValueError("a row that holds no outline")
            if day != self._today:
                self._used.append(key)
        return outline

    def keep(self, content: bytes, outline: PythonOutline) -> None:
        if not self._is_open():
            return
        key = key_of(content)
        value = pack_outline(key, outline)
        if len(value) > WRITTEN_BYTES:
            return
        self._new[key] = value
        self._n_new_bytes += len(value)
        if self._n_new_bytes >= WRITTEN_BYTES:
            self._write()

    def _is_open(self) -> bool:
        if self._connection is None and self._folder is not None:
            self._connection = open_store(self._folder)
            if self._connection is None:
                self._folder = None
        return self._connection is not None

    def _write(self) -> None:
        if self._connection is not None and (self._new or self._used):
            with self._guarded_operation(), transaction(self._connection):
                make_room(self._connection)
                rows = [(key, value, self._today) for key, value in self._new.items()]
                self._connection.executemany("INSERT OR REPLACE INTO outlines VALUES (?, ?, ?)", rows)
                asked = "SELECT 1 FROM outlines WHERE key = ?"
                if not all(self._connection.execute(asked, (key,)).fetchall() for key in self._new):
                    # With a damaged index the row would be written again at every scan.
                    raise ValueError("a row that is not found where it was put")
                used = [(self._today, key) for key in self._used]
                self._connection.executemany("UPDATE outlines SET day = ? WHERE key = ?", used)
        self._new, self._n_new_bytes, self._used = {}, 0, []

    @contextlib.contextmanager
    def _guarded_operation(self) -> Iterator[None]:
        """Runs an operation; after the first fault, the rest of the scan works without the cache."""
        try:
            yield
        except faults() as error:
            folder, self._folder = self._folder, None
            self._close()
            if is_damage(error) and folder is not None:
                discard_folder(folder)

    def _close(self) -> None:
        if self._connection is not None:
            close(self._connection)
            self._connection = None


def outlines_folder() -> Path:
    """The folder where outlines are kept for this user."""
    return user_cache() / "outlines"


def forget_kept(folder: Path) -> None:
    """Deletes all rows, those of other servers, too."""
    if not (folder / NAME).exists():
        return
    connection = open_store(folder)
    if connection is None:
        discard_folder(folder)
        return
    try:
        connection.execute("DELETE FROM outlines")
        # Deleted rows stay in free pages until the file is rewritten.
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        close(connection)
    except faults():
        close(connection)
        discard_folder(folder)


# --- the file --------------------------------------------------------------------------------------------


def open_store(folder: Path) -> Connection | None:
    """The file, created if necessary, and replaced if it is foreign; None if it cannot be used."""
    try:
        import sqlite3  # noqa: F401
    except ImportError:
        # Python can be built without SQLite.
        return None
    for _ in range(2):
        try:
            if code() is None or not is_private(folder):
                return None
            return connect_to(folder / NAME)
        except faults() as error:
            if not is_damage(error):
                return None
            discard_folder(folder)
        except OSError:
            return None
    return None


def connect_to(path: Path) -> Connection:
    import sqlite3

    # No automatic transactions, since none may be open while files are read.
    connection = sqlite3.connect(path, timeout=LOCKED_SECONDS, isolation_level=None)
    try:
        if not is_outlines(connection):
            with transaction(connection):
                # Another server may have made the table meanwhile.
                if not is_outlines(connection):
                    make_table(connection)
        # Readers go on while another process writes. Outlines lost in a crash are made again.
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 0").fetchall()
        n_pages = MOST_BYTES // number(connection, "page_size")
        connection.execute(f"PRAGMA max_page_count = {n_pages}").fetchall()
        return connection
    except BaseException:
        connection.close()
        raise


def is_outlines(connection: Connection) -> bool:
    return (number(connection, "application_id"), number(connection, "user_version")) == (APPLICATION, FORM)


def make_table(connection: Connection) -> None:
    import sqlite3

    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall():
        raise sqlite3.DatabaseError("a database of something else, or of another version")
    connection.execute(TABLE)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORM}")


@contextlib.contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """An atomic transaction, during which no other process writes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may have ended it already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def close(connection: Connection) -> None:
    with contextlib.suppress(*faults()):
        connection.close()


def make_room(connection: Connection) -> None:
    """Removes the least recently used rows."""
    most = FULL * MOST_BYTES / number(connection, "page_size")
    while number(connection, "page_count") - number(connection, "freelist_count") > most:
        [(n_rows,)] = connection.execute("SELECT count(*) FROM outlines").fetchall()
        if not n_rows:
            return
        oldest = "SELECT rowid FROM outlines ORDER BY day, rowid LIMIT ?"
        connection.execute(f"DELETE FROM outlines WHERE rowid IN ({oldest})", (n_rows // 4 + 1,))


def number(connection: Connection, pragma: str) -> int:
    [(found,)] = connection.execute(f"PRAGMA {pragma}").fetchall()
    return int(found)


def faults() -> tuple[type[Exception], ...]:
    """The errors of SQLite and of damaged files: invalid text, invalid numbers, or a row that claims to take
    gigabytes."""
    import sqlite3

    return (sqlite3.Error, ValueError, TypeError, OverflowError, MemoryError)


def is_damage(error: Exception) -> bool:
    """Whether an error means that a file is damaged or no database, and not just locked, full or
    read-only."""
    import sqlite3

    return not isinstance(error, sqlite3.OperationalError) or not PASSING.search(str(error))


def discard_folder(folder: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(OSError):
            (folder / f"{NAME}{ending}").unlink(missing_ok=True)


def is_private(folder: Path) -> bool:
    """Creates the folder and the file for this user alone; False if they belong to another user."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / NAME
    if not path.exists():
        # SQLite would make the file readable for all, so it is created here. The files beside it get its
        # rights.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return is_ours(folder, stat.S_IFDIR, 0o700) and is_ours(path, stat.S_IFREG, 0o600)


# --- rows ------------------------------------------------------------------------------------------------


@cache
def code() -> bytes | None:
    """A checksum of the code that makes outlines; None if it cannot be read, as in an archive."""
    from importlib.metadata import version

    package = Path(__file__).parents[1]
    try:
        sources = [(package / name).read_bytes() for name in CODE]
        versions = [sys.version, *map(version, LIBRARIES)]
    except (OSError, ImportError):
        return None
    digest = blake2b(digest_size=32)
    for part in [*sources, *(one.encode() for one in versions)]:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.digest()


def key_of(content: bytes) -> bytes:
    return blake2b(content, digest_size=20, key=code() or b"").digest()


def pack_outline(key: bytes, outline: PythonOutline) -> bytes:
    """An outline as compressed text with its key. zlib adds a checksum, and the key detects another file's
    row behind a damaged index."""
    definitions = [[one.name, one.text, *one.bases] for one in outline.definitions.values()]
    imports = [[one.module, one.name, one.alias] for one in outline.imports]
    return zlib.compress(json.dumps([key.hex(), definitions, imports]).encode(), level=1)


def unpack_outline(key: bytes, value: object) -> PythonOutline | None:
    """The outline in a row; None if `pack_outline` did not write the row for this key."""
    if not isinstance(value, bytes):
        return None
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(value, MOST_UNPACKED)
        if not unpacker.eof:
            return None
        own_key, definitions, imports = json.loads(text)
        if own_key != key.hex():
            return None
        if not all(isinstance(part, str) for row in [*definitions, *imports] for part in row):
            return None
        found = {name: Definition(name, shown, tuple(bases)) for name, shown, *bases in definitions}
        imported = tuple(PythonImport(module, name, alias) for module, name, alias in imports)
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None
    n_characters = sum(len(one.name) + len(one.text) for one in found.values())
    return PythonOutline(found, imported, n_characters)


def today() -> int:
    return int(time.time() // DAY_SECONDS)
