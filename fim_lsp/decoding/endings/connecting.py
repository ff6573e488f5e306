"""Connecting a text that finds no end: the engine writes the way out behind it.

The text may lose its last tokens first, so that the way out is a good one: it has no undefined name, and the
rest of the cursor's line stays in its block and outside of comments.
"""

from __future__ import annotations

from fim_lsp.decoding.endings.hole_context import HoleContext
from fim_lsp.decoding.endings.steering import Steering
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.written import Written
from fim_lsp.recognizers import fits

# The most tokens that are taken back for a better way out: each costs a search, and time may be up already.
MOST_TAKEN_BACK = 8


def connected_text(context: HoleContext, hypothesis: Hypothesis, steering: Steering) -> Written | None:
    """The text with the shortest way out behind it; None if every way out that is found uses a wrong name."""
    hypothesis, found = resolved_text(context, context.without_comment(hypothesis), steering)
    if context.lexical is not None and not found.is_member:
        return None
    found = better_led_out(context, hypothesis, steering, found)
    return Written(found, found.ending(), "forced", is_poor=True)


def resolved_text(
    context: HoleContext, hypothesis: Hypothesis, steering: Steering
) -> tuple[Hypothesis, Hypothesis]:
    """The text, and the text with a way out whose names are bound, begun further left if necessary.

    The file would parse with any way out. A search for one that binds a name takes long if there is none.
    """
    found = led_out_text(context, hypothesis, steering)
    n_back = 1
    while context.lexical is not None and hypothesis.places and not found.is_member:
        place = hypothesis.places[-min(n_back, len(hypothesis.places))]
        hypothesis = hypothesis.rewound(context.lexical.start, place.n_bytes)
        found = led_out_text(context, hypothesis, steering)
        n_back *= 2
    return hypothesis, found


def better_led_out(
    context: HoleContext, hypothesis: Hypothesis, steering: Steering, first: Hypothesis
) -> Hypothesis:
    """The way out from a few tokens earlier, if too few tokens are left for a good one here.

    A bad one puts the rest of the line into a comment, or without indentation outside its block.
    """
    found = first
    for _ in range(MOST_TAKEN_BACK):
        if context.lexical is None or not hypothesis.places or is_well_led_out(context, found):
            break
        hypothesis = hypothesis.rewound(context.lexical.start, hypothesis.places[-1].n_bytes)
        found = led_out_text(context, hypothesis, steering)
    return found if is_well_led_out(context, found) else first


def is_well_led_out(context: HoleContext, hypothesis: Hypothesis) -> bool:
    if not hypothesis.is_member or context.is_outside(hypothesis) or context.lexical is None:
        return False
    return not context.edge.has_rest or context.comment(hypothesis.text) is None


def led_out_text(context: HoleContext, hypothesis: Hypothesis, steering: Steering) -> Hypothesis:
    """The text with the shortest way out behind it, and the rest of the line in its block if possible."""
    found = steering.connected_hypothesis(hypothesis, has_rest=context.edge.has_rest)
    indent_rest(context, found)
    return found


def indent_rest(context: HoleContext, hypothesis: Hypothesis) -> None:
    """Indents the rest of the cursor's line to its block, if the text moved it to a new line."""
    recognizer, fence = hypothesis.recognizer, context.fence
    has_room = hypothesis.n_tokens < context.options.max_tokens
    if recognizer is None or fence is None or not has_room or not context.is_outside(hypothesis):
        return
    nesting = recognizer.nesting()
    column = nesting.columns[min(fence.n_suites, len(nesting.columns)) - 1]
    blanks = b" " * (column - (nesting.indentation or 0) - context.edge.n_blanks)
    if fits(recognizer, blanks):
        recognizer.advance(blanks)
        hypothesis.append(blanks, None)
