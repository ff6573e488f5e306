"""Domains of the laws: a language with its real parser as the judge, its real files, its words.

The laws know no language. A new language adds a domain: the place of its files, its judge, the material to
damage its texts, and a few tiny files. If its parser is missing, `judge` raises `NoJudge` with the reason.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from fim_lsp.known_languages import KnownLanguage, language_named
from fim_lsp.replay import judges
from fim_lsp.replay.cuts import Symbol, levels
from quotient import Language
from tests.laws import javascript, jsx, oracle, small, tsx, typescript, words
from tests.laws.oracle import Verdict
from tests.laws.real_files import go_files, java_files, json_files, toml_files, utf_8
from tests.laws.sources import File, Sources, decoded, python_files
from tests.laws.words import Words

Judge = Callable[[str], Verdict]
# The beginning of a judge's message about a text that exceeds its host's limits.
BEYOND_HOSTS = "beyond "
# The judges' messages that no grammar can decide, each with its kind; docs/languages.md lists these kinds.
BEYOND_GRAMMARS = {
    "java": {
        # A semicolon in front of a first declaration that begins with a name, which the specification allows.
        "compiler.err.extraneous.semicolon": "semicolons in front",
        "compiler.err.int.number.too.large": "numbers beyond their type",
        "compiler.err.fp.number.too.": "numbers beyond their type",
        # The same modifier twice, with another one between.
        "compiler.err.repeated.modifier": "a modifier said twice",
    },
    "go": {
        "the compiler alone": "the two parsers differ",
        "go/parser alone": "the two parsers differ",
        "invalid line number": "directives to the compiler",
        "invalid column number": "directives to the compiler",
        "invalid filename": "directives to the compiler",
    },
    "javascript": {
        "early error: ": "early errors",
        "acorn alone: ": "the two parsers differ",
        "V8 alone: ": "the two parsers differ",
    },
    "javascriptreact": jsx.BEYOND_GRAMMARS,
    "typescript": typescript.BEYOND_GRAMMARS,
    "typescriptreact": typescript.BEYOND_GRAMMARS,
    "toml": {
        "Cannot ": "keys and tables defined twice",
        "Duplicate inline table key": "keys and tables defined twice",
    },
}
# The number of texts of each kind that were left open since the counts were last taken.
LEFT_OPEN: Counter[str] = Counter()
# An escape of Java that stands for a punctuation mark or for white space, and so is not just a letter.
ESCAPED_SIGN = re.compile(
    r"(?<!\\)(?:\\\\)*\\u+00(?:[01][0-9a-f]|2[0-35-9a-f]|3[a-f]|40|5[b-e]|60|7[b-f]|[89][0-9a-f])",
    re.IGNORECASE,
)
# The texts that strings and comments hide from such a search. Below: letters whose numbers the grammar does
# not know; it knows those of Latin, Greek, Cyrillic, Hiragana, Katakana, Chinese and Korean.
HIDDEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\r\n]|\\.)*"|\'(?:[^\'\\\r\n]|\\.)*\'|//[^\r\n]*|/\*.*?\*/', re.DOTALL
)
ESCAPED_OTHERWISE = re.compile(
    r"\\u+(?!00|01|02[0-9a]|03[89a-f]|04[0-79a-f]|048[01a-f]|05[0-2]|30[4-9a-f]|4[ef]|[5-9]|a[c-f]|[bc]|d[0-7])"
    r"[0-9a-f]{4}",
    re.IGNORECASE,
)
# A word with letters written as escapes. Below: numbers with such digits or letters.
ESCAPED_WORD = re.compile(r"[\w$]*\\u(?:[\w$]|\\u)*")
JAVA_WORDS = {
    *words.JAVA.keywords,
    "non",
    "requires",
    "transitive",
    "opens",
    "to",
    "uses",
    "provides",
    "with",
}
ESCAPED_NUMBER = re.compile(r"(?<![\w$])(?:\.?[0-9][\w.]*\\u|\\u+003[0-9])")
# The grammar of Go allows a byte order mark between white space and the first symbol.
LATE_MARK = re.compile(r"(?:[ \t\r\n]|//[^\n]*\n|/\*.*?\*/)+\ufeff", re.DOTALL)
# javac reads nothing behind a Ctrl-Z; a grammar with that rule could complete everything, and repair nothing.
# Java ignores invisible characters inside names, and therefore inside keywords.
UNSEEN_IN_WORD = re.compile(
    "\\w[\\x00-\\x08\\x0e-\\x1b\\x7f-\\x9f\\xad\\u200b-\\u200f\\u2060-\\u2064\\ufeff]"
)
# A word of three symbols in the grammar, which javac accepts only without anything between them.
NON_SEALED_APART = re.compile(
    r"\bnon(?!-sealed)(?:\s|//[^\r\n]*|/\*.*?\*/)*-(?:\s|//[^\r\n]*|/\*.*?\*/)*sealed\b", re.DOTALL
)
# The names of classes, which their constructors repeat. Below: such names with letters written as escapes.
CLASS_NAME = re.compile(r"\b(?:class|enum|record)\s+(\w+)")
ESCAPED_NAME = re.compile(r"\\u+[0-9a-fA-F]{4}[\w$]*\s*[({<]|\b(?:class|enum|record)\s[^{(]*\\u")


@dataclass(frozen=True, slots=True)
class Domain:
    """A language, and all that the laws need of it."""

    known_language: KnownLanguage
    version: str | None
    judge: Judge
    words: Words
    programs: tuple[str, ...]
    files: Callable[[], tuple[File, ...]]
    decoded: Callable[[bytes], str | None]
    # Finds the names in a text that must be repeated exactly.
    said: re.Pattern[str] | None = None

    @property
    def language(self) -> Language:
        """Its grammar."""
        return Language.load(self.known_language.name, version=self.version)

    def sources(self, random: Random, largest: int) -> Sources:
        """Its real files, drawn by a generator."""
        return Sources(random, largest, files=self.files, decoded=self.decoded, judge=self.judge)

    def levels(self, text: str) -> list[list[Symbol]]:
        """The symbols of each level, as the quotient paper cuts between them."""
        return levels(text, self.known_language)


def go(text: str) -> Verdict:
    """Return the verdict of Go's two parsers where they agree, a late byte order mark left open."""
    return left_open("a late byte order mark") if LATE_MARK.match(text) else asked("go", text)


