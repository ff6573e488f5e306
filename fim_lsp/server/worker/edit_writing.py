"""Next edits that a model writes while nothing else is asked of the worker.

A question waits until no message does. Any message interrupts the writing, which goes on afterwards: the
model keeps what it has read. So a completion never waits for an edit. What is written is proved elsewhere, by
the process for next edits.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.document.texts import MARK, WorkerText
from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.messages import FromWorker, LoadModel, MissingDocument, ProposedEdits, ProposeEdits
from fim_lsp.server.worker.with_model import WithModel

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.edits.writers import EditWriter

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class AskedEdits:
    """A question, its deadline on the monotonic clock, and the document with the serial that it is about."""

    wanted: ProposeEdits
    deadline: float
    text: WorkerText
    serial: int


class EditWriting:
    """The model that writes edits, and the question that waits for it."""

    def __init__(self, send: Callable[[FromWorker], None], is_waited: Callable[[], bool]) -> None:
        self.writer: EditWriter | None = None
        self._send, self._is_waited = send, is_waited
        self._asked: AskedEdits | None = None

    def ask(self, wanted: ProposeEdits, text: WorkerText | None, is_cancelled: bool) -> None:
        """Takes a question in place of an earlier one."""
        self.end()
        if text is None and not is_cancelled:
            self._send(MissingDocument(wanted.job))
        elif text is None or is_cancelled:
            self._send(ProposedEdits(wanted.job))
        else:
            self._asked = AskedEdits(wanted, time.monotonic() + wanted.budget_s, text, text.serial)

    def cancel(self, job: int) -> None:
        if self._asked is not None and self._asked.wanted.job == job:
            self.end()

    def end(self) -> None:
        """Answers the waiting question with nothing."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self._send(ProposedEdits(asked.wanted.job))

    def end_if_late(self) -> None:
        """Answers a question whose time is up, also while there is always something else to do."""
        if self._asked is not None and time.monotonic() >= self._asked.deadline:
            self.end()

    def go_on(self) -> bool:
        """Lets the model write until a message waits; says whether there is more to write."""
        self.end_if_late()
        asked = self._asked
        if asked is None:
            return False
        if self.writer is None or asked.text.serial != asked.serial:
            self.end()
            return False
        try:
            found = self._written_edits(self.writer, asked)
        except Exception as error:  # the question gets its answer, whatever happens
            log_fault("a model could not write edits", error)
            self.end()
            return False
        if found is None:
            return True
        self._asked = None
        self._send(found)
        return False

    def _written_edits(self, writer: EditWriter, asked: AskedEdits) -> ProposedEdits | None:
        """The answer; None if the writing was interrupted."""
        from fim_lsp.edits.texts.change import FileChange
        from fim_lsp.edits.writers import Interrupted

        wanted, text = asked.wanted, asked.text
        old = wanted.old
        if old.startswith(MARK):
            old = text.stand_in + old[1:]
        change = FileChange.of(wanted.path, old, text.text, text.known_language)

        def is_given_up() -> bool:
            return self._is_waited() or time.monotonic() >= asked.deadline

        writer.attend(is_given_up)
        try:
            found = tuple(writer.replacements(change, lambda: wanted.unsure, text.engine))
        except Interrupted:
            return None
        return ProposedEdits(wanted.job, found)


def load_edit_writer(
    wanted: LoadModel, completer: Completer, on_progress: Callable[[str, float], None]
) -> tuple[EditWriter | None, str]:
    """The writer of edits that is asked for, or why there is none. Without a name it is the model of
    completions, if that was trained on edits."""
    own = completer.model if isinstance(completer, WithModel) else None
    if wanted.edits == NO_MODEL or (wanted.edits is None and not is_taught(own)):
        return None, ""
    from fim_lsp.decoding.models.model import ModelError, load_model
    from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
    from fim_lsp.edits.filling import edit_writer

    if wanted.edits is None or (own is not None and wanted.edits == wanted.name):
        model = own
    else:
        try:
            wishes = RuntimeWishes(device=wanted.device, gpu_layers=wanted.gpu_layers)
            model = load_model(
                wanted.edits,
                wishes,
                on_progress=on_progress,
            )
        except ModelError as error:
            return None, str(error)
    if model is None:
        return None, ""
    if model.has_remote_tokens or model.is_elsewhere or model.is_text_alone:
        return None, f"{model.name} is a server: about next edits a model in a file or a folder is asked"
    return edit_writer(model), ""


def is_taught(model: Model | None) -> bool:
    return model is not None and model.edit_format is not None
