"""Tidying the end of a text: it has no white space and no comment there, if it fits without them.

Models add comments on what they have just written or would write next. No user asked for them.
"""

from __future__ import annotations

from dataclasses import replace

from fim_lsp.decoding.choices.lexical_context import LexicalContext
from fim_lsp.decoding.endings.hole_context import HoleContext
from fim_lsp.decoding.texts.hypothesis import Ending, Hypothesis
from fim_lsp.decoding.texts.written import Written

# White space in front of these, or at the end, is never needed.
NEEDS_NO_SPACE = b" \t\f\r\n)]},:;"


def tidied_text(context: HoleContext, written: Written) -> Written:
    """The text without an end that no programmer would type. It is poor if nothing is left.

    An empty text is a valid answer, but not for a gap of whole lines.
    """
    lexical, text = context.lexical, written.text
    if lexical is None:
        return written
    others = (form for form in tidy_forms(context, lexical, text) if form != text)
    kept = next((form for form in others if lexical.fits(form)), text)
    if kept != text:
        written = replace(written, ending=replace(written.ending, n_bytes=len(kept)))
    is_gap = context.takes_lines and not written.text
    return replace(written, is_poor=True) if is_gap or says_nothing(lexical, written.text) else written


def tidy_forms(context: HoleContext, lexical: LexicalContext, text: bytes) -> list[bytes]:
    """The forms that a text may be tidied to, the best first."""
    kept = without_blanks(context, lexical, text)
    if context.is_whole_lines:
        kept = context.lines_of(kept) or kept
    comment = lexical.comment(kept)
    is_bare = comment is not None and not kept[comment:].strip(b"#/!: \t\f\r")
    # A text that is only a comment is a sign that code is missing.
    if comment is None or not (is_bare or kept[:comment].strip()):
        return [kept]
    # The line above may end in a comment, too.
    return [*tidy_forms(context, lexical, kept[:comment]), kept]


def without_blanks(context: HoleContext, lexical: LexicalContext, text: bytes) -> bytes:
    if context.opens_lines(text):
        return text
    # A line break separates the rest of the line.
    kept = text.rstrip(b" \t\f" if context.edge.is_apart else b" \t\f\r\n")
    if kept[-1:] in (b"\n", b"\r"):
        # The rest has blanks of its own, and the text's would shift it.
        return kept if context.edge.right[:1] in (b" ", b"\t") and lexical.is_code(kept) else text
    is_free = context.edge.right[:1] in NEEDS_NO_SPACE and lexical.is_code(kept)
    is_in_comment = lexical.comment(kept) is not None
    return kept if is_free or is_in_comment else text


def says_nothing(lexical: LexicalContext, text: bytes) -> bool:
    """Whether a text that begins in code has no code. An empty text is a valid answer and does not count."""
    if text == b"" or not lexical.is_code(b""):
        return False
    while (comment := lexical.comment(text.rstrip())) is not None:
        text = text[:comment]
    return not text.strip()


def trimmed_ending(context: HoleContext, hypothesis: Hypothesis, last: Ending) -> Ending:
    """An ending, without the white space in front of it if the text fits without it, too."""
    if context.opens_lines(hypothesis.text[: last.n_bytes]):
        return last
    return hypothesis.trimmed_ending(last, context.edge.is_apart)
