"""The completers that serve: the model's, or the one without a model, and memory alone.

Here stands which of them answers for a document, and what they read before they are asked: the folders around
the documents, and the text around the cursor.
"""

from __future__ import annotations

from collections.abc import Callable

from fim_lsp.bundled_models import NO_MODEL, model_knows
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import PYTHON
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.folder_reading import FolderReading, Scanned
from fim_lsp.server.worker.from_memory import FromMemory
from fim_lsp.server.worker.messages import Folders
from fim_lsp.server.worker.power import Power
from fim_lsp.server.worker.with_model import WithModel


class ServingCompleters:
    def __init__(self, reading: FolderReading) -> None:
        self.reading = reading
        self.completer: Completer = GrammarAlone(is_loading=True)
        # The completer where no model knows the language.
        self.remembering = FromMemory()
        self.power = Power()
        # The cursor's place, also from before the model was loaded.
        self.resting: tuple[WorkerText, int] | None = None

    @property
    def has_model(self) -> bool:
        return self.completer.name != NO_MODEL

    def completers_for(self, text: WorkerText) -> tuple[Completer, Completer | None]:
        """The completer for a document, and the one to ask before it, if there is one: a quicker model or, in
        languages with a memory of their own, that memory. A model of Python has its memory built in."""
        completer = self.completer_for(text)
        if completer is not self.remembering and text.known_language is PYTHON:
            return completer, completer.quick
        self.remember_around(text)
        return completer, None if completer is self.remembering else self.remembering

    def completer_for(self, text: WorkerText) -> Completer:
        """The model, if there is one that knows the document's language; otherwise memory alone."""
        if isinstance(self.completer, GrammarAlone) and self.completer.is_loading:
            return self.completer
        if not self.has_model or not model_knows(self.completer.name, text.known_language):
            return self.remembering
        return self.completer.for_language(text.known_language)

    def remember_around(self, text: WorkerText) -> None:
        """Begins to read the folders for the memory of a document's language, only once."""
        family = text.known_language.family
        if not self.reading.is_read(family):
            self.reading.begin_family(family, self.remembering.memory_of(family))

    def wait_for_model(self) -> None:
        """Says that a model is loading, unless another one serves meanwhile."""
        if isinstance(self.completer, GrammarAlone):
            self.completer = GrammarAlone(is_loading=True)

    def take_model(self, completer: Completer) -> None:
        """Takes a completer in place of the one before."""
        self.completer = completer
        if self.resting is not None:
            self.note_place(*self.resting)
        self.reading.begin(completer)

    def read_folders(self, folders: Folders) -> None:
        self.reading.folders = folders
        self.reading.begin(self.completer)
        self.reading.begin_alone(self.remembering)

    def take_scan(self, scanned: Scanned) -> None:
        self.reading.end(scanned, self.completer)
        self.reading.end_alone(scanned, self.remembering)

    def prepare(self, text: WorkerText) -> None:
        """Loads everything for the language of a document, and what memory says of the document."""
        completer = self.completer_for(text)
        if text.known_language is not PYTHON or completer is self.remembering:
            self.remember_around(text)
            self.remembering.prepare(text.known_language, text.uri, text.text)
        elif isinstance(self.completer, WithModel):
            self.completer.memory.prepare(text.uri, text.text)

    def note_place(self, text: WorkerText, offset: int) -> None:
        """Sets the place for reading ahead."""
        self.resting = text, offset
        self.completer_for(text).rests_at(text.uri, text.text[:offset], text.text[offset:])

    def read_ahead(self, mode: str, is_given_up: Callable[[], bool], is_place_alone: bool) -> bool:
        """Lets the model read a piece around the user's place, or only at it; says whether there is more."""
        if mode == "never" or (mode == "plugged" and self.power.is_on_battery):
            return False
        completer = self.completer if self.resting is None else self.completer_for(self.resting[0])
        return completer.read_ahead(is_given_up, is_place_alone)

    def close(self, uri: str) -> None:
        """Drops the state of a closed document."""
        self.completer.forget(uri)
        self.remembering.forget(uri)
        if self.resting is not None and self.resting[0].uri == uri:
            self.resting = None

    def forget(self) -> None:
        """Drops the state of all documents."""
        self.completer.forget(None)
        self.remembering.forget(None)
