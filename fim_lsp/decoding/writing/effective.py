"""Completions with an effect: where the likeliest text of a model would do nothing, its next one is taken.

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
    idle = [] if request.known_language is GO else [one for one in found if one not in active]
    return [*active, *idle][: options.n]


def does_nothing(request: CompletionRequest, completion: Completion) -> bool:
    return is_idle(request.left, completion.text, request.right, request.known_language)
