"""A text that its model did not end, or that has a fault, and its beginnings that need only closers to fit.

A text that becomes improbable is given up in the middle, and a text that time cuts has no end. The engine
then writes any end that fits: `if (limit >a){`. Such an end is not offered, but a beginning of the text may
be: `if (limit) {`, if its block is there already. An empty body, `size() {}`, is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.wording import offered_text
from fim_lsp.worth.bars import bar_for
from fim_lsp.worth.cuts import cut_ends
from fim_lsp.worth.features import features
from fim_lsp.worth.judge import Judged, judge_of
from quotient import NoCompletion, Recognizer, TooCostly

WORD = re.compile(r"\w")
QUOTE = r"""(?:\"{3}|'{3}|["'`])?"""
CLOSER = r"(?:[)\]}>;\s]|</[\w.:-]*|/>)"
# The ends that consist of closers. Tags name their element; a block may be opened only at the very end, for a
# body that is there already.
CLOSED_SUITES = re.compile(rf"{QUOTE}(?:{CLOSER}|:)*")
CLOSED_BRACES = re.compile(rf"{QUOTE}{CLOSER}*(?:\{{|:(?!\s*;))?{CLOSER}*")
# A brace behind anything else begins a value, which would be made up.
OPENS_BLOCK = re.compile(r"[\w)\]>]\s*\{\s*\Z")
# An empty list of declarations declares nothing: `import ()`.
EMPTY_LIST = re.compile(r"\b(?:import|const|var|type)\s*\(\s*\)\s*\Z")
# A block's opening brace gets a blank in front.
CLOSE_BRACE = re.compile(r"(?<=[\w)\]>])\{(?=\s*\Z)")
# A beginning does not cut a name or a number, or a call from its arguments.
GOES_ON = re.compile(r"\w[\w(]|\.")
# Behind these words' brackets more than `;` must follow.
HEADER = re.compile(r"\b(?:if|for|while|switch|catch|with)\b[^;{}]*\Z")
# The most beginnings that are tried, from the longest down, and the length of the shortest.
MOST_TRIED, SHORTEST = 12, 3


def needs_closing(
    offer: str, evidence: Completion, known_language: KnownLanguage, may_be_made_up: bool
) -> bool:
    """Whether an offer ends in what the engine made up, or has a fault. Words that it made up may stay where
    a user asks for them."""
    if may_be_made_up and not has_made_up_words(evidence, known_language):
        return False
    return is_made_up(offer, evidence, known_language) or evidence.right_until(offer) < len(offer)


def sound_text(
    attempt: Attempt, offer: str, candidate: CandidateText, model: str, has_judge: bool
) -> tuple[str | None, CandidateText]:
    """The most valuable closed beginning of an offer that has a made-up end or a fault.

    Where nothing can be closed, a made-up end leaves nothing, and a fault is left to the judge, as it is
    where anything in front of it fits. In `if (open) { unknown(a)` nothing does: the brace must be closed.
    """
    evidence = candidate.evidence
    assert evidence is not None
    has_made_up = is_made_up(offer, evidence, attempt.known_language)
    if not has_made_up:
        before_fault = cut_ends(offer, evidence, partial(fits, attempt.recognizer))
        if not has_judge or next(before_fault, None) is not None:
            return offer, candidate
    closed = closed_beginning(attempt, candidate, evidence, model)
    if closed is None:
        return None if has_made_up else offer, candidate
    return closed


def closed_beginning(
    attempt: Attempt, candidate: CandidateText, evidence: Completion, model: str
) -> tuple[str, CandidateText] | None:
    """The most valuable beginning of a written text, with the closers behind it."""
    footing, known_language, place = attempt.footing, attempt.known_language, attempt.judged_place
    found: dict[str, tuple[Judged, Completion]] = {}
    for closed in closed_beginnings(evidence, attempt.recognizer, known_language, footing.site.lines.before):
        text = offered_text(closed.text, footing, attempt.wishes)
        if text == closed.text:
            found[text] = Judged(text, True, features(text, closed, place, is_whole=True)), closed
    bar = partial(bar_for, model, known_language, attempt.wishes.bar)
    best = judge_of(model).best([judged for judged, _ in found.values()], bar, known_language)
    if best is None:
        return None
    return best.text, replace(candidate, text=best.text, evidence=found[best.text][1])


def has_made_up_words(evidence: Completion, known_language: KnownLanguage) -> bool:
    """Whether the engine ended a text with words, in a language with braces: `of {})a`. In Python these are
    `pass` and the like, which a user may get on request."""
    return known_language.blocks == "braces" and WORD.search(evidence.made_up) is not None


def is_made_up(offer: str, evidence: Completion, known_language: KnownLanguage) -> bool:
    """Whether the engine, not the model, wrote words or opening brackets at an offer's end."""
    end = evidence.made_up.strip()
    return bool(end) and offer.rstrip().endswith(end) and not is_closed(offer.rstrip(), end, known_language)


def is_closed(text: str, end: str, known_language: KnownLanguage) -> bool:
    """Whether the end of a text consists of closers."""
    closed = CLOSED_SUITES if known_language.has_suites else CLOSED_BRACES
    if closed.fullmatch(end) is None or EMPTY_LIST.search(text):
        return False
    return "{" not in end or (known_language.blocks == "braces" and OPENS_BLOCK.search(text) is not None)


def closed_beginnings(
    evidence: Completion, recognizer: Recognizer, known_language: KnownLanguage, line_before: str
) -> Iterator[Completion]:
    """The beginnings of a text, from the longest down, each with the closers with which it fits."""
    text = evidence.text.encode()
    marks = evidence.marks
    last, wrong_from = len(marks) - 1, evidence.wrong_from
    if wrong_from is not None:
        n_right = len(evidence.text[:wrong_from].encode())
        last = min(last, sum(mark.n_bytes <= n_right for mark in marks))
    for index in range(last, max(last - MOST_TRIED, 0), -1):
        kept = marks[:index]
        beginning = text[: kept[-1].n_bytes].decode(errors="replace")
        following = text[kept[-1].n_bytes : marks[-1].n_bytes].decode(errors="ignore")
        if len(beginning.strip()) < SHORTEST:
            return
        is_cut = beginning.endswith("\ufffd") or GOES_ON.match(beginning[-1:] + following[:1])
        # Whole lines are only left off in front of a fault.
        if is_cut or ("\n" in following and wrong_from is None):
            continue
        end = closing_end(recognizer, beginning, known_language)
        is_cut_header = end is not None and ";" in end and HEADER.search(line_before + beginning)
        if end is not None and not is_cut_header:
            yield replace(evidence, text=beginning + end, marks=kept, stopped_by="forced", wrong_from=None)


def closing_end(recognizer: Recognizer, beginning: str, known_language: KnownLanguage) -> str | None:
    """The shortest end of a beginning, if it consists of closers."""
    reading = recognizer.fork()
    if not reading.advance(beginning):
        return None
    try:
        end = reading.witness()
    except (NoCompletion, TooCostly):
        return None
    if not is_closed(beginning + end, end, known_language):
        return None
    apart = set_apart(beginning + end)
    return apart[len(beginning) :] if fits(recognizer, apart) else end


def set_apart(text: str) -> str:
    """A text with a blank in front of the brace at its end."""
    return CLOSE_BRACE.sub(" {", text)
