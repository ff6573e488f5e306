"""Offers before a model has written anything: closers of open brackets and strings, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from fim_lsp.closing import closing, closing_of_part
from quotient import Language
from tests.laws.parts import parts
from tests.scripted.worker import WITNESS, scripted
from tests.server_editor import VERSION, Document, command, script, server, use_model

PYTHON = Language.load("python", version="3.11")


@pytest.mark.parametrize(
    ("marked", "closers"),
    [
        ("x = (1, [2$0\nprint(1)\n", "])"),
        ("x = f({'a': [1,$0\n", "]})"),
        ("x = 'abc$0\n", "'"),
        ("x = '''a'$0\n", "''"),
        ('x = """abc$0\ny = 1\n', '"""'),
        ("x = rb'a$0\n", "'"),
        ("x = 'a\\$0\n", "''"),
        ("x = f'{a$0\n", "}'"),
        ("if x$0\n    y\n", ":"),
        ("def f(a$0\n    return a\n", "):"),
        ("class A(B$0:\n    pass\n", ")"),
        ("f('a'$0\n\n\ndef g(): pass\n", ")"),
        ("x = 1$0\n", ""),
        ("# (x$0\n", ""),
        # A name would be needed, which nothing determines.
        ("def add(a, b):\n    $0\n", None),
        ("with open(path$0\n", None),
        ("x = $0\n", None),
        ("for row$0\n", None),
        ("x = f'{$0\n", None),
        # The fitting text would open something, replace something else, or hide the text behind.
        ('x = $0abc"\n', None),
        ("rows[$0\n]\n", None),
        ("rows[$0]\n", None),
        ("x $0int = 3\n", None),
        ("print(a$0b\n", None),
        ('x = """abc\n$0y = 1\n', None),
    ],
)
def test_what_closes_what_is_open(marked: str, closers: str | None) -> None:
    left, right = marked.split("$0")
    assert closing(PYTHON.recognizer(left, right), right) == closers
    if closers is not None:
        ast.parse(left + closers + right)


def test_a_thousand_brackets_are_left_to_the_person() -> None:
    deep = "(" * 150
    assert closing(PYTHON.recognizer(f"x = {deep}1", "\n"), "\n") is None


@pytest.mark.parametrize(
    ("marked", "rest", "put_in"),
    [
        ("names = sorted($0\n", "rows, key=len)", ")"),
        ("names = sorted(rows$0\n", ", key=len)", ")"),
        ("x = f(a, [b$0)\n", "]", "]"),
        ("print('hel$0\n", "lo')", "')"),
        ("x = 1$0\n", " + 2", ""),
        ("total = $0\n", "compute(a, b)", "compute"),
        ("for row$0\n", " in rows:\n    print(row)", " in rows:\n    print"),
        ("def f(a$0\n    return a\n", ", b):", "):"),
        ("def f():\n    $0\n", "return g(1)", "return"),
        ("import$0\n", " os", " os"),
        ("x = a if$0\n", " b else c", " b else c"),
        # The offer no longer fits, or is unknown.
        ("for row$0\n", ")", None),
        ("for row$0\n", "", None),
    ],
)
def test_what_a_part_of_an_offer_opened_is_closed(marked: str, rest: str, put_in: str | None) -> None:
    left, right = marked.split("$0")
    assert closing_of_part(PYTHON.recognizer(left, right), right, rest) == put_in
    if put_in is not None:
        ast.parse(left + put_in + right)


@pytest.mark.parametrize(("model", "n_offers"), [(WITNESS, 60), (None, 12)])
def test_wherever_a_part_is_left_the_file_parses(
    model: str | None, n_offers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of the law; `python -m tests.laws.parts` checks a thousand offers."""
    monkeypatch.setattr("tests.laws.parts.load_completer", scripted)
    seen = [part for offer in parts(n_offers, seed=5, model=model) for part in offer]
    assert len(seen) > n_offers / 2
    for part in seen:
        assert part.closing is not None, part
        ast.parse(part.text)
    assert "closers" in {part.kind for part in seen}


@pytest_lsp.fixture(config=server())  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    # Scripts write names that are not defined.
    model = script(("", ["nonsense"]), load_s=8.0)
    settings = {"model": model, "pythonVersion": VERSION, "timeBudget": 200, "names": False}
    await lsp_client.initialize_session(
        types.InitializeParams(types.ClientCapabilities(), initialization_options=settings)
    )
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_while_a_model_loads_only_what_is_open_is_closed(client: LanguageClient) -> None:
    assert await Document(client, "x = max(1, [2$0\n").texts() == ["])"]
    for silent in ("def add(a, b):\n    $0\n", "x = 1$0\n", "with open(p$0\n"):
        document = Document(client, silent)
        assert await document.texts() == []
        explained = await document.explained()
        assert explained["reason"] == "model loading"
        assert "model is loading" in explained["message"]


@pytest.mark.asyncio
async def test_without_a_model_the_reason_says_so(client: LanguageClient) -> None:
    await use_model(client, "none")
    document = Document(client, "with open(p$0\n")
    assert await document.texts() == []
    assert (await document.explained())["reason"] == "no model"
    # The model answers an automatic request again that came while it was loading.
    document = Document(client, "x = $0\n")
    assert await document.texts() == []
    await command(client, "fim-lsp.switchModel", script(("x = ", ["total"])))
    assert await document.texts() == ["total"]


@pytest.mark.asyncio
async def test_an_editor_asks_what_closes_an_accepted_part(client: LanguageClient) -> None:
    document = Document(client, "x = sorted(rows$0\n")
    # A part of an earlier offer is accepted.
    await document.texts()
    place = {"line": 0, "character": 15}
    assert await command(client, "fim-lsp.closing", document.uri, place, ", key=len)") == {"text": ")"}
    assert await command(client, "fim-lsp.closing", "file:///unknown.py", place, "") == {"text": None}
    secret = Document(client, "x = sorted(rows$0\n", "/home/me/.env")
    assert await command(client, "fim-lsp.closing", secret.uri, place, ", key=len)") == {"text": None}
    with pytest.raises(JsonRpcException):
        await command(client, "fim-lsp.closing", document.uri)
