"""The worker's process, and the server without it: the worker starts late, dies, and is started again."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import pytest_asyncio

from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import (
    Cancel,
    Close,
    CloseUp,
    Complete,
    Explain,
    FillTogether,
    FromWorker,
    Limits,
    Prepare,
    ToWorker,
    Wishes,
)
from fim_lsp.server.worker.waiting import Waiting
from fim_lsp.server.worker.with_model import incomplete
from fim_lsp.server.worker_client import Worker
from tests import kills
from tests.server_editor import VERSION, script
from tests.sessions.client import PATIENCE, PATIENT, SCRIPTED, SERVE, Client, scripted
from tests.sessions.editor import Editor, opened, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}
WISHES = Wishes(1, 64, 20, True, "", False, None)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    async with scripted(SETTINGS | PATIENT) as client:
        yield client


def worker_of(client: Client) -> Any:
    [worker] = psutil.Process(client.process.pid).children()
    return worker


async def test_a_crash_of_the_worker_is_survived_and_said(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///worker/crash.py", "f($0\n")
    assert await texts(editor, buffer) == [")"]
    worker_of(client).kill()
    await client.until(lambda: client.statuses()[-1]["state"] == "error")
    assert kills.SAID in client.statuses()[-1]["message"]
    assert any(method == "window/showMessage" for method, _ in client.notifications)
    editor.type(buffer, "(")
    assert await texts(editor, buffer) == ["))"]


async def test_a_model_that_kills_the_worker_again_and_again_is_given_up() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"model": script(crash=True), **PATIENT})
    editor = Editor(client)
    buffer = opened(editor, "file:///worker/crashes.py", "f($0\n")
    for number in range(4):
        assert await texts(editor, buffer) == []
        editor.type(buffer, "abcd"[number])
    said = [params["message"] for method, params in client.notifications if method == "window/showMessage"]
    assert len(said) == 3
    assert "not started again" in said[-1]
    assert client.statuses()[-1]["state"] == "error"
    # The user requests another attempt.
    assert (await client.command("fim-lsp.switchModel", "none"))["message"] == ""
    assert await texts(editor, buffer) == [")"]
    assert await client.stop() == 0


class Crashes:
    """Records crashes alone, and whether each was the last one that is tolerated."""

    def __init__(self) -> None:
        self.finals: list[bool] = []

    def worker_crashed(self, message: str, is_final: bool) -> None:  # noqa: ARG002
        self.finals.append(is_final)

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


async def test_crashes_that_are_long_past_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    events: Any = Crashes()
    worker = Worker(events, "ERROR")
    for number in range(3):
        assert await worker.start()
        if number == 2:
            monkeypatch.setattr("fim_lsp.server.worker_client.CRASH_SECONDS", 0.0)
        psutil.Process(worker.pid).kill()
        while len(events.finals) <= number:
            await asyncio.sleep(0.01)
    assert events.finals == [False, False, False]
    assert not worker.is_given_up
    worker.stop()


async def test_the_worker_ends_with_the_server() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS)
    editor = Editor(client)
    await texts(editor, opened(editor, "file:///worker/end.py", "f($0\n"))
    worker = worker_of(client)
    client.process.kill()
    await client.process.wait()
    psutil.wait_procs([worker], timeout=PATIENCE)
    assert not worker.is_running()


async def test_nothing_runs_where_completions_are_disabled_from_the_start() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"enable": False})
    editor = Editor(client)
    assert await texts(editor, opened(editor, "file:///worker/off.py", "f($0\n")) == []
    # The process that was started before the settings were known ends at once.
    await has_workers(client, 0)
    assert await client.stop() == 0


async def has_workers(client: Client, n: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(psutil.Process(client.process.pid).children()) != n:
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("dies", [False, True])
async def test_the_worker_starts_before_the_client_says_anything(dies: bool) -> None:
    client = await Client.start(command=SCRIPTED)
    await has_workers(client, 1)
    early = worker_of(client)
    if dies:
        early.kill()
        await has_workers(client, 0)
    await client.initialize(SETTINGS | PATIENT)
    editor = Editor(client)
    assert await texts(editor, opened(editor, "file:///worker/early.py", "f($0\n")) == [")"]
    assert (worker_of(client).pid == early.pid) is not dies
    assert all(status["state"] != "error" for status in client.statuses())
    assert await client.stop() == 0


async def test_a_worker_that_waits_for_a_client_ends_with_the_server() -> None:
    client = await Client.start(command=SCRIPTED)
    await has_workers(client, 1)
    early = worker_of(client)
    client.process.kill()
    await client.process.wait()
    psutil.wait_procs([early], timeout=PATIENCE)
    assert not early.is_running()


async def test_initialize_is_answered_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    """The measure is the number of modules, because times depend on other programs."""

    def imported(told: Path) -> set[str]:
        """Modules by the output of `-X importtime`; module and time are a line's last columns."""
        lines = told.read_text().splitlines()
        return {line.rsplit("|", 1)[1].strip() for line in lines if line.startswith("import time:")}

    telling = (sys.executable, "-X", "importtime")
    with (tmp_path / "server").open("w") as told:
        client = await Client.start(command=(*telling, *SERVE), stderr=told.fileno())
        await client.initialize({"enable": False})
        client.process.kill()
        await client.process.wait()
    with (tmp_path / "pygls").open("w") as told:
        alone = await asyncio.create_subprocess_exec(*telling, "-c", "import pygls.lsp.server", stderr=told)
        assert await alone.wait() == 0
    served, needed = imported(tmp_path / "server"), imported(tmp_path / "pygls")
    heavy = {"torch", "transformers", "tree_sitter", "lark", "numpy", "llama_cpp", "tokenizers"}
    assert not heavy & {name.split(".")[0] for name in served}
    # 331 compared with 217 when this was written.
    assert len(needed) < len(served) < 2 * len(needed)


