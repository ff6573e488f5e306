"""The other files of a project that a change may affect: they are searched for the changed words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.dialects import read_as
from fim_lsp.edits.importing.imports import IMPORTS
from fim_lsp.edits.next_edits import (
    MOST,
    EditContext,
    grouped_proposals,
    proved_edits,
)
from fim_lsp.edits.projects.declared_elsewhere import Declarations, followed_declarations
from fim_lsp.edits.projects.elsewhere import Definitions, followed_elsewhere
from fim_lsp.edits.projects.kept_files import content_of, kept_below
from fim_lsp.edits.projects.moved_definitions import (
    gone_definitions,
    imported_back,
    imported_from_there,
    new_homes,
)
from fim_lsp.edits.projects.other_files import required_file
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.repeated_substitutions import renamed_words, repeated_substitutions
from fim_lsp.edits.repeating.far_places import likely_elsewhere
from fim_lsp.edits.repeating.substitutions import substitutions
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit, Proposal, Replacement, without_conflicts
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.known_languages import PYTHON, KnownLanguage, extensions_of, of_file
from fim_lsp.sources import FolderListing, files_below, text_in
from fim_lsp.system.addresses import address_of
from quotient import Language

# The names of files that re-export what others of their folder declare.
PACKAGES = {"python": "__init__", "javascript": "index", "typescript": "index"}
# The factor for a substitution in a file that the user has not looked at.
FAR = 0.8


@dataclass(frozen=True)
class Folder:
    """A project's folder: its files of a language and of related ones, by their paths in it."""

    root: Path
    known_language: KnownLanguage
    is_admitted: Callable[[Path], bool]
    # The file that was changed is not one of the others.
    own: Path
    # Whether it is asked more than once, so that files are worth caching.
    is_kept: bool = False

    def names(self) -> list[str]:
        """The names of all files."""
        listing = kept_below(str(self.root)).listing if self.is_kept else FolderListing.of
        return [*files_below(str(self.root), extensions_of(self.known_language.family), listing)]

    def with_words(
        self,
        words: Iterable[str],
        stem: str = "",
        names: Sequence[str] | None = None,
        is_wanted: Callable[[PurePosixPath, str], bool] | None = None,
    ) -> Iterator[tuple[Path, str]]:
        """The files that contain one of some words, with their texts; with `stem`, only those named so.
        `names` are those of all files, if they are known. `is_wanted` is asked early, with a file's path in
        the folder and a text in which only the letters of ASCII are right."""
        wanted = [word.encode() for word in words]
        if not wanted:
            return
        own = self.own.resolve()
        for name in self.names() if names is None else names:
            if stem and name[name.rfind(os.sep) + 1 :].rpartition(".")[0] != stem:
                continue
            try:
                content = self._content(name)
                if content is None or not is_any_in(wanted, content):
                    continue
                if is_wanted is not None and not is_wanted(self.inner(name), content.decode("latin-1")):
                    continue
                path = Path(name)
                # Only a link may have another name. The links on the way to a file are those to the root.
                may_be_own = path.name == own.name or path.is_symlink()
                # Permission is checked last, for a few files: it takes ten times as long as to search for a
                # word.
                if not (may_be_own and path.resolve() == own) and self.is_admitted(path):
                    yield path, text_in(content, self.known_language is PYTHON)
            except (OSError, SyntaxError, LookupError, ValueError):
                continue

    def _content(self, name: str) -> bytes | None:
        if not self.is_kept:
            return content_of(name)
        return kept_below(str(self.root)).content(name, self.is_admitted)

    def inner(self, name: str) -> PurePosixPath:
        """The path in the folder of a file that was found below it."""
        return PurePosixPath(*PurePath(name).parts[len(self.root.parts) :])

    def relative(self, path: Path) -> PurePosixPath:
        return PurePosixPath(path.resolve().relative_to(self.root.resolve()).as_posix())


def is_any_in(words: Sequence[bytes], content: bytes) -> bool:
    # A loop takes half as long as `any`, and all files of a project are asked.
    for word in words:  # noqa: SIM110
        if word in content:
            return True
    return False


def edits_elsewhere(
    change: FileChange, folder: Folder, language: Language, bar: float, most: int
) -> list[NextEdit]:
    """The edits in a folder's other files."""
    return [edit for _, edits in proofs_elsewhere(change, folder, language, bar, most) for edit in edits]


