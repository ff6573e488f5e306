"""The worker's questions about next edits: each gets one answer, whatever happens, and none keeps it busy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from fim_lsp.decoding.models.model import Model
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.edits.filling import LineFiller
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.writers import Interrupted, Unsure
from fim_lsp.server.worker import loading
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.edit_writing import load_edit_writer
from fim_lsp.server.worker.job_loop import JobLoop, Own
from fim_lsp.server.worker.loading import ModelLoading, Ready, ReadyWriter
from fim_lsp.server.worker.messages import (
    Cancel,
    FromWorker,
    Limits,
    LoadModel,
    MissingDocument,
    ProposedEdits,
    ProposeEdits,
)
from fim_lsp.server.worker.with_model import WithModel
from quotient import Document
from tests.models import tiny_model

OLD, NEW = "a = 1\nb = 2\n", "a = 10\nb = 2\n"
FOUND = Replacement(11, 12, "3", "because", 0.9)


@dataclass
class Writer:
    """Finds one edit, unless it is interrupted or fails."""

    interruptions: int = 0
    error: Exception | None = None
    changes: list[FileChange] = field(default_factory=list)

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        assert not is_given_up()

    def replacements(self, change: FileChange, unsure: Unsure, document: Document) -> Iterator[Replacement]:
        assert document.text == change.new.text
        assert [*unsure()] == []
        self.changes.append(change)
        if self.error is not None:
            raise self.error
        self.interruptions -= 1
        if self.interruptions >= 0:
            raise Interrupted
        yield FOUND


@dataclass
class Loop:
    """A worker's loop, and what it has answered."""

    writer: Writer | None = field(default_factory=Writer)
    answers: list[FromWorker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.loop = JobLoop(self.answers.append, lambda _own: None)
        self.loop.edits.writer = self.writer

    def ask(self, job: int = 1, new: str = NEW, serial: int = 1, budget_s: float = 60.0) -> None:
        text = SentText("file:///a.py", serial, "3.12", new)
        self.loop.handle(ProposeEdits(job, text, OLD, "a.py", (), budget_s))


def test_a_question_is_answered_when_nothing_else_is_to_be_done() -> None:
    loop = Loop()
    loop.ask()
    assert loop.answers == []
    assert not loop.loop.edits.go_on()
    assert loop.answers == [ProposedEdits(1, (FOUND,))]
    assert not loop.loop.edits.go_on()
    (change,) = loop.writer.changes if loop.writer else []
    assert (change.path, change.old.text, change.new.text) == ("a.py", OLD, NEW)


def test_an_interrupted_one_goes_on() -> None:
    loop = Loop(Writer(interruptions=2))
    loop.ask()
    assert [loop.loop.edits.go_on() for _ in range(3)] == [True, True, False]
    assert loop.answers == [ProposedEdits(1, (FOUND,))]


def test_a_byte_order_mark_is_what_it_is_in_the_worker() -> None:
    loop = Loop()
    text = SentText("file:///a.py", 1, "3.12", "\ufeff" + NEW)
    loop.loop.handle(ProposeEdits(1, text, "\ufeff" + OLD, "a.py", (), 60.0))
    loop.loop.edits.go_on()
    (change,) = loop.writer.changes if loop.writer else []
    assert [one.old for one in change.replaced] == ["1"]


@pytest.mark.parametrize(
    "after",
    [
        lambda loop: loop.handle(Cancel(1)),
        lambda loop: loop.edits.ask(ProposeEdits(2, SentText("b", 1, "", None), "", "", (), 1.0), None, True),
    ],
)
def test_one_that_is_cancelled_or_replaced_is_answered_with_nothing(after: Callable[[JobLoop], None]) -> None:
    loop = Loop()
    loop.ask()
    after(loop.loop)
    assert ProposedEdits(1) in loop.answers
    assert not loop.loop.edits.go_on()
    assert len({one.job for one in loop.answers if isinstance(one, ProposedEdits)}) == len(loop.answers)


def test_one_that_was_cancelled_before_it_came_is_not_begun() -> None:
    loop = Loop()
    loop.loop.note(Cancel(1))
    loop.ask()
    assert loop.answers == [ProposedEdits(1)]


def test_a_text_that_went_on_is_not_written_for() -> None:
    loop = Loop()
    loop.ask()
    loop.loop.text(SentText("file:///a.py", 2, "3.12", None, (SentEdit(0, 0, "# on\n"),)))
    loop.loop.edits.go_on()
    assert loop.answers == [ProposedEdits(1)]


def test_edits_of_an_unknown_text_ask_for_all_of_it() -> None:
    loop = Loop()
    text = SentText("file:///b.py", 2, "3.12", None, (SentEdit(0, 0, "a"),))
    loop.loop.handle(ProposeEdits(1, text, OLD, "b.py", (), 60.0))
    assert loop.answers == [MissingDocument(1)]


def test_a_late_one_is_answered_though_there_is_always_something_else_to_do() -> None:
    """A late request gets its answer even when other work never ends; else the worker would count as hung."""
    loop = Loop()
    loop.ask(budget_s=0.0)
    loop.loop.handle(Limits())
    assert loop.answers == [ProposedEdits(1)]


def test_a_model_that_fails_or_has_gone_answers_nothing() -> None:
    for loop in (Loop(Writer(error=ValueError("nonsense"))), Loop(None)):
        loop.ask()
        assert not loop.loop.edits.go_on()
        assert loop.answers == [ProposedEdits(1)]


def completer_of(model: Model) -> WithModel:
    return WithModel("named", model, 1)


def test_without_a_name_only_a_model_that_was_taught_edits_writes_them() -> None:
    completer = completer_of(tiny_model())
    assert load_edit_writer(LoadModel("named", None), completer, lambda *_: None) == (None, "")
    assert load_edit_writer(LoadModel(None, None), GrammarAlone(), lambda *_: None) == (None, "")
    none = LoadModel("named", None, edits="none")
    assert load_edit_writer(none, completer, lambda *_: None) == (None, "")
    named = LoadModel("named", None, edits="named")
    writer, complaint = load_edit_writer(named, completer, lambda *_: None)
    assert isinstance(writer, LineFiller)
    assert writer.model is completer.model
    assert not complaint


def test_a_model_that_cannot_be_used_is_said() -> None:
    gone = LoadModel(None, None, edits="./nowhere")
    writer, complaint = load_edit_writer(gone, GrammarAlone(), lambda *_: None)
    assert writer is None
    assert "nowhere is neither a folder nor a name" in complaint


def test_a_change_of_the_model_for_edits_loads_no_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str | None] = []
    own: list[Own] = []

    def load(name: str | None, *_: object, **__: object) -> tuple[Completer, str]:
        loaded.append(name)
        return GrammarAlone(), ""

    monkeypatch.setattr(loading, "load_completer", load)
    models = ModelLoading(lambda _loading: None, own.append)
    for number, wanted in enumerate(
        (LoadModel("a", None), LoadModel("a", None, edits="none"), LoadModel("b", None)), 1
    ):
        models._ticket = number
        models._load(number, wanted, 1)
    assert loaded == ["a", "b"]
    tickets = [(type(one), one.ticket) for one in own if isinstance(one, Ready | ReadyWriter)]
    assert tickets == [(kind, number) for number in (1, 2, 3) for kind in (Ready, ReadyWriter)]
