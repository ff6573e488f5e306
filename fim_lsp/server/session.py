"""The session of an open document: its settings, its cached answers, the running request, its offers.

A document has at most one running request. A newer request cancels it (error -32800); a change of the
document ends it with an empty list, since its answer would be for another text.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from fim_lsp.context.added_import import AddedImport
from fim_lsp.document.sent import Indentation, SentEdit, SentText
from fim_lsp.python_version import known_versions
from fim_lsp.server.cache import CompletionCache, Suggestion
from fim_lsp.server.documents import Document, Snapshot
from fim_lsp.server.next_edits.baseline import Baseline
from fim_lsp.server.notebooks import Cell
from fim_lsp.server.settings import Settings
from fim_lsp.server.worker.messages import Explained, Reason, Rung
from fim_lsp.system.addresses import own_address
from fim_lsp.worth.acceptance import AcceptanceHistory

# Names are hardly longer.
MOST_BEGUN = 200
BEGUN_WORD = re.compile(r"\w*\Z")


@dataclass(frozen=True, slots=True)
class InsertionSite:
    """The site of a completion: it replaces the text between two offsets, and begins with the text
    `begun`."""

    start: int
    stop: int
    begun: str


@dataclass(frozen=True, slots=True)
class EditorRequest:
    """A request for completions, as plain values."""

    snapshot: Snapshot
    at: InsertionSite
    is_invoked: bool
    indentation: Indentation | None = None
    # The text above a notebook's cell.
    above: str = ""
    # Whether the client can insert an offer's import.
    has_imports: bool = False
    # Whether an offer may replace the closers that the editor inserted behind the cursor.
    may_cover: bool = True
    # Whether the request comes from the completion popup.
    is_popup: bool = False

    @property
    def left(self) -> str:
        return self.above + self.snapshot.text[: self.at.start] + self.at.begun

    @property
    def right(self) -> str:
        return self.snapshot.text[self.at.stop :]


@dataclass(frozen=True, slots=True)
class RequestOutcome:
    """The outcome of a request: suggestions, or the reason why there are none."""

    suggestions: tuple[Suggestion, ...] = ()
    reason: Reason | None = None
    rung: Rung | None = None
    detail: str = ""
    # The model's refused wishes, in words.
    refused: tuple[str, ...] = ()
    is_cached: bool = False
    # The id of the first suggestion; the others count on from it.
    first_id: int = 0


@dataclass(slots=True)
class ShownOffer:
    """A shown text, and the part of it that is not in the document yet."""

    id: int
    start: int
    rest: str
    # Whether a part of it was accepted.
    is_taken: bool = False
    # The import that is inserted further up when the offer is accepted, and the word in front of the offer
    # that it may continue. Offers in the popup contain their import.
    added: AddedImport | None = None
    begun: str = ""

    def needs_import(self, n_taken: int) -> bool:
        """Whether the first `n_taken` characters of the rest complete a use of the import's name."""
        if self.added is None:
            return False
        found = re.search(rf"\b{re.escape(self.added.name)}\b", self.begun + self.rest)
        return found is None or found.end() <= len(self.begun) + n_taken


@dataclass(slots=True)
class Running:
    """The running request."""

    task: asyncio.Task[object]
    work: asyncio.Task[RequestOutcome]


