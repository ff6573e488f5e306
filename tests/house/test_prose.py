"""Sentences name their subject: the user, a caller, a program. Nobody, somebody and whoever are no such
names."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from io import StringIO

import pytest

from tests.house.own_files import text_of, tracked

UNNAMED = re.compile(r"\b(?:nobody|somebody|whoever)\b", re.IGNORECASE)
# Names inside code are exempt.
CODE = re.compile(r"`[^`]*`")
HERE = "tests/house/test_prose.py"
# The comment signs of our other languages.
SIGNS = {"rs": "//", "ts": "//", "lua": "--", "lark": "//"}


def documented(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def prose(text: str) -> str:
    """The comments and docstrings of a module."""
    tokens = tokenize.generate_tokens(StringIO(text).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return "\n".join([*documented(ast.parse(text)), *comments])


def unnamed(text: str) -> list[str]:
    return UNNAMED.findall(CODE.sub("", text))


def test_what_is_looked_for() -> None:
    assert unnamed('# Nobody waits.\ndef f():\n    """For whoever asks; `nobody` is a name."""') == [
        "Nobody",
        "whoever",
    ]
    assert prose('x = "somebody"  # said\n').strip() == "# said"


def test_modules_name_who_acts() -> None:
    names = [name for name in tracked("*.py") if not name.startswith("datasets/") and name != HERE]
    assert len(names) > 900
    texts = {name: text_of(name) for name in names}
    assert [name for name, text in texts.items() if unnamed(text) and unnamed(prose(text))] == []


@pytest.mark.parametrize(("ending", "sign"), SIGNS.items())
def test_comments_of_other_sources_name_who_acts(ending: str, sign: str) -> None:
    """A string that contains the sign counts as well, because users read it, too."""
    named = [name for name in tracked(f"*.{ending}") if not name.startswith("datasets/")]
    assert named
    comment = re.compile(rf"{sign}.*$", re.MULTILINE)
    texts = {name: text_of(name) for name in named}
    assert [
        name for name, text in texts.items() if unnamed(text) and unnamed("\n".join(comment.findall(text)))
    ] == []


def test_pages_name_who_acts() -> None:
    names = tracked("*.md")
    assert len(names) > 40
    assert [name for name in names if unnamed(text_of(name))] == []
