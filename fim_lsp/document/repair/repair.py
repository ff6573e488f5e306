"""A document's own repair: the statements that are set aside in it for a hole.

A repair depends only on the text and the hole, so it is searched again for each hole; the last substitutes
only lend their charts. While the user types, the search mostly tries the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fim_lsp.document.code_lines import CodeLines
from fim_lsp.document.hole import Hole, recognizer_at, recognizer_in
from fim_lsp.document.repair.kept_lines import lines_around
from fim_lsp.document.repair.search import search
from fim_lsp.document.repair.substitute import Repaired, Substitute, Substitutes, error_in
from fim_lsp.document.repair.unfinished_try import missing_clauses
from fim_lsp.document.sent import SentEdit
from quotient import Language, NoCompletion, TooCostly

if TYPE_CHECKING:
    from fim_lsp.document.syntax import SyntaxFault

# The seconds that a search may take before it ends with what is known.
REPAIR_SECONDS = 0.05


class Repair:
    """The text of one document with erroneous statements set aside."""

    def __init__(self, language: Language) -> None:
        self.substitutes = Substitutes(language)

    @property
    def substitute(self) -> Substitute | None:
        """The substitute that was used last; None until one was needed."""
        return self.substitutes.kept[-1] if self.substitutes.kept else None

    @property
    def memory(self) -> int:
        """Bytes held by the charts, roughly."""
        return self.substitutes.memory

    def without_errors(
        self,
        code: CodeLines,
        hole: Hole,
        refusal: NoCompletion | None,
        faults: Callable[[], Sequence[SyntaxFault]],
        seconds: float,
    ) -> Repaired | None:
        """A hole of the document with broken code elsewhere set aside; None if that does not help.

        `refusal` is what the engine has against the file as it is, `faults` what tree-sitter has.
        """
        kept = lines_around(code, hole)
        error = None if refusal is None else error_in(code.text, hole.start, hole.stop, refusal)
        # A search that is too costly with some lines set aside is not tried with others.
        with suppress(TooCostly):
            return search(code, hole, kept, self.substitutes, error, faults, seconds)
        return None

    def with_clauses(self, code: CodeLines, hole: Hole) -> Repaired | None:
        """A hole inside an unfinished `try`, with the clause that it lacks; None if it lacks none, or if that
        does not help."""
        clauses = missing_clauses(code, hole)
        if not clauses:
            return None
        substitute = self.substitutes.with_patches(code.text, clauses)
        # The clauses are behind the hole, so it has the same offsets here.
        with suppress(NoCompletion, TooCostly):
            found = recognizer_at(substitute.document, hole.start, hole.stop, code.known_language)
            reading = recognizer_in(found, hole)
            if reading is not None:
                return Repaired(reading, substitute.document, hole.start, hole.stop, ())
        return None

    def edit(self, edit: SentEdit) -> None:
        """Follows an edit."""
        self.substitutes.edit(edit.start, edit.stop, edit.new)

    def keep_within(self, chart_bytes: int) -> None:
        self.substitutes.keep_within(chart_bytes)
