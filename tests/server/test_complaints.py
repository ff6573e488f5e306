"""Complaints of users of today's tools, with at least one test each, over real stdio.

The model is scripted: it writes exactly what models are known to write wrong. Everything behind it is real.
"""

from __future__ import annotations

import ast
import asyncio
import time
from collections.abc import AsyncIterator

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.server_editor import (
    CANCELLED,
    VERSION,
    Document,
    command,
    error_code,
    log_lines,
    script,
    server,
    use_model,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=server(), scope="module")  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    # Scripts write names that are not defined.
    settings = {"model": "none", "pythonVersion": VERSION, "names": False}
    await lsp_client.initialize_session(
        types.InitializeParams(types.ClientCapabilities(), initialization_options=settings)
    )
    yield
    await lsp_client.shutdown_session()


async def test_complaint_01_no_closer_is_doubled_behind_one_that_the_editor_put_there(
    client: LanguageClient,
) -> None:
    await use_model(client, script(("print(", ["x)", "x"]), ("print", ["(x)"])))
    document = Document(client, "x = 1\nprint($0)\n")
    assert await document.texts() == ["x"]
    # An offer from before the editor closed the bracket continues without the closer.
    document = Document(client, "x = 1\nprint$0\n")
    assert await document.texts() == ["(x)"]
    document.type("(")
    document.edit(document.cursor, document.cursor, ")")
    document.cursor -= 1
    assert await document.texts() == ["x"]


async def test_complaint_01_the_range_covers_closers_that_come_again_later(client: LanguageClient) -> None:
    await use_model(client, script(("print", ["(x)\nprint(2)"])))
    document = Document(client, "x = 1\nprint$0\n")
    # While typing, one line is offered here; a request by hand gets all of them.
    assert await document.texts(invoked=True) == ["(x)\nprint(2)"]
    document.type("(")
    document.edit(document.cursor, document.cursor, ")")
    document.cursor -= 1
    [item] = await document.items()
    assert item.insert_text == "x)\nprint(2)"
    assert item.range == types.Range(types.Position(1, 6), types.Position(1, 7))
    assert document.applied(item) == "x = 1\nprint(x)\nprint(2)\n"


async def test_complaint_02_the_following_lines_are_not_written_again(client: LanguageClient) -> None:
    following = "    def perimeter(self):\n        return 4 * self.side\n"
    await use_model(client, script(("", ["return self.side ** 2\n" + following.rstrip()])))
    document = Document(client, f"class Square:\n    def area(self):\n        $0\n{following}")
    assert await document.texts() == ["return self.side ** 2"]
    # The model has written nothing else, so nothing is offered.
    await use_model(client, script(("", ["y = 2", ""])))
    document = Document(client, "x = 1\n$0\ny = 2\n")
    assert await document.texts() == []


@pytest.mark.parametrize(
    ("marked", "written"),
    [
        ("print($0\n", ["[1, 2", "[1, 2)", "[1, 2])"]),
        ("x = $0\n", ["'abc", '"abc"']),
        ("def f(a$0\n    return a\n", ["):)", "):"]),
    ],
)
async def test_complaint_03_brackets_and_quotes_are_balanced(
    client: LanguageClient, marked: str, written: list[str]
) -> None:
    await use_model(client, script(("", written)))
    document = Document(client, marked)
    [item] = await document.items(invoked=True)
    assert item.insert_text == written[-1]
    ast.parse(document.applied(item))


async def test_complaint_04_indentation_is_the_file_s_own_or_the_editor_s(client: LanguageClient) -> None:
    await use_model(client, script(("", ["if x:\n        return 1\n    return 2"])))
    tabs = Document(client, "def g():\n\treturn 0\n\n\ndef f(x):\n\t$0\n")
    [item] = await tabs.items()
    ast.parse(tabs.applied(item))
    assert "\n\t\treturn 1" in str(item.insert_text)
    assert "    " not in str(item.insert_text)
    two = Document(client, "def g():\n  return 0\n\n\ndef f(x):\n  $0\n")
    await use_model(client, script(("", ["if x:\n      return 1"])))
    assert await two.texts() == ["if x:\n    return 1"]


async def test_complaint_05_the_budget_ends_the_wait_with_the_best_that_fits(client: LanguageClient) -> None:
    await use_model(client, script(("", ["1"]), steps=10_000, step_s=0.01))
    document = Document(client, "x = $0\n")
    start = time.perf_counter()
    assert await document.texts() == ["1"]
    assert 0.5 < time.perf_counter() - start < 5.0
    assert any("asked with a budget of 0." in line for line in await log_lines(client))


