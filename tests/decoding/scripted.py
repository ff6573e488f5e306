"""Texts of scripted models, in holes of Python. `$0` marks the cursor in the sources."""

from __future__ import annotations

import ast
from dataclasses import replace

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion, StoppedBy
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language
from tests.models import Wavering, tiny_model, writing_model

PYTHON = Language.load("python", version="3.11")


def written(source: str, *wants: str) -> str:
    """The text of a model that wants one text, or the next one where that is not allowed."""
    left, right = source.split("$0")
    model = writing_model(left, wants[0])
    if len(wants) > 1:
        model = replace(model, runtime=Wavering(tiny_model(), left, wants))
    request = CompletionRequest(left, right, PYTHON.recognizer(left, right), Options())
    [found] = DecodingSession(model).complete(request)
    ast.parse(left + found.text + right)
    return found.text


def written_in(language: str, source: str, *wants: str) -> str:
    """The text of such a model in another language."""
    grammar, (left, right) = Language.load(language), source.split("$0")
    recognizer = grammar.recognizer(left, right, ())
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, wants))
    contexts = HoleContexts(left, right, grammar.name, grammar.version, recognizer.has_law)
    found = DecodingSession(model).complete(CompletionRequest(left, right, recognizer, contexts=contexts))
    return found[0].text if found else ""


def completions(source: str, wants: str, options: Options = Options()) -> list[Completion]:  # noqa: B008
    """The texts of a model that wants one text; the file parses with each."""
    left, right = source.split("$0")
    session = DecodingSession(writing_model(left, wants))
    found = session.complete(CompletionRequest(left, right, PYTHON.recognizer(left, right), options))
    for completion in found:
        ast.parse(left + completion.text + right)
    return found


def check(source: str, wants: str, expected: str, stopped_by: StoppedBy, **options: object) -> None:
    """Checks the one text of such a model, and its end."""
    found = completions(source, wants, Options(**options))  # type: ignore[arg-type]
    assert [(one.text, one.stopped_by) for one in found] == [(expected, stopped_by)]
