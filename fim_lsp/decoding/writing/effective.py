"""Completions with an effect: where the likeliest text of a model would do nothing, or is a comment in the
place of what is lacking, its next one is taken.

for attempt in range(|):        retries, retries        the likeliest
                                retries                 taken
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from fim_lsp.declared.idle import is_idle
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.known_languages import GO
from fim_lsp.positions import last_line
from fim_lsp.recognizers import is_code

if TYPE_CHECKING:
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.decoding.writing.session import DecodingSession

# How many texts are written if the first one does nothing.
SEVERAL = 3
# How much less likely the next one may be, by the mean log-probability of their tokens.
LEAST_LIKELY = 1.0


def effective_completions(session: DecodingSession, request: CompletionRequest) -> list[Completion]:
    """As `DecodingSession.complete`; texts that do nothing come last. Go does not compile some of them, and
    has none."""
    start = time.perf_counter()
    found = session.complete(request)
    options = request.options
    if not found or request.recognizer is None or not does_nothing(request, found[0]):
        return found
    if options.n == 1 and options.strategy == "greedy":
        rest = None if options.budget_s is None else options.budget_s - (time.perf_counter() - start)
        if rest is None or rest > 0:
            # A user who watches a text being written has seen the first one.
            several = replace(options, n=SEVERAL, budget_s=rest)
            more = session.complete(replace(request, options=several, on_partial=None, on_step=None))
            least = found[0].mean_logprob - LEAST_LIKELY
            found = [*found, *(one for one in more if one.mean_logprob >= least)]
    active = [one for one in found if not does_nothing(request, one)]
    others = [one for one in found if one not in active]
    if request.known_language is GO:
        others = [one for one in others if not is_without_effect(request, one)]
    return [*active, *others][: options.n]


def does_nothing(request: CompletionRequest, completion: Completion) -> bool:
    return is_without_effect(request, completion) or begins_comment(request, completion.text.lstrip(" \t"))


def is_without_effect(request: CompletionRequest, completion: Completion) -> bool:
    return is_idle(request.left, completion.text, request.right, request.known_language)


def begins_comment(request: CompletionRequest, text: str) -> bool:
    """Whether a text begins with a comment in a line that lacks code.

    x := |        // to do
    """
    recognizer, known_language = request.recognizer, request.known_language
    signs = [known_language.line_comment, *(known_language.block_comment or ())[:1]]
    if recognizer is None or not any(sign and text.startswith(sign) for sign in signs):
        return False
    return bool(last_line(request.left).strip()) and is_code(recognizer) and not recognizer.is_member()
