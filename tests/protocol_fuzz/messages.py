"""Messages to send: valid ones, random ones, and slightly damaged ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

URIS = [
    "file:///fuzz/a.py",
    "file:///fuzz/b.py",
    "untitled:c",
    "file:///fuzz/.env",
    "",
    "no uri",
    "file:///%00",
]
LANGUAGES = ["python", "python", "python", "go", ""]
TEXTS = [
    "",
    "f(",
    "x = [1,\n",
    "def f():\n    \n",
    "😀 = '\r\n\r\u2028",
    "if x = 1:\n\ty\n",
    "\ud800",
    "'" * 7,
    "\ufeffx\n" * 9,
]
WORDS = ["a", "(", ")", "\n", "\r", "😀", "    ", "x = 1\n", "", "\x00", "def f(", "#", "'''", "\ud83d"]
NUMBERS: list[Any] = [0, 0, 1, 1, 2, 3, 7, 100, 2**31, 2**53, 10**30, -1, 1.5, 1e308, True, None, "1", [], {}]
METHODS = [
    "no/such",
    "$/setTrace",
    "$/unknown",
    "window/workDoneProgress/cancel",
    "textDocument/hover",
    "initialized",
]
COMMANDS = [
    "toggle",
    "explain",
    "clearCache",
    "statistics",
    "serverLog",
    "didAccept",
    "didAcceptEdit",
    "didRefuseEdit",
    "nothing",
]
NOTIFICATIONS = [
    "textDocument/didSave",
    "textDocument/didFocus",
    "textDocument/didShowCompletion",
    "textDocument/didShowInlineEdit",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "workspace/didChangeConfiguration",
]
BYTES = [
    b"{",
    b"}",
    b'"',
    b"\\u",
    b"\xff",
    b"\x00",
    b",",
    b"[",
    b"1e999",
    b"null",
    b"NaN",
    b"\xed\xa0\x80",
    b" ",
]
MAX_SPOILT = 4


class Messages:
    """Bodies, one after the other, the same for the same seed."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self._numbers = 1000
        self._ids: list[Any] = [1]
        self._kinds: list[tuple[int, Callable[[], Any]]] = [
            (20, self.change),
            (12, self.inline),
            (4, self.popup),
            (4, self.inline_edit),
            (2, self.code_action),
            (6, self.command),
            (6, self.opened),
            (3, self.closed),
            (4, self.notification),
            (4, self.cancel),
            (4, self.unknown),
            (4, self.answer),
            (1, self.initialize),
            (4, self.nonsense),
        ]

    def body(self) -> bytes:
        """A message; one in ten is damaged."""
        weights, kinds = zip(*self._kinds, strict=True)
        message = self.source.choices(kinds, weights)[0]()
        if isinstance(message, dict) and self.source.random() < 0.98:
            message = {"jsonrpc": "2.0", **message}
        body = json.dumps(message, ensure_ascii=self.source.random() < 0.5).encode(errors="surrogatepass")
        return self.spoilt(body) if self.source.random() < 0.1 else body

    def spoilt(self, body: bytes) -> bytes:
        for _ in range(self.source.randint(1, MAX_SPOILT)):
            place = self.source.randrange(len(body) + 1)
            behind = place + self.source.choice([0, 0, 1, 2, len(body)])
            body = body[:place] + self.source.choice([b"", *BYTES]) + body[behind:]
        return body

    # --- the parts of messages ---------------------------------------------------------------------------

    def number(self) -> Any:
        """An id: mostly a new one, else one in use, or one that JSON-RPC does not allow."""
        self._numbers += 1
        new = self.source.choice([self._numbers, str(self._numbers), -self._numbers, f"😀{self._numbers}"])
        kind = self.source.random()
        if kind < 0.05:
            return self.source.choice([None, 1.5, True, [], {}, [1], "", 2**70])
        if kind < 0.1:
            return self.source.choice(self._ids)
        self._ids = [*self._ids[-20:], new]
        return new

    def uri(self) -> Any:
        return self.source.choice(URIS) if self.source.random() < 0.97 else self.source.choice(NUMBERS)

    def position(self) -> Any:
        if self.source.random() < 0.03:
            return self.source.choice(NUMBERS)
        axis = [*range(6)] if self.source.random() < 0.8 else NUMBERS
        return {"line": self.source.choice(axis), "character": self.source.choice(axis)}

    def document(self) -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri()}}

    def here(self) -> dict[str, Any]:
        return {**self.document(), "position": self.position()}

    def request(self, method: str, params: Any) -> dict[str, Any]:
        return {"id": self.number(), "method": method, "params": params}

    # --- messages ----------------------------------------------------------------------------------------

    def inline(self) -> Any:
        context: Any = {"triggerKind": self.source.choice([0, 1, 2, 1, 2, *NUMBERS])}
        if self.source.random() < 0.1:
            span = {"start": self.position(), "end": self.position()}
            context["selectedCompletionInfo"] = {"range": span, "text": self.source.choice(TEXTS)}
        more = {"partialResultToken": self.number()} if self.source.random() < 0.1 else {}
        return self.request("textDocument/inlineCompletion", {**self.here(), "context": context, **more})

    def popup(self) -> Any:
        return self.request("textDocument/completion", self.here())

    def inline_edit(self) -> Any:
        here = self.here()
        here["textDocument"]["version"] = self.source.choice([5, 6, 7, None, *NUMBERS])
        return self.request("textDocument/copilotInlineEdit", here)

    def code_action(self) -> Any:
        span = {"start": self.position(), "end": self.position()}
        context: Any = {"diagnostics": [], "only": self.source.choice([None, ["quickfix"], [""], *NUMBERS])}
        return self.request("textDocument/codeAction", {**self.document(), "range": span, "context": context})

    def command(self) -> Any:
        name = self.source.choice(COMMANDS)
        arguments: Any = [self.source.choice([self.uri(), self.position(), True, *NUMBERS]) for _ in range(2)]
        if self.source.random() < 0.5:
            arguments = self.source.choice([[], None, [self.uri()], [self.uri(), self.position()], [True]])
        # If completion stayed off, no request would have an offer.
        arguments = [True] if name == "toggle" else arguments
        return self.request(
            "workspace/executeCommand", {"command": f"fim-lsp.{name}", "arguments": arguments}
        )

    def opened(self) -> Any:
        text = self.source.choice(TEXTS) * self.source.choice([1, 1, 1, 50])
        item = {
            "languageId": self.source.choice(LANGUAGES),
            "version": self.source.choice(NUMBERS),
            "text": text,
        }
        return {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": self.uri(), **item}}}

    def change(self) -> Any:
        def one() -> dict[str, Any]:
            text = {"text": "".join(self.source.choices(WORDS, k=self.source.randrange(3)))}
            if self.source.random() < 0.1:
                return text
            return {"range": {"start": self.position(), "end": self.position()}, **text}

        changes: Any = [one() for _ in range(self.source.choice([1, 1, 1, 0, 3]))]
        if self.source.random() < 0.02:
            changes = self.source.choice(NUMBERS)
        identifier = {"uri": self.uri(), "version": self.source.choice([5, 6, 7, None, *NUMBERS])}
        params = {"textDocument": identifier, "contentChanges": changes}
        return {"method": "textDocument/didChange", "params": params}

    def closed(self) -> Any:
        return {"method": "textDocument/didClose", "params": self.document()}

    def notification(self) -> Any:
        event: dict[str, Any] = {"added": [], "removed": []}
        params: dict[str, Any] = {
            **self.document(),
            "changes": [],
            "event": event,
            "text": self.source.choice(TEXTS),
        }
        settings = {"timeBudget": self.source.choice([50, 800, *NUMBERS]), "exclude": ["b.py"]}
        params |= {"settings": self.source.choice([settings, {}, None])}
        return {"method": self.source.choice(NOTIFICATIONS), "params": params}

    def cancel(self) -> Any:
        number = self.source.choice([*self._ids, *NUMBERS])
        return {"method": "$/cancelRequest", "params": {"id": number}}

    def unknown(self) -> Any:
        params: Any = self.source.choice([None, {}, [], {"type_name": "a b"}, 5, self.here()])
        message: dict[str, Any] = {"method": self.source.choice(METHODS), "params": params}
        return self.source.choice([message, {"id": self.number(), **message}])

    def answer(self) -> Any:
        """An answer to a question that the server never asked, or with one of the client's own ids."""
        said: Any = self.source.choice(
            [{"result": None}, {"error": {"code": 1, "message": ""}}, {"error": 1}]
        )
        return {"id": self.source.choice([self.number(), *self._ids]), **said}

    def initialize(self) -> Any:
        return self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    def nonsense(self) -> Any:
        return self.source.choice(
            [*NUMBERS, [{}], {"method": 5}, {"id": 1}, {"id": 7, "method": None}, "x" * 500]
        )
