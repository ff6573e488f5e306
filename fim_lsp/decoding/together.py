"""`fim_lsp.complete_together`: several holes of one file, with texts that fit together.

The shortest texts come first (`shortest_together.py`). Then a model writes the text for one hole after the
other, each exact given what stands in the others; without a model that knows the language, the file itself
or its schema says what is likely in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fim_lsp.bundled_models import NO_MODEL, model_knows
from fim_lsp.declared.advice import Declared, hole_declarations
from fim_lsp.decoding.complete import (
    known_completion,
    loaded_model,
    wanted_completions,
    without_keys_twice,
)
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.shortest_together import (
    SECONDS,
    hides_any,
    never,
    parts_between,
    recognizer_given,
    shortest_together,
    sides,
)
from fim_lsp.dialects import read_as
from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named
from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language, Recognizer

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model


@dataclass(frozen=True, slots=True)
class SeveralHoles:
    """Several holes of one text, what law they are held to, and where the text lies: its path or address,
    and the other documents that are open in the editor."""

    language: Language
    text: str
    offsets: Sequence[int]
    has_law: bool
    address: str = ""
    opened: Mapping[str, str] = field(default_factory=dict)

    @property
    def known_language(self) -> KnownLanguage:
        return language_named(self.language.name)

    def declarations(self, left: str, right: str) -> Declared | None:
        """The declarations for one of the holes, given the others."""
        if not self.has_law:
            return None
        found = hole_declarations(self.known_language, left, right, self.address)
        return None if found is None else replace(found, opened=self.opened)


def complete_together(
    text: str,
    offsets: Sequence[int],
    *,
    language: str = PYTHON.name,
    model: str | Model | None = None,
    options: Options | None = None,
    python_version: str | None = None,
    names: bool = True,
    unique_keys: bool = False,
    path: str = "",
) -> list[tuple[str, ...]]:
    """Texts for several places of a file, in tuples with one text for each offset, the best tuple first. With
    all texts of a tuple the file parses. The arguments are those of `complete`; if the model does not know
    the language, the texts are those that the rest of the file makes likely, or else the shortest.

    Raises `NoCompletion` if no texts were found, `ModelError` for a model that cannot be used,
    `UnknownLanguage` for a language without a grammar, and `ValueError` for offsets out of range.
    """
    for offset in offsets:
        if not 0 <= offset <= len(text):
            raise ValueError(f"{offset} is no place in a text of {len(text)} characters")
    known_language = read_as(language_named(language), text)
    grammar = Language.load(known_language.name, version=python_version if known_language is PYTHON else None)
    holes = SeveralHoles(grammar, text, offsets, known_language.has_law(names, unique_keys), path)
    options = options or Options()
    if model == NO_MODEL:
        return ordered_texts(holes, options, lambda _places, _first: ())
    if isinstance(model, str) or model is None:
        usable = loaded_model(model, known_language) if model_knows(model, known_language) else None
    else:
        usable = model
    return written_together(holes, usable, options)


def written_together(
    holes: SeveralHoles, model: Model | None, options: Options, is_cancelled: Callable[[], bool] = never
) -> list[tuple[str, ...]]:
    """Texts for holes in any language, by a model if there is one. If the caller cancels, it gets the texts
    so far, or `NoCompletion`."""

    def better_texts(places: Sequence[int], first: Sequence[str]) -> Iterator[list[str]]:
        if model is None:
            return likely_texts(holes, places, first, is_cancelled)
        return model_texts(holes, places, first, model, options, is_cancelled)

    return ordered_texts(holes, options, better_texts, is_cancelled)


def ordered_texts(
    holes: SeveralHoles,
    options: Options,
    better_texts: Callable[[Sequence[int], Sequence[str]], Iterable[list[str]]],
    is_cancelled: Callable[[], bool] = never,
) -> list[tuple[str, ...]]:
    """The better texts for the holes and the shortest, in the order in which the offsets were given."""
    if not holes.offsets:
        return []
    order = sorted(range(len(holes.offsets)), key=lambda number: holes.offsets[number])
    places = [holes.offsets[number] for number in order]
    seconds = SECONDS if options.budget_s is None else options.budget_s
    first = shortest_together(holes.language, holes.text, places, holes.has_law, seconds, is_cancelled)
    found = [first]
    if not is_cancelled():
        found = [*better_texts(places, first), first]
    back = [order.index(number) for number in range(len(order))]
    return [*dict.fromkeys(tuple(texts[number] for number in back) for texts in found)]


def likely_texts(
    holes: SeveralHoles, places: Sequence[int], first: Sequence[str], is_cancelled: Callable[[], bool] = never
) -> Iterator[list[str]]:
    """For each hole the text that the file or its schema makes likely, given those in the others."""
    parts, texts = parts_between(holes.text, places), [*first]
    for number in range(len(places)):
        recognizer = recognizer_given(holes.language, parts, texts, number, holes.has_law)
        if recognizer is None or is_cancelled():
            break
        left, right = sides(parts, texts, number)
        known_language, declared = holes.known_language, holes.declarations(left, right)
        if known_language.has_law_on_request:
            recognizer = without_keys_twice(holes.language, left, right) or recognizer
        found = known_completion(left, right, recognizer, known_language, declared, holes.address)
        if found is not None:
            texts[number] = found.text
    if not hides_any(holes.language.recognizer(left=parts[0]), parts, texts):
        yield texts


def model_texts(
    holes: SeveralHoles,
    places: Sequence[int],
    first: Sequence[str],
    model: Model,
    options: Options,
    is_cancelled: Callable[[], bool] = never,
) -> Iterator[list[str]]:
    """The model's text for each hole, given those in the others; and alternatives for the last hole."""
    parts, texts = parts_between(holes.text, places), [*first]
    share = None if options.budget_s is None else options.budget_s / len(places)
    own_options = replace(options, budget_s=share)
    others: list[list[str]] = []
    for number in range(len(places)):
        recognizer = recognizer_given(holes.language, parts, texts, number, holes.has_law)
        if recognizer is None:
            return
        left, right = sides(parts, texts, number)
        offered = offered_texts(holes, left, right, recognizer, model, own_options, is_cancelled)
        others = [[*texts[:number], one, *texts[number + 1 :]] for one in offered[1:]]
        if offered:
            texts[number] = offered[0]
    begun = holes.language.recognizer(left=parts[0])
    yield from (one for one in [texts, *others] if not hides_any(begun.fork(), parts, one))


def offered_texts(
    holes: SeveralHoles,
    left: str,
    right: str,
    recognizer: Recognizer,
    model: Model,
    options: Options,
    is_cancelled: Callable[[], bool],
) -> list[str]:
    """The model's texts for one hole that keep the law, the best first."""
    from fim_lsp.decoding.writing.effective import effective_completions
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.decoding.writing.session import DecodingSession

    contexts = HoleContexts(left, right, holes.language.name, holes.language.version, holes.has_law)
    declared = holes.declarations(left, right)
    request = CompletionRequest(
        left,
        right,
        recognizer,
        options,
        adviser=declared,
        contexts=contexts,
        is_cancelled=is_cancelled,
    )
    found = effective_completions(DecodingSession(model), request)
    return [one.text for one in wanted_completions(found, recognizer, right, holes.known_language, declared)]
