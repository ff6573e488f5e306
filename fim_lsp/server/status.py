"""The status: idle, busy, disabled with a reason, or an error.

`kind`, `busy` and `message` are as in the same notification of Copilot's server, so its clients work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fim_lsp.server.worker.messages import Reason, Rung

STATUS_METHOD = "didChangeStatus"
# The method for editors that have not announced support: LSP lets them ignore `$/`.
OPTIONAL_STATUS_METHOD = "$/didChangeStatus"

State = Literal["idle", "busy", "disabled", "error"]
Kind = Literal["Normal", "Inactive", "Warning", "Error"]


@dataclass(frozen=True, slots=True)
class Status:
    state: State
    kind: Kind
    message: str = ""
    uri: str | None = None

    def as_json(self, model: str | None) -> dict[str, object]:
        return {
            "state": self.state,
            "kind": self.kind,
            "busy": self.state == "busy",
            "message": self.message,
            "model": model,
            "uri": self.uri,
        }


SENTENCES: dict[Reason, str] = {
    "broken": "The code before the cursor has an error that no text here can repair.",
    "cancelled": "The request was cancelled.",
    "command": "The line is a command of IPython, not Python.",
    "comment": "The cursor is in a comment or a docstring; the setting inComments is off.",
    "disabled": "Completions are switched off.",
    "encoding": "The document contains bytes that are not text.",
    "excluded": "The file is excluded.",
    "language": "There is no grammar for this language yet.",
    "manual": "Completions come only when you ask; the setting manualOnly is on.",
    "model lacks language": "The model does not know this language, and your files suggest nothing sure.",
    "model loading": "The model is loading; until then, only open brackets and quotes are closed.",
    "model silent": "The model has nothing to add here.",
    "no model": "No model is loaded, and closing brackets and quotes is not enough here.",
    "not open": "The editor has not opened this document.",
    "out of step": "The server's copy of the document differs from the editor's: save or reopen the file.",
    "overtaken": "The document changed before the completion was ready.",
    "parses": "The file already parses, and no model is loaded to write more.",
    "time": "No completion was ready within the time budget.",
    "too large": "The document is larger than the setting maxDocumentKilobytes.",
    "trifling": "The likely completion is too short or only repeats the code; ask explicitly to see it.",
    "unsure": "The likeliest completion is too unsure to be offered; ask explicitly to see it.",
    "undeclared": "The likely completions use names that are declared nowhere.",
    "tree": "Every text that fits here would break the file somewhere else.",
    "unreachable": "The model's server did not answer correctly; see the log.",
    "worker": "The model worker is not running; see the log.",
}
RUNG_SENTENCES: dict[Rung, str] = {
    "file": "The completion fits the whole file.",
    "unfinished": "The `try` around the cursor has no `except` yet; the completion fits the file with one.",
    "set aside": "The file has errors elsewhere; the completion fits the rest of it.",
    "enclosing": "The file has errors near the cursor; the completion fits the function or class around it.",
    "left": "The code behind the cursor has errors; the completion fits the code in front of it.",
    "unread": "The text behind the cursor has too many readings; the completion fits a part of the file.",
}
# Reasons that last until the user acts.
DISABLING: frozenset[Reason] = frozenset({"disabled", "excluded", "language", "too large", "manual"})
BROKEN: frozenset[Reason] = frozenset({"broken", "tree", "out of step", "encoding"})


def status_of(reason: Reason | None, rung: Rung | None, detail: str, uri: str | None) -> Status:
    """The status after a request."""
    sentence = detail or (SENTENCES[reason] if reason else "")
    if reason in DISABLING:
        return Status("disabled", "Inactive", sentence, uri)
    if reason == "worker":
        return Status("error", "Error", sentence, uri)
    if reason in BROKEN:
        return Status("idle", "Warning", with_rung(sentence, rung), uri)
    if reason is None and rung not in (None, "file"):
        return Status("idle", "Normal", with_rung(detail, rung), uri)
    return Status("idle", "Normal", sentence, uri)


def refused_sentence(refused: Sequence[str]) -> str:
    """The reason for a model's silence if it wanted a name that does not exist: "`foo` is not defined
    here"."""
    return " ".join([SENTENCES["model silent"], f"Refused: {'; '.join(refused)}."]) if refused else ""


def with_rung(sentence: str, rung: Rung | None) -> str:
    return " ".join(part for part in (sentence, RUNG_SENTENCES[rung] if rung else "") if part)


class StatusBoard:
    """Sends the status when it changes."""

    def __init__(self, send: Callable[[dict[str, object]], None]) -> None:
        self._send = send
        self._shown: dict[str, object] = {}
        self.model: str | None = None
        # A lasting fault, such as a model that cannot be loaded.
        self.complaint = ""
        # A note on a model that works.
        self.note = ""

    def show(self, status: Status) -> None:
        if self.complaint and status.state == "idle" and not status.message:
            status = replace(status, kind="Warning", message=self.complaint)
        elif self.note and status.state == "idle" and not status.message:
            status = replace(status, message=self.note)
        shown = status.as_json(self.model)
        if shown != self._shown:
            self._shown = shown
            self._send(shown)
