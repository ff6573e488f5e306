"""The law for the hole of a document, as whoever writes a text asks it: which of its names are declared
nowhere.

While a model writes, it is an adviser (`decoding/writing/advised.py`): the text goes back to where the name
began, and another token has its turn. What is offered in the end is asked about once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fim_lsp.checkers.advice import Wrong
from fim_lsp.declared.undeclared import undeclared
from fim_lsp.known_languages import JAVASCRIPT, KnownLanguage
from fim_lsp.server.worker.messages import Text
from fim_lsp.server.worker.syntax import encoded
from fim_lsp.server.worker.texts import WorkerText

# Declarations alone, which say what comes from elsewhere.
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")


def has_declarations(known: KnownLanguage) -> bool:
    """Whether it is known of a language what declares a name."""
    return known.family == JAVASCRIPT.family


@dataclass(frozen=True, slots=True)
class Declared:
    """An adviser for the hole of a document of JavaScript or TypeScript."""

    text: WorkerText
    start: int
    stop: int
    begun: str
    who: str = "this file"

    def wrong(self, text: str) -> Sequence[Wrong]:
        """The names of a text that are declared nowhere; offsets are its characters."""
        if self.text.uri.endswith(DECLARATIONS):
            return ()
        whole = self.text.text
        root, content = self.text.tree.with_text(whole, self.start, self.stop, self.begun + text)
        first = len(encoded(whole[: self.start] + self.begun))
        last = first + len(encoded(text))
        return [
            Wrong(
                n_characters(content, first, one.start),
                n_characters(content, first, one.stop),
                f"`{one.name}` is not declared here",
            )
            for one in undeclared(root, content, first, last)
        ]

    def members(self, text: str) -> frozenset[str] | None:  # noqa: ARG002 - nothing is known of types
        return None

    def members_at_cursor(self) -> tuple[str, frozenset[str]] | None:
        return None


def declared_around(known: KnownLanguage, left: str, right: str, uri: str = "") -> Declared | None:
    """What is known of a hole between two texts; None in other languages."""
    if not has_declarations(known):
        return None
    whole = left + right
    text = WorkerText(Text(uri, 0, "", whole, language=known.name), whole)
    return Declared(text, len(left), len(left), "")


def n_characters(content: bytes, first: int, place: int) -> int:
    """How many characters of a text, which begins at a byte, stand in front of another byte."""
    return len(content[first : max(place, first)].decode("utf-8", "surrogatepass"))
