"""The guarantee: the file after an edit is no worse than before.

The place of an edit is a hole with a right context of its own, so the engine says exactly whether the file
parses with it. In Python, each name in the new text must also exist, and the top-level statement around the
edit must compile if it did before.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from fim_lsp.document.syntax import faults_below
from fim_lsp.edits.importing.imports import BUILTINS, is_untold
from fim_lsp.edits.texts.names import BINDING, Names, Occurrence, names_of
from fim_lsp.edits.texts.source import SourceText, children_between
from fim_lsp.edits.texts.symbols import WORD, is_word
from fim_lsp.known_languages import PYTHON
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document, Language, NoCompletion

DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")
# The header above members of a class that are compiled alone.
HEADER = "class _:\n"
# A longer statement takes more time to compile than an edit may take.
MOST_COMPILED = 60_000


class Proof:
    """Proves edits of one text. `document` is the engine's document, if one is kept; `before` is the text
    before the user's change."""

    def __init__(
        self,
        source: SourceText,
        language: Language,
        document: Document | None = None,
        before: SourceText | None = None,
    ) -> None:
        self.source, self.language, self.before = source, language, before
        self._known_document = document
        self._compiled: dict[tuple[int, int], bool] = {}
        # The last edit that was asked about, with the names after it.
        self._edited: tuple[tuple[int, int, str], Names] | None = None

    @cached_property
    def document(self) -> Document:
        """The engine's document of the text; most files of a project have no edit that needs one."""
        known = self._known_document
        return self.language.document(self.source.text) if known is None else known

    @cached_property
    def parses(self) -> bool:
        """Whether the text parses as it is."""
        size = len(self.source.text)
        try:
            return self.document.recognizer(size, size).is_member()
        except NoCompletion:
            return False

    @cached_property
    def did_parse(self) -> bool:
        """Whether the text parsed before the user's change: the text between what both share is a hole, so
        that nothing else is read again."""
        if self.before is None:
            return False
        old, new = self.before.text, self.source.text
        start = n_shared(old, new)
        n_behind = n_shared_behind(old, new, min(len(old), len(new)) - start)
        return self.fits(start, len(new) - n_behind, old[start : len(old) - n_behind])

    def holds(self, start: int, stop: int, new: str) -> bool:
        """Whether the text is no worse with `new` between two offsets."""
        if not self.parses:
            return self._is_no_worse(start, stop, new)
        is_python = self.source.known_language is PYTHON
        if not self.fits(start, stop, new, has_names=is_python):
            return False
        return not is_python or (
            self.has_names(start, stop, new)
            and self.keeps_bound(start, stop, new)
            and self.compiles(start, stop, new)
        )

    def keeps_bound(self, start: int, stop: int, new: str) -> bool:
        """Whether names that the replaced part binds are still bound at their uses. A removed parameter may
        not be."""
        text, names = self.source.text, names_of(self.source)
        gone = {*WORD.findall(text, start, stop)} - {*WORD.findall(new)}
        left = [use for name in gone for use in self._bound_by(names, name, start, stop)]
        if not left:
            return True
        then = self._names_after(start, stop, new)
        shift = start + len(new) - stop
        moved = [(one.start + shift * (one.start >= stop), one.stop - one.start) for one in left]
        return all(then.owner(then.at(at, at + size)) is not None for at, size in moved)

    def _bound_by(self, names: Names, name: str, start: int, stop: int) -> Iterator[Occurrence]:
        """The uses of a name outside the part that binds it."""
        found = names.of(name)
        owners = {names.owner(one) for one in found if start <= one.start < stop and one.role in BINDING} - {
            None
        }
        for one in found:
            if owners and one.role == "use" and not start <= one.start < stop and names.owner(one) in owners:
                yield one

    def has_names(self, start: int, stop: int, new: str) -> bool:
        """Whether the file binds each new name of a part."""
        return next(self.unbound(start, stop, new), None) is None

    def unbound(self, start: int, stop: int, new: str) -> Iterator[Occurrence]:
        """The new names of a part that nothing in the file binds, at their places after the edit. Annotations
        count, too, though only checkers look their names up."""
        brought = {*WORD.findall(new)} - {*self._names_at(start, stop)} - BUILTINS
        behind = self._bared(start, stop)
        if not brought and behind is None:
            return
        is_all_told = not is_untold(self.source)
        if not is_all_told:
            # A file with hidden bindings may use its names again; names that are visible here need no further
            # look.
            brought = {name for name in brought if not self._is_known_at(start, stop, new, name)}
            if not brought and behind is None:
                return
        names = self._names_after(start, stop, new)
        text = names.source
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
                and (is_all_told or not is_used(names_of(self.source), text.text[slice(*place)]))
            ):
                # An edit with its import may span the file, so its names are examined as seldom as possible.
                if self._is_unbound_there(start, stop):
                    return
                yield one

    def _names_after(self, start: int, stop: int, new: str) -> Names:
        """The names of the text after an edit. The last ones are kept, since several questions are asked."""
        if self._edited is None or self._edited[0] != (start, stop, new):
            self._edited = (start, stop, new), Names(self.source.with_edit(start, stop, new))
        return self._edited[1]

    def _is_known_at(self, start: int, stop: int, new: str, name: str) -> bool:
        """Whether a name is bound around a place, or needs no binding, as an attribute for another one."""
        names = names_of(self.source)
        word = WORD.match(self.source.text, start)
        if word is None:
            return is_used(names, name)
        one = names.at(*word.span())
        if word.end() == stop and WORD.fullmatch(new) and one.role != "use":
            return True
        return names.binding_scope(name, one.scopes) is not None or is_used(names, name)

    def _bared(self, start: int, stop: int) -> tuple[int, int] | None:
        """The attribute behind an edit that removes its object: `art` of `album.art`."""
        text = self.source.text
        if not text[start:stop].rstrip().endswith("."):
            return None
        found = WORD.match(text, stop)
        return None if found is None or found[0] in BUILTINS else found.span()

    def _is_unbound_there(self, start: int, stop: int) -> bool:
        """Whether nothing binds a name that the edit removes: then the file's names are not known, and
        another unbound name makes the place no worse."""
        names = names_of(self.source)
        found = (names.at(*one.span()) for one in WORD.finditer(self.source.text, start, stop))
        return any(
            one.role == "use"
            and names.owner(one) is None
            and self.source.text[one.start : one.stop] not in BUILTINS
            for one in found
        )

    def _was_used(self, name: str) -> bool:
        """Whether the file already used an unbound name before the change: then its environment provides the
        name."""
        if self.before is None:
            return False
        return is_used(names_of(self.before), name)

    def fits(self, start: int, stop: int, new: str, has_names: bool = False) -> bool:
        """Whether the whole text parses with `new`, and with `has_names` has no new undefined name."""
        names = self._names_at(start, stop) if has_names else None
        try:
            recognizer = self.document.recognizer(start, stop, names)
        except NoCompletion:
            return False
        return recognizer.advance(new) and recognizer.is_member()

    def is_possible(self, start: int, stop: int) -> bool:
        """Whether the whole text parses with any text between two offsets."""
        try:
            self.document.recognizer(start, stop)
        except NoCompletion:
            return False
        return True

    def _names_at(self, start: int, stop: int) -> list[str]:
        """The names between two offsets, including those that overlap an end."""
        text = self.source.text
        while start and is_word(text[start - 1]):
            start -= 1
        while stop < len(text) and is_word(text[stop]):
            stop += 1
        return WORD.findall(text, start, stop)

    def _is_no_worse(self, start: int, stop: int, new: str) -> bool:
        """Whether a broken text parses afterwards, or has no more faults than before."""
        if self.fits(start, stop, new):
            return True
        return n_faults(self.source.with_edit(start, stop, new)) <= self._n_faults

    @cached_property
    def _n_faults(self) -> int:
        return n_faults(self.source)

    def compiles(self, start: int, stop: int, new: str) -> bool:
        """Whether the top-level statement around an edit still compiles with it, if it did before."""
        members = self._members(start, stop)
        if members is not None and self._compiles_in(HEADER, *members, start, stop, new) is True:
            return True
        return self._compiles_in("", *self._statement(start, stop), start, stop, new) is not False

    def _compiles_in(
        self, header: str, first: int, last: int, start: int, stop: int, new: str
    ) -> bool | None:
        """Whether lines below a header compile with an edit; None if they do not without it, or are too
        long."""
        if last - first > MOST_COMPILED:
            return None
        text = self.source.text
        if (first, last) not in self._compiled:
            self._compiled[first, last] = compiles(header + text[first:last])
        if not self._compiled[first, last]:
            return None
        return compiles(header + text[first:start] + new + text[stop:last])

    def _members(self, start: int, stop: int) -> tuple[int, int] | None:
        """The lines of the members that an edit touches in a top-level class; None outside of such a class.

        A class of thousands of lines takes twenty milliseconds to compile, a method less than one. A method
        does not see the names of its class, so it compiles the same in any class. Only the class's own
        `global` statements and type parameters reach into its methods.
        """
        begin, end = self.source.byte(start), self.source.byte(stop)
        node = self.source.root
        found: tuple[int, int] | None = None
        while True:
            touched = children_between(node, begin, end)
            if len(touched) == 1 and touched[0].type == "decorated_definition":
                touched = [one for one in touched[0].named_children[-1:] if one.start_byte <= begin]
            if len(touched) != 1 or touched[0].type != "class_definition":
                return found
            body = touched[0].child_by_field_name("body")
            is_simple = touched[0].child_by_field_name("type_parameters") is None
            if body is None or not is_simple or not body.start_byte <= begin <= end <= body.end_byte:
                return found
            if self._says_global(body):
                return found
            inner = children_between(body, begin, end)
            if not inner or body.start_point[0] == touched[0].start_point[0]:
                return found
            found = self._lines(
                self.source.offset(inner[0].start_byte), self.source.offset(inner[-1].end_byte)
            )
            node = body

    def _says_global(self, body: tree_sitter.Node) -> bool:
        """Whether a class itself may have a `global` statement, outside of its methods."""
        if b"global" not in self.source.content[body.start_byte : body.end_byte]:
            return False
        return any(
            child.type not in DEFINITIONS and "global" in self.source.text_of(child)
            for child in body.children
        )

    def _statement(self, start: int, stop: int) -> tuple[int, int]:
        """The lines of the top-level statements that an edit touches."""
        begin, end = self.source.byte(start), self.source.byte(stop)
        around = children_between(self.source.root, begin, end)
        first = min([start, *(self.source.offset(node.start_byte) for node in around)])
        last = max([stop, *(self.source.offset(node.end_byte) for node in around)])
        return self._lines(first, last)

    def _lines(self, first: int, last: int) -> tuple[int, int]:
        """The whole lines between two characters."""
        lines = self.source.lines
        number = lines.line_at(last)
        behind = lines.starts[number + 1] if number + 1 < len(lines.starts) else len(self.source.text)
        return lines.starts[lines.line_at(first)], behind


def n_faults(source: SourceText) -> int:
    return sum(1 for _ in faults_below(source.root, nested=True))


def is_used(names: Names, name: str) -> bool:
    """Whether a file uses a name that nothing in it binds."""
    return any(one.role == "use" and names.owner(one) is None for one in names.of(name))


def compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "edit", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
