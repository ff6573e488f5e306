"""The work after an accepted offer: its import is put in, and the next completion is worked out before it is
asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fim_lsp.document.sent import SentEdit
from fim_lsp.server.answering import Answering
from fim_lsp.server.editor import EditorClient
from fim_lsp.server.session import DocumentSession, EditorRequest, InsertionSite, RequestOutcome

# The most times that an offer's import is put in, while the user types on.
MOST_EDITS = 5


class AcceptedOffers:
    """Offers that were accepted in some sessions, by their documents. `refusal` says why a request would get
    nothing."""

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
        """Goes on after an accept that ends at an offset."""
        shift = await self.add_import(session)
        self._look_ahead(session, offset + shift)

    async def add_import(self, session: DocumentSession) -> int:
        """Puts in the import of what was accepted; how far all behind it moves."""
        added, session.due = session.due, None
        if added is None:
            return 0
        before = session.document.snapshot.text[: added.start]
        session.importing = SentEdit(added.start, added.stop, added.new)
        for _ in range(MOST_EDITS):
            snapshot = session.document.snapshot
            if self._sessions.get(session.uri) is not session or not snapshot.text.startswith(before):
                break
            # A user who types on makes it an edit of another version, which the editor does not apply.
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
