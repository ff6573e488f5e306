"""What a completion is held to between two texts that some text joins."""

from __future__ import annotations

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.site import Site
from tests.server_editor import VERSION


def footing_between(left: str, right: str, language: str = "python") -> Footing:
    sent = SentText("file:///a", 0, VERSION, left + right, language=language)
    found = footing(Site.of(WorkerText(sent, left + right), Hole(len(left), len(left))))
    assert found is not None
    assert found.rung == "file"
    return found
