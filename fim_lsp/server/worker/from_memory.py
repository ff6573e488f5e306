"""The completer without a model: it writes from the memory of the file and its workspace, and otherwise
closes open brackets and quotes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from math import log
from urllib.parse import unquote, urlsplit

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.closing import closing
from fim_lsp.declared.advice import Declared
from fim_lsp.declared.lacking import lacking_names
from fim_lsp.decoding.choices.enclosure import staying
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.document.code_lines import CodeLine
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.memory.alone import LackingWords, Remembered
from fim_lsp.memory.family import FamilyMemory
from fim_lsp.positions import LINE_END
from fim_lsp.recognizers import is_code
from fim_lsp.schemas.held import is_held
from fim_lsp.schemas.offers import from_schema
from fim_lsp.schemas.place import says_key_again
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.server.worker.messages import Traced

# Enough characters in front of the cursor for the longest context.
CONTEXT_CHARACTERS = 600
# A text that is useful less often is not offered.
LEAST_USEFUL = 0.2
OPENERS, CLOSERS = "([{", ")]}"
CLOSED_AT_ONCE = re.compile(r"[\w)\]>]\s*\{\s*\}\s*\Z")
CONTROL = re.compile(r"[\s}]*(?:if|else|for|while|do|switch|select|try|catch|finally|with)\b")
# The beginning of `true` or another value without quotes, behind a colon or a similar sign.
WORD_BEGUN = re.compile(r"[:=\[,\n]\s*[a-z]+\Z")


class FromMemory:
    """A completer for all languages; each family has a memory of its own."""

    name: str = NO_MODEL
    note: str = ""
    quick: None = None
    seconds: None = None
    is_loading = False

    def __init__(self, has_schemas: bool = True) -> None:
        self.has_schemas = has_schemas
        self._memories: dict[str, FamilyMemory] = {}

    def memory_of(self, family: str) -> FamilyMemory:
        return self._memories.setdefault(family, FamilyMemory())

    def for_language(self, known_language: KnownLanguage) -> FromMemory:  # noqa: ARG002
        return self

    def propose_texts(self, task: Attempt) -> Proposals:
        start = time.perf_counter()
        found: list[CandidateText] = []
        if task.wishes.has_memory:
            offers = self.memory_of(task.known_language.family).remembered_texts(
                task.uri,
                task.left,
                task.right,
                task.recognizer,
                lambda reading: closing(reading, task.right, task.known_language),
                task.is_cancelled,
                staying(task.recognizer, task.left, task.right, task.known_language),
                lacking_words(task),
            )
            seconds = time.perf_counter() - start

            def unit() -> str:
                return task.footing.site.text.style(task.wishes.indentation).unit

            blanks = (
                "" if task.known_language.has_suites else missing_blanks(task.left, task.known_language, unit)
            )
            is_data = task.known_language.blocks == "data"
            for one in with_whole_keys(offers) if is_data else offers:
                # A short text saves no keys while the user types.
                useful = max(one.useful, one.whole) if task.wishes.is_asked else one.useful
                if (
                    useful >= LEAST_USEFUL
                    and one.text.strip()
                    and not (blanks and one.text[0] in CLOSERS)
                    and not (is_data and not is_right_there(task, one.text))
                    and not (task.known_language.blocks == "braces" and has_no_body(task.left, one.text))
                ):
                    text = blanks + close_text(one.text, task.left, task.right)
                    judged = evidence(text, one.whole, seconds)
                    is_judged = task.known_language.blocks == "braces" and not one.is_led
                    remembered = one if is_judged else None
                    found.append(CandidateText(text, useful, judged, is_judged=True, remembered=remembered))
        found += self._from_schema(task)
        if (rest := rest_of_word(task)) is not None:
            found.append(CandidateText(rest, 1.0, evidence(rest, 1.0, 0.0), is_judged=True))
        if task.known_language.blocks == "data":
            # At equal confidence a text from the schema comes before one from memory.
            found.sort(key=lambda one: -one.confidence)
        closers = closing(task.recognizer, task.right, task.known_language)
        if closers and task.wishes.is_asked:
            found.append(CandidateText(closers))
        if found:
            return Proposals(tuple(found))
        return Proposals(reason="parses" if closers == "" else "no model")

    def _from_schema(self, task: Attempt) -> list[CandidateText]:
        """The texts of the file's schema that are sure enough or requested."""
        if not self.has_schemas or task.known_language.blocks != "data":
            return []
        start = time.perf_counter()
        offers = from_schema(
            file_name(task.uri),
            task.left,
            task.right,
            task.recognizer,
            lambda reading: closing(reading, task.right, task.known_language),
        )
        wanted = [one for one in offers if task.wishes.is_asked or one.probability >= LEAST_USEFUL]
        seconds = time.perf_counter() - start
        return [
            CandidateText(
                one.text, one.probability, evidence(one.text, one.probability, seconds), is_judged=True
            )
            for one in wanted
        ]

    def trace_attempt(self, task: Attempt) -> Traced | None:  # noqa: ARG002
        return None

    def has_written(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def is_writing(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def rests_at(self, uri: str, left: str, right: str) -> None:
        """Does nothing: no text is read ahead."""

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:  # noqa: ARG002
        return False

    def prepare(self, known_language: KnownLanguage, uri: str, text: str) -> None:
        """Splits an opened document into words."""
        self.memory_of(known_language.family).project.prepare(uri, text)

    def forget(self, uri: str | None) -> None:
        for memory in self._memories.values():
            memory.project.forget(uri)


def lacking_words(task: Attempt) -> LackingWords:
    """The names that the code behind the cursor lacks, for a declaration there, with the text that must
    follow."""
    if not isinstance(task.adviser, Declared):
        return ()
    names, behind = lacking_names(task.adviser, task.footing.site.lines.before, task.recognizer)
    return [(name, behind) if behind else (name,) for name in names]


def with_whole_keys(offers: Sequence[Remembered]) -> list[Remembered]:
    """The texts that do not end inside a key of data such as `build-system`: where all of it is not allowed
    again, neither `[build-]` nor `[build]` is meant."""
    texts = [one.text[: len(one.text) - one.n_closers] for one in offers]
    return [
        one
        for one, text in zip(offers, texts, strict=True)
        if not text.endswith("-") and not any(other.startswith(f"{text}-") for other in texts)
    ]


def is_right_there(task: Attempt, text: str) -> bool:
    """Whether a remembered text is allowed in a data file: no existing key and, by the schema, no key of
    another place."""
    is_again = task.known_language.has_law_on_request and says_key_again(task.left, text, task.right)
    return not is_again and is_held(file_name(task.uri), task.left, text, task.right)


def has_no_body(left: str, text: str) -> bool:
    """Whether a text ends with an empty definition, `size() {}`. A condition is still useful for the words in
    front of its brace."""
    line = LINE_END.split(left[-CONTEXT_CHARACTERS:])[-1] + text
    return CLOSED_AT_ONCE.search(text) is not None and CONTROL.match(line) is None


def rest_of_word(task: Attempt) -> str | None:
    """The only possible rest of a begun word of data: `tr|ue`."""
    if task.known_language.blocks != "data" or not WORD_BEGUN.search(task.left):
        return None
    if not is_code(task.recognizer) or task.recognizer.is_member():
        return None
    found = task.recognizer.witness()
    return found if found.isalpha() else None


def file_name(uri: str) -> str:
    """The file name of a document, without folders."""
    return unquote(urlsplit(uri).path).rpartition("/")[2]


def missing_blanks(left: str, known_language: KnownLanguage, unit: Callable[[], str]) -> str:
    """The blanks that a line's indentation lacks, by the line above; the user types them and then meets the
    offer."""
    above, line_end, begun = left[-CONTEXT_CHARACTERS:].rpartition("\n")
    above = without_ended_comment(above, left, known_language)
    last = CodeLine(next((line for line in reversed(above.split("\n")) if line.strip()), ""), known_language)
    if not line_end or begun.strip():
        return ""
    here = last.indentation + (unit() if last.ends_with_opener else "")
    return here[len(begun) :] if here.startswith(begun) else ""


def without_ended_comment(above: str, left: str, known_language: KnownLanguage) -> str:
    """Lines above the cursor, up to the sign that begins the comment in which they end: its last line stands
    one blank further right than the code behind it, ` */`."""
    if known_language.block_comment is None or not above.rstrip().endswith(known_language.block_comment[1]):
        return above
    sign = known_language.block_comment[0]
    start = left.rfind(sign)
    return left[max(start + len(sign) - CONTEXT_CHARACTERS, 0) : start + len(sign)]


def close_text(text: str, left: str, right: str) -> str:
    """A text in a bracket without its leading blank, if the closer has none: `{ a }` is remembered with
    blanks, and `{|}` has none."""
    is_close = left[-1:] in OPENERS and right[:1] in CLOSERS and not text.endswith(" ")
    return text.lstrip(" ") if left and right and is_close else text


def evidence(text: str, whole: float, seconds: float) -> Completion:
    return Completion(text, "eos", 1, 0, log(max(whole, 1e-6)), seconds)
