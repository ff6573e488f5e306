"""`fim_lsp.complete`: completions of one hole, for scripts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from fim_lsp.bundled_models import NO_MODEL, is_model_of_braces, language_of_model, model_knows
from fim_lsp.closing import closing
from fim_lsp.declared.advice import Declared, hole_declarations
from fim_lsp.declared.idle import is_idle
from fim_lsp.decoding.choices.enclosure import staying
from fim_lsp.decoding.options import Options, usual_scope
from fim_lsp.decoding.texts.completion import Completion, completions_without_overlap
from fim_lsp.dialects import read_as
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.fitting.tags import named_end
from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named
from fim_lsp.positions import with_line_ends_of
from fim_lsp.presentable import is_blank_filling, swallows_rest
from fim_lsp.recognizers import hides_code, is_comment
from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language, NoCompletion, Recognizer

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model

# The least probability of a text from memory that is returned.
SURE = 0.4


def complete(
    text: str,
    offset: int,
    stop: int | None = None,
    *,
    language: str = PYTHON.name,
    model: str | Model | None = None,
    options: Options | None = None,
    python_version: str | None = None,
    names: bool = True,
    unique_keys: bool = False,
    path: str = "",
) -> list[Completion]:
    """Completions for the place `offset` of a file, or for what is to replace `text[offset:stop]`.

    `language` is one of those that `fim-lsp languages` lists. If the model does not know the language, as the
    bundled one does not know JSON and TOML, the result is a text that the rest of the file makes likely, or
    else the shortest text that fits. `model` is a loaded model, a folder, a GGUF file, an address or a name,
    by default the bundled one; `"none"` gives the shortest text that fits, unless that would turn the text
    around the cursor into a comment. Without `options`, a text inside a line that has begun ends with its
    statement. `python_version` is by default the newest known one. With `names` the language's law holds
    beside its grammar (docs/names.md): no text uses a name that provably does not exist, or defines a key of
    TOML twice. `unique_keys` asks the same of JSON, which allows such keys. `path` is the file's path: in Go
    and Java the other files of its package say which names exist, and without it little is refused there; for
    `package.json` and the like a schema says what is likely.

    Raises `NoCompletion` if nothing fits, `TooCostly` if the engine gives up, `ModelError` for a model that
    cannot be used, `UnknownLanguage` for a language without a grammar, and `ValueError` for offsets out of
    range.
    """
    stop = offset if stop is None else stop
    if not 0 <= offset <= stop <= len(text):
        said = f"{offset} is no place in" if offset == stop else f"{offset} to {stop} is no part of"
        raise ValueError(f"{said} a text of {len(text)} characters")
    known_language = read_as(language_named(language), text)
    grammar = Language.load(known_language.name, version=python_version if known_language is PYTHON else None)
    hole = HoleInFile(text[:offset], text[stop:], known_language, grammar, path)
    found = found_completions(hole, model, options, names=names, unique_keys=unique_keys)
    return [replace(one, text=with_line_ends_of(text, one.text)) for one in found]


@dataclass(frozen=True, slots=True)
class HoleInFile:
    """A hole, with what decides which texts fit it: the grammar and the file's path."""

    left: str
    right: str
    known_language: KnownLanguage
    grammar: Language
    path: str


def found_completions(
    hole: HoleInFile, model: str | Model | None, options: Options | None, *, names: bool, unique_keys: bool
) -> list[Completion]:
    """As `complete`, with whatever line ends."""
    left, right, known_language, path = hole.left, hole.right, hole.known_language, hole.path
    grammar = hole.grammar
    recognizer = grammar.recognizer(left, right, () if known_language.has_law(names, unique_keys) else None)
    declared = hole_declarations(known_language, left, right, path) if names else None
    if model == NO_MODEL:
        return shortest_wanted(recognizer, left, right, known_language)
    options = options or Options(scope=usual_scope(left))
    name, loaded = (model, None) if model is None or isinstance(model, str) else (None, model)
    is_known = loaded is not None or model_knows(name, known_language)
    is_second = loaded is None and is_model_of_braces(name, known_language)
    remembered = None
    if is_second or not is_known:
        # In languages other than Python, memory is more reliable than the bundled model.
        lawful = without_keys_twice(grammar, left, right) if known_language.has_law_on_request else None
        remembered = known_completion(left, right, lawful or recognizer, known_language, declared, path)
        if not is_known or (remembered is not None and options.n == 1):
            return (
                shortest_wanted(recognizer, left, right, known_language)
                if remembered is None
                else [remembered]
            )
    from fim_lsp.decoding.writing.effective import effective_completions
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.decoding.writing.session import DecodingSession

    # A session reads all of its first prompt. A caller that wants to complete while typing keeps one.
    session = DecodingSession(loaded or loaded_model(name, known_language))
    contexts = HoleContexts(left, right, grammar.name, grammar.version, recognizer.has_law)
    request = CompletionRequest(left, right, recognizer, options, adviser=declared, contexts=contexts)
    found = effective_completions(session, request)
    lawful_ones = wanted_completions(found, recognizer, right, known_language, declared)
    if remembered is None:
        # The bundled model may write nothing that keeps the law.
        return lawful_ones or (
            shortest_wanted(recognizer, left, right, known_language, declared) if is_second else []
        )
    return [remembered, *(one for one in lawful_ones if one.text != remembered.text)][: options.n]


