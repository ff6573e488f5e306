"""The IDE's half in a JVM: starts it, and has a function for each step."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
JARS = ROOT / "target" / "e2e" / "lsp4j"
SOURCE = Path(__file__).with_name("Ide.java")


def is_here() -> bool:
    return shutil.which("java") is not None and any(JARS.glob("org.eclipse.lsp4j-*.jar"))


# The answer may come before the cancellation, but not every time.
MOST_ASKED = 20


class Ide:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        # Whether the server announces grey text.
        self.is_offered_grey_text: bool = self._said()["offers"]

    def _said(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the IDE has ended"
        said: dict[str, Any] = json.loads(line)
        return said

    def _step(self, name: str, **more: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": name, **more}) + "\n")
        self._process.stdin.flush()
        return self._said()

    def open(self, file: Path, text: str, language: str = "python") -> None:
        """Opens a file with the cursor at `$0`."""
        self._step("open", uri=file.as_uri(), text=text, language=language)

    def type(self, text: str, closer: str = "") -> None:
        """Types at the cursor; the IDE inserts closers by itself."""
        self._step("type", text=text, closer=closer)

    def grey_texts(self) -> list[str]:
        found: list[str] = self._step("ask")["grey"]
        return found

    def asked_too_early(self) -> dict[str, Any]:
        """The answer to a request for a place that the text does not have yet."""
        return self._step("ask too early")

    def ask_and_go(self) -> None:
        """Sends a request and cancels it before the answer; if the answer was quicker, tries again."""
        assert any(self._step("ask and go")["cancelled"] for _ in range(MOST_ASKED))

    def accept(self, number: int = 0) -> str:
        """Accepts with Tab; returns the whole text."""
        whole: str = self._step("accept", number=number)["text"]
        return whole

    def close(self) -> dict[str, Any]:
        """Shuts down in order; returns the server's exit code and the shown notifications."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._said()


@contextmanager
def ide(folder: Path, settings: dict[str, Any], command: Sequence[str]) -> Iterator[Ide]:
    with subprocess.Popen(
        [
            "java",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            f"{JARS}/*",
            str(SOURCE),
            str(folder),
            json.dumps(settings),
            *command,
        ],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield Ide(process)
        finally:
            process.terminate()
