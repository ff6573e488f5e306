"""`fim-lsp endpoint`: the bundled model writes texts that fit, and the command explains its limits."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fim_lsp.commands.endpoint import python_versions
from tests.endpoint.served_gate import LEFT, RIGHT, TOKEN, parses


def test_the_bundled_model_writes_what_fits() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fim_lsp", "endpoint", "--port", "0", "--no-token", "--offline"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"http://127\.0\.0\.1:([0-9]+)\n", process.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        body = {"prompt": LEFT, "suffix": RIGHT, "max_tokens": 16, "n": 2, "logprobs": 1}
        connection.request("POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json"})
        choices = json.loads(connection.getresponse().read())["choices"]
        connection.close()
        assert choices[0]["text"]
        assert all(parses(LEFT + choice["text"] + RIGHT) for choice in choices)
    finally:
        process.terminate()
        _, said = process.communicate(timeout=20)
    assert "no token is asked for: every program on this machine, of every user, may ask" in said


def test_the_command_says_what_it_cannot_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fim_lsp.cli import main

    assert main(["endpoint", "--port", "70000"]) == 2
    assert main(["endpoint", "--forward", "nowhere"]) == 2
    assert main(["endpoint", "--python-version", "2.7"]) == 2
    monkeypatch.setenv("FIM_LSP_ENDPOINT_TOKEN", "short")
    assert main(["endpoint"]) == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("FIM_LSP_ENDPOINT_TOKEN", TOKEN)
        port = taken.getsockname()[1]
        assert main(["endpoint", "--forward", "http://127.0.0.1:1", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert "there is no port 70000" in said
    assert "nowhere is not a server's address" in said
    assert "no grammar for Python 2.7" in said
    assert "must have at least 16 ASCII characters" in said
    # Each system has its own words for the reason.
    assert f"fim-lsp endpoint: port {port}: " in said


def test_python_is_that_of_the_project_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nrequires-python = ">=3.9"\n')
    assert python_versions(None) == ("3.9", None)
    assert python_versions("3.12.4") == ("3.12",)
    project.write_text('[project]\nrequires-python = ">=3.15"\n')
    assert python_versions(None) == (None,)