@dataclass(slots=True)
class DocumentSession:
    """The session of an open document."""

    document: Document
    settings: Settings
    cache: CompletionCache = field(init=False)
    # The document before the user changed it.
    baseline: Baseline = field(init=False)
    running: Running | None = None
    # The outcome that is computed ahead, and its place.
    ahead: asyncio.Task[RequestOutcome] | None = None
    ahead_request: EditorRequest | None = None
    # The explanation that is being computed.
    explaining: asyncio.Future[Explained | None] | None = None
    offers: list[ShownOffer] = field(default_factory=list)
    # The import of an accepted offer, until it is sent to the editor; then that edit.
    due: AddedImport | None = None
    importing: SentEdit | None = None
    # An offer whose last character was typed or accepted.
    ended: ShownOffer | None = None
    # The last accepted offers.
    accepted_ids: deque[int] = field(default_factory=lambda: deque(maxlen=32))
    # The lookup on disk, and its results, valid once it is done: the reason for an exclusion (empty if there
    # is none), and the Python version.
    lookup: asyncio.Future[None] | None = None
    must_look_up_again: bool = False
    excluded: str = ""
    python_version: str = known_versions()[-1]
    last_indentation: Indentation | None = None
    last_outcome: RequestOutcome | None = None
    # The contexts of the last request for alternatives.
    alternatives_at: tuple[str, str] | None = None
    last_asked: float = 0.0
    # The history of this user's accepts in the document's workspace.
    acceptance: AcceptanceHistory = field(default_factory=AcceptanceHistory)
    # The notebook cell, if the document is one.
    cell: Cell | None = None
    # The worker process that knows the document, and the serial that it knows.
    _known_to: int = 0
    _known_serial: int = 0
    _known_around: tuple[str, tuple[str, ...] | None] = ("", ())

    def __post_init__(self) -> None:
        self.cache = CompletionCache(self.settings.max_cached_completions)
        self.document.limit(self.settings.max_characters)
        self.baseline = Baseline(self.document.snapshot.lines)

    @property
    def uri(self) -> str:
        return self.document.snapshot.uri

    @property
    def is_looked_up(self) -> bool:
        return self.lookup is not None and self.lookup.done()

    @property
    def file(self) -> str:
        """The URI of the document's file on disk; for a cell the notebook's."""
        return self.uri if self.cell is None else self.cell.notebook

    def set(self, settings: Settings) -> bool:
        """Takes settings, and forgets answers under the old ones; says whether the settings are new."""
        is_new = settings != self.settings
        if is_new:
            self.settings = settings
            self.document.limit(settings.max_characters)
            self.cache = CompletionCache(settings.max_cached_completions)
        return is_new

    def text_for(self, generation: int) -> SentText:
        """The text or edits that bring a worker up to date."""
        if self.cell is not None:
            return self._cell_text_for(generation, self.cell)
        snapshot = self.document.snapshot
        edits = self.document.edits_since(self._known_serial) if self._known_to == generation else None
        self._known_to, self._known_serial = generation, snapshot.serial
        if edits is None:
            return SentText(
                own_address(snapshot.uri),
                snapshot.serial,
                self.python_version,
                snapshot.text,
                language=snapshot.language_id or "",
                toml_version=self.settings.toml_version,
            )
        return SentText(
            own_address(snapshot.uri),
            snapshot.serial,
            self.python_version,
            None,
            tuple(edits),
            language=snapshot.language_id or "",
            toml_version=self.settings.toml_version,
        )

    def _cell_text_for(self, generation: int, cell: Cell) -> SentText:
        """A cell is sent whole after any change, since its replaced lines may change, too."""
        snapshot = self.document.snapshot
        around = cell.above(), cell.names(snapshot.text)
        known = (self._known_to, self._known_serial, self._known_around)
        self._known_to, self._known_serial, self._known_around = generation, snapshot.serial, around
        if known == (generation, snapshot.serial, around):
            return SentText(snapshot.uri, snapshot.serial, self.python_version, None)
        whole = cell.aside(snapshot.text).text
        above, names = around
        return SentText(
            snapshot.uri, snapshot.serial, self.python_version, whole, above=above, elsewhere=names
        )

    def forget_worker(self) -> None:
        """Makes the next message to a worker carry the whole text."""
        self._known_to = 0

    def overtake(self) -> None:
        """Ends the running request, since the document changed."""
        if self.running is not None and not self.running.work.done():
            self.running.work.cancel()
        self.stop_ahead()
        self.stop_explaining()

    def stop_explaining(self) -> None:
        """Ends an explanation, since typing goes first."""
        if self.explaining is not None:
            self.explaining.cancel()

    def supersede(self) -> None:
        """Cancels the running request, since a newer one came."""
        if self.running is not None and not self.running.task.done():
            self.running.task.cancel()

    def stop_ahead(self) -> None:
        if self.ahead is not None:
            self.ahead.cancel()
            self.ahead = self.ahead_request = None

    def look_ahead(self, request: EditorRequest, work: asyncio.Task[RequestOutcome]) -> None:
        self.stop_ahead()
        self.ahead, self.ahead_request = work, request

    def taken_ahead(self, request: EditorRequest) -> asyncio.Task[RequestOutcome] | None:
        """The work ahead for this place, if there is some; work for another place is stopped."""
        work, known = self.ahead, self.ahead_request
        if work is None or known is None or (known.snapshot, known.at) != (request.snapshot, request.at):
            self.stop_ahead()
            return None
        self.ahead = self.ahead_request = None
        return work

    def offer(
        self, request: EditorRequest, suggestions: tuple[Suggestion, ...], offer_ids: Iterator[int]
    ) -> int:
        """Notes the shown suggestions; returns the id of the first one."""
        at, taken = request.at, {(offer.start, offer.rest) for offer in self.offers if offer.is_taken}
        found = BEGUN_WORD.search(request.snapshot.text, max(at.start - MOST_BEGUN, 0), at.start)
        begun = "" if found is None else found[0]
        self.offers = [
            ShownOffer(
                next(offer_ids),
                at.start,
                text,
                (at.start, text) in taken,
                None if request.is_popup else suggestion.added,
                begun,
            )
            for suggestion in suggestions
            for text in [at.begun + suggestion.text]
        ]
        return self.offers[0].id if self.offers else 0

    def follow(self, edit: SentEdit) -> tuple[bool, bool]:
        """Says whether an edit accepts an offer, as a whole or in a part of several characters.

        Typing the next character of an offer is no accept; it only shortens the offer. Accepted texts, and
        those that the user typed over, go into the history of acceptance.
        """
        if edit == self.importing:
            return self._move_offer(edit)
        was_taken = any(offer.is_taken for offer in self.offers)
        was_offered = bool(self.offers)
        whole = partly = False
        still: list[ShownOffer] = []
        for offer in self.offers:
            if edit.new and edit.start == offer.start and offer.rest.startswith(edit.new):
                is_whole = edit.new == offer.rest
                is_accept = len(edit.new) > 1
                whole |= is_whole and is_accept
                partly |= is_accept and not is_whole
                added = offer.added
                self.ended = offer if is_whole and not is_accept else None
                if is_accept:
                    self.accepted_ids.append(offer.id)
                    if is_whole or offer.needs_import(len(edit.new)):
                        self.due, added = added or self.due, None
                if not is_whole:
                    rest = offer.rest[len(edit.new) :]
                    is_taken = is_accept or offer.is_taken
                    start, begun = offer.start + len(edit.new), (offer.begun + edit.new)[-MOST_BEGUN:]
                    still.append(ShownOffer(offer.id, start, rest, is_taken, added, begun))
        self.offers = still
        if (whole or partly) and not was_taken:
            self.acceptance.note(True)
        elif was_offered and not (whole or partly or still or was_taken):
            self.acceptance.note(False)
        return whole, partly and not whole

    def _move_offer(self, edit: SentEdit) -> tuple[bool, bool]:
        """Shifts the offer behind an import that was inserted above it."""
        self.importing = None
        shift = len(edit.new) - (edit.stop - edit.start)
        for offer in self.offers:
            offer.start += shift
        return False, False

    def accept(self, offer_id: int) -> bool:
        """Whether the editor's report of an accepted item is news. Its edit usually came earlier."""
        if offer_id in self.accepted_ids:
            return False
        known = [*self.offers, *([self.ended] if self.ended else [])]
        offer = next((offer for offer in known if offer.id == offer_id), None)
        if offer is None:
            return False
        self.accepted_ids.append(offer_id)
        self.due = offer.added or self.due
        return True
