"""Text that leaves the machine: none unless a server is named; then the text around the cursor, to that
server alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import main
from fim_lsp.commands.doctor_server import ServerStatus, where
from fim_lsp.runtimes.served.address import KEY_VARIABLE
from fim_lsp.server.worker.with_model import TEXT_ALONE
from tests.models import tiny_model
from tests.served_models import ServedModel, serving
from tests.sessions.client import PATIENT, Client
from tests.sessions.editor import Editor, opened, texts

KEY = "hunter2-never-shown"
SOURCE = "def area(width, height):\n    return $0\n"


@dataclass(frozen=True)
class Editing:
    """An editor whose server's model runs on another server, and all log lines."""

    editor: Editor
    client: Client
    served: ServedModel
    address: str
    log: Path


async def begin(folder: Path, served: ServedModel, address: str, **settings: Any) -> Editing:
    log = folder / "stderr.log"
    with log.open("wb") as stderr:
        client = await Client.start(stderr=stderr.fileno(), env=os.environ | {KEY_VARIABLE: KEY})
    settings |= PATIENT | {"model": address, "memory": False}
    folders = [{"uri": folder.as_uri(), "name": "project"}]
    await client.initialize(settings, workspaceFolders=folders)
    await client.until(lambda: any(status["model"] == address for status in client.statuses()))
    return Editing(Editor(client), client, served, address, log)


def prompts(served: ServedModel) -> str:
    """All sent prompts, as text."""
    model = tiny_model()
    sent = [body["prompt"] for path, body in served.asked if path == "/completion"]
    sent += [body["content"] for path, body in served.asked if path == "/tokenize"]
    return "".join(
        one
        if isinstance(one, str)
        else b"".join(model.token_bytes[token] for token in one).decode(errors="replace")
        for one in sent
    )


@pytest.mark.asyncio
async def test_excluded_files_are_not_sent_and_keys_are_shown_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    served = ServedModel(tiny_model(), key=KEY)
    with serving(served) as address:
        editing = await begin(tmp_path, served, address, exclude=["hidden*.py"])
        for name, word in (("hidden1.py", "moonshine"), ("ignored.py", "bootleg"), (".env", "password")):
            path = tmp_path / name
            path.write_text("")
            marked = SOURCE.replace("area", word)
            buffer = opened(editing.editor, path.as_uri(), marked)
            assert await texts(editing.editor, buffer, invoked=True) == []
        shown = opened(editing.editor, (tmp_path / "shown.py").as_uri(), SOURCE)
        assert await texts(editing.editor, shown, invoked=True)
        sent = prompts(served)
        assert "area" in sent
        assert not [word for word in ("moonshine", "bootleg", "password") if word in sent]
        told = await editing.client.command("fim-lsp.serverLog")
        told_of_all = json.dumps([told, editing.client.notifications, editing.client.requests])
        # The status says where text is sent.
        assert editing.client.statuses()[-1]["model"] == address
        assert await editing.client.stop() == 0
    assert KEY not in told_of_all
    assert KEY not in editing.log.read_text(errors="replace")


def test_nothing_is_sent_where_no_address_is_named(tmp_path: Path) -> None:
    """Completing by the bundled model opens no connection, not even to this machine."""
    source = tmp_path / "area.py"
    source.write_text(SOURCE.replace("$0", ""))
    program = (
        "import socket, sys\n"
        "def refuse(*arguments, **named): raise AssertionError(f'a connection to {arguments}')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from fim_lsp.cli import main\n"
        f"raise SystemExit(main(['complete', '{source}:2:12']))\n"
    )
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stderr
    assert made.stdout


def test_no_library_leaves_or_sends_anything_of_its_own(tmp_path: Path) -> None:
    """ONNX Runtime, from 1.31 on, keeps an identifier of the machine in the user's cache folder and sends
    events to its maker by native code, which no patch of Python's sockets sees."""
    home = tmp_path / "home"
    home.mkdir()
    source = tmp_path / "area.py"
    source.write_text(SOURCE.replace("$0", ""))
    switches = ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    variables = {name: value for name, value in os.environ.items() if name not in switches}
    variables |= {"HOME": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home)}
    words = [sys.executable, "-m", "fim_lsp", "complete", f"{source}:2:12"]
    made = subprocess.run(words, capture_output=True, text=True, timeout=120, env=variables)
    assert made.returncode == 0, made.stderr
    assert [path for path in home.rglob("*") if path.is_file()] == []


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["doctor", *arguments])
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "has_logprobs", "ability"),
    [
        ("llama-server", True, "llama-server, model santacoder; it tells all probabilities, token for token"),
        ("completions", True, "text with the likeliest continuations"),
        ("completions", False, "text alone"),
        ("ollama", True, "Ollama, model santacoder:latest; it tells text with the likeliest continuations"),
        ("ollama", False, "Ollama, model santacoder:latest; it tells text alone"),
    ],
)
def test_doctor_says_what_a_server_can_do(
    kind: str, has_logprobs: bool, ability: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(ServedModel(tiny_model(), kind, has_logprobs=has_logprobs)) as address:
        code, out = doctor(capsys, "--server", address)
    assert code == 0
    assert ability in out
    assert "FIM format santacoder" in out
    assert "stays on this machine" in out
    assert "no key is sent" in out


@pytest.mark.asyncio
async def test_the_status_says_of_a_server_that_it_tells_text_alone(tmp_path: Path) -> None:
    """An Ollama before 0.12.11, for example, ignores the request for probabilities."""
    served = ServedModel(tiny_model(), "ollama", has_logprobs=False)
    with serving(served) as address:
        editing = await begin(tmp_path, served, address)
        said = editing.client.statuses()[-1]
        assert (said["kind"], said["message"]) == ("Normal", TEXT_ALONE)
        assert await editing.client.stop() == 0


def test_doctor_never_shows_the_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    with serving(ServedModel(tiny_model(), key=KEY)) as address:
        code, out = doctor(capsys, "--server", address, "--json")
    assert code == 0
    found = json.loads(out)["server"]
    assert (found["kind"], found["has_key"], found["fault"]) == ("llama-server", True, None)
    assert KEY not in out


def test_doctor_says_what_is_wrong_with_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = doctor(capsys, "--server", "http://127.0.0.1:9")
    assert code == 1
    assert "http://127.0.0.1:9 cannot be reached" in out
    with serving(ServedModel(tiny_model(), "completions", name="gpt-oss")) as address:
        code, out = doctor(capsys, "--server", address)
    assert code == 1
    assert "the name gpt-oss" in out
    code, out = doctor(capsys, "--server", "http://user:secret@host")
    assert code == 1
    assert "secret" not in out


def test_doctor_refuses_what_is_no_address_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (
        "ftp://models.example",
        "models.example",
        "http://",
        "http://a..b",
        "http://127.0.0.1:9/\x00",
    ):
        code, out = doctor(capsys, "--server", name)
        assert code == 1
        assert "Traceback" not in out
        assert name.partition("//")[2][:4] in out


def test_doctor_says_when_text_leaves_the_machine() -> None:
    assert "NOT encrypted" in where(ServerStatus("http://team:8000", False, False, False))
    assert where(ServerStatus("https://team", False, True, True)).endswith("leaves this machine, encrypted")
