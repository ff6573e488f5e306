"""Requests for next edits, refusals, and the choice of the shown edits.

One text has one answer, which is computed on the first request. A change of the text ends the work for the
old one and drops its answer: an overtaken edit is gone, not shifted.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from fim_lsp.context.kinship import Kinship, with_slash
from fim_lsp.edits.texts.acceptance import new_acceptance
from fim_lsp.edits.texts.edit import NextEdit, Replacement
from fim_lsp.edits.texts.refusals import Refusals, lines_told
from fim_lsp.known_languages import PYTHON, of_editor
from fim_lsp.positions import Lines
from fim_lsp.server.documents import Snapshot
from fim_lsp.server.exclusion import path_of
from fim_lsp.server.lookups import Lookups
from fim_lsp.server.next_edits.asked_model import AskedModel
from fim_lsp.server.next_edits.messages import (
    Changed,
    FileEdits,
    FindCompatibleEdits,
    FindEditsElsewhere,
    FindNextEdits,
    ProjectFolder,
)
from fim_lsp.server.next_edits.process import NextEditsProcess
from fim_lsp.server.session import DocumentSession, RequestOutcome
from fim_lsp.server.settings import Settings
from fim_lsp.server.worker_client import Worker
from fim_lsp.worth.acceptance import AcceptanceHistory

# The least probability of an edit for each eagerness.
BARS = {"quiet": 0.85, "balanced": 0.65, "eager": 0.5}
# The most edits that are kept for a document.
MOST = 50
# After so many refusals an edit is not shown again.
MOST_REFUSALS = 2
# The most other documents that count (the last changed ones), and the most characters of them.
MOST_EARLIER, MOST_CHARACTERS = 4, 300_000
# The most other documents that are searched for edits.
MOST_ELSEWHERE = 6
# The most shown edits that are remembered for the editor's reports.
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ShownEdit:
    """An edit that was shown to the user; the editor reports its fate by its id."""

    id: int
    uri: str
    edit: NextEdit

    # The text that it edits.
    snapshot: Snapshot | None = field(default=None, compare=False)

    @property
    def kind(self) -> tuple[str, str]:
        return self.edit.old, self.edit.new


@dataclass(slots=True)
class NextEditState:
    """The state of one document's next edits."""

    # The answer's text, the baseline, the least probability, the changes of other documents, and whether
    # there is a model.
    key: tuple[object, ...] | None = None
    work: asyncio.Task[tuple[NextEdit, ...]] | None = None
    # The question to which the rules had no answer, and what they were not sure of; then the model's work.
    unanswered: tuple[FindNextEdits, tuple[Replacement, ...]] | None = None
    writing: asyncio.Task[tuple[NextEdit, ...]] | None = None
    # The number of refusals of each replacement, by its old and new text.
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    # The refusals that were frequent enough, with the text at that time.
    refusals: Refusals = field(default_factory=Refusals)
    places: list[tuple[str, str]] = field(default_factory=list)
    # The edits that were taken and refused, which move the bar.
    acceptance: AcceptanceHistory = field(default_factory=new_acceptance)

    def refuse(self, shown: ShownEdit, text: str) -> None:
        self.acceptance.note(False)
        self.refused[shown.kind] += 1
        if self.refused[shown.kind] == MOST_REFUSALS:
            self.refusals.add("", *shown.kind, text)
            if shown.snapshot is not None:
                # A refusal holds at its place, whatever the user does elsewhere.
                _, old, new = lines_told(Lines(shown.snapshot.text), shown.edit)
                self.places.append((old, new))

    def still_refused(self, text: str) -> list[tuple[str, str]]:
        """The replacements that were refused often enough and not made by hand since."""
        standing = self.refusals.standing({"": text})
        often = [kind for kind, count in self.refused.items() if count >= MOST_REFUSALS]
        for kind in often:
            if ("", *kind) not in standing:
                del self.refused[kind]
        return [*(kind for kind in often if kind in self.refused), *self.places]

    def forget(self) -> None:
        for work in (self.work, self.writing):
            if work is not None:
                work.cancel()
        self.key = self.work = self.unanswered = self.writing = None


