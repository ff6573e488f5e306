"""Holes, and the texts of models behind servers for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.site import Site
from quotient import Language
from tests.models import tiny_model
from tests.served_models import ServedModel, serving

HOLES = (
    ("def area(width, height):\n    return ", "\n\n\nprint(area(2, 3))\n"),
    ("import os\n\n\ndef names(path):\n    for name in os.", ":\n        yield name\n"),
    ("total = sum((1, 2", "\nprint(total)\n"),
    (
        "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        ",
        "\n\n    def move(self):\n        pass\n",
    ),
    ("values = [", "]\n"),
    ("x = 'a", "'\n"),
)
PATHS = {
    "llama-server": "/completion",
    "completions": "/v1/completions",
    "ollama": "/api/generate",
    "vllm": "/v1/completions",
}
SHORT = Options(max_tokens=12)
# The contexts that constrain a vLLM.
CONTEXTS = HoleContexts("def area(width, height):\n    return ", "\n\n\nprint(area(2, 3))\n", version="3.11")
# Cursors in broken files, and the parts of the file that count.
BROKEN = (
    ("x = [1, $0\ny = 2\n", "file"),
    ("def f():\n    return foo($0\n\n\nx = = 1\nbound)\n", "set aside"),
    ("del f()\n" * 10 + "def g(a):\n    return foo($0\n", "enclosing"),
    ("def g(a):\n    return foo($0\n" + "    x = = 1\n    def (:\n" * 12, "left"),
)


@contextmanager
def served(kind: str = "llama-server", **options: object) -> Iterator[tuple[ServedModel, Model]]:
    server = ServedModel(tiny_model(), kind, **options)  # type: ignore[arg-type]
    with serving(server) as address:
        yield server, load_model(address)


def texts(model: Model, left: str, right: str, options: Options = SHORT, **asked: Any) -> list[str]:
    recognizer = Language.load("python", version="3.11").recognizer(left, right)
    completions = DecodingSession(model).complete(
        CompletionRequest(left, right, recognizer, options, **asked)
    )
    return [completion.text for completion in completions]


def footing_in(marked: str, *, has_names: bool) -> tuple[str, Footing]:
    """The text left of a cursor in a file, and the footing of a completion there."""
    before, _, behind = marked.partition("$0")
    content = before + behind
    text = WorkerText(SentText("file:///a.py", 0, "3.11", content, elsewhere=("bound_elsewhere",)), content)
    hole = Hole(len(before) - 1, len(before), before[-1])
    on_footing = footing(Site.of(text, hole))
    assert on_footing is not None
    return before, on_footing.with_names() if has_names else on_footing
