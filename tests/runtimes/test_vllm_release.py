"""The plugin against a release of vLLM, read as source: what it replaces and overrides has the expected form.

vLLM is not installed here; the sources of the present release are put into target/vllm-source:

    pip download vllm==0.33.0 --no-deps --no-binary vllm     and unpacked, with `vllm/` in that folder

`make test-vllm` runs a real one; the last release with a build for processors is 0.32.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from fim_lsp.vllm_plugin.register import APPLY, TAKEN, checking, making

SOURCES = Path(__file__).parents[2] / "target" / "vllm-source" / "vllm"
OURS = Path(__file__).parents[2] / "fim_lsp" / "vllm_plugin"

pytestmark = pytest.mark.skipif(
    not SOURCES.is_dir(),
    reason="vLLM's sources are not in target/vllm-source: this file says how to get them",
)


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def definition(name: str, path: str) -> ast.AST:
    """A class or function in a file of vLLM, by its dotted name."""
    found: ast.AST = tree(SOURCES / path)
    for part in name.split("."):
        found = next(
            node
            for node in ast.iter_child_nodes(found)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == part
        )
    return found


def parameters(found: ast.AST) -> list[str]:
    assert isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef)
    return [argument.arg for argument in (*found.args.posonlyargs, *found.args.args)]


def methods(found: ast.AST, decorator: str | None = None) -> dict[str, list[str]]:
    """The methods of a class, and their parameters."""
    return {
        node.name: parameters(node)
        for node in ast.iter_child_nodes(found)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (decorator is None or any(ast.unparse(one) == decorator for one in node.decorator_list))
    }


@pytest.mark.parametrize(
    ("name", "path", "replaced"),
    [
        ("SamplingParams._validate_structured_outputs", "sampling_params.py", checking),
        ("StructuredOutputManager._create_grammar", "v1/structured_output/__init__.py", making),
    ],
)
def test_what_is_replaced_takes_what_ours_takes(name: str, path: str, replaced: object) -> None:
    assert callable(replaced)
    ours = inspect.signature(replaced(lambda *_: None))
    assert len(parameters(definition(name, path))) == len(ours.parameters)


def test_masks_are_applied_with_what_ours_takes() -> None:
    assert tuple(parameters(definition(APPLY, "v1/structured_output/utils.py"))) == TAKEN


@pytest.mark.parametrize(
    ("theirs", "path", "ours", "file", "decorator"),
    [
        (
            "StructuredOutputGrammar",
            "v1/structured_output/backend_types.py",
            "FillingGrammar",
            "grammar.py",
            "abstractmethod",
        ),
        ("EndpointPlugin", "plugins/endpoint_plugins/interface.py", "Routes", "routes.py", None),
    ],
)
def test_ours_has_what_theirs_asks_for(
    theirs: str, path: str, ours: str, file: str, decorator: str | None
) -> None:
    [found] = [
        node for node in tree(OURS / file).body if isinstance(node, ast.ClassDef) and node.name == ours
    ]
    wanted, had = methods(definition(theirs, path), decorator), methods(found)
    assert wanted
    assert {name: had.get(name) for name in wanted} == wanted


def fields(name: str, path: str) -> set[str]:
    return {
        node.target.id
        for node in ast.iter_child_nodes(definition(name, path))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def test_what_is_read_of_requests_is_there() -> None:
    assert {"grammar", "_backend", "_backend_was_auto"} <= fields(
        "StructuredOutputsParams", "sampling_params.py"
    )
    assert "params" in fields("StructuredOutputRequest", "v1/structured_output/request.py")
    definition("VLLMValidationError", "exceptions.py")
    definition("cached_tokenizer_from_config", "tokenizers/registry.py")
    groups = (SOURCES / "plugins" / "__init__.py").read_text(encoding="utf-8")
    assert '"vllm.general_plugins"' in groups
    assert '"vllm.endpoint_plugins"' in groups
