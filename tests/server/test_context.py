"""Context of other files for a model: it stays the same during typing, and contains no secrets."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from pathlib import Path, PurePosixPath
from queue import SimpleQueue

import pytest

from fim_lsp.context.kept_outlines import KeptOutlines, outlines_folder
from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.context.snippet import NOTHING, Context
from fim_lsp.decoding.prompts.several_files import AT_FIRST, FEWEST_TOLD, budget, is_told
from fim_lsp.document.sent import SentEdit
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.known_languages import language_named
from fim_lsp.memory import workspace
from fim_lsp.memory.workspace import Scan
from fim_lsp.server.exclusion import exclusion
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.server.worker.job_loop import JobLoop, Own
from fim_lsp.server.worker.messages import Folders
from fim_lsp.server.worker.project_context import ProjectContext
from tests.models import tiny_model
from tests.sessions.client import PATIENCE, PATIENT, Client

SECRET = "hunter2hunter2"
PRICES = "class Prices:\n    def net_of_all(self): ...\n"
CART = "from prices import Prices\nfrom vault import Vault\n\ndef total():\n    return Prices().\n"


def project_context(folder: Path, **files: str) -> ProjectContext:
    paths = {(folder / f"{name}.py").as_uri(): PurePosixPath(f"{name}.py") for name in files}
    outlines = {uri: PythonOutline.of(files[path.stem]) for uri, path in paths.items()}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return ProjectContext(Modules.of(outlines, paths))


def asked(known: ProjectContext, uri: str, text: str, opened: dict[str, str] | None = None) -> Context:
    """The context, once it is known."""
    left, _, right = text.partition("$0")
    known.context(uri, left, right, opened or {})
    assert known.wait_until_settled(PATIENCE)
    return known.context(uri, left, right, opened or {})


def test_a_request_does_not_wait_and_typing_on_changes_nothing(tmp_path: Path) -> None:
    known = project_context(tmp_path, prices=PRICES, cart="")
    uri = (tmp_path / "cart.py").as_uri()
    text = "from prices import Prices\n\ndef total():\n    return Prices().$0\n"
    assert known.context(uri, text.partition("$0")[0], "\n", {}) == NOTHING
    first = asked(known, uri, text)
    assert [snippet.path for snippet in first.snippets if snippet.source == "definition"] == ["prices.py"]
    for typed in ("net", "net_of_all()\n    x = "):
        assert asked(known, uri, text.replace("$0", f"{typed}$0")) is first
    # Another import, and another definition around the cursor, need a new look-up.
    assert asked(known, uri, f"import os\n{text}") is not first
    second = asked(known, uri, text)
    assert asked(known, uri, f"{text.replace('$0', '')}\ndef other():\n    $0") is not second


def test_another_language_is_told_of_what_it_imports_and_typing_on_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "prices.ts").write_text("export class Prices {\n  net(gross: number) { return gross; }\n}\n")
    known, uri, typescript = ProjectContext(), (tmp_path / "cart.ts").as_uri(), language_named("typescript")
    known.folders = (tmp_path,)
    left = 'import { Prices } from "./prices";\n\nfunction total(prices: Prices) {\n  return prices.'

    def told(left: str) -> Context:
        known.context(uri, left, "\n}\n", {}, typescript)
        assert known.wait_until_settled(PATIENCE)
        return known.context(uri, left, "\n}\n", {}, typescript)

    first = told(left)
    assert [one.text for one in first.snippets] == ["class Prices {\n  net(gross: number);\n}\n"]
    assert told(f"{left}net(1)\n    + ") is first
    assert told(f"{left}net(1);\n}}\n\nfunction other() {{\n  ") is not first
    known.is_admitted = lambda _uri: False
    assert told('import { Prices } from "./prices";\n\nprices.').snippets == ()


def test_a_switch_of_files_and_back_changes_nothing_but_an_edit_does(tmp_path: Path) -> None:
    known = project_context(tmp_path, prices=PRICES, cart="", other="x = 1\n")
    cart, other = ((tmp_path / f"{name}.py").as_uri() for name in ("cart", "other"))
    opened = {other: "x = 1\n"}
    first = asked(known, cart, "from prices import Prices\nPrices()$0\n", opened)
    asked(known, other, "y = 2$0\n")
    assert asked(known, cart, "from prices import Prices\nPrices()$0\n", opened) is first
    known.note_edits(other, (SentEdit(0, 0, "z"),))
    again = asked(known, cart, "from prices import Prices\nPrices()$0\n", opened)
    assert [snippet.source for snippet in again.snippets if snippet.path == "other.py"][:1] == ["recent"]
    known.forget(other)
    known.forget(None)
    assert asked(known, cart, "Prices()$0\n").path == "cart.py"


def test_a_line_elsewhere_does_not_change_what_is_told_but_many_do(tmp_path: Path) -> None:
    known = project_context(tmp_path, prices=PRICES, cart="", other="")
    cart, other = ((tmp_path / f"{name}.py").as_uri() for name in ("cart", "other"))
    lines = [f"value_{number} = {number}\n" for number in range(10)]
    shown = []
    # One changed line, two, then enough to make the shown text wrong, and a definition.
    for changed in ((), (3,), (3, 4), (3, 4, 5), ("def",)):
        text = "".join(f"new_{line}" if at in changed else line for at, line in enumerate(lines))
        text += "def fresh(): ...\n" if "def" in changed else ""
        known.note_edits(other, (SentEdit(40, 40, "x"),))
        context = asked(known, cart, "from other import fresh\nx = value_1$0\n", {other: text})
        shown.append({one.source: one.text for one in context.snippets})
    recent = [one["recent"] for one in shown]
    assert recent[0] == recent[1] == recent[2] == "".join(lines)
    assert recent[3].count("new_") == 3
    assert "def fresh" in shown[4]["definition"]


def test_a_document_is_what_it_is_in_the_editor(tmp_path: Path) -> None:
    known = project_context(tmp_path, prices=PRICES, cart="")
    uris = [(tmp_path / f"{name}.py").as_uri() for name in ("cart", "prices")]
    opened = {uris[1]: PRICES.replace("net_of_all", "gross_of_all")}
    text = "from prices import Prices\nPrices()$0\n"
    assert "gross_of_all" in asked(known, uris[0], text, opened).snippets[0].text


def test_what_may_not_be_read_any_more_is_not_read(tmp_path: Path) -> None:
    known = project_context(tmp_path, near="for row in rows:\n    total += row.net\n", cart="")
    known.is_admitted = lambda _: False
    context = asked(known, (tmp_path / "cart.py").as_uri(), "for row in rows:\n    total += row$0\n")
    assert [snippet for snippet in context.snippets if snippet.source == "similar"] == []


def test_a_scan_outlines_what_is_not_excluded(tmp_path: Path) -> None:
    (tmp_path / "prices.py").write_text(PRICES)
    (tmp_path / "vault.py").write_text(f"class Vault:\n    {SECRET} = 1\n")
    (tmp_path / ".gitignore").write_text("vault.py\n")
    (tmp_path / ".env").write_text(f"KEY={SECRET}\n")
    folders = (tmp_path.as_uri(),)
    scan = Scan(
        lambda _: [], 1, lambda uri: exclusion(uri, (), folders) is None, has_tokens=False, has_outlines=True
    )
    found = scan.workspace([str(tmp_path)])
    assert found is not None
    assert {path.name for path in found.modules.paths.values()} == {"prices.py"}
    assert scan.workspace([str(tmp_path)]) is None
    (tmp_path / "prices.py").write_text(PRICES + "class More: ...\n")
    found = scan.workspace([str(tmp_path)])
    assert found is not None
    assert found.modules.only_definition("More") is not None


@pytest.mark.parametrize("has_names", [True, False])
def test_what_can_be_imported_is_known_without_a_model(tmp_path: Path, has_names: bool) -> None:
    (tmp_path / "prices.py").write_text(PRICES)
    (tmp_path / "cart.py").write_text("from prices import Prices\n")
    said: SimpleQueue[Own] = SimpleQueue()
    job_loop = JobLoop(lambda _: None, said.put)
    job_loop.serving.completer = GrammarAlone()
    job_loop.handle(Folders((str(tmp_path),), (), has_names=has_names))
    if has_names:
        job_loop.handle(said.get(timeout=PATIENCE))
    assert (job_loop.around.imports.names((tmp_path / "cart.py").as_uri()) == ["Prices"]) == has_names


def test_what_was_read_is_not_lost_where_folders_are_read_again_before_it_is_taken(tmp_path: Path) -> None:
    (tmp_path / "prices.py").write_text(PRICES)
    said: SimpleQueue[Own] = SimpleQueue()
    job_loop = JobLoop(lambda _: None, said.put)
    job_loop.serving.completer = GrammarAlone()
    job_loop.handle(Folders((str(tmp_path),), ()))
    first = said.get(timeout=PATIENCE)
    # A file was saved while the first scan was waiting.
    job_loop.handle(Folders((str(tmp_path),), ()))
    job_loop.handle(first)
    job_loop.handle(said.get(timeout=PATIENCE))
    assert job_loop.around.project_context.modules.only_definition("Prices") is not None
    # Nothing has changed since then.
    job_loop.handle(Folders((str(tmp_path),), ()))
    for thread in threading.enumerate():
        if thread.name == "remembering":
            thread.join(PATIENCE)
    assert said.empty()


def test_a_scan_keeps_within_its_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        (tmp_path / f"f{number}.py").write_text(f"class C{number}:\n    def f(self): ...\n")
    outlined = PythonOutline.of((tmp_path / "f0.py").read_text()).n_characters
    n_read = []

    def encode(text: str) -> list[int]:
        n_read.append(text)
        return [0] * 10

    monkeypatch.setattr(workspace, "MOST_TOKENS", 65)
    monkeypatch.setattr(workspace, "MOST_OUTLINED_CHARACTERS", 5 * outlined)
    scan = Scan(encode, 1, lambda _: True, has_outlines=True)
    found = scan.workspace([str(tmp_path)])
    assert found is not None
    # Each file has three pieces. The third file does not fit, and no later one is tokenized.
    assert (len(found.uris), len(n_read)) == (2, 9)
    assert [
        name for name in (f"C{number}" for number in range(8)) if found.modules.only_definition(name)
    ] == [f"C{number}" for number in range(5)]
    assert scan.workspace([str(tmp_path)]) is None


def test_models_that_know_one_file_are_told_of_others_only_where_that_is_asked() -> None:
    model = tiny_model(n_positions=1024)
    assert [is_told(model, mode) for mode in ("auto", "on", "off")] == [False, True, False]


def test_a_model_that_knows_files_is_told_of_them_unless_they_would_leave_the_machine() -> None:
    small = tiny_model(n_positions=8192)
    files = next(known.files for known in FIM_FORMATS if known.name == "qwen")
    knows = replace(
        small,
        fim_format=replace(small.fim_format, files=files),
        file_signs=dict.fromkeys(files.tokens, small.prefix),
    )
    elsewhere = replace(knows, is_elsewhere=True)
    assert [is_told(knows, mode) for mode in ("auto", "on", "off")] == [True, True, False]
    assert [is_told(elsewhere, mode) for mode in ("auto", "on", "off")] == [False, True, False]


def test_the_budget_follows_the_speed_of_reading_and_is_slow_to_change() -> None:
    model = tiny_model(n_positions=8192)
    assert budget(model, None, None) == AT_FIRST
    assert budget(model, 100_000.0, None) == 1024
    assert budget(model, 1000.0, None) == 256
    assert budget(model, 1200.0, 256) == 256
    assert budget(model, FEWEST_TOLD / 2, 256) == 0
    assert budget(tiny_model(n_positions=400), 100_000.0, None) <= 100


@pytest.mark.asyncio
async def test_the_editor_is_shown_what_was_sent_and_no_secret(tmp_path: Path) -> None:
    files = {"prices.py": PRICES, "vault.py": f"class Vault:\n    {SECRET} = 1\n", "cart.py": CART}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / ".gitignore").write_text("vault.py\n")
    client = await Client.start()
    await client.initialize({"context": "on", **PATIENT}, rootUri=tmp_path.as_uri())
    uris = {name: (tmp_path / name).as_uri() for name in files}
    for name in ("vault.py", "cart.py"):
        item = {"uri": uris[name], "languageId": "python", "version": 1, "text": files[name]}
        client.notify("textDocument/didOpen", {"textDocument": item})
    position = {"line": 4, "character": 20}
    told: list[dict[str, str]] = []
    deadline = time.monotonic() + PATIENCE
    version = 1
    while not told and time.monotonic() < deadline:
        # The workspace is read in the background, and the context is empty until then. With each edit the
        # model is asked again.
        version += 1
        change = {
            "range": {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 0}},
            "text": "\n",
        }
        document = {"uri": uris["cart.py"], "version": version}
        client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        await client.request(
            "textDocument/inlineCompletion",
            {"textDocument": {"uri": uris["cart.py"]}, "position": position, "context": {"triggerKind": 1}},
        )
        found = await client.command("fim-lsp.explain", uris["cart.py"], position)
        told = found.get("told", [])
        await asyncio.sleep(0.1)
    assert [one["path"] for one in told] == ["prices.py"]
    assert "Prices" in told[0]["reason"]
    assert "net_of_all" in found["prompt"]
    assert SECRET not in found["prompt"]
    assert await client.stop() == 0
    # The next start finds it on disk.
    with KeptOutlines(outlines_folder()) as kept:
        assert kept.find((tmp_path / "prices.py").read_bytes()) == PythonOutline.of(PRICES)
        assert kept.find((tmp_path / "vault.py").read_bytes()) is None
