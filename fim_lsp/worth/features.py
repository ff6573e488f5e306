"""The judge's features: numbers about an offer, its tokens, and its place.

Their names are words, since explanations show them to the user.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import LINE_END, last_line


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NAME = re.compile(r"[^\W\d]\w*")
WORD = re.compile(r"\s*(?:\w+|[^\w\s]+)")
KNOWN = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins)) | {"self", "cls"}
# Common words in languages with braces, which say little: keywords, and words of every second file.
KNOWN_ELSEWHERE = words(
    """
    abstract any append as async await bool boolean break byte case catch chan char class const continue
    default defer delete do double else enum err error export extends false final finally float for from
    func function get go goto if implements import in instanceof int int64 interface is keyof len let
    long make map native never new nil null number object of override package private protected public
    range readonly record return select set short static string String struct super switch symbol
    synchronized this throw throws true try type typeof undefined unknown var void volatile while yield
    """
)
# The most characters that are searched for names on each side.
N_SEARCHED = 60_000
# The limits of a match's counted length and number of places.
MOST_AGREEING, MOST_TIMES = 24, 50
# Each begins with one of these.
STATEMENTS: tuple[tuple[str, ...], ...] = (
    ("import ",),
    ("from ",),
    ("return ",),
    ("def ", "func ", "function "),
    ("class ",),
    ("for ",),
    ("if ",),
    ("raise ", "throw "),
    ("assert ",),
    ("with ",),
    ("@",),
    ("const ", "let ", "var ", "final "),
    ("export ", "package "),
    ("public ", "private ", "protected ", "static "),
    ("case ",),
    ("interface ", "enum ", "namespace "),
)


@dataclass(frozen=True)
class JudgedPlace:
    """The place of an offer in a file of `language`. `rung`: the number of its rung, 0 for the whole file.
    `is_in_string`: whether it is in a text in quotes of any kind; None where the line's quotes are counted.

    All beginnings of an offer share the cached facts about it.
    """

    left: str
    right: str
    rung: int
    language: KnownLanguage = PYTHON
    is_in_string: bool | None = None

    @cached_property
    def begun(self) -> str:
        return last_line(self.left)

    @cached_property
    def rest(self) -> str:
        return LINE_END.split(self.right[:2000], maxsplit=1)[0]

    @cached_property
    def begun_name(self) -> str:
        """The part in front of the cursor of the name at the cursor."""
        found = re.search(r"\w*$", self.begun)
        return found[0] if found else ""

    @cached_property
    def place(self) -> dict[str, float]:
        return of_place(self)

    def has(self, text: str) -> bool:
        """Whether a text occurs in the document, near the place."""
        if text not in self._known:
            self._known[text] = any(text in side for side in self._around)
        return self._known[text]

    @cached_property
    def _around(self) -> tuple[str, str]:
        return self.left[-N_SEARCHED:], self.right[:N_SEARCHED]

    @cached_property
    def _known(self) -> dict[str, bool]:
        return {}


def features(offer: str, evidence: Completion, site: JudgedPlace, is_whole: bool) -> dict[str, float]:
    """The features of an offer that is a completion or a beginning of it."""
    n_bytes = len(offer.encode(errors="replace"))
    marks = marks_of(evidence.marks, n_bytes)
    chosen = [mark for mark in marks if mark.logprob is not None]
    return {
        **of_tokens(marks, chosen),
        **of_text(offer, site),
        **site.place,
        "is all that was written": float(is_whole),
        "ended by the model": float(is_whole and evidence.stopped_by == "eos"),
        "ended where the scope ends": float(is_whole and evidence.stopped_by == "scope"),
        "ended by the engine": float(is_whole and evidence.stopped_by == "forced"),
    }


def marks_of(marks: Sequence[Mark], n_bytes: int) -> list[Mark]:
    """The tokens of a beginning, including a token inside which it ends."""
    found = []
    for mark in marks:
        found.append(mark)
        if mark.n_bytes >= n_bytes:
            break
    return found


def of_tokens(marks: Sequence[Mark], chosen: Sequence[Mark]) -> dict[str, float]:
    logprobs = [mark.logprob or 0.0 for mark in chosen] or [0.0]
    own = [mark.own_logprob or 0.0 for mark in chosen] or [0.0]
    gaps = [(mark.top_logprob or 0.0) - (mark.logprob or 0.0) for mark in chosen] or [0.0]
    recalled = [mark.recalled for mark in chosen] or [0.0]
    agreeing = [mark.n_agreeing for mark in chosen] or [0]
    # Rewritten tokens of the text in front count as one with the first new token.
    n_again = sum(mark.n_bytes == 0 for mark in chosen)
    first = chosen[min(n_again, len(chosen) - 1)] if chosen else Mark(0, 0.0, 0.0, 0.0)
    return {
        "probability of the beginning": sum(logprobs[: n_again + 1]),
        "least probable token": min(logprobs),
        "mean probability": sum(logprobs) / len(logprobs),
        "probability of the end": logprobs[-1],
        "probability of all": max(sum(logprobs), -60.0),
        "model's own: beginning": max(sum(own[: n_again + 1]), -30.0),
        "model's own: mean": max(sum(own) / len(own), -15.0),
        "model's own: least": max(min(own), -30.0),
        "refused at the beginning": max(gaps[: n_again + 1]),
        "refused at most": max(gaps),
        "remembered: beginning": first.recalled,
        "remembered: mean": sum(recalled) / len(recalled),
        "remembered: least": min(recalled),
        "context agrees: beginning": float(min(first.n_agreeing, MOST_AGREEING)),
        "context agrees: most": float(min(max(agreeing), MOST_AGREEING)),
        "context stands there": float(min(first.n_times, MOST_TIMES)),
        "tokens": float(len(marks)),
        "share of tokens that the engine chose": 1 - len(chosen) / len(marks) if marks else 0.0,
    }


def of_text(offer: str, site: JudgedPlace) -> dict[str, float]:
    names = NAME.findall(site.begun_name + offer)
    known = KNOWN if site.language is PYTHON else KNOWN_ELSEWHERE
    new = [name for name in names if name not in known and not site.has(name)]
    line = (site.begun + LINE_END.split(offer)[0]).strip()
    return {
        "characters": float(len(offer)),
        "words": float(len(WORD.findall(offer))),
        "lines": float(offer.count("\n") + 1),
        "names": float(len(names)),
        "names that are new in the file": float(len(new)),
        "the line stands in the file": float(len(line) > 3 and site.has(line)),
        "the text stands in the file": float(len(offer) > 2 and site.has(offer)),
        "begins with a letter": float(offer[:1].isalnum() or offer[:1] == "_"),
        "begins with a space": float(offer[:1].isspace()),
        "ends with a letter": float(offer[-1:].isalnum()),
        "has a string": float("'" in offer or '"' in offer),
        "has a number": float(any(character.isdigit() for character in offer)),
        "opens a bracket that stays open": float(
            sum(offer.count(one) for one in "([{") > sum(map(offer.count, ")]}"))
        ),
    }


def of_place(site: JudgedPlace) -> dict[str, float]:
    begun, rest = site.begun, site.rest.strip()
    code = begun.strip()
    last = begun[-1:]
    return {
        "characters in front in the line": float(len(code)),
        "indentation": float(len(begun) - len(begun.lstrip())),
        "at the beginning of a line": float(not code),
        "in a name": float(last.isalnum() or last == "_"),
        "letters of the name so far": float(
            len(code) - len(code.rstrip("abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
        ),
        "behind a dot": float(last == "."),
        "behind an opening bracket": float(last in ("(", "[", "{")),
        "behind a space": float(last == " " and bool(code)),
        "behind a comma": float(code.endswith(",")),
        "behind an equals sign": float(code.endswith("=")),
        "in quotes": float(has_open_quote(code) if site.is_in_string is None else site.is_in_string),
        "kind of statement": float(
            next((number for number, words in enumerate(STATEMENTS, 1) if code.startswith(words)), 0)
        ),
        "a line's rest follows": float(bool(rest)),
        "a closing bracket follows": float(rest[:1] in (")", "]", "}")),
        "the file is broken": float(site.rung),
    }


def has_open_quote(code: str) -> bool:
    return code.count('"') % 2 == 1 or code.count("'") % 2 == 1
