"""The process for next edits: late, gone, given up; and its proof of several edits at once."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON
from fim_lsp.server.next_edits import process
from fim_lsp.server.next_edits.messages import Changed, FindCompatibleEdits, FindNextEdits
from fim_lsp.server.next_edits.working_out import WorkingOut, holding_together
from quotient import Language

BUDGET = 0.5
numbers = itertools.count()


@pytest_asyncio.fixture
async def asked(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[process.NextEditsProcess]:
    monkeypatch.setattr(process, "PROCESS", "tests.scripted.edits")
    monkeypatch.setattr(process, "BUDGET_SECONDS", BUDGET)
    made = process.NextEditsProcess()
    # The process has started and loaded its language, so that no question gets more time than the budget.
    assert await told(made, "begin") is not None
    yield made
    made.stop()
    await made.wait_for_ended()


async def told(made: process.NextEditsProcess, text: str) -> str | None:
    """The id of the process that has answered; None for no answer."""
    found = await made.ask(FindNextEdits(next(numbers), Changed("a.py", "python", None, "", text), 0.7, 50))
    return None if found is None else found.edits[0].new


@pytest.mark.asyncio
async def test_one_process_answers_one_question_after_the_other(asked: process.NextEditsProcess) -> None:
    first = await told(asked, "x")
    assert await asyncio.gather(*(told(asked, f"y{n}") for n in range(5))) == [first] * 5


@pytest.mark.asyncio
async def test_an_answer_that_is_not_waited_for_goes_nowhere(asked: process.NextEditsProcess) -> None:
    first = await told(asked, "x")
    waiting = asyncio.ensure_future(told(asked, "late 0.2"))
    await asyncio.sleep(0.05)
    waiting.cancel()
    # A late answer would come with another question's number.
    assert await told(asked, "y") == first


@pytest.mark.asyncio
async def test_the_first_question_of_a_language_may_take_longer_also_for_who_asks_next(
    asked: process.NextEditsProcess,
) -> None:
    """The user continues typing while a grammar is loaded, which must not restart the process."""
    first = await told(asked, "x")
    late = FindNextEdits(next(numbers), Changed("a.go", "go", None, "", f"late {3 * BUDGET}"), 0.7, 50)
    waiting = asyncio.ensure_future(asked.ask(late))
    await asyncio.sleep(0.05)
    waiting.cancel()
    assert await told(asked, "y") == first


@pytest.mark.asyncio
async def test_what_takes_too_long_is_ended_and_another_process_answers(
    asked: process.NextEditsProcess,
) -> None:
    first = await told(asked, "x")
    assert await told(asked, "late 60") is None
    second = await told(asked, "x")
    assert second not in (None, first)


@pytest.mark.asyncio
async def test_a_process_that_ends_is_started_again_but_not_for_ever(asked: process.NextEditsProcess) -> None:
    for _ in range(process.MOST_ENDS):
        assert await told(asked, "end") is None
    assert await told(asked, "x") is None


@pytest.mark.asyncio
async def test_an_error_is_logged_and_the_next_question_answered(
    asked: process.NextEditsProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert await told(asked, "fail") is None
    assert "somewhere" in caplog.text
    assert await told(asked, "x") is not None


@pytest.mark.asyncio
async def test_nothing_is_started_behind_the_end(asked: process.NextEditsProcess) -> None:
    asked.stop()
    assert await told(asked, "x") is None


def test_edits_that_hold_alone_and_not_together_are_not_made_together() -> None:
    text = "def f(one, two):\n    return 1\n\n\nf(one=1)\n"
    source, language = SourceText("a.py", text, PYTHON), Language.load("python")

    def edit(old: str, new: str) -> NextEdit:
        start = text.index(old)
        return NextEdit("a.py", start, start + len(old), old, new, "", 1.0)

    first, second = edit("one", "same"), edit("two", "same")
    for alone in (first, second):
        assert holding_together(source, language, [alone]) == [alone]
    assert holding_together(source, language, [first, second]) == [second]
    # An edit that overlaps another one applies to the text without it.
    assert holding_together(source, language, [edit("one, two", "a"), second]) == [second]
    apart = edit("1)", "2)")
    assert holding_together(source, language, [apart, first]) == [first, apart]


def test_what_is_kept_of_a_document_follows_its_text() -> None:
    """The answer equals a new process's, whatever came in between."""
    old = "def area(width):\n    return width * 'é'\n\n\narea(width=1)\n"
    texts = [
        old.replace("(width)", "(breadth)"),
        "",
        old,
        old.replace("(width)", "(depth)") + "x = 1\n",
        "\ufeff" + old.replace("(width)", "(depth)"),
        old.replace("width", "depth"),
        "def area(:\n",
    ]
    kept = WorkingOut()
    for job, (before, text) in enumerate(itertools.product([old, "x = 1\n"], texts)):
        wanted = FindNextEdits(job, Changed("a.py", "python", "3.12", before, text), 0.5, 50)
        assert kept.find_edits(wanted) == WorkingOut().find_edits(wanted), (before, text)
    changed = Changed("a.py", "python", "3.12", old, texts[0])
    edits = kept.find_edits(FindNextEdits(0, changed, 0.5, 50)).edits
    assert kept.together(FindCompatibleEdits(1, changed, edits)).edits == tuple(
        sorted(edits, key=lambda one: one.start)
    )


def test_a_branch_that_was_switched_to_is_no_change_of_the_user_s() -> None:
    old, new = ("".join(f"{name}{n} = {n}\n" for n in range(1200)) for name in "ab")
    assert (
        WorkingOut()
        .find_edits(FindNextEdits(0, Changed("a.py", "python", None, old, new), 0.5, 50))
        .is_another
    )
    assert FileChange.of("a.py", old, new).hunks
