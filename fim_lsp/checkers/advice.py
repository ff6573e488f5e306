"""Questions of a request to a type checker: which members stand behind a dot, and what is wrong with a text.

The checker sees the document with a text in its hole, as if the user had typed it. For all answers of a
request together, the server waits a few milliseconds, or half as long as the model has taken by then, since
on a busy machine both are slow. Later answers are of no use.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from fim_lsp.checkers.finding import checker_of
from fim_lsp.checkers.process import CheckerProcess
from fim_lsp.positions import Lines, Position
from fim_lsp.system.addresses import path_at

# The wait for all answers of a request, at least and at most; in between, the share of the time that the
# request took without waiting. ty takes 3 ms at the median and 8 at the 95th percentile in a file that it
# knows, and twice to ten times as long where both cores are busy. A user who asks explicitly waits longer.
LEAST_WAITED_SECONDS, MOST_WAITED_SECONDS, SHARE_WAITED = 0.03, 0.15, 0.5
PATIENCE_OF_WHO_ASKS = 5.0
# The number of late answers in a row behind which no more than the least is waited.
MOST_LATE = 3
# The most starts of a checker in a folder; then it is left alone.
MOST_STARTS = 3
MOST_DOCUMENTS = 8
ERROR = 1
# Complaints that something is not installed here, which the checker cannot blame on an offer.
NOT_INSTALLED = re.compile(r"import", re.IGNORECASE)
# A longer list may have been cut.
MOST_MEMBERS = 900
NAME = re.compile(r"[^\W\d]\w*")
# A dot, and the word that was begun behind it. Behind a number, a fraction follows.
BEGUN = re.compile(r"(?<=[\w)\]}\"'])\.(\w*)\Z")
# The place behind a fault's last dot, where an attribute begins.
LAST_ATTRIBUTE = re.compile(r"\.\s*(?=\w+\s*$)")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A part of a text that a checker is against, and why. Offsets are characters of the text."""

    start: int
    stop: int
    words: str
    # The place of a name that is no member of the object in front of its dot.
    attribute: int | None = None
    # Whether it is a name of the text's own choice: any other one would do.
    is_chosen: bool = False


@dataclass(slots=True)
class CheckedDocument:
    """A document as the checker knows it."""

    uri: str
    version: int
    text: str


@dataclass(slots=True)
class Checkers:
    """The checkers of the folders that are trusted. Only the worker's main thread comes here."""

    folders: tuple[str, ...] = ()
    patience: float = 1.0
    find: Callable[[Path], Any] = checker_of
    n_late: int = 0
    _processes: dict[str, CheckerProcess | None] = field(default_factory=dict)
    _n_starts: dict[str, int] = field(default_factory=dict)
    _shown: OrderedDict[str, CheckedDocument] = field(default_factory=OrderedDict)

    def trust(self, folders: tuple[str, ...]) -> None:
        """These folders' checkers may run, and no others."""
        for folder in set(self.folders) - set(folders):
            if (process := self._processes.pop(folder, None)) is not None:
                process.end()
        if folders != self.folders:
            self._shown.clear()
        self.folders = folders

    def end(self) -> None:
        self.trust(())

    def prepare(self, uri: str, text: str) -> None:
        """Has the checker read a document before it is asked about it. No request waits for that."""
        process = self._process_for(uri)
        if process is not None:
            shown = self.show(process, uri, text)
            # The checker reads on what the document imports, so that the next answer is quick.
            process.ask("textDocument/diagnostic", {"textDocument": {"uri": shown.uri}})

    def advice(self, uri: str, left: str, right: str, is_asked: bool) -> Advice | None:
        """The adviser on texts for a hole; None where there is no checker."""
        process = self._process_for(uri)
        if process is None or not process.is_ready.is_set():
            return None
        patience = self.patience * (PATIENCE_OF_WHO_ASKS if is_asked else 1.0)
        advice = Advice(self, process, uri, left, right, patience)
        advice.begin()
        return advice

    def close(self, uri: str) -> None:
        shown = self._shown.pop(uri, None)
        process = self._process_for(uri, may_start=False)
        if shown is not None and process is not None:
            process.notify("textDocument/didClose", {"textDocument": {"uri": shown.uri}})

    def errors(self, process: CheckerProcess, uri: str, text: str) -> Future[Any] | None:
        """The errors of a document with this text, to come."""
        shown = self.show(process, uri, text)
        if not process.has_pull:
            return process.errors_of(shown.uri, shown.version)
        return process.ask("textDocument/diagnostic", {"textDocument": {"uri": shown.uri}})

    def members(self, process: CheckerProcess, uri: str, text: str, at: Position) -> Future[Any] | None:
        shown = self.show(process, uri, text)
        place = {"line": at.line, "character": at.column}
        return process.ask("textDocument/completion", {"textDocument": {"uri": shown.uri}, "position": place})

    def show(self, process: CheckerProcess, uri: str, text: str) -> CheckedDocument:
        """Has the checker know a document with this text."""
        shown = self._shown.pop(uri, None)
        if shown is None:
            shown = CheckedDocument(uri, 1, text)
            item = {"uri": shown.uri, "languageId": "python", "version": 1, "text": text}
            process.notify("textDocument/didOpen", {"textDocument": item})
        elif shown.text != text:
            shown = CheckedDocument(uri, shown.version + 1, text)
            identifier = {"uri": shown.uri, "version": shown.version}
            change = {"textDocument": identifier, "contentChanges": [{"text": text}]}
            process.notify("textDocument/didChange", change)
        self._shown[uri] = shown
        while len(self._shown) > MOST_DOCUMENTS:
            self.close(next(iter(self._shown)))
        return shown

    def _process_for(self, uri: str, may_start: bool = True) -> CheckerProcess | None:
        folder = self._folder_of(uri)
        if folder is None:
            return None
        process = self._processes.get(folder)
        if process is not None and process.is_over:
            process = self._processes[folder] = None
            self._shown.clear()
        if process is None and may_start and self._n_starts.get(folder, 0) < MOST_STARTS:
            self._n_starts[folder] = self._n_starts.get(folder, 0) + 1
            checker = self.find(Path(folder))
            try:
                process = None if checker is None else CheckerProcess(checker, Path(folder))
            except OSError:
                process = None
            self._processes[folder] = process
        return process

    def _folder_of(self, uri: str) -> str | None:
        """The innermost of the folders that a document is in."""
        parts = urlsplit(uri)
        if parts.scheme != "file":
            return None
        path = path_at(unquote(parts.path))
        around = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(around, key=len, default=None)