def java(text: str) -> Verdict:
    """The verdict of javac. Texts that no grammar can decide, and escaped punctuation, are left open."""
    if "\x1a" in text:
        return left_open("behind Ctrl-Z")
    if ESCAPED_SIGN.search(text):
        return left_open("signs written as escapes")
    if "\\u" in text and ESCAPED_OTHERWISE.search(HIDDEN.sub("", text)):
        return left_open("letters of other scripts written as escapes")
    if UNSEEN_IN_WORD.search(text):
        return left_open("unseen characters in words")
    if NON_SEALED_APART.search(text):
        return left_open("`non-sealed` written apart")
    if "\\u" in text and ESCAPED_NAME.search(text):
        return left_open("names said again, letters written as escapes")
    if "\\u" in text and has_escaped_word(HIDDEN.sub("", text)):
        return left_open("words of the language and numbers written as escapes")
    said = asked("java", text)
    if said is Verdict.INVALID and "@deprecated" in text:
        other = judges.process("java").fault(text.replace("@deprecated", "@deprecates"))
        if other is None:
            return left_open("a component that a comment deprecates")
    return said


def has_escaped_word(text: str) -> bool:
    """Whether a keyword or a number of Java contains escapes, which the grammar does not know."""
    written = (re.sub(r"\\u+([0-9a-fA-F]{4})", unescaped, one) for one in ESCAPED_WORD.findall(text))
    return bool(ESCAPED_NUMBER.search(text)) or not JAVA_WORDS.isdisjoint(written)


def unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16))


def of_javascript(text: str) -> Verdict:
    """Return the verdict of acorn and V8 where they agree."""
    return asked("javascript", text)


def of_jsx(text: str) -> Verdict:
    """The verdict of acorn with JSX. What JavaScript leaves open stays open, and so do wide letters."""
    if jsx.WIDE_LETTER.search(text):
        return left_open("wide letters")
    return asked("javascriptreact", text)


def of_typescript(text: str) -> Verdict:
    """Return the verdict of TypeScript's parser."""
    return asked("typescript", text)


def of_tsx(text: str) -> Verdict:
    """Return the same with JSX."""
    return asked("typescriptreact", text)


def asked(language: str, text: str) -> Verdict:
    """Asks a judge that runs as a process."""
    return verdict_of(language, judges.process(language).fault(text))


def verdict_of(language: str, fault: tuple[int, str] | None) -> Verdict:
    """The verdict for a judge's answer."""
    if fault is None:
        return Verdict.VALID
    if fault[1] == judges.DIED:
        return left_open("the judge died")
    if fault[1].startswith(BEYOND_HOSTS):
        return left_open("the host's stack")
    kinds = BEYOND_GRAMMARS[language]
    kind = next((kind for said, kind in kinds.items() if fault[1].startswith(said)), None)
    if kind is not None:
        return left_open(kind)
    # A kind that only the judge renamed would count as a fault.
    assert not fault[1].startswith(typescript.LEFT_OPEN), f"it is not known what is {fault[1]}"
    return Verdict.INVALID


def left_open(kind: str) -> Verdict:
    """Counts a text about which nothing is asked."""
    LEFT_OPEN[kind] += 1
    return Verdict.BEYOND_LIMITS


def counts_taken() -> Counter[str]:
    """The counts, named as in a tally; the counting then begins anew."""
    counts = Counter({f"texts left open: {kind}": n for kind, n in LEFT_OPEN.items()})
    LEFT_OPEN.clear()
    return counts


