"""The project's context for a model, kept while the user types.

A thread of its own computes it, and a request takes the present one without waiting. It is computed again
only if the document's imports have changed, the cursor is in another top-level definition, or another
document was edited. So the prompt stays the same while the user writes a function, and the network need not
read it again. A few changed lines elsewhere stay as they were in the context until there are more, except
definitions.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from fim_lsp.bounded_files import OverLimit, bounded_bytes
from fim_lsp.context.builder import ContextSources, Spot, gather_context
from fim_lsp.context.modules import NO_MODULES, Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.context.recent import Recent
from fim_lsp.context.similar import Windows
from fim_lsp.context.snippet import NOTHING, Context
from fim_lsp.declared.beside import FileLocation
from fim_lsp.document.sent import SentEdit
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.memory.workspace import MOST_BYTES
from fim_lsp.related_files.snippets import LocatedPlace, related_context
from fim_lsp.server.exclusion import path_of
from fim_lsp.server.log import log_fault
from fim_lsp.sources import decode_source
from fim_lsp.system.addresses import address_of

IMPORT = re.compile(r"^(?:from|import)\b[^\n]*", re.MULTILINE)
# Imports stand at the beginning of a file.
IMPORT_CHARACTERS = 8_000
MARGIN = ("\ndef ", "\nclass ", "\nasync def ", "\n@")
# A top-level line in other languages; in Java, whose files are classes, also a member's header.
MARGINS = {"java": re.compile(r"^(?: {2,4}|\t)?[A-Za-z@][^\n]*\{[ \t]*$", re.MULTILINE)}
AT_MARGIN = re.compile(r"^[A-Za-z@][^\n]*$", re.MULTILINE)
MOST_DOCUMENTS = 32
# The most characters in front of the cursor that are searched for such a line.
MOST_ABOVE = 20_000

# The facts that a context depends on. They must be cheap, since each request computes them.
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """A request's place, with the texts at that time."""

    spot: Spot
    key: Key
    around: ContextSources
    # The place in a document of a language other than Python.
    located: LocatedPlace | None = None


