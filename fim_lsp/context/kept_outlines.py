"""Outlines on disk, so that a file that was outlined once is not parsed again at the next start.

One SQLite file in the user's cache folder, for all workspaces and all servers that run. A row is found by
the content of the file that it was made of, together with the code that made it: it has no path and no date,
and cannot be out of date. It holds what `PythonOutline` holds and nothing else, so no line that may hold a
secret, and is asked for only after a file was admitted.

A fault here costs time and nothing else. A file that is locked, full or read-only is left alone until the
next scan, one that is damaged or made by another program is thrown away, and each row is checked before it is
believed. Everything happens on the thread of the scan.
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
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from fim_lsp.context.outline import Definition, PythonImport, PythonOutline
from fim_lsp.system.files import is_ours
from fim_lsp.system.user_cache import user_cache

if TYPE_CHECKING:
    from sqlite3 import Connection

NAME = "outlines.sqlite3"
# The most bytes of the file; while it is written, some megabytes lie beside it.
MOST_BYTES = 64 << 20
# Rows leave, those first that were used longest ago, until less than this is full.
FULL = 7 / 8
# The bytes of one transaction, and the longest row. A user who ends the server loses as much.
WRITTEN_BYTES = 1 << 20
# The longest outline: a longer one was not written by us.
MOST_UNPACKED = 8 << 20
# The seconds that another process's transaction is waited for, once in a scan.
LOCKED_SECONDS = 1.0
# The marks that SQLite keeps in the file's head: whose it is ("fimO"), and the form of the table.
APPLICATION, FORM = 0x66696D4F, 1
TABLE = "CREATE TABLE outlines (key BLOB UNIQUE NOT NULL, value BLOB NOT NULL, day INTEGER NOT NULL)"
# The code and libraries that an outline follows from, beside the text.
CODE = ("context/outline.py", "context/kept_outlines.py", "context/secrets.py", "sources.py")
LIBRARIES = ("tree-sitter", "tree-sitter-python")
DAY_SECONDS = 86_400
# Complaints of SQLite where the file may be as it should, and time or room is what lacks.
PASSING = re.compile("locked|locking|full|readonly|unable to open|I/O|interrupted|permission")


class KeptOutlines:
    """The outlines on disk, for one scan: opened when the first one is asked for. Not for several threads."""

    def __init__(self, folder: Path | None) -> None:
        # With None, nothing is kept.
        self._folder = folder
        self._connection: Connection | None = None
        self._new: dict[bytes, bytes] = {}
        self._n_new_bytes = 0
        # Found today for the first time.
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
        """The outline of a file with this content, if it was kept."""
        if not self._is_open():
            return None
        assert self._connection is not None
        outline = None
        with self._tried():
            asked, key = "SELECT value, day FROM outlines WHERE key = ?", key_of(content)
            found = self._connection.execute(asked, (key,)).fetchall()
            if not found:
                return None
            value, day = found[0]
            outline = unpack_outline(key, value)
            if outline is None:
                # This very code wrote it, so the file is damaged, maybe where a new row cannot mend it.
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
            with self._tried(), transaction(self._connection):
                make_room(self._connection)
                rows = [(key, value, self._today) for key, value in self._new.items()]
                self._connection.executemany("INSERT OR REPLACE INTO outlines VALUES (?, ?, ?)", rows)
                asked = "SELECT 1 FROM outlines WHERE key = ?"
                if not all(self._connection.execute(asked, (key,)).fetchall() for key in self._new):
                    # A row for which a damaged index has no place would be written at every scan.
                    raise ValueError("a row that is not found where it was put")
                used = [(self._today, key) for key in self._used]
                self._connection.executemany("UPDATE outlines SET day = ? WHERE key = ?", used)
        self._new, self._n_new_bytes, self._used = {}, 0, []

    @contextlib.contextmanager
    def _tried(self) -> Iterator[None]:
        """After the first fault, the rest of the scan goes on without what is kept."""
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
    """Deletes what is kept, by other servers, too."""
    if not (folder / NAME).exists():
        return
    connection = open_store(folder)
    if connection is None:
        discard_folder(folder)
        return
    try:
        connection.execute("DELETE FROM outlines")
        # Deleted rows stay in free pages until the file is written anew.
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        close(connection)
    except faults():
        close(connection)
        discard_folder(folder)


# --- the file --------------------------------------------------------------------------------------------


def open_store(folder: Path) -> Connection | None:
    """The file, made if need be, and anew where it is none of ours; None where it cannot be used."""
    try:
        import sqlite3  # noqa: F401
    except ImportError:
        # Python can be built without.
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

    # No transaction begins by itself: none is to be open while files are read.
    connection = sqlite3.connect(path, timeout=LOCKED_SECONDS, isolation_level=None)
    try:
        if not is_outlines(connection):
            with transaction(connection):
                # Another server may have made the table meanwhile.
                if not is_outlines(connection):
                    make_table(connection)
        # Readers go on while another process writes; outlines lost in a crash of the machine are made again.
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
    """A transaction: all of it or nothing, and no other process writes meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has ended it already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def close(connection: Connection) -> None:
    with contextlib.suppress(*faults()):
        connection.close()


def make_room(connection: Connection) -> None:
    """Has rows leave that were used longest ago."""
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
    """The errors that SQLite raises. Where a file is damaged its words may be no text, of the schema for
    instance, its numbers none, and a row may say that it takes gigabytes."""
    import sqlite3

    return (sqlite3.Error, ValueError, TypeError, OverflowError, MemoryError)


def is_damage(error: Exception) -> bool:
    """Whether a file is broken or no database at all; one that is locked, full or read-only is not."""
    import sqlite3

    return not isinstance(error, sqlite3.OperationalError) or not PASSING.search(str(error))


def discard_folder(folder: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(OSError):
            (folder / f"{NAME}{ending}").unlink(missing_ok=True)


def is_private(folder: Path) -> bool:
    """Makes the folder and the file for this user alone; False where they are another user's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / NAME
    if not path.exists():
        # The file is made here, as SQLite would make it readable for all. The files beside it get its rights.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return is_ours(folder, stat.S_IFDIR, 0o700) and is_ours(path, stat.S_IFREG, 0o600)


# --- rows ------------------------------------------------------------------------------------------------


@cache
def code() -> bytes | None:
    """A checksum of what makes outlines; None where that cannot be read, as in an archive."""
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
    """An outline as text, and small. zlib adds a checksum of its own, and the key is under it: where the
    index is damaged, it may lead to another file's row."""
    definitions = [[one.name, one.text, *one.bases] for one in outline.definitions.values()]
    imports = [[one.module, one.name, one.alias] for one in outline.imports]
    return zlib.compress(json.dumps([key.hex(), definitions, imports]).encode(), level=1)


def unpack_outline(key: bytes, value: object) -> PythonOutline | None:
    """The outline that a row holds; None for what `pack_outline` has not written for this key."""
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
