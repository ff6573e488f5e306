"""A hub of models on this machine: the few answers that its client asks for, over a real socket."""

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
    """One model and its files. `held` stops files behind their first chunk until it is set."""

    name: str
    files: dict[str, bytes]
    held: threading.Event = field(default_factory=threading.Event)
    has_begun: threading.Event = field(default_factory=threading.Event)
    # How many bytes were sent of each file.
    sent: dict[str, int] = field(default_factory=dict)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Tests print nothing."""

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
        elif path.startswith(resolved) and (name := path.removeprefix(resolved)) in self.hub.files:
            self.file(name, self.hub.files[name])
        else:
            self.answer(b'{"error": "Repository not found"}', 404, {"X-Error-Code": "RepoNotFound"})

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
        for at in range(start, len(body), CHUNK):
            self.wfile.write(body[at : at + CHUNK])
            self.hub.sent[name] = self.hub.sent.get(name, 0) + len(body[at : at + CHUNK])
            if len(body) > CHUNK:
                self.hub.has_begun.set()
                self.hub.held.wait(60)


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
        server.shutdown()
        server.server_close()
        thread.join()
