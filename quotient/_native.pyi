"""The engine: the compiled half of `lexer` and `quotient`, which re-export what users need.

Text is UTF-8 inside and characters outside. Where `str | bytes` is taken, `bytes` may begin and end in the
middle of a character; those of a context are read as a file's, or refused with `EncodingError`. Calls that
compute release the GIL. All objects may be shared between threads: calls of the same recognizer or document
come one after the other, each as a whole; what belongs to different documents runs in parallel.
"""

import sys
from collections.abc import Sequence
from os import PathLike
from typing import Literal, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self, disjoint_base

__all__ = [
    "Document",
    "EncodingError",
    "GrammarError",
    "IgnorePatterns",
    "Language",
    "Nesting",
    "NoCompletion",
    "Recognizer",
    "TooCostly",
    "Vocabulary",
    "__version__",
    "masks",
]

if sys.platform == "linux":
    __all__ += ["confine"]
if sys.platform != "win32":
    __all__ += ["run_to_the_end"]

__version__: str

# An array (or tensor on the CPU) of uint32 or int32 in one piece that is written to and given back.
_Out = TypeVar("_Out")

class NoCompletion(Exception):
    """No text fits between the left and the right context.

    The message says so to a user, in the terms of `side` and `offset`.
    """

    side: Literal["left", "right", "both"]
    """Which context no text can mend; "both" if each could be, but not by the same text."""
    offset: int
    """The place of the first error in that context, in characters (in bytes for a context given as bytes).

    On the left, the first character that no text can follow: where CPython's tokenizer or parser gives up, at
    the earliest. The right context is read from its end: there it is the symbol that no text can stand in
    front of, while what follows it could still be the end of a file; of several errors, the last. What is no
    symbol at all (a stray `$`, an open quote) is found on the way there, the first one first, and a bracket
    that nothing closes, or a wrong indentation, where it stands. For "both", the length of the left one."""

class TooCostly(Exception):
    """What follows the hole can be read in so many ways that the engine does not look at all of them.

    Whether any text fits is not known: this is no `NoCompletion`, and a user who asks has to say so or to ask
    for less. The work that a text may cost grows with its length; the costliest texts that were found cost a
    tenth of it.
    """

class EncodingError(ValueError):
    """Contexts given as bytes are not UTF-8, or a comment declares another encoding; the message says which.

    The left context may begin with a byte order mark. One that the hole would stand in front of or inside of
    is refused, as `ast.parse` would read it as a mark or not, depending on what is typed. An encoding that
    only what is typed declares is not seen.
    """

class GrammarError(ValueError):
    """A grammar cannot be used; the message says which rule or terminal is to blame."""

@final
class Language:
    """A compiled grammar. Safe to share between threads."""

    def __new__(cls, description: str) -> Language:
        """Compiles a grammar description, JSON as the Lark reader writes it. Raises `GrammarError`."""

    @property
    def name(self) -> str:
        """The language's name."""

    @property
    def version(self) -> str | None:
        """The language's version, if it has versions."""

    @property
    def terminals(self) -> list[str]:
        """The names of the terminals that rules are made of, those of the layout last."""

    @property
    def fingerprint(self) -> str:
        """A text that tells languages apart whose lexers differ."""

    def bound_names(self, text: str | bytes) -> list[str] | None:
        """The names that a text binds for others, all but those of functions and classes that have ended.

        It need be no program. None if that cannot be told: it may bind any, its brackets or strings do not
        end, or nothing is known of names in the language.
        """

    def recognizer(self, left: str | bytes, right: str | bytes, names: list[str] | None = None) -> Recognizer:
        """A recognizer for the texts that fit between `left` and `right`.

        With `names` it looks at names, and those exist, too.
        Raises `NoCompletion` if no text fits, and `EncodingError` for bytes that are not a file in UTF-8.
        """

    def document(self, text: str) -> Document:
        """A text under edit."""

