"""Fetching one file from the hub: with progress, resumed after an interruption, and checked by its checksum.

The file goes into the cache of the hub's own client, in that client's layout. So llama.cpp, vLLM and other
users of that cache have it, too, and a download that one of them has begun is resumed. Only what the user has
asked for is fetched; the server fetches nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from io import RawIOBase
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from fim_lsp.catalogue import Published
from fim_lsp.models import hub_cache
from fim_lsp.system import files

HUB = "https://huggingface.co"
CHUNK = 1 << 18
SECONDS = 30.0
# The number of cuts without a byte between them after which a download is given up.
MAX_CUTS = 5
PAUSE_SECONDS = 2.0
# The bytes that are left free on the disk.
ROOM = 200_000_000
CHECKSUM = re.compile(r"[0-9a-f]{64}")
COMMIT = re.compile(r"[0-9a-f]{40}")
NAME = re.compile(r"([\w.-]+/[\w.-]+)/((?:[\w.-]+/)*[\w.-]+\.gguf)", re.ASCII | re.IGNORECASE)

# A function that gets the number of fetched bytes, and of all.
Progress = Callable[[int, int], None]


class FetchError(Exception):
    """A file cannot be fetched; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class RequestedFile:
    """A file of the hub."""

    repository: str
    file: str
    revision: str = "main"
    # The checksum; None where it was not looked up: then the hub's counts.
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class HubFile:
    """The hub's facts about a file."""

    address: str
    n_bytes: int
    sha256: str
    commit: str


def here(model: Published) -> Path | None:
    """The path of a file of the list in the hub's cache."""
    file = requested_file(model)
    return already(cache_of(file), file)


def requested_file(model: Published) -> RequestedFile:
    return RequestedFile(model.repository, model.file, model.revision, model.sha256)


def wanted_named(name: str) -> RequestedFile | None:
    """`owner/repository/file.gguf`; None for other names."""
    found = NAME.fullmatch(name)
    return None if found is None or ".." in name.split("/") else RequestedFile(found[1], found[2])


def hub() -> str:
    """The hub or a mirror of it, by the variable that the hub's client reads."""
    return (os.environ.get("HF_ENDPOINT") or HUB).rstrip("/")


def is_offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")


def fetch_file(file: RequestedFile, progress: Progress, pause: Callable[[float], None] = time.sleep) -> Path:
    """The file on this machine, fetched if it is not there yet. Raises `FetchError`."""
    folder = cache_of(file)
    if (found := already(folder, file)) is not None:
        return found
    if is_offline():
        raise FetchError(f"{file.file} is not on this machine, and HF_HUB_OFFLINE turns downloads off")
    try:
        hub_file = look_up_file(file)
        blob = folder / "blobs" / hub_file.sha256
        if not blob.is_file():
            blob.parent.mkdir(parents=True, exist_ok=True)
            with hold_download(blob.with_name(f"{blob.name}.lock"), file):
                download(hub_file, blob, file, progress, pause)
        return link_blob(folder, file, hub_file, blob)
    except OSError as error:
        raise FetchError(f"{file.file} cannot be kept in {folder}: {error.strerror or error}") from error


def cache_of(file: RequestedFile) -> Path:
    return hub_cache() / ("models--" + file.repository.replace("/", "--"))


def already(folder: Path, file: RequestedFile) -> Path | None:
    """The path in the cache, of this commit or another; of a pinned one only if it is the same."""
    for found in sorted(folder.glob(f"snapshots/*/{file.file}")):
        with suppress(OSError):
            blob = found.resolve(strict=True)
            # The file itself stands there where there are no links.
            if file.sha256 is None or blob.name in (file.sha256, found.name):
                return found
    return None


def look_up_file(file: RequestedFile) -> HubFile:
    """Asks the hub about the file, at its own address: the one that it leads to says nothing of checksums."""
    address = f"{hub()}/{file.repository}/resolve/{file.revision}/{quote(file.file)}"
    request = urllib.request.Request(address, method="HEAD", headers={"Accept-Encoding": "identity"})
    try:
        with opener(follows=False).open(request, timeout=SECONDS) as answer:
            headers: Message = answer.headers
    except urllib.error.HTTPError as error:
        if not 300 <= error.code < 400:
            raise FetchError(refusal(file, error)) from error
        headers = error.headers
    except (OSError, HTTPException) as error:
        raise FetchError(unreachable(error)) from error
    etag = (headers.get("X-Linked-ETag") or headers.get("ETag") or "").removeprefix("W/").strip('"')
    checksum = etag if CHECKSUM.fullmatch(etag) else file.sha256
    if checksum is None:
        raise FetchError(f"the hub has no checksum of {file.file}")
    if file.sha256 not in (None, checksum):
        raise FetchError(
            f"the hub has another {file.file} than the one that was looked at (checksum {checksum[:12]}...);"
            " a newer fim-lsp may know it"
        )
    size = headers.get("X-Linked-Size") or headers.get("Content-Length") or ""
    commit = headers.get("X-Repo-Commit") or file.revision
    if not size.isdigit() or not re.fullmatch(r"[\w.-]+", commit):
        raise FetchError(f"{hub()} does not answer as a hub of models does")
    return HubFile(urljoin(address, headers.get("Location") or address), int(size), checksum, commit)


def unreachable(error: Exception) -> str:
    return (
        f"{hub()} cannot be reached: {reason(error)}. Check the network, set HF_ENDPOINT to a mirror of it,"
        " or name the path of a model that was fetched elsewhere"
    )


