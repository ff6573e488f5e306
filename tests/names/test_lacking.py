"""Names that the code behind a place lacks, if the place declares one."""

from __future__ import annotations

import pytest

from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.lacking import lacking_names
from tests.footings import footing_between

JAVASCRIPT = (
    "import path from 'path';\n$0\nconst other = 1;\nexport default run(fileAppender, other, fill);\n"
)
HEADER = (
    "import path from 'path';\nexport function $0(a) {\n  return a;\n}\nexport default increment(path);\n"
)
TYPES = "import path from 'path';\nexport type $0\nexport const a: Route = path;\n"
IMPORTED = (
    "import { $0 } from 'fs';\nconst path = 'a';\nconst text = readFileSync(path);\nexport default text;\n"
)
SEVERAL = "import {\n  join,\n  $0\n} from 'path';\nexport const a = join(resolve('.'), 'a');\n"
REQUIRED = "const { join, $0 } = require('path');\nmodule.exports = join(resolve('.'), 'a');\n"
# The header of a function whose body is there.
ARROW = "const path = require('path');\n$0\n  path.join(part, name);\n};\nmodule.exports = { joinedPath };\n"
GO = "package p\n\nfunc h(r int) {\n\t$0\n\tuse(parts, r)\n}\n\nfunc use(a int, b int) {}\n"


@pytest.mark.parametrize(
    ("language", "text", "begun", "expected", "behind"),
    [
        ("javascript", JAVASCRIPT, "const ", ("run", "fileAppender", "fill"), " ="),
        ("javascript", JAVASCRIPT, "const f", ("fileAppender", "fill"), " ="),
        ("javascript", JAVASCRIPT, "let fil", ("fileAppender", "fill"), ""),
        ("javascript", JAVASCRIPT, "const x", (), " ="),
        # Nothing is declared here.
        ("javascript", JAVASCRIPT, "", (), ""),
        ("javascript", JAVASCRIPT, "f", (), ""),
        ("javascript", HEADER, "", ("increment",), ""),
        # What the body lacks is a parameter, and not the name of the function.
        ("javascript", ARROW, "const ", ("joinedPath",), " ="),
        ("javascript", ARROW, "const j", ("joinedPath",), " ="),
        ("javascript", ARROW.replace("};", "}"), "function ", ("joinedPath",), ""),
        ("typescript", TYPES, "R", ("Route",), ""),
        ("javascript", IMPORTED, "", ("readFileSync",), ""),
        ("javascript", IMPORTED, "read", ("readFileSync",), ""),
        ("typescript", IMPORTED, "", ("readFileSync",), ""),
        ("typescript", IMPORTED.replace("{ $0", "type A, { $0"), "", ("readFileSync",), ""),
        ("typescript", SEVERAL, "", ("resolve",), ""),
        ("javascript", REQUIRED, "", ("resolve",), ""),
        # The name in the module, and a default, are no declared names.
        ("javascript", REQUIRED, "a: ", (), ""),
        ("javascript", REQUIRED, "a = ", (), ""),
        ("go", GO, "", ("parts",), " :="),
        ("go", GO, "pa", ("parts",), " :="),
        ("go", GO, "var ", ("parts",), ""),
        ("go", GO, "use(", (), ""),
        # A name that another function lacks is not declared in this one.
        ("go", GO + "\nfunc i() {\n\tuse(other, 1)\n}\n", "", ("parts",), " :="),
    ],
)
def test_the_names_that_are_lacking_behind_a_declaration_are_known(
    language: str, text: str, begun: str, expected: tuple[str, ...], behind: str
) -> None:
    left, right = text.replace("$0", f"{begun}$0").split("$0")
    footing = footing_between(left, right, language)
    declared = hole_declarations(footing.site.known_language, left, right, "file:///a")
    assert declared is not None
    assert lacking_names(declared, footing.site.lines.before, footing.recognizer) == (expected, behind)
