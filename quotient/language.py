"""Languages by name or from a Lark grammar.

Built-in grammars are compiled descriptions beside this module (`grammars/NAME[-VERSION].json`); only
`Language.from_lark` needs the `lark` package. A language is compiled once per process.
"""

import re
import warnings
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from quotient import _native

if TYPE_CHECKING:
    from lark.indenter import Indenter

_GRAMMARS = files("quotient") / "grammars"
# Default versions other than the newest one: few programs read TOML 1.1 yet.
_USUAL = {"toml": "1.0"}


class GrammarWarning(UserWarning):
    """A grammar has another meaning to Lark; the message lists the differences."""


class Language:
    """A compiled grammar. Threads may share it."""

    __slots__ = ("_native",)

    def __init__(self, description: str) -> None:
        """Compiles a grammar description (JSON text); raises `GrammarError`."""
        self._native = _native.Language(description)

    @staticmethod
    def load(name: str, version: str | None = None) -> "Language":
        """A built-in language, by default in its newest version, TOML in 1.0.

        Raises `ValueError` if there is none of this name and version.
        """
        return _load(name, version)

    @staticmethod
    def from_lark(
        grammar: str | Path,
        start: str | None = None,
        layout: Literal["none", "python"] | None = None,
        *,
        source: str | Path | None = None,
        imports: Iterable[str | Path] = (),
        without: Iterable[str] = (),
        indenter: "Indenter | None" = None,
        parser: Literal["lalr", "earley"] = "lalr",
        regex: bool = False,
    ) -> "Language":
        """The language of a Lark grammar, given as its text or as the path of its file.

        Relative imports start from the file, or from `source`, which is also the grammar's name in messages;
        they also look in the folders `imports`. `layout="python"` adds Python's indentation, brackets,
        comments and line joining; the grammar then declares NEWLINE, INDENT and DEDENT. `without` names
        terminals to leave out, such as those that no automaton can read; parts of rules that need them are
        left out, too. So are parts that no text matches, such as a rule that always needs itself.

        `parser` and `regex` are Lark's: an Earley parser reads one text as several terminals, and with
        `regex` the expressions are those of the package of this name, which must be installed.

        `indenter` is Lark's `postlex`, an `Indenter` as for Python: its terminals become the layout's.

        As in Lark's contextual lexer, only terminals that may come next are tried. Of these the longest match
        counts, and a begun terminal is not taken back. One `GrammarWarning` lists the terminals that Lark
        would read differently.

        Raises `GrammarError` with all faults, one per line, each with its place. Raises `OSError` if the file
        cannot be read.
        """
        from quotient.compiler.description import as_json
        from quotient.compiler.faults import GrammarError
        from quotient.lark_meaning.meaning import read

        text = grammar.read_text(encoding="utf-8") if isinstance(grammar, Path) else grammar
        source = source or (grammar if isinstance(grammar, Path) else "<string>")
        try:
            reading = read(
                text,
                name=grammar.stem if isinstance(grammar, Path) else "lark",
                start=start,
                layout=layout,
                source=str(source),
                imports=[str(folder) for folder in imports],
                without=frozenset(without),
                indenter=indenter,
                parser=parser,
                regex=regex,
            )
        except GrammarError as error:
            raise _native.GrammarError(str(error)) from error
        if reading.differences:
            told = "\n".join(f"  {one}" for one in reading.differences)
            warnings.warn(f"{source}: Lark reads some texts otherwise\n{told}", GrammarWarning, stacklevel=2)
        language = Language(as_json(reading.description))
        try:
            language.recognizer().witness_bytes()
        except (_native.NoCompletion, RuntimeError) as error:
            told = "no text is left of the start rule: the longest match leaves nothing of the next symbol"
            raise _native.GrammarError(f"{source}: {told}") from error
        return language

    @property
    def name(self) -> str:
        """The language's name."""
        return self._native.name

    @property
    def version(self) -> str | None:
        """The language's version, if it has versions."""
        return self._native.version

    @property
    def terminals(self) -> list[str]:
        """The names of the terminals."""
        return self._native.terminals

    def recognizer(
        self, left: str | bytes = "", right: str | bytes = "", names: Iterable[str] | None = None
    ) -> _native.Recognizer:
        """A recognizer for the texts that fit between `left` and `right`.

        With `names`, the language's law holds as well (docs/names.md): in Python, texts are refused that use
        names unknown to the contexts, the text, the language and `names`, and some that a compiler would
        refuse; in TOML and JSON, duplicate keys; in JavaScript, early errors. Others have no law here.
        Raises `NoCompletion` if no text fits, and `EncodingError` for bytes that are not a file in UTF-8.
        """
        return self._native.recognizer(left, right, None if names is None else list(names))

    def bound_names(self, text: str | bytes) -> list[str] | None:
        """The names that a text binds for the text behind it, without local names of functions and classes
        that have ended.

        The text need not be a program. None if the names are not known: the text may bind any name, its
        brackets or strings do not end, or the language has no law of names.
        """
        return self._native.bound_names(text)

    def document(self, text: str = "") -> _native.Document:
        """A text under edit, whose recognizers share work across edits and cursor moves."""
        return self._native.document(text)

    def __repr__(self) -> str:
        version = f", version={self.version!r}" if self.version else ""
        return f"Language({self.name!r}{version})"


def available_languages() -> dict[str, list[str]]:
    """The built-in languages with their versions, oldest first (none for a language without versions)."""
    found: dict[str, list[str]] = {}
    for entry in _GRAMMARS.iterdir():
        if matched := re.fullmatch(r"([a-z]+)(?:-([0-9.]+))?\.json", entry.name):
            versions = found.setdefault(matched[1], [])
            if matched[2]:
                versions.append(matched[2])
    for versions in found.values():
        versions.sort(key=_version_key)
    return dict(sorted(found.items()))


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@cache
def _load(name: str, version: str | None) -> Language:
    languages = available_languages()
    if name not in languages:
        raise ValueError(f"no language is called {name!r}; there are {', '.join(languages)}")
    versions = languages[name]
    if version is None and versions:
        return _load(name, _USUAL.get(name, versions[-1]))
    if version is not None and version not in versions:
        raise ValueError(f"no version {version!r} of {name}; there are {', '.join(versions) or 'none'}")
    file_name = f"{name}-{version}.json" if version else f"{name}.json"
    return Language((_GRAMMARS / file_name).read_text(encoding="utf-8"))
