"""The context of the texts of one hole: lines above, the right context, lexical context and scope."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fim_lsp.decoding.choices.fence import Fence, suites_at
from fim_lsp.decoding.choices.lexical_context import LexicalContext
from fim_lsp.decoding.endings.edges import RightEdge
from fim_lsp.decoding.endings.margin import header_column, is_at_margin, usual_lines
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.recognizers import fits
from quotient import Recognizer

LINE_END = re.compile(rb"[ \t]*\r?\n[ \t]*\S")
LINE_START = re.compile(rb"\S[ \t]*\n[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class HoleContext:
    """The context of the texts of one hole."""

    model: Model
    options: Options
    # The last lines in front of the cursor, and the whole text behind it.
    above: bytes
    edge: RightEdge
    # The lexical context; None without a recognizer, and in the paper's plain loop.
    lexical: LexicalContext | None
    fence: Fence | None
    # Whether the hole begins and ends at the beginning of a line.
    is_whole_lines: bool
    # Whether texts of whole lines can fit, so that no other text may end there.
    takes_lines: bool = False
    # Whether the block of the text's first line is its scope, and whether only lines with a header fit.
    is_at_margin: bool = False
    needs_header: bool = False
    # The column further left than which no header has the right context's next line for its body.
    header_column: int = 0
    # All of the left context, if the hole is at the margin.
    before: bytes = b""

    @classmethod
    def of(
        cls,
        model: Model,
        options: Options,
        above: bytes,
        sides: tuple[str, bytes],
        recognizer: Recognizer | None,
        fence: Fence | None,
    ) -> HoleContext:
        """`above` is the end of the left side; `recognizer` is at the hole's beginning."""
        left, right = sides
        edge = RightEdge(right)
        is_whole_lines = edge.has_rest and above[-1:] in (b"\n", b"\r", b"")
        if recognizer is None or options.constraint != "constrained" or options.is_plain:
            return cls(model, options, above, edge, None, None, is_whole_lines)
        has_blocks = fence is not None and fence.enclosure is None and fence.n_suites > 0
        lexical = LexicalContext(recognizer.fork())
        at_margin = has_blocks and is_at_margin(recognizer, above)
        return cls(
            model,
            options,
            above,
            edge,
            lexical,
            fence,
            is_whole_lines,
            takes_lines=is_whole_lines and takes_whole_lines(recognizer, above, right),
            is_at_margin=at_margin,
            needs_header=is_whole_lines and has_blocks and not recognizer.is_member(),
            header_column=header_column(recognizer, right),
            before=left.encode(errors="surrogatepass") if at_margin else b"",
        )

    def may_end(self, hypothesis: Hypothesis) -> bool:
        """Whether the text fits as it is, in the scope, and as whole lines where these can fit."""
        if self.takes_lines and hypothesis.text:
            if hypothesis.pending or self.lines_of(hypothesis.text) is None:
                return False
        elif not hypothesis.is_member:
            return False
        return not self.is_outside(hypothesis)

    def is_outside(self, hypothesis: Hypothesis) -> bool:
        """Whether the rest of the cursor's line would begin further left than the scope allows."""
        recognizer, fence = hypothesis.recognizer, self.fence
        if recognizer is None or fence is None or not self.edge.has_rest or not hypothesis.text:
            return False
        nesting = recognizer.nesting()
        if nesting.indentation is None:
            return False
        if n_blanks := self.edge.n_blanks:
            # The rest of the line has blanks of its own.
            column = nesting.indentation + n_blanks
            return sum(one <= column for one in nesting.columns) < fence.n_suites
        return suites_at(recognizer, nesting.columns, nesting.indentation) < fence.n_suites

    def opens_lines(self, text: bytes) -> bool:
        r"""Whether a text puts a bracket's content on lines of its own, and its closer, too.

        f({|});                  "\n  a: 1,\n" as it is
        """
        is_opened = LINE_END.match(text) is not None and LINE_START.search(text) is not None
        has_braces = self.fence is not None and self.fence.enclosure is not None
        return is_opened and self.edge.is_closed and has_braces

    def lines_of(self, text: bytes) -> bytes | None:
        """The text without the blanks behind its last line break; None if it does not fit as whole lines.

        The rest of the cursor's line has its own blanks, and more of them would shift it.
        """
        line_break = text.rfind(b"\n")
        is_in_line = bool(text[line_break + 1 :].strip())
        lines = text[: line_break + 1]
        return lines if not is_in_line and self.lexical is not None and self.lexical.fits(lines) else None

    def comment(self, text: bytes) -> int | None:
        """The start of the comment in which a text ends; None without one, or without a lexical context."""
        return None if self.lexical is None else self.lexical.comment(text)

    def without_comment(self, hypothesis: Hypothesis) -> Hypothesis:
        """The text without the comment in which it ends."""
        comment = self.comment(hypothesis.text)
        if comment is None or self.lexical is None:
            return hypothesis
        return hypothesis.rewound(self.lexical.start, len(hypothesis.text[:comment].rstrip()))


def takes_whole_lines(start: Recognizer, left: bytes, right: bytes) -> bool:
    """Whether a hole is a gap between two lines, and whole lines can fill it; `start` is at its beginning."""
    is_gap = left[-1:] in (b"\n", b"\r", b"") and bool(right.partition(b"\n")[0].strip())
    return is_gap and any(fits(start, lines) for lines in usual_lines(start, right))
