"""Finds the next edits in a document, and which of several hold together.

The engine's charts and tree-sitter's tree follow the document's changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fim_lsp.dialects import may_turn, read_as
from fim_lsp.edits.next_edits import EditContext, next_edits, unsure_places
from fim_lsp.edits.projects.history import History
from fim_lsp.edits.projects.imported_elsewhere import ImportedElsewhere
from fim_lsp.edits.projects.project import (
    Folder,
    definitions_below,
    followed_here,
    is_below,
    proofs_elsewhere,
)
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Addition, NextEdit
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.writers import WrittenEdits
from fim_lsp.known_languages import (
    JAVASCRIPT,
    JAVASCRIPTREACT,
    PYTHON,
    KnownLanguage,
    language_named,
)
from fim_lsp.server.exclusion import path_exclusion, path_of
from fim_lsp.server.next_edits.messages import (
    Changed,
    FileEdits,
    FindCompatibleEdits,
    FindEditsElsewhere,
    FindNextEdits,
    FoundEdits,
    ProjectFolder,
)
from fim_lsp.shared import n_shared, n_shared_behind
from fim_lsp.sources import Unreadable, read_source
from quotient import Document, Language

# A larger change comes from another branch or a formatter.
MOST_HUNKS = 80
MOST_LINES = 1_000
# The number of documents whose charts and trees are kept, and the most memory of charts.
MOST_KEPT = 4
MOST_BYTES = 64 << 20
MARK = "\ufeff"


@dataclass(slots=True)
class DocumentPair:
    """The present and the former text of a document, with their charts and trees."""

    language: Language
    old: SourceText
    new: SourceText
    document: Document

    def follow(self, old: str, new: str) -> None:
        before = self.new
        if new != before.text:
            place = replacement(before.text, new)
            self.new = before.with_edit(*place)
            self.document.edit(*place)
        if old != self.old.text:
            # A stretch of work usually begins with a known text.
            known = next((one for one in (before, self.new) if one.text == old), None)
            self.old = known or self.old.with_edit(*replacement(self.old.text, old))


def kind_of(known: DocumentPair | None, named: KnownLanguage, text: str) -> KnownLanguage:
    """The language that a text is read as: the one of before, unless what was written since may tell another,
    because to find out takes reading all of it."""
    if known is None:
        return read_as(named, text)
    kind = known.new.known_language
    start, _, new = replacement(known.new.text, text)
    is_same = kind is named or (named is JAVASCRIPT and kind is JAVASCRIPTREACT)
    return kind if is_same and not may_turn(kind, text, start, start + len(new)) else read_as(named, text)


def replacement(before: str, after: str) -> tuple[int, int, str]:
    """The one replacement that turns one text into another."""
    start = n_shared(before, after)
    n_behind = n_shared_behind(before, after, min(len(before), len(after)) - start)
    return start, len(before) - n_behind, after[start : len(after) - n_behind]


class WorkingOut:
    """Answers questions, one after the other."""

    def __init__(self) -> None:
        # The least recently used document comes first.
        self._known: OrderedDict[str, DocumentPair] = OrderedDict()
        # The other documents' changes in the last question.
        self._history: tuple[tuple[Changed, ...], History] = (), History()
        self._others: list[tuple[Path, FileChange]] = []

    def find_edits(self, wanted: FindNextEdits) -> FoundEdits:
        known = self._of(wanted.changed)
        change = FileChange(known.old, known.new)
        hunks = change.hunks
        n_lines = sum(max(hunk.old_last - hunk.old_first, hunk.new_last - hunk.new_first) for hunk in hunks)
        if len(hunks) > MOST_HUNKS or n_lines > MOST_LINES:
            return FoundEdits(wanted.job, is_another=True)
        around = self._around(wanted, change)
        edits = next_edits(change, known.language, around, wanted.bar, wanted.most, known.document)
        edits = [*self._edits_elsewhere(wanted, change, around, known), *edits][: wanted.most]
        edits.sort(key=lambda edit: -edit.probability)
        found = tuple(edit for edit in edits if edit.start or not is_marked(wanted.changed))
        unsure = unsure_places(change, around, wanted.bar) if wanted.has_model and not found else ()
        return FoundEdits(wanted.job, found, unsure=tuple(replace(one, features={}) for one in unsure))

    def _edits_elsewhere(
        self, wanted: FindNextEdits, change: FileChange, around: EditContext, known: DocumentPair
    ) -> list[NextEdit]:
        """The edits that follow from changed definitions in other documents."""
        folder = None if wanted.project is None else folder_of(wanted.project)
        if folder is None or not is_below(folder):
            return []
        proof = Proof(change.new, known.language, known.document, change.old)
        if not proof.parses:
            return []
        some = definitions_below(self._others, folder, change, known.language)
        return followed_here(change, folder.relative(folder.own), some, proof, around, wanted.bar)

    def _around(self, wanted: FindNextEdits, change: FileChange) -> EditContext:
        """The context of a change: changes of other documents, and imports in the project's files."""
        folder = None if wanted.project is None else folder_of(wanted.project)
        if self._history[0] != wanted.earlier:
            history, self._others = History(), []
            for other in wanted.earlier:
                known_language = read_as(language_named(other.language), other.new)
                is_python = known_language is PYTHON
                texts = unmarked_text(other.old, is_python), unmarked_text(other.new, is_python)
                # An absolute path, from which relative imports cannot be resolved.
                path = path_of(other.path) or Path(Path("/"), other.path)
                if folder is not None and path.resolve().is_relative_to(folder.root.resolve()):
                    done = FileChange.of(str(folder.relative(path)), *texts, known_language)
                else:
                    done = FileChange.of(str(path), *texts, known_language)
                if len(done.hunks) <= MOST_HUNKS:
                    history.add(done)
                    self._others.append((path, done))
            self._history = wanted.earlier, history
        history = self._history[1]
        around = EditContext(
            history.imports.source,
            refused=frozenset(wanted.refused),
            earlier=history.of(change.new.text),
            converted=history.converted,
            writer=WrittenEdits(wanted.written) if wanted.written else None,
        )
        if folder is None or not is_below(folder):
            return around
        elsewhere = ImportedElsewhere(folder)
        return replace(around, asker=elsewhere.asker, project=elsewhere.source)

    def find_elsewhere(self, wanted: FindEditsElsewhere) -> FoundEdits:
        """The edits in files that are not open, those of each file together."""
        known = self._of(wanted.changed)
        change = FileChange(known.old, known.new)
        if len(change.hunks) > MOST_HUNKS:
            return FoundEdits(wanted.job)
        folder = replace(folder_of(wanted.project), known_language=change.new.known_language)
        own = folder.own.resolve()
        by_file = {
            proof.source.path: (proof, edits)
            for proof, edits in proofs_elsewhere(change, folder, known.language, wanted.bar, wanted.most)
            if edits
            and proof.source.path not in wanted.open_files
            and Path(proof.source.path).resolve() != own
        }
        found = (edits_of_file(path, edits, proof) for path, (proof, edits) in by_file.items())
        return FoundEdits(wanted.job, elsewhere=tuple(one for one in found if one is not None))

    def together(self, together: FindCompatibleEdits) -> FoundEdits:
        known = self._of(together.changed)
        return FoundEdits(together.job, tuple(holding_together(known.new, known.language, together.edits)))

    def forget(self, path: str) -> None:
        self._known.pop(path, None)

    def _of(self, changed: Changed) -> DocumentPair:
        known = self._known.pop(changed.path, None)
        kind = kind_of(known, language_named(changed.language), changed.new)
        old, new = unmarked_text(changed.old, kind is PYTHON), unmarked_text(changed.new, kind is PYTHON)
        language = Language.load(
            kind.name, version=changed.version if kind.name == changed.language else None
        )
        if known is not None and known.language is language and known.document.memory < MOST_BYTES:
            known.follow(old, new)
        else:
            path = changed.path
            sources = SourceText(path, old, kind), SourceText(path, new, kind)
            known = DocumentPair(language, *sources, language.document(new))
        self._known[changed.path] = known
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return known


