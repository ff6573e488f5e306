"""Texts for several cursors of one document at once (`fim_lsp/decoding/together.py`).

The whole file must parse with all of them: no statement is set aside, and there are no smaller rungs. If the
request's time does not suffice, there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.messages import FillTogether
from fim_lsp.server.worker.with_model import options
from quotient import NoCompletion

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model


def texts_together(
    text: WorkerText,
    wanted: FillTogether,
    model: Model | None,
    opened: Mapping[str, str],
    is_cancelled: Callable[[], bool],
) -> tuple[tuple[str, ...], ...]:
    """A text for each offset, the best first."""
    from fim_lsp.decoding.together import SeveralHoles, written_together

    wishes = wanted.wishes
    has_law = text.known_language.has_law(wishes.names, wishes.unique_keys)
    holes = SeveralHoles(text.language, text.text, wanted.offsets, has_law, text.uri, opened)
    try:
        found = written_together(holes, model, options(wishes, wanted.budget_s), is_cancelled)
    except NoCompletion:
        return ()
    return tuple(found)
