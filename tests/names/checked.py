"""Type checkers for the typist's documents, whose folders do not exist: the checkers see them as files of the
real projects. A checker has read a document before it is asked, as in an editor that has had it open for a
while. With `ALL_PATIENCE` the answers are awaited however long they take, so rows do not depend on the
machine; with `OF_USE` they come as often as in an editor."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from fim_lsp.checkers.advice import Advice, Checkers

ALL_PATIENCE, OF_USE = 10_000.0, 1.0
# A checker reads a large project for the first time.
READING_SECONDS = 120


class OfProjects(Checkers):
    """The checkers of projects, by the typist's URIs of their folders."""

    def __init__(self, folders: dict[str, Path]) -> None:
        super().__init__(tuple(str(folder.resolve()) for folder in folders.values()), ALL_PATIENCE)
        self.real = {f"file:///typist/{quote(name)}/": folder for name, folder in folders.items()}

    def there(self, uri: str) -> str:
        for typed, folder in self.real.items():
            if uri.startswith(typed):
                return uri.replace(typed, folder.resolve().as_uri() + "/", 1)
        return uri

    def prepare(self, uri: str, text: str) -> None:
        uri = self.there(uri)
        process = self._process_for(uri)
        assert process is not None, "a checker is installed beside this Python"
        assert process.is_ready.wait(READING_SECONDS)
        read = self.errors(process, uri, text)
        assert read is not None
        read.result(READING_SECONDS)

    def close(self, uri: str) -> None:
        super().close(self.there(uri) if uri.startswith("file:///typist/") else uri)

    def advice(self, uri: str, left: str, right: str, is_asked: bool) -> Advice | None:
        return super().advice(self.there(uri), left, right, is_asked)
