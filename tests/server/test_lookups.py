"""A document gets nothing until it is known whether it is excluded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from fim_lsp.replay.typing.page import Page, open_page, service_with
from fim_lsp.server.lookup_threads import NOT_LOOKED_UP, NOT_READABLE, Findings, Question
from fim_lsp.server.next_edits.messages import FindNextEdits, FoundEdits
from fim_lsp.server.next_edits.messages import Question as Asked
from fim_lsp.server.worker.completers import GrammarAlone

SECRET = Findings("it is a secret", "3.11")
PUBLIC = Findings("", "3.11")


class ByHand:
    """Look-ups that finish when the test lets them."""

    def __init__(self) -> None:
        self.lookups: list[asyncio.Future[Findings]] = []

    def begin(self, _question: Question) -> asyncio.Future[Findings]:
        self.lookups.append(asyncio.get_running_loop().create_future())
        return self.lookups[-1]


async def opened_with(threads: Any) -> Page:
    service = service_with(GrammarAlone(), {})
    service.lookups.threads = threads
    page = open_page(service, "file:///looking/a.py", "f(", 2)
    await asyncio.sleep(0)
    return page


def forbidden(page: Page) -> str | None:
    """The reason why the document gets nothing; None if it may get something."""
    outcome = page.service.refusal(page.session)
    return None if outcome is None else outcome.detail


@pytest.mark.asyncio
async def test_nothing_is_answered_between_a_look_and_what_it_found() -> None:
    threads = ByHand()
    page = await opened_with(threads)
    [lookup] = threads.lookups
    lookup.set_result(SECRET)
    # Messages that have arrived are handled before one that waits for the look-up.
    assert forbidden(page) == NOT_LOOKED_UP
    await page.service.lookups.settle(page.session)
    assert page.session.excluded == SECRET.excluded
    assert page.session.document.is_withheld


@pytest.mark.asyncio
async def test_of_two_looks_the_second_one_counts() -> None:
    threads = ByHand()
    page = await opened_with(threads)
    page.service.lookups.begin(page.session)
    threads.lookups[0].set_exception(OSError("the disk was away"))
    waiting = asyncio.ensure_future(page.service.lookups.settle(page.session))
    while len(threads.lookups) < 2:
        await asyncio.sleep(0)
    assert not waiting.done()
    assert forbidden(page) == NOT_LOOKED_UP
    threads.lookups[1].set_result(PUBLIC)
    await waiting
    assert forbidden(page) is None
    assert page.session.python_version == PUBLIC.python_version


@pytest.mark.asyncio
async def test_what_cannot_be_looked_at_gets_nothing() -> None:
    threads = ByHand()
    page = await opened_with(threads)
    threads.lookups[0].set_exception(OSError("the disk is gone"))
    await page.service.lookups.settle(page.session)
    assert forbidden(page) == NOT_READABLE


@pytest.mark.asyncio
async def test_next_edits_wait_for_what_is_looked_up_around_other_documents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = ByHand()
    page = await opened_with(threads)
    other = open_page(page.service, "file:///looking/b.py", "a.\n", 2)
    other.write("new")
    await asyncio.sleep(0)
    asked: list[Asked] = []

    async def ask(question: Asked) -> FoundEdits:
        asked.append(question)
        return FoundEdits(question.job)

    next_edits = page.service.next_edits
    monkeypatch.setattr(next_edits.process, "ask", ask)
    threads.lookups[0].set_result(PUBLIC)
    await page.service.lookups.settle(page.session)
    waiting = asyncio.ensure_future(next_edits.all_of(page.session, page.session.document.snapshot))
    await asyncio.sleep(0)
    # Without the other document there is nothing to look up.
    assert not waiting.done()
    threads.lookups[1].set_result(PUBLIC)
    await waiting
    [wanted] = asked
    assert isinstance(wanted, FindNextEdits)
    assert [(one.old, one.new) for one in wanted.earlier] == [("a.\n", "a.new\n")]
