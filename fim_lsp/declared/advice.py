"""The law for the hole of a document: which names of a text are declared nowhere.

While a model writes, the law is an adviser (`decoding/writing/advised.py`): the text goes back to where the
name began, and another token has its turn. The final offer is checked once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import tree_sitter

from fim_lsp.checkers.advice import Diagnostic
from fim_lsp.context.added_import import AddedImport
from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.laws import LAWS, FilePart, NameFault
from fim_lsp.document.sent import SentText
from fim_lsp.document.syntax import encode_text
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import KnownLanguage


def has_declarations(known_language: KnownLanguage) -> bool:
    """Whether the declarations of a language's names are known."""
    return known_language.family in LAWS


@dataclass(frozen=True, slots=True)
class Declared:
    """An adviser for the hole of a document of a language that has such a law."""

    text: WorkerText
    start: int
    stop: int
    begun: str
    who: str = "this file"
    # The other documents that are open in the editor, by address.
    opened: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> FileLocation:
        return FileLocation.of(self.text.uri, self.opened)

    def diagnostics(self, text: str) -> Sequence[Diagnostic]:
        """The names of a text that are declared nowhere; offsets are its characters."""
        _, content, found = self.faults(text)
        first = len(encode_text(self.text.text[: self.start] + self.begun))
        return [
            Diagnostic(
                n_characters(content, first, one.start),
                n_characters(content, first, one.stop),
                f"`{one.name}` {one.why}",
            )
            for one in found
        ]

    def faults(self, text: str) -> tuple[tree_sitter.Node, bytes, list[NameFault]]:
        """The file with a text, its bytes, and the faults of that part."""
        whole = self.text.text
        root, content = self.text.tree.with_text(whole, self.start, self.stop, self.begun + text)
        first = len(encode_text(whole[: self.start] + self.begun))
        part = FilePart(root, content, first, first + len(encode_text(text)), self.place)
        return root, content, LAWS[self.text.known_language.family](part)

    def with_import(self, added: AddedImport) -> Declared:
        """The hole in the document with an import in front of it."""
        text = self.text.text
        whole = text[: added.start] + added.new + text[added.stop :]
        shift = len(added.new) - (added.stop - added.start)
        name = self.text.known_language.name
        other = WorkerText(SentText(self.text.uri, 0, "", whole, language=name), whole)
        return replace(self, text=other, start=self.start + shift, stop=self.stop + shift)

    def members(self, text: str) -> frozenset[str] | None:  # noqa: ARG002 - nothing is known of types
        return None

    def members_at_cursor(self) -> tuple[str, frozenset[str]] | None:
        return None


def hole_declarations(known_language: KnownLanguage, left: str, right: str, uri: str = "") -> Declared | None:
    """The declarations around a hole between two texts; None in other languages."""
    if not has_declarations(known_language):
        return None
    whole = left + right
    text = WorkerText(SentText(uri, 0, "", whole, language=known_language.name), whole)
    return Declared(text, len(left), len(left), "")


def n_characters(content: bytes, first: int, place: int) -> int:
    """The number of a text's characters in front of a byte, if the text begins at another byte."""
    return len(content[first : max(place, first)].decode("utf-8", "surrogatepass"))
