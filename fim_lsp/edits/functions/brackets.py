"""Brackets behind the name of a method that became a property, or of a property that became a method.

 class Cart:                       cart.total()      `cart.total`: it is a `Cart`
+    @property                     order.total()     stays, since it is not known to be one
     def total(self): ...
"""

from __future__ import annotations

import re

from fim_lsp.edits.functions.headers import matched_headers
from fim_lsp.edits.functions.properties import turned_methods
from fim_lsp.edits.functions.turned_functions import has_word
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.known_languages import JAVASCRIPT, PYTHON

BRACKETS = "()"
NAMED = re.compile(r"([^\W\d]\w*)(?:\(\))?\Z")
MOST_CHARACTERS = 80


def are_brackets_of_another(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would change the brackets of a method that only has the name of a turned one.
    Where it is that one, a rule says so."""
    text = change.new.text
    old = text[found.start : found.stop]
    if BRACKETS not in (old[-2:], found.new[-2:]) or old.removesuffix(BRACKETS) != found.new.removesuffix(
        BRACKETS
    ):
        return False
    named = NAMED.search(text, max(found.start - MOST_CHARACTERS, 0), found.stop)
    return named is not None and named[1] in turned_names(change)


def turned_names(change: FileChange) -> set[str]:
    if change.new.known_language is PYTHON:
        return {one.before.name for one in turned_methods(change)}
    if change.new.known_language.family != JAVASCRIPT.family:
        return set()
    return {
        before.function.name
        for before, after in matched_headers(change)
        if has_word(before, "get") != has_word(after, "get")
    }
