"""Open documents of the server, instead of pygls' own.

pygls finds lines with `str.splitlines`, which also breaks at form feeds, U+2028 and others, so that later
edits land on the wrong line; and it splits the text again at each call. A `Document` keeps LSP's lines and
searches only the edited part. Each state is an immutable `Snapshot`. The latest edits are remembered, so that
the worker gets them instead of the whole text. A text too long to be completed has another form
(`long_text.py`), and its snapshots are empty.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from fim_lsp.document.sent import SentEdit
from fim_lsp.positions import Lines, Position, Units
from fim_lsp.server.long_text import LongText
from fim_lsp.server.notebooks import Cell, Notebooks
from fim_lsp.server.settings import Settings

logger = logging.getLogger(__name__)

# If the worker is more edits behind, it gets the whole text. A burst of typing has fewer.
MAX_REMEMBERED_EDITS = 512
MAX_REMEMBERED_CHARACTERS = 1 << 18

# The limit until the settings say otherwise.
DEFAULT_MAX_CHARACTERS = Settings().max_characters

Identifier = types.VersionedTextDocumentIdentifier | types.OptionalVersionedTextDocumentIdentifier


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document at the time of a request. Later edits make a new snapshot."""

    uri: str
    version: int | None
    language_id: str | None
    lines: Lines
    units: Units
    # Counts the edits since the document was opened. Versions may repeat or be missing; this number does not.
    serial: int = 0

    @property
    def text(self) -> str:
        return self.lines.text

    def offset(self, position: types.Position) -> int:
        return self.lines.offset(Position(position.line, position.character), self.units)

    def span(self, span: types.Range) -> tuple[int, int]:
        return self.offset(span.start), self.offset(span.end)

    def range(self, start: int, stop: int) -> types.Range:
        """The client's range for two offsets."""
        first, last = (self.lines.position(offset, self.units) for offset in (start, stop))
        return types.Range(types.Position(first.line, first.column), types.Position(last.line, last.column))


class Document:
    """An open document: its present snapshot and its latest edits."""

    def __init__(self, item: types.TextDocumentItem, units: Units, max_characters: int) -> None:
        self.snapshot = Snapshot(item.uri, item.version, item.language_id, Lines(""), units)
        # A text of more characters is not completed.
        self.max_characters = max_characters
        self.long: LongText | None = None
        # Set when a message was lost or contradicts the known text. Nothing is offered until the text is
        # known again.
        self.is_suspect = False
        # An excluded document's text is dropped and its edits are ignored.
        self.is_withheld = False
        self._edits: deque[SentEdit] = deque()
        self._n_characters = 0
        self._set(item.text, item.version)

    def withhold(self) -> None:
        """Forgets the text for good. If the exclusion is lifted, the document must be opened again."""
        self.is_withheld = True
        self._set("", self.snapshot.version)

    def limit(self, max_characters: int) -> None:
        """Sets another length limit, which may change whether the text is completed."""
        self.max_characters = max_characters
        self._keep_form()

    def change(self, change: types.TextDocumentContentChangeEvent, version: int | None) -> SentEdit | None:
        """Applies a change from the client; returns None for a document that is not kept."""
        if self.is_withheld:
            return None
        if self.long is not None:
            self._change_long(self.long, change, version)
            return None
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, stop = self.snapshot.span(change.range)
            return self._edit(SentEdit(start, max(start, stop), change.text), version)
        self.is_suspect = False
        return self._edit(SentEdit(0, len(self.snapshot.text), change.text), version)

    def _change_long(
        self, long: LongText, change: types.TextDocumentContentChangeEvent, version: int | None
    ) -> None:
        self.snapshot = replace(self.snapshot, version=version)
        if isinstance(change, types.TextDocumentContentChangePartial):
            begin, end = (Position(at.line, at.character) for at in (change.range.start, change.range.end))
            long.edit(begin, end, change.text, self.snapshot.units)
            self._keep_form()
        else:
            self.is_suspect = False
            self._set(change.text, version)

    def _keep_form(self) -> None:
        """Chooses the form for a text of this length."""
        is_long = self.long is not None
        n_characters = len(self.snapshot.text) if self.long is None else self.long.n_characters
        if is_long != (n_characters > self.max_characters):
            self._set(self.snapshot.text if self.long is None else self.long.text, self.snapshot.version)

    def _set(self, text: str, version: int | None) -> None:
        """Replaces the whole text. The worker then needs the whole text, too."""
        self.long = LongText(text) if len(text) > self.max_characters else None
        lines = Lines("" if self.long else text)
        self.snapshot = replace(self.snapshot, version=version, lines=lines, serial=self.snapshot.serial + 1)
        self._edits.clear()
        self._n_characters = 0

    def agree(self, text: str) -> bool:
        """Compares the text with the saved one and takes that over; says whether both agreed."""
        known = self.snapshot.text if self.long is None else self.long.text
        agreed = self.is_withheld or text == known
        if not agreed and self.long is not None:
            self._set(text, self.snapshot.version)
        elif not agreed:
            self._edit(SentEdit(0, len(self.snapshot.text), text), self.snapshot.version)
        self.is_suspect = False
        return agreed

    def edits_since(self, serial: int) -> list[SentEdit] | None:
        """The edits since a serial; None if they are no longer remembered."""
        n_edits = self.snapshot.serial - serial
        if not 0 <= n_edits <= len(self._edits):
            return None
        return list(self._edits)[len(self._edits) - n_edits :]

    def _edit(self, edit: SentEdit, version: int | None) -> SentEdit:
        old = self.snapshot
        lines = old.lines.with_edit(edit.start, edit.stop, edit.new)
        self.snapshot = Snapshot(old.uri, version, old.language_id, lines, old.units, old.serial + 1)
        self._remember(edit)
        self._keep_form()
        return edit

    def _remember(self, edit: SentEdit) -> None:
        self._edits.append(edit)
        self._n_characters += len(edit.new)
        while len(self._edits) > MAX_REMEMBERED_EDITS or self._n_characters > MAX_REMEMBERED_CHARACTERS:
            self._n_characters -= len(self._edits.popleft().new)