def wanted_completions(
    found: Sequence[Completion],
    recognizer: Recognizer,
    right: str,
    known_language: KnownLanguage,
    declared: Declared | None,
) -> list[Completion]:
    """Those of a model's completions that a user could want, and that keep the law of names."""
    kept = (
        one
        for one in completions_without_overlap(recognizer, found, right)
        if not is_blank_filling(one.text)
        and not swallows_rest(one.text, right, known_language)
        and not hides_code(recognizer, one.text, right)
    )
    return [one for one in kept if declared is None or not declared.diagnostics(one.text)]


def shortest_wanted(
    recognizer: Recognizer,
    left: str,
    right: str,
    known_language: KnownLanguage,
    declared: Declared | None = None,
) -> list[Completion]:
    """The shortest text that fits, if a user could want it: it must not turn the text around the cursor into
    a comment, or use a name that is known to be declared nowhere.

    |x = 1                  in Go, `package a//` is the shortest text that makes this parse
    """
    found = shortest(recognizer)
    place = FittingContext(left, right, known_language, lambda: None)
    found = replace(found, text=named_end("", found.text, recognizer, place))
    is_hidden = found.text and (is_comment(recognizer) or hides_code(recognizer, found.text, right))
    is_undeclared = declared is not None and bool(declared.diagnostics(found.text))
    return [] if is_hidden or is_undeclared else [found]


def shortest(recognizer: Recognizer) -> Completion:
    """The shortest text that fits, as a completion."""
    start = time.perf_counter()
    text = recognizer.witness()
    seconds = time.perf_counter() - start
    return Completion(text, "forced", n_tokens=0, n_forced=0, mean_logprob=0.0, seconds=seconds)


def without_keys_twice(grammar: Language, left: str, right: str) -> Recognizer | None:
    """A recognizer that refuses repeated keys, even if the language allows them; None if the file has
    some."""
    try:
        return grammar.recognizer(left, right, ())
    except NoCompletion:
        return None


def known_completion(
    left: str,
    right: str,
    recognizer: Recognizer,
    known_language: KnownLanguage,
    declared: Declared | None = None,
    path: str = "",
) -> Completion | None:
    """The text that the file itself or its schema makes likely. If nothing is likely enough, the likeliest
    that the schema has, which is rather meant than the shortest text that fits; None without a schema."""
    from fim_lsp.memory.family import FamilyMemory
    from fim_lsp.schemas.held import is_held
    from fim_lsp.schemas.offers import from_schema

    start, name = time.perf_counter(), PurePath(path).name
    stays = staying(recognizer, left, right, known_language)
    offers = FamilyMemory().remembered_texts("", left, right, recognizer, lambda _reading: None, stays=stays)
    found = [
        (one.useful, one.text)
        for one in offers
        if one.text.strip() and not is_idle(left, one.text, right, known_language)
    ]
    of_schema: list[str] = []
    if known_language.blocks == "data":
        found = [(useful, text) for useful, text in found if is_held(name, left, text, right)]
        schemas = list(
            from_schema(
                name, left, right, recognizer, lambda reading: closing(reading, right, known_language)
            )
        )
        found += [(one.probability, one.text) for one in schemas]
        found.sort(key=lambda one: -one[0])
        of_schema = [one.text for one in schemas]
    sure = (text for useful, text in found if useful >= SURE)
    best = next((text for text in sure if declared is None or not declared.diagnostics(text)), None)
    best = next(iter(of_schema), None) if best is None else best
    if best is None:
        return None
    seconds = time.perf_counter() - start
    return Completion(best, "eos", n_tokens=0, n_forced=0, mean_logprob=0.0, seconds=seconds)


def loaded_model(name: str | None, known_language: KnownLanguage = PYTHON) -> Model:
    """A model that is loaded once, for all languages that it writes in."""
    return loaded_once(name, language_of_model(name, known_language))


@lru_cache(maxsize=2)
def loaded_once(name: str | None, known_language: KnownLanguage) -> Model:
    from fim_lsp.decoding.models.model import load_model

    return load_model(name, known_language=known_language)
