"""Refusals: reasons in the document, its settings or the place that forbid any answer."""

from __future__ import annotations

from fim_lsp.known_languages import no_grammar, of_editor
from fim_lsp.server.documents import Snapshot
from fim_lsp.server.lookup_threads import NOT_LOOKED_UP
from fim_lsp.server.notebooks import MAX_CELL_CHARACTERS, Cell
from fim_lsp.server.session import DocumentSession, EditorRequest, RequestOutcome


def refusal(session: DocumentSession, request: EditorRequest | None = None) -> RequestOutcome | None:
    """The refusal of a document, or of a request for it; None if nothing forbids an answer."""
    document, settings = session.document, session.settings
    snapshot = document.snapshot
    if not settings.enable:
        return RequestOutcome(reason="disabled")
    if not session.is_looked_up or session.excluded:
        return RequestOutcome(reason="excluded", detail=session.excluded or NOT_LOOKED_UP)
    if of_editor(snapshot.language_id) is None:
        return RequestOutcome(reason="language", detail=no_grammar(snapshot.language_id))
    if document.is_suspect or document.is_withheld:
        return RequestOutcome(reason="out of step")
    if document.long is not None:
        return RequestOutcome(reason="too large")
    if not is_text(snapshot.text):
        return RequestOutcome(reason="encoding")
    if session.cell is not None and (found := cell_refusal(session.cell, snapshot, request)) is not None:
        return found
    if request is not None and settings.manual_only and not request.is_invoked:
        return RequestOutcome(reason="manual")
    return None


def is_text(text: str) -> bool:
    """Whether a text has no half of a pair of UTF-16. Encoding it takes a tenth of a search's time."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def cell_refusal(cell: Cell, snapshot: Snapshot, request: EditorRequest | None) -> RequestOutcome | None:
    """The refusal of a notebook's cell: the cell, or the line, is not Python."""
    if len(snapshot.text) > MAX_CELL_CHARACTERS:
        return RequestOutcome(reason="too large", detail="The cell is too long.")
    aside = cell.aside(snapshot.text)
    if aside.foreign:
        return RequestOutcome(reason="command", detail=f"The cell is for {aside.foreign}: it is not Python.")
    if request is not None and aside.is_command(request.at.start):
        return RequestOutcome(reason="command")
    return None
