"""The work after an accepted offer: its import is inserted, and the next completion is computed ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fim_lsp.document.sent import SentEdit
from fim_lsp.server.answering import Answering
from fim_lsp.server.editor import EditorClient
from fim_lsp.server.session import DocumentSession, EditorRequest, InsertionSite, RequestOutcome

# The most tries to insert an offer's import while the user types on.
MOST_EDITS = 5


class AcceptedOffers:
    """Accepted offers of the open documents. `refusal` gives the reason if a request would get nothing."""

    def __init__(
        self,
        editor: EditorClient,
        sessions: Mapping[str, DocumentSession],
        answering: Answering,
        refusal: Callable[[DocumentSession, EditorRequest], RequestOutcome | None],
    ) -> None:
        self._editor = editor
        self._sessions = sessions
        self._answering = answering
        self._refusal = refusal

    async def go_on(self, session: DocumentSession, offset: int) -> None:
        """Does the work after an offer was accepted that ends at an offset."""
        shift = await self.add_import(session)
        self._look_ahead(session, offset + shift)

    async def add_import(self, session: DocumentSession) -> int:
        """Inserts the accepted offer's import; returns the shift of the text behind it."""
        added, session.due = session.due, None
        if added is None:
            return 0
        before = session.document.snapshot.text[: added.start]
        session.importing = SentEdit(added.start, added.stop, added.new)
        for _ in range(MOST_EDITS):
            snapshot = session.document.snapshot
            if self._sessions.get(session.uri) is not session or not snapshot.text.startswith(before):
                break
            # If the user types on, the editor refuses the edit, since its version has passed.
            if await self._editor.edit(snapshot, added.start, added.stop, added.new):
                return len(added.new) - (added.stop - added.start)
        session.importing = None
        return 0

    def _look_ahead(self, session: DocumentSession, offset: int) -> None:
        request = EditorRequest(
            session.document.snapshot,
            InsertionSite(offset, offset, ""),
            False,
            session.last_indentation,
            "" if session.cell is None else session.cell.above(),
            has_imports=self._editor.can_edit,
        )
        if session.settings.prefetch and self._refusal(session, request) is None:
            self._answering.begin_ahead(session, request)
