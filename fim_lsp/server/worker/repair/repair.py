"""A document's own repair: what is set aside in it, and until when.

What is set aside stays so until it is edited, or somebody writes elsewhere: what lacks a header or a bracket
that is to come in the hole is no error there. While somebody types, the errors elsewhere stay what they are.
Where all that is of no use for a line, it is not tried for it again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fim_lsp.positions import LINE_END
from fim_lsp.server.worker.code_lines import CodeLines
from fim_lsp.server.worker.hole import Hole
from fim_lsp.server.worker.messages import Edit
from fim_lsp.server.worker.repair.kept_lines import lines_around
from fim_lsp.server.worker.repair.search import search
from fim_lsp.server.worker.repair.substitute import Repaired, Substitute
from quotient import Language, NoCompletion, Recognizer

if TYPE_CHECKING:
    from fim_lsp.server.worker.syntax import Fault

# How long a search may take before it ends with what is known.
REPAIR_SECONDS = 0.05


class Repair:
    """The text of one document with erroneous statements set aside, those that are known to be."""

    def __init__(self, language: Language) -> None:
        self.language = language
        # None until it was needed.
        self.substitute: Substitute | None = None
        # The line for whose holes nothing was of use.
        self.hopeless_line: int | None = None

    @property
    def memory(self) -> int:
        """Bytes held by the charts, roughly."""
        return 0 if self.substitute is None else self.substitute.memory

    def without_errors(
        self,
        code: CodeLines,
        hole: Hole,
        refusal: NoCompletion | None,
        faults: Callable[[], Sequence[Fault]],
        seconds: float,
    ) -> Repaired | None:
        """A hole of the document with what is broken elsewhere set aside; None where that is of no use.

        `refusal` is what the engine has against the file as it is, `faults` what tree-sitter has.
        """
        here = code.line_at(hole.start)
        if self.hopeless_line == here:
            return None
        kept = lines_around(code, hole)
        substitute = self.substitute = self.substitute or Substitute(self.language, code.text)
        substitute.make_way(code, kept, hole)
        for answer in substitute.beginnings(code, hole, refusal):
            found = (
                answer
                if isinstance(answer, Recognizer)
                else search(code, hole, kept, substitute, answer, faults, seconds)
            )
            if found is not None:
                return substitute.repaired(found, hole)
        self.hopeless_line = here
        return None

    def edit(self, code: CodeLines, edit: Edit) -> None:
        """Follows an edit; the lines are those before it. One that is edited may be of use now; all others
        are as good or as bad as they were."""
        first, last = (bisect_right(code.starts, offset) - 1 for offset in (edit.start, edit.stop))
        if first != last or first != self.hopeless_line or LINE_END.search(edit.new):
            self.hopeless_line = None
        if self.substitute is not None:
            self.substitute.edit(edit.start, edit.stop, edit.new)

    def keep_within(self, chart_bytes: int) -> None:
        if self.memory > chart_bytes:
            self.substitute = None
