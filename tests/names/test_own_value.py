"""Variables of JavaScript and TypeScript in their own value."""

from __future__ import annotations

import pytest

from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.laws import NOT_READY
from fim_lsp.known_languages import JAVASCRIPT, TYPESCRIPT, KnownLanguage

BEFORE = 'const fs = require("fs");\n'


@pytest.mark.parametrize("language", [JAVASCRIPT, TYPESCRIPT], ids=lambda one: str(one.name))
@pytest.mark.parametrize(
    ("left", "text", "right", "wrong"),
    [
        ("const path = ", "path.join(fs)", ";\n", ["path"]),
        ("let path = ", "fs[path]", ";\n", ["path"]),
        ("const path = ", "{ path }", ";\n", ["path"]),
        ("const path = ", "fs.path", ";\n", []),
        ("const walk = ", "(node) => node.children.map(walk)", ";\n", []),
        ("const once = ", "fs.on('a', function () { once.off(); })", ";\n", []),
        ("const path = ", "fs.of(path => path.name)", ";\n", []),
        ("const { path } = ", "fs", ";\n", []),
        ("var path = ", "path || fs", ";\n", []),
        # A type of Flow, which cannot be read.
        ("const a: ?B = (", "b instanceof B ? b : b.c", ");\n", []),
        # The fault is not the text's.
        ("const path = path(", "fs", ");\n", []),
    ],
)
def test_a_variable_is_not_used_in_its_own_value(
    left: str, text: str, right: str, wrong: list[str], language: KnownLanguage
) -> None:
    hole = hole_declarations(language, BEFORE + left, right)
    assert hole is not None
    assert [fault.name for fault in hole.faults(text)[2] if fault.why == NOT_READY] == wrong
