"""`fim_lsp.complete`: completions of one hole, for scripts."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.runtimes.contexts import Contexts
from quotient import Language, Recognizer

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model

NO_MODEL = "none"
"""The name that stands for no model at all: the engine writes alone."""


def complete(
    text: str,
    offset: int,
    stop: int | None = None,
    *,
    model: str | Model | None = None,
    options: Options | None = None,
    python_version: str | None = None,
    names: bool = True,
) -> list[Completion]:
    """Completions for the place `offset` of a Python file, or for what is to replace `text[offset:stop]`.

    `model` is a loaded one, a folder or a name on the hub, by default the bundled one; `"none"` is the
    shortest text that fits, by the grammar alone. `python_version` is by default the newest that is known.
    With `names` no text uses a name that does not exist, as far as that is proven.
    Raises `NoCompletion` where nothing fits, `TooCostly` where that is not known, `ModelError` for a model
    that cannot be used, and `ValueError` for offsets out of range.
    """
    stop = offset if stop is None else stop
    if not 0 <= offset <= stop <= len(text):
        raise ValueError(f"{offset} to {stop} is no part of a text of {len(text)} characters")
    left, right = text[:offset], text[stop:]
    language = Language.load("python", version=python_version)
    recognizer = language.recognizer(left, right, () if names else None)
    if model == NO_MODEL:
        return [shortest(recognizer)]
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.decoding.writing.session import Session

    # A session reads all of its first prompt. Whoever wants to complete while typing keeps one.
    session = Session(loaded(model) if model is None or isinstance(model, str) else model)
    contexts = Contexts(left, right, language.name, language.version, names)
    return session.complete(
        CompletionRequest(left, right, recognizer, options or Options(), contexts=contexts)
    )


def shortest(recognizer: Recognizer) -> Completion:
    """The shortest text that fits, as a completion."""
    start = time.perf_counter()
    text = recognizer.witness()
    seconds = time.perf_counter() - start
    return Completion(text, "forced", n_tokens=0, n_forced=0, mean_logprob=0.0, seconds=seconds)


@lru_cache(maxsize=1)
def loaded(name: str | None) -> Model:
    from fim_lsp.decoding.models.model import load_model

    return load_model(name)
