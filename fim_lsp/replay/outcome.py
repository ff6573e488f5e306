"""The outcome of one mode in one case, and its cost. The journal keeps both, in different files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fim_lsp.known_languages import language_named
from fim_lsp.replay.case import Case
from fim_lsp.replay.escape import escape


@dataclass(slots=True)
class CaseOutcome:
    """The outcome of one mode in one case. A row of the journal holds it as JSON."""

    text: str
    # Whether the file parses; if not, the kind of error and its message.
    parses: bool = False
    fault: str | None = None
    message: str | None = None
    # An error of ours, which must not happen in any mode: the hole was called impossible, the text refused.
    error: str | None = None
    stopped_by: str | None = None
    n_tokens: int = 0
    n_forced: int = 0
    is_exact: bool = False
    similarity: float = 0.0
    escape: str | None = None
    # Whether the tests pass, and the name of what they raised; None where there are none.
    passes: bool | None = None
    raised: str | None = None

    @property
    def is_success(self) -> bool:
        return self.parses and self.error is None


@dataclass(slots=True)
class Cost:
    """Seconds: in all, before the first token (`once`), and on checks (`checking`), counted by `n_checks`."""

    seconds: float = 0.0
    once: float = 0.0
    checking: float = 0.0
    n_checks: int = 0


def case_row(case: Case, outcomes: dict[str, Any]) -> dict[str, Any]:
    """The journal's row of a case: enough to count with, not the file."""
    return {
        "case": case.id,
        "n_left": len(case.left),
        "n_right": len(case.right),
        "middle": case.middle,
        "middle_escape": escape(case.left, case.middle, case.right, language_named(case.language)),
        "modes": outcomes,
    }
