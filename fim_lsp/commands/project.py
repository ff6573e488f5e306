"""The project that a command knows beside the place: its folder, of which a model hears and from which a file
could import; and the functions that the file defines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.context.added_import import AddedImport
from fim_lsp.declared.advice import Declared
from fim_lsp.declared.beside import FileLocation
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, CrossFileTokens, budget, context_tokens
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.memory.folder_context import folder_context, folder_workspace
from fim_lsp.memory.workspace import Workspace
from fim_lsp.recognizers import fits
from fim_lsp.related_files.snippets import LocatedPlace, related_context
from fim_lsp.server.exclusion import exclusion
from fim_lsp.server.worker.calls import Calls
from fim_lsp.server.worker.missing_import import missing_import
from fim_lsp.server.worker.site import Site
from fim_lsp.system.addresses import address_of
from quotient import Language


@dataclass(frozen=True, slots=True)
class FileInProject:
    """A folder, or none, and the file that is completed."""

    folder: Path | None
    file: Path
    workspace: Workspace

    @classmethod
    def of(cls, folder: Path | None, file: Path) -> FileInProject:
        """Raises `CommandError` for what is no folder."""
        if folder is None:
            return cls(None, file, Workspace())
        if not folder.is_dir():
            raise CommandError(f"{folder}: no such folder")
        root = folder.resolve().as_uri()
        found = folder_workspace(folder, file, lambda uri: exclusion(uri, (), (root,)) is None)
        return cls(folder, file, found)

    def context_tokens(
        self, model: Model, left: str, right: str, known_language: KnownLanguage = PYTHON
    ) -> CrossFileTokens:
        """The tokens of the folder that the model reads."""
        if self.folder is None:
            return NOTHING_TOLD
        if known_language is PYTHON:
            context = folder_context(self.workspace, self.folder, self.file, left, right)
        else:
            roots = (self.folder.resolve().as_uri(),)
            location = FileLocation.of(str(self.file.resolve()))

            def is_admitted(path: Path) -> bool:
                return exclusion(path.resolve().as_uri(), (), roots) is None

            context = related_context(
                LocatedPlace(location, left, right, known_language, (self.folder,), is_admitted)
            )
        return context_tokens(model, context, budget(model, None, None))

    def with_imports(
        self,
        language: Language,
        left: str,
        right: str,
        completed: Callable[[Sequence[str]], list[Completion]],
    ) -> dict[Completion, AddedImport | None]:
        """Completions that may use names which one import would define, each with that if it needs it.
        `completed` is given such names."""
        uri, whole, place = address_of(self.file.resolve()), left + right, len(left)
        importable = self.workspace.importable
        text = WorkerText(SentText(uri, 0, language.version or "", whole), whole)
        site = Site.of(text, Hole(place, place))
        found: dict[Completion, AddedImport | None] = {}
        for one in completed(importable.names(uri)):
            added = missing_import(site, one.text, importable)
            if added is not None or fits(language.recognizer(left, right, ()), one.text):
                found[one] = added
        return found


def calls_of(language: Language, left: str, right: str) -> Calls:
    """The judge of calls of the file's own functions, for a hole."""
    text = WorkerText(SentText("", 0, language.version or "", left + right), left + right)
    return Calls(text, len(left), len(left), "")


def without_undeclared(completions: Sequence[Completion], declared: Declared) -> list[Completion]:
    """The completions that use no name that is declared nowhere."""
    return [one for one in completions if not declared.diagnostics(one.text)]


def without_errors(completions: Sequence[Completion]) -> list[Completion]:
    """The completions in which no law sees an error; if there is one in each, all of them."""
    return [one for one in completions if one.wrong_from is None] or list(completions)
