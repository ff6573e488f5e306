"""Missing imports: an offer may use an undefined name that one import would define.

The model may use such names if the client can insert the import. For each offer that does not fit without an
import, the name is found, and the engine checks the file with both: it parses, all names exist, and it
compiles. An offer is dropped if it needs two imports, if the import has no place, or if it is circular.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fim_lsp.context.added_import import AddedImport
from fim_lsp.context.import_place import added_import, asker_of
from fim_lsp.context.importable import NOTHING_IMPORTABLE, Importable
from fim_lsp.context.outline import all_imports, definition_of, statements
from fim_lsp.declared.advice import Declared
from fim_lsp.declared.missing_import import missing_import as import_for
from fim_lsp.document.hole import Hole
from fim_lsp.document.texts import WorkerText
from fim_lsp.positions import LINE_END
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt
from fim_lsp.server.worker.site import Site
from quotient import NoCompletion, TooCostly

WORD = re.compile(r"[^\W\d]\w*")
BEGUN_WORD = re.compile(r"\w*\Z")
# Names are hardly longer.
LONGEST_WORD = 200
# Each candidate name of an offer costs a check.
MOST_MEANT = 20


@dataclass(slots=True)
class MissingImports:
    """The importable names of a workspace."""

    importable: Importable = NOTHING_IMPORTABLE
    # The imports for a document, if not all folders concern it.
    seen_from: Callable[[str], Importable] | None = None
    _names: dict[str, list[str]] = field(default_factory=dict)

    def know(self, importable: Importable, seen_from: Callable[[str], Importable] | None = None) -> None:
        """Takes a new reading of the workspace."""
        self.importable, self.seen_from = importable, seen_from
        self._names.clear()

    def of(self, uri: str) -> Importable:
        """The importable names of a document's project."""
        return self.importable if self.seen_from is None else self.seen_from(uri)

    def names(self, uri: str) -> list[str]:
        """The names that a document can import."""
        if uri not in self._names:
            self._names[uri] = self.of(uri).names(uri)
        return self._names[uri]

    def needed_imports(self, attempt: Attempt, texts: Iterable[str]) -> dict[str, AddedImport | None]:
        """The texts with which the file is right, each with its import, if it needs one."""
        site, without = attempt.footing.site, attempt.without_imports
        if without is None:
            adviser = attempt.adviser if attempt.wishes.imports else None
            declared = adviser if isinstance(adviser, Declared) else None
            begun = site.hole.begun
            return {
                text: None if declared is None else declared_import(site, declared, text.removeprefix(begun))
                for text in texts
            }
        found: dict[str, AddedImport | None] = {}
        for text in texts:
            offer = text.removeprefix(site.hole.begun)
            added = missing_import(site, offer, self.of(site.uri))
            if added is not None or fits(without.recognizer, offer):
                found[text] = added
        return found

    def openings(self, uri: str, name: str) -> list[str]:
        """The texts in front of a name in a document's imports of it, absolute and relative."""
        source = self.of(uri).source(name, uri)
        if source is None or name != (source.name or source.module):
            return []
        if source.is_import:
            return ["import "]
        asker = asker_of(self.of(uri), uri)
        modules = (source.module, asker.relative(source.module))
        return [f"from {module} import " for module in modules if module]

    def forget(self, uri: str) -> None:
        self._names.pop(uri, None)


def declared_import(site: Site, declared: Declared, offer: str) -> AddedImport | None:
    """The import of an offer in a language whose names the engine does not check; the engine accepts the file
    with it."""
    added = import_for(declared, offer)
    return added if added is not None and is_right(site.text, site.hole, offer, added) else None


def missing_import(site: Site, offer: str, importable: Importable) -> AddedImport | None:
    """The import with which the file and an offer are right; None if there is none, or if they are right
    without.

    The engine does not check a half name in front of the hole, since its end is not known. With the offer it
    is, so the half name counts as part of the offer here.
    """
    text, hole = site.text, site.hole
    before = BEGUN_WORD.search(text.text, max(hole.start - LONGEST_WORD, 0), hole.start)
    start = hole.start if before is None else before.start()
    whole = text.text[start : hole.start] + hole.begun + offer
    words = dict.fromkeys(WORD.findall(whole))
    meant = [word for word in words if importable.source(word, site.uri) is not None][:MOST_MEANT]
    known = list(text.elsewhere or ())
    if not meant or fits_with(text, start, hole.stop, known, whole):
        return None
    name = next((one for one in meant if fits_with(text, start, hole.stop, [*known, one], whole)), None)
    return None if name is None else proved_import(site, offer, importable, name)


def fits_with(text: WorkerText, start: int, stop: int, names: list[str], filling: str) -> bool:
    """Whether the file is right with a text between two offsets and some further names."""
    try:
        return fits(text.engine.recognizer(start, stop, names), filling)
    except (NoCompletion, TooCostly):
        return False


def proved_import(site: Site, offer: str, importable: Importable, name: str) -> AddedImport | None:
    """The import of a name, if the engine accepts the file with it."""
    text, uri = site.text, site.uri
    source = importable.source(name, uri)
    root = text.tree.root()
    # If the file itself binds the name elsewhere, that binding is meant.
    own = {one.alias for one in all_imports(root)}
    own |= {found.name for node in statements(root) if (found := definition_of(node)) is not None}
    if source is None or name in own or importable.leads_to(source, uri):
        return None
    asker = asker_of(importable, uri)
    line_end = LINE_END.search(text.text)
    added = added_import(text.text, root, source, site.hole.start, asker, line_end[0] if line_end else "\n")
    return added if added is not None and is_right(text, site.hole, offer, added) else None


def is_right(text: WorkerText, hole: Hole, offer: str, added: AddedImport) -> bool:
    """Whether the file parses and compiles with an offer and its import, and all names exist."""
    if added.stop > hole.start:
        return False
    whole = text.text[: added.start] + added.new + text.text[added.stop :]
    shift = len(added.new) - (added.stop - added.start)
    try:
        recognizer = text.language.document(whole).recognizer(hole.start + shift, hole.stop + shift, [])
    except (NoCompletion, TooCostly):
        return False
    return fits(recognizer, hole.begun + offer)