@final
class Nesting:
    """The brackets and suites around a place, as the lexer knows them."""

    @property
    def n_brackets(self) -> int:
        """The number of open brackets, f-strings and their fields included."""

    @property
    def columns(self) -> list[int]:
        """The columns of the open suites, the file's own first."""

    @property
    def indentation(self) -> int | None:
        """The width of the line's white space so far; None if the line has a symbol."""

@final
class Recognizer:
    """The texts that fit a hole, recognized as they are written."""

    def advance(self, text: str | bytes) -> bool:
        """Reads text, if some text that goes on like this fits; otherwise nothing changes."""

    def is_member(self) -> bool:
        """Whether the file parses with what has been read so far in the hole."""

    def witness(self) -> str:
        """A shortest text after which `is_member()` holds; empty if it holds already.

        White space in front of a line is written out, though a tab and a joined line break may be shorter
        than eight spaces. The search for a shorter text than the one at hand looks behind a thousand places
        at most.

        Bytes that are no characters of their own, the rest of one that was begun, are surrogates as
        `bytes.decode(errors="surrogateescape")` makes them.
        """

    def witness_bytes(self) -> bytes:
        """The witness as bytes, also where it begins in the middle of a character."""

    def refusal(self, text: str | bytes) -> tuple[str, int, str] | None:
        """Why a text may not come next that the grammar allows; for an empty one, why the text may not end.

        The name, or the keyword that must not stand there; how many bytes in front of the text it begins
        (0: within it); and the reason in words. None if the text may come, or if the grammar is against it.
        """

    def wanted_names(self) -> list[str]:
        """The names that the lines behind the hole use, and that nothing binds if its text ends here.

        Those of the innermost suite first; none without names.
        """

    def is_wanted_elsewhere(self) -> bool:
        """Whether such names are also used by lines that see nothing of what is bound here.

        They belong to another function, say. False without names.
        """

    def without_names(self) -> Recognizer:
        """A recognizer in the same state that looks at the grammar alone."""

    @property
    def has_law(self) -> bool:
        """Whether a law stands beside the grammar: of names, or of unique keys."""

    def fork(self) -> Recognizer:
        """A recognizer in the same state that goes its own way. Costs next to nothing."""

    def rollback(self, n: int = 1) -> None:
        """Takes back the last `n` texts and tokens that were read.

        Raises `ValueError`, and changes nothing, if there were fewer or `n` is negative.
        """

    def nesting(self) -> Nesting:
        """The brackets and suites around the text's end."""

    def explain(self) -> str:
        """What may come next, in words, for people and logs."""

    def grammar(self) -> str:
        """The grammar of the texts that fit from here on, written out."""

    @overload
    def mask(self, vocabulary: Vocabulary, out: None = None) -> NDArray[np.uint32]: ...
    @overload
    def mask(self, vocabulary: Vocabulary, out: _Out) -> _Out:
        """The tokens that may come next, one bit each: 32 to a word, the lowest bit first.

        The bits of tokens that end a sequence say whether the text may end. The mask is written to `out`, of
        shape `(vocabulary.n_words,)`, if it is given. Raises `TypeError` or `ValueError` for an `out` of
        another type or shape.
        """

    def first_allowed(self, vocabulary: Vocabulary, ids: Sequence[int]) -> int | None:
        """The first of some candidates that may come next. Far cheaper than a mask for few candidates.

        Ids that are no tokens never may.
        """

    def advance_token(self, vocabulary: Vocabulary, id: int) -> bool:  # noqa: A002
        """Reads a token, if it may come next; otherwise nothing changes.

        A token that ends the sequence may come where the text may end, and leaves everything as it is. An id
        that is no token may not come.
        """

    def forced_text(self, vocabulary: Vocabulary) -> str:
        """The text with which everything goes on that the vocabulary can write here.

        Empty where there is a choice, or where the text may end.
        """