def holding_together(
    source: SourceText, language: Language, edits: Sequence[NextEdit], document: Document | None = None
) -> list[NextEdit]:
    """The edits that hold together: their additions are made first, then each edit from the end of the text
    on, proved on the result so far. The engine's document of the text is changed, if one is passed."""
    additions: list[Addition] = []
    for one in sorted({one for edit in edits for one in edit.also}, key=lambda one: (one.start, one.stop)):
        if not additions or additions[-1].stop < one.start:
            additions.append(one)
    candidates = [edit for edit in edits if {*edit.also} <= {*additions}]
    if document is None:
        document = language.document(source.text)
    for one in reversed(additions):
        document.edit(one.start, one.stop, one.new)
        source = source.with_edit(one.start, one.stop, one.new)
    found, first = list[NextEdit](), len(source.text)
    for edit in sorted(candidates, key=lambda one: (one.start, one.end), reverse=True):
        start = replace(edit, also=tuple(additions)).start_then
        stop = start + edit.end - edit.start
        is_apart = stop <= first and not any(
            one.start < edit.end and edit.start < one.stop for one in additions
        )
        if is_apart and Proof(source, language, document).holds(start, stop, edit.new):
            document.edit(start, stop, edit.new)
            source = source.with_edit(start, stop, edit.new)
            found.append(edit)
            first = start
    return found[::-1]


def edits_of_file(path: str, edits: Sequence[NextEdit], proof: Proof) -> FileEdits | None:
    """The edits of a file that hold all at once; None where the file has changed since they were proved."""
    try:
        text = read_source(path, is_python=proof.source.known_language is PYTHON).text
    except (OSError, Unreadable):
        return None
    if text != proof.source.text:
        return None
    if len(edits) == 1 and not edits[0].also:
        return FileEdits(path, text, tuple(edits))
    together = holding_together(proof.source, proof.language, edits, proof.document)
    return FileEdits(path, text, tuple(together))


def folder_of(project: ProjectFolder) -> Folder:
    roots = tuple(root for folder in project.roots if (root := path_of(folder)) is not None)

    def is_admitted(path: Path) -> bool:
        return path_exclusion(path.resolve(), project.exclude, roots) is None

    return Folder(Path(project.root), PYTHON, is_admitted, Path(project.own), is_kept=True)


def is_marked(changed: Changed) -> bool:
    return changed.new.startswith(MARK)


def unmarked_text(text: str, is_python: bool) -> str:
    """A text with white space instead of a byte order mark, so that offsets stay the same."""
    return ("\f" if is_python else " ") + text[1:] if text.startswith(MARK) else text