def proofs_elsewhere(
    change: FileChange, folder: Folder, language: Language, bar: float, most: int
) -> Iterator[tuple[Proof, list[NextEdit]]]:
    """The edits in each of a folder's other files, with what proves them; none while the changed file does
    not parse, since it is unfinished."""
    own = Proof(change.new, language)
    if change.is_rewrite or not own.parses:
        return
    definitions = None
    if is_below(folder):
        definitions = changed_definitions(change, folder.relative(folder.own))
    # What the rules for renamed definitions know is no substitution in other files.
    renamed = renamed_words(change)
    made = [one for one in substitutions([change]) if one.key not in renamed]
    made = likely_elsewhere(made, bar / FAR)
    words = set() if definitions is None else definitions.words
    words |= {max(one.words, key=len) for one in made if one.words}
    gone = gone_definitions(change) if isinstance(definitions, Definitions) else set()
    words |= gone
    names = folder.names()
    if definitions is not None:
        definitions = definitions.with_packages(packages_with(definitions.handed_names, folder, names))

    def may_follow(path: PurePosixPath, text: str) -> bool:
        is_concerned = definitions is not None and definitions.may_concern(path, text)
        return bool(gone) or is_concerned or any(one.old in text or not one.old.isascii() for one in made)

    files = [*folder.with_words(words, names=names, is_wanted=may_follow)]
    sources = {folder.relative(path): SourceText(str(path), text) for path, text in files} if gone else {}
    homes = new_homes(gone, sources)
    n_left = most
    if isinstance(definitions, Definitions) and homes:
        back = [*imported_back(change, definitions, homes, sources)]
        yield own, (found := held_edits(change, back, own, EditContext(), bar, most))
        n_left -= len(found)
    for path, text in files:
        if n_left <= 0:
            break
        is_followed = definitions is not None and definitions.may_concern(folder.relative(path), text)
        kind = read_as(of_file(str(path)), text)
        other = FileChange.of(str(path), text, text, kind)
        parts: list[Replacement] = []
        if definitions is not None and is_followed:
            parts += followed_definitions(other, folder.relative(path), definitions)
        if isinstance(definitions, Definitions) and homes:
            parts += imported_from_there(other, folder.relative(path), definitions, homes)
        parts += repeated_substitutions(other, made, bar, sure=FAR)
        proof = Proof(other.new, grammar_of(kind, change, language))
        yield proof, (found := held_edits(other, parts, proof, EditContext(), bar, n_left))
        n_left -= len(found)


def packages_with(
    words: Iterable[str], folder: Folder, names: Sequence[str] | None = None
) -> dict[PurePosixPath, SourceText]:
    """The packages' own files that contain one of some words: they may re-export these."""
    stem = PACKAGES.get(folder.known_language.family, "")
    return {
        folder.relative(path): SourceText(str(path), text, of_file(str(path)))
        for path, text in (folder.with_words(words, stem, names) if stem else ())
    }


def grammar_of(kind: KnownLanguage, beside: FileChange, language: Language) -> Language:
    """The grammar of a file's language, which may differ from that of the changed file."""
    return language if kind is beside.new.known_language else Language.load(kind.name)


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
    path: PurePosixPath,
    some: Iterable[Definitions | Declarations],
    proof: Proof,
    around: EditContext,
    bar: float,
    most: int = MOST,
) -> list[NextEdit]:
    """The edits that other files' changed definitions ask for in a file of a folder; `path` is its path."""
    parts: list[Replacement] = []
    for definitions in some:
        if any(word in other.new.text for word in definitions.words):
            parts += followed_definitions(other, path, definitions, is_remembered=True)
    return held_edits(other, parts, proof, around, bar, most)


def edits_by_others(
    other: FileChange,
    changes: Sequence[FileChange],
    folder: Folder,
    language: Language,
    around: EditContext,
    bar: float,
    most: int,
) -> list[NextEdit]:
    """The edits that changed definitions of a folder's other files ask for in one of its files."""
    proof = Proof(other.new, language, None, other.old)
    if not changes or not is_below(folder) or not proof.parses:
        return []
    some = definitions_below(((Path(one.path), one) for one in changes), folder, other, language)
    return followed_here(other, folder.relative(folder.own), some, proof, around, bar, most)


def is_below(folder: Folder) -> bool:
    """Whether the file that was changed is in the folder."""
    return folder.own.resolve().is_relative_to(folder.root.resolve())


def definitions_below(
    changes: Iterable[tuple[Path, FileChange]], folder: Folder, beside: FileChange, language: Language
) -> Iterator[Definitions | Declarations]:
    """The changed definitions of those files in a folder that parse. `beside` has the grammar `language`."""
    root = folder.root.resolve()
    for own, change in changes:
        grammar = grammar_of(change.new.known_language, beside, language)
        if own.resolve().is_relative_to(root) and Proof(change.new, grammar).parses:
            yield changed_definitions(change, folder.relative(own))


def held_edits(
    other: FileChange, parts: Sequence[Replacement], proof: Proof, around: EditContext, bar: float, most: int
) -> list[NextEdit]:
    """The shown edits of replacements in another file. An imported name and its uses change together, with
    what else changes in their lines, since neither holds without the other."""
    chosen = without_conflicts([one for one in parts if one.probability >= bar])
    if not chosen:
        return []
    imported = {one.group for one in chosen if is_import(other, one)}
    lines = {other.new.lines.line_at(one.start) for one in chosen if one.group in imported}
    joint = [one for one in chosen if one.group in imported or other.new.lines.line_at(one.start) in lines]
    others = [one for one in chosen if one not in joint]
    proposals = [Proposal(other.path, tuple(joint))] if joint else []
    proposals += grouped_proposals(other, others)
    return [*proved_edits(other, proposals, proof, around, bar, most)]


def is_import(other: FileChange, one: Replacement) -> bool:
    path = other.new.path_to(one.start)
    kinds = (*IMPORTS, "import_declaration")
    return any(node.type in kinds or required_file(other.new, node) for node in path)


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
