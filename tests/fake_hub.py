"""A hub of models on this machine: the few answers that its client needs, over a real socket.

As at the real hub, large files are at another address: the hub sends their checksum and redirects.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CHUNK = 1 << 14


@dataclass
class Hub:
    """One model and its files. While `held` is not set, each file stops behind its first chunk."""

    name: str
    files: dict[str, bytes]
    held: threading.Event = field(default_factory=threading.Event)
    has_begun: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)
    # The number of bytes sent of each file.
    sent: dict[str, int] = field(default_factory=dict)
    # The offsets at which answers with a large file end early, each once.
    cuts: list[int] = field(default_factory=list)
    # Seconds between two pieces of a large file, to simulate a slow line.
    pause: float = 0.0
    # The first bytes of each request for large files.
    asked_from: list[int] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Prints nothing in tests."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        resolved = f"/{self.hub.name}/resolve/{COMMIT}/"
        if path.startswith(f"/api/models/{self.hub.name}/revision/"):
            listed = [{"rfilename": name} for name in self.hub.files]
            self.answer(json.dumps({"id": self.hub.name, "sha": COMMIT, "siblings": listed}).encode())
        elif path.startswith(f"/api/models/{self.hub.name}/tree/"):
            tree = [
                {"type": "file", "path": name, "size": len(body), "oid": etag(body)}
                for name, body in self.hub.files.items()
            ]
            self.answer(json.dumps(tree).encode())
        elif (large := self.large()) is not None:
            self.file(large, self.hub.files[large])
        elif (linked := self.linked()) is not None:
            body = self.hub.files[linked]
            marks = {"X-Linked-Size": str(len(body)), "X-Linked-ETag": f'"{checksum(body)}"'}
            self.begin(302, 0, marks | {"X-Repo-Commit": COMMIT, "Location": f"/large/{linked}?signed=yes"})
        elif path.startswith(resolved) and (name := path.removeprefix(resolved)) in self.hub.files:
            self.file(name, self.hub.files[name])
        else:
            self.answer(b'{"error": "Repository not found"}', 404, {"X-Error-Code": "RepoNotFound"})

    def large(self) -> str | None:
        name = self.path.partition("?")[0].removeprefix("/large/")
        return name if self.path.startswith("/large/") and name in self.hub.files else None

    def linked(self) -> str | None:
        """The name of a requested GGUF file, for any branch or commit."""
        front, _, name = self.path.partition("?")[0].rpartition("/")
        is_here = front.startswith(f"/{self.hub.name}/resolve/") and name in self.hub.files
        return name if is_here and name.endswith(".gguf") else None

    def answer(self, body: bytes, code: int = 200, headers: dict[str, str] | None = None) -> None:
        self.begin(code, len(body), headers or {"Content-Type": "application/json"})
        if self.command != "HEAD":
            self.wfile.write(body)

    def begin(self, code: int, length: int, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def file(self, name: str, body: bytes) -> None:
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
        marks = {"ETag": f'"{etag(body)}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        part = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"} if start else {}
        self.begin(206 if start else 200, len(body) - start, marks | part)
        if self.command == "HEAD":
            return
        self.hub.asked_from.append(start)
        for at in range(start, len(body), CHUNK):
            if self.hub.cuts and at >= self.hub.cuts[0]:
                del self.hub.cuts[0]
                self.close_connection = True
                return
            self.hub.stopped.wait(self.hub.pause)
            self.wfile.write(body[at : at + CHUNK])
            self.hub.sent[name] = self.hub.sent.get(name, 0) + len(body[at : at + CHUNK])
            if len(body) > CHUNK:
                self.hub.has_begun.set()
                self.hub.held.wait(60)


def checksum(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def etag(body: bytes) -> str:
    return hashlib.sha1(body, usedforsecurity=False).hexdigest()


@contextmanager
def serving(hub: Hub) -> Iterator[str]:
    """The hub, and its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"hub": hub}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        hub.held.set()
        hub.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
