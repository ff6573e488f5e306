"""Cases of next edits: a text, the user's replacement in it, and the replacements that should follow. The
first next edit is taken again and again until there is none. After each edit the file parses, if it did
before."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache

from fim_lsp.edits.next_edits import BAR, next_edits
from fim_lsp.edits.texts.acceptance import new_acceptance
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.holes import first_fault
from fim_lsp.known_languages import KNOWN
from quotient import Language

MOST_STEPS = 20

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """A case. Each pair is replaced at the first place of its old text."""

    name: str
    old: str
    made: Pairs
    follows: Pairs = ()
    language: str = "python"


def case(name: str, old: str, *made: tuple[str, str], then: Pairs = (), language: str = "python") -> Case:
    return Case(name, old, made, then, language)


SHOP = """\
import json
import os

LIMIT = 10


class Cart:
    def __init__(self, owner, limit=LIMIT):
        self.owner = owner
        self.limit = limit
        self.rows = []

    def add(self, item, count=1):
        self.rows.append((item, count))
        return self

    def total(self):
        return sum(item.price * count for item, count in self.rows)


def load(path):
    with open(path) as handle:
        rows = json.load(handle)
    return rows


def save(path, rows):
    os.makedirs(os.path.dirname(path))
    with open(path, "w") as handle:
        json.dump(rows, handle)


def main():
    cart = Cart("owner", limit=3)
    cart.add("apple", count=2)
    for row in load("path"):
        cart.add(row)
    save("path", cart.rows)
    print(cart.total(), cart.owner)
"""


@cache
def loaded(name: str) -> Language:
    return Language.load(name)


def replaced(text: str, pairs: Pairs) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def check(case: Case) -> None:
    language, known_language = loaded(case.language), next(one for one in KNOWN if one.name == case.language)
    made = text = replaced(case.old, case.made)
    did_parse = first_fault(language, text) is None
    acceptance = new_acceptance()
    for _ in range(MOST_STEPS):
        change = FileChange.of("a", case.old, text, known_language)
        # A user who accepts everything gets less certain edits, too; there may be only a few of those.
        found = next_edits(change, language, bar=acceptance.adjusted_bar(BAR))
        for edit in found if did_parse else []:
            assert first_fault(language, edit.edited_text(text)) is None, edit
        if not found:
            break
        acceptance.note(True)
        text = found[0].edited_text(text)
        if did_parse and case.language == "python":
            ast.parse(text)
        did_parse = did_parse or first_fault(language, text) is None
    assert text == replaced(made, case.follows)


MADE, FOLLOWS = re.compile(r"<<(.*?)\|(.*?)>>", re.DOTALL), re.compile(r"\[\[(.*?)\|(.*?)\]\]", re.DOTALL)


def drawn(name: str, text: str, language: str = "python") -> Case:
    """A case in one text: `<<old|new>>` is the user's replacement, `[[old|new]]` one that should follow."""
    old = MADE.sub(r"\1", FOLLOWS.sub(r"\1", text))
    new = MADE.sub(r"\2", FOLLOWS.sub(r"\1", text))
    whole = MADE.sub(r"\2", FOLLOWS.sub(r"\2", text))
    return Case(name, old, ((old, new),), ((new, whole),), language)
