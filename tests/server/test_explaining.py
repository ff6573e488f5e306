"""Explanations on request: the text that the model preferred, and the refused ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient

from fim_lsp.decoding.choices.constraint import Constraint, Distinct
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.step import DecodedToken, Refusal
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.recall import Recall
from fim_lsp.memory.weights import Weights, shipped_weights
from fim_lsp.server.worker.messages import Traced
from fim_lsp.server.worker.tracing import AGAINST, quoted_text, sentences, trace_writing
from quotient import Language
from tests.models import writing_model
from tests.server_editor import Document, logged, script, server

PYTHON = Language.load("python", version="3.11")


def explained(left: str, right: str, wish: str, **options: object) -> Traced:
    session = DecodingSession(writing_model(left, wish))
    found = trace_writing(session, left, right, PYTHON.recognizer(left, right), Options(**options))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_wish_that_fits_is_not_refused() -> None:
    found = explained("x = max(", ")\n", "rows, key=len")
    assert (found.offered, found.wanted, found.refused) == ("rows, key=len", "rows, key=len", ())


def test_what_would_not_parse_is_named_with_what_came_instead() -> None:
    found = explained("x = max(", ")\n", "rows] + 1")
    assert found.wanted == "rows] + 1"
    assert found.offered.startswith("rows")
    [sentence, *_] = found.refused
    assert sentence.startswith("after `(rows`, it wanted `]`: refused, the file would not parse; ")
    assert sentence.endswith(" came instead")


def test_a_law_says_in_its_own_words_what_is_against_a_wish() -> None:
    refused = (Refusal(0, "`lines` is not defined here"),)
    step = DecodedToken(1, b"rows", 1, -2.0, refused, is_member=True)
    [sentence] = sentences([step], ["lines", "rows"])
    assert sentence == "first, it wanted `lines`: refused, `lines` is not defined here; `rows` came instead"


def test_each_constraint_has_its_reason_in_words() -> None:
    kinds = {kind.why for kind in Constraint.__subclasses__()}
    # An abandoned text explains nothing.
    assert kinds - {Distinct.why} == set(AGAINST) - {"grammar", "name", "end"}


def test_an_end_that_does_not_fit_is_named() -> None:
    found = explained("x = max(rows, ", "\n", "key")
    assert any("it wanted to end: refused" in sentence for sentence in found.refused)


def test_what_is_remembered_in_place_of_a_wish_is_told() -> None:
    left, right = "data = [a, b]\n" * 6 + "data = ", "\n"
    model = writing_model(left, "(c, d)")
    weights = Weights(dict.fromkeys(shipped_weights().of_buckets, 0.98))
    project = ProjectMemory(model.encode, len(model.vocabulary), weights)

    def remembers(n_pending: int) -> Recall:
        return project.recall("file:///a.py", left, right, n_pending)

    session = DecodingSession(model)
    request = CompletionRequest(left, right, PYTHON.recognizer(left, right), remembers=remembers)
    [overruled] = session.complete(request)
    [own] = session.complete(replace(request, remembers=None))
    found = trace_writing(
        session, left, right, PYTHON.recognizer(left, right), Options(), remembers=remembers
    )
    assert found is not None
    assert overruled.text != own.text == "(c, d)"
    assert overruled.has_overruled
    assert not own.has_overruled
    assert any("as it did before in this project" in sentence for sentence in found.refused)


@pytest.mark.parametrize(("text", "shown"), [("a)", "`a)`"), ("\n", r"`'\n'`"), (" a", "`' a'`")])
def test_white_space_is_seen(text: str, shown: str) -> None:
    assert quoted_text(text) == shown


def test_nothing_is_said_where_the_request_is_gone() -> None:
    left, right = "x = max(", ")\n"
    session = DecodingSession(writing_model(left, "rows"))
    asked = trace_writing(session, left, right, PYTHON.recognizer(left, right), Options(), lambda: True)
    assert asked is None


# --- while the user types ---------------------------------------------------------------------------------

# So long that a test which waited for its end would fail.
SLOW = script(("total = ", ["first"]), trace_steps=4000, step_s=0.05)


@pytest_lsp.fixture(config=server())  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    settings = {"model": SLOW, "timeBudget": 20000, "names": False}
    await lsp_client.initialize_session(
        types.InitializeParams(types.ClientCapabilities(), initialization_options=settings)
    )
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_who_types_ends_an_explanation(client: LanguageClient) -> None:
    document = Document(client, "total = $0\n")
    # The first request waits for the model.
    await document.texts()
    asked = asyncio.ensure_future(document.explained())
    await logged(client, "tracing begins", 1)
    document.type("f")
    assert (await asked)["reason"] == "overtaken"
    await logged(client, "tracing ends", 1)


@pytest.mark.asyncio
async def test_a_completion_goes_before_an_explanation_which_then_goes_on(client: LanguageClient) -> None:
    document, other = Document(client, "total = $0\n"), Document(client, "total = $0\n")
    await document.texts()
    asked = asyncio.ensure_future(document.explained())
    await logged(client, "tracing begins", 1)
    # A request in another document does not stop it.
    assert await other.texts() == ["first"]
    await logged(client, "tracing begins", 1)
    assert await document.texts(invoked=True) == ["first"]
    await logged(client, "tracing ends", 1)
    await logged(client, "tracing begins", 2)
    document.type("f")
    assert (await asked)["reason"] == "overtaken"


@pytest.mark.asyncio
async def test_who_asks_again_is_the_one_who_is_told(client: LanguageClient) -> None:
    document = Document(client, "total = $0\n")
    await document.texts()
    first = asyncio.ensure_future(document.explained())
    await logged(client, "tracing begins", 1)
    second = asyncio.ensure_future(document.explained())
    assert (await first)["reason"] == "cancelled"
    document.type("f")
    assert (await second)["reason"] == "overtaken"
