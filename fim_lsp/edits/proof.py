"""The guarantee: what an edit leaves behind is no worse than what it found.

A place that is edited is a hole with a right context of its own, so the engine says whether the file parses
with it, exactly. Of Python it also says whether each name in the new text exists; and the statement at the
margin that the edit is in compiles if it did.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property

from fim_lsp.edits.imports import BUILTINS, is_untold
from fim_lsp.edits.names import Names, Occurrence, names_of
from fim_lsp.edits.source import WORD, Source, is_word
from fim_lsp.known_languages import PYTHON
from fim_lsp.server.worker.syntax import encoded, faults_below, parser
from quotient import Document, Language, NoCompletion

# A statement that is longer takes longer to compile than an edit may take.
MOST_COMPILED = 60_000


class Proof:
    """What holds for the edits of one text. `document` is the engine's, if somebody keeps one; `before` what
    the text was before somebody changed it."""

    def __init__(
        self,
        source: Source,
        language: Language,
        document: Document | None = None,
        before: Source | None = None,
    ) -> None:
        self.source, self.language, self.before = source, language, before
        self.document = document if document is not None else language.document(source.text)
        self._compiled: dict[tuple[int, int], bool] = {}

    @cached_property
    def parses(self) -> bool:
        """Whether the text parses as it is."""
        size = len(self.source.text)
        try:
            return self.document.recognizer(size, size).is_member()
        except NoCompletion:
            return False

    def holds(self, start: int, stop: int, new: str) -> bool:
        """Whether the text is no worse with another part between two offsets."""
        if not self.parses:
            return self._is_no_worse(start, stop, new)
        is_python = self.source.known is PYTHON
        if not self.fits(start, stop, new, has_names=is_python):
            return False
        return not is_python or (self.has_names(start, stop, new) and self.compiles(start, stop, new))

    def has_names(self, start: int, stop: int, new: str) -> bool:
        """Whether each name that a part brings is bound in the file."""
        return next(self.unbound(start, stop, new), None) is None

    def unbound(self, start: int, stop: int, new: str) -> Iterator[Occurrence]:
        """The names that a part brings and that nothing in the file binds, where they stand with it: in
        annotations, too, that nothing but a checker looks up."""
        brought = {*WORD.findall(new)} - {*self._names_at(start, stop)} - BUILTINS
        behind = self._bared(start, stop)
        is_known = not brought and behind is None
        if is_known or is_untold(self.source) or self._is_unbound_there(start, stop):
            return
        text = self.source.edited(start, stop, new)
        names = Names(text)
        places = [
            one.span() for one in WORD.finditer(text.text, start, start + len(new)) if one[0] in brought
        ]
        if behind is not None:
            shift = start + len(new) - stop
            places.append((behind[0] + shift, behind[1] + shift))
        for place in places:
            one = names.at(*place)
            if (
                one.role == "use"
                and names.owner(one) is None
                and not self._was_used(text.text[slice(*place)])
            ):
                yield one

    def _bared(self, start: int, stop: int) -> tuple[int, int] | None:
        """The attribute behind an edit that takes away what it is one of: `art` of `album.art`."""
        text = self.source.text
        if not text[start:stop].rstrip().endswith("."):
            return None
        found = WORD.match(text, stop)
        return None if found is None or found[0] in BUILTINS else found.span()

    def _is_unbound_there(self, start: int, stop: int) -> bool:
        """Whether a name that an edit takes away is nowhere bound either: then nobody knows the file's
        names, and the place is no worse with another one."""
        names = names_of(self.source)
        found = (names.at(*one.span()) for one in WORD.finditer(self.source.text, start, stop))
        return any(
            one.role == "use"
            and names.owner(one) is None
            and self.source.text[one.start : one.stop] not in BUILTINS
            for one in found
        )

    def _was_used(self, name: str) -> bool:
        """Whether the file used a name before anybody changed it that nothing in it bound: who runs it puts
        it there."""
        if self.before is None:
            return False
        names = names_of(self.before)
        return any(one.role == "use" and names.owner(one) is None for one in names.of(name))

    def fits(self, start: int, stop: int, new: str, has_names: bool = False) -> bool:
        """Whether the whole text parses with a part, and no name in it is undefined that was not there."""
        names = self._names_at(start, stop) if has_names else None
        try:
            recognizer = self.document.recognizer(start, stop, names)
        except NoCompletion:
            return False
        return recognizer.advance(new) and recognizer.is_member()

    def _names_at(self, start: int, stop: int) -> list[str]:
        """The names between two offsets, those that reach into it with them."""
        text = self.source.text
        while start and is_word(text[start - 1]):
            start -= 1
        while stop < len(text) and is_word(text[stop]):
            stop += 1
        return WORD.findall(text, start, stop)

    def _is_no_worse(self, start: int, stop: int, new: str) -> bool:
        """The same for a text that does not parse: it does afterwards, or there are no more faults."""
        if self.fits(start, stop, new):
            return True
        before = sum(1 for _ in faults_below(self.source.root, nested=True))
        text = self.source.text[:start] + new + self.source.text[stop:]
        root = parser(self.source.known).parse(encoded(text)).root_node
        return sum(1 for _ in faults_below(root, nested=True)) <= before

    def compiles(self, start: int, stop: int, new: str) -> bool:
        """Whether the statement at the margin around an edit compiles with it, if it did without."""
        first, last = self._statement(start, stop)
        if last - first > MOST_COMPILED:
            return True
        text = self.source.text
        if (first, last) not in self._compiled:
            self._compiled[first, last] = compiles(text[first:last])
        if not self._compiled[first, last]:
            return True
        return compiles(text[first:start] + new + text[stop:last])

    def _statement(self, start: int, stop: int) -> tuple[int, int]:
        """The lines of the statements at the margin that an edit touches."""
        begin, end = self.source.byte(start), self.source.byte(stop)
        around = [
            node for node in self.source.root.children if node.start_byte <= end and begin <= node.end_byte
        ]
        first = min([start, *(self.source.offset(node.start_byte) for node in around)])
        last = max([stop, *(self.source.offset(node.end_byte) for node in around)])
        lines = self.source.lines
        number = lines.line_at(last)
        behind = lines.starts[number + 1] if number + 1 < len(lines.starts) else len(self.source.text)
        return lines.starts[lines.line_at(first)], behind


def compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "edit", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
