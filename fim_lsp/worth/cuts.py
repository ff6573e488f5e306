"""The cuts of an offer: the offer itself and its beginnings that may be offered in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.worth.features import WORD, JudgedPlace, features
from fim_lsp.worth.judge import Judged

# The fewest characters of an offer: fewer save nothing worth a key.
SHORTEST = 3
MOST_CUTS = 8
# The rest of a called name, up to the bracket.
CALLED = re.compile(r"(?<=\w)(?:\.\w+)*\(")


def cuts(
    offer: str, evidence: Completion, site: JudgedPlace, fits: Callable[[str], bool]
) -> Iterator[Judged]:
    """An offer and its beginnings, the longest first, for the judge."""
    for end in cut_ends(offer, evidence, fits):
        text, is_whole = offer[:end], end == len(offer)
        yield Judged(text, is_whole, features(text, evidence, site, is_whole))


def cut_ends(offer: str, evidence: Completion, fits: Callable[[str], bool]) -> Iterator[int]:
    """The places where an offer may end, the last first: its end, and the ends of words in front of which it
    fits. Of many, those with the least sure next token. None is behind the error that a checker reports, and
    none in front of a call: of `json.load(file)`, `json.load` alone is not wanted.
    """
    n_right = evidence.right_until(offer)
    if n_right == len(offer):
        yield len(offer)
    if not evidence.text.startswith(offer):
        # The offer was rewritten in the file's style, so the evidence has other tokens.
        return
    ends = [end for found in WORD.finditer(offer) if (end := found.end()) <= n_right]
    ends = ends[:-1] if n_right == len(offer) else ends
    ends = [end for end in ends if not CALLED.match(offer, end)]
    if len(ends) > MOST_CUTS:
        surest = next_logprobs(offer, ends, evidence)
        ends = sorted(sorted(ends, key=surest.__getitem__)[:MOST_CUTS])
    for end in ends[::-1]:
        beginning = offer[:end]
        if len(beginning.strip()) >= SHORTEST and "\n" not in beginning[-1:] and fits(beginning):
            yield end


def next_logprobs(offer: str, ends: Sequence[int], evidence: Completion) -> dict[int, float]:
    """The log-probabilities of the tokens behind some places of an offer."""
    found: dict[int, float] = {}
    marks = iter(evidence.marks)
    mark = next(marks, None)
    for end in ends:
        n_bytes = len(offer[:end].encode(errors="replace"))
        while mark is not None and mark.n_bytes <= n_bytes:
            mark = next(marks, None)
        found[end] = 0.0 if mark is None or mark.logprob is None else mark.logprob
    return found
