"""The other files of a project that a change may affect: they are searched for the changed words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.change import FileChange
from fim_lsp.edits.declared_elsewhere import Declarations, followed_declarations
from fim_lsp.edits.edit import NextEdit, Proposal, Replacement, without_conflicts
from fim_lsp.edits.elsewhere import Definitions, followed_elsewhere
from fim_lsp.edits.imports import IMPORTS
from fim_lsp.edits.kept_files import content_of, kept_below
from fim_lsp.edits.next_edits import (
    MOST,
    EditContext,
    grouped_proposals,
    proved_edits,
    repeated_substitutions,
)
from fim_lsp.edits.proof import Proof
from fim_lsp.edits.source import SourceText
from fim_lsp.edits.substitutions import substitutions
from fim_lsp.edits.symbols import WORD
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.sources import Unreadable, files_below, read_source
from fim_lsp.system.addresses import address_of
from quotient import Language

# A substitution is less sure in a file that the user has not looked at.
FAR = 0.8


@dataclass(frozen=True)
class Folder:
    """A project's folder: its files of one language, by their paths in it."""

    root: Path
    known_language: KnownLanguage
    is_admitted: Callable[[Path], bool]
    # The file that was changed is not one of the others.
    own: Path
    # Whether it is asked more than once, so that files are worth caching.
    is_kept: bool = False

    def with_words(self, words: Iterable[str]) -> Iterator[tuple[Path, str]]:
        """The files that hold one of some words, with their texts."""
        wanted = [word.encode() for word in words]
        if not wanted:
            return
        own = self.own.resolve()
        for name in files_below(str(self.root), self.known_language.extensions):
            try:
                content = self._content(name)
                if content is None or not any(word in content for word in wanted):
                    continue
                path = Path(name)
                # Permission is checked last, for a few files: it takes ten times as long as to search for a
                # word.
                if path.resolve() != own and self.is_admitted(path):
                    yield path, read_source(name, is_python=self.known_language is PYTHON).text
            except (OSError, Unreadable):
                continue

    def _content(self, name: str) -> bytes | None:
        if not self.is_kept:
            return content_of(name)
        return kept_below(str(self.root)).content(name, self.is_admitted)

    def relative(self, path: Path) -> PurePosixPath:
        return PurePosixPath(path.resolve().relative_to(self.root.resolve()).as_posix())


def edits_elsewhere(
    change: FileChange, folder: Folder, language: Language, bar: float, most: int
) -> list[NextEdit]:
    """The edits in a folder's other files; none while the changed file does not parse, since it is
    unfinished."""
    if not Proof(change.new, language).parses:
        return []
    definitions = None
    if folder.own.resolve().is_relative_to(folder.root.resolve()):
        definitions = changed_definitions(change, folder.relative(folder.own))
    made = substitutions([change])
    words = set() if definitions is None else definitions.words
    words |= {max(one.words, key=len) for one in made if one.words}
    files = [*folder.with_words(words)]
    if isinstance(definitions, Definitions):
        packages = {
            folder.relative(path): SourceText(str(path), text)
            for path, text in files
            if path.stem == "__init__"
        }
        definitions = definitions.with_packages(packages)
    found: list[NextEdit] = []
    for path, text in files:
        if len(found) >= most:
            break
        other = FileChange.of(str(path), text, text, change.new.known_language)
        parts: list[Replacement] = []
        if definitions is not None:
            parts += followed_definitions(other, folder.relative(path), definitions)
        parts += repeated_substitutions(other, made, bar, sure=FAR)
        proof = Proof(other.new, language)
        found += held_edits(other, parts, proof, EditContext(), bar, most - len(found))
    return found


def changed_definitions(change: FileChange, path: PurePosixPath) -> Definitions | Declarations:
    """The changed definitions of a file that concern other files."""
    kind = Definitions if change.new.known_language is PYTHON else Declarations
    return kind.of(change, path)


def followed_definitions(
    other: FileChange,
    path: PurePosixPath,
    definitions: Definitions | Declarations,
    is_remembered: bool = False,
) -> Iterator[Replacement]:
    if isinstance(definitions, Definitions):
        return followed_elsewhere(other, path, definitions, is_remembered)
    return followed_declarations(other, path, definitions, is_remembered)


def followed_here(
    other: FileChange,
    changes: Iterable[tuple[Path, FileChange]],
    folder: Folder,
    proof: Proof,
    around: EditContext,
    bar: float,
) -> list[NextEdit]:
    """The edits in a file after changed definitions in other files of its folder."""
    parts: list[Replacement] = []
    path, root = folder.relative(folder.own), folder.root.resolve()
    for own, change in changes:
        if own.resolve().is_relative_to(root) and Proof(change.new, proof.language).parses:
            definitions = changed_definitions(change, folder.relative(own))
            if any(word in other.new.text for word in definitions.words):
                parts += followed_definitions(other, path, definitions, is_remembered=True)
    return held_edits(other, parts, proof, around, bar, MOST)


def held_edits(
    other: FileChange, parts: Sequence[Replacement], proof: Proof, around: EditContext, bar: float, most: int
) -> list[NextEdit]:
    """The shown edits of replacements in another file. An imported name and its uses change together, since
    neither holds without the other."""
    chosen = without_conflicts([one for one in parts if one.probability >= bar])
    is_joint = len(chosen) > 1 and any(is_import(other, one) for one in chosen)
    whole = [Proposal(other.path, tuple(chosen))] if is_joint else []
    proposals: Sequence[Proposal] = whole or [*grouped_proposals(other, chosen)]
    return [*proved_edits(other, proposals, proof, around, bar, most)]


def is_import(other: FileChange, one: Replacement) -> bool:
    return any(node.type in IMPORTS for node in other.new.path_to(one.start))


def importing_of(folder: Folder) -> tuple[Callable[[str], Importing | None], Asker]:
    """The sources of imports for a file: names that other files of its folder import, and their modules."""
    from fim_lsp.context.import_place import asker_of
    from fim_lsp.memory.folder_context import folder_workspace

    own = address_of(folder.own.resolve())
    workspace = folder_workspace(folder.root, folder.own, lambda _uri: True)
    importable = workspace.importable

    def source(name: str) -> Importing | None:
        found = importable.source(name, own) if WORD.fullmatch(name) else None
        return None if found is None or importable.leads_to(found, own) else found

    return source, asker_of(importable, own)
