"""Reads the folders around the documents on a thread of its own: for memory, for names, and for the model's
context."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from fim_lsp.context.kept_outlines import outlines_folder
from fim_lsp.context.kinship import NO_KINSHIP
from fim_lsp.known_languages import PYTHON, extensions_of
from fim_lsp.memory.family import FamilyMemory
from fim_lsp.memory.workspace import KnownFile, Scan, Workspace
from fim_lsp.server.exclusion import exclusion
from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.from_memory import FromMemory
from fim_lsp.server.worker.messages import Folders
from fim_lsp.server.worker.missing_import import MissingImports
from fim_lsp.server.worker.project_context import ProjectContext
from fim_lsp.server.worker.with_model import WithModel
from fim_lsp.sources import PYTHON_FILES


@dataclass(frozen=True, slots=True)
class Scanned:
    """The result of the reading thread: the files to remember."""

    # The scan; None if nothing is to be remembered.
    scan: Scan | None
    workspace: Workspace


class FolderReading:
    """Reads folders. `put` hands results to the job loop; the other fields keep them."""

    def __init__(
        self, put: Callable[[Scanned], None], project_context: ProjectContext, imports: MissingImports
    ) -> None:
        self.put = put
        self.project_context = project_context
        self.imports = imports
        # The remembered folders, and their scan.
        self.folders: Folders | None = None
        self._scan: Scan | None = None
        # The scans for memory without a model, by family of languages.
        self._alone: dict[str, Scan] = {}

    def begin(self, completer: Completer) -> None:
        """Reads the folders for the present model, and ends an earlier reading."""
        if self._scan is not None:
            self._scan.stop()
        before, self._scan = self._scan, None
        folders = self.folders
        if folders is None or (isinstance(completer, GrammarAlone) and completer.is_loading):
            return
        is_admitted = self.project_context.is_admitted = admission_in(folders)
        self.project_context.folders = tuple(map(Path, folders.folders))
        # One scan serves the model's memory, names, and the context that the model is told.
        memory = completer.memory if isinstance(completer, WithModel) else None
        is_told = isinstance(completer, WithModel) and completer.tells(folders.context)
        has_tokens = memory is not None and folders.has_memory
        has_outlines = folders.has_names or is_told
        if memory is not None:
            memory.workspace = memory.workspace.with_folders(folders.folders)
        if not has_tokens and not has_outlines:
            self.end(Scanned(None, Workspace()), completer)
            return
        new = Scan(
            encode=no_tokens if memory is None else memory.encode,
            n_vocabulary=1 if memory is None else memory.n_vocabulary,
            is_admitted=is_admitted,
            has_tokens=has_tokens,
            has_outlines=has_outlines,
            outlines_folder=outlines_folder() if folders.is_kept else None,
        )
        self._scan = new if before is None else continued_scan(new, before)
        self._start_thread(self._scan, folders, "remembering")

    def begin_alone(self, remembering: FromMemory) -> None:
        """Reads the folders again for each family of languages that is completed without a model."""
        for family in list(self._alone):
            self._alone[family].stop()
            self.begin_family(family, remembering.memory_of(family))

    def is_read(self, family: str) -> bool:
        return self.folders is None or family in self._alone

    def begin_family(self, family: str, memory: FamilyMemory) -> None:
        """Reads the folders for the memory of a family of languages."""
        folders = self.folders
        if folders is None or not folders.has_memory:
            memory.project.workspace = Workspace()
            return
        memory.project.workspace = memory.project.workspace.with_folders(folders.folders)
        before = self._alone.get(family)
        scan = self._alone[family] = Scan(
            memory.words.encode,
            memory.project.n_vocabulary,
            admission_in(folders),
            {} if before is None else known_files(before),
            extensions=PYTHON_FILES if family == PYTHON.name else extensions_of(family),
            kinship=NO_KINSHIP if before is None else before.kinship,
        )
        self._start_thread(scan, folders, "remembering alone")

    def end_alone(self, scanned: Scanned, remembering: FromMemory) -> None:
        for family, scan in self._alone.items():
            if scan is scanned.scan:
                scan.is_taken = True
                remembering.memory_of(family).project.workspace = scanned.workspace

    def _start_thread(self, scan: Scan, folders: Folders, name: str) -> None:
        arguments = (scan, folders.folders)
        threading.Thread(target=self._read, args=arguments, name=name, daemon=True).start()

    def _read(self, scan: Scan, folders: tuple[str, ...]) -> None:
        try:
            workspace = scan.workspace(folders)
        except Exception as error:  # what is not remembered is only not offered
            log_fault("the workspace could not be read", error)
            return
        if workspace is not None:
            self.put(Scanned(scan, workspace))

    def end(self, scanned: Scanned, completer: Completer) -> None:
        # A later scan is already under way.
        if scanned.scan is self._scan:
            if scanned.scan is not None:
                scanned.scan.is_taken = True
            if isinstance(completer, WithModel):
                completer.memory.workspace = scanned.workspace
            workspace = scanned.workspace
            self.project_context.know(workspace.modules, lambda uri: workspace.files_in_sight(uri).modules)
            self.imports.know(workspace.importable, lambda uri: workspace.files_in_sight(uri).importable)


def continued_scan(scan: Scan, before: Scan) -> Scan:
    """A scan that knows what the one before has found. Files are read again if more is wanted of them now, or
    other tokens."""
    wanted, found = ((one.has_tokens, one.has_outlines, one.encode) for one in (scan, before))
    known = known_files(before) if wanted == found else {}
    return replace(scan, known=known, dependencies=before.dependencies.again(), kinship=before.kinship)


def known_files(scan: Scan) -> dict[str, KnownFile]:
    """The files that need not be read again; none if the last scan was not handed over yet."""
    known = scan.known
    return known if scan.is_taken else {}


def admission_in(folders: Folders) -> Callable[[str], bool]:
    """A function that says whether a file may be remembered. A file that is never completed is never used for
    offers elsewhere."""
    roots = tuple(Path(folder).as_uri() for folder in folders.folders)
    return lambda uri: exclusion(uri, folders.exclude, roots) is None


def no_tokens(text: str) -> list[int]:  # noqa: ARG001
    """No tokens, for texts that are read only for names."""
    return []