@dataclass(slots=True)
class ProjectContext:
    """The contexts of the documents. All methods are for the worker's main thread."""

    modules: Modules = NO_MODULES
    # The modules for a document, if not all folders concern it.
    modules_of: Callable[[str], Modules] | None = None
    n_scans: int = 0
    is_admitted: Callable[[str], bool] = lambda _: True
    # The editor's folders.
    folders: tuple[Path, ...] = ()
    # The seconds that a request waits for the thread: none while the user types.
    patience: float = 0.0
    recent: Recent = field(default_factory=Recent)
    _found: OrderedDict[str, tuple[Key, Context]] = field(default_factory=OrderedDict)
    _n_edited: dict[str, int] = field(default_factory=dict)
    _wanted: ContextRequest | None = None
    _wake: threading.Condition = field(default_factory=threading.Condition)
    _thread: threading.Thread | None = None
    _windows: Windows | None = None
    _outlines: dict[str, tuple[str, PythonOutline]] = field(default_factory=dict)

    def know(self, modules: Modules, modules_of: Callable[[str], Modules] | None = None) -> None:
        """Takes a new reading of the workspace."""
        self.modules, self.modules_of = modules, modules_of
        self.n_scans += 1

    def note_edits(self, uri: str, edits: tuple[SentEdit, ...]) -> None:
        """Counts the edits of a document."""
        if edits:
            self.recent.note(uri, edits[-1].start)
            self._n_edited[uri] = self._n_edited.get(uri, 0) + len(edits)

    def forget(self, uri: str | None) -> None:
        with self._wake:
            self.recent.forget(uri)
            if uri is None:
                self._found.clear()
            else:
                self._found.pop(uri, None)
            self._wanted = None

    def context(
        self,
        uri: str,
        left: str,
        right: str,
        opened: Mapping[str, str],
        known_language: KnownLanguage = PYTHON,
    ) -> Context:
        """The present context for a place; changes are computed for the next request. `opened` has the texts
        of all documents, the last viewed one at the end."""
        key = self._key(uri, left, known_language)
        with self._wake:
            known = self._found.get(uri)
            if known is None or known[0] != key:
                located = (
                    None
                    if known_language is PYTHON
                    else self._located_place(uri, left, right, opened, known_language)
                )
                spot = self._spot(uri, left, right)
                self._want(ContextRequest(spot, key, self._around(uri, opened), located))
                if self.patience:
                    self._wake.wait_for(lambda: self._wanted is None, self.patience)
                    known = self._found.get(uri)
            return NOTHING if known is None else known[1]

    def wait_until_settled(self, seconds: float) -> bool:
        """Waits until the thread is done, for callers with time: tests and the command line."""
        with self._wake:
            return self._wake.wait_for(lambda: self._wanted is None, seconds)

    def _key(self, uri: str, left: str, known_language: KnownLanguage) -> Key:
        # Regions that were edited elsewhere become snippets.
        others = sum(n_edits for name, n_edits in self._n_edited.items() if name != uri)
        header = header_above(left, known_language)
        return (self.n_scans, others, header, *IMPORT.findall(left[:IMPORT_CHARACTERS]))

    def _located_place(
        self, uri: str, left: str, right: str, opened: Mapping[str, str], known_language: KnownLanguage
    ) -> LocatedPlace:
        is_admitted = self.is_admitted
        return LocatedPlace(
            FileLocation.of(uri, opened),
            left,
            right,
            known_language,
            self.folders,
            lambda path: is_admitted(address_of(path)),
        )

    def _spot(self, uri: str, left: str, right: str) -> Spot:
        path = self._modules(uri).paths.get(uri)
        if path is None:
            path = PurePosixPath(urlsplit(uri).path.rpartition("/")[2])
        return Spot(uri, path, left, right)

    def _modules(self, uri: str) -> Modules:
        return self.modules if self.modules_of is None else self.modules_of(uri)

    def _around(self, uri: str, opened: Mapping[str, str]) -> ContextSources:
        modules = self._modules(uri)
        recent = Recent(OrderedDict(reversed(self.recent.latest())))
        shown = {name: text for name, text in opened.items() if name in modules.paths}
        return ContextSources(modules, self._text, shown, recent, repository(modules, uri))

    def _want(self, asked: ContextRequest) -> None:
        self._wanted = asked
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="project context", daemon=True)
            self._thread.start()
        self._wake.notify_all()

    # --- on the thread -----------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._wanted is not None)
                asked = self._wanted
            assert asked is not None
            context = NOTHING
            try:
                context = self._gathered_context(asked)
            except Exception as error:  # what is not told is only not known to the model
                log_fault("the project could not be looked at", error)
            with self._wake:
                uri = asked.spot.uri
                _, before = self._found.pop(uri, ((), NOTHING))
                self._found[uri] = asked.key, context.steadied_context(before)
                while len(self._found) > MOST_DOCUMENTS:
                    self._found.popitem(last=False)
                if self._wanted is asked:
                    self._wanted = None
                self._wake.notify_all()

    def _gathered_context(self, asked: ContextRequest) -> Context:
        if asked.located is not None:
            return related_context(asked.located)
        around = asked.around
        around.modules = around.modules.with_open(self._open_outlines(around.opened))
        if self._windows is None:
            self._windows = Windows(around.read)
        # Open documents are read in the editor's state.
        self._windows.read = lambda uri: around.opened.get(uri) or around.read(uri)
        return gather_context(asked.spot, around, self._windows)

    def _open_outlines(self, opened: Mapping[str, str]) -> dict[str, PythonOutline]:
        """The outlines of open documents, in the editor's state."""
        known = self._outlines
        self._outlines = {
            uri: known[uri] if uri in known and known[uri][0] == text else (text, PythonOutline.of(text))
            for uri, text in opened.items()
        }
        return {uri: outline for uri, (_, outline) in self._outlines.items()}

    def _text(self, uri: str) -> str | None:
        """A file's text; None if it may not be read."""
        path = path_of(uri)
        if path is None or not self.is_admitted(uri):
            return None
        try:
            content = bounded_bytes(path, MOST_BYTES)
            return None if content is None else decode_source(content)
        except (OverLimit, SyntaxError, LookupError, ValueError):
            return None


def header_above(left: str, known_language: KnownLanguage) -> str:
    """The first line of the top-level definition in which a text ends."""
    if known_language is PYTHON:
        definition = max(left.rfind(sign) for sign in MARGIN)
        return left[definition + 1 : left.find("\n", definition + 1)] if definition >= 0 else ""
    above = left[: left.rfind("\n") + 1][-MOST_ABOVE:]
    found = MARGINS.get(known_language.name, AT_MARGIN).findall(above)
    return found[-1] if found else ""


def repository(modules: Modules, uri: str) -> str:
    """The name of a document's workspace folder, or of the first one."""
    of_document = [(uri, modules.paths[uri])] if uri in modules.paths else []
    for name, path in [*of_document, *modules.paths.items()]:
        parts = urlsplit(name).path.split("/")
        return parts[-len(path.parts) - 1] if len(parts) > len(path.parts) else ""
    return ""