# While a model writes for one document, others are served between two of its steps.
BUSY = script(("a = ", ["1"]), ("b = ", ["2"]), ("c = ", ["3"]), slow="a = ", steps=10_000, step_s=0.01)


async def busy_client(budget_ms: int) -> tuple[Client, Editor]:
    client = await Client.start(command=SCRIPTED)
    settings = SETTINGS | {"model": BUSY, "timeBudget": budget_ms}
    await client.initialize(settings, {"textDocument": {"inlineCompletion": {}}})
    # The budget is for writing; on a slow system the worker takes longer to start than that.
    await client.until(lambda: any("scripted" in str(status["model"]) for status in client.statuses()))
    return client, Editor(client)


async def test_a_request_does_not_wait_for_another_document_s_model() -> None:
    client, editor = await busy_client(30_000)
    slow = opened(editor, "file:///worker/slow.py", "a = $0\n")
    number, waiting = client.ask("textDocument/inlineCompletion", editor.inline_params(slow))
    await client.logged("asked with a budget")
    quick = opened(editor, "file:///worker/quick.py", "b = $0\n")
    assert await texts(editor, quick) == ["2"]
    other = opened(editor, "file:///worker/other.py", "c = $0\n")
    assert await texts(editor, other) == ["3"]
    assert (await client.command("fim-lsp.explain", other.uri, {"line": 0, "character": 4}))["rung"] == "file"
    assert not waiting.done()
    client.cancel(number)
    answer = await asyncio.wait_for(waiting, PATIENCE)
    assert answer.error is not None
    # The earlier document is as usable as before.
    editor.edit(slow, (0, 1, "b"))
    slow.cursor = 4
    assert await texts(editor, slow) == ["2"]
    assert await client.stop() == 0


async def test_a_request_that_lets_another_document_go_ahead_is_answered_after_it() -> None:
    client, editor = await busy_client(2_000)
    slow = opened(editor, "file:///worker/slow.py", "a = $0\n")
    _, waiting = client.ask("textDocument/inlineCompletion", editor.inline_params(slow))
    await client.logged("asked with a budget")
    assert await texts(editor, opened(editor, "file:///worker/quick.py", "b = $0\n")) == ["2"]
    assert not waiting.done()
    answer = await asyncio.wait_for(waiting, PATIENCE)
    assert [item.text for item in editor.items(slow, answer)] == ["1"]
    assert await client.stop() == 0


def text_of(uri: str) -> SentText:
    return SentText(uri, 0, VERSION, "x = 1\n")


def complete(job: int, uri: str) -> Complete:
    return Complete(job, text_of(uri), 0, 0, "", WISHES, 1.0)


