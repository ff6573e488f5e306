"""An editor with one document, in real time: it sends the server what editors send, when they send it.

A request goes out at the jump and at once behind each key; the older request is cancelled if it is under way.
If the range of an item covers more than the cursor, only the new part counts. When an item is accepted whole,
its command is run. The editor inserts no imports, and neither does the one with endless patience.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from fim_lsp.positions import Lines, Position
from fim_lsp.replay.typing.clock.conversation import SECONDS, Broken, Conversation, SentRequest
from fim_lsp.replay.typing.clock.processes import processor_seconds
from fim_lsp.replay.typing.clock.typist import Arrival

# The capabilities of this editor. Positions are counted in characters.
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-32"]},
    "textDocument": {"inlineCompletion": {}},
}
STATUS = "didChangeStatus"
# The kind of an automatic request; no other is sent, as the typist asks for nothing explicitly.
AUTOMATIC = 2
# The seconds of a look, and the most of them that the server computes once it has read the folder.
QUIET_SECONDS, QUIET_SHARE = 0.5, 0.05
# The most seconds to wait for that, and the seconds to wait where the computing time is unknown.
LONGEST_UNREST, UNKNOWN_UNREST = 120.0, 5.0


@dataclass(slots=True)
class RealEditor:
    """`typist.TypingEditor` at the end of a line to a server."""

    conversation: Conversation
    uri: str = ""
    text: str = ""
    cursor: int = 0
    _version: int = 0
    _request: SentRequest | None = None
    # The command of the latest item.
    _command: dict[str, Any] | None = None
    _model: asyncio.Future[str] = field(init=False)

    def __post_init__(self) -> None:
        self._model = asyncio.get_running_loop().create_future()
        self.conversation.on_notification = self._take_notification

    async def begin(self, folder: Path, settings: dict[str, Any]) -> str:
        """Opens a folder, and waits until the model is loaded and the folder has been read. The fault of the
        model; empty if there is none."""
        workspace = {"uri": folder.as_uri(), "name": folder.name}
        await self.conversation.result(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "workspaceFolders": [workspace],
                "capabilities": CAPABILITIES,
                "initializationOptions": {**settings, STATUS: True},
            },
        )
        self.conversation.notify("initialized", {})
        try:
            complaint = await asyncio.wait_for(self._model, SECONDS)
        except asyncio.TimeoutError:
            raise Broken(f"no model was there after {SECONDS:.0f} s") from None
        if not complaint:
            await self._await_rest()
        return complaint

    def open(self, uri: str, text: str) -> None:
        self.uri, self.text, self._version = uri, text, 1
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.conversation.notify("textDocument/didOpen", {"textDocument": document})
        self.conversation.notify("textDocument/didFocus", {"textDocument": {"uri": uri}})

    def go(self, place: int) -> None:
        """Moves the cursor. Editors tell the server only by the position of a request."""
        self.cursor = place

    def close(self) -> None:
        self._cancel()
        self.conversation.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    # --- what the typist needs ---------------------------------------------------------------------------

    def now(self) -> float:
        return perf_counter()

    def ask(self) -> None:
        self._cancel()
        self._command = None
        here = Lines(self.text).position(self.cursor)
        self._request = self.conversation.ask(
            "textDocument/inlineCompletion",
            {
                "textDocument": {"uri": self.uri},
                "position": {"line": here.line, "character": here.column},
                "context": {"triggerKind": AUTOMATIC},
            },
        )

    async def until(self, at: float) -> Arrival | None:
        await asyncio.sleep(max(at - perf_counter(), 0.0))
        request = self._request
        if request is None or not request.future.done():
            if self.conversation.process.returncode is not None:
                raise Broken("the server has ended")
            return None
        answer = request.future.result()
        if answer.error is not None:
            raise Broken(f"inlineCompletion: {answer.error.get('message')}")
        items = answer.result["items"] if isinstance(answer.result, dict) else answer.result or []
        self._command = items[0].get("command") if items else None
        return Arrival(answer.at, self._offered(items[0]) if items else "")

    def write(self, text: str, *, is_accepted: bool) -> None:
        here = Lines(self.text).position(self.cursor)
        place = {"line": here.line, "character": here.column}
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)
        self._version += 1
        self.conversation.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self._version},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": text}],
            },
        )
        if is_accepted and self._command is not None:
            named = {"command": self._command["command"], "arguments": self._command.get("arguments")}
            self.conversation.ask("workspace/executeCommand", named)

    def processor_seconds(self) -> float | None:
        return processor_seconds(self.conversation.process.pid)

    # --- inside ------------------------------------------------------------------------------------------

    def _offered(self, item: dict[str, Any]) -> str:
        """The text that an item would insert at the cursor; empty if it changes the text around it."""
        new = item["insertText"]
        text: str = new if isinstance(new, str) else new["value"]
        span = item.get("range")
        if span is None:
            return text
        lines = Lines(self.text)
        start, stop = (
            lines.offset(Position(end["line"], end["character"])) for end in (span["start"], span["end"])
        )
        before, behind = self.text[start : self.cursor], self.text[self.cursor : stop]
        is_around = start <= self.cursor <= stop and len(text) >= len(before) + len(behind)
        if not (is_around and text.startswith(before) and text.endswith(behind)):
            return ""
        return text[len(before) : len(text) - len(behind)]

    def _cancel(self) -> None:
        if self._request is not None and not self._request.future.done():
            self.conversation.cancel(self._request)
        self._request = None

    def _take_notification(self, method: str, params: Any) -> None:
        if method == STATUS and not self._model.done():
            if params.get("kind") == "Error":
                self._model.set_result(params.get("message") or "no model")
            elif params.get("model") is not None and not params.get("busy"):
                self._model.set_result("")

    async def _await_rest(self) -> None:
        """Waits until the server computes little: then it has read the folder."""
        before, began = self.processor_seconds(), perf_counter()
        if before is None:
            await asyncio.sleep(UNKNOWN_UNREST)
            return
        while perf_counter() - began < LONGEST_UNREST:
            await asyncio.sleep(QUIET_SECONDS)
            now = self.processor_seconds()
            if now is None or now - before < QUIET_SHARE * QUIET_SECONDS:
                return
            before = now