async def test_complaint_06_nothing_is_computed_in_vain(client: LanguageClient) -> None:
    await use_model(client, script(("", ["1"]), steps=10_000, step_s=0.005))
    document = Document(client, "x = $0\n")
    await document.explained()
    superseded = document.ask()
    await asyncio.sleep(0.05)
    overtaking = document.ask()
    assert await error_code(superseded) == CANCELLED
    document.type("2")
    assert await error_code(overtaking) is None
    await command(client, "fim-lsp.clearCache")
    await document.explained()
    stopped = [line for line in await log_lines(client) if "stopped at step" in line]
    assert len(stopped) >= 1
    # Completion is off, so the document is not even read.
    n_asked = sum("asked with" in line for line in await log_lines(client))
    await command(client, "fim-lsp.toggle", False)
    document.type("+")
    assert await document.texts() == []
    await command(client, "fim-lsp.toggle", True)
    assert sum("asked with" in line for line in await log_lines(client)) == n_asked


async def test_complaint_07_typing_through_an_offer_changes_nothing_but_its_length(
    client: LanguageClient,
) -> None:
    await use_model(client, script(("x = ", ["width * height"])))
    document = Document(client, "x = $0\n")
    assert await document.texts() == ["width * height"]
    n_asked = sum("asked with" in line for line in await log_lines(client))
    assert n_asked >= 1
    for n in range(1, 8):
        document.type("width * "[n - 1])
        assert await document.texts() == ["width * height"[n:]]
    # Without worker and model.
    assert sum("asked with" in line for line in await log_lines(client)) == n_asked


async def test_complaint_08_an_answer_for_an_older_text_is_not_offered(client: LanguageClient) -> None:
    await use_model(client, script(("x = ", ["1"]), ("", ["2"]), steps=20, step_s=0.01))
    document = Document(client, "x = $0\n")
    await document.explained()
    late = document.ask()
    await asyncio.sleep(0.05)
    document.edit(0, 0, "# in front\n")
    answer = await late
    assert list(answer.items) == []


async def test_complaint_09_models_that_cannot_fill_in_are_refused_in_words(
    client: LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("no-model")
    answer = await command(client, "fim-lsp.switchModel", str(folder))
    assert answer["message"]
    assert answer["model"] == "none"
    document = Document(client, "f($0\n")
    assert await document.texts() == [")"]


async def test_complaint_10_no_longer_than_wished(client: LanguageClient) -> None:
    lines = "\n".join(f"x{number} = {number}" for number in range(40))
    await use_model(client, script(("", [lines])))
    document = Document(client, "$0\n")
    [text] = await document.texts(invoked=True)
    assert text.count("\n") == 19, "maxLines is 20"


async def test_complaint_11_text_right_of_the_cursor_is_not_hidden(client: LanguageClient) -> None:
    await use_model(client, script(("f(", ["a, "])))
    document = Document(client, "f($0b)\n")
    [item] = await document.items()
    here = types.Position(0, 2)
    assert item.range == types.Range(here, here)


async def test_complaint_12_the_middle_of_a_word_is_a_place_like_any_other(client: LanguageClient) -> None:
    await use_model(client, script(("impo", ["rt os"]), ("wid", ["th"])))
    assert await Document(client, "impo$0\n").texts() == ["rt os"]
    assert await Document(client, "print(wid$0, height)\n").texts() == ["th"]


async def test_complaint_13_the_popup_s_entry_begins_the_completion(client: LanguageClient) -> None:
    await use_model(client, script(("path.join(", ["a, b)"])))
    document = Document(client, "import os\nos.pa$0\n")
    span = types.Range(types.Position(1, 3), types.Position(1, 5))
    [item] = await document.items(selected=types.SelectedCompletionInfo(span, "path.join("))
    assert item.insert_text == "path.join(a, b)"
    assert item.range == span


@pytest.mark.parametrize("name", ["/home/me/.env", "/home/me/.ssh/config.py", "/home/me/key.pem"])
async def test_complaint_14_secrets_are_neither_completed_nor_kept(client: LanguageClient, name: str) -> None:
    await use_model(client, "none")
    document = Document(client, "f($0\n", name)
    assert await document.texts() == []
    explained = await document.explained()
    assert explained["reason"] == "excluded"
    assert "secrets" in explained["message"]


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
async def test_complaint_15_line_ends_and_unicode_are_kept(client: LanguageClient, line_end: str) -> None:
    await use_model(client, script(("", ["if é:\n        return '😀'"])))
    document = Document(client, f"def f(é):{line_end}    $0{line_end}")
    document.fixed_position = types.Position(1, 4)
    [item] = await document.items()
    assert item.insert_text == f"if é:{line_end}        return '😀'"


async def test_silence_is_explained(client: LanguageClient) -> None:
    await use_model(client, "none")
    document = Document(client, "x = 1$0\n")
    assert await document.texts() == []
    assert (await document.explained())["reason"] == "parses"
    assert client.statuses[-1]["message"]  # type: ignore[attr-defined]


async def test_an_opener_accepted_in_part_is_closed_by_the_next_offer(client: LanguageClient) -> None:
    await use_model(client, script(("x = ", ["foo(a, b)"])))
    document = Document(client, "x = $0\n")
    assert await document.texts() == ["foo(a, b)"]
    document.type("foo(")
    assert await document.texts() == ["a, b)"]
