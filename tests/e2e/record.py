"""The record of messages between editor and server, read from the file that recorded_server writes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

REQUEST = "textDocument/inlineCompletion"

Found = TypeVar("Found")


def until(
    condition: Callable[[], Found | None], what: str | Callable[[], str], seconds: float = 120.0
) -> Found:
    """The first answer of `condition` that is neither None nor False. Fails with `what` if there is none in
    time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found is not None and found is not False:
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds:.0f} s in vain for {what if isinstance(what, str) else what()}")


def on_disk(path: Path) -> str | None:
    """The text of a file. Editors that replace a file leave none for a moment."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class Message:
    sender: str
    content: dict[str, Any]

    @property
    def method(self) -> str | None:
        return self.content.get("method")

    def concerns(self, name: str) -> bool:
        """Whether a message concerns the document of this name."""
        parameters = self.content.get("params") or {}
        uri = (parameters.get("textDocument") or {}).get("uri", "")
        return str(uri).endswith(f"/{name}")


@dataclass(frozen=True, slots=True)
class Record:
    path: Path

    @contextmanager
    def holding(self, command: str) -> Iterator[None]:
        """Holds back the server's answer to this command meanwhile."""
        file = Path(f"{self.path}.held")
        # The file appears complete, because it is moved into place.
        file.with_suffix(".begun").write_text(command, encoding="utf-8")
        file.with_suffix(".begun").rename(file)
        try:
            yield
        finally:
            file.unlink()

    def messages(self) -> Iterator[Message]:
        if not self.path.exists():
            return
        for line in self.path.read_text(encoding="utf-8").splitlines():
            if line.endswith("}"):
                entry = json.loads(line)
                yield Message(entry["from"], entry["message"])

    def sent(self, method: str, name: str) -> list[dict[str, Any]]:
        """The editor's messages about a document."""
        return [
            message.content
            for message in self.messages()
            if message.sender == "client" and message.method == method and message.concerns(name)
        ]

    def answer(self, identifier: object) -> dict[str, Any] | None:
        return next(
            (
                message.content
                for message in self.messages()
                if message.sender == "server"
                and message.method is None
                and message.content.get("id") == identifier
            ),
            None,
        )

    def offered(self, name: str) -> list[str] | None:
        """The offers at the last request for a document; None if it is not answered yet.

        A restarted server gets request numbers that its predecessor has answered.
        """
        asked: object = None
        answer: dict[str, Any] | None = None
        for message in self.messages():
            if message.sender == "client" and message.method == REQUEST and message.concerns(name):
                asked, answer = message.content["id"], None
            elif asked is not None and message.sender == "server" and message.method is None:
                answer = message.content if message.content.get("id") == asked else answer
        return None if answer is None else [item["insertText"] for item in answer["result"]["items"]]

    def reports(self) -> list[dict[str, Any]]:
        """All reports of the server about its own state."""
        return [
            message.content["params"] for message in self.messages() if message.method == "didChangeStatus"
        ]

    def models(self) -> list[str]:
        """The model in each of these reports."""
        return [report["model"] for report in self.reports()]

    def statuses(self, name: str) -> list[dict[str, Any]]:
        """The server's reports about a document, and about itself."""
        return [
            report
            for report in self.reports()
            if report.get("uri") is None or str(report["uri"]).endswith(f"/{name}")
        ]