class NextEdits:
    """The next edits of all documents."""

    def __init__(
        self,
        refusal: Callable[[DocumentSession], RequestOutcome | None],
        lookups: Lookups,
        sessions: Mapping[str, DocumentSession],
        folder_uris: Callable[[], Iterable[str]],
        worker: Worker,
    ) -> None:
        self.process = NextEditsProcess()
        self._refusal, self._lookups = refusal, lookups
        self._sessions, self._folder_uris, self._worker = sessions, folder_uris, worker
        self._known: dict[str, NextEditState] = {}
        self._jobs = itertools.count(1)
        self._model = AskedModel(worker, self.process, lambda: next(self._jobs))
        self._ids = itertools.count(1)
        self._shown: deque[ShownEdit] = deque(maxlen=MOST_SHOWN)

    # --- questions ---------------------------------------------------------------------------------------

    async def best(
        self, session: DocumentSession, snapshot: Snapshot, cursor: int, has_others: bool = False
    ) -> ShownEdit | None:
        """The edit to show to a user whose cursor is at an offset; without one, an edit of another open
        document, if the client can show that; without that, one that a model writes."""
        edits = await self.all_of(session, snapshot)
        edit = first_shown(edits, cursor, session)
        if edit is None and has_others and session.document.snapshot is snapshot:
            elsewhere = await self._best_elsewhere(session)
            if elsewhere is not None:
                return elsewhere
        if edit is None:
            edit = first_shown(await self.model_edits(session, snapshot), cursor, session)
        return None if edit is None else replace(self.show_edit(session.uri, edit), snapshot=snapshot)

    async def _best_elsewhere(self, session: DocumentSession) -> ShownEdit | None:
        """The likeliest edit in the other open documents that follows from the change of this one."""
        if session.baseline.text == session.document.snapshot.text:
            return None
        found: list[tuple[Snapshot, NextEdit]] = []
        still = [one for one in self._alike(session) if one.baseline.text == one.document.snapshot.text]
        # The last opened documents.
        for other in reversed(still[-MOST_ELSEWHERE:]):
            there = other.document.snapshot
            found += [(there, edit) for edit in (await self.all_of(other, there))[:1]]
        if not found:
            return None
        there, edit = max(found, key=lambda one: one[1].probability)
        return replace(self.show_edit(there.uri, edit), snapshot=there)

    async def all_of(self, session: DocumentSession, snapshot: Snapshot) -> tuple[NextEdit, ...]:
        """The next edits in a document, the likeliest first; none if its text was overtaken."""
        # A newly opened document counts once it is known that it may be read.
        await self._lookups.settle(session, *self._beside(session))
        if not self._is_wanted(session) or snapshot is not session.document.snapshot:
            return ()
        known = self.state(session.uri)
        earlier = self._earlier(session)
        bar = known.acceptance.adjusted_bar(bar_of(session.settings))
        others = tuple((one.path, one.new) for one in earlier)
        key = (snapshot.serial, session.baseline.text, bar, others, self._model.is_there)
        if known.key != key:
            known.forget()
            begun = self._worked_out(session, snapshot, known, earlier, bar)
            known.key, known.work = key, asyncio.ensure_future(begun)
        work = known.work
        assert work is not None
        # Several requests may wait for it, and none of them ends it.
        await asyncio.wait({work})
        is_overtaken = work.cancelled() or snapshot is not session.document.snapshot
        if is_overtaken or not self._is_wanted(session):
            return ()
        return tuple(one for one in work.result() if known.refused[one.old, one.new] < MOST_REFUSALS)

    async def model_edits(
        self, session: DocumentSession, snapshot: Snapshot, seconds: float | None = None
    ) -> tuple[NextEdit, ...]:
        """The edits that a model writes where the rules have none; within some seconds, after which it writes
        on. None if the text was overtaken, or there is no such model."""
        known = self.state(session.uri)
        if not self._model.is_there or known.unanswered is None or not self._is_wanted(session):
            return ()
        if known.writing is None:
            writing = self._model.edits(session, snapshot, *known.unanswered)
            known.writing = asyncio.ensure_future(writing)
        work = known.writing
        await asyncio.wait({work}, timeout=seconds)
        is_overtaken = work.cancelled() or snapshot is not session.document.snapshot
        if not work.done() or is_overtaken or not self._is_wanted(session):
            return ()
        return tuple(one for one in work.result() if known.refused[one.old, one.new] < MOST_REFUSALS)

    async def alike(self, session: DocumentSession, snapshot: Snapshot, edit: NextEdit) -> list[NextEdit]:
        """The edits that are like one, by reason or by words, and that hold together with it."""
        kind = edit.old, edit.new
        edits = [
            one
            for one in await self.all_of(session, snapshot)
            if one.reason == edit.reason or (one.old, one.new) == kind
        ]
        if len(edits) < 2:
            return edits
        changed = changed_document(session, snapshot)
        found = await self.process.ask(FindCompatibleEdits(next(self._jobs), changed, tuple(edits)))
        is_overtaken = snapshot is not session.document.snapshot
        return [] if found is None or is_overtaken else list(found.edits)

    async def elsewhere(self, session: DocumentSession, snapshot: Snapshot) -> tuple[FileEdits, ...]:
        """The edits that follow in files of the folder that are not open."""
        project = self._project(session)
        changed = changed_document(session, snapshot)
        if project is None or changed.old == changed.new or not self._is_wanted(session):
            return ()
        paths = map(path_of, self._sessions)
        open_files = frozenset(str(path) for path in paths if path is not None)
        bar = bar_of(session.settings)
        wanted = FindEditsElsewhere(next(self._jobs), changed, bar, MOST, project, open_files)
        found = await self.process.ask(wanted)
        is_overtaken = snapshot is not session.document.snapshot or not self._is_wanted(session)
        return () if found is None or is_overtaken else tuple(one for one in found.elsewhere if one.edits)

    def state(self, uri: str) -> NextEditState:
        return self._known.setdefault(uri, NextEditState())

    def show_edit(self, uri: str, edit: NextEdit) -> ShownEdit:
        """Gives an edit its id."""
        known = next((one for one in self._shown if (one.uri, one.edit) == (uri, edit)), None)
        if known is None:
            known = ShownEdit(next(self._ids), uri, edit)
            self._shown.append(known)
        return known

    async def _worked_out(
        self,
        session: DocumentSession,
        snapshot: Snapshot,
        known: NextEditState,
        earlier: tuple[Changed, ...],
        bar: float,
    ) -> tuple[NextEdit, ...]:
        changed = changed_document(session, snapshot)
        if changed.old == changed.new and not earlier:
            return ()
        refused = tuple((changed.path, *kind) for kind in known.still_refused(snapshot.text))
        project = self._project(session)
        has_model = self._model.is_there and changed.old != changed.new
        wanted = FindNextEdits(next(self._jobs), changed, bar, MOST, refused, earlier, project, has_model)
        found = await self.process.ask(wanted)
        if found is None:
            # The answer of another text may be quicker.
            known.key = None
            return ()
        if found.is_another and snapshot is session.document.snapshot:
            session.baseline.restart()
        if has_model and not found.edits and not found.is_another:
            known.unanswered = wanted, found.unsure
        return found.edits

    def _earlier(self, session: DocumentSession) -> tuple[Changed, ...]:
        """The changes of the other documents of the language or its kin, the last at the end."""
        alike = self._alike(session)
        found = [other for other in alike if other.baseline.text != other.document.snapshot.text]
        found.sort(key=lambda other: other.baseline.last_changed)
        return tuple(changed_document(other, other.document.snapshot) for other in found[-MOST_EARLIER:])

    def _alike(self, session: DocumentSession) -> list[DocumentSession]:
        """The other open documents of a document's language, or of its kin, that may be read."""
        return [other for other in self._beside(session) if self._is_wanted(other)]

    def _beside(self, session: DocumentSession) -> list[DocumentSession]:
        """The other documents that count for one, even if it is not yet known whether they may be read. A
        change in one folder of a workspace counts in another if one of the two is known to import the
        other."""
        family = family_of(session)
        roots = map(with_slash, self._folder_uris())
        kinship = Kinship(tuple(sorted(roots, key=len, reverse=True)), self._worker.kin)
        return [
            other
            for other in self._sessions.values()
            if other is not session
            and not kinship.are_strangers(session.uri, other.uri)
            and family_of(other) == family
            and len(other.document.snapshot.text) <= MOST_CHARACTERS
        ]

    def _project(self, session: DocumentSession) -> ProjectFolder | None:
        """The editor's folder with a document, in which its imports may be looked up."""
        own = path_of(session.uri)
        if own is None or not session.settings.imports:
            return None
        roots = tuple(self._folder_uris())
        around = [root for one in roots if (root := path_of(one)) is not None and own.is_relative_to(root)]
        root = max(around, key=lambda one: len(one.parts), default=None)
        return None if root is None else ProjectFolder(str(root), str(own), session.settings.exclude, roots)

    def _is_wanted(self, session: DocumentSession) -> bool:
        is_on = session.settings.next_edits and session.cell is None
        return is_on and self._refusal(session) is None

    # --- refusals and accepts ----------------------------------------------------------------------------

    def refuse(self, edit_id: int) -> bool:
        """Notes that the user refused an edit; says whether its id is known."""
        shown = self._taken_edit(edit_id)
        if shown is not None and shown.uri in self._known:
            session = self._sessions.get(shown.uri)
            text = "" if session is None else session.document.snapshot.text
            self._known[shown.uri].refuse(shown, text)
        return shown is not None

    def accept(self, edit_id: int) -> bool:
        """Notes that the user took an edit, which cancels refusals of edits like it."""
        shown = self._taken_edit(edit_id)
        if shown is not None and shown.uri in self._known:
            known = self._known[shown.uri]
            known.acceptance.note(True)
            known.refused.pop(shown.kind, None)
        return shown is not None

    def _taken_edit(self, edit_id: int) -> ShownEdit | None:
        shown = next((one for one in self._shown if one.id == edit_id), None)
        if shown is not None:
            # A repeated report counts once.
            self._shown.remove(shown)
        return shown

    def overtake(self, uri: str) -> None:
        """Drops the answer, since the document changed."""
        if uri in self._known:
            self._known[uri].forget()

    def forget_acceptance(self) -> None:
        """The bar of each document is the setting's again."""
        for known in self._known.values():
            known.acceptance = new_acceptance()

    def close(self, uri: str) -> None:
        known = self._known.pop(uri, None)
        if known is not None:
            known.forget()
            self.process.forget(uri)

    def stop(self) -> None:
        self.process.stop()


def family_of(session: DocumentSession) -> str | None:
    known_language = of_editor(session.document.snapshot.language_id)
    return None if known_language is None else known_language.family


def bar_of(settings: Settings) -> float:
    """The least probability of a shown edit."""
    return BARS[settings.next_edits_eagerness or settings.eagerness]


def changed_document(session: DocumentSession, snapshot: Snapshot) -> Changed:
    known_language = of_editor(snapshot.language_id)
    assert known_language is not None, "what has no grammar is refused"
    version = session.python_version if known_language is PYTHON else None
    if known_language.name == "toml":
        version = session.settings.toml_version
    return Changed(session.uri, known_language.name, version, session.baseline.text, snapshot.text)


def first_shown(edits: Iterable[NextEdit], cursor: int, session: DocumentSession) -> NextEdit | None:
    return next((edit for edit in edits if not is_in_the_way(edit, cursor, session)), None)


def is_in_the_way(edit: NextEdit, cursor: int, session: DocumentSession) -> bool:
    """Whether an edit lies where inline completion shows, or would show, grey text."""
    if not edit.start <= cursor <= edit.end:
        return False
    return not edit.old or any(offer.start == cursor for offer in session.offers)