async def test_jobs_go_ahead_of_documents_that_are_only_prepared() -> None:
    waiting = Waiting[object]()
    messages: list[ToWorker] = [Prepare(text_of("a")), Prepare(text_of("b")), complete(1, "b"), Close("a")]
    for message in messages:
        waiting.put(message)
    taken = [waiting.next() for _ in messages]
    assert taken == [messages[1], messages[2], messages[0], messages[3]], "and each document's stay in order"


def jobs(uri: str) -> list[ToWorker]:
    """One job of each answered kind."""
    return [
        complete(1, uri),
        Explain(2, text_of(uri), 0),
        CloseUp(3, text_of(uri), 0, ""),
        FillTogether(4, text_of(uri), (0,), WISHES, 1.0),
    ]


@pytest.mark.parametrize("job", jobs("a"), ids=lambda job: type(job).__name__)
async def test_a_job_follows_what_was_sent_of_its_document(job: ToWorker) -> None:
    """A job contains only what has changed since the last one, which is useless without the rest."""
    waiting = Waiting[object]()
    for message in (Prepare(text_of("a")), job):
        waiting.put(message)
    assert [waiting.next() for _ in range(2)] == [Prepare(text_of("a")), job]


@pytest.mark.parametrize("job", jobs("a"), ids=lambda job: type(job).__name__)
async def test_any_job_goes_ahead_of_another_document_s_model(job: ToWorker) -> None:
    waiting = Waiting[object]()
    waiting.put(job)
    assert waiting.next_job(["a"]) is None
    assert waiting.next_job(["b"]) == job


async def test_only_a_job_for_another_document_goes_ahead_of_one_under_way() -> None:
    waiting = Waiting[object]()
    for message in (Prepare(text_of("b")), complete(2, "a"), Limits(), Cancel(1)):
        waiting.put(message)
    assert waiting.next_job(["a"]) is None
    waiting.put(complete(3, "b"))
    assert waiting.next_job(["a", "b"]) is None
    assert [waiting.next_job(["a"]) for _ in range(3)] == [Prepare(text_of("b")), complete(3, "b"), None]
    assert [waiting.next() for _ in range(3)] == [complete(2, "a"), Limits(), Cancel(1)]


async def test_a_job_that_was_cancelled_while_it_waited_leaves_its_edits_behind() -> None:
    answers: list[FromWorker] = []
    job_loop = JobLoop(answers.append, lambda _: None)
    job_loop.handle(Complete(1, SentText("a", 0, VERSION, "f("), 2, 2, "", WISHES, 1.0))
    job_loop.note(Cancel(2))
    job_loop.handle(
        Complete(2, SentText("a", 1, VERSION, None, (SentEdit(2, 2, "["),)), 3, 3, "", WISHES, 1.0)
    )
    job_loop.handle(
        Complete(3, SentText("a", 2, VERSION, None, (SentEdit(3, 3, "{"),)), 4, 4, "", WISHES, 1.0)
    )
    assert [getattr(answer, "texts", None) for answer in answers] == [(")",), (), ("}])",)]


async def test_what_libraries_print_does_not_garble_the_protocol(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("x = ", ["1"])))
    buffer = opened(editor, "file:///worker/print.py", "x = $0\n")
    assert await texts(editor, buffer) == ["1"], "the script prints to stdout before it writes"
    await client.command("fim-lsp.switchModel", "none")


async def test_modules_of_the_edited_folder_are_not_imported(tmp_path: Path) -> None:
    """`python -m` imports from the working directory first, and the worker must not."""
    (tmp_path / "pickle.py").write_text("raise SystemExit('imported from the workspace')")
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        client = await Client.start()
    finally:
        os.chdir(here)
    await client.initialize(SETTINGS | PATIENT)
    editor = Editor(client)
    assert await texts(editor, opened(editor, "file:///worker/path.py", "f($0\n")) == [")"]
    assert await client.stop() == 0


async def test_a_library_that_cannot_be_loaded_is_not_called_missing() -> None:
    """With `ulimit -v`, for example, there may be too little memory to load it."""
    failed = ImportError("libtorch_cpu.so: failed to map segment from shared object", name="_C")
    assert incomplete(failed) == (
        "no model can run: libtorch_cpu.so: failed to map segment from shared object; is there enough memory?"
    )
    assert "is not installed" in incomplete(ModuleNotFoundError("No module named 'torch'", name="torch"))