def json(text: str) -> Verdict:
    """Return the verdict of Python's reader, made strict."""
    try:
        return Verdict.INVALID if judges.json_fault(text) else Verdict.VALID
    except RecursionError:
        return left_open("the host's stack")


def toml(text: str) -> Verdict:
    """Return the verdict of tomllib, with keys that are defined twice left open."""
    try:
        return verdict_of("toml", judges.toml_fault(text))
    except RecursionError:
        return left_open("the host's stack")


GO_PROGRAMS = (
    "package p\n",
    "package p; import \"a\"\nvar x = 1\n",
    "package p\nfunc f(a, b int) (c error) {\n\treturn a\n}\n",
    "package p\nfunc f() { if x := g(); x { y } else { z } }\n",
    "package p\nfunc f() {\n\tfor i, v := range x {\n\t\ti++\n\t}\n}\n",
    "package p\nfunc f() { switch x { case 1: y; default: z } }\n",
    "package p\nfunc f() { select { case v := <-c: g(v) } }\n",
    "package p\ntype T[P any] struct {\n\ta, b int `t`\n\tC\n}\n",
    "package p\ntype I interface {\n\t~int | string\n\tM(a int) b\n}\n",
    "package p\nvar x = []T{{1, 2}, {a: 3}}\n",
    "package p\nvar f = func(a ...int) { go g(a...) }\n",
    "package p // c\n/* d */ const (\n\ta = iota\n\tb\n)\n",
    "package p\nfunc f() {\nL:\n\tx[a:b] /= y /* c */ / z\n\tgoto L\n}\n",
    "package p\nvar s = `a\nb` + \"\\x41\" + 'c'\n",
)  # fmt: skip
JAVA_PROGRAMS = (
    "class A {}\n",
    "class A { A() { } class B { public <T> B(T x) { } } }\n",
    "enum E { A; E() { } }\n",
    "record R(int a) { R { } R() { this(1); } }\n",
    "package a; import b.c; class A { int x = 1; }\n",
    "class A { void f(int a) { if (a) b(); else { c = 1; } } }\n",
    "class A { int x = y < z ? a : b -> c; }\n",
    "class A<T extends B<C>> { A<B<C<D>>> x; }\n",
    "enum E { A, B(1) { }, ; int x; }\n",
    "record R(int a) { R { } }\n",
    "interface I { int X = 1; default void f() { } }\n",
    "class A { void f() { switch (x) { case 1 -> g(); default -> { } } } }\n",
    "class A { void f() { switch (x) { case 1: g(); default: } } }\n",
    "class A { void f() { for (int i = 0; i < 3; i++) { try { } finally { } } } }\n",
    "@A(b = 1) class C { String s = \"a\" + 'b' + \"\"\"\n c\"\"\"; }\n",
    "class A { Object o = (A) b, p = (int) -c, q = d::e; }\n",
    "void main() { }\n",
)  # fmt: skip
JSON_PROGRAMS = ("1", "[]", '{"a": 1}', '[1, "b", null]', '{"a": {"b": [true, -1.5e3]}}\n', ' "\\u00e9"\n')
TOML_PROGRAMS = (
    "",
    "a = 1\n",
    "[a.b]\n'c d'.\"e\" = -1.5e3 # f\n",
    "[[a]]\r\nb = [[1, 2], [], [[3],]]\n",
    "a = {b = {}, c.d = true}\n",
    'a = """b\n"c" \\\n  d"""\nb = \'\'\'e\'\'\'\n',
    "1.5 = 1979-05-27 07:32:00Z\n1979-05-27 = 07:32:00\n",
    "a = [ # b\n  +inf, 0xf\n]\n",
)

DOMAINS = {
    domain.known_language.name: domain
    for domain in (
        Domain(
            language_named("python"),
            "3.11",
            oracle.verdict,
            words.PYTHON,
            small.PROGRAMS,
            python_files,
            decoded,
        ),
        Domain(language_named("go"), None, go, words.GO, GO_PROGRAMS, go_files, utf_8),
        Domain(language_named("java"), None, java, words.JAVA, JAVA_PROGRAMS, java_files, utf_8, CLASS_NAME),
        Domain(language_named("json"), None, json, words.JSON, JSON_PROGRAMS, json_files, utf_8),
        Domain(
            language_named("javascript"),
            None,
            of_javascript,
            javascript.WORDS,
            javascript.PROGRAMS,
            javascript.files,
            utf_8,
        ),
        Domain(language_named("javascriptreact"), None, of_jsx, jsx.WORDS, jsx.PROGRAMS, jsx.files, utf_8),
        Domain(
            language_named("typescript"),
            None,
            of_typescript,
            typescript.WORDS,
            typescript.PROGRAMS,
            typescript.files,
            utf_8,
        ),
        Domain(language_named("typescriptreact"), None, of_tsx, tsx.WORDS, tsx.PROGRAMS, tsx.files, utf_8),
        Domain(language_named("toml"), None, toml, words.TOML, TOML_PROGRAMS, toml_files, utf_8),
    )
}
