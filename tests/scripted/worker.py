"""The worker, whose models may be scripts.

A script is an object with any of

    seconds   the time of an offer, which the time budget follows
    quick     the script of a quicker model, which is asked first
    ahead     the number of pieces that are read ahead while no request waits
    answers   pairs of an end of the left context and the texts to write there; the first match counts
    witness   writes the engine's witness, so that there is an offer at most places
    steps     the number of steps before the first text; each asks whether the request was cancelled
    slow      steps are taken only if the left context ends with this
    step_s    the seconds of a step
    trace_steps  the number of steps before it explains
    edits     triples of an old text, the new one and a probability: the edits that it proposes; each takes
              `edit_steps` steps, after each of which it may be interrupted
    crash     the process kills itself instead of writing
    load_s    the seconds of loading

Each call and each step leaves a line in the log, so that a test sees what was computed.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import psutil  # type: ignore[import-untyped]

from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.writers import EditWriter, Interrupted, Unsure
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.server.worker import __main__ as worker
from fim_lsp.server.worker import loading
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.edit_writing import load_edit_writer
from fim_lsp.server.worker.messages import LoadModel, Traced
from fim_lsp.server.worker.with_model import load_completer
from quotient import Document

logger = logging.getLogger("scripted")

SCRIPT = "script:"
WITNESS = f'{SCRIPT}{{"witness": true}}'


class Scripted:
    """A completer that follows its script."""

    quick: Scripted | None
    note = ""

    def __init__(self, name: str, script: dict[str, Any]) -> None:
        self.name = name
        self.script = script
        quick = script.get("quick")
        self.quick = None if quick is None else Scripted(f"{name}, quick", quick)
        self.seconds: float | None = script.get("seconds")
        self.n_ahead: int = script.get("ahead", 0)

    def has_written(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def is_writing(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def rests_at(self, uri: str, left: str, right: str) -> None:
        logger.warning(
            "the cursor rests in %s between %r and %r", uri.rpartition("/")[2], left[-10:], right[:10]
        )

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:  # noqa: ARG002
        self.n_ahead -= not is_given_up()
        return self.n_ahead >= 0

    def for_language(self, known_language: KnownLanguage) -> Scripted:  # noqa: ARG002
        return self

    def propose_texts(self, attempt: Attempt) -> Proposals:
        logger.warning("asked with a budget of %.3f s, n %d", attempt.budget_s, attempt.wishes.n)
        # A library that prints must not damage the protocol.
        print("printed by a library")
        if self.script.get("crash"):
            psutil.Process().kill()
        refused = tuple(self.script.get("refused", ()))
        texts = [attempt.recognizer.witness()] if self.script.get("witness") else self.texts(attempt.left)
        is_slow = attempt.left.endswith(self.script.get("slow", ""))
        for step in range(self.script.get("steps", 0) if is_slow else 0):
            if attempt.is_cancelled():
                logger.warning("stopped at step %d", step)
                return Proposals((), None, refused)
            if not attempt.budget_s:
                logger.warning("out of time at step %d", step)
                return Proposals(tuple(CandidateText(text) for text in texts[:1]), None, refused)
            if attempt.on_partial is not None and texts:
                attempt.on_partial(texts[0][: step + 1])
            time.sleep(self.script.get("step_s", 0.0))
        candidates = tuple(CandidateText(text) for text in texts if text)
        return Proposals(candidates, None if candidates else "model silent", refused)

    def texts(self, left: str) -> list[str]:
        for ending, texts in self.script.get("answers", []):
            if left.endswith(ending):
                return list(texts)
        return []

    def trace_attempt(self, attempt: Attempt) -> Traced | None:
        texts = self.texts(attempt.left)
        n_steps = self.script.get("trace_steps", 0)
        if n_steps:
            logger.warning("tracing begins")
        for step in range(n_steps):
            if attempt.is_cancelled():
                logger.warning("tracing ends at step %d", step)
                return None
            time.sleep(self.script.get("step_s", 0.0))
        return Traced(texts[0], texts[0], ()) if texts else None

    def forget(self, uri: str | None) -> None:
        logger.warning("forgot %s", "everything" if uri is None else "a document")


class ScriptedWriter:
    """Proposes the edits that it was told."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.is_given_up: Callable[[], bool] = lambda: False
        # The texts of which the steps are done.
        self.steps: dict[str, int] = {}

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self.is_given_up = is_given_up

    def replacements(
        self,
        change: FileChange,
        unsure: Unsure,
        document: Document,
    ) -> Iterator[Replacement]:
        text = change.new.text
        assert document.text == text
        logger.warning("asked about edits of %s, %d unsure", change.path, len(unsure()))
        while self.steps.get(text, 0) < self.script.get("edit_steps", 0):
            if self.is_given_up():
                logger.warning("interrupted")
                raise Interrupted
            self.steps[text] = self.steps.get(text, 0) + 1
            time.sleep(self.script.get("step_s", 0.0))
        for old, new, probability in self.script["edits"]:
            start = text.find(old)
            if start >= 0:
                stop, reason = start + len(old), "so the script goes on"
                yield Replacement(start, stop, new, reason, probability, "rewriting")


def scripted_writer(
    wanted: LoadModel, completer: Completer, on_progress: Callable[[str, float], None]
) -> tuple[EditWriter | None, str]:
    named = wanted.edits or wanted.name or ""
    if not named.startswith(SCRIPT):
        return load_edit_writer(wanted, completer, on_progress)
    script = json.loads(named.removeprefix(SCRIPT))
    return (ScriptedWriter(script) if "edits" in script else None), ""


def scripted(
    name: str | None,
    wishes: RuntimeWishes,
    max_sessions: int,
    on_progress: Callable[[str, float], None],
) -> tuple[Completer, str]:
    if name is None or not name.startswith(SCRIPT):
        return load_completer(name, wishes, max_sessions, on_progress)
    script = json.loads(name.removeprefix(SCRIPT))
    if "load_s" in script:
        on_progress("loading the script", 0.0)
        time.sleep(script["load_s"])
        on_progress("loading the script", 1.0)
    return Scripted("scripted", script), ""


def main() -> None:
    loading.load_completer = scripted  # type: ignore[attr-defined]
    loading.load_edit_writer = scripted_writer  # type: ignore[attr-defined]
    worker.main()
