"""An editor with texts and a computation of positions of its own, so that its agreement with the server is
meaningful."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.sessions.client import Answer, Client

LINE_END = re.compile("\r\n|\n|\r")
UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


@dataclass(frozen=True, slots=True)
class Item:
    """A completion as the editor would apply it: offsets and a text."""

    start: int
    stop: int
    text: str
    number: int | None = None

    def applied(self, text: str) -> str:
        return text[: self.start] + self.text + text[self.stop :]


@dataclass
class Buffer:
    """One open document of the editor."""

    uri: str
    text: str
    version: int = 1
    cursor: int = 0
    undo: list[tuple[str, int]] = field(default_factory=list)


class Editor:
    """Opens, edits and completes documents, and notifies a server as an editor does."""

    def __init__(self, client: Client, encoding: str = "utf-16") -> None:
        self.client = client
        self.encoding = encoding
        self.buffers: dict[str, Buffer] = {}

    # --- positions ---------------------------------------------------------------------------------------

    def position(self, text: str, offset: int) -> dict[str, int]:
        # A cursor between CR and LF is at the end of the line.
        stop = offset - (text[max(offset - 1, 0) : offset + 1] == "\r\n")
        # The search runs in C, because a large text is asked about with every key.
        line_start = max(text.rfind("\n", 0, stop), text.rfind("\r", 0, stop)) + 1
        n_pairs = text.count("\r\n", 0, stop) if "\r" in text else 0
        n_lines = text.count("\n", 0, stop) + text.count("\r", 0, stop) - n_pairs
        column = len(text[line_start:stop].encode(CODECS[self.encoding]))
        return {"line": n_lines, "character": column // UNIT_BYTES[self.encoding]}

    def range(self, text: str, start: int, stop: int) -> dict[str, Any]:
        return {"start": self.position(text, start), "end": self.position(text, stop)}

    def offset(self, text: str, position: dict[str, int]) -> int:
        starts = [0, *(found.end() for found in LINE_END.finditer(text))]
        start = starts[position["line"]]
        stop = len(text) if position["line"] + 1 == len(starts) else starts[position["line"] + 1]
        line = text[start:stop].rstrip("\r\n")
        units = line.encode(CODECS[self.encoding])[: position["character"] * UNIT_BYTES[self.encoding]]
        return start + len(units.decode(CODECS[self.encoding]))

    # --- documents ---------------------------------------------------------------------------------------

    def open(self, uri: str, text: str, language: str = "python") -> Buffer:
        self.client.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}},
        )
        buffer = self.buffers[uri] = Buffer(uri, text)
        return buffer

    def close(self, buffer: Buffer) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": buffer.uri}})
        del self.buffers[buffer.uri]

    def save(self, buffer: Buffer) -> None:
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": buffer.uri}, "text": buffer.text})

    def edit(self, buffer: Buffer, *edits: tuple[int, int, str]) -> None:
        """Consecutive replacements in one message."""
        buffer.undo.append((buffer.text, buffer.cursor))
        buffer.version += 1
        changes = []
        for start, stop, new in edits:
            changes.append({"range": self.range(buffer.text, start, stop), "text": new})
            buffer.text = buffer.text[:start] + new + buffer.text[stop:]
            buffer.cursor = start + len(new)
        self._did_change(buffer, changes)

    def type(self, buffer: Buffer, text: str) -> None:
        self.edit(buffer, (buffer.cursor, buffer.cursor, text))

    def undo(self, buffer: Buffer) -> None:
        """Restores the text before the last edit, with a single replacement."""
        if not buffer.undo:
            return
        old, cursor = buffer.undo.pop()
        text = buffer.text
        front = 0
        while front < min(len(old), len(text)) and old[front] == text[front]:
            front += 1
        back = 0
        while back < min(len(old), len(text)) - front and old[-1 - back] == text[-1 - back]:
            back += 1
        # CR LF is one line end; a range that begins inside it would mean its beginning.
        front -= front > 0 and text[front - 1 : front] == "\r"
        back -= back > 0 and text[len(text) - back : len(text) - back + 1] == "\n"
        buffer.version += 1
        change = {
            "range": self.range(text, front, len(text) - back),
            "text": old[front : len(old) - back],
        }
        buffer.text, buffer.cursor = old, cursor
        self._did_change(buffer, [change])

    def replace_all(self, buffer: Buffer, text: str) -> None:
        buffer.version += 1
        buffer.text = text
        self._did_change(buffer, [{"text": text}])

    def _did_change(self, buffer: Buffer, changes: list[dict[str, Any]]) -> None:
        self.client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": buffer.uri, "version": buffer.version}, "contentChanges": changes},
        )

    # --- completions -------------------------------------------------------------------------------------

    def inline_params(self, buffer: Buffer, invoked: bool = False, **more: Any) -> dict[str, Any]:
        return {
            "textDocument": {"uri": buffer.uri},
            "position": self.position(buffer.text, buffer.cursor),
            "context": {"triggerKind": 1 if invoked else 2},
            **more,
        }

    async def complete(self, buffer: Buffer, invoked: bool = False, **more: Any) -> list[Item]:
        answer = await self.client.answer(
            "textDocument/inlineCompletion", self.inline_params(buffer, invoked, **more)
        )
        assert answer.error is None, answer.error
        return self.items(buffer, answer)

    def items(self, buffer: Buffer, answer: Answer) -> list[Item]:
        """The items of an answer, whose ranges refer to the present text."""
        assert answer.result is not None, "a null result leaves stale text in Neovim"
        items = []
        for item in answer.result["items"]:
            span = item["range"]
            assert span["start"]["line"] == span["end"]["line"], "LSP wants ranges on one line"
            start, stop = (self.offset(buffer.text, span[end]) for end in ("start", "end"))
            arguments = item.get("command", {}).get("arguments") or [None]
            items.append(Item(start, stop, item["insertText"], arguments[0]))
        return items

    def accept(self, buffer: Buffer, item: Item) -> None:
        self.edit(buffer, (item.start, item.stop, item.text))


def opened(editor: Editor, uri: str, marked: str, language: str = "python") -> Buffer:
    """A document with the cursor at `$0`."""
    before, _, behind = marked.partition("$0")
    buffer = editor.open(uri, before + behind, language)
    buffer.cursor = len(before)
    return buffer


async def texts(editor: Editor, buffer: Buffer, **more: Any) -> list[str]:
    return [item.text for item in await editor.complete(buffer, **more)]
