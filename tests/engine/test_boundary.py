"""The types of the boundary, in `quotient/_native.pyi`, are explained there.

That they are those of the extension module, and that the faces are strictly typed, `make check` says.
"""

import ast
from pathlib import Path

from quotient import _native

STUB = Path(_native.__file__).parent / "_native.pyi"


def documented(tree: ast.Module | ast.ClassDef, prefix: str = "") -> dict[str, bool]:
    """Whether each class and function of a stub has a docstring; of overloads, any one."""
    found: dict[str, bool] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = prefix + node.name
            found[name] = found.get(name, False) or ast.get_docstring(node) is not None
        if isinstance(node, ast.ClassDef):
            found |= documented(node, f"{node.name}.")
    return found


def test_everything_has_a_docstring_in_the_stub() -> None:
    """Editors show what the stub says: the classes of the extension bring no docstrings of their own."""
    found = documented(ast.parse(STUB.read_text("utf-8")))
    assert {"Language.recognizer", "Recognizer.advance", "Document.edit", "masks"} <= set(found)
    assert [name for name, is_documented in found.items() if not is_documented] == []
