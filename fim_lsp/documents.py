"""Open documents as the server keeps them, in place of pygls' own.

pygls finds lines with `str.splitlines`, which also breaks at form feeds, U+2028 and others, so that every
later edit lands on the wrong line. It also splits the text again at each call. A `Document` keeps the lines
of its present text, split as LSP does, until the text changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from fim_lsp.positions import Lines, Position, Units


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a document was when a request came in. Later edits make a new one and leave this alone."""

    uri: str
    version: int | None
    language_id: str | None
    lines: Lines
    units: Units

    def offset(self, position: types.Position) -> int:
        return self.lines.offset(Position(position.line, position.character), self.units)

    def span(self, span: types.Range) -> tuple[int, int]:
        return self.offset(span.start), self.offset(span.end)


class Document(TextDocument):
    """pygls' document with edits and positions of our own."""

    def __init__(self, *arguments: Any, units: Units, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.units: Units = units
        # pygls would read the file when it was given no text; what an editor has not sent is not read.
        self._source = self._source or ""
        self.current_lines = Lines(self._source)

    def snapshot(self) -> Snapshot:
        return Snapshot(self.uri, self.version, self.language_id, self.current_lines, self.units)

    @property
    def lines(self) -> Sequence[str]:
        starts = self.current_lines.starts
        return [
            self.current_lines.text[start:stop]
            for start, stop in zip(starts, [*starts[1:], None], strict=True)
        ]

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        text = self.current_lines.text
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, stop = self.snapshot().span(change.range)
            text = text[:start] + change.text + text[stop:]
        else:
            text = change.text
        self._source = text
        self.current_lines = Lines(text)

    def offset_at_position(self, client_position: types.Position) -> int:
        return self.snapshot().offset(client_position)


class Documents(Workspace):
    """pygls' workspace, making documents of our kind."""

    @classmethod
    def in_place_of(cls, workspace: Workspace, sync_kind: types.TextDocumentSyncKind) -> Documents:
        folders = list(workspace.folders.values())
        return cls(workspace.root_uri, sync_kind, folders, workspace.position_encoding)

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        return Document(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self._position_codec,
            units=units_of(self.position_encoding),
        )

    def snapshot(self, uri: str) -> Snapshot | None:
        """The document as it is now; None when the client has not opened it: nothing is read from disk."""
        document = self.text_documents.get(unquote(uri))
        return document.snapshot() if isinstance(document, Document) else None


def units_of(encoding: types.PositionEncodingKind | str | None) -> Units:
    """What the client and the server agreed to count columns in; LSP's default is UTF-16."""
    match encoding:
        case types.PositionEncodingKind.Utf8:
            return "utf-8"
        case types.PositionEncodingKind.Utf32:
            return "utf-32"
        case _:
            return "utf-16"