@dataclass(slots=True)
class Advice:
    """The questions about one hole."""

    checkers: Checkers
    process: CheckerProcess
    uri: str
    left: str
    right: str
    # The factor by which answers are waited for longer than usual.
    patience: float = 1.0
    began: float = field(default_factory=time.perf_counter)
    waited: float = 0.0
    # The part of a name between a dot and the cursor, and the members that may come there: they are on their
    # way while the prompt is read.
    _begun: str | None = None
    _at_cursor: Future[Any] | None = None

    @property
    def who(self) -> str:
        return self.process.name

    def diagnostics(self, text: str) -> Sequence[Diagnostic] | None:
        """The faults of a text in the hole, as far as it stands there; None where there is no answer."""
        whole = self.left + text + self.right
        match self._answer_in_time(self.checkers.errors(self.process, self.uri, whole)):
            case {"items": list(items)}:
                lines, start = Lines(whole), len(self.left)
                found = (wrong_in(lines, one, start, start + len(text)) for one in items)
                return sorted((one for one in found if one is not None), key=lambda one: one.start)
        return None

    def members(self, text: str) -> frozenset[str] | None:
        """The names that may follow a text that ends with a dot; None where there is no answer."""
        return members_of(self._answer_in_time(self._members_behind(self.left + text)))

    def begin(self) -> None:
        """Asks ahead for the members at the cursor, where it is behind a dot."""
        begun = BEGUN.search(self.left)
        if begun is not None:
            self._begun = begun[1]
            self._at_cursor = self._members_behind(self.left[: len(self.left) - len(begun[1])])

    def members_at_cursor(self) -> tuple[str, frozenset[str]] | None:
        """The part of a name between a dot and the cursor behind it, and the members that may come."""
        members = members_of(self._answer_in_time(self._at_cursor))
        return None if self._begun is None or members is None else (self._begun, members)

    def _members_behind(self, left: str) -> Future[Any] | None:
        place = Lines(left).position(len(left), "utf-16")
        return self.checkers.members(self.process, self.uri, left + self.right, place)

    @property
    def left_to_wait(self) -> float:
        """Seconds that answers may still be waited for."""
        share = SHARE_WAITED * (time.perf_counter() - self.began - self.waited)
        most = LEAST_WAITED_SECONDS if self.checkers.n_late >= MOST_LATE else MOST_WAITED_SECONDS
        whole = min(max(share, LEAST_WAITED_SECONDS), most)
        return whole * self.patience - self.waited

    def _answer_in_time(self, answer: Future[Any] | None) -> Any:
        """An answer, if it comes in time."""
        if answer is None or (left := self.left_to_wait) <= 0:
            return None
        start = time.perf_counter()
        try:
            found = answer.result(left)
        except NotYet:
            self.checkers.n_late += 1
            return None
        else:
            self.checkers.n_late = 0
            return found
        finally:
            self.waited += time.perf_counter() - start


def members_of(answer: Any) -> frozenset[str] | None:
    """The names of a list of completions; None if the object in front of the dot is not known."""
    items = answer.get("items") if isinstance(answer, dict) else answer
    # ty and pyright call each list incomplete, since they sort it anew with each key; behind a dot it is not.
    if not isinstance(items, list) or len(items) > MOST_MEMBERS:
        return None
    labels = (item.get("label") for item in items if isinstance(item, dict))
    names = frozenset(found[0] for label in labels if isinstance(label, str) and (found := NAME.match(label)))
    return names or None


def wrong_in(lines: Lines, diagnostic: Any, start: int, stop: int) -> Diagnostic | None:
    """A diagnostic as something wrong between two offsets; None if it is none, or stands elsewhere."""
    match diagnostic:
        case {
            "range": {
                "start": {"line": int(first), "character": int(column)},
                "end": {"line": int(last), "character": int(end)},
            },
            "message": str(words),
            **rest,
        }:
            if rest.get("severity", ERROR) != ERROR or NOT_INSTALLED.search(str(rest.get("code", ""))):
                return None
            begin = lines.offset(Position(max(first, 0), max(column, 0)), "utf-16")
            behind = lines.offset(Position(max(last, 0), max(end, 0)), "utf-16")
            if not start <= begin < stop:
                return None
            part = lines.text[begin : min(behind, stop)]
            dot = LAST_ATTRIBUTE.search(part)
            attribute = begin + dot.end() - start if dot is not None else None
            if dot is None and begin and lines.text[begin - 1] == "." and part.isidentifier():
                attribute = begin - start
            message = words.splitlines()[0] if words else ""
            return Diagnostic(begin - start, min(behind, stop) - start, message, attribute)
    return None