class DocumentWorkspace(Workspace):
    """pygls' workspace with documents of our kind."""

    def __init__(
        self,
        workspace: Workspace,
        sync_kind: types.TextDocumentSyncKind,
        on_edit: Callable[[Document, SentEdit], None],
    ) -> None:
        folders = list(workspace.folders.values())
        super().__init__(workspace.root_uri, sync_kind, folders, workspace.position_encoding)
        self.units = units_of(workspace.position_encoding)
        self.opened: dict[str, Document] = {}
        self.notebooks = Notebooks()
        self.on_edit = on_edit
        self.max_characters = DEFAULT_MAX_CHARACTERS

    def document(self, uri: str) -> Document | None:
        """An open document; None if the client has not opened it. Nothing is read from disk."""
        return self.opened.get(unquote(uri))

    def suspect_all(self) -> None:
        """Marks all documents after a lost message, since its document is not known."""
        for document in self.opened.values():
            document.is_suspect = True

    def put_text_document(
        self,
        text_document: types.TextDocumentItem,
        notebook_uri: str | None = None,  # noqa: ARG002 - pygls passes it
    ) -> None:
        document = Document(text_document, self.units, self.max_characters)
        self.opened[unquote(text_document.uri)] = document

    def update_text_document(
        self, text_doc: Identifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        document = self.document(text_doc.uri)
        if document is None:
            logger.warning("a change to a document that is not open was ignored")
            return
        known = document.snapshot.version
        # Changes in one message share a version. A version that goes back belongs to another text.
        if known is not None and text_doc.version is not None and text_doc.version < known:
            logger.warning("version %s follows %s: the document is out of step", text_doc.version, known)
            document.is_suspect = True
        edit = document.change(change, text_doc.version)
        if edit is not None:
            self.on_edit(document, edit)

    def remove_text_document(self, doc_uri: str) -> None:
        self.opened.pop(unquote(doc_uri), None)

    def put_notebook_document(self, params: types.DidOpenNotebookDocumentParams) -> None:
        self.notebooks.open(params.notebook_document.uri, params.notebook_document.cells)
        for item in params.cell_text_documents:
            self.put_text_document(item)

    def update_notebook_document(self, params: types.DidChangeNotebookDocumentParams) -> None:
        change = params.change.cells
        if change is None:
            return
        if change.structure is not None:
            self.notebooks.change(params.notebook_document.uri, change.structure.array)
            for item in change.structure.did_open or ():
                self.put_text_document(item)
            for closed in change.structure.did_close or ():
                self.remove_text_document(closed.uri)
        for content in change.text_content or ():
            for edit in content.changes:
                self.update_text_document(content.document, edit)

    def remove_notebook_document(self, params: types.DidCloseNotebookDocumentParams) -> None:
        self.notebooks.close(params.notebook_document.uri)
        for closed in params.cell_text_documents:
            self.remove_text_document(closed.uri)

    def cell(self, uri: str) -> Cell | None:
        """The notebook cell of a document; None for a file."""
        notebook = self.notebooks.notebook_of(uri)
        if notebook is None:
            return None
        return Cell(
            lambda: self._texts_of(self.notebooks.above(uri)),
            notebook,
            lambda: self._texts_of(self.notebooks.others(uri)),
        )

    def _texts_of(self, cells: Sequence[str]) -> list[str]:
        return [
            document.snapshot.text
            for document in map(self.opened.get, cells)
            if document is not None and document.snapshot.language_id == "python"
        ]

    @property
    def text_documents(self) -> dict[str, TextDocument]:
        """No documents of pygls' kind, which would read texts from disk."""
        return {}

    def folder_uris(self) -> Sequence[str]:
        """The editor's open folders."""
        return list(self.folders) or ([self.root_uri] if self.root_uri else [])


def units_of(encoding: types.PositionEncodingKind | str | None) -> Units:
    """The unit of columns that client and server agreed on; LSP's default is UTF-16."""
    match encoding:
        case types.PositionEncodingKind.Utf8:
            return "utf-8"
        case types.PositionEncodingKind.Utf32:
            return "utf-32"
        case _:
            return "utf-16"