@final
class Document:
    """A text under edit, with holes anywhere. Offsets count characters.

    What was computed for one hole serves the others, across edits and moves of the cursor.
    """

    @property
    def text(self) -> str:
        """The text as it stands."""

    @property
    def memory(self) -> int:
        """Bytes held by what is remembered, roughly."""

    def __len__(self) -> int:
        """The length of the text."""

    def edit(self, start: int, stop: int, new: str) -> None:
        """Replaces the text between two offsets. Raises `ValueError` for offsets out of range or order."""

    def recognizer(
        self,
        start: int,
        stop: int | None = None,
        names: list[str] | None = None,
        *,
        comment_end: str | None = None,
    ) -> Recognizer:
        """A recognizer for the hole between two offsets, or for the empty one at `start`.

        `names` as for `Language.recognizer`. With `comment_end`, what ends comments, none that begins in the
        hole goes on behind it: `/*` does not fit only because a `*/` stands further down. Later edits do not
        change it. Raises `ValueError` for offsets out of range or order, and `NoCompletion` if no text fits.
        """

    def with_names(
        self, recognizer: Recognizer, start: int, stop: int, begun: str | bytes, known: list[str] = ...
    ) -> Recognizer:
        """A recognizer in the same state that looks at names, too, from here on.

        `recognizer` is one of this document's for the hole between two offsets, and has read `begun`. The
        names in `known` exist, too. Raises `ValueError` for offsets out of range or order.
        """

@disjoint_base
class Vocabulary:
    """The tokens of a model as bytes, by their ids."""

    def __new__(cls, tokens: Sequence[bytes], eos: Sequence[int] = ..., special: Sequence[int] = ...) -> Self:
        """A vocabulary. Tokens in `eos` end a sequence; those in `special` are no text and never allowed.

        Raises `ValueError` for ids out of range.
        """

    def __len__(self) -> int:
        """The number of tokens."""

    def token(self, id: int) -> bytes:  # noqa: A002
        """The bytes of a token, none for special ones. Raises `ValueError` for an unknown id."""

    @property
    def eos(self) -> list[int]:
        """The tokens that end a sequence."""

    @property
    def n_words(self) -> int:
        """The length of a mask, in words of 32 bits."""

    @property
    def fingerprint(self) -> str:
        """A text that tells vocabularies of different content apart."""

    def prepare_tables(self, language: Language) -> None:
        """Finds out what the tokens mean in all states of a language's lexer but unusual ones.

        It is found out on demand else, some milliseconds for each state.
        """

    def tables(self, language: Language) -> bytes:
        """What has been found out so far, outside f-strings, to be kept for `add_tables`."""

    def add_tables(self, language: Language, tables: bytes) -> bool:
        """Takes up what `tables` gave. False, and nothing happens, if it is damaged or of something else."""

    @property
    def memory(self) -> int:
        """Bytes held, what has been computed for languages included, roughly."""

@overload
def masks(
    recognizers: Sequence[Recognizer],
    vocabulary: Vocabulary,
    out: None = None,
    n_threads: int | None = None,
) -> NDArray[np.uint32]: ...
@overload
def masks(
    recognizers: Sequence[Recognizer],
    vocabulary: Vocabulary,
    out: _Out,
    n_threads: int | None = None,
) -> _Out:
    """The masks of many recognizers, one a row, worked out in threads: by default one for each processor."""

@final
class IgnorePatterns:
    """The patterns of a `.gitignore`, matched at a cost that does not depend on what they are.

    Lines that git could not make sense of name nothing. A `ValueError` when the patterns together are too
    large to be compiled.
    """

    def __new__(cls, text: str, ignores_case: bool = False) -> Self:
        """The patterns of a file, one a line."""

    @property
    def n_unreadable(self) -> int:
        """How many lines are no patterns."""

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """Whether a relative path is named, by the last pattern that speaks of it: False where `!` takes it
        out again, None where none does. The folders that it lies in are not looked at."""

if sys.platform == "linux":
    def confine(readable: Sequence[str | PathLike[str]]) -> list[str]:
        """Takes from this process, for good, all but reading what lies under some paths: writing, sockets,
        other processes, changing the system. Gives the names of what the system has no means for."""

if sys.platform != "win32":
    def run_to_the_end(program: str, name: str, channel: int) -> None:
        """Runs a program as `__main__`, and proves to who holds the other end of a socket pair that it came
        to its end: sends back, after the last line, the 32 bytes that are read first. The descriptor is
        closed."""
