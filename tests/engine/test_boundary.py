"""The types of the boundary to Rust are explained in `quotient/_native.pyi`.

`make check` compares them with the extension module, and checks that the faces are strictly typed.
"""

import ast
from pathlib import Path

from quotient import _native

STUB = Path(_native.__file__).parent / "_native.pyi"


def documented(tree: ast.Module | ast.ClassDef, prefix: str = "") -> dict[str, bool]:
    """Whether each class and function of a stub has a docstring; one overload of several is enough."""
    found: dict[str, bool] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = prefix + node.name
            found[name] = found.get(name, False) or ast.get_docstring(node) is not None
        if isinstance(node, ast.ClassDef):
            found |= documented(node, f"{node.name}.")
    return found


def test_everything_has_a_docstring_in_the_stub() -> None:
    """Editors show the stub's docstrings, because the classes of the extension have none."""
    found = documented(ast.parse(STUB.read_text("utf-8")))
    assert {"Language.recognizer", "Recognizer.advance", "Document.edit", "masks"} <= set(found)
    assert [name for name, is_documented in found.items() if not is_documented] == []