def refusal(file: RequestedFile, error: urllib.error.HTTPError) -> str:
    if error.code in (401, 403):
        return f"{file.repository} wants an account; its file can be fetched with a browser, and chosen then"
    if error.code == 404:
        return f"{hub()} has no {file.file} in {file.repository}"
    return f"{hub()} answers {error.code} {error.reason}"


def download(
    hub_file: HubFile, blob: Path, file: RequestedFile, progress: Progress, pause: Callable[[float], None]
) -> None:
    # The hub's client gives incomplete files the same name.
    unfinished = blob.with_name(f"{blob.name}.incomplete")
    n_here = unfinished.stat().st_size if unfinished.is_file() else 0
    free = shutil.disk_usage(blob.parent).free
    if hub_file.n_bytes - n_here + ROOM > free:
        lacking = (
            f"{(hub_file.n_bytes - n_here + ROOM) / 1e9:.1f} GB are needed, and {free / 1e9:.1f} GB are free"
        )
        raise FetchError(f"the disk of {blob.parent} has no room: {lacking}")
    n_cuts = 0
    while True:
        before = unfinished.stat().st_size if unfinished.is_file() else 0
        try:
            receive_rest(hub_file, unfinished, progress)
            break
        except urllib.error.HTTPError as error:
            raise FetchError(refusal(file, error)) from error
        except (urllib.error.URLError, HTTPException, ConnectionError, TimeoutError) as error:
            after = unfinished.stat().st_size if unfinished.is_file() else 0
            n_cuts = 1 if after > before else n_cuts + 1
            if n_cuts >= MAX_CUTS:
                why = f"the network is gone after {after / 1e6:.0f} MB: {reason(error)}"
                raise FetchError(f"{why}. Begin again: it goes on there") from error
            pause(PAUSE_SECONDS * n_cuts)
    if checksum_of(unfinished) != hub_file.sha256:
        unfinished.unlink()
        raise FetchError(
            f"what was fetched is not {file.file}: its checksum is another one. It was thrown away"
        )
    files.put_in_place(unfinished, blob)


def receive_rest(hub_file: HubFile, unfinished: Path, progress: Progress) -> None:
    """Goes on where the file ends. Raises what the network raises; bytes that have come by then are kept."""
    n_here = unfinished.stat().st_size if unfinished.is_file() else 0
    if n_here > hub_file.n_bytes:
        unfinished.unlink()
        n_here = 0
    progress(n_here, hub_file.n_bytes)
    if n_here == hub_file.n_bytes:
        return
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={n_here}-"} if n_here else {})
    request = urllib.request.Request(hub_file.address, headers=headers)
    with opener(follows=True).open(request, timeout=SECONDS) as answer:
        goes_on = answer.status == 206
        # The file is not buffered: this process can be ended anywhere.
        with unfinished.open("ab" if goes_on else "wb", buffering=0) as kept:
            for n_bytes in copy_answer(answer, kept, n_here if goes_on else 0):
                if n_bytes > hub_file.n_bytes:
                    raise FetchError("more comes than the hub has announced")
                progress(n_bytes, hub_file.n_bytes)
    if unfinished.stat().st_size < hub_file.n_bytes:
        raise ConnectionError("it was cut off")


def copy_answer(answer: Any, kept: RawIOBase, n_bytes: int) -> Iterator[int]:
    while chunk := answer.read1(CHUNK):
        kept.write(chunk)
        n_bytes += len(chunk)
        yield n_bytes


def checksum_of(path: Path) -> str:
    summed = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            summed.update(chunk)
    return summed.hexdigest()


def link_blob(folder: Path, file: RequestedFile, hub_file: HubFile, blob: Path) -> Path:
    """The file by its name, as the hub's client lays it out: a link, or where there are none the file
    itself."""
    named = folder / "snapshots" / hub_file.commit / file.file
    named.parent.mkdir(parents=True, exist_ok=True)
    if not named.exists():
        with suppress(FileNotFoundError):
            named.unlink()
        # Windows lets only some people make them.
        with suppress(OSError):
            named.symlink_to(os.path.relpath(blob, named.parent))
        # Links lead nowhere on systems that do not follow them.
        if not named.exists():
            named.unlink(missing_ok=True)
            files.put_in_place(blob, named)
    if COMMIT.fullmatch(hub_file.commit) and not COMMIT.fullmatch(file.revision):
        reference = folder / "refs" / file.revision
        reference.parent.mkdir(parents=True, exist_ok=True)
        reference.write_text(hub_file.commit, encoding="utf-8")
    return named


@contextmanager
def hold_download(path: Path, file: RequestedFile) -> Iterator[None]:
    """Holds the download of a file against others: two windows may ask for the same."""
    with path.open("a") as lock:
        try:
            files.lock(lock)
        except OSError as error:
            raise FetchError(f"{file.file} is being fetched already, by another window perhaps") from error
        yield
    with suppress(OSError):
        path.unlink()


class Staying(urllib.request.HTTPRedirectHandler):
    """Follows nowhere: the first answer is the one that is wanted."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


def opener(*, follows: bool) -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(*([] if follows else [Staying]))


def reason(error: Exception) -> str:
    """The system's words for a fault, which may lie several causes deep, or else the error's own."""
    cause: BaseException | None = error
    while cause is not None:
        inner = getattr(cause, "reason", None)
        cause = inner if isinstance(inner, BaseException) else cause
        if words := getattr(cause, "strerror", None):
            return str(words)
        cause = cause.__cause__ or cause.__context__
    return str(getattr(error, "reason", None) or error) or type(error).__name__
